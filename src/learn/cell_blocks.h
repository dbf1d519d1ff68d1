/*
 * cell_blocks: numbers of each weight as blocks of a checkpoint. They go in chunks, so that packing needs little memory
 * and a damaged file names its place.
 */
#ifndef AFTERSTATE_LEARN_CELL_BLOCKS_H
#define AFTERSTATE_LEARN_CELL_BLOCKS_H

#include "base/blockfile.h"
#include "base/status.h"

#include <stddef.h>
#include <stdint.h>

/* The same `width` floats of each cell. */
struct cell_column {
    float *first;
    size_t width, stride; /* floats of the column in a cell, and from a cell to the next */
    uint64_t n_cells;
    size_t n_chunk;         /* cells of a block */
    uint32_t kind;          /* of the blocks */
    const char *name;       /* in messages */
    const float *untouched; /* optional: blocks with less than half of such floats are not packed */
};

enum status cell_blocks_save(const struct cell_column *column, struct block_writer *writer);
/* STATUS_CORRUPT if blocks are missing, damaged or of another size; the column is then a mixture. */
enum status cell_blocks_load(const struct cell_column *column, const struct block_reader *reader);

#endif
