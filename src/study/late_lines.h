/*
 * late_lines: plays late games of 4x4 by tables of chains (solve/chain.h) and, on boards that none of them covers, by a
 * search of lines (search/line_search.h).
 *
 * It takes every board that has a 16384 or more. From there on the same game is played again and again: the next chain
 * of tiles is built beside the large ones. A network for the whole game is the better player before, and has seen few
 * boards of what follows.
 */
#ifndef AFTERSTATE_STUDY_LATE_LINES_H
#define AFTERSTATE_STUDY_LATE_LINES_H

#include "game/grid.h"
#include "search/specialist.h"
#include "solve/chain.h"

enum {
    LATE_LINES_TILE = 14, /* 16384 */
    /* A search of lines has this many plies more than one of a network in about the same time, but by plies alone at
       most so many: each ply more takes three times as long, and 7 already take 4 ms. */
    LATE_LINES_MORE_PLIES = 3,
    LATE_LINES_MAX_PLIES = 7,
};

/* Must not be moved while its specialist is in use. */
struct late_lines {
    const struct chain *chain; /* borrowed, as is the grid */
    const struct grid *grid;
    struct specialist specialist;
};

void late_lines_begin(struct late_lines *lines, const struct grid *grid, const struct chain *chain);

#endif
