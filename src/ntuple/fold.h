/*
 * fold: a network without its redundant tuples (MASTER, "redundant encoding").
 *
 * A tuple p is redundant if its cells lie within an image of another tuple w: the value of a board sums over all
 * images, so p's table can be looked up at w's cells instead of p's own, and that look-up is a function of w's index.
 * Adding it to w's table once and for all leaves every value the same and saves the look-ups:
 *
 *     p within image t of w:   sum over s of P[b at image s of p] = sum over s of P[b at p's cells in image s.t of w]
 *
 * Each redundant tuple goes to the first of the largest tuples that contain it.
 */
#ifndef AFTERSTATE_NTUPLE_FOLD_H
#define AFTERSTATE_NTUPLE_FOLD_H

#include "base/progress.h"
#include "base/status.h"
#include "ntuple/network.h"
#include "ntuple/rebuild.h"

#include <stdint.h>

/* Where a tuple goes. */
struct fold_target {
    uint8_t into;     /* the old number of the tuple that takes it in, itself if it stays */
    uint8_t symmetry; /* the image of `into` that contains it */
};

/* Fills target[0 .. n_tuples-1] and returns how many tuples stay. */
unsigned fold_targets(const struct shape *shape, const struct grid *grid, struct fold_target *target);

/* The spec of the folded network, `initial` excepted. */
struct network_spec fold_spec(const struct network_spec *spec, const struct grid *grid);

/* Which old tables each table of the folded network takes in: plan->sources, which the caller frees. STATUS_NO_MEMORY.
 */
enum status fold_plan_make(struct rebuild_plan *plan, const struct network *network);

/*
 * Makes the folded network in *out (NULL on failure), which the caller frees: a copy if nothing is redundant. Compares
 * it with the old one on thousands of boards and fails (STATUS_INVALID) if they differ by more than rounding. A network
 * with unseen_mean that has something to fold is refused (STATUS_INVALID): folding would make unseen weights seen.
 * `progress` may be NULL, else begun with a total of 4 bytes for each weight of fold_spec().
 */
enum status network_fold(struct network **out, const struct network *network, struct progress *progress);

#endif
