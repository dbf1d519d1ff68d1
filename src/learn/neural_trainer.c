/* neural_trainer: TD learning of a neural network (Matsuzaki 2021, sections 3 and 4). */
#include "learn/neural_trainer.h"

#include "base/clock.h"
#include "base/memory.h"
#include "learn/neural_trainer_parts.h"
#include "neural/denormals.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    WATCH_MILLISECONDS = 50,
    GRAIN = 4096, /* weights: threads share a step in multiples of it */
};

enum status sample_list_reserve(struct sample_list *list, size_t n)
{
    size_t room = list->room;
    struct board *boards = memory_grow(list->boards, n, &room, 256, sizeof *boards);
    if (!boards)
        return STATUS_NO_MEMORY;
    list->boards = boards;
    float *targets = memory_grow(list->targets, n, &list->room, 256, sizeof *targets);
    if (!targets)
        return STATUS_NO_MEMORY;
    list->targets = targets;
    return STATUS_OK;
}

void sample_list_free(struct sample_list *list)
{
    free(list->boards);
    free(list->targets);
    *list = (struct sample_list){0};
}

static enum status add_sample(struct sample_list *list, struct board board, float target)
{
    enum status status = sample_list_reserve(list, list->n + 1);
    if (status)
        return status;
    list->boards[list->n] = board;
    list->targets[list->n++] = target;
    return STATUS_OK;
}

/* The first of the n games or positions that belong to a worker; its last is the one before the next worker's. */
static size_t share(size_t n, unsigned threads, unsigned worker)
{
    return n * worker / threads;
}

/* The same among the workers of all ranks, for a worker of this rank. */
size_t neural_trainer_share(const struct neural_trainer *trainer, size_t n, unsigned worker)
{
    unsigned threads = trainer->settings.threads;
    return share(n, threads * cluster_size(trainer->cluster), cluster_rank(trainer->cluster) * threads + worker);
}

void neural_game_choose(struct neural_game *game, const float *values)
{
    game->best = DIRECTION_COUNT;
    for (unsigned d = 0; d < DIRECTION_COUNT; d++) {
        if (!(game->moves.legal >> d & 1))
            continue;
        float value = (float)game->moves.reward[d] + *values++;
        if (game->best == DIRECTION_COUNT || value > game->best_value) {
            game->best = d;
            game->best_value = value;
        }
    }
}

static enum status pack_part(void *context, unsigned number)
{
    struct neural_trainer *trainer = context;
    unsigned mode = denormals_flush();
    half_weights_pack(trainer->half, number, trainer->settings.threads);
    denormals_restore(mode);
    return STATUS_OK;
}

enum status neural_trainer_pack(struct neural_trainer *trainer, struct workers *workers)
{
    if (!trainer->half || !trainer->half_is_old)
        return STATUS_OK;
    trainer->half_is_old = false;
    return workers_run(workers, pack_part, trainer);
}

static enum status evaluate_games(void *context, unsigned number)
{
    struct neural_trainer *trainer = context;
    struct neural_worker *worker = &trainer->workers[number];
    size_t first = neural_trainer_share(trainer, trainer->settings.games, number), n = 0;
    size_t end = neural_trainer_share(trainer, trainer->settings.games, number + 1);
    unsigned mode = denormals_flush();
    for (size_t i = first; i < end; i++) {
        struct neural_game *game = &trainer->games[i];
        game->moves = grid_moves(&trainer->neural->grid, game->live.board);
        for (unsigned d = 0; d < DIRECTION_COUNT; d++)
            if (game->moves.legal >> d & 1)
                worker->after[n++] = game->moves.after[d];
    }
    if (trainer->teaching)
        value_of_batch(&trainer->teacher, worker->after, n, worker->values);
    else
        neural_scratch_values(&worker->scratch, worker->after, n, worker->values);
    const float *values = worker->values;
    for (size_t i = first; i < end; i++) {
        neural_game_choose(&trainer->games[i], values);
        values += __builtin_popcount(trainer->games[i].moves.legal);
    }
    denormals_restore(mode);
    return STATUS_OK;
}

/* Sends the choices of this rank's games to the other ranks, and receives theirs. */
static void share_choices(struct neural_trainer *trainer)
{
    const struct cluster *cluster = trainer->cluster;
    unsigned threads = trainer->settings.threads, n_games = trainer->settings.games;
    size_t first = neural_trainer_share(trainer, n_games, 0), end = neural_trainer_share(trainer, n_games, threads);
    uint64_t bounds[CLUSTER_MAX_RANKS + 1];
    for (size_t i = first; i < end; i++)
        trainer->choices[i] = (struct neural_choice){trainer->games[i].best, trainer->games[i].best_value};
    for (unsigned r = 0; r <= cluster->size; r++)
        bounds[r] = share(n_games, threads * cluster->size, r * threads) * sizeof *trainer->choices;
    cluster_share_parts(cluster, trainer->choices, bounds);
    for (size_t i = 0; i < n_games; i++) {
        struct neural_game *game = &trainer->games[i];
        if (i >= first && i < end)
            continue;
        game->moves = grid_moves(&trainer->neural->grid, game->live.board);
        game->best = trainer->choices[i].best;
        game->best_value = trainer->choices[i].best_value;
    }
}

void neural_trainer_count_play(struct trainer_totals *totals, struct play_report report)
{
    totals->plays++;
    if (!report.fresh)
        return;
    totals->new_plays++;
    totals->score_sum += (double)report.score;
    for (unsigned value = 0; value <= report.max_value; value++)
        totals->reached[value]++;
}

/* Makes the chosen move. Its afterstate waits for its target, unless a teacher gave it. */
static enum status play_move(struct neural_trainer *trainer, struct neural_game *game, struct sample_list *list)
{
    struct board after = game->moves.after[game->best], view = neural_view(trainer->neural, after);
    float reward = (float)game->moves.reward[game->best];
    enum status status = STATUS_OK;
    if (trainer->teaching)
        status = add_sample(list, view, game->best_value - reward);
    else
        game->waiting[game->n_waiting++] = (struct waiting){view, reward, game->best_value - reward};
    if (status)
        return status;
    trainer->totals.actions++;
    return live_game_move(&game->live, &game->starts, after, game->moves.reward[game->best]);
}

/*
 * Gives targets to the waiting afterstates that see as far ahead as they may, or to all at the end of a play. With r(i)
 * and v(i) the reward and value of waiting afterstate i, and `next` reward + value of the move chosen now (0 at the
 * end), the target of the newest is `next` and of any other
 *
 *     g(i) = r(i+1) + (1 - lambda) v(i+1) + lambda g(i+1)
 */
static enum status give_targets(const struct neural_trainer *trainer, struct neural_game *game, float next, bool over,
                                struct sample_list *list)
{
    float target[LEARN_MAX_HORIZON + 1], lambda = trainer->settings.lambda;
    unsigned n = game->n_waiting, n_ready = over ? n : n > trainer->settings.horizon;
    enum status status = STATUS_OK;
    if (n_ready == 0)
        return STATUS_OK;
    target[n - 1] = next;
    for (unsigned i = n - 1; i-- > 0;) {
        const struct waiting *after = &game->waiting[i + 1];
        target[i] = after->reward + (1 - lambda) * after->value + lambda * target[i + 1];
    }
    for (unsigned i = 0; i < n_ready && !status; i++)
        status = add_sample(list, game->waiting[i].after, target[i]);
    game->n_waiting -= n_ready;
    memmove(game->waiting, game->waiting + n_ready, game->n_waiting * sizeof *game->waiting);
    return status;
}

static enum status learn_from(struct neural_trainer *trainer, struct workers *workers, struct board *boards,
                              float *targets, size_t n);

/* A game's part of a round once its values are known: the targets that it completes, then its move. */
static enum status advance(struct neural_trainer *trainer, struct workers *workers, struct neural_game *game)
{
    bool by_game = trainer->settings.batching == BATCH_GAME, over = game->best == DIRECTION_COUNT;
    struct sample_list *list = by_game ? &game->samples : &trainer->queue;
    enum status status = give_targets(trainer, game, over ? 0 : game->best_value, over, list);
    if (status || !over)
        return status ? status : play_move(trainer, game, list);
    neural_trainer_count_play(&trainer->totals, live_game_finish(&game->live, &game->starts));
    if (by_game && list->n > 0) {
        status = learn_from(trainer, workers, list->boards, list->targets, list->n);
        list->n = 0;
    }
    return status;
}

struct batch {
    struct neural_trainer *trainer;
    const struct board *boards;
    const float *targets;
    size_t n;
};

static enum status compute_gradient(void *context, unsigned number)
{
    const struct batch *batch = context;
    struct neural_trainer *trainer = batch->trainer;
    struct neural_worker *worker = &trainer->workers[number];
    struct neural_workspace *workspace = worker->scratch.workspace;
    size_t first = neural_trainer_share(trainer, batch->n, number), part = neural_workspace_boards(workspace);
    size_t end = neural_trainer_share(trainer, batch->n, number + 1);
    double per_scale = 1 / trainer->neural->spec.scale;
    unsigned mode = denormals_flush();
    worker->loss = 0;
    for (; first < end; first += part) {
        size_t n = end - first < part ? end - first : part;
        neural_real *outputs = worker->scratch.outputs;
        neural_forward(workspace, batch->boards + first, n, outputs);
        for (size_t i = 0; i < n; i++) {
            double error = (double)outputs[i] - (double)batch->targets[first + i] * per_scale;
            worker->loss += error * error;
            outputs[i] = (neural_real)(2 * error / (double)batch->n);
        }
        neural_backward(workspace, outputs, worker->gradient);
    }
    denormals_restore(mode);
    return STATUS_OK;
}

/* A worker's share of the weights: from *first, returns how many. */
static size_t weights_share(const struct neural_trainer *trainer, unsigned number, size_t *first)
{
    size_t n_parameters = trainer->neural->n_parameters, n_grains = (n_parameters + GRAIN - 1) / GRAIN;
    size_t end = share(n_grains, trainer->settings.threads, number + 1) * GRAIN;
    *first = share(n_grains, trainer->settings.threads, number) * GRAIN;
    end = end < n_parameters ? end : n_parameters;
    return *first < end ? end - *first : 0;
}

static enum status add_gradients(void *context, unsigned number)
{
    struct neural_trainer *trainer = context;
    unsigned mode = denormals_flush();
    size_t first, n = weights_share(trainer, number, &first);
    trainer->workers[number].squares = optimiser_add(trainer->gradients, trainer->settings.threads, first, n);
    denormals_restore(mode);
    return STATUS_OK;
}

static enum status apply_gradient(void *context, unsigned number)
{
    struct neural_trainer *trainer = context;
    unsigned mode = denormals_flush();
    size_t first, n = weights_share(trainer, number, &first);
    optimiser_apply(&trainer->step, trainer->neural->parameters, trainer->m, trainer->v, trainer->gradients[0], first,
                    n);
    denormals_restore(mode);
    return STATUS_OK;
}

/* Adds the gradients, of workers added already, and losses of all ranks. */
static enum status add_ranks(struct neural_trainer *trainer, double *loss)
{
    double losses[CLUSTER_MAX_RANKS];
    cluster_gather(trainer->cluster, loss, losses, sizeof *loss);
    *loss = 0;
    for (unsigned r = 0; r < trainer->cluster->size; r++)
        *loss += losses[r];
    return cluster_sum_floats(trainer->cluster, trainer->gradients[0], trainer->neural->n_parameters);
}

/* Fills trainer->images with all images of the positions. */
static enum status augment(struct neural_trainer *trainer, const struct board *boards, const float *targets, size_t n)
{
    const struct grid *grid = &trainer->neural->grid;
    trainer->images.n = 0;
    enum status status = sample_list_reserve(&trainer->images, n * grid->n_symmetries);
    for (size_t i = 0; i < n && !status; i++)
        for (unsigned s = 0; s < grid->n_symmetries && !status; s++)
            status = add_sample(&trainer->images, grid_image(grid, boards[i], s), targets[i]);
    return status;
}

/* The sum of all gradients, of all ranks, and its norm. */
static enum status sum_gradients(struct neural_trainer *trainer, struct workers *workers, double *loss, double *norm)
{
    double squares = 0;
    enum status status = workers_run(workers, add_gradients, trainer);
    for (unsigned i = 0; i < trainer->settings.threads; i++) {
        *loss += trainer->workers[i].loss;
        squares += trainer->workers[i].squares;
    }
    if (!status && trainer->cluster) {
        status = add_ranks(trainer, loss);
        squares = optimiser_add(trainer->gradients, 1, 0, trainer->neural->n_parameters);
    }
    *norm = sqrt(squares);
    return status;
}

static void count_batch(struct neural_trainer *trainer, double loss, double norm)
{
    struct neural_effort *effort = &trainer->effort;
    effort->last_loss = loss;
    effort->n_losses++;
    effort->loss_sum += loss;
    effort->norm_sum += norm;
}

enum status neural_trainer_step(struct neural_trainer *trainer, struct workers *workers, size_t n)
{
    double loss = 0, norm = 0;
    enum status status = sum_gradients(trainer, workers, &loss, &norm);
    if (status)
        return status;
    loss /= (double)n;
    trainer->n_batches++;
    if (!isfinite(loss))
        return status_fail(
            STATUS_INVALID,
            "learning diverged: the mean squared error of batch %" PRIu64 " (after %" PRIu64
            " moves) is %g; resume from the last checkpoint, or begin again with a smaller neural.rate, a "
            "larger batch, or neural.scale above 1",
            trainer->n_batches, trainer->totals.actions, loss);
    count_batch(trainer, loss, norm);
    trainer->half_is_old = true;
    double rate = (double)schedule_at(&trainer->settings.rate, trainer->totals.actions);
    trainer->step = optimiser_step_at(&trainer->settings.optimiser, rate, trainer->n_batches, norm);
    return workers_run(workers, apply_gradient, trainer);
}

/* Learns from one batch: the gradient and loss of each worker's part, then one step of the optimiser. */
static enum status learn_from(struct neural_trainer *trainer, struct workers *workers, struct board *boards,
                              float *targets, size_t n)
{
    struct batch batch = {.trainer = trainer, .boards = boards, .targets = targets, .n = n};
    enum status status = STATUS_OK;
    if (trainer->settings.augment) {
        status = augment(trainer, boards, targets, n);
        batch.boards = trainer->images.boards;
        batch.targets = trainer->images.targets;
        batch.n = trainer->images.n;
    }
    if (status)
        return status;
    status = neural_trainer_pack(trainer, workers);
    if (status)
        return status;
    status = workers_run(workers, compute_gradient, &batch);
    return status ? status : neural_trainer_step(trainer, workers, batch.n);
}

static void shuffle(struct rng *rng, struct board *boards, float *targets, size_t n)
{
    for (size_t i = n - 1; i > 0; i--) {
        size_t k = random_below(rng, i + 1);
        struct board board = boards[i];
        float target = targets[i];
        boards[i] = boards[k];
        targets[i] = targets[k];
        boards[k] = board;
        targets[k] = target;
    }
}

/* Learns from every full batch in the queue, or every full group of batches if they are shuffled. */
static enum status learn_from_queue(struct neural_trainer *trainer, struct workers *workers)
{
    struct sample_list *queue = &trainer->queue;
    bool shuffled = trainer->settings.batching == BATCH_SHUFFLE;
    size_t size = trainer->settings.batching == BATCH_POSITION ? 1 : trainer->settings.batch, taken = 0;
    size_t group = shuffled ? NEURAL_SHUFFLE_BATCHES * size : size;
    enum status status = STATUS_OK;
    while (queue->n - taken >= group && !status) {
        if (shuffled)
            shuffle(&trainer->rng, queue->boards + taken, queue->targets + taken, group);
        for (size_t end = taken + group; taken < end && !status; taken += size)
            status = learn_from(trainer, workers, queue->boards + taken, queue->targets + taken, size);
    }
    queue->n -= taken;
    memmove(queue->boards, queue->boards + taken, queue->n * sizeof *queue->boards);
    memmove(queue->targets, queue->targets + taken, queue->n * sizeof *queue->targets);
    return status;
}

enum status neural_trainer_join(struct neural_trainer *trainer, const struct cluster *cluster)
{
    if (cluster_size(cluster) == 1)
        return STATUS_OK;
    trainer->choices = memory_allocate(trainer->settings.games, sizeof *trainer->choices);
    trainer->cluster = cluster;
    return cluster_agree(cluster, trainer->choices ? STATUS_OK : STATUS_NO_MEMORY);
}

/* A sample of the mean of the weights, if one is due. */
static void sample_average(struct neural_trainer *trainer)
{
    const struct neural_settings *settings = &trainer->settings;
    uint64_t actions = trainer->totals.actions;
    if (!settings->average_every || actions / settings->average_every == trainer->average_turn)
        return;
    trainer->average_turn = actions / settings->average_every;
    if (actions < settings->average_from)
        return;
    trainer->n_samples++;
    const neural_real part = (neural_real)(1 / (double)trainer->n_samples);
    for (size_t i = 0; i < trainer->neural->n_parameters; i++)
        trainer->average[i] += part * (trainer->neural->parameters[i] - trainer->average[i]);
}

void neural_trainer_exchange_average(struct neural_trainer *trainer)
{
    for (size_t i = 0; i < trainer->neural->n_parameters && trainer->n_samples > 0; i++) {
        neural_real weight = trainer->neural->parameters[i];
        trainer->neural->parameters[i] = trainer->average[i];
        trainer->average[i] = weight;
    }
}

/* One move of every game, and what is learned from it. */
static enum status play_round(struct neural_trainer *trainer, struct workers *workers)
{
    uint64_t began = clock_nanoseconds();
    trainer->teaching = trainer->totals.actions < trainer->teach_until;
    if (trainer->teaching && trainer->settings.lesson.temperature > 0)
        return neural_lesson_round(trainer, workers);
    enum status status = neural_trainer_pack(trainer, workers);
    if (!status)
        status = workers_run(workers, evaluate_games, trainer);
    if (!status && trainer->cluster)
        share_choices(trainer);
    uint64_t chosen = clock_nanoseconds();
    for (unsigned i = 0; i < trainer->settings.games && !status; i++)
        status = advance(trainer, workers, &trainer->games[i]);
    if (!status && trainer->queue.n > 0) /* empty where a batch is a game */
        status = learn_from_queue(trainer, workers);
    trainer->effort.evaluate_seconds += (double)(chosen - began) * 1e-9;
    trainer->effort.learn_seconds += (double)(clock_nanoseconds() - chosen) * 1e-9;
    return status;
}

enum status neural_trainer_run(struct neural_trainer *trainer, struct workers *workers, uint64_t until,
                               trainer_watch watch, void *context)
{
    uint64_t next_watch = clock_nanoseconds() + WATCH_MILLISECONDS * UINT64_C(1000000);
    if (workers_count(workers) != trainer->settings.threads)
        return status_fail(STATUS_USAGE, "%u workers for a trainer of %u threads", workers_count(workers),
                           trainer->settings.threads);
    enum status status = STATUS_OK;
    if (trainer->teach_until > 0 && trainer->totals.actions == 0)
        status = neural_lesson_spread(trainer);
    while (trainer->totals.actions < until && !status) {
        bool stop = false;
        status = play_round(trainer, workers);
        sample_average(trainer);
        if (!status && watch && clock_nanoseconds() >= next_watch) {
            stop = !watch(context, &trainer->totals);
            next_watch = clock_nanoseconds() + WATCH_MILLISECONDS * UINT64_C(1000000);
        }
        if (cluster_any(trainer->cluster, stop || status))
            return cluster_agree(trainer->cluster, status);
    }
    return status;
}

void neural_trainer_teach(struct neural_trainer *trainer, const struct value_function *teacher, uint64_t until)
{
    trainer->teacher = *teacher;
    trainer->teach_until = until;
}

void neural_trainer_weights_changed(struct neural_trainer *trainer)
{
    trainer->half_is_old = true;
}

void neural_trainer_begin_line(struct neural_trainer *trainer)
{
    struct neural_effort *effort = &trainer->effort;
    effort->loss_before = effort->loss_sum / (double)effort->n_losses;
    effort->n_losses = 0;
    effort->loss_sum = effort->norm_sum = 0;
}

void neural_trainer_time(struct neural_trainer *trainer)
{
    for (unsigned i = 0; i < trainer->settings.threads; i++)
        neural_workspace_time(trainer->workers[i].scratch.workspace);
}

struct trainer_totals neural_trainer_totals(const struct neural_trainer *trainer)
{
    return trainer->totals;
}

struct neural_effort neural_trainer_effort(const struct neural_trainer *trainer)
{
    struct neural_effort effort = trainer->effort;
    effort.batches = trainer->n_batches;
    for (unsigned i = 0; i < trainer->settings.threads; i++) {
        struct neural_work work = neural_workspace_work(trainer->workers[i].scratch.workspace);
        effort.work.operations += work.operations;
        effort.work.seconds += work.seconds;
    }
    return effort;
}
