/*
 * service: what all answers are made from, and the answers about the server itself: its health and its errors.
 */
#ifndef AFTERSTATE_WEB_SERVICE_H
#define AFTERSTATE_WEB_SERVICE_H

#include "web/catalog.h"
#include "web/hint.h"
#include "web/job_pool.h"
#include "web/table_answers.h"
#include "web/target.h"

#include <stdatomic.h>

enum {
    SERVICE_MAX_REVIEWS = 8, /* at a time */
    SERVICE_RECORD_BYTES = 16 << 20,
    SERVICE_JSON_BYTES = 1 << 20,
};

struct service {
    const struct catalog *catalog;
    struct hint_limits limits;
    unsigned max_waiting;
    const char *runs, *page_directory; /* NULL for none */
    struct job_pool *pool;             /* NULL: the calling thread does the work (site/module.c) */
    struct web_searchers *searchers;
    struct table_answers *tables;
    atomic_uint n_reviews;
};

/* The answer of /api/health as JSON from malloc. */
enum http_code service_health(struct service *service, char **text);

/* {"version": 1, "error": message}, from malloc; NULL without memory. */
char *service_error_text(const char *message);

#endif
