/*
 * training_run: a run directory, from the first action to the network.
 *
 *   DIR/recipe.ini     every key of the recipe, resolved
 *   DIR/log.csv        a line for each measurement (training_log.h)
 *   DIR/checkpoint     everything that going on needs (training_checkpoint.h)
 *   DIR/network.net    the network, at the end and whenever the run is stopped
 *
 * Each file is replaced whole. The checkpoint is the truth: the log is part of it, and log.csv is written again from it
 * when a run goes on, so lines of work that was lost are cut. With one thread a run gives the same network bit for bit
 * however often it was stopped or killed on the way.
 */
#ifndef AFTERSTATE_STUDY_TRAINING_RUN_H
#define AFTERSTATE_STUDY_TRAINING_RUN_H

#include "base/progress.h"
#include "base/recipe.h"
#include "base/status.h"
#include "learn/train_recipe.h"
#include "learn/trainer.h"
#include "study/summary.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct training_run;

/* Where a run tells how it goes. */
struct training_report {
    FILE *stream; /* of the progress bar */
    enum progress_mode mode;
    /* One line on each measurement, and each warning (which says so itself). May be NULL. */
    void (*tell)(void *context, bool warning, const char *text);
    /* Told some twenty times a second how many actions are done, for a bar over several runs. May be NULL. */
    void (*moved)(void *context, uint64_t actions);
    /* Called as often as that, and between the games of a measurement; true stops the run as a signal does. Optional.
     */
    bool (*stop)(void *context, uint64_t actions);
    void *context;
};

enum training_end {
    TRAINING_DONE,        /* all actions */
    TRAINING_BUDGET,      /* the time is over */
    TRAINING_INTERRUPTED, /* a signal, or training_report.stop, asked to stop */
};

struct training_result {
    enum training_end end;
    struct trainer_totals totals;
    double seconds;             /* spent learning, over all sittings */
    double moves_per_second;    /* of learning, in this sitting */
    struct summary eval, eval3; /* the last measurement of this sitting; n_games 0 if there was none */
};

/* Weights to go on with instead of the run's own; accumulators stay. path NULL: none. See training_model.h. */
struct training_weights {
    const char *path, *stage;
};

/*
 * Opens a run: makes the directory if it is not there, or goes on with the run that is in it. `recipe` has the schema
 * of train_recipe.h and is not kept; `plan` is what it resolves to; `weights` may be NULL. Takes the memory that the
 * plan says.
 * STATUS_INVALID where a run is there and the recipe is not its recipe, or other files are there; STATUS_CORRUPT where
 * its checkpoint is damaged; STATUS_USAGE where another process is at it. Nothing in the directory is changed on
 * failure, and *out is NULL.
 */
enum status training_run_open(struct training_run **out, const char *directory, const struct recipe *recipe,
                              const struct train_plan *plan, const struct training_weights *weights);
void training_run_free(struct training_run *run); /* NULL is fine */

/* Actions that were there when the run was opened: 0 for a new one. */
uint64_t training_run_actions(const struct training_run *run);

/*
 * Trains to the end of the plan, for `budget_seconds` (0: no limit; saving included as far as it can be foreseen), or
 * until a signal asks to stop (signals.h), and saves. The budget counts from training_run_open() on. All three are
 * STATUS_OK, see result->end. A checkpoint that cannot be written on the way is told and tried again at the next;
 * failing at the end is STATUS_IO.
 */
enum status training_run_go(struct training_run *run, double budget_seconds, const struct training_report *report,
                            struct training_result *result);

/* The path of a file of a run directory, which the caller frees; NULL with a message if there is no memory. */
char *training_run_path(const char *directory, const char *name);

#endif
