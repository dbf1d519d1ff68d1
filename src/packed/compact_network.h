/*
 * compact_network: the form of a network that loads fastest and takes the least memory (packed_network.h).
 *
 * Most of the time of loading is taken by fresh memory from the kernel, and few weights of a network are touched. The
 * file of a shrunk network (net shrink) has a bitmap of those and their codes, which is nearly this form. A large table
 * has an entry for each 32 weights,
 *
 *     entry     | touched: 32 bits | index before the first value: 32 bits |
 *     values    .. | of the lowest touched weight | of the next | ..            16 bits each, in steps
 *
 * and a popcount gives the index of a weight's value. Small tables, which stay in the second-level cache, have a word
 * (packed_network_parts.h) for each weight. Promotion is resolved in advance: an untouched weight takes that of the
 * stage before, and a group without touched weights of its own shares the values of the stage before.
 *
 * Two look-ups instead of one make it slower than fast_network.h: 0.5 to 0.6 of its moves a second at 1 and 3 plies
 * (docs/RESULTS.md).
 */
#ifndef AFTERSTATE_PACKED_COMPACT_NETWORK_H
#define AFTERSTATE_PACKED_COMPACT_NETWORK_H

#include "base/status.h"
#include "packed/packed_network.h"

#include <stddef.h>
#include <stdio.h>

/*
 * Loads a network file with all processors; the caller frees *out. If `progress` is not NULL, a bar is shown on it.
 * Fails as network_load() does. If the file does not suit (weights that are not stored in steps, all of one integer
 * size; too large; cells of other than 16 values, boards that are not square, an initial value, more than 120 look-ups)
 * *out is NULL without a failure; use network_load() then.
 */
enum status compact_network_load(struct packed_network **out, const char *path, FILE *progress);
/* The same from data[0 .. bytes-1]; messages call it `name`. */
enum status compact_network_load_memory(struct packed_network **out, const void *data, size_t bytes, const char *name);

/* Evaluates a batch with the compact form; as `values` of a value_function. */
void compact_network_evaluate(const void *compact, const struct board *after, size_t n, float *out);

#endif
