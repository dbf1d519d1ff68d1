/*
 * fast_network: the form of a network that evaluates fastest, for many games (packed_network.h).
 *
 * Each weight becomes a word of 32 bits (packed_network_parts.h), with promotion resolved; 0 if it is untouched. Small
 * tuples within larger ones are folded into them (fold.h), also if unseen weights count as the mean of the others,
 * since a word counts how many touched weights it contains. Evaluating a board is then reading and adding.
 *
 * With the bundled network (120 look-ups, 72 after folding) a search of 4 plies takes 0.6 of the time. Words of 16 bits
 * took a tenth less still, in a trial, but have no bits for the counts.
 */
#ifndef AFTERSTATE_PACKED_FAST_NETWORK_H
#define AFTERSTATE_PACKED_FAST_NETWORK_H

#include "base/status.h"
#include "ntuple/network.h"
#include "packed/packed_network.h"

/*
 * Converts a network in place, with all processors: *out then owns it. If a network does not suit (weights that are not
 * integers or too large, cells of other than 16 values, boards that are not square, an initial value, more than 120
 * look-ups), *out is NULL without a failure and the network is unchanged. STATUS_NO_MEMORY or STATUS_IO (no threads);
 * *out is then NULL and the network unchanged.
 */
enum status fast_network_create(struct packed_network **out, struct network *network);

#endif
