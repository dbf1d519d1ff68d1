/*
 * notation: boards as people and files write them.
 *
 *   digits   one character a cell, row by row: 0 empty, 1 = 2, 2 = 4, .. 9, a .. f = 32768, g = 65536, h = 131072
 *   numbers  face values row by row, rows separated by '/': "2 4 0 8 / 0 0 16 2 / .."; a dot is an empty cell too;
 *            or as programs print them: "[[2, 4, 0, 8], [0, 0, 16, 2], ..]"
 *
 * A text of one word is digits; a text with blanks, commas, slashes or brackets is numbers. Reading is safe on any
 * bytes.
 */
#ifndef AFTERSTATE_GAME_NOTATION_H
#define AFTERSTATE_GAME_NOTATION_H

#include "base/status.h"
#include "game/grid.h"

#include <stdbool.h>
#include <stddef.h>

enum {
    NOTATION_DIGITS_BYTES = BOARD_MAX_CELLS + 1,      /* with the final 0 */
    NOTATION_NUMBERS_BYTES = BOARD_MAX_CELLS * 9 + 1, /* "131072" and " / " for each cell at most */
};

/*
 * Reads a board of this grid. STATUS_INVALID with a message that names the cell and what was expected when the text has
 * too many or too few cells, a tile that does not exist, or one larger than this board can ever hold.
 */
enum status notation_parse(const struct grid *grid, const char *text, struct board *board);

/*
 * The size of a board by its text: numbers by their rows, digits by their count if that is a square. False if the text
 * shows no size or is no board. Safe on any bytes.
 */
bool notation_guess_size(const char *text, unsigned *rows, unsigned *cols);

/* Writes the digits; `out` has room for NOTATION_DIGITS_BYTES. Returns out. */
char *notation_digits(const struct grid *grid, struct board board, char *out);

/* Writes the numbers form; `out` has room for NOTATION_NUMBERS_BYTES. Returns out. */
char *notation_numbers(const struct grid *grid, struct board board, char *out);

/* The face value of an exponent: 0, 2, 4, .. 131072. */
static inline uint32_t notation_face(unsigned value)
{
    return (UINT32_C(1) << value) & ~UINT32_C(1);
}

#endif
