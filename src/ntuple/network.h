/*
 * network: an n-tuple network: shapes, encoding, stages and their tables of weights.
 *
 * The value of a board is the sum of one weight from each table for each symmetric image of the board: with t tuples, k
 * ranges and 8 symmetries that is n_lookups = 8 t k weights. The tables of a stage are contiguous, tuple by tuple and
 * range by range, so a look-up is one index below n_stage_weights, and the stage chooses the base.
 *
 *   weights   | stage 0: tuple 0 range 0 | tuple 0 range 1 | .. | tuple t-1 range k-1 | stage 1: .. |
 *
 * If every base is 16 ("direct"), an index consists of bits of the cells: the low two bits of each cell, lowest cell
 * first, then the high two bits. Successive boards differ mostly in small tiles, so their weights are close together:
 * 17% fewer cache lines than with the four bits of a cell side by side, and about as much faster. The board is split
 * into these two planes once; then each index is one pext.
 *
 * In other bases an index is a number whose lowest digit is that of the lowest cell. Cells are processed in groups of
 * three: pext gives 12 bits, a table of 4096 entries gives that group's part of the index (16 KiB, stays in the
 * first-level cache), and the parts are added. Boards with a tile beyond 32768 need a slow path with exact values,
 * unless the encoding clamps them.
 *
 * A weight is the first float of a cell. A trainer whose rule keeps more numbers for each weight widens the cells:
 * there is one copy of the weights, and code that reads, measures or saves a network in training strides over the rest.
 *
 * Threads share a network without locks. The trainer reads and writes weights through the accessors in lookup.h; plain
 * reads are allowed only while the network is not trained.
 */
#ifndef AFTERSTATE_NTUPLE_NETWORK_H
#define AFTERSTATE_NTUPLE_NETWORK_H

#include "base/memory.h"
#include "base/progress.h"
#include "base/status.h"
#include "game/grid.h"
#include "ntuple/encoding.h"
#include "ntuple/shape.h"
#include "ntuple/stages.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

enum {
    NETWORK_MAX_TABLES = SHAPE_MAX_TUPLES * ENCODING_MAX_RANGES,
    NETWORK_MAX_LOOKUPS = 512, /* tables times symmetries; functions have this many indices on their stack */
    NETWORK_SPARE_FLOATS = 1,  /* that may be read, not written, after the last cell */
    NETWORK_GROUPS = 3,        /* groups of three cells in the largest tuple */
    GROUP_CELLS = 3,
    GROUP_VALUES = 1 << 4 * GROUP_CELLS,
};

/* A network without its weights. */
struct network_spec {
    uint8_t rows, cols;
    bool promote;     /* an untouched weight takes that of the stage before */
    bool unseen_mean; /* a weight that stays untouched counts as the mean of the others of its board (lookup.h) */
    struct shape shape;
    struct encoding encoding;
    struct stages stages;
    float initial; /* every weight before training: optimistic value / n_lookups, or 0; 0 with unseen_mean */
};

/* One table: a tuple with a range of values. */
struct network_table {
    uint64_t mask; /* direct: the tuple's cells in both planes */
    uint64_t group_mask[NETWORK_GROUPS];
    const uint32_t *group[NETWORK_GROUPS]; /* parts of the index by the group's 12 bits; NULL: no group */
    uint32_t offset;                       /* of the table in its stage */
    uint32_t n_weights;
    uint8_t tuple, range, n_groups;
};

struct index_block;

struct network {
    struct network_spec spec;
    struct grid grid;
    unsigned n_tables, n_symmetries, n_lookups; /* n_lookups = n_tables * n_symmetries */
    bool direct;              /* all bases are 16: an index is one pext, and larger tiles are clamped */
    uint64_t n_stage_weights; /* below 2^32 */
    uint64_t n_weights;       /* of all stages */
    struct network_table tables[NETWORK_MAX_TABLES];
    uint32_t *groups;                 /* storage of the group tables */
    struct index_block *index_blocks; /* of two tables each (index_lanes.h); NULL where they are of no use */
    unsigned index_groups;            /* of pairs of bits in its largest tuple; at least 3 */
    struct memory_block block;
    float *cells;   /* weight i of all stages, [stage * n_stage_weights + index], is cells[stride * i] */
    size_t stride;  /* floats of a cell */
    float *weights; /* the cells if the stride is 1, otherwise NULL */
};

/* Counts the weights of a spec and their bytes. STATUS_INVALID if it has too many look-ups or weights. */
enum status network_measure(const struct network_spec *spec, uint64_t *n_weights, uint64_t *bytes);

/* Begins a progress bar on `stream` over the bytes of n_weights weights; NULL shows none. */
void network_begin_progress(struct progress *progress, FILE *stream, const char *title, uint64_t n_weights);

/* The difference, in words, because of which weights of one network are meaningless in a stage of the other; NULL if
   there is none. The second also compares the stages. */
const char *network_find_difference(const struct network_spec *a, const struct network_spec *b);
const char *network_find_stage_difference(const struct network_spec *a, const struct network_spec *b);

/* Creates a network without weights (NULL), which the caller keeps in another form or adds by network_set_stride().
   Fails as network_measure(), or STATUS_NO_MEMORY; *out is then NULL. */
enum status network_plan(struct network **out, const struct network_spec *spec);
/* The same with all weights allocated (huge pages) and set to spec->initial. */
enum status network_create(struct network **out, const struct network_spec *spec);
/* Changes cells to `stride` floats. Weights stay, or are spec->initial after network_plan(); all other floats become 0.
   Does nothing if cells have that size. STATUS_NO_MEMORY; the network is then unchanged. */
enum status network_set_stride(struct network *network, size_t stride);
void network_free(struct network *network); /* NULL is fine */
/* Makes index_blocks anew after tables were left out. */
void network_fill_index_blocks(struct network *network);

static inline float *network_stage_cells(const struct network *network, unsigned stage)
{
    return network->cells + network->stride * stage * network->n_stage_weights;
}

/* The weight that evaluation uses: if the network promotes, an untouched one is that of the stage before. */
static inline float network_read(const struct network *network, unsigned stage, uint64_t index)
{
    float weight = network_stage_cells(network, stage)[network->stride * index];
    if (network->spec.promote && stage > 0 && weight == network->spec.initial)
        weight = network_stage_cells(network, stage - 1)[network->stride * index];
    return weight;
}

/*
 * What cell number k of a tuple adds to an index within its table if its digit is `digit`, and the inverse. This is the
 * order of weights in memory and in files.
 */
static inline uint32_t network_cell_part(const struct network *network, const struct network_table *table, unsigned k,
                                         unsigned digit)
{
    unsigned n_cells = network->spec.shape.tuples[table->tuple].n_cells;
    if (network->direct)
        return (digit & 3) << 2 * k | (digit >> 2) << 2 * (n_cells + k);
    uint32_t part = digit;
    while (k-- > 0)
        part *= network->spec.encoding.ranges[table->range].n_digits;
    return part;
}

static inline unsigned network_cell_digit(const struct network *network, const struct network_table *table, unsigned k,
                                          uint32_t index)
{
    unsigned n_cells = network->spec.shape.tuples[table->tuple].n_cells;
    if (network->direct)
        return (index >> 2 * k & 3) | (index >> 2 * (n_cells + k) & 3) << 2;
    while (k-- > 0)
        index /= network->spec.encoding.ranges[table->range].n_digits;
    return index % network->spec.encoding.ranges[table->range].n_digits;
}

/* Weights first .. first+n-1 as an array: the network's own if the stride is 1, otherwise copied to room[0 .. n-1]. */
const float *network_get_weights(const struct network *network, uint64_t first, size_t n, float *room);
/* Sets weights first .. first+n-1. Only those that change are written, so pages of zeros stay unmapped. */
void network_put_weights(struct network *network, uint64_t first, size_t n, const float *weights);

/* How many weights of a stage, or of all stages, differ from spec->initial. Reads all of them. */
uint64_t network_count_stage(const struct network *network, unsigned stage);
uint64_t network_count_touched(const struct network *network);

#endif
