#include "search/searcher.h"

#include "base/memory.h"
#include "search/plain_expectimax.h"

#include <stdlib.h>

struct searcher {
    const struct grid *grid;
    struct search_settings settings;
    struct value_function function; /* our own copy */
};

enum status search_settings_check(const struct search_settings *settings)
{
    if (settings->depth == 0 && !(settings->milliseconds > 0))
        return status_fail(STATUS_USAGE, "a search needs a depth of 1 to %d plies or a time", SEARCH_MAX_DEPTH);
    if (settings->depth > SEARCH_MAX_DEPTH)
        return status_fail(STATUS_USAGE, "a depth of %u plies is more than %d", settings->depth, SEARCH_MAX_DEPTH);
    return STATUS_OK;
}

enum status searcher_create(struct searcher **out, const struct grid *grid, const struct value_function *function,
                            const struct search_settings *settings)
{
    *out = NULL;
    enum status status = search_settings_check(settings);
    if (status)
        return status;
    struct searcher *searcher = memory_allocate(1, sizeof *searcher);
    if (!searcher)
        return STATUS_NO_MEMORY;
    searcher->grid = grid;
    searcher->settings = *settings;
    status = value_function_open(function, &searcher->function);
    if (status) {
        free(searcher);
        return status;
    }
    *out = searcher;
    return STATUS_OK;
}

void searcher_free(struct searcher *searcher)
{
    if (!searcher)
        return;
    value_function_close(&searcher->function);
    free(searcher);
}

struct search_result searcher_search(struct searcher *searcher, struct board board)
{
    return plain_expectimax(searcher->grid, &searcher->function, board, searcher->settings.depth);
}
