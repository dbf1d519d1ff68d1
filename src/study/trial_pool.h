/*
 * trial_pool: many trials side by side, one thread each, until all are done, the time is over or a signal stops them.
 *
 * Threads share nothing but the list and the report, so n threads do nearly n times the work of one: what they still
 * share is the memory's bandwidth. A thread takes the next trial as soon as it is free.
 *
 * On a cluster rank 0 alone has the list and the files; the other ranks serve (trial_pool_serve()) whatever pools rank
 * 0 runs, until they are dismissed. They keep checkpoints where they see the directory of the job.
 */
#ifndef AFTERSTATE_STUDY_TRIAL_POOL_H
#define AFTERSTATE_STUDY_TRIAL_POOL_H

#include "base/cluster.h"
#include "base/status.h"
#include "study/training_run.h"
#include "study/trial.h"

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>

struct trial_pool {
    uint64_t n_trials;
    double total_games;   /* of all trials, for the progress; 0 unknown */
    const char *title;    /* of the progress */
    unsigned n_threads;   /* 0: all cores */
    double trial_seconds; /* a trial ends after this time, whatever its games; 0: no limit */
    /*
     * Fills *trial and the path of its checkpoint, which stays "" where none is wanted. Called by any of the threads,
     * one at a time, and never while finish() is.
     */
    enum status (*prepare)(void *context, uint64_t i, struct trial *trial, char checkpoint[PATH_MAX]);
    /* A trial is done. Called by any of the threads, one at a time. */
    enum status (*finish)(void *context, uint64_t i, const struct trial_result *result);
    void *context;
    const struct training_report *report;
    double keep_seconds;           /* as in struct trial_care; 10 is a good number */
    const struct cluster *cluster; /* whose other ranks serve; NULL: this process alone */
};

struct trial_pool_totals {
    bool interrupted;    /* by a signal; unfinished trials were saved if they were worth it */
    uint64_t n_finished; /* in this sitting */
    uint64_t actions;    /* of finished ones, earlier sittings included */
    double busy_seconds; /* that the finished ones took */
    double seconds;      /* of this sitting */
    unsigned n_threads;  /* of all ranks */
};

/*
 * Runs them. STATUS_NO_MEMORY, with what would fit, before anything starts where as many networks as threads are too
 * much (all trials are as large as trial 0). The first failure of a trial or a callback ends it.
 */
enum status trial_pool_run(const struct trial_pool *pool, struct trial_pool_totals *totals);

/*
 * For all ranks but 0: works for the pools that rank 0 runs, on n_threads threads (0: all cores), until it calls
 * trial_pool_dismiss(). Returns the status that was passed there.
 */
enum status trial_pool_serve(const struct cluster *cluster, unsigned n_threads);

/* For rank 0, once, when its job has ended with this status, which it returns. Does nothing for a process alone. */
enum status trial_pool_dismiss(const struct cluster *cluster, enum status status);

#endif
