/*
 * fast_network: the form of a network that evaluates fastest, for many games (packed_network.h).
 *
 * Each weight becomes a word of 32 bits (packed_network_parts.h), 0 where it is untouched in every stage it could come
 * from. Promotion is resolved in advance. Small tuples within larger ones are folded into them (fold.h), which words
 * allow where weights do not: a word that takes in others counts how many of them were touched. What is left to do for
 * a board is to gather and to add.
 *
 * With the bundled network (120 look-ups, 72 after folding) a search of 4 plies takes 0.6 of the time. Words of 16 bits
 * took a tenth less still, in a trial, but have no room for the counts.
 */
#ifndef AFTERSTATE_PACKED_FAST_NETWORK_H
#define AFTERSTATE_PACKED_FAST_NETWORK_H

#include "base/status.h"
#include "ntuple/network.h"
#include "packed/packed_network.h"

/*
 * Converts a network in its own memory, with all processors: *out owns it from then on, and nobody else may use it.
 * Where a network does not suit (weights that are not integers or too large, cells of other than 16 values, boards that
 * are not square, an initial value, more than 120 look-ups), *out is NULL and the network is unchanged.
 * STATUS_NO_MEMORY and STATUS_IO (no threads) leave it unchanged, too.
 */
enum status fast_network_create(struct packed_network **out, struct network *network);

#endif
