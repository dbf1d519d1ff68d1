/* model: a neural value network: its layers and its weights. */
#include "neural/model.h"

#include <ctype.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ALIGN = 16 /* numbers: a cache line of floats */, MAX_MAPS = 2 << NEURAL_MAX_DUAL };

/*
 * Table 2 of Matsuzaki 2021. It gives the MLP as [512, 1024, 2048, 512], but its number of weights, 3,280,897, is that
 * of [512, 1024, 2048, 256].
 */
static const struct {
    const char *name, *layers;
} models[] = {
    {"CNN22", "2x2 256 512 fc 1024 256"}, {"CNN12", "dual 256 256 256 fc 256"}, {"CNN22ACG", "2x2 160 320 fc 2048 256"},
    {"MLP", "fc 512 1024 2048 256"},      {"CNN22S", "2x2 192 384 fc 768 192"}, {"CNN22SS", "2x2 128 256 fc 512 128"},
    {"CNN22SSS", "2x2 64 128 fc 256 64"},
};
enum { N_MODELS = sizeof models / sizeof *models };

enum kind { KIND_2X2, KIND_DUAL, KIND_FC };

/* A parsed model. */
struct plan {
    unsigned n_layers;
    enum kind kinds[NEURAL_MAX_LAYERS];
    unsigned widths[NEURAL_MAX_LAYERS];
};

/* A feature map, whose slabs begin at `first`. */
struct map {
    unsigned rows, cols, first;
};

struct maps {
    unsigned n;
    struct map map[MAX_MAPS];
};

const char *const neural_play_names[NEURAL_PLAYS + 1] = {"simple", "ave", "max", "min", "corner"};

const char *neural_model_name(unsigned i)
{
    return i < N_MODELS ? models[i].name : NULL;
}

static enum status bad_model(const char *text)
{
    return status_fail(
        STATUS_INVALID,
        "'%s' is no model: expected CNN22, CNN12, CNN22ACG, MLP, CNN22S, CNN22SS, CNN22SSS or layers such as '2x2 64 "
        "128 fc 256 64', 'dual 32 32 fc 64' or 'fc 128 32', widths 1 to %d, at most %d layers",
        text, NEURAL_MAX_WIDTH, NEURAL_MAX_LAYERS - 1);
}

static enum status parse_layers(struct plan *plan, const char *model)
{
    const char *text = model;
    for (unsigned i = 0; i < N_MODELS; i++)
        text = strcmp(models[i].name, model) == 0 ? models[i].layers : text;
    *plan = (struct plan){0};
    enum kind kind = KIND_FC;
    bool has_kind = false;
    for (unsigned n_dual = 0;;) {
        char word[16];
        int length = 0;
        if (sscanf(text, " %15s%n", word, &length) != 1)
            break;
        text += length;
        bool fc = strcmp(word, "fc") == 0, square = strcmp(word, "2x2") == 0, dual = strcmp(word, "dual") == 0;
        if (fc || square || dual) {
            if (has_kind && (kind == KIND_FC || !fc))
                return bad_model(model); /* convolutions of one kind first, then full connections */
            kind = fc ? KIND_FC : square ? KIND_2X2 : KIND_DUAL;
            has_kind = true;
            continue;
        }
        char *end;
        unsigned long width = isdigit((unsigned char)*word) ? strtoul(word, &end, 10) : 0;
        n_dual += kind == KIND_DUAL;
        if (!has_kind || width < 1 || width > NEURAL_MAX_WIDTH || *end || plan->n_layers + 1 >= NEURAL_MAX_LAYERS ||
            n_dual > NEURAL_MAX_DUAL)
            return bad_model(model);
        plan->kinds[plan->n_layers] = kind;
        plan->widths[plan->n_layers++] = (unsigned)width;
    }
    if (plan->n_layers == 0)
        return bad_model(model);
    plan->kinds[plan->n_layers] = KIND_FC; /* the output */
    plan->widths[plan->n_layers++] = 1;
    return STATUS_OK;
}

static enum status reserve_slabs(struct neural_layer *layer)
{
    layer->inputs = memory_allocate((size_t)layer->n_out * layer->taps, sizeof *layer->inputs);
    layer->filters = memory_allocate(layer->n_out, sizeof *layer->filters);
    return layer->inputs && layer->filters ? STATUS_OK : STATUS_NO_MEMORY;
}

/* One kernel over one map: which input map, how high and wide, which filter. */
struct kernel {
    unsigned in, height, width, filter;
};

static enum status connect_kernels(struct neural_layer *layer, const struct maps *in, const struct kernel *kernels,
                                   struct maps *out, unsigned n)
{
    out->n = n;
    layer->n_out = 0;
    for (unsigned i = 0; i < n; i++) {
        const struct map *from = &in->map[kernels[i].in];
        unsigned rows = from->rows + 1 - kernels[i].height, cols = from->cols + 1 - kernels[i].width;
        if (rows == 0 || cols == 0)
            return status_fail(STATUS_INVALID,
                               "the board is too small for the model's convolutions: a %ux%u kernel on %ux%u positions",
                               kernels[i].height, kernels[i].width, from->rows, from->cols);
        out->map[i] = (struct map){.rows = rows, .cols = cols, .first = layer->n_out};
        layer->n_out += rows * cols;
        layer->n_filters = kernels[i].filter + 1 > layer->n_filters ? kernels[i].filter + 1 : layer->n_filters;
    }
    layer->taps = kernels->height * kernels->width;
    if (reserve_slabs(layer))
        return STATUS_NO_MEMORY;
    for (unsigned i = 0; i < n; i++) {
        const struct map *from = &in->map[kernels[i].in], *to = &out->map[i];
        for (unsigned place = 0; place < to->rows * to->cols; place++) {
            unsigned slab = to->first + place, row = place / to->cols, col = place % to->cols;
            layer->filters[slab] = (uint8_t)kernels[i].filter;
            for (unsigned tap = 0; tap < layer->taps; tap++) {
                unsigned y = row + tap / kernels[i].width, x = col + tap % kernels[i].width;
                layer->inputs[slab * layer->taps + tap] = (uint16_t)(from->first + y * from->cols + x);
            }
        }
    }
    return STATUS_OK;
}

/*
 * Dual filters: the first half of the maps are plain, the second half their transposes in the same order, made by the
 * transposed kernels with the same weights (a and a', b and b', .. in the paper's figure 3). The board is its own
 * transpose's source.
 */
static enum status connect_dual(struct neural_layer *layer, const struct maps *in, struct maps *out)
{
    struct kernel kernels[MAX_MAPS] = {0};
    bool first = in->n == 1;
    unsigned n_plain = first ? 1 : in->n / 2, half = first ? 1 : 2 * n_plain;
    for (unsigned i = 0; i < half; i++) {
        unsigned parent = i / 2, twin = first ? 0 : n_plain + parent;
        bool across = i % 2 == 0;
        kernels[i] = (struct kernel){parent, across ? 1 : 2, across ? 2 : 1, i};
        kernels[half + i] = (struct kernel){twin, across ? 2 : 1, across ? 1 : 2, i};
    }
    return connect_kernels(layer, in, kernels, out, 2 * half);
}

static enum status connect_full(struct neural_layer *layer, struct maps *out)
{
    layer->n_out = layer->n_filters = 1;
    layer->taps = layer->n_in;
    if (reserve_slabs(layer))
        return STATUS_NO_MEMORY;
    for (unsigned tap = 0; tap < layer->taps; tap++)
        layer->inputs[tap] = (uint16_t)tap;
    *out = (struct maps){.n = 1, .map = {{.rows = 1, .cols = 1}}};
    return STATUS_OK;
}

static enum status connect_layer(struct neural_layer *layer, enum kind kind, const struct maps *in, struct maps *out)
{
    static const struct kernel square = {.height = 2, .width = 2};
    if (kind == KIND_FC)
        return connect_full(layer, out);
    return kind == KIND_DUAL ? connect_dual(layer, in, out) : connect_kernels(layer, in, &square, out, 1);
}

static size_t align_up(size_t n)
{
    return (n + ALIGN - 1) / ALIGN * ALIGN;
}

/* Fills the layers and counts the parameters; allocates no weights. */
static enum status connect(struct neural *neural, const struct plan *plan)
{
    const struct neural_spec *spec = &neural->spec;
    struct maps in = {.n = 1, .map = {{.rows = spec->rows, .cols = spec->cols}}}, out;
    neural->n_layers = plan->n_layers;
    for (unsigned i = 0; i < plan->n_layers; i++) {
        struct neural_layer *layer = &neural->layers[i];
        layer->in_width = i ? plan->widths[i - 1] : spec->planes;
        layer->out_width = plan->widths[i];
        layer->n_in = i ? neural->layers[i - 1].n_out : (unsigned)spec->rows * spec->cols;
        layer->relu = i + 1 < plan->n_layers;
        enum status status = connect_layer(layer, plan->kinds[i], &in, &out);
        if (status)
            return status_context(status, "model %s on %ux%u", spec->model, spec->rows, spec->cols);
        size_t n_weights = (size_t)layer->n_filters * layer->taps * layer->in_width * layer->out_width;
        size_t n_biases = (size_t)layer->n_filters * layer->out_width;
        layer->weights = neural->n_parameters;
        layer->biases = layer->weights + align_up(n_weights);
        neural->n_parameters = layer->biases + align_up(n_biases);
        neural->n_weights += n_weights + n_biases;
        in = out;
    }
    return STATUS_OK;
}

static void add_array(struct neural *neural, const char *kind, unsigned number, unsigned filter, bool several,
                      const struct neural_array *made)
{
    struct neural_array *array = &neural->arrays[neural->n_arrays++];
    char part[12] = "";
    *array = *made;
    array->n = 1;
    for (unsigned i = 0; i < array->n_dims; i++)
        array->n *= array->shape[i];
    if (several)
        snprintf(part, sizeof part, ".%u", filter);
    snprintf(array->name, sizeof array->name, "%s%u%s.%s", kind, number, part, made->n_dims == 1 ? "bias" : "weight");
}

static enum status list_arrays(struct neural *neural, const struct plan *plan)
{
    unsigned n = 0, n_conv = 0, n_full = 0;
    for (unsigned i = 0; i < neural->n_layers; i++)
        n += 2 * neural->layers[i].n_filters;
    neural->arrays = memory_allocate(n, sizeof *neural->arrays);
    if (!neural->arrays)
        return STATUS_NO_MEMORY;
    for (unsigned i = 0; i < neural->n_layers; i++) {
        const struct neural_layer *layer = &neural->layers[i];
        bool full = plan->kinds[i] == KIND_FC, several = layer->n_filters > 1;
        unsigned number = full ? ++n_full : ++n_conv;
        size_t in = layer->in_width, out = layer->out_width;
        for (unsigned f = 0; f < layer->n_filters; f++) {
            struct neural_array weight = {.n_dims = 4, .shape = {layer->taps == 4 ? 2 : 1, 2, in, out}};
            if (full)
                weight = (struct neural_array){.n_dims = 2, .shape = {layer->taps * in, out}};
            weight.data = neural->parameters + layer->weights + f * layer->taps * in * out;
            struct neural_array bias = {.n_dims = 1, .shape = {out}};
            bias.data = neural->parameters + layer->biases + f * out;
            add_array(neural, full ? "fc" : "conv", number, f, several, &weight);
            add_array(neural, full ? "fc" : "conv", number, f, several, &bias);
        }
    }
    return STATUS_OK;
}

static enum status check_spec(const struct neural_spec *spec, struct plan *plan)
{
    enum status status = grid_check_size(spec->rows, spec->cols);
    if (status)
        return status;
    if (spec->planes != 16 && spec->planes != 18)
        return status_fail(STATUS_INVALID, "%u planes: expected 16 or 18", spec->planes);
    if (!(spec->scale > 0 && isfinite(spec->scale)))
        return status_fail(STATUS_INVALID, "a value scale of %g: expected a number above 0", spec->scale);
    if ((unsigned)spec->play >= NEURAL_PLAYS)
        return status_fail(STATUS_INVALID, "no way of evaluating has number %u", (unsigned)spec->play);
    return parse_layers(plan, spec->model);
}

static void free_layers(struct neural *neural)
{
    for (unsigned i = 0; i < NEURAL_MAX_LAYERS; i++) {
        free(neural->layers[i].inputs);
        free(neural->layers[i].filters);
    }
}

enum status neural_measure(const struct neural_spec *spec, uint64_t *n_weights)
{
    struct plan plan;
    struct neural neural = {.spec = *spec};
    enum status status = check_spec(spec, &plan);
    if (!status)
        status = connect(&neural, &plan);
    free_layers(&neural);
    *n_weights = status ? 0 : neural.n_weights;
    return status;
}

enum status neural_create(struct neural **out, const struct neural_spec *spec)
{
    struct plan plan;
    *out = NULL;
    enum status status = check_spec(spec, &plan);
    if (status)
        return status;
    struct neural *neural = memory_allocate(1, sizeof *neural);
    if (!neural)
        return STATUS_NO_MEMORY;
    neural->spec = *spec;
    status = grid_create(&neural->grid, spec->rows, spec->cols);
    if (status)
        goto fail;
    status = connect(neural, &plan);
    if (status)
        goto fail;
    status = memory_block_allocate(&neural->block, neural->n_parameters * sizeof *neural->parameters);
    if (status)
        goto fail;
    neural->parameters = neural->block.data;
    status = list_arrays(neural, &plan);
    if (status)
        goto fail;
    *out = neural;
    return STATUS_OK;
fail:
    neural_free(neural);
    return status;
}

void neural_free(struct neural *neural)
{
    if (!neural)
        return;
    free_layers(neural);
    free(neural->arrays);
    memory_block_free(&neural->block);
    grid_free(&neural->grid);
    free(neural);
}

/* A normal number within two standard deviations, by the Box-Muller transform. */
static double draw_truncated(struct rng *rng)
{
    for (;;) {
        double radius = sqrt(-2 * log(1 - random_unit(rng)));
        double number = radius * cos(2 * M_PI * random_unit(rng));
        if (fabs(number) <= 2)
            return number;
    }
}

/* The deviation of an array's weights for NEURAL_FAN_IN. */
static double fan_in_deviation(const struct neural *neural, const struct neural_array *array)
{
    const double kept = 0.8796; /* the deviation of a standard normal number truncated at 2 */
    size_t at = (size_t)(array->data - neural->parameters);
    unsigned i = 0;
    if (array->n_dims == 1)
        return 0; /* biases */
    while (i + 1 < neural->n_layers && at >= neural->layers[i + 1].weights)
        i++;
    const struct neural_layer *layer = &neural->layers[i];
    double inputs = (double)layer->taps * (i == 0 ? 1 : layer->in_width);
    return sqrt((layer->relu ? 2 : 1) / inputs) / kept;
}

void neural_initialise(struct neural *neural, enum neural_initial initial, double deviation, uint64_t seed)
{
    struct rng rng = random_stream(seed, 0);
    for (unsigned a = 0; a < neural->n_arrays; a++) {
        const struct neural_array *array = &neural->arrays[a];
        double own = initial == NEURAL_FAN_IN ? fan_in_deviation(neural, array) : deviation;
        for (size_t i = 0; i < array->n; i++)
            array->data[i] = (neural_real)(own * draw_truncated(&rng));
    }
}

struct board neural_view(const struct neural *neural, struct board board)
{
    struct board best = board;
    if (neural->spec.play != NEURAL_PLAY_CORNER)
        return board;
    for (unsigned s = 1; s < neural->grid.n_symmetries; s++) {
        struct board image = grid_image(&neural->grid, board, s);
        best = board_less(best, image) ? image : best;
    }
    return best;
}

bool neural_same_layers(const struct neural *a, const struct neural *b)
{
    if (a->n_layers != b->n_layers)
        return false;
    for (unsigned i = 0; i < a->n_layers; i++) {
        const struct neural_layer *one = &a->layers[i], *other = &b->layers[i];
        if (one->in_width != other->in_width || one->out_width != other->out_width || one->n_in != other->n_in ||
            one->n_out != other->n_out || one->n_filters != other->n_filters || one->taps != other->taps)
            return false;
    }
    return true;
}

enum status neural_check_weights(const struct neural *neural)
{
    for (size_t i = 0; i < neural->n_parameters; i++)
        if (!isfinite(neural->parameters[i]))
            return status_fail(STATUS_INVALID,
                               "a weight of the neural network is %g: its learning diverged, so it is not saved",
                               (double)neural->parameters[i]);
    return STATUS_OK;
}
