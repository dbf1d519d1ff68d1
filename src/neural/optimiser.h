/*
 * optimiser: one step of the weights along their gradient g. With t the number of the step:
 *
 *     adam    m = beta1 m + (1 - beta1) g          v = beta2 v + (1 - beta2) g^2
 *             w = w - rate sqrt(1 - beta2^t) / (1 - beta1^t)  m / (sqrt(v) + epsilon)
 *     adamw   the same, and w = w - rate decay w
 *     sgd     m = beta1 m + g                      w = w - rate m
 *
 * Adam (Kingma and Ba 2015) is as TensorFlow computes it, which Matsuzaki 2021 used; adamw is Loshchilov and Hutter
 * 2019; beta1 is the momentum of sgd.
 */
#ifndef AFTERSTATE_NEURAL_OPTIMISER_H
#define AFTERSTATE_NEURAL_OPTIMISER_H

#include "neural/model.h"

#include <stddef.h>
#include <stdint.h>

enum optimiser_rule { OPTIMISER_ADAM, OPTIMISER_ADAMW, OPTIMISER_SGD };

struct optimiser_settings {
    enum optimiser_rule rule;
    double beta1, beta2, epsilon; /* 0.9, 0.999 and 1e-7 in Matsuzaki 2021 */
    double decay;                 /* of adamw */
    double clip;                  /* largest norm of the gradient; a longer one is shortened to it; 0: any */
};

/* The constants of one step. */
struct optimiser_step {
    enum optimiser_rule rule;
    neural_real rate, beta1, beta2, epsilon;
    neural_real keep;   /* what decay leaves of a weight */
    neural_real factor; /* of the gradient */
};

/* The constants of step t, counted from 1, at a rate (0.001 in Matsuzaki 2021), for a gradient of that norm. */
struct optimiser_step optimiser_step_at(const struct optimiser_settings *settings, double rate, uint64_t t,
                                        double norm);

/*
 * Adds the gradients of the weights first .. first+n-1 up in gradients[0] and sets the others to 0. Returns the sum of
 * their squares. Threads may work on separate ranges, as below.
 */
double optimiser_add(neural_real *const *gradients, unsigned n_gradients, size_t first, size_t n);

/* Updates those weights, their m and v by `gradient`, and sets that to 0 for the next batch. */
void optimiser_apply(const struct optimiser_step *step, neural_real *weights, neural_real *m, neural_real *v,
                     neural_real *gradient, size_t first, size_t n);

#endif
