/*
 * One thread of libmicrohttpd does all that touches connections: it reads requests, answers the cheap ones on the spot
 * and sends what is ready. A request that needs a search becomes a job of the pool and its connection is suspended; the
 * job's end resumes it, and the same function is called again and finds the answer ready.
 *
 *   NEW -> (body) -> WORKING -> ANSWERED        cheap requests go from NEW to ANSWERED
 *
 * While a connection is suspended the library does not look at it, so its request cannot go away under a job; that the
 * client has gone is noticed by the pool, which looks at the socket itself.
 */
#include "web/server.h"

#include "base/clock.h"
#include "base/memory.h"
#include "web/clients.h"
#include "web/guard.h"
#include "web/hint.h"
#include "web/job_pool.h"
#include "web/listen.h"
#include "web/page.h"
#include "web/service.h"

#include <assert.h>
#include <microhttpd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    MAX_CONNECTIONS = 256,
    CONNECTION_BYTES = 32 << 10, /* request line and headers */
    IDLE_SECONDS = 15,           /* nothing comes or goes */
    UPLOAD_SECONDS = 30,
    DEPTH_MS = 10000,
    RETRY_SECONDS = 1,
};

struct server {
    struct service service;
    struct guard guard;
    struct clients clients;
    struct web_searchers *searchers;
    struct MHD_Daemon *daemon;
    unsigned port;
};

enum stage { STAGE_NEW, STAGE_BODY, STAGE_WORKING, STAGE_ANSWERED };

struct request {
    struct server *server;
    struct MHD_Connection *connection;
    char *text; /* the target as it came; NULL where it is longer than any target may be */
    enum stage stage;
    enum route route;
    struct target target;
    struct hint_question hint;
    struct job job;
    /* The answer: written by the job, or on the spot. */
    enum http_code code;
    char *answer; /* JSON, or the message of a failure; from malloc */
};

/* ---- sending ------------------------------------------------------------------------------------------------------
 */

static const char *const fixed_headers[][2] = {
    {"Content-Security-Policy", "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
                                "connect-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; "
                                "frame-ancestors 'none'"},
    {"X-Content-Type-Options", "nosniff"},
    {"Referrer-Policy", "no-referrer"},
    {"Cross-Origin-Resource-Policy", "same-origin"},
    {"Cross-Origin-Opener-Policy", "same-origin"},
    {"X-Frame-Options", "DENY"},
};

/* Sends a response and lets go of it; NULL is no memory, and the connection ends. */
static enum MHD_Result send_response(struct request *request, enum http_code code, struct MHD_Response *response,
                                     const char *type, const char *cache)
{
    char seconds[16];
    if (!response)
        return MHD_NO;
    bool added = MHD_add_response_header(response, "Content-Type", type) == MHD_YES &&
                 MHD_add_response_header(response, "Cache-Control", cache) == MHD_YES;
    for (size_t i = 0; added && i < sizeof fixed_headers / sizeof *fixed_headers; i++)
        added = MHD_add_response_header(response, fixed_headers[i][0], fixed_headers[i][1]) == MHD_YES;
    if (added && (code == HTTP_TOO_MANY || code == HTTP_UNAVAILABLE || code == HTTP_ACCEPTED)) {
        snprintf(seconds, sizeof seconds, "%d", RETRY_SECONDS);
        added = MHD_add_response_header(response, "Retry-After", seconds) == MHD_YES;
    }
    if (added && code == HTTP_BAD_METHOD)
        added =
            MHD_add_response_header(response, "Allow",
                                    request->route == ROUTE_PAGE || strcmp(service_method(request->route), "GET") == 0
                                        ? "GET, HEAD"
                                        : service_method(request->route)) == MHD_YES;
    request->stage = STAGE_ANSWERED;
    enum MHD_Result result = added ? MHD_queue_response(request->connection, code, response) : MHD_NO;
    MHD_destroy_response(response);
    return result;
}

/* Sends JSON, which it takes over. */
static enum MHD_Result send_json(struct request *request, enum http_code code, char *text)
{
    if (!text)
        return MHD_NO;
    struct MHD_Response *response = MHD_create_response_from_buffer(strlen(text), text, MHD_RESPMEM_MUST_FREE);
    if (!response)
        free(text);
    return send_response(request, code, response, "application/json", "no-store");
}

/* Sends the present message of this thread. */
static enum MHD_Result send_error(struct request *request, enum http_code code)
{
    return send_json(request, code, service_error_text(status_message()));
}

static const char *header_of(struct request *request, const char *name)
{
    return MHD_lookup_connection_value(request->connection, MHD_HEADER_KIND, name);
}

static enum MHD_Result send_page(struct request *request)
{
    struct page_content content;
    enum http_code code = page_find(&request->target, request->server->service.page_directory, &content);
    if (code)
        return send_error(request, code);
    const char *known = header_of(request, "If-None-Match");
    bool same = known && (strstr(known, content.tag) || strcmp(known, "*") == 0);
    struct MHD_Response *response =
        same ? MHD_create_response_from_buffer(0, NULL, MHD_RESPMEM_PERSISTENT)
             : MHD_create_response_from_buffer(content.bytes, (void *)(uintptr_t)content.data,
                                               content.owned ? MHD_RESPMEM_MUST_COPY : MHD_RESPMEM_PERSISTENT);
    free(content.owned);
    if (response && MHD_add_response_header(response, "ETag", content.tag) != MHD_YES) {
        MHD_destroy_response(response);
        response = NULL;
    }
    return send_response(request, same ? HTTP_NOT_MODIFIED : HTTP_OK, response, content.type, "no-cache");
}

/* ---- work ---------------------------------------------------------------------------------------------------------
 */

static struct request *request_of(struct job *job)
{
    return (struct request *)((char *)job - offsetof(struct request, job));
}

/* On a thread of the pool. The message of a failure belongs to that thread, so it is kept here. */
static void run_job(struct job *job, unsigned worker, const atomic_bool *cancel)
{
    struct request *request = request_of(job);
    struct server *server = request->server;
    (void)cancel; /* the searchers know it */
    request->code = hint_answer(&request->hint, server->searchers, worker, &request->answer);
    if (request->code)
        request->answer = memory_copy_text(status_message());
}

static void finish_job(struct job *job)
{
    MHD_resume_connection(request_of(job)->connection);
}

static enum MHD_Result send_result(struct request *request)
{
    char *text = request->answer;
    request->answer = NULL;
    if (request->job.cancelled) {
        free(text);
        return send_error(request, web_fail(HTTP_UNAVAILABLE, "the search was given up: the server is stopping"));
    }
    if (!request->code)
        return send_json(request, HTTP_OK, text);
    char *error = text ? service_error_text(text) : NULL;
    free(text);
    return send_json(request, request->code, error);
}

static enum MHD_Result start_job(struct request *request)
{
    const union MHD_ConnectionInfo *info =
        MHD_get_connection_info(request->connection, MHD_CONNECTION_INFO_CONNECTION_FD);
    request->job = (struct job){.run = run_job, .finished = finish_job, .socket = info ? info->connect_fd : -1};
    request->stage = STAGE_WORKING;
    MHD_suspend_connection(request->connection); /* before the job can end and resume it */
    if (job_pool_submit(request->server->service.pool, &request->job, false))
        return MHD_YES;
    MHD_resume_connection(request->connection);
    bool stopping = job_pool_is_stopping(request->server->service.pool);
    request->code = web_fail(stopping ? HTTP_UNAVAILABLE : HTTP_TOO_MANY, "%s",
                             stopping ? "the server is stopping" : "too many searches are waiting; try again");
    request->answer = memory_copy_text(status_message());
    return MHD_YES; /* and sent when the library comes back here */
}

/* ---- a request ----------------------------------------------------------------------------------------------------
 */

/* What can be said of a request before its body has come. */
static enum http_code examine(struct request *request, const char *method)
{
    struct guard_headers headers = {.host = header_of(request, "Host"),
                                    .origin = header_of(request, "Origin"),
                                    .fetch_site = header_of(request, "Sec-Fetch-Site"),
                                    .fetch_mode = header_of(request, "Sec-Fetch-Mode")};
    request->route = ROUTE_PAGE;
    if (!request->text)
        return web_fail(HTTP_TARGET_TOO_LONG, "a target of more than %d bytes", TARGET_MAX_BYTES);
    enum http_code code = target_parse(&request->target, request->text);
    if (!code)
        code = guard_check(&request->server->guard, &headers, !target_segment_is(&request->target, 0, "api"));
    if (!code)
        code = service_route(&request->target, &request->route);
    if (code)
        return code;
    const char *expected = service_method(request->route);
    bool head = strcmp(method, "HEAD") == 0 && strcmp(expected, "GET") == 0;
    if (!head && strcmp(method, expected) != 0)
        return web_fail(HTTP_BAD_METHOD, "the method is %.20s, expected %s", method, expected);
    const char *length = header_of(request, "Content-Length");
    if (strcmp(expected, "GET") == 0 &&
        ((length && strcmp(length, "0") != 0) || header_of(request, "Transfer-Encoding")))
        return web_fail(HTTP_BAD_REQUEST, "a %.20s request has no body", method);
    return HTTP_FINE;
}

static enum MHD_Result answer(struct request *request)
{
    struct service *service = &request->server->service;
    enum http_code code;
    char *text = NULL;
    switch (request->route) {
    case ROUTE_PAGE:
        return send_page(request);
    case ROUTE_HINT:
        code = hint_parse(&request->hint, service->catalog, &service->limits, &request->target);
        return code ? send_error(request, code) : start_job(request);
    case ROUTE_HEALTH:
        code = target_finish(&request->target);
        if (!code)
            code = service_health(service, &text);
        break;
    default:
        code = web_fail(HTTP_NOT_FOUND, "not written yet");
        break;
    }
    return code ? send_error(request, code) : send_json(request, HTTP_OK, text);
}

static struct client *client_of(struct MHD_Connection *connection)
{
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
    return info ? info->socket_context : NULL;
}

static enum MHD_Result handle(void *context, struct MHD_Connection *connection, const char *url, const char *method,
                              const char *version, const char *upload, size_t *upload_bytes, void **request_context)
{
    struct server *server = context;
    struct request *request = *request_context;
    (void)url, (void)version, (void)upload;
    if (!request)
        return MHD_NO; /* there was no memory for it */
    switch (request->stage) {
    case STAGE_NEW: {
        request->connection = connection;
        clients_mark(&server->clients, client_of(connection), true);
        enum http_code code = examine(request, method);
        request->stage = STAGE_BODY;
        return code ? send_error(request, code) : MHD_YES;
    }
    case STAGE_BODY:
        if (*upload_bytes) {
            *upload_bytes = 0;
            return MHD_YES;
        }
        return answer(request);
    case STAGE_WORKING:
        return send_result(request);
    case STAGE_ANSWERED:
        break;
    }
    return MHD_NO;
}

/* Called with the request line, before the headers are there. */
static void *begin_request(void *context, const char *target, struct MHD_Connection *connection)
{
    struct request *request = memory_allocate(1, sizeof *request);
    (void)connection;
    if (!request)
        return NULL;
    request->server = context;
    if (strlen(target) <= TARGET_MAX_BYTES) {
        request->text = memory_copy_text(target);
        if (!request->text) {
            free(request);
            return NULL;
        }
    }
    return request;
}

static void end_request(void *context, struct MHD_Connection *connection, void **request_context,
                        enum MHD_RequestTerminationCode why)
{
    struct server *server = context;
    struct request *request = *request_context;
    (void)why;
    clients_mark(&server->clients, client_of(connection), false);
    if (!request)
        return;
    free(request->answer);
    free(request->text);
    free(request);
    *request_context = NULL;
}

static void note_connection(void *context, struct MHD_Connection *connection, void **socket_context,
                            enum MHD_ConnectionNotificationCode what)
{
    struct server *server = context;
    if (what == MHD_CONNECTION_NOTIFY_STARTED) {
        const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
        *socket_context = info ? clients_enter(&server->clients, info->connect_fd) : NULL;
    } else {
        clients_leave(&server->clients, *socket_context);
        *socket_context = NULL;
    }
}

/* ---- life ---------------------------------------------------------------------------------------------------------
 */

static enum status start_daemon(struct server *server, const struct server_settings *settings)
{
    int listener;
    enum status status = listen_open(settings->host, settings->port, &listener, &server->port);
    if (status)
        return status;
    server->daemon = MHD_start_daemon(
        MHD_USE_EPOLL_INTERNAL_THREAD | MHD_ALLOW_SUSPEND_RESUME, 0, NULL, NULL, handle, server,
        MHD_OPTION_LISTEN_SOCKET, listener, MHD_OPTION_CONNECTION_LIMIT, (unsigned)MAX_CONNECTIONS,
        MHD_OPTION_CONNECTION_MEMORY_LIMIT, (size_t)CONNECTION_BYTES, MHD_OPTION_CONNECTION_TIMEOUT,
        (unsigned)IDLE_SECONDS, MHD_OPTION_URI_LOG_CALLBACK, begin_request, server, MHD_OPTION_NOTIFY_COMPLETED,
        end_request, server, MHD_OPTION_NOTIFY_CONNECTION, note_connection, server, MHD_OPTION_END);
    if (server->daemon)
        return STATUS_OK;
    close(listener);
    return status_fail(STATUS_IO, "cannot start the HTTP server");
}

enum status server_start(struct server **out, const struct server_settings *settings)
{
    *out = NULL;
    struct server *server = memory_allocate(1, sizeof *server);
    if (!server)
        return STATUS_NO_MEMORY;
    clients_begin(&server->clients);
    server->guard = guard_for(settings->host);
    struct service *service = &server->service;
    service->catalog = settings->catalog;
    service->limits =
        (struct hint_limits){.max_depth = settings->max_depth, .max_ms = settings->max_ms, .depth_ms = DEPTH_MS};
    service->max_waiting = settings->max_waiting;
    service->runs = settings->runs;
    service->page_directory = settings->page_directory;
    enum status status = web_searchers_create(&server->searchers, settings->catalog, settings->n_threads);
    if (!status)
        status = job_pool_create(&service->pool, settings->n_threads, settings->max_waiting);
    for (unsigned i = 0; !status && i < settings->n_threads; i++)
        web_searchers_set_cancel(server->searchers, i, job_pool_cancel_flag(service->pool, i));
    if (!status)
        status = start_daemon(server, settings);
    if (status) {
        server_stop(server);
        return status;
    }
    *out = server;
    return STATUS_OK;
}

unsigned server_port(const struct server *server)
{
    return server->port;
}

void server_tick(struct server *server)
{
    clients_sweep(&server->clients, clock_seconds());
}

void server_stop(struct server *server)
{
    if (!server)
        return;
    if (server->service.pool)
        job_pool_stop(server->service.pool); /* resumes every connection that waits; none can begin to wait */
    if (server->daemon)
        MHD_stop_daemon(server->daemon);
    clients_end(&server->clients);
    job_pool_free(server->service.pool);
    web_searchers_free(server->searchers);
    free(server);
}
