#include "neural/compute.h"

#include "base/blas.h"
#include "base/clock.h"
#include "neural/products.h"

#include <stdlib.h>
#include <string.h>

/* A tap is shared if its different input rows are at most this part of all: adding costs some time as well. */
enum { SHARED_NUMERATOR = 7, SHARED_DENOMINATOR = 8 };

/* How a tap of a filter is multiplied. */
struct tap_plan {
    bool shared;         /* different input rows once each, then added; otherwise gathered for each output row */
    bool in_order;       /* shared: the different rows are the first ones of the level below; no copy is needed */
    size_t n_different;  /* shared */
    uint32_t *different; /* shared: [n_different] rows of the level below */
    uint32_t *local;     /* shared: [output row of the filter]: place in `different` */
};

/* The output of one layer for a batch. */
struct level {
    const struct neural_layer *layer;
    bool copies;            /* one slab from one slab: its rows are those of the level below */
    size_t n_rows;          /* different ones in this batch */
    size_t *begin;          /* [filter]: its first row; [n_filters] is n_rows */
    size_t *max_rows;       /* [filter]: slabs * boards */
    uint32_t *inputs;       /* [row * taps + tap]: rows below; planes for the first layer */
    uint32_t *row_of;       /* [slab * boards + board] */
    struct tap_plan *plans; /* [filter * taps + tap] */
    uint32_t *lists;        /* storage of the plans */
    neural_real *values, *errors;
};

struct neural_workspace {
    const struct neural *neural;
    size_t max_boards, n_boards;
    bool backward;
    struct level levels[NEURAL_MAX_LAYERS];
    uint32_t *planes; /* [cell * boards + board] */
    uint32_t *table;  /* hash table of rows: row + 1, or 0 */
    uint64_t *seen;   /* [row below]: stamp of the tap that saw it last, and its place there */
    uint32_t stamp;
    struct memory_block block;
    neural_real *gathered, *partial; /* input rows of one product; products of shared taps */
    struct neural_work work;
};

static size_t max_of(size_t a, size_t b)
{
    return a > b ? a : b;
}

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

/* Takes n numbers of the block; the first pass, without a block, only counts. */
static neural_real *take(struct neural_workspace *workspace, size_t *used, size_t n)
{
    neural_real *place = workspace->block.data ? (neural_real *)workspace->block.data + *used : NULL;
    *used += (n + 15) / 16 * 16;
    return place;
}

static size_t place_buffers(struct neural_workspace *workspace)
{
    const struct neural *neural = workspace->neural;
    size_t used = 0, gathered = 0, partial = 0;
    for (unsigned i = 0; i < neural->n_layers; i++) {
        struct level *level = &workspace->levels[i];
        const struct neural_layer *layer = level->layer;
        size_t rows = layer->n_out * workspace->max_boards, filter_rows = 0;
        level->values = take(workspace, &used, rows * layer->out_width);
        if (workspace->backward)
            level->errors = take(workspace, &used, rows * layer->out_width);
        for (unsigned f = 0; f < layer->n_filters; f++)
            filter_rows = max_of(filter_rows, level->max_rows[f]);
        if (i == 0 || level->copies)
            continue;
        gathered = max_of(gathered, filter_rows * layer->in_width);
        partial = max_of(
            partial, filter_rows * max_of(layer->taps * layer->out_width, (size_t)layer->in_width + layer->out_width));
    }
    workspace->gathered = take(workspace, &used, gathered);
    workspace->partial = take(workspace, &used, partial);
    return used;
}

static enum status create_buffers(struct neural_workspace *workspace)
{
    const struct neural *neural = workspace->neural;
    size_t boards = workspace->max_boards, most = 0, most_rows = 0;
    for (unsigned i = 0; i < neural->n_layers; i++) {
        struct level *level = &workspace->levels[i];
        enum status status = create_level(level, &neural->layers[i], boards);
        if (status)
            return status;
        level->copies = i > 0 && neural->layers[i].n_in == 1;
        for (unsigned f = 0; f < neural->layers[i].n_filters; f++)
            most = max_of(most, level->max_rows[f]);
        most_rows = max_of(most_rows, neural->layers[i].n_out * boards);
    }
    workspace->planes = memory_allocate(neural->grid.n_cells * boards, sizeof *workspace->planes);
    workspace->table = memory_allocate(table_size(most), sizeof *workspace->table);
    workspace->seen = memory_allocate(most_rows, sizeof *workspace->seen);
    if (!workspace->planes || !workspace->table || !workspace->seen)
        return STATUS_NO_MEMORY;
    enum status status =
        memory_block_allocate(&workspace->block, place_buffers(workspace) * sizeof *workspace->gathered);
    if (!status)
        place_buffers(workspace);
    return status;
}

enum status neural_workspace_create(struct neural_workspace **out, const struct neural *neural, size_t max_boards,
                                    bool backward)
{
    *out = NULL;
    enum status status = blas_load(BLAS_ONLY);
    if (status)
        return status;
    struct neural_workspace *workspace = memory_allocate(1, sizeof *workspace);
    if (!workspace)
        return STATUS_NO_MEMORY;
    workspace->neural = neural;
    workspace->max_boards = max_boards;
    workspace->backward = backward;
    status = create_buffers(workspace);
    if (status) {
        neural_workspace_free(workspace);
        return status;
    }
    *out = workspace;
    return STATUS_OK;
}

void neural_workspace_free(struct neural_workspace *workspace)
{
    if (!workspace)
        return;
    for (unsigned i = 0; i < NEURAL_MAX_LAYERS; i++) {
        struct level *level = &workspace->levels[i];
        free(level->begin);
        free(level->max_rows);
        free(level->inputs);
        free(level->row_of);
        free(level->plans);
        free(level->lists);
    }
    free(workspace->planes);
    free(workspace->table);
    free(workspace->seen);
    memory_block_free(&workspace->block);
    free(workspace);
}

size_t neural_workspace_boards(const struct neural_workspace *workspace)
{
    return workspace->max_boards;
}

size_t neural_workspace_bytes(const struct neural_workspace *workspace)
{
    return workspace->block.bytes;
}

struct neural_work neural_workspace_work(const struct neural_workspace *workspace)
{
    return workspace->work;
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
static void find_rows(struct neural_workspace *workspace, struct level *level, const uint32_t *below)
{
    const struct neural_layer *layer = level->layer;
    size_t n = workspace->n_boards;
    level->n_rows = 0;
    for (unsigned f = 0; f < layer->n_filters; f++) {
        size_t size = table_size(level->max_rows[f] / workspace->max_boards * n);
        memset(workspace->table, 0, size * sizeof *workspace->table);
        level->begin[f] = level->n_rows;
        for (unsigned slab = 0; slab < layer->n_out; slab++) {
            const uint16_t *from = layer->inputs + slab * layer->taps;
            for (size_t b = 0; b < n && layer->filters[slab] == f; b++) {
                uint32_t *inputs = level->inputs + level->n_rows * layer->taps;
                for (unsigned tap = 0; tap < layer->taps; tap++)
                    inputs[tap] = below[from[tap] * n + b];
                level->row_of[slab * n + b] = find_row(level, workspace->table, size - 1);
            }
        }
    }
    level->begin[layer->n_filters] = level->n_rows;
}

/* Rows of a level that has those of the level below. */
static void copy_rows(const struct neural_workspace *workspace, struct level *level, const struct level *below)
{
    level->n_rows = level->begin[1] = below->n_rows;
    memcpy(level->row_of, below->row_of, workspace->n_boards * sizeof *level->row_of);
}

/* Chooses how a tap is multiplied. */
static void choose_plan(struct neural_workspace *workspace, struct level *level, unsigned filter, unsigned tap)
{
    unsigned taps = level->layer->taps;
    struct tap_plan *plan = &level->plans[filter * taps + tap];
    size_t first = level->begin[filter], n_rows = level->begin[filter + 1] - first;
    uint64_t stamp = ++workspace->stamp;
    plan->n_different = 0;
    plan->in_order = true;
    for (size_t r = 0; r < n_rows; r++) {
        uint32_t below = level->inputs[(first + r) * taps + tap];
        if (workspace->seen[below] >> 32 != stamp) {
            workspace->seen[below] = stamp << 32 | plan->n_different;
            plan->in_order &= below == plan->n_different;
            plan->different[plan->n_different++] = below;
        }
        plan->local[r] = (uint32_t)workspace->seen[below];
    }
    plan->shared = plan->n_different * SHARED_DENOMINATOR <= n_rows * SHARED_NUMERATOR;
}

static void find_all_rows(struct neural_workspace *workspace, const struct board *boards)
{
    const struct neural *neural = workspace->neural;
    size_t n = workspace->n_boards;
    for (unsigned cell = 0; cell < neural->grid.n_cells; cell++)
        for (size_t b = 0; b < n; b++)
            workspace->planes[cell * n + b] = neural_plane(neural, board_get(boards[b], cell));
    if (workspace->stamp > UINT32_MAX / 2) { /* before stamps could repeat */
        size_t most = 0;
        for (unsigned i = 0; i < neural->n_layers; i++)
            most = max_of(most, neural->layers[i].n_out * workspace->max_boards);
        memset(workspace->seen, 0, most * sizeof *workspace->seen);
        workspace->stamp = 0;
    }
    find_rows(workspace, &workspace->levels[0], workspace->planes);
    for (unsigned i = 1; i < neural->n_layers; i++) {
        struct level *level = &workspace->levels[i];
        if (level->copies) {
            copy_rows(workspace, level, level - 1);
            continue;
        }
        find_rows(workspace, level, level[-1].row_of);
        for (unsigned k = 0; k < level->layer->n_filters * level->layer->taps; k++)
            choose_plan(workspace, level, k / level->layer->taps, k % level->layer->taps);
    }
}

static const neural_real *weights_of(const struct neural_workspace *workspace, const struct level *level,
                                     unsigned filter, unsigned tap)
{
    const struct neural_layer *layer = level->layer;
    return workspace->neural->parameters + layer->weights +
           ((size_t)filter * layer->taps + tap) * layer->in_width * layer->out_width;
}

static void add_row(neural_real *restrict to, const neural_real *restrict from, size_t width)
{
    for (size_t j = 0; j < width; j++)
        to[j] += from[j];
}

/* NaN stays NaN, so that the loss shows it. */
static void relu_row(neural_real *row, size_t width)
{
    for (size_t j = 0; j < width; j++)
        row[j] = 0 > row[j] ? 0 : row[j];
}

static uint64_t begin_product(void)
{
    return clock_nanoseconds();
}

static void end_product(struct neural_workspace *workspace, uint64_t began, size_t rows,
                        const struct neural_layer *layer)
{
    workspace->work.seconds += (double)(clock_nanoseconds() - began) * 1e-9;
    workspace->work.operations += 2.0 * (double)rows * layer->in_width * layer->out_width;
}

/*
 * The input rows of a tap as one matrix of *n rows, one for each row of its product. Copied only if they are not
 * already contiguous.
 */
static const neural_real *gather(struct neural_workspace *workspace, const struct level *level, unsigned filter,
                                 unsigned tap, size_t *n)
{
    const struct neural_layer *layer = level->layer;
    const struct tap_plan *plan = &level->plans[filter * layer->taps + tap];
    const neural_real *below = level[-1].values;
    size_t first = level->begin[filter], width = layer->in_width;
    *n = level->copies || !plan->shared ? level->begin[filter + 1] - first : plan->n_different;
    if (level->copies || (plan->shared && plan->in_order))
        return below;
    const uint32_t *rows = plan->shared ? plan->different : level->inputs + first * layer->taps + tap;
    size_t step = plan->shared ? 1 : layer->taps;
    for (size_t r = 0; r < *n; r++)
        memcpy(workspace->gathered + r * width, below + rows[r * step] * width, width * sizeof *below);
    return workspace->gathered;
}

static void forward_first(struct neural_workspace *workspace)
{
    struct level *level = &workspace->levels[0];
    const struct neural_layer *layer = level->layer;
    const neural_real *biases = workspace->neural->parameters + layer->biases;
    size_t width = layer->out_width;
    for (unsigned f = 0; f < layer->n_filters; f++)
        for (size_t r = level->begin[f]; r < level->begin[f + 1]; r++) {
            neural_real *to = level->values + r * width;
            memcpy(to, biases + f * width, width * sizeof *to);
            for (unsigned tap = 0; tap < layer->taps; tap++)
                add_row(to, weights_of(workspace, level, f, tap) + level->inputs[r * layer->taps + tap] * width, width);
            if (layer->relu)
                relu_row(to, width);
        }
}

/* Adds bias and the products of shared taps to the rows of a filter, and applies ReLU. */
static void finish_rows(struct neural_workspace *workspace, struct level *level, unsigned filter, bool begun)
{
    const struct neural_layer *layer = level->layer;
    const neural_real *bias = workspace->neural->parameters + layer->biases + (size_t)filter * layer->out_width;
    size_t first = level->begin[filter], n_rows = level->begin[filter + 1] - first, width = layer->out_width;
    for (size_t r = 0; r < n_rows; r++) {
        neural_real *to = level->values + (first + r) * width;
        if (begun)
            add_row(to, bias, width);
        else
            memcpy(to, bias, width * sizeof *to);
        for (unsigned tap = 0; tap < layer->taps && !level->copies; tap++) {
            const struct tap_plan *plan = &level->plans[filter * layer->taps + tap];
            if (plan->shared)
                add_row(to, workspace->partial + (tap * n_rows + plan->local[r]) * width, width);
        }
        if (layer->relu)
            relu_row(to, width);
    }
}

static void forward_layer(struct neural_workspace *workspace, struct level *level)
{
    const struct neural_layer *layer = level->layer;
    size_t width = layer->out_width;
    for (unsigned f = 0; f < layer->n_filters; f++) {
        size_t first = level->begin[f], n_rows = level->begin[f + 1] - first, n;
        bool begun = false;
        for (unsigned tap = 0; tap < layer->taps; tap++) {
            bool shared = !level->copies && level->plans[f * layer->taps + tap].shared;
            neural_real *out = shared ? workspace->partial + tap * n_rows * width : level->values + first * width;
            const neural_real *in = gather(workspace, level, f, tap, &n);
            uint64_t began = begin_product();
            products_forward(in, n, layer->in_width, weights_of(workspace, level, f, tap), width, begun && !shared,
                             out);
            end_product(workspace, began, n, layer);
            begun |= !shared;
        }
        finish_rows(workspace, level, f, begun);
    }
}

void neural_forward(struct neural_workspace *workspace, const struct board *boards, size_t n, neural_real *out)
{
    unsigned n_layers = workspace->neural->n_layers;
    workspace->n_boards = n;
    if (n == 0)
        return;
    find_all_rows(workspace, boards);
    forward_first(workspace);
    for (unsigned i = 1; i < n_layers; i++)
        forward_layer(workspace, &workspace->levels[i]);
    const struct level *last = &workspace->levels[n_layers - 1];
    for (size_t b = 0; b < n; b++)
        out[b] = last->values[last->row_of[b]];
}

/* The errors of a level's rows before ReLU, and from them the gradient of its biases. */
static void backward_biases(struct neural_workspace *workspace, struct level *level, neural_real *gradient)
{
    (void)workspace;
    const struct neural_layer *layer = level->layer;
    size_t width = layer->out_width;
    for (unsigned f = 0; f < layer->n_filters; f++)
        for (size_t r = level->begin[f]; r < level->begin[f + 1]; r++) {
            neural_real *error = level->errors + r * width;
            const neural_real *value = level->values + r * width;
            for (size_t j = 0; j < width && layer->relu; j++)
                error[j] = value[j] > 0 ? error[j] : 0;
            add_row(gradient + layer->biases + f * width, error, width);
        }
}

static void backward_first(struct neural_workspace *workspace, neural_real *gradient)
{
    struct level *level = &workspace->levels[0];
    const struct neural_layer *layer = level->layer;
    size_t width = layer->out_width;
    for (unsigned f = 0; f < layer->n_filters; f++)
        for (size_t r = level->begin[f]; r < level->begin[f + 1]; r++)
            for (unsigned tap = 0; tap < layer->taps; tap++) {
                size_t row = ((size_t)f * layer->taps + tap) * layer->in_width + level->inputs[r * layer->taps + tap];
                add_row(gradient + layer->weights + row * width, level->errors + r * width, width);
            }
}

/* The errors of the rows of a tap's product: those of the output rows, added if the tap is shared. */
static const neural_real *gather_errors(struct neural_workspace *workspace, const struct level *level, unsigned filter,
                                        unsigned tap)
{
    const struct neural_layer *layer = level->layer;
    const struct tap_plan *plan = &level->plans[filter * layer->taps + tap];
    size_t first = level->begin[filter], n_rows = level->begin[filter + 1] - first, width = layer->out_width;
    const neural_real *errors = level->errors + first * width;
    if (level->copies || !plan->shared)
        return errors;
    memset(workspace->partial, 0, plan->n_different * width * sizeof *errors);
    for (size_t r = 0; r < n_rows; r++)
        add_row(workspace->partial + plan->local[r] * width, errors + r * width, width);
    return workspace->partial;
}

/* Adds the errors of a tap's input rows to the level below. */
static void spread_errors(const struct level *level, unsigned filter, unsigned tap, size_t n, const neural_real *errors)
{
    const struct neural_layer *layer = level->layer;
    const struct tap_plan *plan = &level->plans[filter * layer->taps + tap];
    const uint32_t *rows = plan->shared ? plan->different : level->inputs + level->begin[filter] * layer->taps + tap;
    size_t step = plan->shared ? 1 : layer->taps, width = layer->in_width;
    for (size_t r = 0; r < n; r++)
        add_row(level[-1].errors + rows[r * step] * width, errors + r * width, width);
}

static void backward_layer(struct neural_workspace *workspace, struct level *level, neural_real *gradient)
{
    const struct neural_layer *layer = level->layer;
    size_t in = layer->in_width, out = layer->out_width, n;
    if (!level->copies)
        memset(level[-1].errors, 0, level[-1].n_rows * in * sizeof *gradient);
    for (unsigned f = 0; f < layer->n_filters; f++)
        for (unsigned tap = 0; tap < layer->taps; tap++) {
            const neural_real *weights = weights_of(workspace, level, f, tap);
            const neural_real *errors = gather_errors(workspace, level, f, tap);
            const neural_real *inputs = gather(workspace, level, f, tap, &n);
            uint64_t began = begin_product();
            products_weights(inputs, errors, n, in, out, gradient + (weights - workspace->neural->parameters));
            /* The gathered inputs are not needed any more, and the errors of inputs have their size. */
            neural_real *in_errors = level->copies ? level[-1].errors : workspace->gathered;
            products_inputs(errors, n, out, weights, in, in_errors);
            end_product(workspace, began, 2 * n, layer);
            if (!level->copies)
                spread_errors(level, f, tap, n, in_errors);
        }
}

void neural_backward(struct neural_workspace *workspace, const neural_real *error, neural_real *gradient)
{
    unsigned n_layers = workspace->neural->n_layers;
    struct level *last = &workspace->levels[n_layers - 1];
    if (workspace->n_boards == 0)
        return;
    memset(last->errors, 0, last->n_rows * sizeof *last->errors);
    for (size_t b = 0; b < workspace->n_boards; b++)
        last->errors[last->row_of[b]] += error[b];
    for (unsigned i = n_layers - 1; i > 0; i--) {
        backward_biases(workspace, &workspace->levels[i], gradient);
        backward_layer(workspace, &workspace->levels[i], gradient);
    }
    backward_biases(workspace, &workspace->levels[0], gradient);
    backward_first(workspace, gradient);
}

/* in and out are [slab][width]. */
static void plain_layer(const struct neural *neural, const struct neural_layer *layer, const neural_real *in,
                        neural_real *out)
{
    const neural_real *weights = neural->parameters + layer->weights, *biases = neural->parameters + layer->biases;
    for (unsigned slab = 0; slab < layer->n_out; slab++)
        for (unsigned j = 0; j < layer->out_width; j++) {
            unsigned filter = layer->filters[slab];
            double sum = (double)biases[filter * layer->out_width + j];
            for (unsigned tap = 0; tap < layer->taps; tap++)
                for (unsigned i = 0; i < layer->in_width; i++) {
                    unsigned from = layer->inputs[slab * layer->taps + tap];
                    size_t at = (((size_t)filter * layer->taps + tap) * layer->in_width + i) * layer->out_width + j;
                    sum += (double)in[from * layer->in_width + i] * (double)weights[at];
                }
            out[slab * layer->out_width + j] = (neural_real)(layer->relu && sum < 0 ? 0 : sum);
        }
}

enum status neural_output_plain(const struct neural *neural, struct board board, neural_real *out)
{
    size_t most = (size_t)neural->grid.n_cells * neural->spec.planes;
    for (unsigned i = 0; i < neural->n_layers; i++)
        most = max_of(most, (size_t)neural->layers[i].n_out * neural->layers[i].out_width);
    neural_real *in = memory_allocate(most, sizeof *in), *next = memory_allocate(most, sizeof *next);
    enum status status = in && next ? STATUS_OK : STATUS_NO_MEMORY;
    if (status)
        goto done;
    for (unsigned cell = 0; cell < neural->grid.n_cells; cell++)
        in[cell * neural->spec.planes + neural_plane(neural, board_get(board, cell))] = 1;
    for (unsigned i = 0; i < neural->n_layers; i++) {
        plain_layer(neural, &neural->layers[i], in, next);
        neural_real *was = in;
        in = next;
        next = was;
    }
    *out = *in;
done:
    free(in);
    free(next);
    return status;
}
