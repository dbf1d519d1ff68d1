/*
 * thinker: a search on a thread of its own, so that keys are answered and the window redrawn while it goes on.
 *
 * One thread uses a thinker: asks about a board, looks now and then whether the answer is there, asks about another.
 * The signals of the process stay with the asking thread.
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

/* How far the search is that goes on. */
struct thinker_progress {
    unsigned depth;  /* 0: nothing known yet */
    double fraction; /* of this depth, 0 .. 1 */
};

/* For a player that searches; the player is borrowed. Its cancel and watch are not used. *out is NULL on failure. */
enum status thinker_create(struct thinker **out, const struct player *player);
void thinker_free(struct thinker *thinker); /* stops what goes on; NULL is fine */

/* Begins to think about `board`; what was asked before is dropped. Waits only until that search has noticed. */
void thinker_ask(struct thinker *thinker, struct board board);

/* Stops thinking; then there is no answer. */
void thinker_drop(struct thinker *thinker);

/* The answer to the last question, if it is there within wait_ms (0: now). */
bool thinker_answer(struct thinker *thinker, unsigned wait_ms, struct thought *thought);

struct thinker_progress thinker_progress(const struct thinker *thinker);

#endif
