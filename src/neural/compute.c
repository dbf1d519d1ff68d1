/* compute: values of a batch of boards, and the gradient of their weights. */
#include "neural/compute.h"

#include "base/clock.h"
#include "neural/bf16.h"
#include "neural/levels.h"
#include "neural/products.h"

#include <stdlib.h>
#include <string.h>

struct neural_workspace {
    const struct neural *neural;
    bool backward;
    struct levels levels;
    struct memory_block block;
    neural_real *gathered, *partial; /* input rows of one product; products of shared taps */
    const struct half_weights *half; /* NULL: all products are of floats */
    uint16_t *half_gathered, *half_errors;
    uint32_t *half_left, *half_right; /* operands of the gradient of weights */
    bool timed;
    struct neural_work work;
};

static size_t max_of(size_t a, size_t b)
{
    return a > b ? a : b;
}

/* Takes n numbers of the block; the first pass, without a block, only counts. */
static neural_real *take(struct neural_workspace *workspace, size_t *used, size_t n)
{
    neural_real *place = workspace->block.data ? (neural_real *)workspace->block.data + *used : NULL;
    *used += (n + 15) / 16 * 16;
    return place;
}

/* The same for n words of 32 bits or fewer. */
static void *take_words(struct neural_workspace *workspace, size_t *used, size_t n)
{
    return take(workspace, used, n);
}

/* Operands of products in 16 bits. */
static void place_half_buffers(struct neural_workspace *workspace, size_t *used)
{
    size_t gathered = 0, errors = 0, left = 0, right = 0;
    for (unsigned i = 1; i < workspace->neural->n_layers; i++) {
        struct level *level = &workspace->levels.level[i];
        const struct neural_layer *layer = level->layer;
        size_t rows = 0;
        for (unsigned f = 0; f < layer->n_filters; f++)
            rows = max_of(rows, level->max_rows[f]);
        if (!level->half)
            continue;
        level[-1].halves =
            take_words(workspace, used, (layer->n_in * workspace->levels.max_boards * layer->in_width + 1) / 2);
        gathered = max_of(gathered, level->copies ? 0 : rows * layer->in_width);
        errors = max_of(errors, rows * layer->out_width);
        left = max_of(left, bf16_left_words((rows + 1) / 2, layer->in_width));
        right = max_of(right, bf16_right_words((rows + 1) / 2, layer->out_width));
    }
    workspace->half_gathered = take_words(workspace, used, (gathered + 1) / 2);
    if (!workspace->backward)
        return;
    workspace->half_errors = take_words(workspace, used, (errors + 1) / 2);
    workspace->half_left = take_words(workspace, used, left);
    workspace->half_right = take_words(workspace, used, right);
}

static size_t place_buffers(struct neural_workspace *workspace)
{
    const struct neural *neural = workspace->neural;
    size_t used = 0, gathered = 0, partial = 0;
    for (unsigned i = 0; i < neural->n_layers; i++) {
        struct level *level = &workspace->levels.level[i];
        const struct neural_layer *layer = level->layer;
        size_t rows = layer->n_out * workspace->levels.max_boards, filter_rows = 0;
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
    if (workspace->half)
        place_half_buffers(workspace, &used);
    return used;
}

static enum status create_buffers(struct neural_workspace *workspace, size_t max_boards)
{
    const struct neural *neural = workspace->neural;
    enum status status = levels_create(&workspace->levels, neural, max_boards);
    if (status)
        return status;
    for (unsigned i = 0; i < neural->n_layers; i++)
        workspace->levels.level[i].half = workspace->half && half_weights_has(neural, i);
    status = memory_block_allocate(&workspace->block, place_buffers(workspace) * sizeof *workspace->gathered);
    if (!status)
        place_buffers(workspace);
    return status;
}

enum status neural_workspace_create(struct neural_workspace **out, const struct neural *neural,
                                    const struct half_weights *half, size_t max_boards, bool backward)
{
    *out = NULL;
    enum status status = products_load();
    if (status)
        return status;
    struct neural_workspace *workspace = memory_allocate(1, sizeof *workspace);
    if (!workspace)
        return STATUS_NO_MEMORY;
    workspace->neural = neural;
    workspace->backward = backward;
    workspace->half = half;
    status = create_buffers(workspace, max_boards);
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
    levels_free(&workspace->levels);
    memory_block_free(&workspace->block);
    free(workspace);
}

size_t neural_workspace_boards(const struct neural_workspace *workspace)
{
    return workspace->levels.max_boards;
}

size_t neural_workspace_bytes(const struct neural_workspace *workspace)
{
    return workspace->block.bytes;
}

void neural_workspace_time(struct neural_workspace *workspace)
{
    workspace->timed = true;
}

struct neural_work neural_workspace_work(const struct neural_workspace *workspace)
{
    return workspace->work;
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

/* Rows that are added to a row, several in one pass over it. */
enum { MAX_PARTS = 4 };
struct parts {
    const neural_real *rows[MAX_PARTS];
    unsigned n;
};

/* `n` and `relu` are constants where it is called, so that each case is one loop of vectors. */
static inline __attribute__((always_inline)) void sum_rows(unsigned n, bool relu, const struct parts *parts,
                                                           size_t width, neural_real *restrict to)
{
    const neural_real *restrict a = parts->rows[0], *restrict b = parts->rows[n > 1],
                                *restrict c = parts->rows[n > 2 ? 2 : 0], *restrict d = parts->rows[n > 3 ? 3 : 0];
    for (size_t j = 0; j < width; j++) {
        neural_real sum = to[j] + a[j];
        sum = n > 1 ? sum + b[j] : sum;
        sum = n > 2 ? sum + c[j] : sum;
        sum = n > 3 ? sum + d[j] : sum;
        to[j] = relu && 0 > sum ? 0 : sum; /* NaN stays NaN, so that the loss shows it */
    }
}

/* Adds the parts to a row, and empties their list. */
static void add_parts(struct parts *parts, size_t width, bool relu, neural_real *to)
{
    switch (parts->n + (relu ? MAX_PARTS : 0)) {
    case 1:
        sum_rows(1, false, parts, width, to);
        break;
    case 2:
        sum_rows(2, false, parts, width, to);
        break;
    case 3:
        sum_rows(3, false, parts, width, to);
        break;
    case 4:
        sum_rows(4, false, parts, width, to);
        break;
    case 5:
        sum_rows(1, true, parts, width, to);
        break;
    case 6:
        sum_rows(2, true, parts, width, to);
        break;
    case 7:
        sum_rows(3, true, parts, width, to);
        break;
    case 8:
        sum_rows(4, true, parts, width, to);
        break;
    }
    parts->n = 0;
}

/* Lists a part; a full list is added first, so that it is never empty afterwards. */
static void list_part(struct parts *parts, const neural_real *row, size_t width, neural_real *to)
{
    if (parts->n == MAX_PARTS)
        add_parts(parts, width, false, to);
    parts->rows[parts->n++] = row;
}

static uint64_t begin_product(const struct neural_workspace *workspace)
{
    return workspace->timed ? clock_nanoseconds() : 0;
}

static void end_product(struct neural_workspace *workspace, uint64_t began, size_t rows,
                        const struct neural_layer *layer)
{
    if (workspace->timed)
        workspace->work.seconds += (double)(clock_nanoseconds() - began) * 1e-9;
    workspace->work.operations += 2.0 * (double)rows * layer->in_width * layer->out_width;
}

/* The input rows of a tap: how many rows its product has, and which rows of the level below they are, every `step` of
   the list; NULL: the first ones, in order. */
struct tap_rows {
    size_t n, step;
    const uint32_t *list;
};

static struct tap_rows rows_of(const struct level *level, unsigned filter, unsigned tap)
{
    const struct neural_layer *layer = level->layer;
    const struct tap_plan *plan = &level->plans[filter * layer->taps + tap];
    size_t first = level->begin[filter], n_rows = level->begin[filter + 1] - first;
    if (level->copies)
        return (struct tap_rows){n_rows, 1, NULL};
    if (plan->shared)
        return (struct tap_rows){plan->n_different, 1, plan->in_order ? NULL : plan->different};
    return (struct tap_rows){n_rows, layer->taps, level->inputs + first * layer->taps + tap};
}

/*
 * The input rows of a tap as one matrix of *n rows, one for each row of its product. Copied only if they are not
 * already contiguous.
 */
static const neural_real *gather(struct neural_workspace *workspace, const struct level *level, unsigned filter,
                                 unsigned tap, size_t *n)
{
    struct tap_rows rows = rows_of(level, filter, tap);
    const neural_real *below = level[-1].values;
    size_t width = level->layer->in_width;
    *n = rows.n;
    if (!rows.list)
        return below;
    for (size_t r = 0; r < *n; r++)
        memcpy(workspace->gathered + r * width, below + rows.list[r * rows.step] * width, width * sizeof *below);
    return workspace->gathered;
}

/* The same in 16 bits. */
static const uint16_t *gather_halves(struct neural_workspace *workspace, const struct level *level, unsigned filter,
                                     unsigned tap, size_t *n)
{
    struct tap_rows rows = rows_of(level, filter, tap);
    const uint16_t *below = level[-1].halves;
    size_t width = level->layer->in_width;
    *n = rows.n;
    if (!rows.list)
        return below;
    for (size_t r = 0; r < *n; r++)
        memcpy(workspace->half_gathered + r * width, below + rows.list[r * rows.step] * width, width * sizeof *below);
    return workspace->half_gathered;
}

/* Rounds the values of a level for the product of the next one. */
static void round_values(const struct level *level)
{
    if (level->halves)
        bf16_round_all((const float *)level->values, level->n_rows * level->layer->out_width, level->halves);
}

static void forward_first(struct neural_workspace *workspace)
{
    struct level *level = &workspace->levels.level[0];
    const struct neural_layer *layer = level->layer;
    const neural_real *biases = workspace->neural->parameters + layer->biases;
    size_t width = layer->out_width;
    for (unsigned f = 0; f < layer->n_filters; f++)
        for (size_t r = level->begin[f]; r < level->begin[f + 1]; r++) {
            neural_real *to = level->values + r * width;
            struct parts parts = {0};
            memcpy(to, biases + f * width, width * sizeof *to);
            for (unsigned tap = 0; tap < layer->taps; tap++)
                list_part(&parts, weights_of(workspace, level, f, tap) + level->inputs[r * layer->taps + tap] * width,
                          width, to);
            add_parts(&parts, width, layer->relu, to);
        }
    round_values(level);
}

/* Adds bias and the products of shared taps to the rows of a filter, and applies ReLU. */
static void finish_rows(struct neural_workspace *workspace, struct level *level, unsigned filter, bool begun)
{
    const struct neural_layer *layer = level->layer;
    const neural_real *bias = workspace->neural->parameters + layer->biases + (size_t)filter * layer->out_width;
    size_t first = level->begin[filter], n_rows = level->begin[filter + 1] - first, width = layer->out_width;
    for (size_t r = 0; r < n_rows; r++) {
        neural_real *to = level->values + (first + r) * width;
        struct parts parts = {0};
        if (begun)
            list_part(&parts, bias, width, to);
        else
            memcpy(to, bias, width * sizeof *to);
        for (unsigned tap = 0; tap < layer->taps && !level->copies; tap++) {
            const struct tap_plan *plan = &level->plans[filter * layer->taps + tap];
            if (plan->shared)
                list_part(&parts, workspace->partial + (tap * n_rows + plan->local[r]) * width, width, to);
        }
        add_parts(&parts, width, layer->relu, to);
    }
}

/* The product of a tap's input rows, added to `out` if `add`. */
static void multiply_floats(struct neural_workspace *workspace, const struct level *level, unsigned filter,
                            unsigned tap, bool add, neural_real *out)
{
    const struct neural_layer *layer = level->layer;
    size_t n;
    const neural_real *in = gather(workspace, level, filter, tap, &n);
    uint64_t began = begin_product(workspace);
    products_forward(in, n, layer->in_width, weights_of(workspace, level, filter, tap), layer->out_width, add, out);
    end_product(workspace, began, n, layer);
}

static void multiply_halves(struct neural_workspace *workspace, const struct level *level, unsigned filter,
                            unsigned tap, bool add, neural_real *out)
{
    const struct neural_layer *layer = level->layer;
    unsigned number = (unsigned)(layer - workspace->neural->layers);
    size_t n;
    const uint16_t *in = gather_halves(workspace, level, filter, tap, &n);
    uint64_t began = begin_product(workspace);
    bf16_multiply(bf16_rows(in, layer->in_width), n, half_weights_forward(workspace->half, number, filter, tap),
                  layer->in_width / 2, layer->out_width, add, (float *)out);
    end_product(workspace, began, n, layer);
}

static void forward_layer(struct neural_workspace *workspace, struct level *level)
{
    const struct neural_layer *layer = level->layer;
    size_t width = layer->out_width;
    for (unsigned f = 0; f < layer->n_filters; f++) {
        size_t first = level->begin[f], n_rows = level->begin[f + 1] - first;
        bool begun = false;
        for (unsigned tap = 0; tap < layer->taps; tap++) {
            bool shared = !level->copies && level->plans[f * layer->taps + tap].shared;
            neural_real *out = shared ? workspace->partial + tap * n_rows * width : level->values + first * width;
            if (level->half)
                multiply_halves(workspace, level, f, tap, begun && !shared, out);
            else
                multiply_floats(workspace, level, f, tap, begun && !shared, out);
            begun |= !shared;
        }
        finish_rows(workspace, level, f, begun);
    }
    round_values(level);
}

void neural_forward(struct neural_workspace *workspace, const struct board *boards, size_t n, neural_real *out)
{
    unsigned n_layers = workspace->neural->n_layers;
    workspace->levels.n_boards = n;
    if (n == 0)
        return;
    levels_find_rows(&workspace->levels, boards, n);
    forward_first(workspace);
    for (unsigned i = 1; i < n_layers; i++)
        forward_layer(workspace, &workspace->levels.level[i]);
    const struct level *last = &workspace->levels.level[n_layers - 1];
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
    struct level *level = &workspace->levels.level[0];
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
    struct tap_rows rows = rows_of(level, filter, tap);
    size_t width = level->layer->in_width;
    for (size_t r = 0; r < n; r++)
        add_row(level[-1].errors + (rows.list ? rows.list[r * rows.step] : r) * width, errors + r * width, width);
}

/* The gradient of a tap's weights, and the errors of its input rows in `in_errors`; n rows. */
static size_t derive_floats(struct neural_workspace *workspace, const struct level *level, unsigned filter,
                            unsigned tap, const neural_real *errors, neural_real *gradient, neural_real *in_errors)
{
    const struct neural_layer *layer = level->layer;
    const neural_real *weights = weights_of(workspace, level, filter, tap);
    size_t n;
    const neural_real *inputs = gather(workspace, level, filter, tap, &n);
    uint64_t began = begin_product(workspace);
    products_weights(inputs, errors, n, layer->in_width, layer->out_width, gradient);
    /* The gathered inputs are not needed any more, and the errors of inputs have their size. */
    products_inputs(errors, n, layer->out_width, weights, layer->in_width, in_errors);
    end_product(workspace, began, 2 * n, layer);
    return n;
}

static size_t derive_halves(struct neural_workspace *workspace, const struct level *level, unsigned filter,
                            unsigned tap, const neural_real *errors, neural_real *gradient, neural_real *in_errors)
{
    const struct neural_layer *layer = level->layer;
    unsigned number = (unsigned)(layer - workspace->neural->layers);
    size_t n, in = layer->in_width, out = layer->out_width;
    const uint16_t *inputs = gather_halves(workspace, level, filter, tap, &n);
    uint64_t began = begin_product(workspace);
    size_t pairs = (n + 1) / 2;
    bf16_round_all((const float *)errors, n * out, workspace->half_errors);
    bf16_pack_left(inputs, n, in, workspace->half_left);
    bf16_pack_right(workspace->half_errors, n, out, workspace->half_right);
    bf16_multiply(bf16_columns(workspace->half_left, pairs), in, workspace->half_right, pairs, out, true,
                  (float *)gradient);
    bf16_multiply(bf16_rows(workspace->half_errors, out), n,
                  half_weights_backward(workspace->half, number, filter, tap), out / 2, in, false, (float *)in_errors);
    end_product(workspace, began, 2 * n, layer);
    return n;
}

static void backward_layer(struct neural_workspace *workspace, struct level *level, neural_real *gradient)
{
    const struct neural_layer *layer = level->layer;
    if (!level->copies)
        memset(level[-1].errors, 0, level[-1].n_rows * layer->in_width * sizeof *gradient);
    for (unsigned f = 0; f < layer->n_filters; f++)
        for (unsigned tap = 0; tap < layer->taps; tap++) {
            neural_real *to = gradient + (weights_of(workspace, level, f, tap) - workspace->neural->parameters);
            const neural_real *errors = gather_errors(workspace, level, f, tap);
            neural_real *in_errors = level->copies ? level[-1].errors : workspace->gathered;
            size_t n = level->half ? derive_halves(workspace, level, f, tap, errors, to, in_errors)
                                   : derive_floats(workspace, level, f, tap, errors, to, in_errors);
            if (!level->copies)
                spread_errors(level, f, tap, n, in_errors);
        }
}

void neural_backward(struct neural_workspace *workspace, const neural_real *error, neural_real *gradient)
{
    unsigned n_layers = workspace->neural->n_layers;
    struct level *last = &workspace->levels.level[n_layers - 1];
    if (workspace->levels.n_boards == 0)
        return;
    memset(last->errors, 0, last->n_rows * sizeof *last->errors);
    for (size_t b = 0; b < workspace->levels.n_boards; b++)
        last->errors[last->row_of[b]] += error[b];
    for (unsigned i = n_layers - 1; i > 0; i--) {
        backward_biases(workspace, &workspace->levels.level[i], gradient);
        backward_layer(workspace, &workspace->levels.level[i], gradient);
    }
    backward_biases(workspace, &workspace->levels.level[0], gradient);
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
