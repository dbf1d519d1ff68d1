/*
 * stale: drops weights that a network has but that its run never changed.
 *
 * A run may start from the weights of a network with fewer stages (net convert): each new stage then has all weights of
 * the old one, also for boards that now belong to other stages. A weight that is unchanged since the run began was met
 * by none of its games in this stage. Training also stores a promoted weight as soon as it reads it; one that still
 * equals that of the stage before adds nothing to promotion.
 *
 * Of the 190 million touched weights of the bundled network's run 94 million are stale, and dropping them changes
 * nothing (10,000 games, 95% intervals: 319,199 +- 3,454 points instead of 318,832 +- 3,443). The first stage keeps all
 * of its weights: there the old ones are all that is known of rare boards, and dropping those as well cost 1.8 +- 1.5%.
 * Dropping what 10,000 games of the network never read (visits.h) cost 3.9%.
 */
#ifndef AFTERSTATE_PACKED_STALE_H
#define AFTERSTATE_PACKED_STALE_H

#include "base/status.h"
#include "ntuple/network.h"

#include <stdint.h>

/*
 * In every stage but the first, makes a weight untouched if it equals that of `since`, the network that the run began
 * with, or that of the stage before, unless it is touched in `keep` (may be NULL), an earlier network that needed it.
 * *n_dropped becomes their number. STATUS_INVALID if the network does not promote, or the networks differ in board,
 * tuples, encoding or stages; nothing is changed then.
 */
enum status stale_drop(struct network *network, const struct network *since, const struct network *keep,
                       uint64_t *n_dropped);

#endif
