/*
 * reproduce_run: runs a group of experiments: learns each row, or searches, or solves, and fills the table.
 *
 *   DIR/plan.ini          how many actions each run learns, by which pilot, and how many seeds
 *   DIR/ROW-sSEED/        a run directory (training_run.h), the logs of its measuring games, and `measured`
 *   DIR/table-3x3/        the solved board, where exact scores are asked for
 *
 * All rows learn for the same number of actions: that is what makes them comparable, whatever their speed. From a time
 * budget the number comes by a pilot, a few seconds of each row. What is finished is on disk, run by run, so a second
 * call goes on.
 */
#ifndef AFTERSTATE_CLI_REPRODUCE_RUN_H
#define AFTERSTATE_CLI_REPRODUCE_RUN_H

#include "cli/frame/options.h"
#include "study/reproduce_table.h"

struct reproduce_settings {
    const char *directory;
    double budget_seconds;         /* 0: none given */
    double default_budget_seconds; /* for a new directory where neither time nor actions are given */
    uint64_t actions;              /* 0: by the budget */
    unsigned n_seeds;              /* 0: as the group, or the plan in the directory, says */
    unsigned n_threads;            /* 0: all cores */
    uint64_t n_games;              /* of each measurement; 0: as the group says */
    const char *net;               /* who searches; NULL: the bundled network */
    const char *table;             /* a solved board; NULL: made in the directory */
};

/* What a directory was begun with. */
struct reproduce_plan {
    uint64_t actions; /* of each run; 0 for kinds that learn nothing */
    unsigned n_seeds;
    double budget_seconds; /* 0: the actions were given */
};

/*
 * Runs what is not done yet. *table is created and to be freed in every case. STATUS_INTERRUPTED after Ctrl-C: all is
 * saved, and the table has what is finished. A row that does not fit in memory has a note instead of figures.
 */
enum status reproduce_run_group(struct reproduce_table *table, struct reproduce_plan *plan, const struct group *group,
                                const struct reproduce_settings *settings, const struct common_options *common);

#endif
