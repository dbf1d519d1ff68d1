/*
 * reproduce_measure: one figure of a group: by games, exactly on a solved board, or by solving one. Games have a log in
 * the run's folder, so a measurement that was stopped goes on.
 */
#ifndef AFTERSTATE_CLI_REPRODUCE_MEASURE_H
#define AFTERSTATE_CLI_REPRODUCE_MEASURE_H

#include "cli/frame/options.h"
#include "study/reproduce_table.h"

struct reproduce_measurement {
    const struct measure *measure;
    const char *net;       /* a file; NULL: the bundled network */
    const char *folder;    /* of the run */
    const char *label;     /* of the row, for the bar */
    const char *directory; /* of the group: solved boards lie there */
    const char *table;     /* a solved board; NULL: made in the directory */
    uint64_t n_games;      /* 0: as the measure says */
    unsigned n_threads;
};

/* Fills *cell, and *move_seconds (may be NULL) with the time of a move. STATUS_INTERRUPTED after Ctrl-C. */
enum status reproduce_measure(const struct reproduce_measurement *what, const struct common_options *common,
                              struct reproduce_cell *cell, double *move_seconds);

/* Solves the board of a row in `folder` and fills the group's measures and the seconds of this call. */
enum status reproduce_solve(const struct group *group, const struct group_row *row, const char *folder,
                            unsigned n_threads, const struct common_options *common, struct reproduce_run *run);

#endif
