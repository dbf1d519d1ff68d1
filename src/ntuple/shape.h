/*
 * shape: the cells of tuples, and the named sets of tuples that papers use.
 *
 * A tuple is a set of cells: the order in which they are listed does not matter. The lowest cell is the least
 * significant digit of an index.
 */
#ifndef AFTERSTATE_NTUPLE_SHAPE_H
#define AFTERSTATE_NTUPLE_SHAPE_H

#include "base/status.h"
#include "game/grid.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { TUPLE_MAX_CELLS = 9, SHAPE_MAX_TUPLES = 64 };

struct tuple {
    uint8_t n_cells;
    uint8_t cells[TUPLE_MAX_CELLS]; /* ascending */
};

/* A set of tuples for one board size. */
struct shape {
    uint8_t n_tuples;
    struct tuple tuples[SHAPE_MAX_TUPLES];
};

/* The named shapes: "4x6", "42-33", "nt8", .. and the size of board they are for. */
struct named_shape {
    const char *name;
    const char *what; /* a line: its origin */
    uint8_t rows, cols;
    const char *tuples;   /* cell lists separated by '/' */
    const char *encoding; /* that its authors used, for encoding_parse() */
};
const struct named_shape *shape_names(size_t *n_names);

/* Sets *shape to a named one, in upper or lower case. STATUS_INVALID if it is unknown, naming the nearest, or for
   another board size than that of `grid`. */
enum status shape_from_name(struct shape *shape, const struct grid *grid, const char *name);

/*
 * Parses one tuple and adds it: a list of cell numbers ("0 1 2 3 4 5", blanks or commas) or a drawing of the grid, row
 * by row, rows separated by '/', 'x' for a cell of the tuple and '.' for the others ("xxx./xxx./..../....").
 * STATUS_INVALID for a cell outside the grid, a cell twice, no cell, more than 9 cells, more than SHAPE_MAX_TUPLES
 * tuples, a tuple that the shape has already; the shape is then unchanged.
 */
enum status shape_add_tuple(struct shape *shape, const struct grid *grid, const char *text);

/* Whether every cell of `part` is a cell of image `symmetry` of `whole` (for folding). */
bool tuple_contains(const struct grid *grid, const struct tuple *whole, unsigned symmetry, const struct tuple *part);

/* Writes the tuple as a drawing ("xxx./xxx./..../....") to out, which has 24 bytes. Returns out. */
char *tuple_draw(const struct grid *grid, const struct tuple *tuple, char *out);
/* Writes the tuple as a list ("0 1 2 4 5 6") to out, which has 32 bytes. Returns out. */
char *tuple_list(const struct tuple *tuple, char *out);

#endif
