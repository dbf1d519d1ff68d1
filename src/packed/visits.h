/*
 * visits: how often play looks at each weight, for networks that are to be small: what it hardly looks at may be stored
 * coarsely, or dropped.
 *
 * Training touches far more weights than play needs. Visits are counted by games of the network itself at 1 ply, in
 * which every afterstate that could be chosen counts its weights (through promotion that of the stage before, where it
 * stands in). To count the chosen ones only was tried: of a 4x6 network of 3e8 actions it calls 64% of the touched
 * weights unused in 5000 games instead of 38%, and dropping those cost 2.4% of the score (10,000 paired games). A
 * rule's own sums would tell of training, early games included; they are not part of a network, and not every rule
 * keeps them.
 */
#ifndef AFTERSTATE_PACKED_VISITS_H
#define AFTERSTATE_PACKED_VISITS_H

#include "base/progress.h"
#include "base/status.h"
#include "base/workers.h"
#include "ntuple/network.h"

#include <stdint.h>

/* Counts stop here. */
enum { VISITS_MAX = 60000 };

/*
 * Rounding is wrong by half a step at most, so one half would cost nothing. But a bit more for each weight makes the
 * steps half as large and the mean square error, step^2 / 12, a quarter: at the margin a bit is worth 0.1155 step^2. A
 * weight that leans saves about five, so it may be wrong by the root of 5 * 0.1155 + 1/12, 0.8 of its step. What that
 * does to scores was not measured by itself.
 */
#define VISITS_LEAN 0.8

/*
 * Plays games 0 .. n_games-1 of the seed and counts into counts[0 .. n_weights-1], which the caller has zeroed. The
 * counts do not depend on the number of threads. `progress` (may be NULL) counts games. STATUS_INTERRUPTED after
 * Ctrl-C.
 */
enum status visits_count(const struct network *network, uint64_t n_games, uint64_t seed, struct workers *workers,
                         struct progress *progress, uint16_t *counts);

/*
 * Rounds every touched weight to a multiple of `step` times a power of two that grows as its visits fall: 1 from 128
 * visits on, 2 from 32, 4 from 8, 16 from 1, and 32 without any. A weight that rounds to `initial` stays apart from it.
 * Where the network promotes, one that is no further than VISITS_LEAN of its step from that of the stage before becomes
 * untouched: rare weights seldom go far from where promotion put them.
 */
void visits_round(struct network *network, const uint16_t *counts, float step);

/*
 * Drops every touched weight with fewer than `least` visits; returns how many those are. Dropped is untouched where
 * that means 0 or the weight of the stage before. From an optimistic beginning untouched would mean the promise of a
 * fortune, so there it is the mean of the weights of its table that are kept.
 */
uint64_t visits_drop(struct network *network, const uint16_t *counts, unsigned least);

#endif
