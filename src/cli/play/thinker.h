/*
 * thinker: a search on a thread of its own, so that keys are handled and the window is redrawn during it.
 *
 * One thread uses a thinker: starts a search, polls for its result, starts another. Signals are handled by that thread.
 */
#ifndef AFTERSTATE_CLI_THINKER_H
#define AFTERSTATE_CLI_THINKER_H

#include "base/status.h"
#include "search/player.h"

#include <stdbool.h>

struct thinker;

struct thought {
    struct search_result result;
    double milliseconds;
};

/* Progress of the running search. */
struct thinker_progress {
    unsigned depth;  /* 0: nothing known yet */
    double fraction; /* of this depth, 0 .. 1 */
};

/* For a player that searches; the player is borrowed. Its cancel and watch are not used. *out is NULL on failure. */
enum status thinker_create(struct thinker **out, const struct player *player);
void thinker_free(struct thinker *thinker); /* stops a running search; NULL is fine */

/* Starts a search of `board`; a running one is cancelled, for which it waits. */
void thinker_start(struct thinker *thinker, struct board board);

/* Cancels the search; then there is no result. */
void thinker_drop(struct thinker *thinker);

/* The result of the last search, if it is there within wait_ms (0: now). */
bool thinker_answer(struct thinker *thinker, unsigned wait_ms, struct thought *thought);

struct thinker_progress thinker_progress(const struct thinker *thinker);

#endif
