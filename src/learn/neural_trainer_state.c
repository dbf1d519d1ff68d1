/*
 * neural_trainer_state: the checkpoint of a neural trainer: the weights, the optimiser's moments and count of steps,
 * the mean, every game with its generator, the positions that wait for a full batch, and the totals.
 */
#include "learn/neural_trainer_parts.h"
#include "learn/state_walk.h"
#include "neural/neural_file.h"

#include <string.h>

enum {
    KIND_WEIGHTS = 0x6e02,     /* 0x6e03 and 0x6e04: the optimiser's m and v */
    KIND_EARLY_STATE = 0x6e01, /* without horizon and mean; only read */
    KIND_STATE = 0x6e05,
    KIND_AVERAGE = 0x6e06,
};

static void walk_samples(struct state_walk *walk, const struct grid *grid, struct sample_list *list)
{
    uint32_t n = (uint32_t)list->n;
    state_walk_u32(walk, &n, STATE_MAX_MOVES);
    if (!walk->status)
        walk->status = sample_list_reserve(list, n);
    list->n = walk->status ? 0 : n;
    for (size_t i = 0; i < list->n && !walk->status; i++) {
        if (walk->reading)
            list->boards[i] = (struct board){0};
        state_walk_board(walk, grid, &list->boards[i]);
        state_walk_float(walk, &list->targets[i]);
    }
}

/* The afterstates without a target. */
static void walk_waiting(struct state_walk *walk, const struct neural_trainer *trainer, struct neural_game *game)
{
    const struct grid *grid = &trainer->neural->grid;
    state_walk_u32(walk, &game->n_waiting, trainer->settings.horizon + 1);
    for (unsigned i = 0; i < game->n_waiting && !walk->status; i++) {
        if (walk->reading)
            game->waiting[i].after = (struct board){0};
        state_walk_board(walk, grid, &game->waiting[i].after);
        state_walk_float(walk, &game->waiting[i].reward);
        state_walk_float(walk, &game->waiting[i].value);
    }
}

/* The same in an early state: at most one, whose reward and value nothing needs without a horizon. */
static void walk_early_waiting(struct state_walk *walk, const struct grid *grid, struct neural_game *game)
{
    bool waits = false;
    game->waiting[0] = (struct waiting){0};
    state_walk_board(walk, grid, &game->waiting[0].after);
    state_walk_flag(walk, &waits);
    game->n_waiting = waits;
}

static void walk_game(struct state_walk *walk, const struct neural_trainer *trainer, struct neural_game *game,
                      bool early)
{
    const struct grid *grid = &trainer->neural->grid;
    state_walk_rng(walk, &game->live.rng);
    state_walk_origin(walk, &game->live.origin);
    state_walk_board(walk, grid, &game->live.board);
    if (early)
        walk_early_waiting(walk, grid, game);
    else
        walk_waiting(walk, trainer, game);
    state_walk_number(walk, &game->live.score);
    state_walk_u32(walk, &game->live.n_moves, STATE_MAX_MOVES);
    state_walk_record(walk, grid, &trainer->settings.start, &game->live);
    walk_samples(walk, grid, &game->samples);
}

static void walk_totals(struct state_walk *walk, struct trainer_totals *totals)
{
    uint64_t score_bits;
    memcpy(&score_bits, &totals->score_sum, sizeof score_bits);
    state_walk_number(walk, &totals->actions);
    state_walk_number(walk, &totals->plays);
    state_walk_number(walk, &totals->new_plays);
    state_walk_number(walk, &score_bits);
    for (unsigned value = 0; value <= BOARD_MAX_VALUE; value++)
        state_walk_number(walk, &totals->reached[value]);
    memcpy(&totals->score_sum, &score_bits, sizeof score_bits);
}

static void walk_double(struct state_walk *walk, double *number)
{
    uint64_t bits;
    memcpy(&bits, number, sizeof bits);
    state_walk_number(walk, &bits);
    memcpy(number, &bits, sizeof bits);
}

/* The losses since the last line of the log. */
static void walk_losses(struct state_walk *walk, struct neural_effort *effort)
{
    state_walk_number(walk, &effort->n_losses);
    walk_double(walk, &effort->loss_sum);
    walk_double(walk, &effort->norm_sum);
    walk_double(walk, &effort->loss_before);
}

static void walk_trainer(struct state_walk *walk, struct neural_trainer *trainer, bool early)
{
    const struct neural_settings *settings = &trainer->settings;
    const uint64_t shape[] = {settings->games, settings->batching, settings->batch, trainer->neural->n_weights,
                              settings->horizon};
    state_walk_same(walk, shape, early ? 4 : 5, "games, batches, horizon or network");
    walk_totals(walk, &trainer->totals);
    state_walk_number(walk, &trainer->n_batches);
    if (early) {
        trainer->n_samples = 0;
    } else {
        state_walk_number(walk, &trainer->n_samples);
        walk_losses(walk, &trainer->effort);
    }
    state_walk_rng(walk, &trainer->rng);
    walk_samples(walk, &trainer->neural->grid, &trainer->queue);
    for (unsigned i = 0; i < trainer->settings.games && !walk->status; i++)
        walk_game(walk, trainer, &trainer->games[i], early);
}

enum status neural_trainer_save(const struct neural_trainer *trainer, struct block_writer *writer)
{
    const neural_real *arrays[] = {trainer->neural->parameters, trainer->m, trainer->v}; /* KIND_WEIGHTS and so on */
    struct state_walk walk = {.reading = false};
    /* The weights may be no numbers although the loss of the last batch was one. */
    enum status status = neural_check_weights(trainer->neural);
    if (status)
        return status;
    walk_trainer(&walk, (struct neural_trainer *)trainer, false); /* writing changes nothing */
    status = state_walk_write(&walk, writer, KIND_STATE);
    for (unsigned i = 0; i < 3 && !status; i++)
        status = neural_append_parameters(trainer->neural, arrays[i], writer, KIND_WEIGHTS + i);
    if (!status && trainer->n_samples > 0)
        status = neural_append_parameters(trainer->neural, trainer->average, writer, KIND_AVERAGE);
    return status;
}

/* The mean, if both the run and its checkpoint have one; its next sample is not due before the next turn. */
static enum status load_average(struct neural_trainer *trainer, const struct block_reader *reader)
{
    uint64_t every = trainer->settings.average_every;
    if (!every)
        trainer->n_samples = 0;
    trainer->average_turn = every ? trainer->totals.actions / every : 0;
    return trainer->n_samples ? neural_read_parameters(trainer->neural, trainer->average, reader, KIND_AVERAGE)
                              : STATUS_OK;
}

enum status neural_trainer_load(struct neural_trainer *trainer, const struct block_reader *reader)
{
    neural_real *arrays[] = {trainer->neural->parameters, trainer->m, trainer->v};
    struct state_walk walk;
    trainer->half_is_old = true;
    size_t at;
    bool early = trainer->settings.horizon == 0 && block_reader_find(reader, KIND_EARLY_STATE, 0, &at) == STATUS_OK;
    enum status status = state_walk_read(&walk, reader, early ? KIND_EARLY_STATE : KIND_STATE);
    if (status)
        return status;
    walk_trainer(&walk, trainer, early);
    status = state_walk_end(&walk, reader);
    for (unsigned i = 0; i < 3 && !status; i++)
        status = neural_read_parameters(trainer->neural, arrays[i], reader, KIND_WEIGHTS + i);
    return status ? status : load_average(trainer, reader);
}
