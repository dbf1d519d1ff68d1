/*
 * shrink: writes a network as a smaller file: rounded weights, without weights that its last run did not change
 * (stale.h) or that play hardly reads (visits.h), and measures what that costs.
 */
#ifndef AFTERSTATE_PACKED_SHRINK_H
#define AFTERSTATE_PACKED_SHRINK_H

#include "base/status.h"
#include "ntuple/compare.h"
#include "packed/network_file.h"
#include "packed/visits.h"

#include <stdint.h>
#include <stdio.h>

struct shrink_settings {
    struct network_packing packing;
    /* Optional: network files for stale_drop(). `keep` needs `since`. */
    const char *since, *keep;
    /* Games of the network that count how often each weight is read; 0: none. With NETWORK_STEPS, rarely read weights
       then get larger steps (visits_round()). */
    uint64_t games;
    struct visits_games where; /* those games begin and end */
    uint64_t seed;             /* of the games */
    unsigned threads;          /* for the games; 0: all processors */
    unsigned visits;           /* weights that the games read less often than this are dropped; 0: none */
};

struct shrink_result {
    uint64_t n_touched;                   /* weights before */
    uint64_t n_dropped;                   /* of these */
    struct weight_error error;            /* of the weights that are left */
    struct network_difference difference; /* of values */
};

/*
 * Writes the shrunk network to `path`, adds what was done to *history, which is stored with it, then loads the file and
 * compares it with the network. If `progress` is not NULL, bars are shown on it. Needs memory for up to four copies of
 * the weights. Fails as network_load(), network_save() and stale_drop() do; STATUS_INTERRUPTED if a signal stops the
 * games (signals.h), and nothing is written then.
 */
enum status shrink_network(const struct network *network, const char *path, struct network_history *history,
                           const struct shrink_settings *settings, FILE *progress, struct shrink_result *result);

#endif
