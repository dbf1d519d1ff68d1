/*
 * searcher: expectimax, fast. The same values as plain_expectimax() to float rounding, by less work: the leaves under a
 * chance node are made line by line, each different one once, and evaluated in one batch; boards that were searched
 * before are looked up in a transposition table. A value function that wants larger batches (value.h) is searched level
 * by level instead (batch_search.h); with a time limit a depth then counts for all moves or for none.
 *
 * Two settings make it selective. `prune` does not expand rare spawns. `margin` does not expand bad moves: after a
 * spawn the moves are first evaluated by the value function alone, and those near the best are searched; one that is
 * worse than the best by more than the margin keeps that first value, unless those searched turn out worse. The moves
 * of the root are always searched. Most moves are much worse than the best one, so this saves more the deeper the
 * search.
 *
 * A searcher is the working memory of one search at a time: one thread uses it (and may let it use more inside). Many
 * searchers may share a grid and a value function. Values are per afterstate; see plain_expectimax.h for how plies are
 * counted.
 */
#ifndef AFTERSTATE_SEARCH_SEARCHER_H
#define AFTERSTATE_SEARCH_SEARCHER_H

#include "base/status.h"
#include "game/grid.h"
#include "game/value.h"
#include "search/search_result.h"
#include "search/specialist.h"

#include <stdatomic.h>
#include <stddef.h>

enum {
    SEARCH_MAX_DEPTH = 8,      /* plies of a search */
    SEARCH_MAX_DEEPENING = 16, /* plies that a search by time may reach on narrow boards */
    SEARCH_MIN_DOWNGRADE = 11, /* 2048: below that no board is rare */
    SEARCH_MAX_MILLISECONDS = 24 * 3600 * 1000,
    SEARCH_MAX_MARGIN = 1000 * 1000, /* points: leaves nothing out */
};

/*
 * Progress callback of searches of two plies or more: `n_done` of the `n_parts` boards one turn below the root's moves
 * are searched to `depth`; with a margin, of those that are known to be needed so far. Called by the thread that
 * searches, first with 0, then whenever that thread finishes one.
 */
typedef void (*search_watch)(void *context, unsigned depth, unsigned n_done, unsigned n_parts);

struct search_settings {
    unsigned depth;      /* 1 .. SEARCH_MAX_DEPTH; 0: by time alone */
    double milliseconds; /* time for a move, with iterative deepening up to `depth`; 0: no limit */
    double prune;        /* spawns reached with a smaller probability are not expanded; 0 expands all */
    double margin;       /* moves that are worse by more points at first are not expanded; 0 expands all */
    unsigned downgrade;  /* exponent of the tile from which boards are evaluated downgraded; 0: never */
    size_t table_bytes;  /* transposition table; 0: none */
    unsigned n_threads;  /* inside one search; 0 counts as 1 */
    const struct specialist *specialist; /* asked first, see specialist.h; NULL: there is none; borrowed */
    const atomic_bool *cancel; /* true ends the search within a few batches of leaves; NULL: never; borrowed */
    search_watch watch;        /* optional; NULL disables it */
    void *watch_context;
};

struct searcher;

/* STATUS_USAGE, with a message for people, if a setting is out of range, or neither depth nor time is given. */
enum status search_settings_check(const struct search_settings *settings);

/*
 * The size of the transposition table to use by default: 1 MiB at 3 plies, 16 MiB deeper or with a time, else none. On
 * the way of a 4x6 network through a game a table saves a tenth of the leaves at 3 plies (1,297 instead of 1,439 a
 * move; it must be small, or its cache misses cost more) and half at 4 (26,467 instead of 52,511).
 */
enum { SEARCH_TABLE_3_MIB = 1, SEARCH_TABLE_MIB = 16 };
size_t search_default_table_bytes(unsigned depth, double milliseconds);

/*
 * Makes a searcher; grid and function are borrowed. STATUS_USAGE for wrong settings, among them a margin with a value
 * function that wants large batches, STATUS_NO_MEMORY, STATUS_IO if threads cannot be had; *out is then NULL.
 */
enum status searcher_create(struct searcher **out, const struct grid *grid, const struct value_function *function,
                            const struct search_settings *settings);
void searcher_free(struct searcher *searcher); /* NULL is fine */

/*
 * Other limits for the searches that follow, within the ranges of search_settings and no deeper than the searcher was
 * created for (both asserted); one that was created for time alone may have any depth. What the transposition table
 * holds stays: its entries are right at any limit.
 */
void searcher_set_limit(struct searcher *searcher, unsigned depth, double milliseconds);

/* The values of all legal directions. A search of one ply is not cancelled. */
struct search_result searcher_search(struct searcher *searcher, struct board board);

/*
 * The same for many boards. Without a time limit a value function that wants large batches gets the leaves of all of
 * them together; n_leaves of each result is then 0. Values are the same as one by one if a value does not depend on its
 * batch.
 */
void searcher_search_many(struct searcher *searcher, const struct board *boards, size_t n,
                          struct search_result *results);

#endif
