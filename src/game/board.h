/*
 * board: the position type that every module shares, for every board of at most 16 cells.
 *
 *   cells   63      60        8 7      4 3      0
 *          +----------+- .. -+--------+--------+      nibble i = min(value of cell i, 15)
 *          | cell 15  |      | cell 1 | cell 0 |
 *          +----------+- .. -+--------+--------+
 *   high    31 30 .. 3 2  1 0                         two bits for cell i = value - 15 where the nibble is 15, else 0
 *
 * A value is the exponent of the tile: 0 empty, 1 for 2, .. 15 for 32768, 16 for 65536, 17 for 131072. Cells are
 * numbered row by row from the top left; an r x c board uses the first r * c of them and leaves the rest 0.
 *
 * Why two words: 18 values do not fit in four bits, and five bits a cell would make every move, hash and table index
 * pay for tiles that few games reach. Here a board without a 65536 tile has high == 0 and is just the 64-bit
 * word that row tables and n-tuple indices want; a board with one keeps a word in which 65536 reads as 32768, which is
 * what a network of 16 cell values means by clamping. Only moves and comparisons look at `high`, and those test it
 * once.
 */
#ifndef AFTERSTATE_GAME_BOARD_H
#define AFTERSTATE_GAME_BOARD_H

#include <stdbool.h>
#include <stdint.h>

enum {
    BOARD_MAX_CELLS = 16,
    BOARD_MAX_SIDE = 6,
    BOARD_MAX_VALUE = 17, /* 131072: two of these would not merge, the rules end there */
};

enum direction { DIRECTION_UP, DIRECTION_RIGHT, DIRECTION_DOWN, DIRECTION_LEFT, DIRECTION_COUNT };

struct board {
    uint64_t cells;
    uint32_t high;
};

/* All four moves of a board. */
struct moves {
    struct board after[DIRECTION_COUNT]; /* the board itself where the direction is illegal */
    uint32_t reward[DIRECTION_COUNT];
    unsigned legal; /* bit d set: direction d is legal */
};

_Static_assert(sizeof(struct board) == 16, "a board passes in two registers");

/* The low bit of each of the 16 nibbles. */
#define BOARD_LOW_BITS UINT64_C(0x1111111111111111)

static inline unsigned board_get(struct board board, unsigned cell)
{
    return (unsigned)(board.cells >> 4 * cell & 15) + (board.high >> 2 * cell & 3);
}

/* The board with `value` (0..17) in `cell` (0..15), whatever was there. */
static inline struct board board_set(struct board board, unsigned cell, unsigned value)
{
    unsigned low = value < 15 ? value : 15;
    board.cells = (board.cells & ~(UINT64_C(15) << 4 * cell)) | (uint64_t)low << 4 * cell;
    board.high = (board.high & ~(UINT32_C(3) << 2 * cell)) | (uint32_t)(value - low) << 2 * cell;
    return board;
}

static inline bool board_equal(struct board a, struct board b)
{
    return a.cells == b.cells && a.high == b.high;
}

/* The sum of the tiles of at least 2^least. */
static inline uint32_t board_large_sum(struct board board, unsigned least)
{
    uint32_t sum = 0;
    for (unsigned cell = 0; cell < BOARD_MAX_CELLS; cell++) {
        unsigned value = board_get(board, cell);
        sum += value >= least ? UINT32_C(1) << value : 0;
    }
    return sum;
}

/* A total order: by cells, then by high. */
static inline bool board_less(struct board a, struct board b)
{
    return a.cells != b.cells ? a.cells < b.cells : a.high < b.high;
}

/* The low bit of every nibble of `cells` that is not zero. */
static inline uint64_t board_occupied_bits(uint64_t cells)
{
    cells |= cells >> 2;
    cells |= cells >> 1;
    return cells & BOARD_LOW_BITS;
}

/* The largest value on the board, 0 if it is empty. */
static inline unsigned board_max_value(struct board board)
{
    unsigned max = 0;
    for (unsigned cell = 0; cell < BOARD_MAX_CELLS; cell++) {
        unsigned value = board_get(board, cell);
        max = value > max ? value : max;
    }
    return max;
}

/* Age (SOLVE): the sum of the tiles. A move keeps it, a spawn adds 2 or 4. */
static inline uint32_t board_age(struct board board)
{
    uint32_t age = 0;
    for (unsigned cell = 0; cell < BOARD_MAX_CELLS; cell++)
        age += (UINT32_C(1) << board_get(board, cell)) & ~UINT32_C(1);
    return age;
}

#endif
