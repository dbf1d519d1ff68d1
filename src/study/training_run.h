/*
 * training_run: a run directory, from the first action to the network.
 *
 *   DIR/recipe.ini     every key of the recipe, resolved
 *   DIR/log.csv        a line for each measurement (training_log.h)
 *   DIR/checkpoint     from which the run resumes (training_checkpoint.h)
 *   DIR/network.net    the network, written at the end and whenever the run is stopped
 *   DIR/kept-ACTIONS.net, DIR/best.net   with train.keep: the network as it was measured, and that one of
 *                      them with the highest measured mean (eval.depth; at 3 plies if only eval.games3 is measured)
 *
 * Each file is replaced as a whole. The checkpoint contains the log, and a resumed run writes log.csv again from it, so
 * lines of lost work disappear. With one thread a run gives the same network bit for bit however often it was stopped
 * or killed.
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

/* Where a run reports. */
struct training_report {
    FILE *stream; /* of the progress bar */
    enum progress_mode mode;
    /* Optional: called with a line for each measurement and each warning (which begins with "warning:"). */
    void (*notify)(void *context, bool warning, const char *text);
    /* Optional: called some twenty times a second with the actions so far, for a bar over several runs. */
    void (*moved)(void *context, uint64_t actions);
    /* Optional: called with the finished games of a measurement. */
    void (*measuring)(void *context, size_t n_finished);
    /* Optional: called as often, and between the games of a measurement; returns true to stop the run, as a signal. */
    bool (*stop)(void *context, uint64_t actions);
    void *context;
};

enum training_end {
    TRAINING_DONE,        /* all actions */
    TRAINING_BUDGET,      /* the time budget is used up */
    TRAINING_INTERRUPTED, /* a signal, or training_report.stop, requested a stop */
};

struct training_result {
    enum training_end end;
    struct trainer_totals totals;
    double seconds;             /* spent learning, in all sessions */
    double moves_per_second;    /* of learning, in this session */
    struct summary eval, eval3; /* the last measurement of this session; n_games 0: none */
};

/* A network file whose weights replace those of the run (training_model_take_weights()); accumulators stay. path NULL:
   none. */
struct training_weights {
    const char *path, *stage;
};

/*
 * Opens a run: creates the directory, or resumes the run that is in it. `recipe` has the keys of train_recipe.h and is
 * not kept; `plan` is what it resolves to; `weights` may be NULL. Allocates the memory of the plan. STATUS_INVALID if
 * the directory has a run of another recipe, or other files; STATUS_CORRUPT if its checkpoint is damaged; STATUS_USAGE
 * if another process trains in it; STATUS_IO, STATUS_NO_MEMORY. On failure *out is NULL and no file is changed.
 */
enum status training_run_open(struct training_run **out, const char *directory, const struct recipe *recipe,
                              const struct train_plan *plan, const struct training_weights *weights);
void training_run_free(struct training_run *run); /* NULL is fine */

/* Actions at the time when the run was opened: 0 for a new one. */
uint64_t training_run_actions(const struct training_run *run);

/*
 * Trains to the end of the plan, for `budget_seconds` since training_run_open() (0: no limit; the estimated time of
 * saving is included), or until a signal requests a stop (signals.h), and saves. All three return STATUS_OK; see
 * result->end. If a checkpoint cannot be written during training, a warning is reported and the next one is written
 * later; at the end that is a failure, STATUS_IO. Otherwise fails as training_model_run().
 */
enum status training_run_train(struct training_run *run, double budget_seconds, const struct training_report *report,
                               struct training_result *result);

#endif
