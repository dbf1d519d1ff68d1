/*
 * routes: the requests that the server answers, as one table (routes.c): for each method and path the function that
 * reads the question, the one that works out the answer, and how the answer is sent. Nothing here knows about sockets.
 */
#ifndef AFTERSTATE_WEB_ROUTES_H
#define AFTERSTATE_WEB_ROUTES_H

#include "web/game_stream.h"
#include "web/review.h"
#include "web/service.h"

/* One request while its route is followed. Begins zeroed but for the first two members. */
struct exchange {
    struct service *service;
    struct target target;
    struct web_text body;
    /* The question, read by `parse`; the route says which of these. */
    struct hint_question hint;
    struct review_question review_question;
    struct stream_question stream_question;
    const struct web_table *table;
    struct board position;
    int64_t from;
    /* The thread that works on it. */
    unsigned worker;           /* thread of the pool */
    const atomic_bool *cancel; /* true: the answer is not wanted any more; NULL: never */
    /* The answer, written by `work`. */
    char *text;            /* JSON from malloc */
    struct web_text lines; /* of a review or another stream, or a record file */
    struct review *review;
    struct game_stream *stream;
    bool review_done; /* the last line of either is among the lines */
};

void exchange_free(struct exchange *exchange); /* what it owns */

enum route_send {
    SEND_JSON,
    SEND_PAGE,  /* the file of the page that the target names; there is nothing to parse and no work */
    SEND_FILE,  /* the lines as one file */
    SEND_LINES, /* the lines, then those of more work until review_done */
};

struct route {
    const char *method;  /* "GET", which stands for HEAD too, or "POST" */
    const char *pattern; /* of the path; '*' is any one segment */
    enum http_code (*parse)(struct exchange *exchange);
    /* HTTP_FINE, HTTP_ACCEPTED, or a failure. */
    enum http_code (*work)(struct exchange *exchange);
    enum route_send send;
    bool pooled; /* the work may take long or reads files: a thread of the pool does it */
    bool (*is_quick)(const struct exchange *exchange); /* whether it is a job of milliseconds; NULL: no */
};

/* Where a path leads; all that is not below /api is the page's. HTTP_NOT_FOUND; *route is then NULL. */
enum http_code route_find(const struct target *target, const struct route **route);

#endif
