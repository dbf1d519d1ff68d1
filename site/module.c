/*
 * module: the API of `afterstate serve` without a server, for WebAssembly: the same routes, answered by the same code,
 * called by site/worker.js in place of a socket.
 *
 * A site is made, given networks and tables, and started; requests are then answered one at a time. All functions are
 * called from one thread. Pointers that go to JavaScript are borrowed until the next call that takes their owner.
 */
#include "base/json.h"
#include "base/memory.h"
#include "bench.h"
#include "game/simple_value.h"
#include "neural/neural_file.h"
#include "neural/neural_value.h"
#include "ntuple/network_value.h"
#include "packed/compact_network.h"
#include "packed/network_file.h"
#include "solve/table.h"
#include "web/routes.h"
#include "web/run_list.h"

#include <emscripten.h>
#include <inttypes.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DOWNGRADE = 15, SIMPLE_BOARDS = 2 };

/* As `serve` has them; and where a search that nobody waits for cannot be ended, so that it holds up the next one. */
static const struct hint_limits usual_limits = {.max_depth = 5, .max_ms = 2000, .depth_ms = 10000},
                                short_limits = {.max_depth = 4, .max_ms = 1000, .depth_ms = 3000};

/* A network in whichever form suits it. */
struct site_network {
    char name[CATALOG_NAME_BYTES];
    struct packed_network *packed; /* or */
    struct network *network;       /* or */
    struct neural *neural;
    struct neural_evaluator *evaluator; /* with it */
    const struct grid *grid;
    struct value_function function;
    struct value_function batches; /* of `neural`; `function` asks between them whether to go on */
    struct site *site;
};

struct site {
    struct site_network networks[CATALOG_MAX_BOARDS];
    size_t n_networks;
    struct table *tables[CATALOG_MAX_TABLES];
    size_t n_tables;
    /* Made by site_start(). */
    struct grid grids[SIMPLE_BOARDS + CATALOG_MAX_TABLES];
    struct simple_value *simple[SIMPLE_BOARDS + CATALOG_MAX_TABLES];
    size_t n_simple;
    struct catalog catalog;
    struct service service;
    struct hint_limits limits;
    atomic_bool cancel; /* ends the search of the current request */
};

struct site_request {
    struct exchange exchange;
    struct site *site;
    const struct route *route;
    enum http_code code;
};

/* ---- searches that nobody waits for ------------------------------------------------------------------------------ */

/* Whether nobody wants the answer that is being worked on any more: site/worker.js knows. */
EM_JS(int, is_unwanted, (void), { return Module.isUnwanted && Module.isUnwanted() ? 1 : 0; });

/* The one thread that there is must ask by itself. */
static void poll_unwanted(struct site *site)
{
    if (is_unwanted())
        atomic_store_explicit(&site->cancel, true, memory_order_relaxed);
}

/* Searches call this on their way. */
static void watch_search(void *context, unsigned depth, unsigned n_done, unsigned n_parts)
{
    (void)depth, (void)n_done, (void)n_parts;
    poll_unwanted(context);
}

/* Searches that collect large batches call the value function only. */
static void values_of_batch(const void *context, const struct board *after, size_t n, float *out)
{
    const struct site_network *network = context;
    value_of_batch(&network->batches, after, n, out);
    poll_unwanted(network->site);
}

/* ---- what it offers --------------------------------------------------------------------------------------------- */

EMSCRIPTEN_KEEPALIVE struct site *site_create(int can_cancel)
{
    struct site *site = memory_allocate(1, sizeof *site);
    if (site)
        site->limits = can_cancel ? usual_limits : short_limits;
    return site;
}

/* Why the last call failed. */
EMSCRIPTEN_KEEPALIVE const char *site_message(void)
{
    return status_message();
}

static void free_network(struct site_network *network)
{
    packed_network_free(network->packed);
    network_free(network->network);
    neural_evaluator_free(network->evaluator);
    neural_free(network->neural);
    *network = (struct site_network){0};
}

static enum status load_neural(struct site_network *out, const void *data, size_t bytes)
{
    enum status status = neural_load_memory(&out->neural, data, bytes, out->name, NULL);
    if (!status)
        status = neural_evaluator_create(&out->evaluator, out->neural, 1);
    if (status)
        return status;
    out->grid = &out->neural->grid;
    out->function = neural_value_function(out->evaluator);
    return STATUS_OK;
}

static enum status load_network(struct site_network *out, const void *data, size_t bytes)
{
    if (neural_file_is_memory(data, bytes))
        return load_neural(out, data, bytes);
    enum status status = compact_network_load_memory(&out->packed, data, bytes, out->name);
    if (!status && !out->packed)
        status = network_load_memory(&out->network, data, bytes, out->name, NULL);
    if (status)
        return status;
    out->grid = out->packed ? packed_network_grid(out->packed) : &out->network->grid;
    out->function = out->packed ? packed_network_function(out->packed) : network_value_function(out->network);
    return STATUS_OK;
}

/* Adds the network of a file's bytes, in place of an earlier one for the same boards. Not 0: site_message(). */
EMSCRIPTEN_KEEPALIVE int site_add_network(struct site *site, const char *name, const void *data, size_t bytes)
{
    struct site_network made = {0};
    snprintf(made.name, sizeof made.name, "%s", name);
    enum status status = load_network(&made, data, bytes);
    if (status) {
        free_network(&made);
        return (int)status;
    }
    size_t at = 0;
    while (at < site->n_networks &&
           (site->networks[at].grid->rows != made.grid->rows || site->networks[at].grid->cols != made.grid->cols))
        at++;
    if (at == CATALOG_MAX_BOARDS) {
        free_network(&made);
        return (int)status_fail(STATUS_USAGE, "more than %d networks", CATALOG_MAX_BOARDS);
    }
    if (at < site->n_networks)
        free_network(&site->networks[at]);
    else
        site->n_networks++;
    struct site_network *network = &site->networks[at];
    *network = made;
    network->site = site;
    if (network->neural) {
        network->batches = network->function;
        network->function.context = network;
        network->function.values = values_of_batch;
    }
    return STATUS_OK;
}

/* Adds a table directory of the module's file system. */
EMSCRIPTEN_KEEPALIVE int site_add_table(struct site *site, const char *directory)
{
    if (site->n_tables == CATALOG_MAX_TABLES)
        return (int)status_fail(STATUS_USAGE, "more than %d tables", CATALOG_MAX_TABLES);
    enum status status = table_open(&site->tables[site->n_tables], directory);
    if (!status)
        site->n_tables++;
    return (int)status;
}

static void stop(struct site *site)
{
    web_searchers_free(site->service.searchers);
    table_answers_free(site->service.tables);
    for (size_t i = 0; i < site->n_simple; i++) {
        simple_value_free(site->simple[i]);
        grid_free(&site->grids[i]);
    }
    site->n_simple = 0;
    memset(&site->service, 0, sizeof site->service);
    memset(&site->catalog, 0, sizeof site->catalog);
}

/* The hand-made value for boards of this size, unless something else is there. */
static enum status add_simple(struct site *site, unsigned rows, unsigned cols)
{
    if (catalog_board(&site->catalog, rows, cols))
        return STATUS_OK;
    struct grid *grid = &site->grids[site->n_simple];
    enum status status = grid_create(grid, rows, cols);
    if (status)
        return status;
    status = simple_value_create(&site->simple[site->n_simple++], grid);
    if (status)
        return status;
    struct web_board board = {
        .grid = grid, .function = simple_value_function(site->simple[site->n_simple - 1]), .evaluator = "simple"};
    return catalog_add_board(&site->catalog, &board);
}

static enum status fill_catalog(struct site *site)
{
    enum status status = STATUS_OK;
    for (size_t i = 0; !status && i < site->n_networks; i++) {
        const struct site_network *network = &site->networks[i];
        struct web_board board = {.grid = network->grid,
                                  .function = network->function,
                                  .evaluator = network->name,
                                  .network = true,
                                  .downgrade = strcmp(network->name, "bundled") == 0 ? DOWNGRADE : 0};
        status = catalog_add_board(&site->catalog, &board);
    }
    for (unsigned side = 4; !status && side >= 3; side--)
        status = add_simple(site, side, side);
    for (size_t i = 0; !status && i < site->n_tables; i++) {
        const struct table_summary *summary = table_summary(site->tables[i]);
        status = catalog_add_table(&site->catalog, site->tables[i]);
        if (!status)
            status = add_simple(site, summary->rows, summary->cols);
    }
    return status;
}

/* Begins to answer with what was added; again after more was added. No request may be open. */
EMSCRIPTEN_KEEPALIVE int site_start(struct site *site)
{
    stop(site);
    enum status status = fill_catalog(site);
    site->service.catalog = &site->catalog;
    site->service.limits = site->limits;
    if (!status)
        status = web_searchers_create(&site->service.searchers, &site->catalog, 1);
    if (!status) {
        web_searchers_set_cancel(site->service.searchers, 0, &site->cancel);
        web_searchers_set_watch(site->service.searchers, watch_search, site);
    }
    if (!status)
        status = table_answers_create(&site->service.tables, &site->catalog);
    return (int)status;
}

/* ---- requests --------------------------------------------------------------------------------------------------- */

EMSCRIPTEN_KEEPALIVE void site_request_free(struct site_request *request)
{
    if (!request)
        return;
    exchange_free(&request->exchange);
    free(request);
}

static void work(struct site_request *request)
{
    request->exchange.lines.bytes = 0;
    atomic_store_explicit(&request->site->cancel, false, memory_order_relaxed);
    request->code = request->route->work(&request->exchange);
    if (request->code >= HTTP_BAD_REQUEST) {
        free(request->exchange.text);
        request->exchange.text = service_error_text(status_message());
    }
}

static enum http_code begin(struct site_request *request, const char *method, const char *target, const void *body,
                            size_t bytes)
{
    struct exchange *exchange = &request->exchange;
    enum http_code code = target_parse(&exchange->target, target);
    if (!code)
        code = route_find(&exchange->target, &request->route);
    if (!code && (!request->route->work || strcmp(method, request->route->method) != 0))
        code = web_fail(HTTP_BAD_METHOD, "the method is %.20s, expected %s", method, request->route->method);
    if (!code && bytes > SERVICE_RECORD_BYTES)
        code = web_fail(HTTP_TOO_LARGE, "a body of more than %d bytes", SERVICE_RECORD_BYTES);
    if (!code)
        code = request->route->parse(exchange);
    return code ? code : web_code_of(web_text_append(&exchange->body, body, bytes));
}

/* Answers a request, or the first part of one whose answer is lines. NULL without memory. To be freed. */
EMSCRIPTEN_KEEPALIVE struct site_request *site_request(struct site *site, const char *method, const char *target,
                                                       const void *body, size_t bytes)
{
    struct site_request *request = memory_allocate(1, sizeof *request);
    if (!request)
        return NULL;
    request->site = site;
    request->exchange.service = &site->service;
    request->code = begin(request, method, target, body, bytes);
    if (request->code)
        request->exchange.text = service_error_text(status_message());
    else
        work(request);
    return request;
}

/* The HTTP status. */
EMSCRIPTEN_KEEPALIVE int site_request_code(const struct site_request *request)
{
    return request->code ? (int)request->code : (int)HTTP_OK;
}

static bool has_lines(const struct site_request *request)
{
    return request->route && request->code < HTTP_BAD_REQUEST &&
           (request->route->send == SEND_LINES || request->route->send == SEND_FILE);
}

/* What there is of the answer: JSON, lines or a file. */
EMSCRIPTEN_KEEPALIVE const char *site_request_data(const struct site_request *request)
{
    return has_lines(request) ? request->exchange.lines.data : request->exchange.text;
}

EMSCRIPTEN_KEEPALIVE size_t site_request_bytes(const struct site_request *request)
{
    if (has_lines(request))
        return request->exchange.lines.bytes;
    return request->exchange.text ? strlen(request->exchange.text) : 0;
}

/* Works on the next lines; 0 after the last. */
EMSCRIPTEN_KEEPALIVE int site_request_more(struct site_request *request)
{
    if (!has_lines(request) || request->route->send != SEND_LINES || request->exchange.review_done)
        return 0;
    work(request);
    return 1;
}

/* ---- runs: there are none without a folder ---------------------------------------------------------------------- */

enum http_code run_list_all(const char *folder, char **text)
{
    struct json json;
    (void)folder;
    json_begin(&json);
    json_add_unsigned(&json, "version", 1);
    json_add_unsigned(&json, "count", 0);
    json_open_array(&json, "runs");
    json_close(&json);
    return web_code_of(json_print_compact(&json, text));
}

enum http_code run_list_one(const char *folder, const char *name, uint64_t from, char **text)
{
    (void)folder, (void)from, (void)text;
    return web_fail(HTTP_NOT_FOUND, "there is no run '%.40s'", name);
}

/* ---- tests ------------------------------------------------------------------------------------------------------ */

/* The signature of `afterstate bench --signature` as hexadecimal digits, to be freed; NULL on failure. */
EMSCRIPTEN_KEEPALIVE char *site_signature(void)
{
    uint64_t signature;
    char *text = memory_allocate(17, 1);
    if (!text || bench_signature(&signature)) {
        free(text);
        return NULL;
    }
    snprintf(text, 17, "%016" PRIx64, signature);
    return text;
}
