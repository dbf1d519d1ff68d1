/*
 * stale: weights that a network has but its learning never needed.
 *
 * A run may begin with the weights of another network, whose stages were fewer (net convert): each new stage then holds
 * all that the old one had, for boards that now belong to other stages as well. What is still as it was when the run
 * began was met by no game of the run in this stage. Training also writes down a promoted weight as soon as it looks at
 * it; one that is still that of the stage before says nothing that promotion would not.
 *
 * Of the 190 million touched weights of the bundled network's run 94 million are such ones, and dropping them changes
 * nothing that 10,000 games can show. Dropping what 10,000 games of the network never look at (visits.h) costs 4% of
 * its score.
 */
#ifndef AFTERSTATE_NTUPLE_STALE_H
#define AFTERSTATE_NTUPLE_STALE_H

#include "base/status.h"
#include "ntuple/network.h"

#include <stdint.h>

/*
 * In every stage but the first, makes untouched what equals the weight in `since`, the network that the run began with,
 * or that of the stage before. *n_dropped gets how many. STATUS_INVALID if the network does not promote, or the two
 * differ in board, tuples, encoding or stages.
 */
enum status stale_drop(struct network *network, const struct network *since, uint64_t *n_dropped);

#endif
