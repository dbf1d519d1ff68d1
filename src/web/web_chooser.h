/* web_chooser: chooses moves for the server: by the exact table of a board where it knows the position, else
   search. */
#ifndef AFTERSTATE_WEB_WEB_CHOOSER_H
#define AFTERSTATE_WEB_WEB_CHOOSER_H

#include "search/chooser.h"
#include "web/catalog.h"
#include "web/web_searchers.h"

/* All borrowed. Used by the thread of `worker`. */
struct web_chooser {
    struct web_searchers *searchers;
    unsigned worker;
    const struct web_board *board;
    const struct web_table *table; /* NULL: not solved */
    struct search_limit limit;
};

/* The result of a table counts as one ply. Fails as web_searchers_search() and query_board() do. */
struct chooser web_chooser_chooser(struct web_chooser *chooser);

#endif
