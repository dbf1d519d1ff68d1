/*
 * family: all afterstates that one turn can lead to from an afterstate: a tile appears and a move is made. Each
 * different one is in it once (nearly: see below).
 *
 * An afterstate with e empty cells has 2 e spawns and up to 8 e moves after them, but far fewer different boards. A
 * spawned tile sits in one row; moving left or right treats the rows apart, so three rows are as if nothing had
 * appeared and the fourth often comes out the same wherever in it the tile was. On boards of real play with a 4x6
 * network 30.9 moves follow an afterstate and 17.7 different boards. So on 4x4 a family is made line by line: each line
 * is moved once without the tile and once for each tile in it, and only lines that differ from the one before are put
 * into a board.
 */
#ifndef AFTERSTATE_SEARCH_FAMILY_H
#define AFTERSTATE_SEARCH_FAMILY_H

#include "game/grid.h"

#include <stdbool.h>
#include <stdint.h>

enum {
    FAMILY_MAX = DIRECTION_COUNT * 2 * BOARD_MAX_CELLS, /* moves after all spawns */
    FAMILY_TWOS = 1,                                    /* which tiles appear: bits */
    FAMILY_FOURS = 2,
    FAMILY_BOTH = 3,
};

/* A move after a spawn. */
struct family_move {
    uint8_t spawn; /* 2 cell + (0 for a tile 2, 1 for a 4) */
    uint8_t child;
    uint32_t reward;
};

struct family {
    unsigned n_children, n_moves, n_empty;
    unsigned tiles;                 /* FAMILY_TWOS, FAMILY_FOURS or both */
    uint64_t empty;                 /* low bit of the nibble of each empty cell */
    struct board child[FAMILY_MAX]; /* different, but for rare pairs on 4x4 */
    float value[FAMILY_MAX];        /* of each child, filled in by the caller */
    struct family_move moves[FAMILY_MAX];
};

/* The probability that one certain spawn of a family of FAMILY_TWOS or FAMILY_FOURS comes, if it is reached by
   `chance`.
 */
static inline float family_spawn_chance(const struct family *family, float chance)
{
    return chance * (family->tiles == FAMILY_TWOS ? 0.9F : 0.1F) / (float)family->n_empty;
}

/* Makes the family of an afterstate that has an empty cell. */
void family_make(struct family *family, const struct grid *grid, struct board after, unsigned tiles);

/*
 * The sum over the spawns of this family of probability times the best reward + value after it (0 where no move is
 * legal). With both tiles in one family that is the value of the afterstate.
 */
double family_expectation(const struct family *family);

/*
 * Lists in list[] the children that come within `margin` points of the best reward + value after some spawn, except
 * those that are `settled`; returns their number.
 */
unsigned family_list_contenders(const struct family *family, float margin, const bool settled[FAMILY_MAX],
                                uint8_t list[FAMILY_MAX]);

#endif
