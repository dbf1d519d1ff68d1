/*
 * row_moves: the moves of all boards of one row of a bitmap at once.
 *
 * Boards of a row have the same first part (layout.h), so whatever depends on it alone is computed once for the row.
 * Along an axis that moves each part by itself, that is the row where all boards of this row go; each board's slot
 * there comes from a table of slots. Along an axis whose lines cross both parts it is where in the tables of lines to
 * look; a board's lines, looked up and added, give the keys of both parts after the move.
 *
 * Boards are taken in chunks (struct row_chunk), one step at a time for the whole chunk, so that the loads of many
 * boards are under way at once.
 */
#ifndef AFTERSTATE_SOLVE_ROW_MOVES_H
#define AFTERSTATE_SOLVE_ROW_MOVES_H

#include "solve/age_set.h"
#include "solve/layout.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

enum { ROW_CHUNK = 128, ROW_CHUNK_ROOM = ROW_CHUNK + 64 };

/* Some members of a row, ascending. A chunk is full with ROW_CHUNK members and takes up to 64 more from one word. */
struct row_chunk {
    unsigned n;
    uint16_t slot[ROW_CHUNK_ROOM];
};

/* One axis of moves of one row. */
struct row_axis {
    const struct layout_axis *layout;
    /* Apart, each to the start and to the end: the first word of the row where boards go, what turns codes into slots
       there, codes by slot, and whether the first part itself changes. */
    uint64_t row_word[2];
    const uint8_t *turn[2];
    const uint32_t *slot_moved[2];
    uint32_t first_reward[2]; /* a quarter of the first part's own */
    bool first_changes[2];
    bool first_blocked[2]; /* with walls: no board of the row may move so */
    /* Crossing: the entries of each line that the first part leaves, and the second part's cells of each slot. */
    const struct line_moves *lines[LAYOUT_MAX_LINES];
    const uint64_t *slot_lines;
};

struct row_moves {
    struct row_axis axis[2];
};

/*
 * Prepares the moves of the row of a first part's key. `frame` is the one of the age, `first_slot` the number of the
 * row's first slot among all slots. Only for layouts with by_rows.
 */
void row_moves_begin(struct row_moves *moves, const struct age_frame *frame, uint32_t key1, size_t first_slot);

/*
 * The boards of a chunk after their two moves along a crossing axis, as sums of line_moves: two numbers for each board,
 * added as one vector.
 */
static inline __attribute__((always_inline)) void row_axis_cross(const struct row_axis *axis, unsigned n_lines,
                                                                 const struct row_chunk *chunk, uint64_t *sums)
{
    typedef uint64_t pair __attribute__((vector_size(sizeof(struct line_moves)), may_alias));
    for (unsigned i = 0; i < chunk->n; i++) {
        uint64_t cells = axis->slot_lines[chunk->slot[i]];
        pair sum = *(const pair *)&axis->lines[0][cells & 0xffff];
        for (unsigned k = 1; k < n_lines; k++)
            sum += *(const pair *)&axis->lines[k][cells >> 16 * k & 0xffff];
        memcpy(sums + 2 * i, &sum, sizeof sum);
    }
}

static inline bool line_moves_change(uint64_t sum)
{
    return sum >> LINE_MOVES_CHANGED_BIT;
}
static inline uint32_t line_moves_first_key(uint64_t sum)
{
    return (uint32_t)sum & 0xffffff;
}
static inline uint32_t line_moves_second_key(uint64_t sum)
{
    return (uint32_t)(sum >> 24) & 0xffffff;
}
/* A quarter of the reward. */
static inline uint32_t line_moves_reward(uint64_t sum)
{
    return (uint32_t)(sum >> 48) & 0xfff;
}

#endif
