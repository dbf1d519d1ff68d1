/*
 * network_sample: small networks with random weights, for the tests of files and of folding.
 */
#ifndef AFTERSTATE_TESTS_NETWORK_SAMPLE_H
#define AFTERSTATE_TESTS_NETWORK_SAMPLE_H

#include "scratch.h"

#include "base/random.h"
#include "ntuple/network_value.h"

#include <ctype.h>

struct sample {
    unsigned rows, cols;
    const char *tuples; /* a named shape, or cell lists separated by '/' */
    const char *encoding, *stages;
    bool promote;
    float initial;
};

static inline struct network_spec sample_spec(const struct sample *sample)
{
    struct grid grid;
    struct network_spec spec = {.rows = (uint8_t)sample->rows,
                                .cols = (uint8_t)sample->cols,
                                .promote = sample->promote,
                                .initial = sample->initial};
    assert_ok(grid_create(&grid, sample->rows, sample->cols));
    if (strchr(sample->tuples, ' ')) {
        char *copy = strdup(sample->tuples), *rest = NULL;
        for (char *text = strtok_r(copy, "/", &rest); text; text = strtok_r(NULL, "/", &rest))
            assert_ok(shape_add_tuple(&spec.shape, &grid, text));
        free(copy);
    } else {
        assert_ok(shape_from_name(&spec.shape, &grid, sample->tuples));
    }
    assert_ok(encoding_parse(&spec.encoding, &grid, sample->encoding));
    assert_ok(stages_parse(&spec.stages, sample->stages));
    grid_free(&grid);
    return spec;
}

/* One weight in `sparse` is touched: a random number of a spread that differs from table to table. */
static inline struct network *sample_network(const struct sample *sample, unsigned sparse)
{
    struct network_spec spec = sample_spec(sample);
    struct network *network;
    assert_ok(network_create(&network, &spec));
    struct rng rng = random_stream(sparse, sample->rows * 10 + sample->cols);
    for (uint64_t i = 0; i < network->n_weights; i++)
        if (random_below(&rng, sparse) == 0)
            network->weights[i] = (float)((random_unit(&rng) - 0.3) * (double)(1 + i * 1000 / network->n_weights));
    return network;
}

#endif
