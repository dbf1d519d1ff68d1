/*
 * visits: counts how often play reads each weight, so that small networks can store rarely read weights coarsely, or
 * drop them.
 *
 * Training touches far more weights than play needs. Games of the network itself at 1 ply count the weights of every
 * legal afterstate (of an untouched weight that is promoted, the one of the stage before). Tried: counting only chosen
 * afterstates. Then 64% of the touched weights of a 4x6 network of 3e8 actions are unused in 5000 games, instead of
 * 38%, and dropping those cost 2.4% of the score (10,000 paired games). The sums of TC could be used as well, but they
 * include early games, are not part of a network, and other rules do not have them.
 */
#ifndef AFTERSTATE_PACKED_VISITS_H
#define AFTERSTATE_PACKED_VISITS_H

#include "base/status.h"
#include "base/workers.h"
#include "ntuple/network.h"

#include <stdint.h>
#include <stdio.h>

/* Counts are clamped to this. */
enum { VISITS_MAX = 60000 };

/*
 * How far, in steps, a weight may be from that of the stage before to become untouched. Rounding is wrong by at most
 * half a step, so 0.5 would cost nothing. But one more bit for each weight halves the step and quarters the mean square
 * error, step^2 / 12: at the margin a bit is worth 0.1155 step^2. An untouched weight saves about five bits, so it may
 * be wrong by the root of 5 * 0.1155 + 1/12, 0.8 of its step. The effect on scores was not measured by itself.
 */
#define VISITS_LEAN 0.8

/* Where the games begin and end; zeroed: new games to their end. */
struct visits_games {
    const struct board *starts; /* borrowed; game i begins with starts[i % n_starts]; NULL: all are new */
    size_t n_starts;
    unsigned until; /* a game ends when a move makes this tile (exponent); 0: never */
};

/*
 * Plays games 0 .. n_games-1 of the seed and counts into counts[0 .. n_weights-1], which the caller has zeroed. The
 * counts do not depend on the number of workers. If `progress` is not NULL, a bar is shown on it. STATUS_INTERRUPTED
 * after a signal that signals.h catches.
 */
enum status visits_count(const struct network *network, const struct visits_games *games, uint64_t n_games,
                         uint64_t seed, struct workers *workers, FILE *progress, uint16_t *counts);

/*
 * Rounds every touched weight to a multiple of `step` times a power of two that grows as its visits fall: 1 from 128
 * visits on, 2 from 32, 4 from 8, 16 from 1, and 32 without any. A weight that rounds to `initial` stays touched. If
 * the network promotes, a weight within VISITS_LEAN steps of that of the stage before becomes untouched: rare weights
 * seldom move far from the promoted value.
 */
void visits_round(struct network *network, const uint16_t *counts, float step);

/*
 * Drops every touched weight with fewer than `least` visits; returns their number. A dropped weight becomes untouched
 * if that means 0 or the weight of the stage before. With an optimistic initial value, untouched would mean a far too
 * high value, so it becomes the mean of the kept weights of its table.
 */
uint64_t visits_drop(struct network *network, const uint16_t *counts, unsigned least);

#endif
