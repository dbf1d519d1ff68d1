/*
 * row_table: where a line of up to four cells goes, for all 65,536 of them, as one constant.
 *
 *    63               32 31       16 15        0
 *   +-------------------+-----------+-----------+
 *   |      reward       | moved to  | moved to  |     cell 0 of the line in the lowest nibble;
 *   |                   | its end   | its start |     "start" is cell 0 (left, up), "end" is cell 3 (right, down)
 *   +-------------------+-----------+-----------+
 *
 * One entry serves both ways because the reward is the same both ways: a run of k equal neighbours merges k/2 times
 * from either side. So eight loads give all four moves of a 4x4 board. The whole table is 512 KiB; the rows that real
 * games visit are a small part of it.
 *
 * A shorter line of c cells uses the entry of its cells followed by empty ones: moved to its start it is the same,
 * moved to its end it is shifted down by 4 - c cells.
 *
 * Two 32768 that merge read as 15 again here, with reward 65536: an entry whose reward is 65536 or more means "look
 * closer" (see board4x4.h), and no other merge of tiles up to 32768 has so large a reward in one line but e+e twice.
 *
 * The table is computed at build time by generate/generate_row_table.c and compared with the reference in the tests.
 */
#ifndef AFTERSTATE_GAME_ROW_TABLE_H
#define AFTERSTATE_GAME_ROW_TABLE_H

#include <stdint.h>

extern const uint64_t row_table[65536];

static inline uint64_t row_entry_start(uint64_t entry)
{
    return entry & 0xffff;
}

static inline uint64_t row_entry_end(uint64_t entry)
{
    return entry >> 16 & 0xffff;
}

static inline uint32_t row_entry_reward(uint64_t entry)
{
    return (uint32_t)(entry >> 32);
}

#endif
