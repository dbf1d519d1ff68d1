/*
 * web_searchers: a searcher for each worker and board, made when first needed and kept, with a transposition table that
 * stays right from one client's board to the next (transposition.h: an entry depends on nothing but its key).
 */
#ifndef AFTERSTATE_WEB_WEB_SEARCHERS_H
#define AFTERSTATE_WEB_WEB_SEARCHERS_H

#include "search/searcher.h"
#include "web/catalog.h"

#include <stdatomic.h>

struct web_searchers;

/* See search_settings: plies (0: by time alone) and time (0: no limit). */
struct search_limit {
    unsigned depth, milliseconds;
};

/* For workers 0 .. n_workers-1; the catalog is borrowed. */
enum status web_searchers_create(struct web_searchers **out, const struct catalog *catalog, unsigned n_workers);
void web_searchers_free(struct web_searchers *searchers); /* NULL is fine */

/* Tells the flag that stops the searches of a worker, before its first search. */
void web_searchers_set_cancel(struct web_searchers *searchers, unsigned worker, const atomic_bool *cancel);

/* What searches call on their way, for all workers, before the first search. */
void web_searchers_set_watch(struct web_searchers *searchers, search_watch watch, void *context);

/* Searches on the thread of a worker. STATUS_NO_MEMORY; STATUS_INTERRUPTED if it was stopped; what the board's `load`
   returned. */
enum status web_searchers_search(struct web_searchers *searchers, unsigned worker, const struct web_board *board,
                                 struct board position, struct search_limit limit, struct search_result *result);

#endif
