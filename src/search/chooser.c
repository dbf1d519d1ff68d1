#include "search/chooser.h"

static enum status choose(void *context, struct board board, struct search_result *result)
{
    *result = searcher_search(context, board);
    return result->cancelled ? status_fail(STATUS_INTERRUPTED, "the search was cancelled") : STATUS_OK;
}

struct chooser chooser_from_searcher(struct searcher *searcher)
{
    return (struct chooser){.choose = choose, .context = searcher};
}
