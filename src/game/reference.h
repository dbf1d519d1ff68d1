/*
 * reference: the rules of 2048 as a person would write them down, on a plain array of face values (0, 2, 4, .. 131072).
 *
 * This is what every fast path is compared with, so it shares nothing with them: no packed words, no tables, no
 * exponents, no common helper. It is never fast, and never changes for speed. Sizes up to 6x6 work, though boards have
 * 16 cells.
 */
#ifndef AFTERSTATE_GAME_REFERENCE_H
#define AFTERSTATE_GAME_REFERENCE_H

#include <stdbool.h>

enum { REFERENCE_MAX_SIDE = 6, REFERENCE_LARGEST_TILE = 131072 };

struct reference_board {
    int rows, cols;
    long tile[REFERENCE_MAX_SIDE][REFERENCE_MAX_SIDE]; /* [row][column], 0 for an empty cell */
};

/* A move given as a step: (-1,0) up, (1,0) down, (0,-1) left, (0,1) right. Returns whether anything moved; *reward is
   the sum of the tiles made. Two tiles of 131072 do not merge. */
bool reference_move(struct reference_board *board, int row_step, int col_step, long *reward);

/* A quarter turn clockwise (rows and columns change places), and the mirror image left to right. */
struct reference_board reference_turn(const struct reference_board *board);
struct reference_board reference_mirror(const struct reference_board *board);

/* Negative, 0 or positive as a comes before, equals or comes after b when the last cell counts most: the order of
   board_less(). The boards have the same size. */
int reference_compare(const struct reference_board *a, const struct reference_board *b);

/* The first, in that order, of all images of the same size. */
struct reference_board reference_canonical(const struct reference_board *board);

long reference_age(const struct reference_board *board);

#endif
