/*
 * age_set: a set of boards of one age, as the bitmap of their numbers (layout.h), optionally with ranks: the position
 * of a board among all of the set.
 *
 * A set is filled by one phase of a job and read by the next. While several threads fill it, worker 0 works on the
 * bitmap itself and each other on one of its own, all of which are then joined (expand.c). Atomic operations on one
 * bitmap were tried first: they cost each thread a seventh of its speed on 4x3, and the joining next to nothing.
 */
#ifndef AFTERSTATE_SOLVE_AGE_SET_H
#define AFTERSTATE_SOLVE_AGE_SET_H

#include "base/memory.h"
#include "base/status.h"
#include "base/workers.h"
#include "solve/layout.h"

#include <stdbool.h>
#include <stdint.h>

/* Some rows of one sum of the first part: what a worker takes at a time. */
struct row_span {
    uint32_t sum;               /* number of the first part's sum */
    uint32_t first_row, n_rows; /* rows (classes of the first part) within the sum */
};

/* Begin with a zeroed struct. */
struct age_set {
    struct age_frame *frame; /* NULL: never begun */
    uint64_t *words;         /* frame->n_words of them */
    uint32_t *ranks;         /* members in all words before; NULL unless age_set_rank() was called */
    uint64_t count;          /* of members; known after age_set_count() or age_set_rank() */
    struct row_span *spans;  /* all rows, or those of this rank alone (age_set_restrict()), ascending */
    size_t n_spans;
    uint64_t own_begin, own_end;           /* the words that the spans cover */
    struct memory_block block, rank_block; /* own words and ranks; kept from one age to the next */
    struct memory_block scratch;           /* bitmaps of workers 1, 2, .., all zero but while the set is filled */
    struct memory_block touched;           /* the same workers' maps of what they have touched */
    size_t spans_capacity;
};

/*
 * Makes *set the empty set of an age; its memory is used again where it suffices. `workers` clear it together.
 * STATUS_NO_MEMORY; the set is then fit for age_set_free() only.
 */
enum status age_set_begin(struct age_set *set, const struct layout *layout, uint32_t age, struct workers *workers);
/*
 * From here on the spans are only the rows of the words own_begin .. own_end-1, both borders of rows: what is expanded
 * and evaluated on this rank. The bitmap keeps its numbers and its size. STATUS_NO_MEMORY.
 */
enum status age_set_restrict(struct age_set *set, uint64_t own_begin, uint64_t own_end);

void age_set_free(struct age_set *set); /* NULL and a zeroed struct are fine */

/* A bitmap that a worker fills. */
struct worker_words {
    uint64_t *words;
    uint8_t *touched; /* a byte for each block of words, to be set with its bits: age_set_touch(); NULL: not needed */
};

enum { AGE_SET_BLOCK_SHIFT = 6 }; /* words of a block, as a power of 2 */

static inline void age_set_touch(uint8_t *touched, uint64_t word)
{
    touched[word >> AGE_SET_BLOCK_SHIFT] = 1;
}

/*
 * Room for each worker but the first to fill a bitmap of its own; the bitmap of each; and afterwards their union in the
 * set, which leaves them empty again. Each worker finds its boards in a small part of the bitmap, so that most blocks
 * of words are skipped. STATUS_NO_MEMORY.
 */
enum status age_set_split(struct age_set *set, struct workers *workers);
struct worker_words age_set_words_of(const struct age_set *set, unsigned worker);
enum status age_set_join(struct age_set *set, struct workers *workers);

/* Counts the members. */
enum status age_set_count(struct age_set *set, struct workers *workers);

/* Counts the members and makes ranks. STATUS_NO_MEMORY; or 2^31 members or more, which no board has. */
enum status age_set_rank(struct age_set *set, struct workers *workers);

static inline void age_set_insert(uint64_t *words, uint64_t word, unsigned bit)
{
    words[word] |= UINT64_C(1) << bit;
}

/* The position of the member at a place; needs ranks. */
static inline uint32_t age_set_position(const struct age_set *set, struct place place)
{
    uint64_t below = set->words[place.word] & ((UINT64_C(1) << place.bit) - 1);
    return set->ranks[place.word] + (uint32_t)__builtin_popcountll(below);
}

/* Whether any board is a member, and its position in *position: for boards of unknown origin. Needs ranks. */
bool age_set_find(const struct age_set *set, struct board board, uint32_t *position);

/*
 * Walks the members of a span in ascending order:
 *
 *     struct age_walk walk;
 *     age_walk_begin(&walk, set, span);
 *     while (age_walk_next(&walk))
 *         .. walk.cells, walk.position (only if the set has ranks) ..
 */
struct age_walk {
    const struct age_set *set;
    const uint64_t *slot_cells; /* of the span's second sum */
    uint64_t bits;              /* of the present word that are still to come */
    uint64_t word, end_word;    /* the next word, and the end of the present row */
    uint64_t row_word;          /* first word of the present row */
    uint32_t row, end_row;
    uint32_t first_class; /* of the span's sum */
    uint64_t first_cells; /* the first part of the present row */
    uint64_t cells;
    uint32_t position;
};

void age_walk_begin(struct age_walk *walk, const struct age_set *set, const struct row_span *span);
bool age_walk_next(struct age_walk *walk);

#endif
