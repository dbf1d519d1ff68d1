/*
 * compact_form: what a compact network is made of, for those who make it (compact_load.c) and who look it up
 * (compact_network.c).
 */
#ifndef AFTERSTATE_NTUPLE_COMPACT_FORM_H
#define AFTERSTATE_NTUPLE_COMPACT_FORM_H

#include "base/memory.h"
#include "ntuple/network.h"

#include <stdint.h>

enum {
    COMPACT_GROUP = 32,      /* weights of an entry */
    COMPACT_COUNT_BITS = 7,  /* of a word */
    COMPACT_MAX_TABLES = 15, /* of eight images each: their number fits in those bits */
    COMPACT_MAX_SUM = 1 << 24,
};
_Static_assert(8 * COMPACT_MAX_TABLES < 1 << COMPACT_COUNT_BITS, "a board's look-ups can be counted");
_Static_assert((COMPACT_MAX_SUM - 1) * INT64_C(2) < INT64_C(1) << (32 - COMPACT_COUNT_BITS), "a word holds any sum");

/* COMPACT_GROUP weights of a large table. */
struct compact_entry {
    uint32_t touched; /* bit i: weight i */
    uint32_t before; /* the place before that of the lowest one's value: the place of another one's is this and how many
                        bits are set up to its own */
};

struct compact_table {
    uint64_t mask;   /* network_table's */
    uint32_t first;  /* weight of its stage, among those of tables of its size */
    uint32_t offset; /* in a network's stage */
    uint32_t n_weights;
};

struct compact_network {
    struct network *plan; /* without weights */
    unsigned n_large, n_small;
    struct compact_table large[COMPACT_MAX_TABLES], small[COMPACT_MAX_TABLES];
    uint64_t n_stage_entries, n_stage_words;
    struct memory_block entries, words, values;
    int32_t step; /* what a value of 1 stands for, in points */
};

static inline struct compact_entry *compact_stage_entries(const struct compact_network *compact, unsigned stage)
{
    return (struct compact_entry *)compact->entries.data + stage * compact->n_stage_entries;
}

static inline int32_t *compact_stage_words(const struct compact_network *compact, unsigned stage)
{
    return (int32_t *)compact->words.data + stage * compact->n_stage_words;
}

#endif
