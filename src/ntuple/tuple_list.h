/*
 * tuple_list: every set of N cells of a board up to symmetry, in one fixed order.
 *
 * A set stands for all its images; its canonical form is the image whose cells, listed in ascending order, come first
 * in the dictionary ({0,1,2,3,4,5} before {0,1,2,3,4,6}), and the list is in that order too. The numbers of SELECT's
 * table 1 are the lengths of these lists on 4x4. A place in the list is a name of the tuple that stays: campaigns
 * store it in their files.
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
    uint16_t *tuples; /* canonical, in dictionary order */
};

/*
 * All sets of n_cells cells, 1 to the number of cells of the board; with `connected` only those whose cells hang
 * together by their sides. STATUS_INVALID for another n_cells, STATUS_NO_MEMORY. Free with tuple_list_free().
 */
enum status tuple_list_create(struct tuple_list *list, const struct grid *grid, unsigned n_cells, bool connected);
void tuple_list_free(struct tuple_list *list); /* a zeroed struct is fine */

/* The canonical image of a set. */
uint16_t tuple_set_canonical(const struct grid *grid, uint16_t set);
/* Whether the cells hang together by their sides; an empty set does. */
bool tuple_set_connected(const struct grid *grid, uint16_t set);
/* Place of a set (any image) in the list; list->n_tuples if it is not there. */
size_t tuple_list_find(const struct tuple_list *list, const struct grid *grid, uint16_t set);

/* Texts of a set of any size: "0 1 2 4", room for 48 bytes, and "xxx./x.../..../....", room for 24. Return out. */
enum { TUPLE_SET_LIST_BYTES = 48, TUPLE_SET_DRAW_BYTES = 24 };
char *tuple_set_list(uint16_t set, char *out);
char *tuple_set_draw(const struct grid *grid, uint16_t set, char *out);

/* Adds the set to a shape, as shape_add_tuple() does, with its failures (a network's tuples have at most 9 cells). */
enum status tuple_set_add(struct shape *shape, const struct grid *grid, uint16_t set);

#endif
