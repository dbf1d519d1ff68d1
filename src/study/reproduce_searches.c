/*
 * Groups that learn nothing: searches with one network, within a budget, and solved boards.
 */
#include "study/reproduce_run_parts.h"

#include "base/clock.h"
#include "base/file.h"
#include "study/reproduce_forecast.h"
#include "study/reproduce_measure.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The games to play for a row of a search: the number in the settings, or the group's. */
static uint64_t games_wanted(const struct reproduce_job *job, size_t row)
{
    return job->settings->n_games ? job->settings->n_games : job->group->rows[row].search.n_games;
}

static uint64_t games_of(const struct reproduce_job *job, size_t row)
{
    return job->has_games ? job->n_games[row] : games_wanted(job, row);
}

static enum status run_other_row(struct reproduce_job *job, size_t row, const struct evaluator_choice *choice)
{
    const struct group *group = job->group;
    const struct group_row *about = &group->rows[row];
    struct reproduce_run *run = reproduce_table_run(job->table, row, 0);
    char *folder = reproduce_run_folder(job->settings->directory, about, 0);
    enum status status = folder ? STATUS_OK : STATUS_NO_MEMORY;
    if (!status && cluster_is_first(job->settings->cluster))
        status = file_make_directory(folder);
    status = cluster_agree(job->settings->cluster, status);
    if (!status && group->kind == GROUP_SEARCH && !run->cells[0].done) {
        struct reproduce_measurement what = {.measure = &about->search,
                                             .choice = choice,
                                             .folder = folder,
                                             .label = about->label,
                                             .directory = job->settings->directory,
                                             .n_games = games_of(job, row),
                                             .n_threads = job->settings->n_threads,
                                             .report = job->settings->report,
                                             .cluster = job->settings->cluster};
        status = reproduce_measure(&what, &run->cells[0], &run->seconds);
    } else if (!status && group->kind == GROUP_SOLVE && !run->cells[0].done) {
        status = reproduce_solve(group, about, folder, job->settings->n_threads, job->settings->cluster,
                                 job->settings->report, run);
    }
    if (!status)
        status = reproduce_job_save_run(job, row, 0);
    free(folder);
    return cluster_follow(job->settings->cluster, status);
}

/* Reports how long the games of a search will take, and starts the clock of a budget. */
static enum status forecast_searches(struct reproduce_job *job, const struct evaluator_choice *choice)
{
    double all = 0, budget = job->settings->budget_seconds, start = clock_seconds();
    reproduce_job_notify(job, false, "pilot: measuring how long each row takes");
    enum status status = reproduce_pilot(job->group, choice, job->game_seconds);
    if (status)
        return status;
    for (size_t row = 0; row < job->group->n_rows; row++)
        if (!reproduce_table_run(job->table, row, 0)->cells[0].done)
            all += reproduce_forecast(games_wanted(job, row), job->game_seconds[row], job->all_threads);
    reproduce_job_report_forecast(job, budget > 0 && budget < all ? budget : all);
    job->has_games = budget > 0;
    job->deadline = budget > 0 ? start + budget : 0;
    return STATUS_OK;
}

/*
 * Shares what is left of the budget among the rows from `first` on. The pilot's times are multiplied by what the rows
 * before took of theirs: other work on the machine, longer games.
 */
static void share_budget(struct reproduce_job *job, size_t first)
{
    size_t n_rows = job->group->n_rows - first;
    double seconds[GROUP_MAX_ROWS], slow = job->forecast_seconds > 1 ? job->spent_seconds / job->forecast_seconds : 1;
    for (size_t i = 0; i < n_rows; i++) {
        seconds[i] = slow * job->game_seconds[first + i];
        job->n_games[first + i] = games_wanted(job, first + i);
    }
    reproduce_share_budget(seconds, n_rows, job->all_threads, fmax(job->deadline - clock_seconds(), 0),
                           job->n_games + first);
}

/* Plays a row of a search by the budget. */
static enum status run_search_row(struct reproduce_job *job, size_t row, const struct evaluator_choice *choice)
{
    double start = clock_seconds();
    enum status status = STATUS_OK;
    if (job->deadline > 0 && cluster_is_first(job->settings->cluster)) {
        share_budget(job, row);
        status = reproduce_job_write_plan(job);
    }
    status = reproduce_job_share(job, status);
    if (status)
        goto done;
    if (job->n_games[row] == 0) {
        strcpy(job->table->notes[row], "left out: not one of its games fits into its share of the budget");
        return STATUS_OK;
    }
    status = run_other_row(job, row, choice);
done:
    job->spent_seconds += clock_seconds() - start;
    job->forecast_seconds += reproduce_forecast(job->n_games[row], job->game_seconds[row], job->all_threads);
    return status;
}

enum status reproduce_job_run_others(struct reproduce_job *job)
{
    struct evaluator_choice choice = {0};
    bool search = job->group->kind == GROUP_SEARCH, left = false;
    enum status status = STATUS_OK;
    for (size_t row = 0; row < job->group->n_rows; row++)
        left = left || !reproduce_table_run(job->table, row, 0)->cells[0].done;
    if (search && left) /* once for all rows */
        status = reproduce_network_open(&choice, job->settings->net, job->settings->cluster, job->settings->report);
    if (!status && search && left && !job->has_games && cluster_is_first(job->settings->cluster))
        status = forecast_searches(job, &choice);
    if (!status)
        status = reproduce_job_write_plan(job);
    status = reproduce_job_share(job, status);
    for (size_t row = 0; row < job->group->n_rows && !status; row++) {
        bool done = reproduce_table_run(job->table, row, 0)->cells[0].done;
        status =
            search && job->has_games && !done ? run_search_row(job, row, &choice) : run_other_row(job, row, &choice);
    }
    evaluator_choice_close(&choice);
    return status;
}
