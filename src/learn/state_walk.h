/*
 * state_walk: what a trainer needs to go on, as one block of numbers, written and read by the same walk: each field
 * passes through one function that either appends it or takes it back, so the two directions cannot drift apart.
 * Reading is safe on any bytes: a failure sticks in `status`, and every later call does nothing.
 */
#ifndef AFTERSTATE_LEARN_STATE_WALK_H
#define AFTERSTATE_LEARN_STATE_WALK_H

#include "base/blockfile.h"
#include "base/random.h"
#include "base/status.h"
#include "game/grid.h"
#include "learn/starts.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Zeroed it writes; state_walk_read() makes one that reads. */
struct state_walk {
    bool reading;
    uint8_t *bytes; /* grows while writing */
    size_t n_bytes, at;
    enum status status;
};

void state_walk_number(struct state_walk *walk, uint64_t *number);
/* A number that must come back not larger than `limit`. */
void state_walk_u32(struct state_walk *walk, uint32_t *number, uint32_t limit);
/*
 * Numbers that must come back as they are here. Walked first, where the sizes of what follows depend on them, they tell
 * a state of other settings (STATUS_INVALID; `names` is what they are, for people) from a damaged one.
 */
void state_walk_same(struct state_walk *walk, const uint64_t *numbers, size_t n, const char *names);
void state_walk_flag(struct state_walk *walk, bool *flag);
void state_walk_float(struct state_walk *walk, float *number);
void state_walk_rng(struct state_walk *walk, struct rng *rng);
/* A board that must be one of the grid. */
void state_walk_board(struct state_walk *walk, const struct grid *grid, struct board *board);
void state_walk_origin(struct state_walk *walk, struct play_origin *origin);

/* Writes what was walked as a block and frees the walk. */
enum status state_walk_write(struct state_walk *walk, struct block_writer *writer, uint32_t kind);

/* Reads the block of that kind, to be walked and then ended by state_walk_end(); nothing is to end on failure. */
enum status state_walk_read(struct state_walk *walk, const struct block_reader *reader, uint32_t kind);

/* Frees the walk. STATUS_CORRUPT if it failed or left something over. */
enum status state_walk_end(struct state_walk *walk, const struct block_reader *reader);

#endif
