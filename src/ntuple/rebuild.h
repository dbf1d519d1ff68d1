/*
 * rebuild: builds a network with the values of another one, but with tables that are sums of tables, other stages, or
 * other cell values. fold.h and convert.h make the plans.
 *
 * Each new weight is the sum of one old weight from each source of its table; the index of the old weight is a sum of
 * one part for each cell of the tuple. Promotion is resolved in the old weights. If the new network promotes, a weight
 * equal to that of the stage before is left untouched.
 *
 * Initial values: if t tables become u, an untouched board keeps its value if the new initial weight is t/u times the
 * old one. A sum of untouched weights is set to exactly that (a constant may move from table to table, since each board
 * reads every table equally often), so weights that training never touched stay untouched.
 */
#ifndef AFTERSTATE_NTUPLE_REBUILD_H
#define AFTERSTATE_NTUPLE_REBUILD_H

#include "base/progress.h"
#include "base/status.h"
#include "ntuple/network.h"

#include <stdint.h>

/* One old table that is added to a new one: old index = the sum of part[i][digit of the new tuple's i-th cell]. */
struct rebuild_source {
    uint8_t table; /* the new one */
    uint8_t from;  /* the old one */
    uint32_t part[TUPLE_MAX_CELLS][ENCODING_VALUES];
};

struct rebuild_plan {
    const char *title;         /* of the progress bar, such as "fold" */
    const char *name;          /* of the new network, in messages */
    struct network_spec spec;  /* of the new network; rebuild_network() sets `initial` */
    uint8_t stage[STAGES_MAX]; /* the old stage that each new one takes its weights from */
    unsigned n_sources;
    struct rebuild_source *sources; /* sorted by their new table */
};

_Static_assert(NETWORK_MAX_LOOKUPS / 4 <= UINT8_MAX, "a table's number fits in a byte");

/*
 * Builds the network in *out (NULL on failure), which the caller frees, with all processors. If `progress` is not NULL,
 * a bar with the title of the plan is shown on it. STATUS_NO_MEMORY if it does not fit, before any work; STATUS_INVALID
 * if the networks differ by more than rounding (compare.h).
 */
enum status rebuild_network(struct network **out, const struct network *old, const struct rebuild_plan *plan,
                            FILE *progress);

#endif
