/*
 * fold: removes the redundant tuples of a network (redundant encoding, Jaskowski 2018) without changing its values.
 *
 * A tuple p is redundant if its cells are within an image of another tuple w. The value of a board sums over all
 * images, so p's table can be read at w's cells instead of p's own, and that look-up is a function of w's index. Adding
 * p's table to w's once leaves every value the same and saves the look-ups:
 *
 *     p within image t of w:   sum over s of P[b at image s of p] = sum over s of P[b at p's cells in image s.t of w]
 *
 * Each redundant tuple is folded into the first of the largest tuples that contain it.
 */
#ifndef AFTERSTATE_NTUPLE_FOLD_H
#define AFTERSTATE_NTUPLE_FOLD_H

#include "base/status.h"
#include "ntuple/network.h"
#include "ntuple/rebuild.h"

#include <stdint.h>
#include <stdio.h>

/* What a tuple is folded into. */
struct fold_target {
    uint8_t into;     /* number of a tuple; its own if it stays */
    uint8_t symmetry; /* the image of `into` that contains it */
};

/* Fills target[0 .. n_tuples-1] and returns how many tuples stay. */
unsigned fold_targets(const struct shape *shape, const struct grid *grid, struct fold_target *target);

/* Fills the plan of the folded network; the caller frees plan->sources. STATUS_NO_MEMORY. */
enum status fold_plan_make(struct rebuild_plan *plan, const struct network *network);

/*
 * Creates the folded network in *out (NULL on failure), which the caller frees: a copy if nothing is redundant. Fails
 * as rebuild_network() does; STATUS_INVALID also for a redundant tuple in a network with unseen_mean: folding would
 * make unseen weights seen. If `progress` is not NULL, a bar is shown on it.
 */
enum status network_fold(struct network **out, const struct network *network, FILE *progress);

#endif
