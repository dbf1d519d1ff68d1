/* hint: the answer to /api/hint: what each move is worth by search, and by a table where the board is solved. */
#include "web/hint.h"

#include "base/clock.h"
#include "base/json.h"
#include "base/map_guard.h"
#include "game/notation.h"
#include "study/hint_answer.h"

enum http_code hint_take_depth(struct target *target, const struct hint_limits *limits, int64_t *depth)
{
    return target_take_integer(target, "depth", 1, limits->max_depth, depth);
}

struct search_limit hint_search_limit(const struct hint_limits *limits, int64_t depth, int64_t ms)
{
    struct search_limit limit = {.depth = (unsigned)depth, .milliseconds = (unsigned)ms};
    if (depth >= HINT_BOUNDED_DEPTH && ms == 0)
        limit.milliseconds = limits->depth_ms;
    return limit;
}

enum http_code hint_parse(struct hint_question *question, const struct catalog *catalog,
                          const struct hint_limits *limits, struct target *target)
{
    int64_t depth = 0, ms = 0;
    enum http_code code = catalog_take_board(catalog, target, &question->board, &question->position);
    if (!code)
        code = hint_take_depth(target, limits, &depth);
    if (!code)
        code = target_take_integer(target, "ms", 1, limits->max_ms, &ms);
    if (!code)
        code = target_finish(target);
    if (code)
        return code;
    if (depth == 0 && ms == 0)
        depth = HINT_DEFAULT_DEPTH < limits->max_depth ? HINT_DEFAULT_DEPTH : limits->max_depth;
    question->limit = hint_search_limit(limits, depth, ms);
    question->table = catalog_exact_table(catalog, question->board->grid->rows, question->board->grid->cols);
    return HTTP_FINE;
}

/* "exact", or why there is none. Only a table that cannot be read is a failure. */
static enum status add_exact(struct json *json, const struct hint_question *question)
{
    struct query_answer answer;
    enum status status = STATUS_INVALID;
    if (question->table)
        status = catalog_query(question->table, question->position, &answer);
    else
        status_fail(status, "no table of %ux%u boards is given", question->board->grid->rows,
                    question->board->grid->cols);
    if (!status) {
        json_open_object(json, "exact");
        json_add_text(json, "table", question->table->id);
        catalog_add_answer_json(json, question->table, &answer, false);
        json_close(json);
        json_add_null(json, "exact_missing");
    } else if (status == STATUS_INVALID || status == STATUS_IO) { /* the search's answer is good all the same */
        json_add_null(json, "exact");
        json_add_text(json, "exact_missing", status_message());
        status = STATUS_OK;
    }
    return status;
}

struct guarded_chances {
    struct json *json;
    const struct hint_question *question;
};

static enum status add_chances(void *context)
{
    const struct guarded_chances *chances = context;
    hint_answer_add_endgame(chances->json, chances->question->board->endgame, chances->question->position);
    return STATUS_OK;
}

void hint_begin_json(struct json *json, const struct hint_question *question)
{
    const struct grid *grid = question->board->grid;
    char digits[NOTATION_DIGITS_BYTES];
    json_begin(json);
    json_add_unsigned(json, "version", 1);
    json_add_text(json, "board", notation_digits(grid, question->position, digits));
    json_add_unsigned(json, "rows", grid->rows);
    json_add_unsigned(json, "cols", grid->cols);
    json_add_text(json, "judge", question->board->evaluator);
}

enum http_code hint_answer(const struct hint_question *question, struct web_searchers *searchers, unsigned worker,
                           char **text)
{
    struct search_result result;
    struct json json;
    double start = clock_seconds();
    *text = NULL;
    enum status status =
        web_searchers_search(searchers, worker, question->board, question->position, question->limit, &result);
    if (status)
        return web_code_of(status);
    double milliseconds = 1e3 * (clock_seconds() - start);
    hint_begin_json(&json, question);
    hint_answer_add_json(&json, &result, milliseconds);
    struct guarded_chances chances = {&json, question};
    if (question->board->endgame)
        status = map_guard_run(add_chances, &chances, "endgame");
    if (!status)
        status = add_exact(&json, question);
    if (status)
        json_free(&json);
    else
        status = json_print_compact(&json, text);
    return web_code_of(status);
}
