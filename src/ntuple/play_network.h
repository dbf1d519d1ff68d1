/*
 * play_network: a network made ready for play. The same values to the last bit, by fewer and simpler look-ups. (A
 * touched weight of 0 is stored as the smallest number there is, weight_pack.h; here it is 0, so a board that meets no
 * others is worth 0 and not next to nothing.)
 *
 * A shipped network has whole numbers as weights (net shrink rounds them to steps), and whole numbers can be added in
 * any order. So each weight becomes a word of 32 bits that also says whether it was touched,
 *
 *     | weight: 25 bits, signed | touched: 7 bits |        0 for one that is untouched in every stage it could be of
 *
 * and one sum of words has the sum of the weights in its high bits and the number of touched ones in its low bits,
 * which is what "unseen weights count as the mean of the others" asks for (lookup.h). Promotion is resolved in advance.
 * Small tuples within larger ones are folded into them (fold.h), which words allow where weights do not: a word that
 * takes in others counts how many of them were touched. What is left to do for a board is to gather and to add.
 *
 * With the bundled network (120 look-ups, 72 after folding) a search of 4 plies takes 0.6 of the time. Words of 16 bits
 * took a tenth less still, in a trial, but have no room for the counts.
 */
#ifndef AFTERSTATE_NTUPLE_PLAY_NETWORK_H
#define AFTERSTATE_NTUPLE_PLAY_NETWORK_H

#include "base/status.h"
#include "game/value.h"
#include "ntuple/network.h"

struct play_network;

/*
 * Turns a network into one for play, in its own memory, with all processors: *out owns it from then on, and nobody else
 * may use it. Where a network cannot be turned (weights that are not whole numbers or too large, cells of other than 16
 * values, boards that are not square, an initial value, 128 look-ups or more), *out is NULL and the network stays as it
 * is. STATUS_NO_MEMORY and STATUS_IO (no threads) leave it as it is, too.
 */
enum status play_network_create(struct play_network **out, struct network *network);
void play_network_free(struct play_network *play); /* NULL is fine */

/* Its face for search and statistics; borrows it. */
struct value_function play_network_function(const struct play_network *play);

#endif
