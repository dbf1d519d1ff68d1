/*
 * adam: the optimiser (Kingma and Ba 2015) as TensorFlow computes it, which Matsuzaki 2021 used: with g the gradient
 * and t the number of the step,
 *
 *     m = beta1 m + (1 - beta1) g          v = beta2 v + (1 - beta2) g^2
 *     w = w - rate sqrt(1 - beta2^t) / (1 - beta1^t)  m / (sqrt(v) + epsilon)
 */
#ifndef AFTERSTATE_NEURAL_ADAM_H
#define AFTERSTATE_NEURAL_ADAM_H

#include "neural/model.h"

#include <stddef.h>
#include <stdint.h>

struct adam_settings {
    double rate, beta1, beta2, epsilon; /* 0.001, 0.9, 0.999 and 1e-7 in Matsuzaki 2021 */
};

/* The constants of one step. */
struct adam_step {
    neural_real rate, beta1, beta2, epsilon;
};

/* The constants of step t, counted from 1. */
struct adam_step adam_step_at(const struct adam_settings *settings, uint64_t t);

/*
 * Updates weights[first .. first+n-1] and their moments by the sum of n_gradients gradients, and sets those to 0 for
 * the next batch. Threads may work on separate ranges of one step.
 */
void adam_apply(const struct adam_step *step, neural_real *weights, neural_real *m, neural_real *v,
                neural_real *const *gradients, unsigned n_gradients, size_t first, size_t n);

#endif
