/* searcher_chooser: a chooser (search/chooser.h) that is a search. */
#ifndef AFTERSTATE_TESTS_SEARCHER_CHOOSER_H
#define AFTERSTATE_TESTS_SEARCHER_CHOOSER_H

#include "search/chooser.h"
#include "search/searcher.h"

static inline enum status choose_by_search(void *context, struct board board, struct search_result *result)
{
    *result = searcher_search(context, board);
    return STATUS_OK;
}

static inline struct chooser chooser_from_searcher(struct searcher *searcher)
{
    return (struct chooser){.choose = choose_by_search, .context = searcher};
}

#endif
