/*
 * api_search: the public functions over networks and searches.
 */
#include <afterstate/afterstate.h>

#include "api/api_parts.h"
#include "base/memory.h"
#include "base/workers.h"
#include "search/searcher.h"
#include "study/evaluator.h"

#include <stdlib.h>

_Static_assert((int)AS_MAX_DEPTH == SEARCH_MAX_DEPTH, "the public limit is the inner one");

struct as_network {
    struct evaluator evaluator;
    struct as_grid grid; /* a copy of the network's, which owns what it points to */
};

struct as_search {
    const struct as_network *network;
    struct searcher *searcher;
};

enum as_status as_network_open(struct as_network **out, const char *path)
{
    if (out)
        *out = NULL;
    if (!out || !path)
        return api_fail_null("as_network_open");
    struct as_network *network = memory_allocate(1, sizeof *network);
    if (!network)
        return AS_NO_MEMORY;
    enum status status = evaluator_load(&network->evaluator, path, LOAD_COMPACT, NULL);
    if (status) {
        free(network);
        return (enum as_status)status;
    }
    network->grid.grid = *network->evaluator.grid;
    *out = network;
    return AS_OK;
}

void as_network_free(struct as_network *network)
{
    if (!network)
        return;
    evaluator_free(&network->evaluator);
    free(network);
}

const struct as_grid *as_network_grid(const struct as_network *network)
{
    if (network)
        return &network->grid;
    api_fail_null("as_network_grid");
    return NULL;
}

int as_network_rows(const struct as_network *network)
{
    if (network)
        return network->grid.grid.rows;
    api_fail_null("as_network_rows");
    return -1;
}

int as_network_cols(const struct as_network *network)
{
    if (network)
        return network->grid.grid.cols;
    api_fail_null("as_network_cols");
    return -1;
}

enum as_status as_network_value(const struct as_network *network, struct as_board after, float *value)
{
    if (!network || !value)
        return api_fail_null("as_network_value");
    enum status status = api_check_board(&network->grid, after, "as_network_value");
    if (!status)
        *value = value_of(&network->evaluator.function, api_board_in(after));
    return (enum as_status)status;
}

enum as_status as_search_create(struct as_search **out, const struct as_network *network,
                                const struct as_search_settings *settings)
{
    if (out)
        *out = NULL;
    if (!out || !network || !settings)
        return api_fail_null("as_search_create");
    if (settings->threads > WORKERS_MAX)
        return (enum as_status)status_fail(STATUS_USAGE, "as_search_create: %u threads; expected at most %d",
                                           settings->threads, WORKERS_MAX);
    struct as_search *search = memory_allocate(1, sizeof *search);
    if (!search)
        return AS_NO_MEMORY;
    struct search_settings inner = {.depth = settings->depth,
                                    .milliseconds = settings->milliseconds,
                                    .prune = settings->prune,
                                    .margin = settings->margin,
                                    .downgrade = settings->downgrade,
                                    .table_bytes = settings->table_bytes,
                                    .n_threads = settings->threads};
    search->network = network;
    enum status status = searcher_create(&search->searcher, &network->grid.grid, &network->evaluator.function, &inner);
    if (status) {
        free(search);
        return (enum as_status)status_context(status, "as_search_create");
    }
    *out = search;
    return AS_OK;
}

void as_search_free(struct as_search *search)
{
    if (!search)
        return;
    searcher_free(search->searcher);
    free(search);
}

enum as_status as_search_run(struct as_search *search, struct as_board board, struct as_search_result *result)
{
    if (!search || !result)
        return api_fail_null("as_search_run");
    enum status status = api_check_board(&search->network->grid, board, "as_search_run");
    if (status)
        return (enum as_status)status;
    struct search_result found = searcher_search(search->searcher, api_board_in(board));
    result->best = found.best;
    result->legal = found.legal;
    for (unsigned d = 0; d < AS_DIRECTIONS; d++) {
        result->value[d] = found.value[d];
        result->reward[d] = found.reward[d];
        result->order[d] = found.order[d];
        result->depth[d] = found.depth[d];
    }
    return AS_OK;
}
