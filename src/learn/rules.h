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
 * size to A. scale = beta / n * lambda^k. The scalar reference.
 */
static inline void rules_tc_plain(float *cells, const uint32_t *index, unsigned n, float scale, float error)
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

#if LOOKUP_VECTORS
/* Whether an index occurs twice among eight. */
static inline bool rules_repeat(const uint32_t *index)
{
    __m256i own = _mm256_loadu_si256((const __m256i *)index);
#if defined(__AVX512CD__) && defined(__AVX512VL__)
    __m256i equal = _mm256_conflict_epi32(own);
#else
    __m256i turn = _mm256_setr_epi32(1, 2, 3, 4, 5, 6, 7, 0), turned = own, equal = _mm256_setzero_si256();
    for (unsigned by = 1; by <= 4; by++) { /* the other distances are these from the other side */
        turned = _mm256_permutevar8x32_epi32(turned, turn);
        equal = _mm256_or_si256(equal, _mm256_cmpeq_epi32(own, turned));
    }
#endif
    return !_mm256_testz_si256(equal, equal);
}

/* Cells `low` and `high`, each with the first float of the next one. */
static inline __m256 rules_load_cells(const float *low, const float *high)
{
    return _mm256_insertf128_ps(_mm256_castps128_ps256(_mm_loadu_ps(low)), _mm_loadu_ps(high), 1);
}

/* Weight and E of two cells, and A of four. */
static inline void rules_store_pairs(float *first, float *second, __m128 pairs)
{
    _mm_storel_pi((__m64 *)(void *)first, pairs);
    _mm_storeh_pi((__m64 *)(void *)second, pairs);
}

static inline void rules_store_sizes(float *const cell[4], __m128 sizes)
{
    for (unsigned i = 0; i < 4; i++) {
        _mm_store_ss(cell[i] + 2, sizes);
        sizes = _mm_permute_ps(sizes, _MM_SHUFFLE(0, 3, 2, 1));
    }
}

/*
 * One division instead of eight, for eight indices that are all different. A weight and its E are stored together:
 * eight bytes that need not be aligned, of which the processor keeps each aligned float whole (docs/decisions/066).
 */
static inline void rules_tc_eight(float *cells, const uint32_t *index, float step, float error)
{
    float *cell[8];
    for (unsigned i = 0; i < 8; i++)
        cell[i] = cells + (size_t)RULES_TC_CELL * index[i];
    /* From cells to weights, E and A: the image in brackets. */
    __m256 c0 = rules_load_cells(cell[0], cell[4]), c1 = rules_load_cells(cell[1], cell[5]);
    __m256 c2 = rules_load_cells(cell[2], cell[6]), c3 = rules_load_cells(cell[3], cell[7]);
    __m256 low01 = _mm256_unpacklo_ps(c0, c1), low23 = _mm256_unpacklo_ps(c2, c3);   /* w[0] w[1] E[0] E[1] .. */
    __m256 high01 = _mm256_unpackhi_ps(c0, c1), high23 = _mm256_unpackhi_ps(c2, c3); /* A[0] A[1] .. */
    __m256 weight = _mm256_shuffle_ps(low01, low23, _MM_SHUFFLE(1, 0, 1, 0));
    __m256 sum = _mm256_shuffle_ps(low01, low23, _MM_SHUFFLE(3, 2, 3, 2));
    __m256 sizes = _mm256_shuffle_ps(high01, high23, _MM_SHUFFLE(1, 0, 1, 0));
    const __m256 sign = _mm256_set1_ps(-0.0f);
    __m256 rate = _mm256_div_ps(_mm256_andnot_ps(sign, sum), sizes);
    __m256 grown = _mm256_cmp_ps(sizes, _mm256_setzero_ps(), _CMP_GT_OQ);
    rate = _mm256_blendv_ps(_mm256_set1_ps(1), rate, grown);
    weight = _mm256_add_ps(weight, _mm256_mul_ps(_mm256_set1_ps(step), rate));
    sum = _mm256_add_ps(sum, _mm256_set1_ps(error));
    sizes = _mm256_add_ps(sizes, _mm256_set1_ps(fabsf(error)));
    __m256 pairs01 = _mm256_unpacklo_ps(weight, sum), pairs23 = _mm256_unpackhi_ps(weight, sum);
    rules_store_pairs(cell[0], cell[1], _mm256_castps256_ps128(pairs01));
    rules_store_pairs(cell[2], cell[3], _mm256_castps256_ps128(pairs23));
    rules_store_pairs(cell[4], cell[5], _mm256_extractf128_ps(pairs01, 1));
    rules_store_pairs(cell[6], cell[7], _mm256_extractf128_ps(pairs23, 1));
    rules_store_sizes(cell, _mm256_castps256_ps128(sizes));
    rules_store_sizes(cell + 4, _mm256_extractf128_ps(sizes, 1));
}
#endif

/* The same to the last bit, by tables of eight images where a table's are all different. It reads one float past the
   last cell (NETWORK_SPARE_FLOATS). */
static inline void rules_tc(float *cells, const uint32_t *index, unsigned n, float scale, float error)
{
#if LOOKUP_VECTORS
    for (; n >= 8; n -= 8, index += 8)
        if (__builtin_expect(rules_repeat(index), 0))
            rules_tc_plain(cells, index, 8, scale, error);
        else
            rules_tc_eight(cells, index, scale * error, error);
#endif
    rules_tc_plain(cells, index, n, scale, error);
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
