/* web_searchers: a searcher for each worker and board, made when first needed. */
#include "web/web_searchers.h"

#include "base/map_guard.h"
#include "base/memory.h"

#include <stdlib.h>

/* As large as `hint` takes by itself for deep searches. */
#define TABLE_BYTES ((size_t)16 << 20)

struct web_searchers {
    const struct catalog *catalog;
    unsigned n_workers;
    search_watch watch; /* optional */
    void *watch_context;
    const atomic_bool **cancel; /* by worker */
    struct searcher **of;       /* by worker, then by board; each entry is touched by its worker alone */
};

enum status web_searchers_create(struct web_searchers **out, const struct catalog *catalog, unsigned n_workers)
{
    *out = NULL;
    struct web_searchers *searchers = memory_allocate(1, sizeof *searchers);
    if (!searchers)
        return STATUS_NO_MEMORY;
    searchers->catalog = catalog;
    searchers->n_workers = n_workers;
    searchers->cancel = memory_allocate(n_workers, sizeof *searchers->cancel);
    searchers->of = memory_allocate(n_workers * catalog->n_boards, sizeof *searchers->of);
    if (!searchers->cancel || !searchers->of) {
        web_searchers_free(searchers);
        return STATUS_NO_MEMORY;
    }
    *out = searchers;
    return STATUS_OK;
}

void web_searchers_free(struct web_searchers *searchers)
{
    if (!searchers)
        return;
    for (size_t i = 0; searchers->of && i < searchers->n_workers * searchers->catalog->n_boards; i++)
        searcher_free(searchers->of[i]);
    free(searchers->of);
    free(searchers->cancel);
    free(searchers);
}

void web_searchers_set_cancel(struct web_searchers *searchers, unsigned worker, const atomic_bool *cancel)
{
    searchers->cancel[worker] = cancel;
}

void web_searchers_set_watch(struct web_searchers *searchers, search_watch watch, void *context)
{
    searchers->watch = watch;
    searchers->watch_context = context;
}

struct guarded_search {
    struct searcher *searcher;
    struct board position;
    struct search_result *result;
};

static enum status run_search(void *context)
{
    struct guarded_search *search = context;
    *search->result = searcher_search(search->searcher, search->position);
    return STATUS_OK;
}

enum status web_searchers_search(struct web_searchers *searchers, unsigned worker, const struct web_board *board,
                                 struct board position, struct search_limit limit, struct search_result *result)
{
    size_t index = (size_t)(board - searchers->catalog->boards);
    struct searcher **searcher = &searchers->of[worker * searchers->catalog->n_boards + index];
    struct search_settings settings = {.milliseconds = 1, /* made for any depth; the limit is set below */
                                       .table_bytes = TABLE_BYTES,
                                       .downgrade = board->downgrade,
                                       .n_threads = 1,
                                       .cancel = searchers->cancel[worker],
                                       .watch = searchers->watch,
                                       .watch_context = searchers->watch_context};
    struct value_function function = board->function;
    enum status status = STATUS_OK;
    if (!*searcher && board->load)
        status = board->load(board->load_context, &function);
    if (!status && !*searcher)
        status = searcher_create(searcher, board->grid, &function, &settings);
    if (status)
        return status;
    searcher_set_limit(*searcher, limit.depth, limit.milliseconds);
    struct guarded_search search = {*searcher, position, result};
    status = board->endgame ? map_guard_run(run_search, &search, "endgame") : run_search(&search);
    if (status) { /* left in the midst of a search */
        searcher_free(*searcher);
        *searcher = NULL;
        return status;
    }
    return result->cancelled ? status_fail(STATUS_INTERRUPTED, "the search was given up") : STATUS_OK;
}
