/*
 * packed_network_parts: the fields of both forms of a packed network, for the code that builds and evaluates them.
 *
 * A word has a weight and whether it was touched,
 *
 *     | weight: 25 bits, signed | touched: 7 bits |
 *
 * so that a sum of words has the sum of the weights in its high bits and the number of touched ones in its low bits,
 * which a network needs if unseen weights count as the mean of the others (lookup.h).
 */
#ifndef AFTERSTATE_PACKED_PACKED_NETWORK_PARTS_H
#define AFTERSTATE_PACKED_PACKED_NETWORK_PARTS_H

#include "base/memory.h"
#include "ntuple/lookup.h"
#include "ntuple/network.h"
#include "packed/packed_network.h"

#include <stdbool.h>
#include <stdint.h>

enum {
    WORD_COUNT_BITS = 7,
    PACKED_MAX_TABLES = 15,
    PACKED_MAX_LOOKUPS = 8 * PACKED_MAX_TABLES,
    PACKED_MAX_SUM = 1 << 24, /* of the sizes of a board's weights: floats add them exactly, and a word holds the sum */
};
_Static_assert(PACKED_MAX_LOOKUPS < 1 << WORD_COUNT_BITS, "a board's look-ups can be counted");
_Static_assert((PACKED_MAX_SUM - 1) * INT64_C(2) < INT64_C(1) << (32 - WORD_COUNT_BITS), "a word holds any sum");

static inline int32_t word_make(int32_t weight, bool touched)
{
    return weight * (1 << WORD_COUNT_BITS) + touched;
}

static inline unsigned word_count(int32_t sum)
{
    return (unsigned)sum & ((1 << WORD_COUNT_BITS) - 1);
}

static inline int32_t word_weight(int32_t sum)
{
    return (sum - (int32_t)word_count(sum)) / (1 << WORD_COUNT_BITS);
}

enum { COMPACT_GROUP = 32 }; /* weights of an entry */

/* COMPACT_GROUP weights of a large table. */
struct compact_entry {
    uint32_t touched; /* bit i: weight i */
    uint32_t before;  /* index just before the group's first value; weight i is at this + popcount(bits 0 .. i) */
};

struct compact_table {
    uint64_t mask;   /* network_table's */
    uint32_t first;  /* weight of its stage, among those of tables of its size */
    uint32_t offset; /* in a network's stage */
    uint32_t n_weights;
};

struct packed_network {
    /* Compact form: without weights. Fast form: words instead of weights, and only the kept tables. */
    struct network *network;
    unsigned n_lookups; /* of the network before folding */
    void (*evaluate_batch)(const void *packed, const struct board *after, size_t n, float *out);
    /* Compact form only: */
    unsigned n_large, n_small;
    struct compact_table large[PACKED_MAX_TABLES], small[PACKED_MAX_TABLES];
    uint64_t n_stage_entries, n_stage_words;
    struct memory_block entries, words, values;
    int32_t step; /* points that a value of 1 stands for */
};

static inline struct compact_entry *compact_stage_entries(const struct packed_network *packed, unsigned stage)
{
    return (struct compact_entry *)packed->entries.data + stage * packed->n_stage_entries;
}

static inline int32_t *compact_stage_words(const struct packed_network *packed, unsigned stage)
{
    return (int32_t *)packed->words.data + stage * packed->n_stage_words;
}

/* The value of a board whose weights have this sum, n_seen of them touched. */
static inline float packed_value(const struct packed_network *packed, int32_t sum, unsigned n_seen)
{
    float value = (float)sum;
    return packed->network->spec.unseen_mean ? lookup_without_unseen(value, n_seen, packed->n_lookups) : value;
}

/* Whether the spec of a network allows the two forms. */
bool packed_suits(const struct network *network);

/* Raises *largest to `size`; any thread may call it. */
void packed_raise(_Atomic float *largest, float size);
/* Whether no board's sum reaches PACKED_MAX_SUM, given the size of the largest weight of each table, in steps. */
bool packed_sums_fit(const struct network *network, const _Atomic float *largest, float step);

#endif
