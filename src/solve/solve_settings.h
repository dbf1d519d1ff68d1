/* solve_settings: the settings of a solve, and its report. */
#ifndef AFTERSTATE_SOLVE_SOLVE_SETTINGS_H
#define AFTERSTATE_SOLVE_SOLVE_SETTINGS_H

#include "base/cluster.h"
#include "base/progress.h"
#include "solve/table_index.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* Bytes sent between ranks: boards that were found, boards whose values are wanted, those values, and codes of
   files. */
struct solve_volume {
    uint64_t sets, requests, values, files;
};

/* What each rank sent for an age in one of the passes. */
struct solve_traffic {
    bool backward;
    uint32_t age;
    uint64_t n_states; /* of the age, on all ranks together */
    unsigned n_ranks;
    const struct solve_volume *ranks; /* by rank, for the length of the call */
};

struct solve_settings {
    unsigned rows, cols;
    const char *directory; /* made if missing; holds a solve of the same settings, or nothing */
    enum solve_variant variant;
    enum solve_store store;
    unsigned fraction_bits;    /* at most CODE_MAX_FRACTION_BITS; with VALUES_FIXED at most what its unit has */
    enum value_form precision; /* of values in memory */
    double chance_of_4;        /* 0 to 1 */
    unsigned goal;             /* a tile's value from 3 up whose chance is wanted; 0: the expected score */
    struct walls walls;        /* locked cells, which need a goal; all zero: a whole board */
    uint32_t checkpoint_every; /* at least 1; beyond 1 not with STORE_VALUES */
    uint32_t to_age;           /* stop the forward pass after this age, and do no backward pass; 0: solve it all */
    uint64_t file_members;     /* boards that fill a file; 0: AGE_FILE_MEMBERS. Tests take less */
    uint64_t memory_bytes;     /* fail rather than use more than about this */
    uint64_t checked_bytes;    /* tables up to this size are checked by all checksums; 0: REPAIR_CHECKED_BYTES */
    /* Called with one line for each file that is missing or damaged and made again. Optional. */
    void (*notice)(void *context, const char *text);
    void *notice_context;
    /* Called on rank 0 after each age of each pass. Optional: on all ranks or on none. */
    void (*traffic)(void *context, const struct solve_traffic *traffic);
    void *traffic_context;
    const struct cluster *cluster; /* the ranks that solve together; NULL: this process alone */
    FILE *progress_stream;
    enum progress_mode progress_mode;
};

/* Bytes of the files of one kind, and the boards in them: afterstates, or of moves states. */
struct stored_size {
    uint64_t bytes, members;
};

struct solve_report {
    struct table_summary summary;
    double forward_seconds, backward_seconds; /* of this call */
    uint64_t forward_states, backward_states; /* done in this call */
    uint64_t bytes;                           /* of all files, the index too */
    struct stored_size sets, values, moves;
    struct solve_volume sent; /* in this call, by all ranks together */
};

#endif
