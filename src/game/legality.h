/*
 * legality: which directions are legal, without computing the moves.
 *
 * A direction is legal if a tile has an empty cell before it, or two equal tiles are neighbours along it. On the
 * nibbles of a board both are a few shifts and masks for all cells at once: a third of the time of four moves from
 * tables, and no table to keep in the cache. Boards with tiles beyond 32768 are handed to grid_moves(), which is also
 * the reference that test_legality compares with.
 */
#ifndef AFTERSTATE_GAME_LEGALITY_H
#define AFTERSTATE_GAME_LEGALITY_H

#include "game/grid.h"

/* The constants of one grid. */
struct legality {
    const struct grid *grid; /* borrowed */
    uint64_t used;           /* low bit of the nibble of each cell */
    uint64_t has_left;       /* .. that has a cell to its left */
    uint64_t has_above;      /* .. above it */
    unsigned up;             /* bits between a cell and the one above it */
};

static inline struct legality legality_of(const struct grid *grid)
{
    uint64_t first_column = grid->column_mask & BOARD_LOW_BITS;
    unsigned up = 4u * grid->cols;
    return (struct legality){.grid = grid,
                             .used = grid->used,
                             .has_left = grid->used & ~first_column,
                             .has_above = grid->used & ~((UINT64_C(1) << up) - 1),
                             .up = up};
}

/* Bit d set: direction d is legal. */
static inline unsigned legality_moves(const struct legality *rules, struct board board)
{
    const uint64_t x = board.cells, tiles = board_occupied_bits(x);
    if (__builtin_expect(board.high != 0, 0))
        return grid_moves(rules->grid, board).legal;
    /* Neighbours: bit i of each word is about cell i and the one to its left, or above it. */
    const uint64_t left_tile = tiles << 4, above_tile = tiles << rules->up;
    const uint64_t same_left = tiles & ~board_occupied_bits(x ^ x << 4) & rules->has_left;
    const uint64_t same_above = tiles & ~board_occupied_bits(x ^ x << rules->up) & rules->has_above;
    const uint64_t to_left = tiles & ~left_tile & rules->has_left, to_right = ~tiles & left_tile & rules->has_left;
    const uint64_t to_up = tiles & ~above_tile & rules->has_above, to_down = ~tiles & above_tile & rules->has_above;
    return (unsigned)((to_up | same_above) != 0) << DIRECTION_UP |
           (unsigned)((to_right | same_left) != 0) << DIRECTION_RIGHT |
           (unsigned)((to_down | same_above) != 0) << DIRECTION_DOWN |
           (unsigned)((to_left | same_left) != 0) << DIRECTION_LEFT;
}

#endif
