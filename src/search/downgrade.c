/* downgrade: evaluating a board by one that the value function knows better (Guei's tile-downgrading). */
#include "search/downgrade.h"

/* The largest value on the board, and in *gap the largest one below it that is not there; 0 if none is missing. */
static unsigned largest_and_gap(struct board board, unsigned *gap)
{
    uint32_t present = 1; /* bit v: value v is on the board, or need not be: empty cells */
    for (unsigned cell = 0; cell < BOARD_MAX_CELLS; cell++)
        present |= UINT32_C(1) << board_get(board, cell);
    unsigned largest = 31 - (unsigned)__builtin_clz(present);
    uint32_t missing = ~present & ((UINT32_C(1) << largest) - 1);
    *gap = missing ? 31 - (unsigned)__builtin_clz(missing) : 0;
    return largest;
}

struct board downgrade_board(struct board board, unsigned threshold)
{
    unsigned gap;
    while (largest_and_gap(board, &gap) >= threshold && gap > 0) {
        for (unsigned cell = 0; cell < BOARD_MAX_CELLS; cell++) {
            unsigned value = board_get(board, cell);
            if (value > gap)
                board = board_set(board, cell, value - 1);
        }
    }
    return board;
}
