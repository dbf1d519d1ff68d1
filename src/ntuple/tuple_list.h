/*
 * tuple_list: all sets of N cells of a board, up to symmetry, in a fixed order.
 *
 * The canonical form of a set is its image whose ascending list of cells is lexicographically first ({0,1,2,3,4,5}
 * before {0,1,2,3,4,6}), and the list is in that order. Oka and Matsuzaki 2016, table 1, has the lengths of these lists
 * on 4x4. The index of a tuple in its list never changes: campaigns store it in their files.
 */
#ifndef AFTERSTATE_NTUPLE_TUPLE_LIST_H
#define AFTERSTATE_NTUPLE_TUPLE_LIST_H

#include "base/status.h"
#include "game/grid.h"
#include "ntuple/shape.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Sets of cells as bits: bit i is cell i. */
struct tuple_list {
    unsigned n_cells; /* of each tuple */
    size_t n_tuples;
    uint16_t *tuples; /* canonical, in lexicographic order */
};

/*
 * Lists all sets of n_cells cells, 1 to the number of cells of the board; with `connected` only those whose cells are
 * connected by their sides. STATUS_INVALID for another n_cells, STATUS_NO_MEMORY; *list is then zeroed.
 */
enum status tuple_list_create(struct tuple_list *list, const struct grid *grid, unsigned n_cells, bool connected);
void tuple_list_free(struct tuple_list *list); /* zeroed is fine */

/* Whether the cells are connected by their sides; the empty set is. */
bool tuple_set_connected(const struct grid *grid, uint16_t set);
/* Index of a set (any image) in the list; list->n_tuples if it is not there. */
size_t tuple_list_find(const struct tuple_list *list, const struct grid *grid, uint16_t set);

/* Writes a set of any size to out as "0 1 2 4", or drawn as "xxx./x.../..../....". Returns out. */
enum { TUPLE_SET_LIST_BYTES = 48, TUPLE_SET_DRAW_BYTES = 24 };
char *tuple_set_list(uint16_t set, char *out);
char *tuple_set_draw(const struct grid *grid, uint16_t set, char *out);

/* Adds the set to a shape. Fails as shape_add_tuple() does. */
enum status tuple_set_add(struct shape *shape, const struct grid *grid, uint16_t set);

#endif
