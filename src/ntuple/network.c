/* network: an n-tuple network: shapes, encoding, stages and their tables of weights. */
#include "ntuple/network.h"

#include "ntuple/index_lanes.h"
#include "ntuple/planes.h"

#include <stdlib.h>
#include <string.h>

/* Fills the tables, except their groups, and sums their sizes. */
static enum status plan_tables(struct network *network)
{
    const struct network_spec *spec = &network->spec;
    uint64_t offset = 0;
    network->n_tables = 0;
    network->direct = true;
    for (unsigned i = 0; i < spec->shape.n_tuples; i++)
        for (unsigned r = 0; r < spec->encoding.n_ranges; r++) {
            const struct tuple *tuple = &spec->shape.tuples[i];
            struct network_table *table = &network->tables[network->n_tables++];
            *table = (struct network_table){.tuple = (uint8_t)i, .range = (uint8_t)r, .offset = (uint32_t)offset};
            uint64_t size = 1;
            for (unsigned k = 0; k < tuple->n_cells; k++) {
                table->mask |= planes_of(UINT64_C(15) << 4 * tuple->cells[k]);
                table->group_mask[k / GROUP_CELLS] |= UINT64_C(15) << 4 * tuple->cells[k];
                size *= spec->encoding.ranges[r].n_digits; /* at most 18^9, far below 2^64 */
            }
            table->n_groups = (uint8_t)((tuple->n_cells + GROUP_CELLS - 1) / GROUP_CELLS);
            offset += size;
            if (offset > UINT32_MAX)
                return status_fail(STATUS_INVALID,
                                   "the network would have more than %u weights in a stage; take smaller tuples, fewer "
                                   "values or a vse with more ranges",
                                   UINT32_MAX);
            table->n_weights = (uint32_t)size;
            network->direct &= spec->encoding.n_ranges == 1 && spec->encoding.ranges[r].n_digits == 16;
        }
    network->n_lookups = network->n_tables * network->n_symmetries;
    if (network->n_lookups == 0 || network->n_lookups > NETWORK_MAX_LOOKUPS)
        return status_fail(STATUS_INVALID, "%u tables looked up in %u images are %u look-ups; 1 to %d are possible",
                           network->n_tables, network->n_symmetries, network->n_lookups, NETWORK_MAX_LOOKUPS);
    network->n_stage_weights = offset;
    network->n_weights = offset * spec->stages.n_stages;
    return STATUS_OK;
}

enum status network_measure(const struct network_spec *spec, uint64_t *n_weights, uint64_t *bytes)
{
    struct network *plan = memory_allocate(1, sizeof *plan);
    if (!plan)
        return STATUS_NO_MEMORY;
    plan->spec = *spec;
    plan->n_symmetries = spec->rows == spec->cols ? 8 : 4;
    enum status status = plan_tables(plan);
    *n_weights = plan->n_weights;
    *bytes = plan->n_weights * sizeof(float);
    free(plan);
    return status;
}

void network_begin_progress(struct progress *progress, FILE *stream, const char *title, uint64_t n_weights)
{
    progress_begin(progress, stream, stream ? PROGRESS_AUTO : PROGRESS_QUIET, title, "B",
                   (double)n_weights * sizeof(float));
}

/*
 * The part that group number g of a table adds to its index, for each pattern of its cells. It depends only on the
 * range and g, so the tables of a range share them.
 */
static enum status make_groups(struct network *network)
{
    const struct encoding *encoding = &network->spec.encoding;
    if (network->direct)
        return STATUS_OK;
    network->groups = memory_allocate((size_t)encoding->n_ranges * NETWORK_GROUPS * GROUP_VALUES, sizeof(uint32_t));
    if (!network->groups)
        return STATUS_NO_MEMORY;
    for (unsigned r = 0; r < encoding->n_ranges; r++) {
        const struct value_range *range = &encoding->ranges[r];
        uint64_t place = 1; /* n_digits^(3g); wraps only where no tuple is that long */
        for (unsigned g = 0; g < NETWORK_GROUPS; g++) {
            uint32_t *part = network->groups + ((size_t)r * NETWORK_GROUPS + g) * GROUP_VALUES;
            for (unsigned pattern = 0; pattern < GROUP_VALUES; pattern++) {
                uint64_t base = range->n_digits;
                part[pattern] =
                    (uint32_t)(place * (range->digit[pattern & 15] + base * range->digit[pattern >> 4 & 15] +
                                        base * base * range->digit[pattern >> 8]));
            }
            place *= (uint64_t)range->n_digits * range->n_digits * range->n_digits;
        }
    }
    for (unsigned t = 0; t < network->n_tables; t++)
        for (unsigned g = 0; g < network->tables[t].n_groups; g++)
            network->tables[t].group[g] =
                network->groups + ((size_t)network->tables[t].range * NETWORK_GROUPS + g) * GROUP_VALUES;
    return STATUS_OK;
}

enum { IMAGES = 8, BLOCK_TABLES = INDEX_BLOCK / IMAGES };

/* Which pairs of bits make one index; lane: its place in the block. */
static void fill_lane(const struct network *network, const struct network_table *table, unsigned image, unsigned lane,
                      struct index_block *block)
{
    const struct tuple *tuple = &network->spec.shape.tuples[table->tuple];
    const uint8_t *cell = network->grid.symmetry[image];
    block->offset[lane] = table->offset;
    for (unsigned p = 0; p < 2u * tuple->n_cells; p++) {
        bool high = p >= tuple->n_cells;
        uint8_t *from = &block->from[p / INDEX_PAIRS][lane * INDEX_PAIRS + p % INDEX_PAIRS];
        *from = (uint8_t)(cell[tuple->cells[high ? p - tuple->n_cells : p]] + (high ? INDEX_HIGH_PAIR : 0));
    }
}

void network_fill_index_blocks(struct network *network)
{
    if (!network->index_blocks)
        return;
    memset(network->index_blocks, INDEX_NO_PAIR,
           (network->n_tables + BLOCK_TABLES - 1) / BLOCK_TABLES * sizeof *network->index_blocks);
    network->index_groups = 3;
    for (unsigned t = 0; t < network->n_tables; t++) {
        const struct network_table *table = &network->tables[t];
        for (unsigned image = 0; image < IMAGES; image++)
            fill_lane(network, table, image, t % BLOCK_TABLES * IMAGES + image,
                      &network->index_blocks[t / BLOCK_TABLES]);
        if (network->spec.shape.tuples[table->tuple].n_cells > 6)
            network->index_groups = 4;
    }
}

/* Where the processor has no use for them nothing is made. */
static enum status create_index_blocks(struct network *network)
{
    if (!INDEX_LANES || !network->direct || network->n_symmetries != IMAGES)
        return STATUS_OK;
    network->index_blocks =
        memory_allocate((network->n_tables + BLOCK_TABLES - 1) / BLOCK_TABLES, sizeof *network->index_blocks);
    if (!network->index_blocks)
        return STATUS_NO_MEMORY;
    network_fill_index_blocks(network);
    return STATUS_OK;
}

const char *network_find_difference(const struct network_spec *a, const struct network_spec *b)
{
    if (a->rows != b->rows || a->cols != b->cols)
        return "the board differs";
    if (memcmp(&a->shape, &b->shape, sizeof a->shape) != 0)
        return "the tuples, or their order, differ";
    if (memcmp(&a->encoding, &b->encoding, sizeof a->encoding) != 0)
        return "the encoding (network.values, network.vse) differs";
    if (a->initial != b->initial)
        return "the initial weights differ (learn.optimistic)";
    return a->promote != b->promote ? "only one of them promotes" : NULL;
}

const char *network_find_stage_difference(const struct network_spec *a, const struct network_spec *b)
{
    const char *difference = network_find_difference(a, b);
    return difference || stages_equal(&a->stages, &b->stages) ? difference : "the stages differ";
}

enum status network_plan(struct network **out, const struct network_spec *spec)
{
    struct network *network = *out = memory_allocate(1, sizeof *network);
    if (!network)
        return STATUS_NO_MEMORY;
    network->spec = *spec;
    enum status status = grid_create(&network->grid, spec->rows, spec->cols);
    network->n_symmetries = network->grid.n_symmetries;
    if (status)
        goto done;
    status = plan_tables(network);
    if (status)
        goto done;
    status = make_groups(network);
    if (status)
        goto done;
    status = create_index_blocks(network);
done:
    if (status) {
        network_free(network);
        *out = NULL;
    }
    return status;
}

enum status network_set_stride(struct network *network, size_t stride)
{
    struct memory_block block;
    if (network->stride == stride)
        return STATUS_OK;
    enum status status =
        memory_block_allocate(&block, (network->n_weights * stride + NETWORK_SPARE_FLOATS) * sizeof(float));
    if (status)
        return status;
    float *cells = block.data;
    for (uint64_t i = 0; i < network->n_weights && (network->cells || network->spec.initial != 0); i++) {
        float weight = network->cells ? network->cells[network->stride * i] : network->spec.initial;
        if (weight != 0) /* untouched pages of a block are zero already, and stay unmapped */
            cells[stride * i] = weight;
    }
    memory_block_free(&network->block);
    network->block = block;
    network->cells = cells;
    network->stride = stride;
    network->weights = stride == 1 ? cells : NULL;
    return STATUS_OK;
}

enum status network_create(struct network **out, const struct network_spec *spec)
{
    enum status status = network_plan(out, spec);
    if (status)
        return status;
    status = network_set_stride(*out, 1);
    if (status) {
        network_free(*out);
        *out = NULL;
    }
    return status;
}

void network_free(struct network *network)
{
    if (!network)
        return;
    memory_block_free(&network->block);
    free(network->groups);
    free(network->index_blocks);
    grid_free(&network->grid);
    free(network);
}

const float *network_get_weights(const struct network *network, uint64_t first, size_t n, float *room)
{
    if (network->weights)
        return network->weights + first;
    const float *cell = network->cells + network->stride * first;
    for (size_t i = 0; i < n; i++, cell += network->stride)
        room[i] = *cell;
    return room;
}

void network_put_weights(struct network *network, uint64_t first, size_t n, const float *weights)
{
    float *cell = network->cells + network->stride * first;
    for (size_t i = 0; i < n; i++, cell += network->stride)
        if (*cell != weights[i])
            *cell = weights[i];
}

uint64_t network_count_stage(const struct network *network, unsigned stage)
{
    const float *cell = network_stage_cells(network, stage);
    uint64_t touched = 0;
    for (uint64_t i = 0; i < network->n_stage_weights; i++, cell += network->stride)
        touched += *cell != network->spec.initial;
    return touched;
}

uint64_t network_count_touched(const struct network *network)
{
    uint64_t touched = 0;
    for (unsigned stage = 0; stage < network->spec.stages.n_stages; stage++)
        touched += network_count_stage(network, stage);
    return touched;
}
