/* training_run_parts: the fields of a training run, for training_run.c and training_run_open.c only. */
#ifndef AFTERSTATE_STUDY_TRAINING_RUN_PARTS_H
#define AFTERSTATE_STUDY_TRAINING_RUN_PARTS_H

#include "base/memory.h"
#include "base/workers.h"
#include "study/training_checkpoint.h"
#include "study/training_log.h"
#include "study/training_model.h"
#include "study/training_run.h"

/* Why learning paused. */
enum pause { PAUSE_NONE, PAUSE_CHECKPOINT, PAUSE_BUDGET, PAUSE_SIGNAL };

struct training_run {
    struct train_plan plan;
    char *directory, *recipe_path, *log_path, *checkpoint_path, *spare_path, *network_path;
    char *damage; /* why the run resumes from its spare checkpoint; NULL: it does not */
    int lock;     /* the open directory; -1 none */
    char *recipe_text;
    struct training_model model;
    struct workers *workers;
    struct training_log log;
    struct memory_block sent_checkpoint; /* rank 0's, while another rank of a cluster reads it */
    struct training_counters counters;
    uint64_t actions_at_open;
    /* This session. */
    const struct training_report *report;
    struct training_result *result;
    struct progress progress;
    double opened_at, deadline;                  /* by clock_seconds(); INFINITY: no budget */
    double learned_seconds;                      /* in this session */
    double saved_at, save_seconds, eval_seconds; /* the last save, how long it and the last measurement took */
    uint64_t saved_actions;
    enum pause pause;
    bool stopped;                       /* training_report.stop returned true */
    struct training_effort line_effort; /* at the last line of the log */
    struct trainer_totals recent[2];    /* for the mean score on the bar: of the plays since recent[0] */
};

#endif
