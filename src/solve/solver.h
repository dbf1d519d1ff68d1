/*
 * solver: solves a board: the forward pass counts ages upwards, the backward pass gives values downwards (SOLVE section
 * 3.1), into a table directory from which a later call goes on.
 *
 * Forward, for each age: the states are known; moves give the afterstates; spawns on these give states of the two ages
 * to come. Four bitmaps are in memory. Backward, for each age: the states two ages on are made again from the stored
 * afterstates, valued by their moves, and spawns then value the afterstates. Five sets and four arrays of values are in
 * memory.
 *
 * With checkpoint_every = k > 1 the forward pass keeps two ages in every k; the backward pass makes the k - 2 others
 * again, k at a time, and keeps them in memory, coded: less disk for a second forward pass.
 *
 * Values are doubles in memory, or fixed-point numbers of 32 bits; what is stored of them is rounded. To go on exactly
 * where it was, a backward pass leaves the exact values of two ages in `resume.table` now and then, and takes the file
 * away at its end.
 *
 * Files of the directory that are missing or damaged are made again first (repair.h).
 */
#ifndef AFTERSTATE_SOLVE_SOLVER_H
#define AFTERSTATE_SOLVE_SOLVER_H

#include "base/progress.h"
#include "base/status.h"
#include "base/workers.h"
#include "solve/table_index.h"

#include <stdint.h>
#include <stdio.h>

struct solve_settings {
    unsigned rows, cols;
    const char *directory; /* made if missing; holds a solve of the same settings, or nothing */
    enum solve_variant variant;
    enum solve_store store;
    unsigned fraction_bits;    /* at most CODE_MAX_FRACTION_BITS; with VALUES_FIXED at most what its unit has */
    enum value_form precision; /* of values in memory */
    double chance_of_4;        /* 0 to 1 */
    unsigned goal;             /* a tile's value from 3 up whose chance is wanted; 0: the expected score */
    uint32_t checkpoint_every; /* at least 1; beyond 1 not with STORE_VALUES */
    uint32_t to_age;           /* stop the forward pass after this age, and do no backward pass; 0: solve it all */
    uint64_t stretch_members;  /* boards that fill a file; 0: STRETCH_MEMBERS. Tests take less */
    uint64_t memory_bytes;     /* fail rather than use more than about this */
    uint64_t checked_bytes;    /* tables up to this size are checked by all checksums; 0: REPAIR_CHECKED_BYTES */
    /* Called with one line for each file that is missing or damaged and made again. Optional. */
    void (*notice)(void *context, const char *text);
    void *notice_context;
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
};

/*
 * Solves. STATUS_INTERRUPTED if the user asked to stop (signals.h): all is saved, and the same call goes on.
 * STATUS_USAGE where the directory holds a solve of other settings, STATUS_INVALID for a board that cannot be solved,
 * STATUS_CORRUPT where the index is damaged, or another file in a way that making it again does not mend.
 */
enum status solve_run(const struct solve_settings *settings, struct workers *workers, struct solve_report *report);

#endif
