/*
 * encoding: how a cell's value becomes a digit of a table index.
 *
 * Plain: the values 0 .. K-1 are the digits; larger tiles count as K-1.
 *
 * Vertical split encoding (VSE; Terauchi and Matsuzaki): several ranges of values, each with its own tables. In the
 * range first..last the digits are, in this order,
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

/* Plain with n_values digits, 2 to 18; otherwise STATUS_INVALID. */
enum status encoding_plain(struct encoding *encoding, unsigned n_values);
/* VSE from a text such as "1-7 8-13 14-17" (blanks or commas), values up to grid->max_value. STATUS_INVALID; *encoding
   is then unchanged. */
enum status encoding_split(struct encoding *encoding, const struct grid *grid, const char *text);
/* "plain 16", or what encoding_split() parses. */
enum status encoding_parse(struct encoding *encoding, const struct grid *grid, const char *text);
/* Whether it is one range 1..K-1 with neither S nor L. */
bool encoding_is_plain(const struct encoding *encoding);
/* Writes the text for encoding_parse() to out, which has 64 bytes. Returns out. */
char *encoding_text(const struct encoding *encoding, char *out);

#endif
