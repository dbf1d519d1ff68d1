/* routes: the table of the requests that the server answers, and their functions. */
#include "web/routes.h"

#include "base/clock.h"
#include "web/run_list.h"
#include "web/table_answers.h"

#include <stdlib.h>
#include <string.h>

enum { ROUTE_QUICK_MS = 50 };

void exchange_free(struct exchange *exchange)
{
    review_free(exchange->review);
    game_stream_free(exchange->stream);
    web_text_free(&exchange->body);
    web_text_free(&exchange->lines);
    free(exchange->text);
}

/* ---- questions -------------------------------------------------------------------------------------------------- */

static enum http_code parse_nothing(struct exchange *exchange)
{
    return target_finish(&exchange->target);
}

static enum http_code parse_hint(struct exchange *exchange)
{
    const struct service *service = exchange->service;
    return hint_parse(&exchange->hint, service->catalog, &service->limits, &exchange->target);
}

static enum http_code parse_review(struct exchange *exchange)
{
    return review_parse(&exchange->review_question, &exchange->service->limits, &exchange->target);
}

static enum http_code parse_watch(struct exchange *exchange)
{
    const struct service *service = exchange->service;
    return game_stream_parse_watch(&exchange->stream_question, service->catalog, &service->limits, &exchange->target);
}

static enum http_code parse_outlook(struct exchange *exchange)
{
    const struct service *service = exchange->service;
    return game_stream_parse_outlook(&exchange->stream_question, service->catalog, &service->limits, &exchange->target);
}

static enum http_code parse_run(struct exchange *exchange)
{
    enum http_code code = target_take_integer(&exchange->target, "from", 0, INT64_MAX, &exchange->from);
    return code ? code : target_finish(&exchange->target);
}

static enum http_code find_table(struct exchange *exchange)
{
    const char *id = exchange->target.segments[2];
    exchange->table = catalog_table(exchange->service->catalog, id);
    return exchange->table ? HTTP_FINE : web_fail(HTTP_NOT_FOUND, "there is no table '%.40s'", id);
}

static enum http_code parse_table(struct exchange *exchange)
{
    enum http_code code = find_table(exchange);
    return code ? code : target_finish(&exchange->target);
}

static enum http_code parse_query(struct exchange *exchange)
{
    enum http_code code = find_table(exchange);
    return code ? code : table_answers_take_position(exchange->table, &exchange->target, &exchange->position);
}

/* ---- work ------------------------------------------------------------------------------------------------------- */

static enum http_code work_health(struct exchange *exchange)
{
    return service_health(exchange->service, &exchange->text);
}

static enum http_code work_hint(struct exchange *exchange)
{
    return hint_answer(&exchange->hint, exchange->service->searchers, exchange->worker, &exchange->text);
}

/* Finding a game in a record is work too: it may take as long as the longest hint. */
static struct upload_source upload_of(const struct exchange *exchange)
{
    return (struct upload_source){.data = exchange->body.data,
                                  .bytes = exchange->body.bytes,
                                  .game = exchange->review_question.game,
                                  .cancel = exchange->cancel,
                                  .until = clock_seconds() + exchange->service->limits.max_ms / 1000.0};
}

static enum http_code work_review(struct exchange *exchange)
{
    const struct service *service = exchange->service;
    const struct upload_source source = upload_of(exchange);
    enum http_code code = HTTP_FINE;
    if (!exchange->review)
        code = review_open(&exchange->review, &exchange->review_question, service->catalog, &service->limits, &source);
    web_text_free(&exchange->body);
    if (code)
        return code;
    return web_code_of(
        review_step(exchange->review, service->searchers, exchange->worker, &exchange->lines, &exchange->review_done));
}

static enum http_code work_stream(struct exchange *exchange)
{
    enum status status = STATUS_OK;
    if (!exchange->stream)
        status = game_stream_open(&exchange->stream, &exchange->stream_question);
    if (!status)
        status = game_stream_step(exchange->stream, exchange->service->searchers, exchange->worker, &exchange->lines,
                                  &exchange->review_done);
    return web_code_of(status);
}

static enum http_code work_line(struct exchange *exchange)
{
    return game_stream_line(&exchange->hint, exchange->service->searchers, exchange->worker, &exchange->text);
}

static enum http_code work_record(struct exchange *exchange)
{
    struct game_upload upload;
    const struct upload_source source = upload_of(exchange);
    enum http_code code = game_upload_read(&upload, exchange->service->catalog, &source);
    if (!code)
        code = game_upload_to_record(&upload, &exchange->lines);
    game_upload_free(&upload);
    return code;
}

static enum http_code work_runs(struct exchange *exchange)
{
    return run_list_all(exchange->service->runs, &exchange->text);
}

static enum http_code work_run(struct exchange *exchange)
{
    return run_list_one(exchange->service->runs, exchange->target.segments[2], (uint64_t)exchange->from,
                        &exchange->text);
}

static enum http_code work_tables(struct exchange *exchange)
{
    return table_answers_all(exchange->service->catalog, &exchange->text);
}

static enum http_code work_table(struct exchange *exchange)
{
    return table_answers_one(exchange->table, &exchange->text);
}

static enum http_code work_ages(struct exchange *exchange)
{
    return table_answers_ages(exchange->service->tables, exchange->table, &exchange->text);
}

static enum http_code work_query(struct exchange *exchange)
{
    return table_answers_query(exchange->table, exchange->position, &exchange->text);
}

/* ---- which jobs go first ----------------------------------------------------------------------------------------- */

static bool hint_is_quick(const struct exchange *exchange)
{
    const struct search_limit *limit = &exchange->hint.limit;
    return limit->depth < HINT_BOUNDED_DEPTH || (limit->milliseconds > 0 && limit->milliseconds <= ROUTE_QUICK_MS);
}

static bool always_quick(const struct exchange *exchange)
{
    (void)exchange;
    return true;
}

/* ---- the table -------------------------------------------------------------------------------------------------- */

/* clang-format off */
static const struct route routes[] = {
    /* method, pattern,           parse,         work,        send,       pooled, is_quick */
    {"GET",  "api/health",        parse_nothing, work_health, SEND_JSON,  false,  NULL},
    {"GET",  "api/hint",          parse_hint,    work_hint,   SEND_JSON,  true,   hint_is_quick},
    {"GET",  "api/line",          parse_hint,    work_line,   SEND_JSON,  true,   NULL},
    {"GET",  "api/watch",         parse_watch,   work_stream, SEND_LINES, true,   NULL},
    {"GET",  "api/outlook",       parse_outlook, work_stream, SEND_LINES, true,   NULL},
    {"POST", "api/review",        parse_review,  work_review, SEND_LINES, true,   NULL},
    {"POST", "api/record",        parse_review,  work_record, SEND_FILE,  true,   NULL},
    {"GET",  "api/runs",          parse_nothing, work_runs,   SEND_JSON,  true,   NULL},
    {"GET",  "api/runs/*",        parse_run,     work_run,    SEND_JSON,  true,   NULL},
    {"GET",  "api/tables",        parse_nothing, work_tables, SEND_JSON,  false,  NULL},
    {"GET",  "api/table/*",       parse_table,   work_table,  SEND_JSON,  false,  NULL},
    {"GET",  "api/table/*/ages",  parse_table,   work_ages,   SEND_JSON,  false,  NULL},
    {"GET",  "api/table/*/query", parse_query,   work_query,  SEND_JSON,  true,   always_quick},
};
/* clang-format on */

static const struct route page = {.method = "GET", .pattern = "", .send = SEND_PAGE};

static bool matches(const char *pattern, const struct target *target)
{
    size_t i = 0;
    for (size_t n; *pattern; pattern += n + (pattern[n] == '/'), i++) {
        n = strcspn(pattern, "/");
        const char *segment = i < target->n_segments ? target->segments[i] : NULL;
        if (!segment || (*pattern != '*' && (strlen(segment) != n || memcmp(segment, pattern, n) != 0)))
            return false;
    }
    return i == target->n_segments;
}

enum http_code route_find(const struct target *target, const struct route **route)
{
    *route = NULL;
    if (!target_segment_is(target, 0, "api"))
        *route = &page;
    for (size_t i = 0; !*route && i < sizeof routes / sizeof *routes; i++)
        if (matches(routes[i].pattern, target))
            *route = &routes[i];
    return *route ? HTTP_FINE : web_fail(HTTP_NOT_FOUND, "there is no such route; the guide lists them");
}
