/*
 * api_search: the public functions over networks and searches.
 */
#include <afterstate/afterstate.h>

#include "api/api_parts.h"
#include "base/memory.h"
#include "base/workers.h"
#include "search/searcher.h"

#include <stdlib.h>

_Static_assert((int)AS_MAX_DEPTH == SEARCH_MAX_DEPTH, "the public limit is the inner one");

struct as_search {
    const struct as_network *network;
    struct searcher *searcher;
    atomic_bool cancelled;
};

enum { VALUE_BATCH = 1024, SEARCH_BATCH = 256 }; /* boards converted at a time */

void as_network_free(struct as_network *network)
{
    if (!network)
        return;
    evaluator_free(&network->evaluator);
    late_choice_close(&network->late);
    free(network);
}

enum as_status as_network_add_endgame(struct as_network *network, const char *endgame, const char *late_net)
{
    static const char function[] = "as_network_add_endgame";
    if (!network)
        return api_fail_null(function);
    const struct grid *grid = &network->grid.grid;
    if (!grid_is_4x4(grid))
        return (enum as_status)status_fail(STATUS_INVALID, "%s: a network of %ux%u; expected one of 4x4", function,
                                           grid->rows, grid->cols);
    if (network->weights || network->late.net)
        return (enum as_status)status_fail(STATUS_USAGE, "%s: %s", function,
                                           network->weights ? "a network whose weights can be changed"
                                                            : "the network has one already");
    enum status status = late_choice_find(&network->late, endgame ? endgame : "none", late_net);
    if (status)
        goto done;
    if (!network->late.net) /* "auto" */
        status = status_fail(STATUS_INVALID, "%s: no network for late games, or no tables, are there", function);
    if (status)
        goto done;
    status = late_choice_add(&network->late, &network->evaluator, LOAD_COMPACT, NULL);
done:
    if (status)
        late_choice_close(&network->late);
    return (enum as_status)status;
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
    if (status)
        return (enum as_status)status;
    *value = value_of(&network->evaluator.function, api_board_in(after));
    return AS_OK;
}

enum as_status as_network_values(const struct as_network *network, const uint8_t *cells, size_t n, float *values)
{
    static const char function[] = "as_network_values";
    if (!network || (n && (!cells || !values)))
        return api_fail_null(function);
    const struct grid *grid = &network->grid.grid;
    enum status status = api_check_cells(grid, cells, n, function);
    for (size_t i = 0; i < n && !status; i += VALUE_BATCH) {
        struct board boards[VALUE_BATCH];
        size_t n_part = n - i < VALUE_BATCH ? n - i : VALUE_BATCH;
        status = api_read_cells(grid, cells + i * grid->n_cells, n_part, i, boards, function);
        if (!status)
            value_of_batch(&network->evaluator.function, boards, n_part, values + i);
    }
    return (enum as_status)status;
}

enum as_status as_search_create(struct as_search **out, const struct as_network *network,
                                const struct as_search_settings *settings)
{
    if (out)
        *out = NULL;
    if (!out || !network || !settings)
        return api_fail_null("as_search_create");
    struct as_search_settings taken;
    enum status status = api_take_settings(&taken, sizeof taken, settings, "as_search_create");
    if (status)
        return (enum as_status)status;
    if (taken.threads > WORKERS_MAX)
        return (enum as_status)status_fail(STATUS_USAGE, "as_search_create: %u threads; expected at most %d",
                                           taken.threads, WORKERS_MAX);
    struct as_search *search = memory_allocate(1, sizeof *search);
    if (!search)
        return AS_NO_MEMORY;
    struct search_settings inner = {.depth = taken.depth,
                                    .milliseconds = taken.milliseconds,
                                    .prune = taken.prune,
                                    .margin = taken.margin,
                                    .downgrade = taken.downgrade,
                                    .table_bytes = taken.table_bytes,
                                    .n_threads = taken.threads,
                                    .cancel = &search->cancelled};
    search->network = network;
    status = searcher_create(&search->searcher, &network->grid.grid, &network->evaluator.function, &inner);
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

void as_search_cancel(struct as_search *search)
{
    if (search)
        atomic_store(&search->cancelled, true);
}

void as_search_resume(struct as_search *search)
{
    if (search)
        atomic_store(&search->cancelled, false);
}

static struct as_search_result result_out(const struct search_result *found)
{
    struct as_search_result result = {.best = found->best, .legal = found->legal};
    for (unsigned d = 0; d < AS_DIRECTIONS; d++) {
        result.value[d] = found->value[d];
        result.reward[d] = found->reward[d];
        result.order[d] = found->order[d];
        result.depth[d] = found->depth[d];
    }
    return result;
}

static enum as_status fail_cancelled(const char *function)
{
    return (enum as_status)status_fail(STATUS_INTERRUPTED, "%s: cancelled", function);
}

enum as_status as_search_run(struct as_search *search, struct as_board board, struct as_search_result *result)
{
    if (!search || !result)
        return api_fail_null("as_search_run");
    enum status status = api_check_board(&search->network->grid, board, "as_search_run");
    if (status)
        return (enum as_status)status;
    struct search_result found = searcher_search(search->searcher, api_board_in(board));
    if (found.cancelled || atomic_load(&search->cancelled))
        return fail_cancelled("as_search_run");
    *result = result_out(&found);
    return AS_OK;
}

enum as_status as_search_many(struct as_search *search, const uint8_t *cells, size_t n,
                              struct as_search_result *results)
{
    static const char function[] = "as_search_many";
    if (!search || (n && (!cells || !results)))
        return api_fail_null(function);
    const struct grid *grid = &search->network->grid.grid;
    enum status status = api_check_cells(grid, cells, n, function);
    for (size_t i = 0; i < n && !status; i += SEARCH_BATCH) {
        struct board boards[SEARCH_BATCH];
        struct search_result found[SEARCH_BATCH];
        size_t n_part = n - i < SEARCH_BATCH ? n - i : SEARCH_BATCH;
        status = api_read_cells(grid, cells + i * grid->n_cells, n_part, i, boards, function);
        if (status)
            break;
        searcher_search_many(search->searcher, boards, n_part, found);
        if (atomic_load(&search->cancelled))
            return fail_cancelled(function);
        for (size_t k = 0; k < n_part; k++)
            results[i + k] = result_out(&found[k]);
    }
    return (enum as_status)status;
}
