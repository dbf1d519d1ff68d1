/* trainer: plays and learns an n-tuple network, on any number of threads that share the weights without locks. */
#include "learn/trainer.h"

#include "base/clock.h"
#include "base/signals.h"
#include "learn/learner.h"
#include "learn/rules.h"
#include "learn/trainer_parts.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum {
    TURN_ROUNDS = 64, /* steps of each game in a worker's turn; between turns it reads the shared total of actions */
    /*
     * Worker i starts after i times this many actions. At first all games are alike and short: many threads would
     * correct the same error in the same weights, n times too much, and a fresh network would diverge. Once games are
     * long, threads hardly meet.
     */
    RAMP_ACTIONS = 50000,
    WATCH_MILLISECONDS = 50,
};

static unsigned cell_of(enum learn_rule rule)
{
    return rule == RULE_TD ? RULES_TD_CELL : rule == RULE_TC ? RULES_TC_CELL : RULES_AUTOSTEP_CELL;
}

/* Floats of a weight's cell. A run has at most one rule besides TD: what the cells hold must not change its meaning. */
static enum status choose_stride(const struct learn_settings *learn, unsigned *stride)
{
    *stride = RULES_TD_CELL;
    for (unsigned i = 0; i < learn->n_phases; i++) {
        unsigned own = cell_of(learn->phases[i].rule);
        if (own != RULES_TD_CELL && *stride != RULES_TD_CELL && own != *stride)
            return status_fail(STATUS_INVALID, "a run may switch between td and tc or between td and autostep, not "
                                               "between tc and autostep: they keep different numbers beside a weight");
        *stride = own != RULES_TD_CELL ? own : *stride;
    }
    return STATUS_OK;
}

static enum status check_settings(const struct trainer_settings *settings)
{
    const struct learn_settings *learn = &settings->learn;
    if (learn->n_phases == 0 || learn->n_phases > LEARN_MAX_PHASES || learn->phases[0].start_action != 0)
        return status_fail(STATUS_INVALID, "learning needs 1 to %d phases, the first from action 0", LEARN_MAX_PHASES);
    if (!(learn->lambda >= 0 && learn->lambda <= 1) || learn->horizon > LEARN_MAX_HORIZON)
        return status_fail(STATUS_INVALID, "lambda %g with horizon %u: lambda is 0 to 1, the horizon at most %d",
                           (double)learn->lambda, learn->horizon, LEARN_MAX_HORIZON);
    if (settings->threads < 1 || settings->threads > WORKERS_MAX || settings->interleave < 1 ||
        settings->interleave > TRAINER_MAX_INTERLEAVE)
        return status_fail(STATUS_INVALID, "%u threads with %u games each: 1 to %d threads, 1 to %d games",
                           settings->threads, settings->interleave, WORKERS_MAX, TRAINER_MAX_INTERLEAVE);
    return starts_check_settings(&settings->start);
}

uint64_t trainer_bytes(const struct network_spec *spec, const struct trainer_settings *settings)
{
    uint64_t n_weights = 0, bytes = 0;
    unsigned stride;
    if (network_measure(spec, &n_weights, &bytes) || choose_stride(&settings->learn, &stride))
        return 0;
    uint64_t beside = n_weights * (stride - 1) * sizeof(float);
    uint64_t games = (uint64_t)settings->threads * settings->interleave;
    uint64_t record =
        starts_need_states(&settings->start) || settings->learn.backward ? 4 << 20 : 0; /* a long game's */
    uint64_t average = settings->learn.average_every ? n_weights * sizeof(float) : 0;
    return beside + average + games * (sizeof(struct learner) + 64 * 1024 + record);
}

/*
 * Resets what the rule keeps beside each weight: to 0, except Autostep's step sizes, which share the initial step among
 * the look-ups of an afterstate. (With the whole initial step in each weight, one that was met for the first time took
 * nearly all of it and left its neighbours next to none for good: 4,224 points after 5e7 actions of 42-33, mu 0.1.)
 */
static void clear_cells(struct trainer *trainer)
{
    const struct network *network = trainer->target.network;
    float step = trainer->settings.learn.autostep_initial / (float)network->n_lookups;
    for (uint64_t i = 0; i < network->n_weights && network->stride == RULES_TC_CELL; i++)
        network->cells[RULES_TC_CELL * i + 1] = network->cells[RULES_TC_CELL * i + 2] = 0;
    for (uint64_t i = 0; i < network->n_weights && network->stride == RULES_AUTOSTEP_CELL; i++) {
        float *cell = network->cells + RULES_AUTOSTEP_CELL * i;
        cell[1] = step;
        cell[2] = cell[3] = 0;
    }
}

/* Makes the network's cells as wide as the rule needs, and resets what is beside the weights. */
static enum status prepare_cells(struct trainer *trainer)
{
    struct network *network = trainer->target.network;
    unsigned stride;
    enum status status = choose_stride(&trainer->settings.learn, &stride);
    if (status)
        return status;
    bool is_used = network->stride == stride && stride != RULES_TD_CELL; /* by an earlier trainer */
    status = network_set_stride(network, stride);
    if (status)
        return status;
    if (is_used || stride == RULES_AUTOSTEP_CELL) /* fresh pages are zero */
        clear_cells(trainer);
    return STATUS_OK;
}

uint64_t trainer_average_turn(const struct trainer *trainer)
{
    uint64_t every = trainer->settings.learn.average_every;
    return every ? atomic_load(&trainer->actions) / every : 0;
}

void trainer_restart_average(struct trainer *trainer)
{
    weight_average_restart(&trainer->average, trainer->target.network, trainer_average_turn(trainer));
}

/* `seed` and `first_stream` determine the generators of its games. */
static enum status create_worker(struct trainer *trainer, unsigned number, uint64_t seed, uint64_t first_stream)
{
    struct trainer_worker *worker = &trainer->workers[number];
    const struct trainer_settings *settings = &trainer->settings;
    struct network *network = trainer->target.network;
    enum status status =
        starts_create(&worker->starts, &network->grid, &settings->start, network->spec.stages.n_stages);
    for (unsigned i = 0; i < settings->interleave && !status; i++) {
        uint64_t stream = first_stream + (uint64_t)number * TRAINER_MAX_INTERLEAVE + i;
        status = learner_create(&worker->learners[i], &trainer->target, random_stream(seed, stream));
        if (!status)
            learner_begin(&worker->learners[i], &trainer->target, &worker->starts);
    }
    return status;
}

static enum status create_parts(struct trainer *trainer)
{
    const struct trainer_settings *settings = &trainer->settings;
    enum status status = prepare_cells(trainer);
    if (status)
        return status;
    if (settings->learn.average_every)
        status = weight_average_create(&trainer->average, trainer->target.network);
    if (status)
        return status;
    trainer->workers = memory_allocate(settings->threads, sizeof *trainer->workers);
    if (!trainer->workers)
        return STATUS_NO_MEMORY;
    for (unsigned i = 0; i < settings->threads && !status; i++)
        status = create_worker(trainer, i, settings->seed, 0);
    return status;
}

enum status trainer_create(struct trainer **out, struct network *network, const struct trainer_settings *settings)
{
    *out = NULL;
    enum status status = check_settings(settings);
    if (status)
        return status;
    struct trainer *trainer = memory_allocate(1, sizeof *trainer);
    if (!trainer)
        return STATUS_NO_MEMORY;
    trainer->settings = *settings;
    trainer->target.network = network;
    trainer->target.settings = &trainer->settings.learn;
    for (unsigned k = 0; k <= LEARN_MAX_HORIZON; k++)
        trainer->target.lambda_power[k] = k ? trainer->target.lambda_power[k - 1] * settings->learn.lambda : 1;
    status = create_parts(trainer);
    if (status) {
        trainer->settings.learn.goal.known = (struct known_chances){0}; /* stay the caller's */
        trainer->settings.start.bank = (struct start_bank){0};
        trainer_free(trainer);
        return status;
    }
    *out = trainer;
    return STATUS_OK;
}

struct network *trainer_network(const struct trainer *trainer)
{
    return trainer->target.network;
}

static void free_games(struct trainer_worker *worker)
{
    starts_free(&worker->starts);
    for (unsigned k = 0; k < TRAINER_MAX_INTERLEAVE; k++)
        learner_free(&worker->learners[k]);
}

void trainer_free(struct trainer *trainer)
{
    if (!trainer)
        return;
    for (unsigned i = 0; trainer->workers && i < trainer->settings.threads; i++)
        free_games(&trainer->workers[i]);
    cluster_merge_free(&trainer->merge);
    free(trainer->workers);
    weight_average_free(&trainer->average);
    const struct known_chances *known = &trainer->settings.learn.goal.known;
    if (known->free)
        known->free(known->context);
    free(trainer->settings.start.bank.boards);
    free(trainer);
}

enum status trainer_join(struct trainer *trainer, const struct cluster *cluster)
{
    if (cluster_size(cluster) == 1)
        return STATUS_OK;
    trainer->cluster = cluster;
    trainer->merged_actions = atomic_load(&trainer->actions);
    trainer->merged_totals = trainer_totals(trainer);
    enum status status = cluster_merge_begin(&trainer->merge, trainer->target.network);
    /* With the actions in the seed, a resumed run does not play its first games again. */
    uint64_t seed = trainer->settings.seed ^ trainer->merged_actions;
    uint64_t first_stream = (uint64_t)cluster->rank * WORKERS_MAX * TRAINER_MAX_INTERLEAVE;
    for (unsigned i = 0; i < trainer->settings.threads && !status && cluster->rank > 0; i++) {
        struct trainer_worker *worker = &trainer->workers[i];
        free_games(worker);
        worker->starts = (struct starts){0};
        memset(worker->learners, 0, sizeof worker->learners);
        status = create_worker(trainer, i, seed, first_stream);
    }
    return cluster_agree(cluster, status);
}

/* The actions of all ranks at which the next merge is due. */
static uint64_t next_merge(const struct trainer *trainer)
{
    uint64_t sync = trainer->settings.sync ? trainer->settings.sync : 1;
    return trainer->cluster ? trainer->merged_actions + sync * trainer->cluster->size : UINT64_MAX;
}

/* Adds the totals of the other ranks to those of worker 0. */
static void merge_totals(struct trainer *trainer)
{
    enum { PLAYS, NEW_PLAYS, SCORE_SUM, ACTIONS, REACHED, N = REACHED + BOARD_MAX_VALUE + 1 };
    struct trainer_worker *worker = &trainer->workers[0];
    const struct trainer_totals now = trainer_totals(trainer), *before = &trainer->merged_totals;
    uint64_t own[N], all[N];
    own[PLAYS] = now.plays - before->plays;
    own[NEW_PLAYS] = now.new_plays - before->new_plays;
    own[SCORE_SUM] = (uint64_t)now.score_sum - (uint64_t)before->score_sum;
    own[ACTIONS] = (now.actions - trainer->merged_actions) / trainer->cluster->size;
    for (unsigned value = 0; value <= BOARD_MAX_VALUE; value++)
        own[REACHED + value] = now.reached[value] - before->reached[value];
    memcpy(all, own, sizeof all);
    cluster_sum(trainer->cluster, all, N);
    atomic_fetch_add(&worker->plays, all[PLAYS] - own[PLAYS]);
    atomic_fetch_add(&worker->new_plays, all[NEW_PLAYS] - own[NEW_PLAYS]);
    atomic_fetch_add(&worker->score_sum, all[SCORE_SUM] - own[SCORE_SUM]);
    for (unsigned value = 0; value <= BOARD_MAX_VALUE; value++)
        atomic_fetch_add(&worker->reached[value], all[REACHED + value] - own[REACHED + value]);
    trainer->merged_actions += all[ACTIONS];
    atomic_store(&trainer->actions, trainer->merged_actions);
    trainer->merged_totals = trainer_totals(trainer);
}

/* Merges the networks and totals of all ranks. `status` is that of this rank's learning; *stop, whether this rank, then
   whether any rank, has to stop. */
static enum status merge_ranks(struct trainer *trainer, enum status status, bool *stop)
{
    status = cluster_agree(trainer->cluster, status);
    if (!status)
        status = cluster_merge_run(&trainer->merge, trainer->cluster, trainer->target.network);
    if (status)
        return status;
    merge_totals(trainer);
    *stop = cluster_any(trainer->cluster, *stop);
    return STATUS_OK;
}

struct run {
    struct trainer *trainer;
    uint64_t until;       /* actions */
    uint64_t until_plays; /* UINT64_MAX: no limit */
    trainer_watch watch;
    void *context;
    _Atomic bool stop;        /* now */
    _Atomic bool stop_merged; /* on a cluster: at the next merge */
};

/* The rule and rate that hold after `actions`. */
static struct learn_moment moment_at(const struct learn_settings *learn, uint64_t actions)
{
    unsigned phase = 0;
    while (phase + 1 < learn->n_phases && learn->phases[phase + 1].start_action <= actions)
        phase++;
    return (struct learn_moment){.rule = learn->phases[phase].rule,
                                 .rate = schedule_at(&learn->phases[phase].rate, actions)};
}

static void count_play(struct trainer_worker *worker, const struct play_report *report)
{
    atomic_fetch_add_explicit(&worker->plays, 1, memory_order_relaxed);
    if (!report->fresh)
        return;
    atomic_fetch_add_explicit(&worker->new_plays, 1, memory_order_relaxed);
    atomic_fetch_add_explicit(&worker->score_sum, report->score, memory_order_relaxed);
    for (unsigned value = 0; value <= report->max_value; value++)
        atomic_fetch_add_explicit(&worker->reached[value], 1, memory_order_relaxed);
}

/* A fixed number of steps of each of the worker's games, *n_actions of which were moves. */
static enum status take_turn(struct trainer *trainer, struct trainer_worker *worker, uint64_t actions,
                             uint64_t *n_actions)
{
    struct learn_moment moment = moment_at(&trainer->settings.learn, actions);
    uint64_t n = 0;
    for (unsigned round = 0; round < TURN_ROUNDS; round++)
        for (unsigned i = 0; i < trainer->settings.interleave; i++) {
            bool moved;
            struct play_report report;
            enum status status =
                learner_step(&worker->learners[i], &trainer->target, &moment, &worker->starts, &moved, &report);
            if (status)
                return status;
            n += moved;
            if (!moved)
                count_play(worker, &report);
        }
    *n_actions = n;
    return STATUS_OK;
}

void trainer_add_totals(struct trainer_worker *worker, const struct trainer_worker *other)
{
    atomic_fetch_add(&worker->plays, atomic_load(&other->plays));
    atomic_fetch_add(&worker->new_plays, atomic_load(&other->new_plays));
    atomic_fetch_add(&worker->score_sum, atomic_load(&other->score_sum));
    for (unsigned value = 0; value <= BOARD_MAX_VALUE; value++)
        atomic_fetch_add(&worker->reached[value], atomic_load(&other->reached[value]));
}

static uint64_t count_plays(const struct trainer *trainer)
{
    uint64_t plays = 0;
    for (unsigned i = 0; i < trainer->settings.threads; i++)
        plays += atomic_load_explicit(&trainer->workers[i].plays, memory_order_relaxed);
    return plays;
}

static bool has_enough_plays(const struct run *run)
{
    return run->until_plays != UINT64_MAX && count_plays(run->trainer) >= run->until_plays;
}

static enum status worker_job(void *context, unsigned number)
{
    struct run *run = context;
    struct trainer *trainer = run->trainer;
    struct trainer_worker *worker = &trainer->workers[number];
    uint64_t next_watch = clock_nanoseconds() + WATCH_MILLISECONDS * UINT64_C(1000000);
    for (;;) {
        uint64_t actions = atomic_load_explicit(&trainer->actions, memory_order_relaxed), n;
        if (actions >= run->until || has_enough_plays(run) || atomic_load_explicit(&run->stop, memory_order_relaxed))
            return STATUS_OK;
        if (actions < (uint64_t)number * RAMP_ACTIONS) {
            nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
            continue;
        }
        enum status status = take_turn(trainer, worker, actions, &n);
        if (status) {
            atomic_store(&run->stop, true);
            return status;
        }
        atomic_fetch_add_explicit(&trainer->actions, n * cluster_size(trainer->cluster), memory_order_relaxed);
        if (number == 0 && run->watch && clock_nanoseconds() >= next_watch) {
            next_watch = clock_nanoseconds() + WATCH_MILLISECONDS * UINT64_C(1000000);
            struct trainer_totals totals = trainer_totals(trainer);
            if (!run->watch(run->context, &totals))
                atomic_store(trainer->cluster && !signals_interrupted() ? &run->stop_merged : &run->stop, true);
        }
    }
}

/* The actions at which the next sample of the average is due. */
static uint64_t next_sample(const struct trainer *trainer)
{
    uint64_t every = trainer->settings.learn.average_every, from = trainer->settings.learn.average_from;
    if (!every)
        return UINT64_MAX;
    uint64_t next = (trainer->average.turn + 1) * every;
    return next < from ? from : next;
}

void trainer_exchange_average(struct trainer *trainer)
{
    if (trainer->average.block.data)
        weight_average_exchange(&trainer->average, trainer->target.network);
}

static uint64_t earlier(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

static enum status run_until(struct trainer *trainer, struct workers *workers, uint64_t until, uint64_t until_plays,
                             trainer_watch watch, void *context)
{
    uint64_t every = trainer->target.network->stride != RULES_TD_CELL ? trainer->settings.learn.reset_every : 0;
    struct run run = {.trainer = trainer, .until_plays = until_plays, .watch = watch, .context = context};
    if (workers_count(workers) != trainer->settings.threads)
        return status_fail(STATUS_USAGE, "%u workers for a trainer of %u threads", workers_count(workers),
                           trainer->settings.threads);
    while (atomic_load(&trainer->actions) < until && !has_enough_plays(&run) && !atomic_load(&run.stop)) {
        uint64_t next_reset = every ? (trainer->n_resets + 1) * every : UINT64_MAX;
        run.until = earlier(earlier(until, next_merge(trainer)), earlier(next_reset, next_sample(trainer)));
        enum status status = workers_run(workers, worker_job, &run);
        if (trainer->cluster) {
            bool stop = atomic_load(&run.stop) || atomic_load(&run.stop_merged);
            status = merge_ranks(trainer, status, &stop);
            atomic_store(&run.stop, stop);
        }
        if (!status && atomic_load(&trainer->actions) >= next_sample(trainer)) {
            trainer->average.turn = trainer_average_turn(trainer);
            status = weight_average_sample(&trainer->average, trainer->target.network, workers);
        }
        if (status)
            return status;
        if (atomic_load(&trainer->actions) >= next_reset) {
            clear_cells(trainer); /* every weight learns at the full rate again */
            trainer->n_resets++;
            if (trainer->cluster)
                status = cluster_merge_begin(&trainer->merge, trainer->target.network);
            if (status)
                return status;
        }
    }
    return STATUS_OK;
}

enum status trainer_run(struct trainer *trainer, struct workers *workers, uint64_t until, trainer_watch watch,
                        void *context)
{
    return run_until(trainer, workers, until, UINT64_MAX, watch, context);
}

enum status trainer_run_plays(struct trainer *trainer, struct workers *workers, uint64_t until_plays,
                              trainer_watch watch, void *context)
{
    return run_until(trainer, workers, UINT64_MAX, until_plays, watch, context);
}

struct trainer_totals trainer_totals(const struct trainer *trainer)
{
    struct trainer_totals totals = {.actions = atomic_load(&trainer->actions)};
    uint64_t score_sum = 0;
    for (unsigned i = 0; i < trainer->settings.threads; i++) {
        const struct trainer_worker *worker = &trainer->workers[i];
        totals.plays += atomic_load_explicit(&worker->plays, memory_order_relaxed);
        totals.new_plays += atomic_load_explicit(&worker->new_plays, memory_order_relaxed);
        score_sum += atomic_load_explicit(&worker->score_sum, memory_order_relaxed);
        for (unsigned value = 0; value <= BOARD_MAX_VALUE; value++)
            totals.reached[value] += atomic_load_explicit(&worker->reached[value], memory_order_relaxed);
    }
    totals.score_sum = (double)score_sum;
    return totals;
}
