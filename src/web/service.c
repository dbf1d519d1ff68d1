/* service: what all answers are made from, and the answers about the server itself: its health and its errors. */
#include "web/service.h"

#include "base/json.h"
#include "base/memory.h"

#include <stdio.h>
#include <stdlib.h>

static void add_board(struct json *json, const struct catalog *catalog, const struct web_board *board)
{
    char size[16];
    const struct web_table *table = catalog_exact_table(catalog, board->grid->rows, board->grid->cols);
    snprintf(size, sizeof size, "%ux%u", board->grid->rows, board->grid->cols);
    json_open_object(json, NULL);
    json_add_text(json, "size", size);
    json_add_unsigned(json, "rows", board->grid->rows);
    json_add_unsigned(json, "cols", board->grid->cols);
    json_add_text(json, "judge", board->evaluator);
    json_add_flag(json, "network", board->network);
    json_add_text(json, "table", table ? table->id : NULL);
    json_close(json);
}

static void add_limits(struct json *json, const struct service *service)
{
    json_open_object(json, "limits");
    json_add_unsigned(json, "max_depth", service->limits.max_depth);
    json_add_unsigned(json, "max_ms", service->limits.max_ms);
    json_add_unsigned(json, "depth_ms", service->limits.depth_ms);
    json_add_unsigned(json, "threads", service->pool ? job_pool_threads(service->pool) : 1);
    json_add_unsigned(json, "waiting", service->max_waiting);
    json_add_unsigned(json, "reviews", SERVICE_MAX_REVIEWS);
    json_add_unsigned(json, "record_bytes", SERVICE_RECORD_BYTES);
    json_add_unsigned(json, "json_bytes", SERVICE_JSON_BYTES);
    json_close(json);
}

enum http_code service_health(struct service *service, char **text)
{
    struct json json;
    struct job_counts counts = service->pool ? job_pool_counts(service->pool) : (struct job_counts){0};
    json_begin(&json);
    json_add_unsigned(&json, "version", 1);
    json_add_text(&json, "program", "afterstate");
    json_add_text(&json, "release", AFTERSTATE_VERSION);
    json_open_array(&json, "boards");
    for (size_t i = 0; i < service->catalog->n_boards; i++)
        add_board(&json, service->catalog, &service->catalog->boards[i]);
    json_close(&json);
    json_add_unsigned(&json, "tables", service->catalog->n_tables);
    json_add_flag(&json, "runs", service->runs != NULL);
    add_limits(&json, service);
    json_open_object(&json, "searches");
    json_add_unsigned(&json, "running", counts.n_running);
    json_add_unsigned(&json, "waiting", counts.n_waiting);
    json_add_unsigned(&json, "reviews", atomic_load(&service->n_reviews));
    json_close(&json);
    return web_code_of(json_print_compact(&json, text));
}

char *service_error_text(const char *message)
{
    struct json json;
    char *clean = memory_copy_text(message), *text = NULL;
    if (!clean)
        return NULL;
    web_clean_text(clean);
    web_hide_folders(clean);
    json_begin(&json);
    json_add_unsigned(&json, "version", 1);
    json_add_text(&json, "error", clean);
    free(clean);
    return json_print_compact(&json, &text) ? NULL : text;
}
