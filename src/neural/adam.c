#include "neural/adam.h"

#include <math.h>

struct adam_step adam_step_at(const struct adam_settings *settings, uint64_t t)
{
    double n = (double)t;
    double rate = settings->rate * sqrt(1 - pow(settings->beta2, n)) / (1 - pow(settings->beta1, n));
    return (struct adam_step){(neural_real)rate, (neural_real)settings->beta1, (neural_real)settings->beta2,
                              (neural_real)settings->epsilon};
}

static void add_and_clear(neural_real *restrict sum, neural_real *restrict part, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        sum[i] += part[i];
        part[i] = 0;
    }
}

static void move(const struct adam_step *step, neural_real *restrict weights, neural_real *restrict m,
                 neural_real *restrict v, neural_real *restrict gradient, size_t n)
{
    neural_real rate = step->rate, beta1 = step->beta1, beta2 = step->beta2, epsilon = step->epsilon;
    for (size_t i = 0; i < n; i++) {
        neural_real g = gradient[i];
        m[i] = beta1 * m[i] + (1 - beta1) * g;
        v[i] = beta2 * v[i] + (1 - beta2) * g * g;
#ifdef NEURAL_DOUBLE
        weights[i] -= rate * m[i] / (sqrt(v[i]) + epsilon);
#else
        weights[i] -= rate * m[i] / (sqrtf(v[i]) + epsilon);
#endif
        gradient[i] = 0;
    }
}

void adam_apply(const struct adam_step *step, neural_real *weights, neural_real *m, neural_real *v,
                neural_real *const *gradients, unsigned n_gradients, size_t first, size_t n)
{
    enum { PIECE = 2048 }; /* stays in the first-level cache between the two loops */
    for (size_t at = first; at < first + n; at += PIECE) {
        size_t n_now = first + n - at < PIECE ? first + n - at : PIECE;
        for (unsigned k = 1; k < n_gradients; k++)
            add_and_clear(gradients[0] + at, gradients[k] + at, n_now);
        move(step, weights + at, m + at, v + at, gradients[0] + at, n_now);
    }
}
