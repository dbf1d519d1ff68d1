/*
 * cell_blocks: writes and reads some floats of every cell as blocks of a checkpoint. A block has a limited number of
 * cells, so that compressing needs little memory and a message can say which block is damaged.
 */
#ifndef AFTERSTATE_LEARN_CELL_BLOCKS_H
#define AFTERSTATE_LEARN_CELL_BLOCKS_H

#include "base/blockfile.h"
#include "base/status.h"

#include <stddef.h>
#include <stdint.h>

/* The same `width` floats of each cell; the cells are borrowed. */
struct cell_column {
    float *first;
    size_t width, stride; /* floats of the column in a cell, and from a cell to the next */
    uint64_t n_cells;
    size_t n_chunk;         /* cells of a block */
    uint32_t kind;          /* of the blocks */
    const char *name;       /* in messages */
    const float *untouched; /* optional: blocks with less than half of such floats are not compressed */
};

/* STATUS_IO, STATUS_NO_MEMORY. */
enum status cell_blocks_save(const struct cell_column *column, struct block_writer *writer);
/* STATUS_CORRUPT if blocks are missing, damaged or of another size; some of the floats are replaced then. */
enum status cell_blocks_load(const struct cell_column *column, const struct block_reader *reader);

#endif
