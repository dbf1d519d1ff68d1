/*
 * weight_pack: packs a run of weights into bytes of a network file, in 32 or 16 bits each, or in steps.
 *
 * 16 bits: each run is stored in the one of two ways that has the smaller mean square error over its touched weights:
 *
 *   linear   65535 equal steps from the smallest to the largest weight: wrong by at most 0.51 steps. Best for a run
 *            whose weights are spread evenly.
 *   float16  11 significant bits: wrong by at most 2^-11 of the weight (weights below 2^-30 of the largest: 2^-40 of
 *            it). Best if a few weights are far larger than the rest. A plain bfloat16 has 8 bits and always lost.
 *
 * Steps: each touched weight is rounded to a multiple of one step, counted from the mean of the run, and zstd encodes
 * the counts: with equal steps, an entropy coder gives the smallest file for a given mean square error. A bitmap tells
 * which weights are touched; only those have codes. Tried: predicting a code from its neighbours (the one before; mean
 * or median of those with one smaller tile); none saved 2%. A 4x6 network of 3e8 actions takes 1.0 bytes for each
 * touched weight at steps of 16 points, 0.25 of them for the bitmap.
 *
 * An untouched weight (equal to `initial`) is restored exactly, and a touched one is never restored as untouched, so
 * promotion and statistics do not change.
 *
 * Bytes are stored in planes, the lowest byte of every weight, then the next, ..: exponents of neighbours are alike,
 * and side by side they compress well. docs/FORMATS.md, "Network files", has the bytes.
 *
 * All functions are thread-safe.
 */
#ifndef AFTERSTATE_PACKED_WEIGHT_PACK_H
#define AFTERSTATE_PACKED_WEIGHT_PACK_H

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum network_precision { NETWORK_FLOAT32, NETWORK_16BIT, NETWORK_STEPS, NETWORK_PRECISIONS };

/* "float32", "16bit", "steps". */
const char *network_precision_name(enum network_precision precision);

enum { WEIGHT_PACK_HEADER_BYTES = 16 };

/* What rounding costs, over the touched weights of any number of runs. */
struct weight_error {
    double worst, sum_squares;
    uint64_t n_touched;
};

/* Bytes of n packed weights; for NETWORK_STEPS the most possible, weight_steps_min_bytes() being the least. */
size_t weight_pack_bytes(enum network_precision precision, uint32_t n);

size_t weight_steps_min_bytes(uint32_t n);

/*
 * Packs weights[0 .. n-1] in 32 or 16 bits into out[0 .. weight_pack_bytes()-1] and adds to *error (may be NULL).
 * STATUS_INVALID for a weight that is not a finite number, in 16 bits.
 */
enum status weight_pack(enum network_precision precision, float initial, const float *weights, uint32_t n, uint8_t *out,
                        struct weight_error *error);

/*
 * The same in steps of `step` points, above 0; *bytes becomes the number of bytes filled. A run with a weight more than
 * 32767 steps from its mean gets the smallest larger step that reaches it.
 */
enum status weight_pack_steps(float step, float initial, const float *weights, uint32_t n, uint8_t *out, size_t *bytes,
                              struct weight_error *error);

/*
 * The inverse of both, safe on any bytes. All weights must be `initial` before: untouched ones may not be written, so
 * that pages of untouched weights stay unmapped. STATUS_CORRUPT, without the name of a file, unless they are n packed
 * weights; the weights are then undefined.
 */
enum status weight_unpack(const uint8_t *data, size_t bytes, float initial, float *weights, uint32_t n);

/*
 * A packed run in steps: which weights are touched, and for each of those, in order, its count of steps from `low`, as
 * two planes of bytes. A weight is low + step * count, or the float next to `initial` if that equals `initial`.
 */
struct weight_steps {
    const uint8_t *bitmap; /* of (n + 7) / 8 bytes */
    const uint8_t *plane0, *plane1;
    uint32_t n_touched;
    float low, step; /* unchecked: any bits of a file */
};

/* Opens a packed run; *out points into data. Fails as weight_unpack(). *in_steps is false, and *out zeroed, if the run
   is packed in another way. */
enum status weight_steps_open(struct weight_steps *out, bool *in_steps, const uint8_t *data, size_t bytes, uint32_t n);

/* The count of steps of touched weight number i, -32768 .. 32767. The codes 0, 1, 2, 3, .. mean 0, -1, 1, -2, .. */
static inline int32_t weight_steps_count(const struct weight_steps *steps, uint32_t i)
{
    int32_t code = steps->plane0[i] | steps->plane1[i] << 8;
    return code >> 1 ^ -(code & 1);
}

#endif
