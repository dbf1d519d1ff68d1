/*
 * stale: weights that a network has but its learning never needed.
 *
 * A run may begin with the weights of another network, whose stages were fewer (net convert): each new stage then holds
 * all that the old one had, for boards that now belong to other stages as well. What is still as it was when the run
 * began was met by no game of the run in this stage. Training also writes down a promoted weight as soon as it looks at
 * it; one that is still that of the stage before says nothing that promotion would not.
 *
 * Of the 190 million touched weights of the bundled network's run 94 million are such ones, and dropping them changes
 * nothing (10,000 games: 319,199 +- 3,454 points instead of 318,832 +- 3,443). The first stage keeps all of its
 * weights: there the old ones are all that is known of rare boards, and dropping those as well cost 1.8 +- 1.5%.
 * Dropping what 10,000 games of the network never look at (visits.h) cost 3.9%.
 */
#ifndef AFTERSTATE_PACKED_STALE_H
#define AFTERSTATE_PACKED_STALE_H

#include "base/status.h"
#include "ntuple/network.h"

#include <stdint.h>

/*
 * In every stage but the first, makes untouched what equals the weight in `since`, the network that the run began with,
 * or that of the stage before, unless `keep` (may be NULL) has it touched: `since` may itself be made of a network that
 * needed it. *n_dropped gets how many. STATUS_INVALID if the network does not promote, or they differ in board, tuples,
 * encoding or stages.
 */
enum status stale_drop(struct network *network, const struct network *since, const struct network *keep,
                       uint64_t *n_dropped);

#endif
