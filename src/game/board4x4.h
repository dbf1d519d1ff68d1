/*
 * board4x4: the hot path. Everything that training, search and play do to a 4x4 board millions of times a second.
 *
 * All four moves come from eight loads of row_table: four rows give left and right at once, four columns (the rows of
 * the transposed board) give up and down. Functions named _low work on the bare 64-bit word and are exact as long as
 * the board has no tile beyond 32768 and no move makes one; a move that makes one shows by its reward (65536 or more),
 * so the exact functions on struct board test `high` and the rewards once, together, and take the slow way
 * (board4x4_move_exact) only then. Rejected without a trial: tables of 5 bits a cell (8 MiB, beyond the second-level
 * cache, and every game would pay), and a test of each row for two 15s (four tests a move instead of one).
 *
 * All functions are pure; threads may share everything.
 */
#ifndef AFTERSTATE_GAME_BOARD4X4_H
#define AFTERSTATE_GAME_BOARD4X4_H

#include "game/board.h"
#include "game/row_table.h"

#include <stdbool.h>
#include <stdint.h>

/* The rewards from which a board may hold a tile that the 64-bit word alone cannot: 32768 + 32768. */
enum { BOARD4X4_EXTENDED_REWARD = 65536 };

/* All four moves on bare words; a direction is legal if after[d] differs from the board. */
struct moves4x4_low {
    uint64_t after[DIRECTION_COUNT];
    uint32_t reward_rows;    /* of left and of right */
    uint32_t reward_columns; /* of up and of down */
};

/* Rows become columns. Two rounds of swaps: within 2x2 blocks of cells, then the off-diagonal blocks. */
static inline uint64_t board4x4_transpose(uint64_t x)
{
    uint64_t t = (x ^ x >> 12) & UINT64_C(0x0000f0f00000f0f0);
    x ^= t ^ t << 12;
    t = (x ^ x >> 24) & UINT64_C(0x00000000ff00ff00);
    return x ^ t ^ t << 24;
}

/* The left and right ends of each row change places. */
static inline uint64_t board4x4_mirror(uint64_t x)
{
    x = (x & UINT64_C(0x00ff00ff00ff00ff)) << 8 | (x >> 8 & UINT64_C(0x00ff00ff00ff00ff));
    return (x & UINT64_C(0x0f0f0f0f0f0f0f0f)) << 4 | (x >> 4 & UINT64_C(0x0f0f0f0f0f0f0f0f));
}

/* The top and bottom rows change places, and the middle ones. */
static inline uint64_t board4x4_flip(uint64_t x)
{
    x = x << 32 | x >> 32;
    return (x & UINT64_C(0x0000ffff0000ffff)) << 16 | (x >> 16 & UINT64_C(0x0000ffff0000ffff));
}

/* Both rows' moves of `x`: *start towards cell 0 of each row, *end away from it. Returns the reward of either. */
static inline uint32_t board4x4_move_rows_low(uint64_t x, uint64_t *start, uint64_t *end)
{
    uint64_t e0 = row_table[x & 0xffff], e1 = row_table[x >> 16 & 0xffff];
    uint64_t e2 = row_table[x >> 32 & 0xffff], e3 = row_table[x >> 48];
    *start = row_entry_start(e0) | row_entry_start(e1) << 16 | row_entry_start(e2) << 32 | e3 << 48;
    *end = row_entry_end(e0) | row_entry_end(e1) << 16 | row_entry_end(e2) << 32 | row_entry_end(e3) << 48;
    return row_entry_reward(e0) + row_entry_reward(e1) + row_entry_reward(e2) + row_entry_reward(e3);
}

static inline struct moves4x4_low board4x4_moves_low(uint64_t x)
{
    struct moves4x4_low moves;
    uint64_t up, down;
    moves.reward_rows = board4x4_move_rows_low(x, &moves.after[DIRECTION_LEFT], &moves.after[DIRECTION_RIGHT]);
    moves.reward_columns = board4x4_move_rows_low(board4x4_transpose(x), &up, &down);
    moves.after[DIRECTION_UP] = board4x4_transpose(up);
    moves.after[DIRECTION_DOWN] = board4x4_transpose(down);
    return moves;
}

/* The exact move of any board, slowly; *reward is its reward. An illegal move gives the board itself and 0. */
struct board board4x4_move_exact(struct board board, enum direction direction, uint32_t *reward);

/* All four moves exactly, for the boards that board4x4_moves() hands over. */
struct moves board4x4_moves_exact(struct board board);

/* All four moves of any board, exact. */
static inline struct moves board4x4_moves(struct board board)
{
    struct moves4x4_low low = board4x4_moves_low(board.cells);
    if (__builtin_expect(board.high != 0 || (low.reward_rows | low.reward_columns) >= BOARD4X4_EXTENDED_REWARD, 0))
        return board4x4_moves_exact(board);
    struct moves moves = {.legal = 0};
    for (unsigned d = 0; d < DIRECTION_COUNT; d++) {
        moves.after[d].cells = low.after[d];
        moves.legal |= (unsigned)(low.after[d] != board.cells) << d;
    }
    moves.reward[DIRECTION_UP] = moves.reward[DIRECTION_DOWN] = low.reward_columns;
    moves.reward[DIRECTION_LEFT] = moves.reward[DIRECTION_RIGHT] = low.reward_rows;
    return moves;
}

/* One move of any board, exact. */
static inline struct board board4x4_move(struct board board, enum direction direction, uint32_t *reward)
{
    bool columns = direction == DIRECTION_UP || direction == DIRECTION_DOWN;
    uint64_t start, end;
    *reward = board4x4_move_rows_low(columns ? board4x4_transpose(board.cells) : board.cells, &start, &end);
    if (__builtin_expect(board.high != 0 || *reward >= BOARD4X4_EXTENDED_REWARD, 0))
        return board4x4_move_exact(board, direction, reward);
    uint64_t moved = direction == DIRECTION_UP || direction == DIRECTION_LEFT ? start : end;
    return (struct board){.cells = columns ? board4x4_transpose(moved) : moved};
}

/*
 * Whether no move is legal. No table: a board can move when a cell is empty or two neighbours are equal (131072 aside,
 * which the slow way knows).
 */
bool board4x4_is_terminal_exact(struct board board);

static inline bool board4x4_is_terminal(struct board board)
{
    uint64_t x = board.cells;
    if (board_occupied_bits(x) != BOARD_LOW_BITS)
        return false;
    if (__builtin_expect(board.high != 0, 0))
        return board4x4_is_terminal_exact(board);
    /* A zero nibble of x ^ x >> 4 in columns 0..2, or of x ^ x >> 16 in rows 0..2, is a pair of equal neighbours. */
    uint64_t unequal_right = board_occupied_bits(x ^ x >> 4) | UINT64_C(0x1000100010001000);
    uint64_t unequal_below = board_occupied_bits(x ^ x >> 16) | UINT64_C(0x1111000000000000);
    return (unequal_right & unequal_below) == BOARD_LOW_BITS;
}

static inline uint64_t board4x4_smaller(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

/*
 * The smallest of the eight images, as board_less orders them; exact for boards without tiles beyond 32768. Plain names
 * instead of an array and a loop: gcc 12 kept the array in memory and took twice as long.
 */
static inline uint64_t board4x4_canonical_low(uint64_t x)
{
    uint64_t mirrored = board4x4_mirror(x);
    uint64_t transposed = board4x4_transpose(x);
    uint64_t turned = board4x4_mirror(transposed);
    uint64_t a = board4x4_smaller(x, board4x4_flip(x));
    uint64_t b = board4x4_smaller(mirrored, board4x4_flip(mirrored));
    uint64_t c = board4x4_smaller(transposed, board4x4_flip(transposed));
    uint64_t d = board4x4_smaller(turned, board4x4_flip(turned));
    return board4x4_smaller(board4x4_smaller(a, b), board4x4_smaller(c, d));
}

#endif
