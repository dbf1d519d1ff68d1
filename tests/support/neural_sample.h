/*
 * neural_sample: small neural networks for tests. Their weights are small whole numbers, so every sum is exact in
 * floats: a value is the same to the last bit in any batch, by any library of products and on any machine, and tests
 * may compare games and choices.
 */
#ifndef AFTERSTATE_TESTS_NEURAL_SAMPLE_H
#define AFTERSTATE_TESTS_NEURAL_SAMPLE_H

#include "scratch.h"

#include "base/random.h"
#include "neural/neural_value.h"

static inline struct neural *neural_sample(unsigned rows, unsigned cols, const char *model, enum neural_play play,
                                           uint64_t seed)
{
    struct neural_spec spec = {.rows = (uint8_t)rows, .cols = (uint8_t)cols, .planes = 16, .play = play, .scale = 1};
    struct neural *neural;
    struct rng rng = random_stream(seed, 0);
    strcpy(spec.model, model);
    assert_ok(neural_create(&neural, &spec));
    for (unsigned i = 0; i < neural->n_arrays; i++)
        for (size_t k = 0; k < neural->arrays[i].n; k++)
            neural->arrays[i].data[k] = (neural_real)random_below(&rng, 8) - 3;
    return neural;
}

#endif
