/* levels: finds the different rows of each layer for a batch of boards. */
#include "neural/levels.h"

#include <stdlib.h>
#include <string.h>

/* A tap is shared if its different input rows are at most this part of all: adding costs some time as well. */
enum { SHARED_NUMERATOR = 7, SHARED_DENOMINATOR = 8 };

static size_t table_size(size_t rows)
{
    size_t size = 16;
    while (size < 2 * rows)
        size *= 2;
    return size;
}

static enum status create_level(struct level *level, const struct neural_layer *layer, size_t boards)
{
    size_t n_slabs = layer->n_out, n_lists = n_slabs * boards * layer->taps;
    level->layer = layer;
    level->begin = memory_allocate(layer->n_filters + 1, sizeof *level->begin);
    level->max_rows = memory_allocate(layer->n_filters, sizeof *level->max_rows);
    level->inputs = memory_allocate(n_lists, sizeof *level->inputs);
    level->row_of = memory_allocate(n_slabs * boards, sizeof *level->row_of);
    level->plans = memory_allocate((size_t)layer->n_filters * layer->taps, sizeof *level->plans);
    level->lists = memory_allocate(2 * n_lists, sizeof *level->lists);
    if (!level->begin || !level->max_rows || !level->inputs || !level->row_of || !level->plans || !level->lists)
        return STATUS_NO_MEMORY;
    for (unsigned slab = 0; slab < n_slabs; slab++)
        level->max_rows[layer->filters[slab]] += boards;
    uint32_t *room = level->lists;
    for (unsigned i = 0; i < layer->n_filters * layer->taps; i++) {
        level->plans[i].different = room;
        level->plans[i].local = room + level->max_rows[i / layer->taps];
        room += 2 * level->max_rows[i / layer->taps];
    }
    return STATUS_OK;
}

enum status levels_create(struct levels *levels, const struct neural *neural, size_t max_boards)
{
    size_t most = 0, most_rows = 0;
    *levels = (struct levels){.neural = neural, .max_boards = max_boards};
    for (unsigned i = 0; i < neural->n_layers; i++) {
        const struct neural_layer *layer = &neural->layers[i];
        struct level *level = &levels->level[i];
        enum status status = create_level(level, layer, max_boards);
        if (status)
            return status;
        level->copies = i > 0 && layer->n_in == 1;
        for (unsigned f = 0; f < layer->n_filters; f++)
            most = level->max_rows[f] > most ? level->max_rows[f] : most;
        most_rows = layer->n_out * max_boards > most_rows ? layer->n_out * max_boards : most_rows;
    }
    levels->planes = memory_allocate(neural->grid.n_cells * max_boards, sizeof *levels->planes);
    levels->table = memory_allocate(table_size(most), sizeof *levels->table);
    levels->n_seen = most_rows;
    levels->seen = memory_allocate(most_rows, sizeof *levels->seen);
    return levels->planes && levels->table && levels->seen ? STATUS_OK : STATUS_NO_MEMORY;
}

void levels_free(struct levels *levels)
{
    for (unsigned i = 0; i < NEURAL_MAX_LAYERS; i++) {
        struct level *level = &levels->level[i];
        free(level->begin);
        free(level->max_rows);
        free(level->inputs);
        free(level->row_of);
        free(level->plans);
        free(level->lists);
    }
    free(levels->planes);
    free(levels->table);
    free(levels->seen);
    *levels = (struct levels){0};
}

static uint64_t hash_inputs(const uint32_t *inputs, unsigned taps)
{
    uint64_t hash = 0;
    for (unsigned tap = 0; tap < taps; tap++)
        hash = (hash ^ inputs[tap]) * UINT64_C(0x9e3779b97f4a7c15) ^ hash >> 29;
    return hash ^ hash >> 32;
}

/* Finds the row of the filter with the inputs that were just stored after the last row, or makes them a new row. */
static uint32_t find_row(struct level *level, uint32_t *table, size_t mask)
{
    unsigned taps = level->layer->taps;
    const uint32_t *inputs = level->inputs + level->n_rows * taps;
    for (size_t at = hash_inputs(inputs, taps) & mask;; at = (at + 1) & mask) {
        if (table[at] == 0) {
            table[at] = (uint32_t)++level->n_rows;
            return table[at] - 1;
        }
        uint32_t row = table[at] - 1;
        if (memcmp(level->inputs + (size_t)row * taps, inputs, taps * sizeof *inputs) == 0)
            return row;
    }
}

/* Numbers the different rows of a level; below[slab * boards + board] are the rows (or planes) of the level below. */
static void find_rows(struct levels *levels, struct level *level, const uint32_t *below)
{
    const struct neural_layer *layer = level->layer;
    size_t n = levels->n_boards;
    level->n_rows = 0;
    for (unsigned f = 0; f < layer->n_filters; f++) {
        size_t size = table_size(level->max_rows[f] / levels->max_boards * n);
        memset(levels->table, 0, size * sizeof *levels->table);
        level->begin[f] = level->n_rows;
        for (unsigned slab = 0; slab < layer->n_out; slab++) {
            const uint16_t *from = layer->inputs + slab * layer->taps;
            for (size_t b = 0; b < n && layer->filters[slab] == f; b++) {
                uint32_t *inputs = level->inputs + level->n_rows * layer->taps;
                for (unsigned tap = 0; tap < layer->taps; tap++)
                    inputs[tap] = below[from[tap] * n + b];
                level->row_of[slab * n + b] = find_row(level, levels->table, size - 1);
            }
        }
    }
    level->begin[layer->n_filters] = level->n_rows;
}

/* Rows of a level that has those of the level below. */
static void copy_rows(const struct levels *levels, struct level *level, const struct level *below)
{
    level->n_rows = level->begin[1] = below->n_rows;
    memcpy(level->row_of, below->row_of, levels->n_boards * sizeof *level->row_of);
}

/* Chooses how a tap is multiplied. */
static void choose_plan(struct levels *levels, struct level *level, unsigned filter, unsigned tap)
{
    unsigned taps = level->layer->taps;
    struct tap_plan *plan = &level->plans[filter * taps + tap];
    size_t first = level->begin[filter], n_rows = level->begin[filter + 1] - first;
    uint64_t stamp = ++levels->stamp;
    plan->n_different = 0;
    plan->in_order = true;
    for (size_t r = 0; r < n_rows; r++) {
        uint32_t below = level->inputs[(first + r) * taps + tap];
        if (levels->seen[below] >> 32 != stamp) {
            levels->seen[below] = stamp << 32 | plan->n_different;
            plan->in_order &= below == plan->n_different;
            plan->different[plan->n_different++] = below;
        }
        plan->local[r] = (uint32_t)levels->seen[below];
    }
    plan->shared = plan->n_different * SHARED_DENOMINATOR <= n_rows * SHARED_NUMERATOR;
}

void levels_find_rows(struct levels *levels, const struct board *boards, size_t n)
{
    const struct neural *neural = levels->neural;
    levels->n_boards = n;
    for (unsigned cell = 0; cell < neural->grid.n_cells; cell++)
        for (size_t b = 0; b < n; b++)
            levels->planes[cell * n + b] = neural_plane(neural, board_get(boards[b], cell));
    if (levels->stamp > UINT32_MAX / 2) { /* before stamps could repeat */
        memset(levels->seen, 0, levels->n_seen * sizeof *levels->seen);
        levels->stamp = 0;
    }
    find_rows(levels, &levels->level[0], levels->planes);
    for (unsigned i = 1; i < neural->n_layers; i++) {
        struct level *level = &levels->level[i];
        if (level->copies) {
            copy_rows(levels, level, level - 1);
            continue;
        }
        find_rows(levels, level, level[-1].row_of);
        for (unsigned k = 0; k < level->layer->n_filters * level->layer->taps; k++)
            choose_plan(levels, level, k / level->layer->taps, k % level->layer->taps);
    }
}
