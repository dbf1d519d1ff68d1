/* neural_trainer_create: checks the settings of a neural trainer, and allocates and frees its parts. */
#include "learn/neural_trainer_parts.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>

enum {
    MAX_PASS = 1024
}; /* boards of one pass of a worker; larger ones are no faster, and their buffers leave the cache */

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
