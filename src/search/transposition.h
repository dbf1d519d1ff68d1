/*
 * transposition: values of afterstates that were searched before, for any number of threads without locks.
 *
 * It is exact. An entry holds the whole key (the board, the remaining plies, the probability where that matters),
 * not a hash of it, and the value as the search computed it. A value depends on the key alone, so it does not
 * matter which thread computed it, when, or for which root; entries stay right from move to move, as long as the value
 * function is the same.
 *
 * An entry is half a cache line:
 *
 *   | version | cells | high, chance | plies, value |     four 64-bit words
 *
 * and two entries, a bucket, fill one. `version` is odd while a thread writes. A reader takes the words between two
 * reads of the same even version, or nothing; a writer that finds an odd version gives up. So no thread waits, and none
 * sees half of one entry and half of another.
 */
#ifndef AFTERSTATE_SEARCH_TRANSPOSITION_H
#define AFTERSTATE_SEARCH_TRANSPOSITION_H

#include "base/memory.h"
#include "base/status.h"
#include "game/board.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct transposition_entry;

struct transposition {
    struct memory_block block;
    struct transposition_entry *entries;
    uint64_t bucket_mask; /* buckets - 1, a power of two */
};

struct transposition_key {
    struct board board; /* canonical */
    uint32_t plies;
    float chance; /* how likely the search comes here; 1 where that changes nothing */
};

/* The largest table that fits `bytes`; at least one bucket. STATUS_NO_MEMORY. */
enum status transposition_create(struct transposition *table, size_t bytes);
void transposition_free(struct transposition *table); /* NULL and zeroed are fine */
void transposition_clear(struct transposition *table);

/* Whether the key is there; then *value is its value. */
bool transposition_find(const struct transposition *table, const struct transposition_key *key, float *value);
/* Remembers a value, in place of one with fewer plies if it must. */
void transposition_store(struct transposition *table, const struct transposition_key *key, float value);

#endif
