/*
 * cell_words: a board as bytes, one a cell, to and from its two words.
 *
 *   bytes   0h 0g 0f 0e 0d 0c 0b 0a     a nibble each
 *           00hg 00fe 00dc 00ba         after folding by 4
 *           0000hgfe  0000dcba          .. by 8
 *           hgfedcba                    .. by 16: half of a board's cells; unfolding goes back
 *
 * The plain loops over cells are board_get() and board_set(); test_api_arrays compares the two.
 */
#ifndef AFTERSTATE_API_CELL_WORDS_H
#define AFTERSTATE_API_CELL_WORDS_H

#include "base/bytes.h"
#include "game/board.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

static inline uint64_t cell_words_fold(uint64_t bytes)
{
    bytes = (bytes | bytes >> 4) & UINT64_C(0x00ff00ff00ff00ff);
    bytes = (bytes | bytes >> 8) & UINT64_C(0x0000ffff0000ffff);
    return (bytes | bytes >> 16) & UINT64_C(0x00000000ffffffff);
}

static inline uint64_t cell_words_unfold(uint64_t nibbles)
{
    nibbles = (nibbles | nibbles << 16) & UINT64_C(0x0000ffff0000ffff);
    nibbles = (nibbles | nibbles << 8) & UINT64_C(0x00ff00ff00ff00ff);
    return (nibbles | nibbles << 4) & UINT64_C(0x0f0f0f0f0f0f0f0f);
}

/* Reads a board of n_cells cells; false if a cell is larger than BOARD_MAX_VALUE, and *out is then undefined. */
static inline bool cell_words_read(unsigned n_cells, const uint8_t *cells, struct board *out)
{
    uint8_t all[BOARD_MAX_CELLS] = {0};
    memcpy(all, cells, n_cells);
    uint64_t low = bytes_load_u64(all), high = bytes_load_u64(all + 8);
    if (__builtin_expect(((low | high) & UINT64_C(0xf0f0f0f0f0f0f0f0)) == 0, 1)) {
        *out = (struct board){.cells = cell_words_fold(low) | cell_words_fold(high) << 32};
        return true;
    }
    *out = (struct board){0};
    for (unsigned cell = 0; cell < n_cells; cell++) {
        if (cells[cell] > BOARD_MAX_VALUE)
            return false;
        *out = board_set(*out, cell, cells[cell]);
    }
    return true;
}

static inline void cell_words_write(unsigned n_cells, struct board board, uint8_t *cells)
{
    if (__builtin_expect(board.high == 0, 1)) {
        uint8_t all[BOARD_MAX_CELLS];
        bytes_store_u64(all, cell_words_unfold(board.cells & UINT32_MAX));
        bytes_store_u64(all + 8, cell_words_unfold(board.cells >> 32));
        memcpy(cells, all, n_cells);
        return;
    }
    for (unsigned cell = 0; cell < n_cells; cell++)
        cells[cell] = (uint8_t)board_get(board, cell);
}

#endif
