/* layout_create: makes the layout of a board (layout.h). */
#ifndef AFTERSTATE_SOLVE_LAYOUT_CREATE_H
#define AFTERSTATE_SOLVE_LAYOUT_CREATE_H

#include "solve/layout.h"

/*
 * Makes the layout for all ages up to max_age (0 or beyond the largest possible: all) of a grid, which must stay, with
 * walls or without (all zero).
 *
 * With a goal, a tile's value from 3 up (0: none), only boards without that tile or a larger one have numbers, and
 * all rewards are 0, or 4 for each line in which the move makes the goal.
 *
 * STATUS_INVALID for boards of more than 12 free cells, STATUS_USAGE where walls_check() says so. Costs up to a second
 * and 200 MiB on boards of 12 cells, less with a small max_age.
 */
enum status layout_create(struct layout **out, const struct grid *grid, uint32_t max_age, unsigned goal,
                          struct walls walls);
void layout_free(struct layout *layout); /* NULL is fine */

/* About how many bytes the tables take. */
uint64_t layout_bytes(const struct layout *layout);

#endif
