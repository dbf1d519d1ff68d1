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
    MAX_PASS = 1024, /* boards of one pass of a worker; larger ones are no faster, and their buffers leave the cache */
    WATCH_MILLISECONDS = 50,
    GRAIN = 4096, /* weights: threads share a step in multiples of it */
};

enum status sample_list_reserve(struct sample_list *list, size_t n)
{
    if (n <= list->room)
        return STATUS_OK;
    size_t room = list->room ? list->room : 256;
    while (room < n)
        room *= 2;
    struct board *boards = memory_resize(list->boards, room, sizeof *boards);
    if (!boards)
        return STATUS_NO_MEMORY;
    list->boards = boards;
    float *targets = memory_resize(list->targets, room, sizeof *targets);
    if (!targets)
        return STATUS_NO_MEMORY;
    list->targets = targets;
    list->room = room;
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

static enum status check_settings(const struct neural_settings *settings)
{
    const struct optimiser_settings *optimiser = &settings->optimiser;
    if (settings->games < 1 || settings->games > NEURAL_MAX_GAMES || settings->batch < 1 ||
        settings->batch > NEURAL_MAX_BATCH)
        return status_fail(STATUS_INVALID, "%u games with batches of %u: expected 1 to %d games, batches of 1 to %d",
                           settings->games, settings->batch, NEURAL_MAX_GAMES, NEURAL_MAX_BATCH);
    if (!(optimiser->beta1 >= 0 && optimiser->beta1 < 1 && optimiser->beta2 >= 0 && optimiser->beta2 < 1 &&
          optimiser->epsilon > 0 && optimiser->decay >= 0 && optimiser->clip >= 0))
        return status_fail(STATUS_INVALID,
                           "an optimiser with beta1 %g, beta2 %g, epsilon %g, decay %g, clip %g: the betas are 0 to "
                           "below 1, epsilon is above 0, the others are at least 0",
                           optimiser->beta1, optimiser->beta2, optimiser->epsilon, optimiser->decay, optimiser->clip);
    if (settings->rate.n_points < 1 || settings->horizon > LEARN_MAX_HORIZON ||
        !(settings->lambda >= 0 && settings->lambda <= 1))
        return status_fail(STATUS_INVALID,
                           "a horizon of %u with lambda %g and %u rates: expected 0 to %d, 0 to 1 and one at least",
                           settings->horizon, (double)settings->lambda, settings->rate.n_points, LEARN_MAX_HORIZON);
    if (settings->threads < 1 || settings->threads > WORKERS_MAX)
        return status_fail(STATUS_INVALID, "%u threads: expected 1 to %d", settings->threads, WORKERS_MAX);
    if (settings->start.carousel > 0)
        return status_fail(STATUS_INVALID, "the carousel goes round stages, which a neural network does not have");
    return starts_check_settings(&settings->start);
}

/* The first of the n games or positions that belong to a worker; its last is the one before the next worker's. */
static size_t share(size_t n, unsigned threads, unsigned worker)
{
    return n * worker / threads;
}

/* The same among the workers of all ranks, for a worker of this rank. */
static size_t own_share(const struct neural_trainer *trainer, size_t n, unsigned worker)
{
    unsigned threads = trainer->settings.threads;
    return share(n, threads * cluster_size(trainer->cluster), cluster_rank(trainer->cluster) * threads + worker);
}

/* Boards that a worker evaluates in one pass. */
static size_t pass_boards(const struct neural_settings *settings, unsigned n_images, unsigned augmented)
{
    size_t games = (settings->games + settings->threads - 1) / settings->threads;
    size_t evaluated = games * DIRECTION_COUNT * n_images;
    size_t learned = settings->batching == BATCH_GAME
                         ? MAX_PASS
                         : ((size_t)settings->batch * augmented + settings->threads - 1) / settings->threads;
    size_t part = evaluated > learned ? evaluated : learned;
    return part < 8 ? 8 : part < MAX_PASS ? part : MAX_PASS;
}

static bool uses_halves(const struct neural_settings *settings)
{
    return settings->precision == PRECISION_BF16 && bf16_available();
}

uint64_t neural_trainer_bytes(const struct neural_spec *spec, const struct neural_settings *settings)
{
    struct neural *neural;
    struct neural_workspace *workspace;
    uint64_t bytes = 0;
    if (neural_create(&neural, spec)) /* its pages take no memory until they are written */
        return 0;
    unsigned images = spec->play == NEURAL_PLAY_SIMPLE ? 1 : neural->grid.n_symmetries;
    unsigned augmented = settings->augment ? neural->grid.n_symmetries : 1;
    size_t part = pass_boards(settings, images, augmented);
    struct half_weights *half = NULL;
    if (uses_halves(settings) && half_weights_create(&half, neural, true) == STATUS_OK)
        bytes += half_weights_bytes(neural, true);
    if (!neural_workspace_create(&workspace, neural, half, part, true)) {
        bytes += neural_workspace_bytes(workspace) * settings->threads;
        neural_workspace_free(workspace);
    }
    half_weights_free(half);
    bytes += neural->n_parameters * sizeof(neural_real) * (2 + settings->threads + (settings->average_every > 0));
    bytes += (uint64_t)settings->games *
             (sizeof(struct neural_game) + (starts_need_states(&settings->start) ? 64 << 10 : 0));
    neural_free(neural);
    return bytes;
}

static enum status create_worker(struct neural_trainer *trainer, unsigned number)
{
    const struct neural_settings *settings = &trainer->settings;
    struct neural_worker *worker = &trainer->workers[number];
    size_t games = settings->games / settings->threads + 1;
    unsigned augmented = settings->augment ? trainer->neural->grid.n_symmetries : 1;
    worker->after = memory_allocate(games * DIRECTION_COUNT, sizeof *worker->after);
    worker->values = memory_allocate(games * DIRECTION_COUNT, sizeof *worker->values);
    worker->gradient = trainer->v + (number + 1) * trainer->neural->n_parameters;
    trainer->gradients[number] = worker->gradient;
    if (!worker->after || !worker->values)
        return STATUS_NO_MEMORY;
    return neural_scratch_create(&worker->scratch, trainer->neural, trainer->half,
                                 pass_boards(settings, neural_images(trainer->neural), augmented), true);
}

static enum status create_game(struct neural_trainer *trainer, unsigned number)
{
    struct neural_game *game = &trainer->games[number];
    const struct start_settings *start = &trainer->settings.start;
    game->live.rng = random_stream(trainer->settings.seed, number + 1);
    enum status status = starts_create(&game->starts, &trainer->neural->grid, start, 1);
    if (status)
        return status;
    /* Each of the paper's generators has its own start; here, each game. */
    game->starts.own_jump = start->n_jumps ? number % start->n_jumps + 1 : 0;
    live_game_begin(&game->live, &game->starts);
    return STATUS_OK;
}

static enum status create_parts(struct neural_trainer *trainer)
{
    const struct neural_settings *settings = &trainer->settings;
    size_t n_parameters = trainer->neural->n_parameters;
    trainer->games = memory_allocate(settings->games, sizeof *trainer->games);
    trainer->workers = memory_allocate(settings->threads, sizeof *trainer->workers);
    trainer->gradients = memory_allocate(settings->threads, sizeof *trainer->gradients);
    if (!trainer->games || !trainer->workers || !trainer->gradients)
        return STATUS_NO_MEMORY;
    enum status status =
        memory_block_allocate(&trainer->block, n_parameters * (2 + settings->threads) * sizeof *trainer->m);
    if (status)
        return status;
    trainer->half_is_old = true;
    if (uses_halves(settings))
        status = half_weights_create(&trainer->half, trainer->neural, true);
    if (!status && settings->average_every)
        status = memory_block_allocate(&trainer->average_block, n_parameters * sizeof *trainer->average);
    trainer->average = trainer->average_block.data;
    trainer->m = trainer->block.data;
    trainer->v = trainer->m + n_parameters;
    for (unsigned i = 0; i < settings->threads && !status; i++)
        status = create_worker(trainer, i);
    for (unsigned i = 0; i < settings->games && !status; i++)
        status = create_game(trainer, i);
    return status;
}

enum status neural_trainer_create(struct neural_trainer **out, struct neural *neural,
                                  const struct neural_settings *settings)
{
    *out = NULL;
    enum status status = check_settings(settings);
    if (status)
        return status;
    struct neural_trainer *trainer = memory_allocate(1, sizeof *trainer);
    if (!trainer)
        return STATUS_NO_MEMORY;
    trainer->neural = neural;
    trainer->settings = *settings;
    trainer->effort.loss_before = NAN;
    trainer->rng = random_stream(settings->seed, 0);
    status = create_parts(trainer);
    if (status) {
        neural_trainer_free(trainer);
        return status;
    }
    *out = trainer;
    return STATUS_OK;
}

void neural_trainer_free(struct neural_trainer *trainer)
{
    if (!trainer)
        return;
    for (unsigned i = 0; trainer->workers && i < trainer->settings.threads; i++) {
        neural_scratch_free(&trainer->workers[i].scratch);
        free(trainer->workers[i].after);
        free(trainer->workers[i].values);
    }
    for (unsigned i = 0; trainer->games && i < trainer->settings.games; i++) {
        starts_free(&trainer->games[i].starts);
        sample_list_free(&trainer->games[i].samples);
        live_game_free(&trainer->games[i].live);
    }
    half_weights_free(trainer->half);
    free(trainer->games);
    free(trainer->workers);
    free(trainer->gradients);
    free(trainer->choices);
    sample_list_free(&trainer->queue);
    sample_list_free(&trainer->images);
    memory_block_free(&trainer->block);
    memory_block_free(&trainer->average_block);
    free(trainer);
}

/* Chooses the best move of a game; `values` has one value for each legal direction in order. */
static void choose(struct neural_game *game, const float *values)
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

/* Before a product: the 16-bit copy of the weights has their present values. */
static enum status pack_weights(struct neural_trainer *trainer, struct workers *workers)
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
    size_t first = own_share(trainer, trainer->settings.games, number), n = 0;
    size_t end = own_share(trainer, trainer->settings.games, number + 1);
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
        choose(&trainer->games[i], values);
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
    size_t first = own_share(trainer, n_games, 0), end = own_share(trainer, n_games, threads);
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

static void count_play(struct trainer_totals *totals, struct play_report report)
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
    struct board after = game->moves.after[game->best];
    float reward = (float)game->moves.reward[game->best];
    enum status status = STATUS_OK;
    if (trainer->teaching)
        status = add_sample(list, after, game->best_value - reward);
    else
        game->waiting[game->n_waiting++] = (struct waiting){after, reward, game->best_value - reward};
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
    count_play(&trainer->totals, live_game_finish(&game->live, &game->starts));
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
    struct optimiser_step step;
};

static enum status compute_gradient(void *context, unsigned number)
{
    const struct batch *batch = context;
    struct neural_trainer *trainer = batch->trainer;
    struct neural_worker *worker = &trainer->workers[number];
    struct neural_workspace *workspace = worker->scratch.workspace;
    size_t first = own_share(trainer, batch->n, number), part = neural_workspace_boards(workspace);
    size_t end = own_share(trainer, batch->n, number + 1);
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
    const struct batch *batch = context;
    struct neural_trainer *trainer = batch->trainer;
    unsigned mode = denormals_flush();
    size_t first, n = weights_share(trainer, number, &first);
    optimiser_apply(&batch->step, trainer->neural->parameters, trainer->m, trainer->v, trainer->gradients[0], first, n);
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

/* Learns from one batch: the gradient and loss of each worker's part, then one step of the optimiser. */
static enum status learn_from(struct neural_trainer *trainer, struct workers *workers, struct board *boards,
                              float *targets, size_t n)
{
    struct batch batch = {.trainer = trainer, .boards = boards, .targets = targets, .n = n};
    double loss = 0, norm = 0;
    enum status status = STATUS_OK;
    if (trainer->settings.augment) {
        status = augment(trainer, boards, targets, n);
        batch.boards = trainer->images.boards;
        batch.targets = trainer->images.targets;
        batch.n = trainer->images.n;
    }
    if (!status)
        status = pack_weights(trainer, workers);
    if (!status)
        status = workers_run(workers, compute_gradient, &batch);
    if (!status)
        status = sum_gradients(trainer, workers, &loss, &norm);
    if (status)
        return status;
    loss /= (double)batch.n;
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
    batch.step = optimiser_step_at(&trainer->settings.optimiser, rate, trainer->n_batches, norm);
    return workers_run(workers, apply_gradient, &batch);
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

static enum status play_round(struct neural_trainer *trainer, struct workers *workers)
{
    uint64_t began = clock_nanoseconds();
    trainer->teaching = trainer->totals.actions < trainer->teach_until;
    enum status status = pack_weights(trainer, workers);
    if (!status)
        status = workers_run(workers, evaluate_games, trainer);
    if (!status && trainer->cluster)
        share_choices(trainer);
    uint64_t chosen = clock_nanoseconds();
    for (unsigned i = 0; i < trainer->settings.games && !status; i++)
        status = advance(trainer, workers, &trainer->games[i]);
    if (!status && trainer->queue.n > 0) /* empty where a batch is a game */
        status = learn_from_queue(trainer, workers);
    sample_average(trainer);
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
    while (trainer->totals.actions < until) {
        bool stop = false;
        enum status status = play_round(trainer, workers);
        if (!status && watch && clock_nanoseconds() >= next_watch) {
            stop = !watch(context, &trainer->totals);
            next_watch = clock_nanoseconds() + WATCH_MILLISECONDS * UINT64_C(1000000);
        }
        if (cluster_any(trainer->cluster, stop || status))
            return cluster_agree(trainer->cluster, status);
    }
    return STATUS_OK;
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
