/* hint_answer: a search's result as JSON, the same from `afterstate hint` and from the server. */
#include "study/hint_answer.h"

#include "game/notation.h"

#include <stddef.h>

#include <math.h>

void json_add_directions(struct json *json, const char *name, const double number[DIRECTION_COUNT])
{
    json_open_object(json, name);
    for (unsigned d = 0; d < DIRECTION_COUNT; d++)
        json_add_real(json, direction_name(d), number[d]);
    json_close(json);
}

void hint_answer_add_json(struct json *json, const struct search_result *result, double milliseconds)
{
    double rewards[DIRECTION_COUNT], depths[DIRECTION_COUNT];
    json_add_text(json, "best", result->n_valued ? direction_name(result->best) : NULL);
    json_open_object(json, "moves");
    for (unsigned i = 0; i < DIRECTION_COUNT; i++) {
        enum direction d = result->order[i];
        bool legal = result->legal >> d & 1;
        json_add_real(json, direction_name(d), (double)result->value[d]);
        rewards[d] = legal ? result->reward[d] : (double)NAN;
        depths[d] = legal ? result->depth[d] : (double)NAN;
    }
    json_close(json);
    json_add_directions(json, "rewards", rewards);
    json_add_directions(json, "depths", depths);
    json_add_unsigned(json, "depth", result->n_valued ? result->depth[result->best] : 0);
    json_add_real(json, "ms", milliseconds);
    json_add_flag(json, "over", result->legal == 0);
}

void hint_answer_add_endgame(struct json *json, const struct endgame *endgame, struct board board)
{
    struct query_answer answer;
    double chances[DIRECTION_COUNT];
    unsigned goal;
    if (endgame_query(endgame, board, &answer, &goal)) {
        json_add_null(json, "endgame");
        return;
    }
    for (unsigned d = 0; d < DIRECTION_COUNT; d++)
        chances[d] = answer.moves[d].value[VARIANT_NORMAL];
    json_open_object(json, "endgame");
    json_add_unsigned(json, "tile", notation_face(goal));
    json_add_directions(json, "chances", chances);
    json_close(json);
}
