/* cluster_merge: merges a network that several ranks of a cluster train separately. */
#include "learn/cluster_merge.h"

#include "learn/rules.h"

#include <stdlib.h>
#include <string.h>

enum {
    MAX_BLOCKS = 1 << 16,   /* whose flags every rank sends to every other */
    MIN_CELLS = 1 << 10,    /* of a block */
    PACKED_FLOATS = 1 << 22 /* summed at a time, at least one block */
};

/* A weight can change without an error: it takes its first value from the stage before. Counts as next to nothing. */
static const float least_size = 1e-6f;

/* One merge. */
struct merging {
    const struct cluster *cluster;
    float *cells, *before;
    size_t stride, n_columns; /* floats of a cell, and of what is summed for it */
    uint64_t n_cells, block_cells, n_blocks;
    uint8_t *changed; /* [block]: by any rank */
    float *packed;
    size_t packed_room;
};

enum status cluster_merge_begin(struct cluster_merge *merge, const struct network *network)
{
    size_t bytes = network->n_weights * network->stride * sizeof(float);
    enum status status = merge->before.bytes == bytes ? STATUS_OK : STATUS_NO_MEMORY;
    if (status) {
        memory_block_free(&merge->before);
        status = memory_block_allocate(&merge->before, bytes);
    }
    if (status)
        return status;
    memcpy(merge->before.data, network->cells, bytes);
    return STATUS_OK;
}

void cluster_merge_free(struct cluster_merge *merge)
{
    memory_block_free(&merge->before);
}

static uint64_t block_end(const struct merging *merging, uint64_t block)
{
    uint64_t end = (block + 1) * merging->block_cells;
    return end < merging->n_cells ? end : merging->n_cells;
}

/* Which blocks any rank has changed. */
static void find_changed(struct merging *merging, uint8_t *all)
{
    for (uint64_t block = 0; block < merging->n_blocks; block++) {
        size_t first = block * merging->block_cells * merging->stride;
        size_t bytes = block_end(merging, block) * merging->stride * sizeof(float) - first * sizeof(float);
        merging->changed[block] = memcmp(merging->cells + first, merging->before + first, bytes) != 0;
    }
    cluster_gather(merging->cluster, merging->changed, all, merging->n_blocks);
    for (unsigned r = 0; r < cluster_size(merging->cluster); r++)
        for (uint64_t block = 0; block < merging->n_blocks; block++)
            merging->changed[block] |= all[r * merging->n_blocks + block];
}

/* What this rank adds to the sums of one cell. */
static void pack_cell(const struct merging *merging, const float *cell, const float *before, float *out)
{
    bool touched = memcmp(cell, before, merging->stride * sizeof *cell) != 0;
    if (merging->stride == RULES_TC_CELL) {
        float size = cell[2] - before[2];
        size = touched && !(size > 0) ? least_size : size;
        out[0] = touched ? (cell[0] - before[0]) * size : 0;
        out[1] = cell[1] - before[1];
        out[2] = touched ? size : 0;
        return;
    }
    for (size_t i = 0; i < merging->stride; i++)
        out[i] = cell[i] - before[i];
    out[merging->stride] = touched;
}

/* The cell after the merge, from the sums over all ranks. */
static void unpack_cell(const struct merging *merging, float *cell, float *before, const float *sum)
{
    float n = sum[merging->n_columns - 1];
    if (!(n > 0)) /* no rank touched it */
        return;
    if (merging->stride == RULES_TC_CELL) {
        before[0] += sum[0] / n;
        before[1] += sum[1];
        before[2] += n;
    } else {
        for (size_t i = 0; i < merging->stride; i++)
            before[i] += sum[i] / n;
    }
    memcpy(cell, before, merging->stride * sizeof *cell);
}

/* Merges as many changed blocks from *block on as fit; *block is then the next. */
static enum status merge_some(struct merging *merging, uint64_t *block)
{
    uint64_t first = *block, end = first;
    size_t n = 0;
    for (; end < merging->n_blocks; end++) {
        if (!merging->changed[end])
            continue;
        if (n + merging->block_cells * merging->n_columns > merging->packed_room)
            break;
        for (uint64_t i = end * merging->block_cells; i < block_end(merging, end); i++) {
            pack_cell(merging, merging->cells + i * merging->stride, merging->before + i * merging->stride,
                      merging->packed + n);
            n += merging->n_columns;
        }
    }
    enum status status = cluster_sum_floats(merging->cluster, merging->packed, n);
    const float *sum = merging->packed;
    for (uint64_t k = first; k < end && !status; k++) {
        if (!merging->changed[k])
            continue;
        for (uint64_t i = k * merging->block_cells; i < block_end(merging, k); i++) {
            unpack_cell(merging, merging->cells + i * merging->stride, merging->before + i * merging->stride, sum);
            sum += merging->n_columns;
        }
    }
    *block = end;
    return status;
}

enum status cluster_merge_run(struct cluster_merge *merge, const struct cluster *cluster, struct network *network)
{
    struct merging merging = {.cluster = cluster,
                              .cells = network->cells,
                              .before = merge->before.data,
                              .stride = network->stride,
                              .n_columns = network->stride == RULES_TC_CELL ? RULES_TC_CELL : network->stride + 1,
                              .n_cells = network->n_weights};
    merging.block_cells = (merging.n_cells + MAX_BLOCKS - 1) / MAX_BLOCKS;
    merging.block_cells = merging.block_cells < MIN_CELLS ? MIN_CELLS : merging.block_cells;
    merging.n_blocks = (merging.n_cells + merging.block_cells - 1) / merging.block_cells;
    merging.packed_room = merging.block_cells * merging.n_columns;
    merging.packed_room = merging.packed_room < PACKED_FLOATS ? PACKED_FLOATS : merging.packed_room;
    merging.changed = memory_allocate(merging.n_blocks, 1);
    merging.packed = memory_allocate(merging.packed_room, sizeof *merging.packed);
    uint8_t *all = memory_allocate(merging.n_blocks, cluster_size(cluster));
    bool good = merging.changed && merging.packed && all;
    enum status status = cluster_agree(cluster, good ? STATUS_OK : STATUS_NO_MEMORY);
    if (!status)
        find_changed(&merging, all);
    for (uint64_t block = 0; block < merging.n_blocks && !status;)
        status = merge_some(&merging, &block);
    free(all);
    free(merging.packed);
    free(merging.changed);
    return status;
}
