/*
 * reproduce_measure: one figure of a group: by games, exactly on a solved board, or by solving one. Games are logged in
 * the run's folder, so an interrupted measurement resumes.
 */
#ifndef AFTERSTATE_STUDY_REPRODUCE_MEASURE_H
#define AFTERSTATE_STUDY_REPRODUCE_MEASURE_H

#include "search/player.h"
#include "study/evaluator_choice.h"
#include "study/reproduce_table.h"
#include "study/training_run.h"

struct reproduce_measurement {
    const struct measure *measure;
    const struct evaluator_choice *choice; /* the network, open (reproduce_network_open()) */
    const char *folder;                    /* of the run */
    const char *label;                     /* of the row, for the progress bar */
    const char *directory;                 /* of the group; solved boards are stored there */
    const char *table;                     /* a solved board; NULL: solved in the directory */
    uint64_t n_games;                      /* 0: as the measure says */
    unsigned n_threads;
    const struct training_report *report; /* stream and mode are used */
    const struct cluster *cluster;        /* the ranks that measure together; NULL: this process alone */
};

/*
 * Opens the network of a measurement for many games: a file, or NULL: the bundled one. To be closed in every case.
 * Collective, as the functions below, if there is a cluster.
 */
enum status reproduce_network_open(struct evaluator_choice *choice, const char *net, const struct cluster *cluster,
                                   const struct training_report *report);

/* The player of a measure. */
struct player reproduce_player(const struct evaluator_choice *choice, const struct measure *measure);

/* Fills *cell, and *move_seconds (may be NULL) with the time of a move. STATUS_INTERRUPTED after a signal. */
enum status reproduce_measure(const struct reproduce_measurement *what, struct reproduce_cell *cell,
                              double *move_seconds);

/* Solves the board of a row in `folder` and fills the group's measures and the seconds of this call. */
enum status reproduce_solve(const struct group *group, const struct group_row *row, const char *folder,
                            unsigned n_threads, const struct cluster *cluster, const struct training_report *report,
                            struct reproduce_run *run);

#endif
