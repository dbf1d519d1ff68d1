/*
 * blend: the mean of several networks of one kind. A network's value is a sum of weights, so the network of the mean
 * weights gives the mean of the networks' values, and their errors, as far as each made its own, cancel: the mean of
 * two may play better than either of them (docs/RESULTS.md, "Means of networks").
 *
 * Promotion is resolved first, so that each network takes part with what it would play by. A weight that a network has
 * not touched, promoted or not, says nothing: the mean is that of the networks that have. In the end a weight that
 * equals the one of the stage before it becomes untouched again; promotion says the same.
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
    struct memory_block counts; /* of each weight, how many networks have it: uint8_t */
};

/* Begins with one network, which becomes the mean: *blend owns it from then on, on failure too. */
enum status blend_begin(struct blend *blend, struct network *first);
/* Takes in another one, whose promoted weights are written down in it. STATUS_INVALID, with the difference, if it is of
   another kind, or one too many; then nothing changes. */
enum status blend_add(struct blend *blend, struct network *next);
/* The mean, which the caller frees; the rest of *blend is freed. */
struct network *blend_end(struct blend *blend);
void blend_free(struct blend *blend); /* a zeroed struct is fine */

#endif
