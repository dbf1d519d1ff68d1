/* layout_walls: what boards with walls need when a layout is created; private to layout_create. */
#ifndef AFTERSTATE_SOLVE_LAYOUT_WALLS_H
#define AFTERSTATE_SOLVE_LAYOUT_WALLS_H

#include "solve/layout.h"

#include <stdint.h>

/*
 * The first part of a board with walls, and the symmetries that are taken into account: as many as a split allows. All
 * that keep the walls, but for a few layouts such as a ring of 12 cells, which then has symmetric boards more than
 * once. Grid, walls and free_bits of the layout are set. *symmetries has bit s for number s of the grid's.
 */
uint64_t layout_choose_walled_part(const struct layout *layout, unsigned *symmetries);

/*
 * Fills line_cells and walled_line of a layout with walls whose goal and max_value are set. STATUS_NO_MEMORY; what was
 * made until then is freed by layout_free().
 */
enum status layout_create_walled_lines(struct layout *layout);

#endif
