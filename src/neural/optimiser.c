/* optimiser: one step of the weights along their gradient g. */
#include "neural/optimiser.h"

#include <math.h>

struct optimiser_step optimiser_step_at(const struct optimiser_settings *settings, double rate, uint64_t t, double norm)
{
    double n = (double)t, keep = settings->rule == OPTIMISER_ADAMW ? 1 - rate * settings->decay : 1;
    double factor = settings->clip > 0 && norm > settings->clip ? settings->clip / norm : 1;
    if (settings->rule != OPTIMISER_SGD)
        rate *= sqrt(1 - pow(settings->beta2, n)) / (1 - pow(settings->beta1, n));
    return (struct optimiser_step){.rule = settings->rule,
                                   .rate = (neural_real)rate,
                                   .beta1 = (neural_real)settings->beta1,
                                   .beta2 = (neural_real)settings->beta2,
                                   .epsilon = (neural_real)settings->epsilon,
                                   .keep = (neural_real)keep,
                                   .factor = (neural_real)factor};
}

static void add_and_clear(neural_real *restrict sum, neural_real *restrict part, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        sum[i] += part[i];
        part[i] = 0;
    }
}

/* Sixteen sums at once: a single one waits for each addition. */
static double add_squares(const neural_real *numbers, size_t n)
{
    enum { SUMS = 16 };
    neural_real sums[SUMS] = {0};
    double sum = 0;
    size_t i = 0;
    for (; i + SUMS <= n; i += SUMS)
        for (unsigned k = 0; k < SUMS; k++)
            sums[k] += numbers[i + k] * numbers[i + k];
    for (; i < n; i++)
        sum += (double)numbers[i] * (double)numbers[i];
    for (unsigned k = 0; k < SUMS; k++)
        sum += (double)sums[k];
    return sum;
}

double optimiser_add(neural_real *const *gradients, unsigned n_gradients, size_t first, size_t n)
{
    enum { PIECE = 2048 }; /* stays in the first-level cache between the loops */
    double squares = 0;
    for (size_t at = first; at < first + n; at += PIECE) {
        size_t n_now = first + n - at < PIECE ? first + n - at : PIECE;
        for (unsigned k = 1; k < n_gradients; k++)
            add_and_clear(gradients[0] + at, gradients[k] + at, n_now);
        squares += add_squares(gradients[0] + at, n_now);
    }
    return squares;
}

static void move_by_adam(const struct optimiser_step *step, neural_real *restrict weights, neural_real *restrict m,
                         neural_real *restrict v, neural_real *restrict gradient, size_t n)
{
    neural_real rate = step->rate, beta1 = step->beta1, beta2 = step->beta2, epsilon = step->epsilon;
    neural_real keep = step->keep, factor = step->factor;
    for (size_t i = 0; i < n; i++) {
        neural_real g = factor * gradient[i];
        m[i] = beta1 * m[i] + (1 - beta1) * g;
        v[i] = beta2 * v[i] + (1 - beta2) * g * g;
#ifdef NEURAL_DOUBLE
        weights[i] = keep * weights[i] - rate * m[i] / (sqrt(v[i]) + epsilon);
#else
        weights[i] = keep * weights[i] - rate * m[i] / (sqrtf(v[i]) + epsilon);
#endif
        gradient[i] = 0;
    }
}

static void move_by_sgd(const struct optimiser_step *step, neural_real *restrict weights, neural_real *restrict m,
                        neural_real *restrict gradient, size_t n)
{
    neural_real rate = step->rate, momentum = step->beta1, factor = step->factor;
    for (size_t i = 0; i < n; i++) {
        m[i] = momentum * m[i] + factor * gradient[i];
        weights[i] -= rate * m[i];
        gradient[i] = 0;
    }
}

void optimiser_apply(const struct optimiser_step *step, neural_real *weights, neural_real *m, neural_real *v,
                     neural_real *gradient, size_t first, size_t n)
{
    if (step->rule == OPTIMISER_SGD)
        move_by_sgd(step, weights + first, m + first, gradient + first, n);
    else
        move_by_adam(step, weights + first, m + first, v + first, gradient + first, n);
}
