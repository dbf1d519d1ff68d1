/*
 * encoding: how a cell's value becomes a digit of a table index.
 *
 * Plain: the K values 0 .. K-1 are the digits, larger tiles count as K-1.
 *
 * Vertical split encoding (VSE): the board is seen through several ranges of values, each with tables of its own. In
 * range first..last a cell is, in this order of digits,
 *
 *   E      empty
 *   S      a tile below first (only if first > 1)
 *   value  first .. last
 *   L      a tile above last (only if larger ones exist on this board)
 *
 * Ranges may overlap. Plain is the same thing with one range 1..K-1 and neither S nor L.
 */
#ifndef AFTERSTATE_NTUPLE_ENCODING_H
#define AFTERSTATE_NTUPLE_ENCODING_H

#include "base/status.h"
#include "game/board.h"
#include "game/grid.h"

#include <stdbool.h>
#include <stdint.h>

enum { ENCODING_MAX_RANGES = 8, ENCODING_VALUES = BOARD_MAX_VALUE + 1 };

struct value_range {
    uint8_t first, last;            /* exponents */
    uint8_t n_digits;               /* the base of the index */
    uint8_t digit[ENCODING_VALUES]; /* of each value 0..17 */
};

struct encoding {
    uint8_t n_ranges;
    struct value_range ranges[ENCODING_MAX_RANGES];
};

/* Plain with n_values 2..18 digits. */
enum status encoding_plain(struct encoding *encoding, unsigned n_values);
/* VSE from a text such as "1-7 8-13 14-17" (blanks or commas). The largest value that exists is grid->max_value. */
enum status encoding_split(struct encoding *encoding, const struct grid *grid, const char *text);
/* Either of them: "plain 16" or what encoding_split() reads. */
enum status encoding_parse(struct encoding *encoding, const struct grid *grid, const char *text);
/* One range 1..K-1 with neither S nor L, however it was made. */
bool encoding_is_plain(const struct encoding *encoding);
/* The text that encoding_parse() reads; out has room for 64 bytes. Returns out. */
char *encoding_text(const struct encoding *encoding, char *out);

#endif
