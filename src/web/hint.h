/*
 * hint: the answer to /api/hint: what each move is worth by search, and by a table where the board is solved. The same
 * searcher as that of `afterstate hint`, so the same values to the last bit.
 */
#ifndef AFTERSTATE_WEB_HINT_H
#define AFTERSTATE_WEB_HINT_H

#include "base/json.h"
#include "search/searcher.h"
#include "web/catalog.h"
#include "web/web_searchers.h"

struct hint_limits {
    unsigned max_depth, max_ms;
    unsigned depth_ms; /* where a search of HINT_BOUNDED_DEPTH plies or more is cut off */
};

/* Fewer plies are over in milliseconds on any board; from here on a crowd of empty cells can take minutes. */
enum { HINT_BOUNDED_DEPTH = 4, HINT_DEFAULT_DEPTH = 3 };

/* The parameters of a hint. */
struct hint_question {
    const struct web_board *board;
    const struct web_table *table; /* NULL: not solved */
    struct board position;
    struct search_limit limit;
};

/* Takes `depth` from a target, 1 .. max_depth; without it *depth stays. */
enum http_code hint_take_depth(struct target *target, const struct hint_limits *limits, int64_t *depth);

/* How long and how deep a search of that depth (0: by time alone) and time (0: none) may go. */
struct search_limit hint_search_limit(const struct hint_limits *limits, int64_t depth, int64_t ms);

/* Reads a question from the parameters of a target. HTTP_BAD_REQUEST. */
enum http_code hint_parse(struct hint_question *question, const struct catalog *catalog,
                          const struct hint_limits *limits, struct target *target);

/* Begins the JSON object of an answer about a board: the board and its evaluator. */
void hint_begin_json(struct json *json, const struct hint_question *question);

/* Answers it with the searchers of one worker; *text, from malloc, is the JSON. An HTTP code of failure otherwise. */
enum http_code hint_answer(const struct hint_question *question, struct web_searchers *searchers, unsigned worker,
                           char **text);

#endif
