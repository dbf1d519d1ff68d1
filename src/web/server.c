/*
 * One thread of libmicrohttpd does all that touches connections: it reads requests, answers the cheap ones on the spot
 * and sends what is ready. A request that needs a search becomes a job of the pool and its connection is suspended; the
 * job's end resumes it, and the same function is called again and finds the answer ready.
 *
 *   NEW -> BODY -> WORKING -> ANSWERED        cheap requests skip WORKING
 *
 * A review is sent while it is computed: once its lines are sent, the library calls for more, the connection is
 * suspended again, and the next job writes some. So a slow reader slows its own review down and nothing else.
 *
 * While a connection is suspended the library does not poll it, so its request cannot be freed during a job; the pool
 * polls the socket itself to notice that the client has gone.
 */
#include "web/server.h"

#include "base/clock.h"
#include "base/map_guard.h"
#include "base/memory.h"
#include "base/parse.h"
#include "web/clients.h"
#include "web/guard.h"
#include "web/listen.h"
#include "web/reply.h"
#include "web/routes.h"

#include <microhttpd.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

enum {
    MAX_CONNECTIONS = 256,
    CROWDED_CONNECTIONS = 192,   /* from here on each new one closes the one that is idle for longest */
    CONNECTIONS_AN_ADDRESS = 64, /* of MAX_CONNECTIONS, where other machines may connect */
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
    struct MHD_Daemon *daemon;
    unsigned port;
};

enum stage { STAGE_NEW, STAGE_BODY, STAGE_WORKING, STAGE_ANSWERED };

struct request {
    struct server *server;
    struct MHD_Connection *connection;
    char *text;            /* the target as it came; NULL where it is longer than any target may be */
    const char *target_at; /* where the library has it, and how long it is there; compared, never read */
    size_t target_bytes;
    bool has_nul; /* .. because a NUL byte ends it */
    enum stage stage;
    const struct route *route; /* NULL until it is found */
    struct exchange exchange;
    struct job job;
    double started;
    bool has_review_place, closes; /* the connection ends after the answer */
    bool sets_cookie;              /* the token came with the target */
    size_t n_received;             /* of the body, also what was discarded */
    enum http_code code;           /* of the answer; for a failure exchange.text is its message */
    size_t n_sent;                 /* of exchange.lines */
    bool review_ended;             /* before its last line: there is no more work */
};

static bool is_failure(enum http_code code)
{
    return code >= HTTP_BAD_REQUEST;
}

static bool takes_body(const struct route *route)
{
    return strcmp(route->method, "POST") == 0;
}

static const char *header_of(struct request *request, const char *name)
{
    return MHD_lookup_connection_value(request->connection, MHD_HEADER_KIND, name);
}

static struct reply reply_to(const struct request *request)
{
    return (struct reply){.connection = request->connection,
                          .allow = request->route && takes_body(request->route) ? "POST" : "GET, HEAD",
                          .closes = request->closes,
                          .token = request->sets_cookie ? request->server->guard.token : NULL};
}

/* Keeps the message of a failure, which belongs to the thread, for when the answer is sent. */
static void set_code(struct request *request, enum http_code code)
{
    request->code = code;
    if (!is_failure(code))
        return;
    free(request->exchange.text);
    request->exchange.text = memory_copy_text(status_message());
}

static struct request *request_of(struct job *job)
{
    return (struct request *)((char *)job - offsetof(struct request, job));
}

/* On a thread of the pool. */
static void run_job(struct job *job, unsigned worker, const atomic_bool *cancel)
{
    struct request *request = request_of(job);
    request->exchange.worker = worker;
    request->exchange.cancel = cancel;
    set_code(request, request->route->work(&request->exchange));
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
    request->job = (struct job){.run = run_job,
                                .finished = finish_job,
                                .socket = info ? info->connect_fd : -1,
                                .quick = request->route->is_quick && request->route->is_quick(&request->exchange)};
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
    set_code(request, web_fail(stopping ? HTTP_UNAVAILABLE : HTTP_TOO_MANY, "%s",
                               stopping ? "the server is stopping" : "too many searches are waiting; try again"));
    return MHD_YES; /* and sent when the library comes back for the resumed connection */
}

/* The library wants more of a review: some of the lines that are there, or a job that writes the next. */
static ssize_t read_lines(void *context, uint64_t position, char *out, size_t room)
{
    struct request *request = context;
    struct web_text *lines = &request->exchange.lines;
    (void)position;
    size_t left = lines->bytes - request->n_sent;
    if (request->review_ended || request->code || request->job.cancelled)
        return MHD_CONTENT_READER_END_WITH_ERROR;
    if (left > 0) {
        size_t n = left < room ? left : room;
        memcpy(out, lines->data + request->n_sent, n);
        request->n_sent += n;
        return (ssize_t)n;
    }
    if (request->exchange.review_done)
        return MHD_CONTENT_READER_END_OF_STREAM;
    lines->bytes = request->n_sent = 0;
    request->review_ended = !submit(request, true); /* if so, the next call returns an error */
    return 0;
}

/* Whether the library accepted the answer. */
static bool send_answer(struct request *request, const struct reply *reply)
{
    struct exchange *exchange = &request->exchange;
    struct web_text *lines = &exchange->lines;
    char *text = exchange->text;
    exchange->text = NULL;
    if (is_failure(request->code))
        return reply_message(reply, request->code, text);
    switch (request->route->send) {
    case SEND_PAGE:
        return reply_page(reply, &exchange->target, request->server->service.page_directory);
    case SEND_LINES:
        return reply_send(reply, HTTP_OK,
                          MHD_create_response_from_callback(MHD_SIZE_UNKNOWN, SEND_BYTES, read_lines, request, NULL),
                          "application/x-ndjson", "no-store");
    case SEND_FILE:
        return reply_send(reply, HTTP_OK,
                          MHD_create_response_from_buffer(lines->bytes, lines->data, MHD_RESPMEM_MUST_COPY),
                          "application/octet-stream", "no-store");
    case SEND_JSON:
        break;
    }
    return reply_json(reply, request->code ? request->code : HTTP_OK, text);
}

/* The work is done, or has failed, or the question was wrong. */
static enum MHD_Result send_result(struct request *request)
{
    struct reply reply = reply_to(request);
    if (request->job.cancelled)
        set_code(request, web_fail(HTTP_UNAVAILABLE, "the work was given up: the server is stopping"));
    request->stage = STAGE_ANSWERED;
    return send_answer(request, &reply) ? MHD_YES : MHD_NO;
}

/* Bodies are bounded, and only requests that want one may have one. */
static enum http_code check_length(struct request *request, const char *method)
{
    const char *length = header_of(request, "Content-Length");
    int64_t bytes = 0;
    if (takes_body(request->route)) {
        if (length && (!parse_integer(length, &bytes) || bytes < 0 || bytes > SERVICE_RECORD_BYTES))
            return web_fail(HTTP_TOO_LARGE, "a body of %.40s bytes, expected at most %d", length, SERVICE_RECORD_BYTES);
    } else if ((length && strcmp(length, "0") != 0) || header_of(request, "Transfer-Encoding"))
        return web_fail(HTTP_BAD_REQUEST, "a %.20s request has no body", method);
    return HTTP_FINE;
}

/* Bodies are large and streams take long, so only a few requests may have one at a time. */
static enum http_code take_review_place(struct request *request)
{
    atomic_uint *n_reviews = &request->server->service.n_reviews;
    request->has_review_place = atomic_fetch_add(n_reviews, 1) < SERVICE_MAX_REVIEWS;
    if (request->has_review_place)
        return HTTP_FINE;
    atomic_fetch_sub(n_reviews, 1);
    return web_fail(HTTP_TOO_MANY, "%d reviews or other streams are running; try again", SERVICE_MAX_REVIEWS);
}

/* What the library lets through and other programs on the way might read in another way. */
struct header_findings {
    unsigned n_hosts, n_lengths, n_encodings;
    bool malformed;
};

static enum MHD_Result examine_header(void *context, enum MHD_ValueKind kind, const char *name, size_t name_bytes,
                                      const char *value, size_t value_bytes)
{
    struct header_findings *findings = context;
    (void)kind;
    findings->n_hosts += strcasecmp(name, "Host") == 0;
    findings->n_lengths += strcasecmp(name, "Content-Length") == 0;
    findings->n_encodings += strcasecmp(name, "Transfer-Encoding") == 0;
    /* RFC 9110, 5.6.2: a name is a token, so there is no space before the colon. A NUL ends no value. */
    static const char token[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789!#$%&'*+-.^_`|~";
    findings->malformed |= name_bytes == 0 || strspn(name, token) != name_bytes ||
                           (value ? strlen(value) : 0) != value_bytes || (value && strpbrk(value, "\r\n"));
    return MHD_YES;
}

static enum http_code check_headers(struct request *request)
{
    struct header_findings found = {0};
    MHD_get_connection_values_n(request->connection, MHD_HEADER_KIND, examine_header, &found);
    if (found.malformed)
        return web_fail(HTTP_BAD_REQUEST, "a header is malformed");
    if (found.n_hosts > 1 || found.n_lengths > 1 || found.n_encodings > 1)
        return web_fail(HTTP_BAD_REQUEST, "a header came twice");
    if (found.n_lengths && found.n_encodings)
        return web_fail(HTTP_BAD_REQUEST, "a body has either Content-Length or Transfer-Encoding");
    return HTTP_FINE;
}

/* What can be said of a request before its body has come. */
static enum http_code examine(struct request *request, const char *method)
{
    struct target *target = &request->exchange.target;
    struct guard_headers headers = {.host = header_of(request, "Host"),
                                    .origin = header_of(request, "Origin"),
                                    .fetch_site = header_of(request, "Sec-Fetch-Site"),
                                    .fetch_mode = header_of(request, "Sec-Fetch-Mode"),
                                    .authorization = header_of(request, "Authorization"),
                                    .cookie = header_of(request, "Cookie")};
    if (!request->text)
        return web_fail(HTTP_TARGET_TOO_LONG, "a target of more than %d bytes", TARGET_MAX_BYTES);
    if (request->has_nul)
        return web_fail(HTTP_BAD_REQUEST, "a NUL byte in the target");
    enum http_code code = check_headers(request);
    if (!code)
        code = target_parse(target, request->text);
    if (!code)
        code = guard_check(&request->server->guard, &headers, !target_segment_is(target, 0, "api"));
    if (!code)
        code = guard_admit(&request->server->guard, &headers, target_take(target, "token"), &request->sets_cookie);
    if (!code)
        code = route_find(target, &request->route);
    if (code)
        return code;
    const struct route *route = request->route;
    if (strcmp(method, route->method) != 0 && (takes_body(route) || strcmp(method, "HEAD") != 0))
        return web_fail(HTTP_BAD_METHOD, "the method is %.20s, expected %s", method, route->method);
    code = check_length(request, method);
    if (!code && route->parse)
        code = route->parse(&request->exchange);
    return code || !(takes_body(route) || route->send == SEND_LINES) ? code : take_review_place(request);
}

/* The whole request is there. */
static enum MHD_Result answer(struct request *request)
{
    const struct route *route = request->route;
    if (route->pooled)
        return start_job(request);
    if (route->work)
        set_code(request, route->work(&request->exchange));
    return send_result(request);
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
    struct web_text *body = &request->exchange.body;
    enum http_code code = web_code_of(web_text_append(body, data, bytes));
    int most = game_upload_is_record(body->data, body->bytes) ? SERVICE_RECORD_BYTES : SERVICE_JSON_BYTES;
    if (body->bytes > (size_t)most)
        code = web_fail(HTTP_TOO_LARGE, "a body of more than %d bytes", most);
    if (code)
        web_text_free(body);
    set_code(request, code);
    return MHD_YES;
}

static struct client *client_of(struct MHD_Connection *connection)
{
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
    return info ? info->socket_context : NULL;
}

/*
 * An error is answered at once if a body would follow, which then need not be read; the library ends the connection
 * after the answer. Otherwise it is answered at the second call, and the connection stays open.
 */
static enum MHD_Result begin_answer(struct request *request, enum http_code code, const char *method)
{
    request->stage = STAGE_BODY;
    request->closes = code && (strcmp(method, "POST") == 0 || header_of(request, "Content-Length") ||
                               header_of(request, "Transfer-Encoding"));
    set_code(request, code);
    return request->closes ? send_result(request) : MHD_YES;
}

/*
 * Whether there is more of the target than the text that the library gave, which ends at a NUL byte: target and version
 * are parts of one line, with a space between them. If the library did not keep them in one buffer, their distance
 * would say so, and nothing is checked.
 */
static bool is_cut(const struct request *request, const char *version)
{
    uintptr_t bytes = (uintptr_t)version - (uintptr_t)request->target_at;
    return bytes <= CONNECTION_BYTES && bytes != request->target_bytes + 1;
}

static enum MHD_Result handle(void *context, struct MHD_Connection *connection, const char *url, const char *method,
                              const char *version, const char *upload, size_t *upload_bytes, void **request_context)
{
    struct server *server = context;
    struct request *request = *request_context;
    (void)url;
    if (!request)
        return MHD_NO; /* there was no memory for it */
    switch (request->stage) {
    case STAGE_NEW: {
        request->connection = connection;
        request->has_nul = is_cut(request, version);
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
    request->exchange.service = &request->server->service;
    request->target_at = target;
    request->target_bytes = strlen(target);
    if (request->target_bytes <= TARGET_MAX_BYTES) {
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
    exchange_free(&request->exchange);
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
        clients_make_room(&server->clients, CROWDED_CONNECTIONS);
    } else {
        clients_leave(&server->clients, *socket_context);
        *socket_context = NULL;
    }
}

static enum status start_daemon(struct server *server, const struct server_settings *settings)
{
    int listener = settings->listener ? dup(settings->listener) : -1; /* the library closes its own */
    enum status status = STATUS_OK;
    server->port = settings->port;
    if (!settings->listener)
        status = listen_open(settings->host, settings->port, &listener, &server->port);
    else if (listener < 0)
        status = status_fail_errno(STATUS_IO, "cannot start the HTTP server");
    if (status)
        return status;
    /* poll(), not epoll: the library's edge-triggered epoll misses the end of a connection that comes right after data,
       and keeps a half-open one until it is idle for too long. */
    server->daemon = MHD_start_daemon(
        MHD_USE_POLL_INTERNAL_THREAD | MHD_ALLOW_SUSPEND_RESUME, 0, NULL, NULL, handle, server,
        MHD_OPTION_LISTEN_SOCKET, listener, MHD_OPTION_CONNECTION_LIMIT, (unsigned)MAX_CONNECTIONS,
        MHD_OPTION_PER_IP_CONNECTION_LIMIT, guard_is_loopback(settings->host) ? 0 : (unsigned)CONNECTIONS_AN_ADDRESS,
        MHD_OPTION_STRICT_FOR_CLIENT, 1, MHD_OPTION_CONNECTION_MEMORY_LIMIT, (size_t)CONNECTION_BYTES,
        MHD_OPTION_CONNECTION_TIMEOUT, (unsigned)IDLE_SECONDS, MHD_OPTION_URI_LOG_CALLBACK, begin_request, server,
        MHD_OPTION_NOTIFY_COMPLETED, end_request, server, MHD_OPTION_NOTIFY_CONNECTION, note_connection, server,
        MHD_OPTION_END);
    if (server->daemon)
        return STATUS_OK;
    close(listener);
    return status_fail(STATUS_IO, "cannot start the HTTP server");
}

enum status server_start(struct server **out, const struct server_settings *settings)
{
    *out = NULL;
    enum status status = settings->token ? guard_check_token(settings->token) : STATUS_OK;
    if (!status)
        status = map_guard_install();
    if (status)
        return status;
    struct server *server = memory_allocate(1, sizeof *server);
    if (!server)
        return STATUS_NO_MEMORY;
    clients_begin(&server->clients);
    server->guard = guard_for(settings->host, settings->token);
    struct service *service = &server->service;
    service->catalog = settings->catalog;
    service->limits =
        (struct hint_limits){.max_depth = settings->max_depth, .max_ms = settings->max_ms, .depth_ms = DEPTH_MS};
    service->max_waiting = settings->max_waiting;
    service->runs = settings->runs;
    service->page_directory = settings->page_directory;
    status = web_searchers_create(&service->searchers, settings->catalog, settings->n_threads);
    if (!status)
        status = table_answers_create(&service->tables, settings->catalog);
    if (!status)
        status = job_pool_create(&service->pool, settings->n_threads, settings->max_waiting);
    for (unsigned i = 0; !status && i < settings->n_threads; i++)
        web_searchers_set_cancel(service->searchers, i, job_pool_cancel_flag(service->pool, i));
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

void server_tick(struct server *server, double now)
{
    clients_sweep(&server->clients, now);
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
    web_searchers_free(server->service.searchers);
    table_answers_free(server->service.tables);
    free(server);
}
