/* cell_blocks: writes and reads some floats of every cell as blocks of a checkpoint. */
#include "learn/cell_blocks.h"

#include "base/memory.h"

#include <inttypes.h>
#include <stdlib.h>

/*
 * A table of which little was touched compresses to almost nothing at 2 GB/s; one that is full of learned floats keeps
 * 90% of its size, at 0.2 GB/s, slower than a disk. So a block is compressed only if most of it is still untouched.
 */
static enum block_codec choose_codec(const struct cell_column *column, const float *floats, size_t n)
{
    size_t n_untouched = 0, n_sampled = 0;
    for (size_t i = 0; i < n && column->untouched; i += 61, n_sampled++)
        n_untouched += floats[i] == *column->untouched;
    return !column->untouched || 2 * n_untouched > n_sampled ? BLOCK_ZSTD : BLOCK_RAW;
}

/* Copies the column's floats of cells first .. first+n-1 to `room`. */
static void gather(const struct cell_column *column, uint64_t first, size_t n, float *room)
{
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < column->width; k++)
            *room++ = column->first[column->stride * (first + i) + k];
}

/* Copies them back. Writes only what differs, so that pages of zeros stay unmapped. */
static void scatter(const struct cell_column *column, uint64_t first, size_t n, const float *room)
{
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < column->width; k++, room++) {
            float *to = &column->first[column->stride * (first + i) + k];
            if (*to != *room)
                *to = *room;
        }
}

/* Writes or reads one block; the one of writer and reader that is not NULL. */
static enum status copy_block(const struct cell_column *column, uint64_t first, struct block_writer *writer,
                              const struct block_reader *reader, float *room)
{
    size_t n = column->n_cells - first < column->n_chunk ? (size_t)(column->n_cells - first) : column->n_chunk;
    size_t n_floats = n * column->width, bytes = n_floats * sizeof *room, nth = (size_t)(first / column->n_chunk),
           block;
    if (writer) {
        gather(column, first, n, room);
        return block_writer_append(writer, column->kind, room, bytes, choose_codec(column, room, n_floats));
    }
    enum status status = block_reader_find(reader, column->kind, nth, &block);
    if (status)
        return status;
    if (block_reader_info(reader, block).raw_bytes != bytes)
        return status_fail(STATUS_CORRUPT, "%s: block %zu of %s has %" PRIu64 " bytes, not %zu",
                           block_reader_name(reader), nth, column->name, block_reader_info(reader, block).raw_bytes,
                           bytes);
    status = block_reader_load(reader, block, room, bytes);
    if (status)
        return status;
    scatter(column, first, n, room);
    return STATUS_OK;
}

static enum status copy_all(const struct cell_column *column, struct block_writer *writer,
                            const struct block_reader *reader)
{
    float *room = memory_allocate(column->n_chunk * column->width, sizeof *room);
    enum status status = room ? STATUS_OK : STATUS_NO_MEMORY;
    for (uint64_t first = 0; first < column->n_cells && !status; first += column->n_chunk)
        status = copy_block(column, first, writer, reader, room);
    free(room);
    return status;
}

enum status cell_blocks_save(const struct cell_column *column, struct block_writer *writer)
{
    return copy_all(column, writer, NULL);
}

enum status cell_blocks_load(const struct cell_column *column, const struct block_reader *reader)
{
    return copy_all(column, NULL, reader);
}
