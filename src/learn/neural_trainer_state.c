/*
 * neural_trainer_state: the checkpoint of a neural trainer: the weights, Adam's moments and count of steps, every game
 * with its generator, the positions that wait for a full batch, and the totals.
 */
#include "learn/neural_trainer_parts.h"
#include "learn/state_walk.h"
#include "neural/neural_file.h"

#include <string.h>

enum { KIND_STATE = 0x6e01, KIND_WEIGHTS = 0x6e02 }; /* 0x6e03 and 0x6e04: Adam's m and v */

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

static void walk_game(struct state_walk *walk, const struct neural_trainer *trainer, struct neural_game *game)
{
    const struct grid *grid = &trainer->neural->grid;
    state_walk_rng(walk, &game->live.rng);
    state_walk_origin(walk, &game->live.origin);
    state_walk_board(walk, grid, &game->live.board);
    state_walk_board(walk, grid, &game->after);
    state_walk_flag(walk, &game->waiting);
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

static void walk_trainer(struct state_walk *walk, struct neural_trainer *trainer)
{
    const uint64_t shape[] = {trainer->settings.games, trainer->settings.batching, trainer->settings.batch,
                              trainer->neural->n_weights};
    state_walk_same(walk, shape, sizeof shape / sizeof *shape, "games, batches or network");
    walk_totals(walk, &trainer->totals);
    state_walk_number(walk, &trainer->n_batches);
    state_walk_rng(walk, &trainer->rng);
    walk_samples(walk, &trainer->neural->grid, &trainer->queue);
    for (unsigned i = 0; i < trainer->settings.games && !walk->status; i++)
        walk_game(walk, trainer, &trainer->games[i]);
}

enum status neural_trainer_save(const struct neural_trainer *trainer, struct block_writer *writer)
{
    const neural_real *arrays[] = {trainer->neural->parameters, trainer->m, trainer->v}; /* KIND_WEIGHTS and so on */
    struct state_walk walk = {.reading = false};
    /* The weights may be no numbers although the loss of the last batch was one. */
    enum status status = neural_check_weights(trainer->neural);
    if (status)
        return status;
    walk_trainer(&walk, (struct neural_trainer *)trainer); /* writing changes nothing */
    status = state_walk_write(&walk, writer, KIND_STATE);
    for (unsigned i = 0; i < 3 && !status; i++)
        status = neural_append_parameters(trainer->neural, arrays[i], writer, KIND_WEIGHTS + i);
    return status;
}

enum status neural_trainer_load(struct neural_trainer *trainer, const struct block_reader *reader)
{
    neural_real *arrays[] = {trainer->neural->parameters, trainer->m, trainer->v};
    struct state_walk walk;
    enum status status = state_walk_read(&walk, reader, KIND_STATE);
    if (status)
        return status;
    walk_trainer(&walk, trainer);
    status = state_walk_end(&walk, reader);
    for (unsigned i = 0; i < 3 && !status; i++)
        status = neural_read_parameters(trainer->neural, arrays[i], reader, KIND_WEIGHTS + i);
    return status;
}
