/*
 * reproduce_run: runs a group of experiments (reproduce_group.h): trains each row, or searches, or solves, and fills
 * the table.
 *
 *   DIR/plan.ini          actions of each run, the speeds they were planned by, number of seeds
 *   DIR/ROW-sSEED/        a run directory (training_run.h), the logs of its measuring games, and `measured`
 *   DIR/table-3x3/        the solved board, where exact scores are measured
 *
 * All rows of a group learn for the same number of actions, whatever their speed, which makes them comparable. A time
 * budget is converted to actions by a pilot, a few seconds of each row. Every finished run is on disk, so a second call
 * resumes.
 *
 * On a cluster rank 0 plans, keeps the table and `measured`. Runs are handed out whole and are written by the rank that
 * has one, so all ranks must see DIR; when all have learned, the ranks play the games of a measurement together. Boards
 * are solved and evaluated together too.
 */
#ifndef AFTERSTATE_STUDY_REPRODUCE_RUN_H
#define AFTERSTATE_STUDY_REPRODUCE_RUN_H

#include "study/reproduce_table.h"
#include "study/training_run.h"

struct reproduce_settings {
    const char *directory;
    double budget_seconds;         /* 0: none given */
    double default_budget_seconds; /* for a new directory where neither time nor actions are given */
    uint64_t actions;              /* 0: by the budget */
    unsigned n_seeds;              /* 0: as the group, or the plan in the directory, says */
    unsigned n_threads;            /* 0: all cores */
    uint64_t n_games;              /* of each measurement; 0: as the group says */
    const char *const *sets;       /* settings "section.key=value" of every row's recipe of a training group */
    size_t n_sets;
    const char *net;               /* the network of a search group; NULL: the bundled one */
    const char *table;             /* a solved board; NULL: solved in the directory */
    const struct cluster *cluster; /* the ranks that work together, with equal settings; NULL: this process alone */
    /* Progress on stream by mode; notify() gets warnings and what is done next. `moved` is not used. */
    const struct training_report *report;
};

/* The plan of a directory, made when it was created. */
struct reproduce_plan {
    uint64_t actions; /* of each run; 0 for kinds that learn nothing */
    unsigned n_seeds;
    double budget_seconds; /* 0: the actions were given */
};

/*
 * Runs what is not done yet. *table is created and to be freed in every case. STATUS_INTERRUPTED after a signal
 * (signals.h, which the caller has to catch): all is saved, and the table has what is finished. STATUS_INVALID if the
 * directory has another plan. A row that does not fit in memory has a note instead of figures. Collective if there is a
 * cluster: the same status on all ranks; table and plan are rank 0's.
 */
enum status reproduce_run_group(struct reproduce_table *table, struct reproduce_plan *plan, const struct group *group,
                                const struct reproduce_settings *settings);

/* Writes DIRECTORY/table.csv and, of a training group, its learning curves as curves-1.svg, .. */
enum status reproduce_run_write(const struct reproduce_table *table, const char *directory);

#endif
