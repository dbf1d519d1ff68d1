/* state_walk: writes and reads the state of a trainer, one block of numbers in a checkpoint. */
#include "learn/state_walk.h"

#include "base/bytes.h"
#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

void state_walk_number(struct state_walk *walk, uint64_t *number)
{
    if (walk->status)
        return;
    if (walk->reading) {
        if (walk->n_bytes - walk->at < 8) {
            walk->status = status_fail(STATUS_CORRUPT, "the trainer's state ends too early");
            return;
        }
        *number = bytes_load_u64(walk->bytes + walk->at);
        walk->at += 8;
        return;
    }
    uint8_t *bytes = memory_grow(walk->bytes, walk->at + 8, &walk->n_bytes, 1 << 16, 1);
    if (!bytes) {
        walk->status = STATUS_NO_MEMORY;
        return;
    }
    walk->bytes = bytes;
    bytes_store_u64(walk->bytes + walk->at, *number);
    walk->at += 8;
}

void state_walk_u32(struct state_walk *walk, uint32_t *number, uint32_t limit)
{
    uint64_t wide = *number;
    state_walk_number(walk, &wide);
    if (!walk->status && wide > limit)
        walk->status =
            status_fail(STATUS_CORRUPT, "the trainer's state has the number %llu where at most %u is possible",
                        (unsigned long long)wide, limit);
    *number = (uint32_t)wide;
}

void state_walk_float(struct state_walk *walk, float *number)
{
    uint32_t bits;
    memcpy(&bits, number, sizeof bits);
    state_walk_u32(walk, &bits, UINT32_MAX);
    memcpy(number, &bits, sizeof bits);
}

void state_walk_board(struct state_walk *walk, const struct grid *grid, struct board *board)
{
    state_walk_number(walk, &board->cells);
    state_walk_u32(walk, &board->high, UINT32_MAX);
    if (!walk->status && !grid_holds(grid, *board))
        walk->status = status_fail(STATUS_CORRUPT, "the trainer's state has an impossible board");
}

void state_walk_origin(struct state_walk *walk, struct play_origin *origin)
{
    uint32_t kind = origin->kind, fresh = origin->fresh;
    state_walk_u32(walk, &kind, START_KINDS - 1);
    state_walk_u32(walk, &fresh, 1);
    state_walk_u32(walk, &origin->first_turn, UINT32_MAX);
    state_walk_u32(walk, &origin->n_plays, UINT32_MAX);
    origin->kind = (uint8_t)kind;
    origin->fresh = fresh;
}

void state_walk_record(struct state_walk *walk, const struct grid *grid, const struct start_settings *settings,
                       struct live_game *game)
{
    if (!walk->status)
        walk->status = live_game_reserve(game, settings, game->n_moves);
    for (uint32_t i = 0; i < game->n_moves && starts_need_states(settings) && !walk->status; i++) {
        if (walk->reading)
            game->states[i] = (struct board){0};
        state_walk_board(walk, grid, &game->states[i]);
    }
}

void state_walk_same(struct state_walk *walk, const uint64_t *numbers, size_t n, const char *names)
{
    for (size_t i = 0; i < n; i++) {
        uint64_t saved = numbers[i];
        state_walk_number(walk, &saved);
        if (!walk->status && saved != numbers[i])
            walk->status =
                status_fail(STATUS_INVALID, "the checkpoint was made with other settings (%s): %llu there, %llu here",
                            names, (unsigned long long)saved, (unsigned long long)numbers[i]);
    }
}

void state_walk_flag(struct state_walk *walk, bool *flag)
{
    uint32_t number = *flag;
    state_walk_u32(walk, &number, 1);
    *flag = number != 0;
}

void state_walk_rng(struct state_walk *walk, struct rng *rng)
{
    for (unsigned i = 0; i < 4; i++)
        state_walk_number(walk, &rng->state[i]);
    /* A state of zeros gives zeros for ever, and a draw that looks for another number never ends. */
    if (walk->reading && !walk->status && !(rng->state[0] | rng->state[1] | rng->state[2] | rng->state[3]))
        walk->status = status_fail(STATUS_CORRUPT, "the trainer's state has a generator of zeros");
}

enum status state_walk_write(struct state_walk *walk, struct block_writer *writer, uint32_t kind)
{
    enum status status = walk->status;
    if (!status)
        status = block_writer_append(writer, kind, walk->bytes, walk->at, BLOCK_ZSTD);
    free(walk->bytes);
    *walk = (struct state_walk){0};
    return status;
}

enum status state_walk_read(struct state_walk *walk, const struct block_reader *reader, uint32_t kind)
{
    size_t block;
    *walk = (struct state_walk){.reading = true};
    enum status status = block_reader_find(reader, kind, 0, &block);
    if (status)
        return status;
    walk->n_bytes = (size_t)block_reader_info(reader, block).raw_bytes;
    walk->bytes = memory_allocate(walk->n_bytes, 1);
    if (!walk->bytes)
        return STATUS_NO_MEMORY;
    status = block_reader_load(reader, block, walk->bytes, walk->n_bytes);
    if (status)
        free(walk->bytes);
    return status;
}

enum status state_walk_end(struct state_walk *walk, const struct block_reader *reader)
{
    if (!walk->status && walk->at != walk->n_bytes)
        walk->status =
            status_fail(STATUS_CORRUPT, "the trainer's state is %zu bytes too long", walk->n_bytes - walk->at);
    free(walk->bytes);
    return walk->status ? status_context(walk->status, "%s", block_reader_name(reader)) : STATUS_OK;
}
