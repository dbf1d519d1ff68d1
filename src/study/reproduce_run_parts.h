/* reproduce_run_parts: what the files of reproduce_run share. */
#ifndef AFTERSTATE_STUDY_REPRODUCE_RUN_PARTS_H
#define AFTERSTATE_STUDY_REPRODUCE_RUN_PARTS_H

#include "study/reproduce_run.h"

#include <stdatomic.h>

/* A group at work. */
struct reproduce_job {
    const struct group *group;
    const struct reproduce_settings *settings;
    struct reproduce_table *table;
    struct reproduce_plan plan;
    unsigned run_threads; /* of one run */
    unsigned all_threads; /* of all ranks */
    char *plan_path;
    bool planned; /* the directory has a plan */
    char *pilot;  /* the plan's lines about the pilot; NULL: none */
    /* Searches: the games of each row, by the budget, and what this session's pilot found; deadline 0: it had none. */
    bool has_games;
    uint64_t n_games[GROUP_MAX_ROWS];
    double game_seconds[GROUP_MAX_ROWS], deadline, forecast_seconds, spent_seconds; /* of the rows played so far */
    /* Progress over all runs: worker 0 of the pool draws, all add. */
    struct progress progress;
    _Atomic uint64_t *moved; /* actions of each run */
    size_t n_runs;           /* all rows with the first seed, then all with the second, .. */
    size_t first_run;        /* of those that are handed out now */
};

/* To the caller's report. */
void reproduce_job_notify(const struct reproduce_job *job, bool warning, const char *text);

/* Says how long the group will take, before hours are spent. */
void reproduce_job_report_forecast(const struct reproduce_job *job, double seconds);

/* Copies plan and table of rank 0 to every rank, unless its status is a failure; returns that status. Collective. */
enum status reproduce_job_share(struct reproduce_job *job, enum status status);

/* Reads plan.ini if it is there, and checks that the settings keep to it (reproduce_plan.c). */
enum status reproduce_job_read_plan(struct reproduce_job *job);

/* Files are written by rank 0; these two do nothing on others. */
enum status reproduce_job_write_plan(const struct reproduce_job *job);
enum status reproduce_job_save_run(const struct reproduce_job *job, size_t row, unsigned seed);

/* Runs what is not done yet of a group that learns nothing (reproduce_searches.c). */
enum status reproduce_job_run_others(struct reproduce_job *job);

#endif
