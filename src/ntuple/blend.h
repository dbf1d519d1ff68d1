/*
 * blend: the mean of several networks with the same spec. A network's value is a sum of weights, so the network of the
 * mean weights gives the mean of the values, and independent errors cancel: the mean of two may play better than either
 * of them (docs/RESULTS.md, "Means of networks").
 *
 * Promotion is resolved first, so that each network contributes the weights that it evaluates with. The mean of a
 * weight is over the networks that have touched it, by promotion or not. At the end a weight that equals the one of the
 * stage before becomes untouched again; promotion gives the same value.
 */
#ifndef AFTERSTATE_NTUPLE_BLEND_H
#define AFTERSTATE_NTUPLE_BLEND_H

#include "base/memory.h"
#include "base/status.h"
#include "ntuple/network.h"

enum { BLEND_MAX = 255 };

struct blend {
    struct network *mean;
    unsigned n_networks;
    struct memory_block counts; /* uint8_t for each weight: networks that have touched it */
};

/* Starts with one network, which becomes the mean: *blend owns it, also on failure. STATUS_NO_MEMORY. */
enum status blend_begin(struct blend *blend, struct network *first);
/* Adds another one, in which promotion is resolved. STATUS_INVALID if its spec differs, with the difference, or beyond
   BLEND_MAX; nothing is changed then. */
enum status blend_add(struct blend *blend, struct network *next);
/* The mean, which the caller frees; the rest of *blend is freed. */
struct network *blend_end(struct blend *blend);
void blend_free(struct blend *blend); /* zeroed is fine */

#endif
