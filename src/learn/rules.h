/*
 * rules: what one error does to the weights of one afterstate. MASTER's algorithms 1 to 4 and Autostep (Mahmood 2012).
 *
 * A rule is given the n places of the afterstate's weights. A place may occur more than once (a symmetric board meets
 * the same weight in several images); each occurrence is updated in turn, as in the papers' loops.
 *
 * Beside a weight TC keeps E, the sum of errors, and A, the sum of their sizes, as a pair in an array of their own;
 * Autostep keeps its step size, its trace and its normaliser as a triple. Apart from the weights, because a move reads
 * some hundred weights to choose but updates only those of one afterstate: with all three side by side the reads would
 * drag three times as many cache lines through.
 */
#ifndef AFTERSTATE_LEARN_RULES_H
#define AFTERSTATE_LEARN_RULES_H

#include "ntuple/lookup.h"

#include <math.h>
#include <stdint.h>

enum { RULES_TC_FLOATS = 2, RULES_AUTOSTEP_FLOATS = 3 };

/* TD: each weight takes its share of the error. step = alpha / n * error * lambda^k. */
static inline void rules_td(float *weights, const uint32_t *index, unsigned n, float step)
{
    for (const uint32_t *end = index + n; index < end; index++)
        lookup_write(weights + *index, lookup_read(weights + *index) + step);
}

/*
 * TC: the rate of a weight is |E| / A, 1 while A is 0, read before E and A take in the error, which they do unscaled.
 * scale = beta / n * lambda^k.
 */
static inline void rules_tc(float *weights, float *pairs, const uint32_t *index, unsigned n, float scale, float error)
{
    float step = scale * error, size = fabsf(error);
    for (const uint32_t *end = index + n; index < end; index++) {
        float *weight = weights + *index, *e = pairs + (size_t)RULES_TC_FLOATS * *index, *a = e + 1;
        float sum = lookup_read(e), sizes = lookup_read(a);
        float rate = sizes > 0 ? fabsf(sum) / sizes : 1; /* A is never negative */
        lookup_write(weight, lookup_read(weight) + step * rate);
        lookup_write(e, sum + error);
        lookup_write(a, sizes + size);
    }
}

/*
 * Autostep with features that are 1 where a weight is active: adapt each step size by the meta rate mu, scale all of
 * them down if together they would overshoot, then learn. tau is the decay of the normaliser (MASTER writes 0.0001 for
 * 1/10^4).
 */
static inline void rules_autostep(float *weights, float *triples, const uint32_t *index, unsigned n, float mu,
                                  float tau, float error)
{
    float sum = 0;
    for (unsigned i = 0; i < n; i++) {
        float *step = triples + (size_t)RULES_AUTOSTEP_FLOATS * index[i];
        float alpha = lookup_read(step), trace = lookup_read(step + 1), normaliser = lookup_read(step + 2);
        float gain = error * trace, size = fabsf(gain);
        float decayed = normaliser + tau * alpha * (size - normaliser);
        normaliser = size > decayed ? size : decayed;
        if (normaliser != 0)
            alpha *= expf(mu * gain / normaliser);
        lookup_write(step, alpha);
        lookup_write(step + 2, normaliser);
        sum += alpha;
    }
    float over = sum > 1 ? sum : 1;
    for (unsigned i = 0; i < n; i++) {
        float *step = triples + (size_t)RULES_AUTOSTEP_FLOATS * index[i], *weight = weights + index[i];
        float alpha = lookup_read(step) / over, trace = lookup_read(step + 1);
        lookup_write(step, alpha);
        lookup_write(weight, lookup_read(weight) + alpha * error);
        lookup_write(step + 1, trace * (1 - alpha) + alpha * error);
    }
}

#endif
