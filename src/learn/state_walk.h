/*
 * state_walk: writes and reads the state of a trainer, one block of numbers in a checkpoint. The same code walks over
 * the fields in both directions: each call either appends a field or reads it, so writing and reading cannot differ.
 * Reading is safe on any bytes: `status` keeps the first failure, and every later call does nothing.
 */
#ifndef AFTERSTATE_LEARN_STATE_WALK_H
#define AFTERSTATE_LEARN_STATE_WALK_H

#include "base/blockfile.h"
#include "base/random.h"
#include "base/status.h"
#include "game/grid.h"
#include "learn/live_game.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A zeroed walk writes; state_walk_read() creates one that reads. */
enum { STATE_MAX_MOVES = 1 << 24 }; /* of a play; more in a file are an error */

struct state_walk {
    bool reading;
    uint8_t *bytes; /* grows while writing */
    size_t n_bytes, at;
    enum status status;
};

void state_walk_number(struct state_walk *walk, uint64_t *number);
/* A number that is at most `limit`; a larger one in the file is STATUS_CORRUPT. */
void state_walk_u32(struct state_walk *walk, uint32_t *number, uint32_t limit);
/*
 * Numbers that must be the same in the file. Walked first, they recognise a state of other settings (STATUS_INVALID;
 * `names` says in the message what they are) from a damaged one.
 */
void state_walk_same(struct state_walk *walk, const uint64_t *numbers, size_t n, const char *names);
void state_walk_flag(struct state_walk *walk, bool *flag);
void state_walk_float(struct state_walk *walk, float *number);
/* A generator; zeros, which it never becomes, are STATUS_CORRUPT. */
void state_walk_rng(struct state_walk *walk, struct rng *rng);
/* A board; one that the grid cannot hold is STATUS_CORRUPT. */
void state_walk_board(struct state_walk *walk, const struct grid *grid, struct board *board);
void state_walk_origin(struct state_walk *walk, struct play_origin *origin);
/* The record of a game, game->n_moves boards, if the starts need it. */
void state_walk_record(struct state_walk *walk, const struct grid *grid, const struct start_settings *settings,
                       struct live_game *game);

/* Writes what was appended as a block and frees the walk, also on failure. */
enum status state_walk_write(struct state_walk *walk, struct block_writer *writer, uint32_t kind);

/* Loads the block of that kind, to be walked and ended by state_walk_end(). On failure there is nothing to end. */
enum status state_walk_read(struct state_walk *walk, const struct block_reader *reader, uint32_t kind);

/* Frees the walk. Returns its failure, or STATUS_CORRUPT if bytes are left over. */
enum status state_walk_end(struct state_walk *walk, const struct block_reader *reader);

#endif
