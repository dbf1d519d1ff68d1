/*
 * server: the page and the API over HTTP (libmicrohttpd). docs/GUIDE.md, "The API of serve", is its contract,
 * docs/decisions/049 says which thread does what.
 */
#ifndef AFTERSTATE_WEB_SERVER_H
#define AFTERSTATE_WEB_SERVER_H

#include "base/status.h"
#include "web/catalog.h"

#include <stdbool.h>

struct server_settings {
    const char *host;              /* "127.0.0.1" */
    unsigned port;                 /* 0: a free one; with a listener its own */
    int listener;                  /* an open listening socket (listen.h), which stays the caller's; 0: none */
    const struct catalog *catalog; /* borrowed, as are all texts */
    const char *token;             /* that requests need, see guard.h; NULL: none */
    const char *runs;              /* a folder of run directories, NULL for none */
    const char *page_directory;    /* the page's files from there; NULL: the built-in ones */
    unsigned n_threads;            /* that search; at least 1 */
    unsigned max_waiting;          /* searches in line before them */
    unsigned max_depth, max_ms;    /* of a hint */
};

struct server;

/*
 * Starts to answer, and catches SIGBUS for the whole process (map_guard.h). STATUS_IO where the port is taken,
 * STATUS_USAGE for a host that does not exist or a token that is none; *out is then NULL.
 */
enum status server_start(struct server **out, const struct server_settings *settings);

unsigned server_port(const struct server *server);

/* Closes the connections of clients that take too long at the time `now` (clock_seconds()). To be called about once a
   second, by one thread. */
void server_tick(struct server *server, double now);

/* Cancels all searches, answers 503 to clients that wait for one, and ends; takes as long as a few batches of a
   search. */
void server_stop(struct server *server); /* NULL is fine */

#endif
