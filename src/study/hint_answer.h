/* hint_answer: a search's result as JSON, the same from `afterstate hint` and from the server. */
#ifndef AFTERSTATE_STUDY_HINT_ANSWER_H
#define AFTERSTATE_STUDY_HINT_ANSWER_H

#include "base/json.h"
#include "search/search_result.h"
#include "solve/endgame.h"

/* Adds an object with a number for each direction; NaN gives null. */
void json_add_directions(struct json *json, const char *name, const double number[DIRECTION_COUNT]);

/*
 * Adds the members "best", "moves" (the values, best first), "rewards", "depths" (plies of each value), "depth" (of the
 * best), "ms" and "over". Illegal directions are null.
 */
void hint_answer_add_json(struct json *json, const struct search_result *result, double milliseconds);

/*
 * Adds "endgame", what the tables know of the board: "tile", the one to be made next, and "chances" of that for
 * each direction, null where a large tile would move. null if no table covers the board.
 */
void hint_answer_add_endgame(struct json *json, const struct endgame *endgame, struct board board);

#endif
