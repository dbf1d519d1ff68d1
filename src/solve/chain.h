/*
 * chain: the best moves late in the real game of 4x4, from a table with walls and caps (walls.h).
 *
 * The large tiles stand in a corner, on the cells 0 1 2 4 5 of an image of the board. The table has the chance that the
 * next tile of the chain is made on cell 6, where it merges with one of them or the next round begins, by moves that
 * keep the others in order. Tiles on walls are anonymous and may even be smaller than the target: the table then aims
 * higher than need be, at boards that are as much in order.
 *
 * Unlike endgame.h, whose chances are values among others in a search, this decides the move: chances are those of one
 * goal on the way and cannot be compared with points.
 */
#ifndef AFTERSTATE_SOLVE_CHAIN_H
#define AFTERSTATE_SOLVE_CHAIN_H

#include "base/status.h"
#include "game/board.h"
#include "game/grid.h"
#include "solve/table.h"

#include <stdbool.h>
#include <stddef.h>

enum { CHAIN_MAX_TABLES = 8 };

struct chain;

/* Whether a table is one for chains: finished, of 4x4 by the rules of the game, with values, these walls, a place for
   the target, and caps. */
bool chain_serves(const struct table_summary *summary);

/*
 * Opens all such tables of a folder, or one table directory; others are skipped. *out is NULL if there is none, which
 * is no failure. STATUS_IO if there is no such folder, STATUS_USAGE if it has too many, STATUS_CORRUPT.
 */
enum status chain_open(struct chain **out, const char *path);
void chain_close(struct chain *chain); /* NULL is fine */
size_t chain_n_tables(const struct chain *chain);
const struct table *chain_table(const struct chain *chain, size_t i);

/* A checksum of the tables, the same in any folder. STATUS_IO, STATUS_NO_MEMORY. */
enum status chain_checksum(const struct chain *chain, uint64_t *checksum);

/* The chances of a board's moves; NaN for those that are not legal with walls. */
struct chain_answer {
    double chance[DIRECTION_COUNT];
    enum direction best;
    const struct table *table;
};

/* Whether a table covers the board, on which the player is to move, and promises enough (chain.c): then *answer has
   what it says. Threads may share a chain. */
bool chain_choose(const struct chain *chain, struct board board, struct chain_answer *answer);

#endif
