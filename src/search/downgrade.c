#include "search/downgrade.h"

struct board downgrade_board(struct board board, unsigned threshold)
{
    uint32_t present = 0; /* bit v: value v is on the board */
    for (unsigned cell = 0; cell < BOARD_MAX_CELLS; cell++)
        present |= UINT32_C(1) << board_get(board, cell);
    present |= 1;
    unsigned max = 31 - (unsigned)__builtin_clz(present);
    if (max < threshold)
        return board;
    uint32_t missing = ~present & ((UINT32_C(1) << max) - 1); /* values below the largest; empty cells do not count */
    if (missing == 0)
        return board;
    unsigned gap = 31 - (unsigned)__builtin_clz(missing);
    for (unsigned cell = 0; cell < BOARD_MAX_CELLS; cell++) {
        unsigned value = board_get(board, cell);
        if (value > gap)
            board = board_set(board, cell, value - 1);
    }
    return board;
}
