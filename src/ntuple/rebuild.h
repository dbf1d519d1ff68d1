/*
 * rebuild: makes a network out of another one with the same evaluation: tables that are sums of tables, other stages,
 * other cell values. Folding (fold.h) and conversion (convert.h) are plans for it.
 *
 * Each new weight is the sum of one old weight from each source of its table, found by adding up one part for each cell
 * of the tuple. The old weights are taken as evaluation sees them, with promotion resolved; the new network may promote
 * or not, and where it does a weight equal to the one of the stage before is left untouched.
 *
 * Initial values: where t tables become u, an untouched board keeps its value if the new initial weight is t/u times
 * the old one. A sum of untouched weights is moved to exactly that (a constant may move from table to table, since each
 * board reads every table equally often), so what training never touched is still known.
 */
#ifndef AFTERSTATE_NTUPLE_REBUILD_H
#define AFTERSTATE_NTUPLE_REBUILD_H

#include "base/progress.h"
#include "base/status.h"
#include "ntuple/network.h"

#include <stdint.h>

/* One old table that a new one takes in: old index = the sum of part[i][digit of the new tuple's i-th cell]. */
struct rebuild_source {
    uint8_t table; /* the new one */
    uint8_t from;  /* the old one */
    uint32_t part[TUPLE_MAX_CELLS][ENCODING_VALUES];
};

struct rebuild_plan {
    struct network_spec spec;  /* of the new network; `initial` is worked out by rebuild_network() */
    uint8_t stage[STAGES_MAX]; /* the old stage that each new one takes its weights from */
    unsigned n_sources;
    struct rebuild_source *sources; /* the sources of a table stand together, tables ascending */
};

_Static_assert(NETWORK_MAX_LOOKUPS / 4 <= UINT8_MAX, "a table's number fits in a byte");

/*
 * Makes the network in *out (NULL on failure), which the caller frees, with all processors. Checks the memory first,
 * and at last that both networks agree to rounding (compare.h); `what` begins the message if not. `progress` may be
 * NULL, else begun with a total of 4 bytes for each new weight.
 */
enum status rebuild_network(struct network **out, const struct network *old, const struct rebuild_plan *plan,
                            const char *what, struct progress *progress);

#endif
