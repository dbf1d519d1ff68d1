/*
 * model: a neural value network: its layers and its weights. compute.h evaluates and differentiates it.
 *
 * All layers have one form. A level is a list of slabs: positions of a feature map (cells of the board at level 0, the
 * 3 x 3 positions after the first 2x2 convolution, ..), each a vector of `width` numbers for a board. A layer computes
 * each slab of its output from `taps` slabs of its input:
 *
 *     output slab o = ReLU( bias[f] + sum over taps t of  input slab inputs[o][t] x weights[f][t] ),   f = filter of o
 *
 * For a 2x2 convolution there is one filter and 4 taps; for a dual one (1x2 and 2x1, CNN12 of Matsuzaki 2021) 2 taps
 * and a filter for each pair of maps that are each other's transpose; for a full connection one output slab whose taps
 * are all slabs. So one loop of products serves all models, and no patches are copied.
 *
 *   weights of a layer   | filter 0: tap 0 [in][out], tap 1, .. | filter 1: .. |      bias   | filter 0 [out] | .. |
 *
 * This is the order of NumPy and TensorFlow (height, width, in, out), for one-hot planes and for flattened maps.
 *
 * The input is one-hot: a cell is the number of its plane, and its product with the weights is a row of them.
 */
#ifndef AFTERSTATE_NEURAL_MODEL_H
#define AFTERSTATE_NEURAL_MODEL_H

#include "base/memory.h"
#include "base/random.h"
#include "base/status.h"
#include "game/grid.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A test compiles this folder again with double, so that finite differences are precise. */
#ifdef NEURAL_DOUBLE
typedef double neural_real;
#else
typedef float neural_real;
#endif

enum {
    NEURAL_MAX_LAYERS = 10, /* the output layer included */
    NEURAL_MAX_TEXT = 96,
    NEURAL_MAX_WIDTH = 8192,
    NEURAL_MAX_DUAL = 4, /* layers of dual filters: each doubles the maps */
    NEURAL_MAX_DIMS = 4,
    NEURAL_NAME_BYTES = 32,
};

/*
 * How a board is evaluated: as it lies, by the mean, maximum or minimum over its symmetric images (Matsuzaki 2021,
 * section 3.2), or by one image that is the same for all of them: the largest as a number, which has its largest corner
 * in the last cell. That makes the network symmetric at the price of one board.
 */
enum neural_play {
    NEURAL_PLAY_SIMPLE,
    NEURAL_PLAY_AVE,
    NEURAL_PLAY_MAX,
    NEURAL_PLAY_MIN,
    NEURAL_PLAY_CORNER,
    NEURAL_PLAYS
};

/* What a network is, without its weights. */
struct neural_spec {
    uint8_t rows, cols;
    uint8_t planes; /* 16 or 18; larger tiles share the last plane */
    enum neural_play play;
    double scale;                /* value = scale * output; 1 in the paper */
    char model[NEURAL_MAX_TEXT]; /* a name (CNN22) or layers ("2x2 64 128 fc 256 64") */
};

struct neural_layer {
    unsigned in_width, out_width;
    unsigned n_in, n_out; /* slabs */
    unsigned n_filters, taps;
    uint16_t *inputs;       /* [out slab * taps + tap]: input slab */
    uint8_t *filters;       /* [out slab], in any order */
    size_t weights, biases; /* index of the first one in the parameters */
    bool relu;              /* all but the last */
};

/* One named array of parameters, for files of other programs. */
struct neural_array {
    char name[NEURAL_NAME_BYTES]; /* "conv1.weight", "conv2.1.bias" (filter 1), "fc1.weight" */
    unsigned n_dims;
    size_t shape[NEURAL_MAX_DIMS]; /* the last changes fastest: (height, width, in, out), (in, out) or (out) */
    size_t n;                      /* numbers in all */
    neural_real *data;             /* in the network's parameters */
};

struct neural {
    struct neural_spec spec;
    struct grid grid;
    unsigned n_layers;
    struct neural_layer layers[NEURAL_MAX_LAYERS];
    uint64_t n_weights;  /* biases included, as the paper counts */
    size_t n_parameters; /* with the gaps that align each layer's arrays; gaps are 0 */
    struct memory_block block;
    neural_real *parameters;
    unsigned n_arrays;
    struct neural_array *arrays;
};

/* "simple", "ave", "max", "min", "corner", NULL. */
extern const char *const neural_play_names[NEURAL_PLAYS + 1];
static inline const char *neural_play_name(enum neural_play play)
{
    return neural_play_names[play];
}

/* Name number i of the models of Matsuzaki 2021, table 2; NULL after the last. */
const char *neural_model_name(unsigned i);

/*
 * Checks a spec and counts its weights. STATUS_INVALID, with what is wrong, for an unknown model, a board too small for
 * its convolutions, planes other than 16 and 18.
 */
enum status neural_measure(const struct neural_spec *spec, uint64_t *n_weights);

/* Creates a network whose weights are 0. Fails as neural_measure(), or STATUS_NO_MEMORY; *out is then NULL. Threads may
   share a network whose weights do not change. */
enum status neural_create(struct neural **out, const struct neural_spec *spec);
void neural_free(struct neural *neural); /* NULL is fine */

/* How the first weights are drawn, from normal distributions truncated at two standard deviations. */
enum neural_initial {
    NEURAL_FIXED,  /* one deviation for all weights and biases, as in Matsuzaki 2021 */
    NEURAL_FAN_IN, /* sqrt(2 / n) after truncation for a unit of n inputs (He et al. 2015; the last layer, which has no
                      ReLU: sqrt(1 / n)); of the one-hot planes of a cell one counts. Biases are 0 */
};

/* Draws the first weights; `deviation` is for NEURAL_FIXED. The same seed gives the same weights. */
void neural_initialise(struct neural *neural, enum neural_initial initial, double deviation, uint64_t seed);

/* Whether two networks have the same layers, however their models are called. */
bool neural_same_layers(const struct neural *a, const struct neural *b);

/* STATUS_INVALID if a weight is not a finite number. */
enum status neural_check_weights(const struct neural *neural);

/* The plane of a cell's value. */
static inline unsigned neural_plane(const struct neural *neural, unsigned value)
{
    return value < neural->spec.planes ? value : neural->spec.planes - 1u;
}

/* How many images of a board are evaluated. */
static inline unsigned neural_images(const struct neural *neural)
{
    bool one = neural->spec.play == NEURAL_PLAY_SIMPLE || neural->spec.play == NEURAL_PLAY_CORNER;
    return one ? 1 : neural->grid.n_symmetries;
}

/* The image that is evaluated and learned from where only one is. */
struct board neural_view(const struct neural *neural, struct board board);

/* The value of a board in points, from the outputs of its images. */
static inline float neural_combine(const struct neural *neural, const neural_real *outputs)
{
    unsigned n = neural_images(neural);
    double sum = 0, max = (double)*outputs, min = (double)*outputs;
    for (unsigned i = 0; i < n; i++) {
        double output = (double)outputs[i];
        sum += output;
        max = output > max ? output : max;
        min = output < min ? output : min;
    }
    enum neural_play play = neural->spec.play;
    double chosen = play == NEURAL_PLAY_MAX ? max : play == NEURAL_PLAY_MIN ? min : sum / n;
    return (float)(neural->spec.scale * chosen);
}

#endif
