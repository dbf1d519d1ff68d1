/*
 * review: a whole game evaluated move by move, in steps. A game of 15,000 moves is half a minute of searching at 3
 * plies: so a review is a row of short jobs, each of which writes some lines, and the next is started when the client
 * has taken them. It never holds up others for long, needs memory for one step, and ends when its client goes.
 */
#ifndef AFTERSTATE_WEB_REVIEW_H
#define AFTERSTATE_WEB_REVIEW_H

#include "web/game_upload.h"
#include "web/hint.h"
#include "web/web_searchers.h"
#include "web/web_text.h"

/* The parameters of a review, beside the game. */
struct review_question {
    uint64_t game, from, n; /* n moves from `from` on */
    unsigned depth;
};

/* Reads the parameters. HTTP_BAD_REQUEST. */
enum http_code review_parse(struct review_question *question, const struct hint_limits *limits, struct target *target);

struct review;

/* Reads the game (game_upload_read()). On failure *out is NULL. */
enum http_code review_open(struct review **out, const struct review_question *question, const struct catalog *catalog,
                           const struct hint_limits *limits, const struct upload_source *source);
void review_free(struct review *review); /* NULL is fine */

/*
 * Appends the lines of some moves, at least one line, to *lines. After the last move *done becomes true; so it does on
 * a failure, of which the last line tells. STATUS_NO_MEMORY or STATUS_INTERRUPTED if not even that can be said.
 */
enum status review_step(struct review *review, struct web_searchers *searchers, unsigned worker, struct web_text *lines,
                        bool *done);

#endif
