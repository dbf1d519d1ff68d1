/* layout_axes: the tables of moves and spawns of a layout; private to what makes a layout. */
#ifndef AFTERSTATE_SOLVE_LAYOUT_AXES_H
#define AFTERSTATE_SOLVE_LAYOUT_AXES_H

#include "solve/layout.h"

/* The nibble of a cell in a board's word, and how many cells a mask of nibbles has. */
static inline uint64_t layout_nibble(unsigned cell)
{
    return UINT64_C(15) << 4 * cell;
}
static inline unsigned layout_cells_in(uint64_t mask)
{
    return (unsigned)__builtin_popcountll(mask) / 4;
}

/* The next key all of whose values are at most max_value; 1 << 4n after the last. */
static inline uint32_t layout_next_key(uint32_t key, unsigned max_value)
{
    key++;
    for (unsigned shift = 0; (key >> shift & 15) > max_value; shift += 4)
        key += (16 - (max_value + 1)) << shift;
    return key;
}

/*
 * Fills by_rows, axis and growth of a layout whose parts, slots and line tables are there. STATUS_NO_MEMORY; what was
 * made until then is freed by layout_free_axes().
 */
enum status layout_create_axes(struct layout *layout);
void layout_free_axes(struct layout *layout);
uint64_t layout_axes_bytes(const struct layout *layout);

#endif
