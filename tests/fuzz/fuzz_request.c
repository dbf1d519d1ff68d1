/*
 * Any bytes as a request to the server: the first line is a target, the second a Host header, the third an Origin, the
 * rest a body. All that looks at them before a search would run: the target taken apart, the guard, the route, the
 * question of a hint, and the body as a game. What comes out must be sound, and every message UTF-8.
 */
#include "base/clock.h"
#include "game/simple_value.h"
#include "web/catalog.h"
#include "web/game_upload.h"
#include "web/guard.h"
#include "web/page.h"
#include "web/routes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n_bytes);

enum { N_BOARDS = 3 };

static struct grid grids[N_BOARDS];
static struct catalog catalog;

static void prepare(void)
{
    static const unsigned sizes[N_BOARDS][2] = {{4, 4}, {3, 3}, {2, 2}};
    for (unsigned i = 0; i < N_BOARDS; i++) {
        struct web_board board = {.grid = &grids[i], .evaluator = "none"}; /* nobody searches here */
        if (grid_create(&grids[i], sizes[i][0], sizes[i][1]) || catalog_add_board(&catalog, &board))
            abort();
    }
}

/* Takes the next line off the input, as a text that the caller frees. */
static char *take_line(const uint8_t **data, size_t *n_bytes)
{
    const uint8_t *end = *n_bytes ? memchr(*data, '\n', *n_bytes) : NULL;
    size_t n = end ? (size_t)(end - *data) : *n_bytes;
    char *line = calloc(1, n + 1);
    if (!line)
        abort();
    if (n)
        memcpy(line, *data, n);
    n += end != NULL;
    *data += n;
    *n_bytes -= n;
    return line;
}

static void check_failure(enum http_code code)
{
    if (!code)
        return;
    char *text = service_error_text(status_message());
    if (!text || code < 400)
        abort();
    char *copy = strdup(text);
    web_clean_text(copy);
    if (strcmp(copy, text) != 0)
        abort();
    free(copy);
    free(text);
}

static void ask(struct target *target)
{
    static struct service service = {.catalog = &catalog,
                                     .limits = {.max_depth = 5, .max_ms = 2000, .depth_ms = 10000}};
    struct exchange exchange = {.service = &service};
    struct target copy;
    struct hint_question hint;
    struct review_question review;
    struct page_content content;
    const struct route *route;
    check_failure(route_find(target, &route));
    if (route && route->parse) {
        exchange.target = *target; /* its texts stay those of *target */
        check_failure(route->parse(&exchange));
    }
    check_failure(page_find(target, NULL, &content));
    char text[TARGET_MAX_BYTES + 64];
    snprintf(text, sizeof text, "/?x=%s", target->n_segments ? target->segments[0] : "");
    check_failure(target_parse(&copy, text));
    enum http_code code = hint_parse(&hint, &catalog, &service.limits, target);
    check_failure(code);
    if (!code && (!grid_holds(hint.board->grid, hint.position) || (!hint.limit.depth && !hint.limit.milliseconds)))
        abort();
    code = review_parse(&review, &service.limits, target);
    if (!code && (review.depth < 1 || review.depth > service.limits.max_depth))
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n_bytes)
{
    if (!catalog.n_boards)
        prepare();
    char *text = take_line(&data, &n_bytes), *host = take_line(&data, &n_bytes), *origin = take_line(&data, &n_bytes);
    struct guard guard = guard_for("0.0.0.0", NULL);
    struct guard_headers headers = {.host = host, .origin = origin[0] ? origin : NULL};
    struct target target;
    struct game_upload upload;
    check_failure(guard_check(&guard, &headers, false));
    enum http_code code = target_parse(&target, text);
    check_failure(code);
    if (!code)
        ask(&target);
    const struct upload_source source = {
        .data = n_bytes ? data : (const uint8_t *)"", .bytes = n_bytes, .until = clock_seconds() + 60};
    code = game_upload_read(&upload, &catalog, &source);
    check_failure(code);
    if (!code && game_record_check(upload.board->grid, &upload.record))
        abort();
    game_upload_free(&upload);
    free(text);
    free(host);
    free(origin);
    return 0;
}
