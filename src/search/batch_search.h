/*
 * batch_search: expectimax for value functions that want many boards in one call (value.h: `batch`), such as neural
 * networks. Where the searcher evaluates each family of leaves separately, some twenty boards, this goes through the
 * tree level by level, collects the leaves of the whole tree, each different one once, evaluates them in one call, and
 * backs the values up. The values are those of plain_expectimax() to float rounding.
 *
 * The tree may have many roots: positions of many games that are searched together.
 *
 * One thread at a time uses an object; its workers may help.
 */
#ifndef AFTERSTATE_SEARCH_BATCH_SEARCH_H
#define AFTERSTATE_SEARCH_BATCH_SEARCH_H

#include "base/status.h"
#include "base/workers.h"
#include "game/grid.h"
#include "game/value.h"
#include "search/transposition.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct batch_search;

/* All borrowed. */
struct batch_search_settings {
    const struct grid *grid;
    struct value_function function; /* batch at least 1 */
    double prune;                   /* as in search_settings */
    struct transposition *table;    /* NULL: none */
    struct workers *workers;        /* they share the batches; NULL: none */
    const atomic_bool *cancel;      /* as in search_settings */
};

/* For searches of at most `max_plies` from an afterstate. STATUS_NO_MEMORY; *out is then NULL. */
enum status batch_search_create(struct batch_search **out, const struct batch_search_settings *settings,
                                unsigned max_plies);
void batch_search_free(struct batch_search *search); /* NULL is fine */

/*
 * values[i] = the value of afterstate i (any number, each with an empty cell) searched `plies` deep, at most max_plies;
 * 0 calls the value function alone. False if clock_nanoseconds() passed `deadline` (0: none), or the search was
 * cancelled, before all was known; values[] are then anything. With 0 plies neither counts. *n_leaves grows by the
 * boards that were evaluated.
 */
bool batch_search_values(struct batch_search *search, const struct board *after, size_t n, unsigned plies,
                         uint64_t deadline, float *values, uint64_t *n_leaves);

#endif
