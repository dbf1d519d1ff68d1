/*
 * The jobs of networks: training and greedy play, on a network that has already learned to play, because an empty one
 * touches a few hot weights only. The limit of training and greedy play is the same: the weights of the afterstates
 * that such a game meets, read with prefetch in the best order we know, and nothing else done: no moves, no choice, no
 * update. Deeper search has no such limit, because it saves evaluations; it is compared with plain expectimax.
 */
#include "bench.h"

#include "base/memory.h"
#include "base/workers.h"
#include "game/game.h"
#include "learn/trainer.h"
#include "ntuple/lookup.h"
#include "ntuple/network_value.h"
#include "search/plain_expectimax.h"
#include "study/match.h"

#include <stdio.h>
#include <stdlib.h>

enum { N_REPLAY = 1 << 20, N_JOBS = 11, MAX_THREADS = 2, BENCH_GAMES = 64, MIN_DEPTH = 2, MAX_DEPTH = 3 };

struct learn_bench {
    char names[N_JOBS][48];
    struct network *network;                  /* played and learned by TD */
    struct network *learned[MAX_THREADS];     /* by TC, [threads - 1] */
    struct workers *workers[MAX_THREADS];     /* [threads - 1] */
    struct trainer *trainers[2][MAX_THREADS]; /* [td, tc][threads - 1] */
    struct learn_thread {
        struct learn_bench *bench;
        unsigned threads, rule;
    } threads[2][MAX_THREADS];
    struct search_job {
        struct learn_bench *bench;
        unsigned threads;
        struct player player;
        struct searcher *searchers[MAX_THREADS];        /* of each worker */
        uint64_t next;                                  /* game to play */
    } searches[MAX_DEPTH - MIN_DEPTH + 1][MAX_THREADS]; /* [depth - 2][threads - 1] */
    struct board *replay;                               /* afterstates in the order in which greedy games meet them */
    double after_per_move;
    uint64_t n_games_played;
    struct bench_job jobs[N_JOBS];
};

/* ---- the jobs --------------------------------------------------------------------------------------------------- */

static uint64_t run_train(void *context, uint64_t n, uint64_t *sink)
{
    struct learn_thread *thread = context;
    struct trainer *trainer = thread->bench->trainers[thread->rule == RULE_TC][thread->threads - 1];
    uint64_t before = trainer_totals(trainer).actions;
    if (trainer_run(trainer, thread->bench->workers[thread->threads - 1], before + n, NULL, NULL))
        return 1;
    struct trainer_totals after = trainer_totals(trainer);
    *sink += (uint64_t)after.score_sum;
    return after.actions - before;
}

static uint64_t run_greedy(void *context, uint64_t n, uint64_t *sink)
{
    struct learn_thread *thread = context;
    struct learn_bench *bench = thread->bench;
    struct player player = {.kind = PLAYER_SEARCH,
                            .grid = &bench->network->grid,
                            .function = network_value_function(bench->network),
                            .search.depth = 1};
    struct game_result results[BENCH_GAMES];
    uint64_t done = 0;
    while (done < n) {
        struct match match = {.player = &player,
                              .seed = 1,
                              .first_game = bench->n_games_played,
                              .n_games = BENCH_GAMES,
                              .results = results};
        size_t finished;
        if (match_play(&match, bench->workers[thread->threads - 1], NULL, &finished))
            return done + 1;
        bench->n_games_played += BENCH_GAMES;
        for (size_t i = 0; i < finished; i++) {
            done += results[i].n_moves;
            *sink += results[i].score;
        }
    }
    return done;
}

struct search_work {
    struct search_job *job;
    bool plain;
    uint64_t n_moves; /* wanted of each worker */
    _Atomic uint64_t done, sum;
};

/* Plays on, a game after the other, each worker its own; the moves are chosen by the searcher or plain expectimax. */
static enum status search_worker(void *context, unsigned worker)
{
    struct search_work *work = context;
    const struct player *player = &work->job->player;
    uint64_t index = work->job->next + worker, done = 0;
    while (done < work->n_moves) {
        struct game game = game_begin(player->grid, 3, index);
        for (; done < work->n_moves; done++) {
            enum direction best =
                work->plain ? plain_expectimax(player->grid, &player->function, game.board, player->search.depth).best
                            : searcher_search(work->job->searchers[worker], game.board).best;
            if (best == DIRECTION_COUNT)
                break;
            game_play(&game, best, NULL);
        }
        work->sum += game.score;
        index += MAX_THREADS;
    }
    work->done += done;
    return STATUS_OK;
}

static uint64_t search_moves(struct search_job *job, uint64_t n, bool plain, uint64_t *sink)
{
    struct search_work work = {.job = job, .plain = plain, .n_moves = (n + job->threads - 1) / job->threads};
    workers_run(job->bench->workers[job->threads - 1], search_worker, &work); /* it does not fail */
    job->next += plain ? MAX_THREADS : 0; /* the limit comes second: both play the same games */
    *sink += work.sum;
    return work.done;
}

static uint64_t run_search(void *context, uint64_t n, uint64_t *sink)
{
    return search_moves(context, n, false, sink);
}

static uint64_t run_plain_search(void *context, uint64_t n, uint64_t *sink)
{
    return search_moves(context, n, true, sink);
}

struct replay_work {
    const struct learn_bench *bench;
    uint64_t n_boards;
    _Atomic uint64_t sum;
};

static enum status replay_job(void *context, unsigned worker)
{
    struct replay_work *work = context;
    struct value_function function = network_value_function(work->bench->network);
    float values[256], sum = 0;
    for (uint64_t i = 0; i < work->n_boards; i += 256) {
        value_of_batch(&function, work->bench->replay + (i + worker * (N_REPLAY / 2)) % N_REPLAY, 256, values);
        sum += values[0];
    }
    work->sum += (uint64_t)sum;
    return STATUS_OK;
}

/* Reads the weights of as many afterstates as n moves have. */
static uint64_t run_replay(void *context, uint64_t n, uint64_t *sink)
{
    struct learn_thread *thread = context;
    struct learn_bench *bench = thread->bench;
    double boards = (double)n * bench->after_per_move / thread->threads;
    struct replay_work work = {.bench = bench, .n_boards = (uint64_t)boards / 256 * 256 + 256};
    workers_run(bench->workers[thread->threads - 1], replay_job, &work);
    *sink += work.sum;
    return (uint64_t)((double)(work.n_boards * thread->threads) / bench->after_per_move);
}

static uint64_t run_evaluate(void *context, uint64_t n, uint64_t *sink)
{
    struct learn_thread *thread = context;
    struct replay_work work = {.bench = thread->bench, .n_boards = n / 256 * 256 + 256};
    replay_job(&work, 0);
    *sink += work.sum;
    return work.n_boards;
}

/* As many weights as an evaluation has, at random places of the whole table, prefetched 128 ahead. */
static uint64_t run_random_loads(void *context, uint64_t n, uint64_t *sink)
{
    enum { AHEAD = 128 };
    const struct network *network = ((struct learn_thread *)context)->bench->network;
    struct rng rng = random_stream(7, 7);
    uint64_t place[AHEAD] = {0}, loads = n * network->n_lookups;
    float sum = 0;
    for (uint64_t i = 0; i < loads; i++) {
        uint64_t *slot = &place[i % AHEAD];
        sum += network->weights[*slot];
        *slot = (uint64_t)((unsigned __int128)random_bits(&rng) * network->n_weights >> 64);
        __builtin_prefetch(network->weights + *slot);
    }
    *sink += (uint64_t)sum;
    return n;
}

/* ---- set-up ----------------------------------------------------------------------------------------------------- */

static enum status fill_spec(struct network_spec *spec, const char *shape)
{
    struct grid grid;
    *spec = (struct network_spec){.rows = 4, .cols = 4};
    enum status status = grid_create(&grid, 4, 4);
    if (!status)
        status = shape_from_name(&spec->shape, &grid, shape);
    if (!status)
        status = encoding_plain(&spec->encoding, 16);
    if (!status)
        status = stages_parse(&spec->stages, "1");
    grid_free(&grid);
    return status;
}

enum status bench_learn_check(const char *shape)
{
    struct network_spec spec;
    return fill_spec(&spec, shape);
}

static enum status create_network(struct learn_bench *bench, const char *shape)
{
    struct network_spec spec;
    enum status status = fill_spec(&spec, shape);
    return status ? status : network_create(&bench->network, &spec);
}

/* Trains for `actions` with this rule and number of threads, from where the network is, and leaves it there: TD in the
   network itself, TC in a copy. */
static enum status create_trainer(struct learn_bench *bench, unsigned tc, unsigned threads, uint64_t actions)
{
    struct trainer **trainer = &bench->trainers[tc][threads - 1];
    struct workers *workers = bench->workers[threads - 1];
    struct trainer_settings settings = {.seed = 1, .threads = threads, .interleave = BENCH_INTERLEAVE};
    settings.learn.n_phases = 1;
    settings.learn.phases[0].rule = tc ? RULE_TC : RULE_TD;
    settings.learn.phases[0].rate = (struct schedule){.n_points = 1, .value = {tc ? 1.0f : 0.1f}};
    settings.start.new_game = 1;
    bench->threads[tc][threads - 1] =
        (struct learn_thread){.bench = bench, .threads = threads, .rule = settings.learn.phases[0].rule};
    struct network *network = bench->network;
    enum status status = tc ? network_create(&bench->learned[threads - 1], &network->spec) : STATUS_OK;
    if (status)
        return status;
    if (tc) {
        network_put_weights(bench->learned[threads - 1], 0, network->n_weights, network->weights);
        network = bench->learned[threads - 1];
    }
    status = trainer_create(trainer, network, &settings);
    if (!status)
        status = trainer_run(*trainer, workers, actions, NULL, NULL);
    if (!status && tc) /* copies them */
        network_get_weights(network, 0, network->n_weights, bench->network->weights);
    return status;
}

/* Learns enough to play past 50,000 on average, then collects the afterstates of greedy games. */
static enum status warm_up(struct learn_bench *bench, uint64_t actions)
{
    const struct network *network = bench->network;
    enum status status = STATUS_OK;
    for (unsigned i = 0; i < MAX_THREADS && !status; i++)
        status = workers_create(&bench->workers[i], i + 1);
    for (unsigned tc = 2; tc-- > 0;) /* TC first, it is what learns; in the end every trainer has met its pages */
        for (unsigned threads = 1; threads <= MAX_THREADS && !status; threads++)
            status = create_trainer(bench, tc, threads, tc ? actions / 2 : actions / 20);
    bench->replay = memory_allocate(N_REPLAY, sizeof *bench->replay);
    if (status || !bench->replay)
        return status ? status : STATUS_NO_MEMORY;
    size_t n = 0;
    uint64_t n_moves = 0;
    for (uint64_t index = 0; n < N_REPLAY; index++) {
        struct game game = game_begin(&network->grid, 2, index);
        for (enum direction best; n < N_REPLAY; n_moves++) {
            struct moves moves = grid_moves(&network->grid, game.board);
            float best_value = 0;
            best = DIRECTION_COUNT;
            for (unsigned d = 0; d < DIRECTION_COUNT; d++) {
                if (!(moves.legal >> d & 1))
                    continue;
                float value = (float)moves.reward[d] + network_value(network, moves.after[d]);
                if (n < N_REPLAY)
                    bench->replay[n++] = moves.after[d];
                if (best == DIRECTION_COUNT || value > best_value) {
                    best = d;
                    best_value = value;
                }
            }
            if (best == DIRECTION_COUNT)
                break;
            game_play(&game, best, NULL);
        }
    }
    bench->after_per_move = (double)n / (double)n_moves;
    return STATUS_OK;
}

static enum status create_searches(struct learn_bench *bench)
{
    for (unsigned depth = MIN_DEPTH; depth <= MAX_DEPTH; depth++)
        for (unsigned threads = 1; threads <= MAX_THREADS; threads++) {
            struct search_job *job = &bench->searches[depth - MIN_DEPTH][threads - 1];
            job->bench = bench;
            job->threads = threads;
            job->player = (struct player){.kind = PLAYER_SEARCH,
                                          .grid = &bench->network->grid,
                                          .function = network_value_function(bench->network),
                                          .search.depth = depth,
                                          .search.table_bytes = depth >= 3 ? 1 << 20 : 0}; /* as eval has it */
            for (unsigned i = 0; i < threads; i++) {
                enum status status = player_create_searcher(&job->searchers[i], &job->player);
                if (status)
                    return status;
            }
        }
    return STATUS_OK;
}

static void list_jobs(struct learn_bench *bench, const char *shape)
{
    static const char limit[] = "the weights of its afterstates read, nothing else";
    static const char plain[] = "plain expectimax, one leaf at a time";
    const struct {
        const char *format, *unit, *limit;
        uint64_t (*run)(void *, uint64_t, uint64_t *), (*run_limit)(void *, uint64_t, uint64_t *);
        unsigned tc_or_depth, threads;
    } list[N_JOBS] = {
        {"train TC %s x1", "moves", limit, run_train, run_replay, 1, 1},
        {"train TC %s x2", "moves", limit, run_train, run_replay, 1, 2},
        {"train TD %s x1", "moves", limit, run_train, run_replay, 0, 1},
        {"train TD %s x2", "moves", limit, run_train, run_replay, 0, 2},
        {"1-ply play %s x1", "moves", limit, run_greedy, run_replay, 1, 1},
        {"1-ply play %s x2", "moves", limit, run_greedy, run_replay, 1, 2},
        {"2-ply play %s x1", "moves", plain, run_search, run_plain_search, 2, 1},
        {"2-ply play %s x2", "moves", plain, run_search, run_plain_search, 2, 2},
        {"3-ply play %s x1", "moves", plain, run_search, run_plain_search, 3, 1},
        {"3-ply play %s x2", "moves", plain, run_search, run_plain_search, 3, 2},
        {"evaluate %s", "boards", "as many weights at random places, prefetched", run_evaluate, run_random_loads, 1, 1},
    };
    for (unsigned i = 0; i < N_JOBS; i++) {
        unsigned key = list[i].tc_or_depth, threads = list[i].threads;
        snprintf(bench->names[i], sizeof bench->names[i], list[i].format, shape);
        bench->jobs[i] = (struct bench_job){.name = bench->names[i],
                                            .unit = list[i].unit,
                                            .limit = list[i].limit,
                                            .run = list[i].run,
                                            .run_limit = list[i].run_limit,
                                            .context = list[i].run == run_search
                                                           ? (void *)&bench->searches[key - MIN_DEPTH][threads - 1]
                                                           : (void *)&bench->threads[key][threads - 1]};
    }
}

enum status bench_learn_create(struct learn_bench **out, const char *shape, uint64_t warm_up_actions)
{
    struct learn_bench *bench = *out = memory_allocate(1, sizeof *bench);
    if (!bench)
        return STATUS_NO_MEMORY;
    enum status status = create_network(bench, shape);
    if (!status)
        status = warm_up(bench, warm_up_actions);
    if (!status)
        status = create_searches(bench);
    if (status) {
        bench_learn_free(bench);
        *out = NULL;
        return status;
    }
    list_jobs(bench, shape);
    return STATUS_OK;
}

void bench_learn_free(struct learn_bench *bench)
{
    if (!bench)
        return;
    for (unsigned i = 0; i < sizeof bench->searches / sizeof(struct search_job); i++)
        for (unsigned k = 0; k < MAX_THREADS; k++)
            searcher_free(bench->searches[i / MAX_THREADS][i % MAX_THREADS].searchers[k]);
    for (unsigned i = 0; i < MAX_THREADS; i++) {
        trainer_free(bench->trainers[0][i]);
        trainer_free(bench->trainers[1][i]);
        network_free(bench->learned[i]);
        workers_free(bench->workers[i]);
    }
    free(bench->replay);
    network_free(bench->network);
    free(bench);
}

const struct bench_job *bench_learn_jobs(const struct learn_bench *bench, size_t *n_jobs)
{
    *n_jobs = N_JOBS;
    return bench->jobs;
}
