/*
 * bank: fixed starts, so that a phase of the game can be measured alone and players compared on the same boards.
 *
 * A bank is a text file: a board a line in either notation (game/notation.h), blank lines, and comments from '#' to the
 * end of the line, which say how it was made. `eval --until TILE --collect FILE` collects one from played games;
 * bank_draw() makes starts in which the largest tiles stand in a formation, as they do late in a game.
 */
#ifndef AFTERSTATE_STUDY_BANK_H
#define AFTERSTATE_STUDY_BANK_H

#include "base/status.h"
#include "game/grid.h"

#include <stddef.h>
#include <stdint.h>

/* Zeroed is an empty one. */
struct bank {
    struct board *boards; /* owned */
    size_t n_boards;
};

/*
 * Reads a bank of boards of this grid. STATUS_IO if the file cannot be read, STATUS_INVALID with the line if it is no
 * bank, or has no boards; *bank is then empty. A board without a legal move is accepted; its game is over at once.
 */
enum status bank_read(struct bank *bank, const struct grid *grid, const char *path);
void bank_free(struct bank *bank); /* leaves it empty */

/* The text of a bank: `comment` on the first line (one line, without '#'), then the boards. The caller frees *out. */
enum status bank_format(char **out, const struct bank *bank, const struct grid *grid, const char *comment);

/* A checksum of the boards and their order, the same on every machine. */
uint64_t bank_checksum(const struct bank *bank, const struct grid *grid);

/* Where large tiles stand: the largest on the first cell, half of it on the next, and so on. */
struct formation {
    uint8_t cells[BOARD_MAX_CELLS];
    unsigned n_cells;
    unsigned top;     /* the value (exponent) of the largest */
    unsigned n_small; /* further tiles, each 2, 4 or 8 with equal chance, on other cells */
};

enum { FORMATION_SMALL_VALUES = 3, FORMATION_MAX_SMALL = 15 };

/*
 * Reads the cells of a formation on 4x4: row, rows, square or block, or cells by their numbers, "0 1 2 3 7 6".
 * STATUS_INVALID for anything else; top and n_small are not touched.
 */
enum status formation_parse(struct formation *formation, const char *text);

/*
 * Draws n boards of 4x4; board i depends on the formation, the seed and i alone, so a longer bank begins with the
 * shorter one. STATUS_INVALID if the smallest large tile would not be above 8, a cell is named twice, or there is no
 * room for the small tiles; *bank is then empty.
 */
enum status bank_draw(struct bank *bank, const struct formation *formation, size_t n, uint64_t seed);

#endif
