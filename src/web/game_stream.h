/*
 * game_stream: answers that are games played on from a board, line by line, in steps as a review (review.h):
 *
 *   /api/watch     one game, some moves a line: thousands of moves a second over one connection
 *   /api/outlook   many games, after each piece of work what they show so far
 *
 * and /api/line, the expected line, in one answer. docs/GUIDE.md, "The API of serve", has their members.
 */
#ifndef AFTERSTATE_WEB_GAME_STREAM_H
#define AFTERSTATE_WEB_GAME_STREAM_H

#include "web/hint.h"
#include "web/web_text.h"

#include <stdbool.h>

struct stream_question {
    struct hint_question hint; /* the board, and how each move is searched */
    bool outlook;              /* else a game to watch */
    uint64_t seed, n;          /* of the spawns; most games, or most moves */
};

/* Each reads its question from the parameters of a target. HTTP_BAD_REQUEST. */
enum http_code game_stream_parse_watch(struct stream_question *question, const struct catalog *catalog,
                                       const struct hint_limits *limits, struct target *target);
enum http_code game_stream_parse_outlook(struct stream_question *question, const struct catalog *catalog,
                                         const struct hint_limits *limits, struct target *target);

struct game_stream;

enum status game_stream_open(struct game_stream **out, const struct stream_question *question); /* STATUS_NO_MEMORY */
void game_stream_free(struct game_stream *stream);                                              /* NULL is fine */

/*
 * Appends one or two lines to *lines; *done becomes true with the last. Fails as the search does, for example with
 * STATUS_INTERRUPTED; the lines are then as they were.
 */
enum status game_stream_step(struct game_stream *stream, struct web_searchers *searchers, unsigned worker,
                             struct web_text *lines, bool *done);

/* The answer of /api/line as JSON from malloc. An HTTP code of failure otherwise. */
enum http_code game_stream_line(const struct hint_question *question, struct web_searchers *searchers, unsigned worker,
                                char **text);

#endif
