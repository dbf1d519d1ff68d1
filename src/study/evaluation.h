/*
 * evaluation: the strength of a value function in the middle of a run: games by plain search, game i with stream i of
 * the evaluation's seed, so a measurement is the same for any number of threads and comparable along a run.
 */
#ifndef AFTERSTATE_STUDY_EVALUATION_H
#define AFTERSTATE_STUDY_EVALUATION_H

#include "base/status.h"
#include "base/workers.h"
#include "game/grid.h"
#include "game/value.h"
#include "study/summary.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Called by the calling thread after each of its games. Return false to give the measurement up. */
typedef bool (*evaluation_watch)(void *context, size_t n_finished);

struct evaluation {
    const struct grid *grid;
    struct value_function function;
    unsigned depth;   /* plies */
    uint64_t n_games; /* 0 gives an empty summary */
    uint64_t seed;
    evaluation_watch watch; /* optional */
    void *context;
    const struct cluster *cluster; /* the ranks that play together, with the same weights; NULL: this process alone */
};

/*
 * Plays the games. STATUS_INTERRUPTED if a signal asks to stop or the watch says so: a measurement counts whole or not
 * at all, because the games that end first are the short ones. Nobody may train meanwhile.
 */
enum status evaluation_play(const struct evaluation *evaluation, struct workers *workers, struct summary *summary);

#endif
