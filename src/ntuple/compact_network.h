/*
 * compact_network: a network that is there at once, for play: the same values to the last bit, from a sixth of the
 * memory. (A touched weight of 0 is stored as the smallest number there is, weight_pack.h; here it is 0, so a board
 * that meets no others is worth 0 and not next to nothing.)
 *
 * Taking fresh memory from the kernel is most of what loading costs, and few weights of a network were ever touched.
 * The file of a shipped network (net shrink) has a bitmap of those and their codes, which is nearly what is kept here.
 * A large table has an entry for each 32 weights,
 *
 *     entry     | touched: 32 bits | place before the first value: 32 bits |
 *     values    .. | of the lowest touched weight | of the next | ..            16 bits each, in steps
 *
 * and the place of a weight's value is a popcount. Small tables, which stay in the second-level cache, have a word of
 * 32 bits for each weight, with the number of touched weights in its low bits, so that one sum of words has the sum of
 * the weights and how many of them were seen. Promotion is resolved in advance: a weight that is untouched takes that
 * of the stage before, and a group that has none of its own shares the values of the stage before.
 *
 * Whole numbers can be added in any order, and how many were seen is what "unseen weights count as the mean of the
 * others" asks for (lookup.h). Two look-ups instead of one make it slower than play_network.h, which is for many games:
 * 0.5 to 0.6 of its moves a second at 1 and 3 plies (docs/RESULTS.md).
 */
#ifndef AFTERSTATE_NTUPLE_COMPACT_NETWORK_H
#define AFTERSTATE_NTUPLE_COMPACT_NETWORK_H

#include "base/progress.h"
#include "base/status.h"
#include "game/grid.h"
#include "game/value.h"

#include <stddef.h>

struct compact_network;

/*
 * Loads a compact network, which the caller frees, with all processors. Fails as network_load() does. Where a file
 * does not suit (weights that are not stored in steps, of one size in all of the file and whole; too large; cells of
 * other than 16 values, boards that are not square, an initial value, more than 120 look-ups) *out is NULL without a
 * failure, and network_load() is left.
 */
enum status compact_network_load(struct compact_network **out, const char *path, struct progress *progress);
/* The same from data[0 .. bytes-1]; `name` stands in messages. */
enum status compact_network_load_memory(struct compact_network **out, const void *data, size_t bytes, const char *name,
                                        struct progress *progress);
void compact_network_free(struct compact_network *compact); /* NULL is fine */

const struct grid *compact_network_grid(const struct compact_network *compact);
/* Its face for search and statistics; borrows it. */
struct value_function compact_network_function(const struct compact_network *compact);

#endif
