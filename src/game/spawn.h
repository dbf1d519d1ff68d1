/*
 * spawn: the chance half of the rules. A tile appears on an empty cell chosen uniformly: a 2 with probability 0.9, a 4
 * with 0.1. One draw decides both: a uniform number below ten times the number of empty cells.
 */
#ifndef AFTERSTATE_GAME_SPAWN_H
#define AFTERSTATE_GAME_SPAWN_H

#include "base/bits.h"
#include "base/random.h"
#include "game/board.h"

/* Ten equally likely faces a cell: one of them is a 4. */
enum { SPAWN_FACES = 10 };

/* What appeared. */
struct spawn {
    uint8_t cell;
    uint8_t value; /* 1 or 2 */
};

/*
 * Draws a spawn on one of the empty cells of `board` among those whose bit is in `used` (the low bits of the nibbles
 * that the board has; BOARD_LOW_BITS for 4x4). At least one of them must be empty.
 */
static inline struct spawn spawn_draw(struct board board, uint64_t used, struct rng *rng)
{
    uint64_t empty = used & ~board_occupied_bits(board.cells);
    unsigned draw = (unsigned)random_below(rng, SPAWN_FACES * (unsigned)__builtin_popcountll(empty));
    unsigned bit = bits_select(empty, draw / SPAWN_FACES);
    return (struct spawn){.cell = (uint8_t)(bit / 4), .value = draw % SPAWN_FACES == 0 ? 2 : 1};
}

/* The board with the spawn on it; its cell must be empty. */
static inline struct board spawn_apply(struct board board, struct spawn spawn)
{
    board.cells |= (uint64_t)spawn.value << 4 * spawn.cell;
    return board;
}

#endif
