/*
 * row_walk: the boards of a span of rows, in chunks of one row, and the moves of that row. Both passes of the solver
 * walk so: expand.c sets a bit where a move leads, evaluate.c reads a value there. Only for layouts with by_rows.
 */
#ifndef AFTERSTATE_SOLVE_ROW_WALK_H
#define AFTERSTATE_SOLVE_ROW_WALK_H

#include "solve/age_set.h"
#include "solve/lanes.h"
#include "solve/layout.h"
#include "solve/row_moves.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct row_walk {
    const uint64_t *words;           /* of the set that is walked */
    const struct age_frame *to;      /* where moves lead */
    const uint32_t *key1, *end_key1; /* the first part of the present row; after that of the last one */
    uint64_t row_word;               /* number of the present row's first word */
    size_t first_slot;               /* number of a row's first slot among all slots */
    uint32_t stride, n_read;         /* words of a row; how many of the present row are read */
    bool has_moves;                  /* of the present row */
    struct row_moves moves;
    struct row_chunk chunk;
};

/* Starts before the first chunk. `set` and `to` are borrowed. */
static inline void row_walk_begin(struct row_walk *walk, const struct age_set *set, const struct row_span *span,
                                  const struct age_frame *to)
{
    const struct layout *layout = set->frame->layout;
    const struct age_row rows = set->frame->rows[span->sum];
    const uint32_t *key1 = layout->part[0].class_key + layout->part[0].first_class[span->sum] + span->first_row;
    walk->words = set->words;
    walk->to = to;
    walk->key1 = key1;
    walk->end_key1 = key1 + span->n_rows;
    walk->row_word = rows.base + (uint64_t)span->first_row * rows.stride;
    walk->first_slot = (size_t)layout->part[1].first_class[rows.second_sum] << layout->group_shift;
    walk->stride = rows.stride;
    walk->n_read = 0;
    walk->has_moves = false;
}

/* The next chunk, which is not empty, and `moves` of its row. False, and an empty chunk, after the last. */
static inline __attribute__((always_inline)) bool row_walk_next(struct row_walk *walk)
{
    struct row_chunk *chunk = &walk->chunk;
    for (chunk->n = 0; walk->key1 < walk->end_key1; walk->key1++) {
        while (walk->n_read < walk->stride) {
            uint32_t w = walk->n_read++;
            uint64_t bits = walk->words[walk->row_word + w];
            if (bits)
                chunk->n += lanes_list_bits(bits, (uint16_t)(64 * w), chunk->slot + chunk->n);
            if (chunk->n == 0 || (chunk->n < ROW_CHUNK && walk->n_read < walk->stride))
                continue;
            if (!walk->has_moves)
                row_moves_begin(&walk->moves, walk->to, *walk->key1, walk->first_slot);
            walk->has_moves = true;
            return true;
        }
        walk->row_word += walk->stride;
        walk->n_read = 0;
        walk->has_moves = false;
    }
    return false;
}

#endif
