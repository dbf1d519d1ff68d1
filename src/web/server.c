/*
 * One thread of libmicrohttpd does all that touches connections: it reads requests, answers the cheap ones on the spot
 * and sends what is ready. A request that needs a search becomes a job of the pool and its connection is suspended; the
 * job's end resumes it, and the same function is called again and finds the answer ready.
 *
 *   NEW -> BODY -> WORKING -> ANSWERED        cheap requests skip WORKING
 *
 * A review is answered while it is worked on: when its lines are sent the library asks for more, the connection is
 * suspended again, and the next job writes some. So a slow reader slows its own review down and nothing else.
 *
 * While a connection is suspended the library does not look at it, so its request cannot go away under a job; that the
 * client has gone is noticed by the pool, which looks at the socket itself.
 */
#include "web/server.h"

#include "base/clock.h"
#include "base/memory.h"
#include "base/parse.h"
#include "web/clients.h"
#include "web/guard.h"
#include "web/hint.h"
#include "web/job_pool.h"
#include "web/listen.h"
#include "web/reply.h"
#include "web/review.h"
#include "web/run_list.h"
#include "web/service.h"
#include "web/table_answers.h"
#include "web/web_text.h"

#include <microhttpd.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    MAX_CONNECTIONS = 256,
    CONNECTION_BYTES = 32 << 10, /* request line and headers */
    IDLE_SECONDS = 15,           /* nothing comes or goes */
    UPLOAD_SECONDS = 30,
    DEPTH_MS = 10000,
    FAREWELL_MS = 500, /* for the last answers when it stops */
    FAREWELL_STEP_MS = 10,
    SEND_BYTES = 16 << 10, /* of a review at a time */
};

struct server {
    struct service service;
    struct guard guard;
    struct clients clients;
    struct web_searchers *searchers;
    struct table_answers *tables;
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
    struct job job;
    double started;
    bool has_review_place, closes; /* the connection ends behind the answer */
    struct web_text body;
    size_t n_received; /* of the body, also what was thrown away */
    /* The question: which of them, the route says. */
    struct hint_question hint;
    struct review_question review_question;
    const struct web_table *table;
    struct board position;
    /* The answer, written by the job or on the spot. */
    enum http_code code;
    char *answer;          /* JSON, or the message of a failure; from malloc */
    struct web_text lines; /* of a review, or a record file */
    struct review *review;
    size_t n_sent;     /* of the lines */
    bool review_done;  /* the last line is among them */
    bool review_ended; /* without one: nobody is to work on it any more */
};

static const char *header_of(struct request *request, const char *name)
{
    return MHD_lookup_connection_value(request->connection, MHD_HEADER_KIND, name);
}

/* What the library is told when an answer was or was not accepted. */
static enum MHD_Result answered(struct request *request, bool accepted)
{
    request->stage = STAGE_ANSWERED;
    return accepted ? MHD_YES : MHD_NO;
}

static struct reply reply_to(const struct request *request)
{
    const char *method = service_method(request->route);
    return (struct reply){.connection = request->connection,
                          .allow = strcmp(method, "GET") == 0 ? "GET, HEAD" : method,
                          .closes = request->closes};
}

static enum MHD_Result send_error(struct request *request, enum http_code code)
{
    struct reply reply = reply_to(request);
    return answered(request, reply_error(&reply, code));
}

/* ---- work ---------------------------------------------------------------------------------------------------------
 */

static struct request *request_of(struct job *job)
{
    return (struct request *)((char *)job - offsetof(struct request, job));
}

static enum http_code write_record(struct request *request, const atomic_bool *cancel)
{
    struct game_upload upload;
    enum http_code code = game_upload_read(&upload, request->server->service.catalog, request->body.data,
                                           request->body.bytes, request->review_question.game, cancel);
    if (!code)
        code = game_upload_to_record(&upload, &request->lines);
    game_upload_free(&upload);
    return code;
}

static enum http_code write_lines(struct request *request, unsigned worker, const atomic_bool *cancel)
{
    struct server *server = request->server;
    enum http_code code = HTTP_FINE;
    if (!request->review)
        code = review_open(&request->review, &request->review_question, server->service.catalog,
                           &server->service.limits, request->body.data, request->body.bytes, cancel);
    web_text_free(&request->body);
    if (code)
        return code;
    request->lines.bytes = request->n_sent = 0;
    return web_code_of(review_step(request->review, server->searchers, worker, &request->lines, &request->review_done));
}

/* On a thread of the pool. The message of a failure belongs to that thread, so it is kept here. */
static void run_job(struct job *job, unsigned worker, const atomic_bool *cancel)
{
    struct request *request = request_of(job);
    if (request->route == ROUTE_REVIEW)
        request->code = write_lines(request, worker, cancel);
    else if (request->route == ROUTE_RECORD)
        request->code = write_record(request, cancel);
    else if (request->route == ROUTE_QUERY)
        request->code = table_answers_query(request->table, request->position, &request->answer);
    else
        request->code = hint_answer(&request->hint, request->server->searchers, worker, &request->answer);
    if (request->code) {
        free(request->answer);
        request->answer = memory_copy_text(status_message());
    }
}

static void finish_job(struct job *job)
{
    MHD_resume_connection(request_of(job)->connection);
}

/* Hands the request to the pool with its connection suspended. False, and it is not, if it cannot. */
static bool submit(struct request *request, bool patient)
{
    struct MHD_Connection *connection = request->connection;
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
    request->job = (struct job){.run = run_job, .finished = finish_job, .socket = info ? info->connect_fd : -1};
    MHD_suspend_connection(connection); /* before the job can end and resume it */
    if (job_pool_submit(request->server->service.pool, &request->job, patient))
        return true;
    MHD_resume_connection(connection);
    return false;
}

static enum MHD_Result start_job(struct request *request)
{
    request->stage = STAGE_WORKING;
    if (submit(request, false))
        return MHD_YES;
    bool stopping = job_pool_is_stopping(request->server->service.pool);
    request->code = web_fail(stopping ? HTTP_UNAVAILABLE : HTTP_TOO_MANY, "%s",
                             stopping ? "the server is stopping" : "too many searches are waiting; try again");
    request->answer = memory_copy_text(status_message());
    return MHD_YES; /* and sent when the library comes back for the resumed connection */
}

/* The library wants more of a review: some of the lines that are there, or a job that writes the next. */
static ssize_t read_lines(void *context, uint64_t position, char *out, size_t room)
{
    struct request *request = context;
    (void)position;
    size_t left = request->lines.bytes - request->n_sent;
    if (request->review_ended || request->code || request->job.cancelled)
        return MHD_CONTENT_READER_END_WITH_ERROR;
    if (left > 0) {
        size_t n = left < room ? left : room;
        memcpy(out, request->lines.data + request->n_sent, n);
        request->n_sent += n;
        return (ssize_t)n;
    }
    if (request->review_done)
        return MHD_CONTENT_READER_END_OF_STREAM;
    request->review_ended = !submit(request, true); /* then it is asked again, and told above */
    return 0;
}

static enum MHD_Result send_lines(struct request *request)
{
    struct MHD_Response *response =
        MHD_create_response_from_callback(MHD_SIZE_UNKNOWN, SEND_BYTES, read_lines, request, NULL);
    struct reply reply = reply_to(request);
    return answered(request, reply_send(&reply, HTTP_OK, response, "application/x-ndjson", "no-store"));
}

static enum MHD_Result send_record(struct request *request)
{
    struct MHD_Response *response =
        MHD_create_response_from_buffer(request->lines.bytes, request->lines.data, MHD_RESPMEM_MUST_COPY);
    struct reply reply = reply_to(request);
    return answered(request, reply_send(&reply, HTTP_OK, response, "application/octet-stream", "no-store"));
}

/* The job has ended. */
static enum MHD_Result send_result(struct request *request)
{
    struct reply reply = reply_to(request);
    char *text = request->answer;
    request->answer = NULL;
    if (request->job.cancelled) {
        free(text);
        return send_error(request, web_fail(HTTP_UNAVAILABLE, "the work was given up: the server is stopping"));
    }
    if (request->code)
        return answered(request, reply_message(&reply, request->code, text));
    if (request->route == ROUTE_REVIEW)
        return send_lines(request);
    if (request->route == ROUTE_RECORD)
        return send_record(request);
    return answered(request, reply_json(&reply, HTTP_OK, text));
}

/* ---- a request ----------------------------------------------------------------------------------------------------
 */

static enum http_code examine_no_body(struct request *request, const char *method)
{
    const char *length = header_of(request, "Content-Length");
    if ((length && strcmp(length, "0") != 0) || header_of(request, "Transfer-Encoding"))
        return web_fail(HTTP_BAD_REQUEST, "a %.20s request has no body", method);
    return HTTP_FINE;
}

/* Bodies are large, so only a few requests may have one at a time. */
static enum http_code examine_upload(struct request *request)
{
    struct service *service = &request->server->service;
    const char *length = header_of(request, "Content-Length");
    int64_t bytes = 0;
    if (length && (!parse_integer(length, &bytes) || bytes < 0 || bytes > SERVICE_RECORD_BYTES))
        return web_fail(HTTP_TOO_LARGE, "a body of %.40s bytes, expected at most %d", length, SERVICE_RECORD_BYTES);
    enum http_code code = review_parse(&request->review_question, &service->limits, &request->target);
    if (code)
        return code;
    request->has_review_place = atomic_fetch_add(&service->n_reviews, 1) < SERVICE_MAX_REVIEWS;
    if (request->has_review_place)
        return HTTP_FINE;
    atomic_fetch_sub(&service->n_reviews, 1);
    return web_fail(HTTP_TOO_MANY, "%d reviews are running; try again", SERVICE_MAX_REVIEWS);
}

static enum http_code find_table(struct request *request)
{
    request->table = catalog_table(request->server->service.catalog, request->target.segments[2]);
    if (!request->table)
        return web_fail(HTTP_NOT_FOUND, "there is no table '%.40s'", request->target.segments[2]);
    return HTTP_FINE;
}

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
    return strcmp(expected, "GET") == 0 ? examine_no_body(request, method) : examine_upload(request);
}

/* The whole request is there. */
static enum MHD_Result answer(struct request *request)
{
    struct service *service = &request->server->service;
    struct target *target = &request->target;
    struct reply reply = reply_to(request);
    enum http_code code = HTTP_FINE;
    char *text = NULL;
    int64_t from = 0;
    switch (request->route) {
    case ROUTE_PAGE:
        return answered(request, reply_page(&reply, target, service->page_directory));
    case ROUTE_HINT:
        code = hint_parse(&request->hint, service->catalog, &service->limits, target);
        return code ? send_error(request, code) : start_job(request);
    case ROUTE_QUERY:
        code = find_table(request);
        if (!code)
            code = table_answers_take_position(request->table, target, &request->position);
        return code ? send_error(request, code) : start_job(request);
    case ROUTE_REVIEW:
    case ROUTE_RECORD:
        return start_job(request);
    case ROUTE_HEALTH:
        code = target_finish(target);
        if (!code)
            code = service_health(service, &text);
        break;
    case ROUTE_RUNS:
        code = target_finish(target);
        if (!code)
            code = run_list_all(service->runs, &text);
        break;
    case ROUTE_RUN:
        code = target_take_integer(target, "from", 0, INT64_MAX, &from);
        if (!code)
            code = target_finish(target);
        if (!code)
            code = run_list_one(service->runs, target->segments[2], (uint64_t)from, &text);
        break;
    case ROUTE_TABLES:
        code = target_finish(target);
        if (!code)
            code = table_answers_all(service->catalog, &text);
        break;
    case ROUTE_TABLE:
    case ROUTE_AGES:
        code = find_table(request);
        if (!code)
            code = target_finish(target);
        if (!code)
            code = request->route == ROUTE_TABLE ? table_answers_one(request->table, &text)
                                                 : table_answers_ages(request->server->tables, request->table, &text);
        break;
    }
    if (code && code != HTTP_ACCEPTED)
        return send_error(request, code);
    return answered(request, reply_json(&reply, code ? code : HTTP_OK, text));
}

/*
 * A piece of the body. The library sends no answer before the body has ended, so what is too large is thrown away as it
 * comes and refused then; what has no end or comes too slowly ends with the connection.
 */
static enum MHD_Result take_upload(struct request *request, const char *data, size_t bytes)
{
    request->n_received += bytes;
    if (clock_seconds() - request->started > UPLOAD_SECONDS || request->n_received > 2 * (size_t)SERVICE_RECORD_BYTES)
        return MHD_NO;
    if (request->code)
        return MHD_YES;
    request->code = web_code_of(web_text_append(&request->body, data, bytes));
    bool is_record = game_upload_is_record(request->body.data, request->body.bytes);
    if (request->body.bytes > (is_record ? SERVICE_RECORD_BYTES : SERVICE_JSON_BYTES))
        request->code = web_fail(HTTP_TOO_LARGE, "a body of more than %d bytes",
                                 is_record ? SERVICE_RECORD_BYTES : SERVICE_JSON_BYTES);
    if (request->code) {
        web_text_free(&request->body);
        request->answer = memory_copy_text(status_message());
    }
    return MHD_YES;
}

static struct client *client_of(struct MHD_Connection *connection)
{
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
    return info ? info->socket_context : NULL;
}

/*
 * What was found wrong is told at once if a body would come, which nobody wants to read; the library then ends the
 * connection behind the answer. Else it is told at the second call, and the connection lives.
 */
static enum MHD_Result begin_answer(struct request *request, enum http_code code, const char *method)
{
    request->stage = STAGE_BODY;
    if (!code)
        return MHD_YES;
    if (strcmp(method, "POST") == 0 || header_of(request, "Content-Length") ||
        header_of(request, "Transfer-Encoding")) {
        request->closes = true;
        return send_error(request, code);
    }
    request->code = code;
    request->answer = memory_copy_text(status_message());
    return MHD_YES;
}

static enum MHD_Result handle(void *context, struct MHD_Connection *connection, const char *url, const char *method,
                              const char *version, const char *upload, size_t *upload_bytes, void **request_context)
{
    struct server *server = context;
    struct request *request = *request_context;
    (void)url, (void)version;
    if (!request)
        return MHD_NO; /* there was no memory for it */
    switch (request->stage) {
    case STAGE_NEW: {
        request->connection = connection;
        request->started = clock_seconds();
        clients_mark(&server->clients, client_of(connection), true);
        return begin_answer(request, examine(request, method), method);
    }
    case STAGE_BODY:
        if (*upload_bytes) {
            size_t bytes = *upload_bytes;
            *upload_bytes = 0;
            return take_upload(request, upload, bytes);
        }
        return request->code ? send_result(request) : answer(request);
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
    if (request->has_review_place)
        atomic_fetch_sub(&server->service.n_reviews, 1);
    review_free(request->review);
    web_text_free(&request->body);
    web_text_free(&request->lines);
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
    /* poll(), not epoll: the library's edge-triggered epoll misses the end of a connection that comes right behind
       data, and keeps a half-open one until it is idle for too long. */
    server->daemon = MHD_start_daemon(
        MHD_USE_POLL_INTERNAL_THREAD | MHD_ALLOW_SUSPEND_RESUME, 0, NULL, NULL, handle, server,
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
        status = table_answers_create(&server->tables, settings->catalog);
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
    for (unsigned i = 0; server->daemon && i < FAREWELL_MS / FAREWELL_STEP_MS && clients_asking(&server->clients); i++)
        poll(NULL, 0, FAREWELL_STEP_MS); /* the answers to those are on their way */
    if (server->daemon)
        MHD_stop_daemon(server->daemon);
    clients_end(&server->clients);
    job_pool_free(server->service.pool);
    web_searchers_free(server->searchers);
    table_answers_free(server->tables);
    free(server);
}
