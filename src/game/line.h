/*
 * line: the rule of one move on one line of cells, exact for every value; the table generator and the rare boards that
 * tables cannot hold (tiles beyond 32768, lines of six cells) both use it.
 */
#ifndef AFTERSTATE_GAME_LINE_H
#define AFTERSTATE_GAME_LINE_H

#include "game/board.h"

#include <stdint.h>

/*
 * Moves n values (0..17) towards line[0] in place and returns the reward: the sum of the tiles made. A tile made in
 * this move does not merge again, and two 131072 do not merge.
 */
static inline uint32_t line_move_to_start(uint8_t *line, unsigned n)
{
    uint32_t reward = 0;
    unsigned filled = 0;    /* cells 0 .. filled-1 are settled */
    bool may_merge = false; /* cell filled-1 has not been made in this move */
    for (unsigned i = 0; i < n; i++) {
        uint8_t value = line[i];
        if (value == 0)
            continue;
        if (may_merge && line[filled - 1] == value && value < BOARD_MAX_VALUE) {
            line[filled - 1] = value + 1;
            reward += UINT32_C(2) << value;
            may_merge = false;
        } else {
            line[filled++] = value;
            may_merge = true;
        }
    }
    while (filled < n)
        line[filled++] = 0;
    return reward;
}

#endif
