/*
 * rules: how one error updates the weights of one afterstate: TD and TC (Jaskowski 2018, algorithms 1 to 4), and
 * Autostep (Mahmood et al. 2012).
 *
 * A rule gets the n indices of the afterstate's weights. An index may occur more than once (a symmetric board reads the
 * same weight in several images); each occurrence is updated in turn, as in the papers' loops.
 *
 * A weight is the first float of a cell of the network (network.h). Beside it are the rule's own numbers: for TC E, the
 * sum of errors, and A, the sum of their sizes; for Autostep the step size, the trace and the normaliser. An update
 * then finds them on the cache lines and pages that choosing the move has just read: 1.65 million moves per second
 * against 1.37 with separate arrays (4x6, TC, one thread, medians of five alternate runs; ratio 1.20, 95% interval 1.03
 * to 1.37).
 *
 * A second array of bare weights, updated before each measurement, took a third more memory for TC. Without it a TC run
 * of 4x6 (4e6 actions, one thread) takes 0.91 of the processor time (95% interval 0.79 to 0.98; nine alternate runs),
 * and a step 0.97 of the instructions. Measuring strides over E and A: 8,000 games at 1 ply take 1.07 times as long
 * (1.02 to 1.18).
 */
#ifndef AFTERSTATE_LEARN_RULES_H
#define AFTERSTATE_LEARN_RULES_H

#include "ntuple/lookup.h"

#include <math.h>
#include <stdint.h>

/* Floats of a cell. */
enum { RULES_TD_CELL = 1, RULES_TC_CELL = 3, RULES_AUTOSTEP_CELL = 4 };

/* TD: adds `step` to each weight. step = alpha / n * error * lambda^k. */
static inline void rules_td(float *cells, size_t stride, const uint32_t *index, unsigned n, float step)
{
    for (const uint32_t *end = index + n; index < end; index++)
        lookup_write(cells + stride * *index, lookup_read_plus(cells + stride * *index, step));
}

/*
 * TC: adds scale * error * |E| / A to each weight (scale * error while A is 0), then the unscaled error to E and its
 * size to A. scale = beta / n * lambda^k.
 */
static inline void rules_tc(float *cells, const uint32_t *index, unsigned n, float scale, float error)
{
    float step = scale * error, size = fabsf(error);
    for (const uint32_t *end = index + n; index < end; index++) {
        float *weight = cells + (size_t)RULES_TC_CELL * *index, *e = weight + 1, *a = weight + 2;
        float sum = lookup_read(e), sizes = lookup_read(a);
        float rate = sizes > 0 ? fabsf(sum) / sizes : 1; /* A is never negative */
        lookup_write(weight, lookup_read_plus(weight, step * rate));
        lookup_write(e, sum + error);
        lookup_write(a, sizes + size);
    }
}

/*
 * Autostep for features that are 0 or 1: adapts each step size by the meta rate mu, scales all of them down if together
 * they would overshoot, then learns. tau is the decay of the normaliser (0.0001 in Jaskowski 2018).
 */
static inline void rules_autostep(float *cells, const uint32_t *index, unsigned n, float mu, float tau, float error)
{
    float sum = 0;
    for (unsigned i = 0; i < n; i++) {
        float *step = cells + (size_t)RULES_AUTOSTEP_CELL * index[i] + 1;
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
        float *weight = cells + (size_t)RULES_AUTOSTEP_CELL * index[i], *step = weight + 1;
        float alpha = lookup_read(step) / over, trace = lookup_read(step + 1);
        lookup_write(step, alpha);
        lookup_write(weight, lookup_read_plus(weight, alpha * error));
        lookup_write(step + 1, trace * (1 - alpha) + alpha * error);
    }
}

#endif
