/*
 * service: what the server answers, without the sockets: the routes, and the answers that cost next to nothing. What
 * takes longer has files of its own (hint, review) and runs in the pool.
 */
#ifndef AFTERSTATE_WEB_SERVICE_H
#define AFTERSTATE_WEB_SERVICE_H

#include "web/catalog.h"
#include "web/hint.h"
#include "web/job_pool.h"
#include "web/target.h"

#include <stdatomic.h>

enum {
    SERVICE_MAX_REVIEWS = 8, /* at a time */
    SERVICE_RECORD_BYTES = 16 << 20,
    SERVICE_JSON_BYTES = 1 << 20,
};

enum route {
    ROUTE_PAGE,
    ROUTE_HEALTH,
    ROUTE_HINT,
    ROUTE_REVIEW,
    ROUTE_RECORD,
    ROUTE_RUNS,
    ROUTE_RUN,
    ROUTE_TABLES,
    ROUTE_TABLE,
    ROUTE_AGES,
    ROUTE_QUERY,
};

struct service {
    const struct catalog *catalog;
    struct hint_limits limits;
    unsigned max_waiting;
    const char *runs, *page_directory; /* NULL for none */
    struct job_pool *pool;
    atomic_uint n_reviews;
};

/* Where a path leads; HTTP_NOT_FOUND. */
enum http_code service_route(const struct target *target, enum route *route);
/* The method it takes beside HEAD: "GET" or "POST". */
const char *service_method(enum route route);

/* The answer of /api/health as JSON from malloc. */
enum http_code service_health(struct service *service, char **text);

/* {"version": 1, "error": message}, from malloc; NULL without memory. */
char *service_error_text(const char *message);

#endif
