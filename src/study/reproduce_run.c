/* reproduce_run: trains, searches or solves the rows of a group, and fills its table. */
#include "study/reproduce_run.h"

#include "base/clock.h"
#include "base/cluster_loop.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/number_text.h"
#include "base/recipe.h"
#include "base/signals.h"
#include "base/workers.h"
#include "study/reproduce_measure.h"
#include "study/reproduce_run_parts.h"
#include "study/training_model.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Share of a time budget for learning; the rest is for measuring, which is not cut short. */
#define LEARNING_SHARE 0.75
#define PILOT_SECONDS  2.0

enum { CURVE_POINTS = 10, MIN_ACTIONS = 1000, SETTING_BYTES = 64, TEXT_BYTES = 512 };

static size_t row_of(const struct reproduce_job *job, size_t run)
{
    return run % job->group->n_rows;
}

static unsigned seed_of(const struct reproduce_job *job, size_t run)
{
    return (unsigned)(run / job->group->n_rows);
}

void reproduce_job_notify(const struct reproduce_job *job, bool warning, const char *text)
{
    const struct training_report *report = job->settings->report;
    if (report->notify)
        report->notify(report->context, warning, text);
}

__attribute__((format(printf, 2, 3))) static enum status set(struct recipe *recipe, const char *format, ...)
{
    char setting[SETTING_BYTES];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(setting, sizeof setting, format, arguments);
    va_end(arguments);
    return recipe_set(recipe, setting, "reproduce");
}

/* Games of a point of a learning curve: `wanted`, or fewer if the caller wants no more of a measurement. */
static uint64_t curve_games(const struct reproduce_job *job, uint64_t wanted)
{
    uint64_t n = job->settings->n_games;
    return n && n < wanted ? n : wanted;
}

/* A row's recipe, with `actions` (0: its own), seed and threads of a run put over it. */
static enum status open_recipe(const struct reproduce_job *job, const struct group_row *row, uint64_t actions,
                               unsigned seed, struct recipe **recipe, struct train_plan *plan)
{
    char *path = group_recipe_path(job->group, row);
    enum status status = path ? recipe_open(recipe, &train_settings, path) : STATUS_NO_MEMORY;
    if (status)
        goto done;
    for (size_t i = 0; i < job->settings->n_sets && !status; i++)
        status = recipe_set(*recipe, job->settings->sets[i], "--set");
    if (status)
        goto done;
    status = set(*recipe, "train.seed=%u", seed + 1);
    if (status)
        goto done;
    status = set(*recipe, "train.threads=%u", job->run_threads);
    if (status)
        goto done;
    if (actions) {
        status = set(*recipe, "train.actions=%" PRIu64, actions);
        uint64_t every = actions / CURVE_POINTS;
        if (!status)
            status = set(*recipe, "eval.every=%" PRIu64, every > 0 ? every : 1);
        if (!status)
            status = set(*recipe, "eval.games=%" PRIu64, curve_games(job, job->group->curve_games));
        if (!status)
            status = set(*recipe, "eval.games3=%" PRIu64, curve_games(job, job->group->curve_games3));
    }
    if (status)
        goto done;
    status = train_recipe_resolve(plan, *recipe);
done:
    if (status && path)
        status_context(status, "%s", path);
    free(path);
    return status;
}

/* Reads every recipe before hours are spent on the first; rows that do not fit in memory get a note. */
static enum status check_rows(struct reproduce_job *job)
{
    enum status status = STATUS_OK;
    size_t n_left = 0;
    for (size_t i = 0; i < job->group->n_rows && !status; i++) {
        struct recipe *recipe = NULL;
        struct train_plan plan;
        status = open_recipe(job, &job->group->rows[i], job->plan.actions, 0, &recipe, &plan);
        if (!status && train_plan_check_memory(&plan, memory_available_bytes()) != STATUS_OK) {
            char needs[NUMBER_TEXT_BYTES], there[NUMBER_TEXT_BYTES];
            snprintf(job->table->notes[i], REPRODUCE_NOTE_BYTES, "left out: needs %s of memory, %s are free",
                     number_text_bytes(needs, (double)(plan.network_bytes + plan.trainer_bytes)),
                     number_text_bytes(there, (double)memory_available_bytes()));
        } else {
            n_left++;
        }
        recipe_free(recipe);
    }
    if (!status && n_left == 0)
        status = status_fail(STATUS_NO_MEMORY, "%s: no row fits in memory", job->group->name);
    return status;
}

/* The first half of a pilot touches fresh memory and plays the shortest games; the second half counts. */
struct pilot {
    double half, end, counted_from;
    uint64_t actions_before;
};

static bool watch_pilot(void *context, const struct trainer_totals *totals)
{
    struct pilot *pilot = context;
    double now = clock_seconds();
    bool rare = now > pilot->end - PILOT_SECONDS / 4; /* called too late to leave anything to count */
    if (now >= pilot->half && pilot->counted_from < pilot->half && !rare) {
        pilot->counted_from = now;
        pilot->actions_before = totals->actions;
    }
    return now < pilot->end && !signals_interrupted();
}

/* Trains a row for PILOT_SECONDS: its actions a second, and the actions of its recipe. */
static enum status measure_speed(const struct reproduce_job *job, const struct group_row *row, double *speed,
                                 uint64_t *limit)
{
    struct recipe *recipe = NULL;
    struct train_plan plan;
    struct training_model model = {0};
    struct workers *workers = NULL;
    enum status status = open_recipe(job, row, 0, 0, &recipe, &plan);
    if (status)
        goto done;
    status = training_model_create(&model, &plan);
    if (status)
        goto done;
    status = workers_create(&workers, plan.trainer.threads);
    if (status)
        goto done;
    double start = clock_seconds();
    struct pilot pilot = {.half = start + PILOT_SECONDS / 2, .end = start + PILOT_SECONDS, .counted_from = start};
    uint64_t most = job->plan.actions && job->plan.actions < plan.actions ? job->plan.actions : plan.actions;
    status = training_model_run(&model, workers, most, watch_pilot, &pilot);
    *speed = (double)(training_model_totals(&model).actions - pilot.actions_before) /
             fmax(clock_seconds() - pilot.counted_from, 1e-3);
    *limit = plan.actions;
    if (status)
        goto done;
    if (signals_interrupted())
        status = status_fail(STATUS_INTERRUPTED, "stopped in the pilot; nothing was started");
done:
    workers_free(workers);
    training_model_free(&model);
    recipe_free(recipe);
    return status;
}

void reproduce_job_report_forecast(const struct reproduce_job *job, double seconds)
{
    char text[TEXT_BYTES];
    snprintf(text, sizeof text, "forecast: about %s for %s; Ctrl-C stops, the same command resumes",
             TEXT_OF_DURATION(seconds), job->group->name);
    reproduce_job_notify(job, false, text);
}

/*
 * Converts the time budget to actions: the same for all rows, never more than a recipe has. Where the actions were
 * given, the pilot is for the forecast.
 */
static enum status make_plan(struct reproduce_job *job)
{
    const struct group *group = job->group;
    size_t bytes = group->n_rows * TEXT_BYTES, used = 0;
    double seconds_per_action = 0;
    uint64_t limit = UINT64_MAX;
    job->pilot = memory_allocate(bytes, 1);
    enum status status = job->pilot ? STATUS_OK : STATUS_NO_MEMORY;
    reproduce_job_notify(job, false, "pilot: measuring how fast each row learns");
    for (size_t i = 0; i < group->n_rows && !status; i++) {
        double speed = 0;
        uint64_t row_limit = 0;
        if (job->table->notes[i][0])
            continue;
        status = measure_speed(job, &group->rows[i], &speed, &row_limit);
        if (status)
            break;
        limit = row_limit < limit ? row_limit : limit;
        seconds_per_action += job->plan.n_seeds / fmax(speed, 1);
        used += (size_t)snprintf(job->pilot + used, bytes - used, "pilot = %.0f a second: %s\n", speed,
                                 group->rows[i].slug);
    }
    unsigned n_beside = job->all_threads / job->run_threads;
    if (!status && !job->plan.actions) {
        double actions = LEARNING_SHARE * job->plan.budget_seconds * n_beside / seconds_per_action;
        job->plan.actions = actions < MIN_ACTIONS ? MIN_ACTIONS : actions > (double)limit ? limit : (uint64_t)actions;
    }
    if (status)
        return status;
    reproduce_job_report_forecast(job, (double)job->plan.actions * seconds_per_action / n_beside / LEARNING_SHARE);
    return reproduce_job_write_plan(job);
}

struct run_report {
    struct reproduce_job *job;
    const struct cluster_loop *loop;
    size_t run;
    unsigned worker;
};

/* Draws the bar of worker 0; `what` follows the name of its run. */
static void draw_progress(const struct run_report *run_report, const char *what)
{
    struct reproduce_job *job = run_report->job;
    if (run_report->worker != 0)
        return;
    uint64_t sum = 0;
    for (size_t i = 0; i < job->n_runs; i++)
        sum += atomic_load(&job->moved[i]);
    char note[128];
    snprintf(note, sizeof note, "%s, seed %u%s", job->group->rows[row_of(job, run_report->run)].label,
             seed_of(job, run_report->run) + 1, what);
    progress_update(&job->progress, (double)sum, note);
}

static void note_moved(void *context, uint64_t actions)
{
    const struct run_report *run_report = context;
    atomic_store(&run_report->job->moved[run_report->run], actions);
    draw_progress(run_report, "");
}

static void note_measuring(void *context, size_t n_finished)
{
    char what[48];
    snprintf(what, sizeof what, ", measuring, %zu games", n_finished);
    draw_progress(context, what);
}

static void notify_warning(void *context, bool warning, const char *text)
{
    const struct run_report *run_report = context;
    if (warning)
        reproduce_job_notify(run_report->job, true, text);
}

static bool is_stopped(void *context, uint64_t actions)
{
    const struct run_report *run_report = context;
    (void)actions;
    return cluster_loop_stopped(run_report->loop);
}

/* The file with the figures of a run. */
static char *measured_path(const struct reproduce_job *job, const struct group_row *row, unsigned seed)
{
    char *folder = reproduce_run_folder(job->settings->directory, row, seed);
    char *path = folder ? file_path(folder, "measured") : NULL;
    free(folder);
    return path;
}

enum status reproduce_job_save_run(const struct reproduce_job *job, size_t row, unsigned seed)
{
    if (!cluster_is_first(job->settings->cluster))
        return STATUS_OK;
    char *path = measured_path(job, &job->group->rows[row], seed);
    enum status status =
        path ? reproduce_run_save(reproduce_table_run(job->table, row, seed), job->group, &job->group->rows[row], path)
             : STATUS_NO_MEMORY;
    free(path);
    return status;
}

/* What a run has learned, as it is sent to rank 0. */
struct learned {
    uint64_t actions;
    double seconds;
};

static enum status train_run(struct run_report *run_report, struct learned *learned)
{
    const struct reproduce_job *job = run_report->job;
    size_t row = row_of(job, run_report->run);
    unsigned seed = seed_of(job, run_report->run);
    struct training_report report = {.mode = PROGRESS_QUIET,
                                     .notify = notify_warning,
                                     .moved = note_moved,
                                     .measuring = note_measuring,
                                     .stop = is_stopped,
                                     .context = run_report};
    struct training_result result = {0};
    struct training_run *training = NULL;
    struct recipe *recipe = NULL;
    struct train_plan plan;
    char *folder = reproduce_run_folder(job->settings->directory, &job->group->rows[row], seed);
    enum status status = folder ? STATUS_OK : STATUS_NO_MEMORY;
    if (status)
        goto done;
    status = open_recipe(job, &job->group->rows[row], job->plan.actions, seed, &recipe, &plan);
    if (status)
        goto done;
    status = training_run_open(&training, folder, recipe, &plan, NULL);
    if (status)
        goto done;
    status = training_run_train(training, 0, &report, &result);
    if (status)
        goto done;
    if (result.end != TRAINING_DONE)
        status = status_fail(STATUS_INTERRUPTED, "stopped; saved in %s", job->settings->directory);
done:
    *learned = (struct learned){result.totals.actions, result.seconds};
    training_run_free(training);
    recipe_free(recipe);
    free(folder);
    return status;
}

/* Trains runs until there are no more; one that is done already, or left out, has no result. */
static enum status train_runs(void *context, unsigned worker, struct cluster_loop *loop)
{
    struct reproduce_job *job = context;
    struct cluster_item item;
    enum status status = STATUS_OK;
    while (!status && cluster_loop_take(loop, &item)) {
        struct run_report run_report = {job, loop, job->first_run + (size_t)item.number, worker};
        struct learned learned = {0};
        size_t row = row_of(job, run_report.run);
        bool due =
            !job->table->notes[row][0] && !reproduce_table_run(job->table, row, seed_of(job, run_report.run))->actions;
        if (due)
            status = train_run(&run_report, &learned);
        if (!status)
            status = cluster_loop_give(loop, &item, &learned, due ? sizeof learned : 0);
    }
    return status;
}

/* Rank 0 writes down what a run has learned. */
static enum status collect_run(void *context, uint64_t item, const void *bytes, size_t n_bytes)
{
    struct reproduce_job *job = context;
    size_t run = job->first_run + (size_t)item;
    struct reproduce_run *figures = reproduce_table_run(job->table, row_of(job, run), seed_of(job, run));
    struct learned learned;
    if (n_bytes != sizeof learned)
        return STATUS_OK;
    memcpy(&learned, bytes, sizeof learned);
    figures->actions = learned.actions;
    figures->seconds = learned.seconds;
    atomic_store(&job->moved[run], job->plan.actions);
    return reproduce_job_save_run(job, row_of(job, run), seed_of(job, run));
}

/* The network of a finished run: the best of those that it kept, or else its last one. NULL: no memory. Collective. */
static char *network_of(const struct cluster *cluster, const char *folder)
{
    char *best = file_path(folder, "best.net");
    bool there = best && access(best, F_OK) == 0;
    cluster_broadcast(cluster, &there, sizeof there);
    if (there)
        return best;
    free(best);
    return file_path(folder, "network.net");
}

/* Takes the measures of one run that are not taken yet. Collective. */
static enum status measure_run(struct reproduce_job *job, size_t row, unsigned seed)
{
    const struct group *group = job->group;
    const struct cluster *cluster = job->settings->cluster;
    struct reproduce_run *run = reproduce_table_run(job->table, row, seed);
    if (!run->actions)
        return STATUS_OK;
    char *folder = reproduce_run_folder(job->settings->directory, &group->rows[row], seed);
    enum status status = cluster_agree(cluster, folder ? STATUS_OK : STATUS_NO_MEMORY);
    char *network = status ? NULL : network_of(cluster, folder);
    struct evaluator_choice choice = {0};
    if (!status)
        status = cluster_agree(cluster, network ? STATUS_OK : STATUS_NO_MEMORY);
    for (size_t i = 0; i < group->n_measures && !status; i++) {
        if (run->cells[i].done)
            continue;
        if (!choice.evaluator.grid) /* once for all measures */
            status = reproduce_network_open(&choice, network, cluster, job->settings->report);
        if (status)
            break;
        struct reproduce_measurement what = {.measure = &group->measures[i],
                                             .choice = &choice,
                                             .folder = folder,
                                             .label = group->rows[row].label,
                                             .directory = job->settings->directory,
                                             .table = job->settings->table,
                                             .n_games = job->settings->n_games,
                                             .n_threads = job->settings->n_threads,
                                             .report = job->settings->report,
                                             .cluster = cluster};
        status = reproduce_measure(&what, &run->cells[i], NULL);
        if (!status)
            status = cluster_follow(cluster, reproduce_job_save_run(job, row, seed));
    }
    evaluator_choice_close(&choice);
    free(network);
    free(folder);
    return status;
}

/* Runs are written where they learn. */
static enum status check_shared(const struct reproduce_job *job)
{
    return access(job->plan_path, R_OK) == 0
               ? STATUS_OK
               : status_fail_errno(STATUS_IO, "cannot read %s; all ranks must share the directory", job->plan_path);
}

/*
 * Trains and measures all runs: one after the other, or those of a seed in parallel and then measured, or on a cluster
 * all of them.
 */
static enum status learn_all(struct reproduce_job *job)
{
    const struct cluster *cluster = job->settings->cluster;
    struct workers *workers = NULL;
    job->n_runs = job->group->n_rows * job->plan.n_seeds;
    job->moved = memory_allocate(job->n_runs, sizeof *job->moved);
    enum status status = job->moved ? check_shared(job) : STATUS_NO_MEMORY;
    if (!status)
        status = workers_create(&workers, job->settings->n_threads / job->run_threads);
    status = cluster_agree(cluster, status);
    size_t n_together = cluster_size(cluster) > 1 ? job->n_runs : job->group->side_by_side ? job->group->n_rows : 1;
    double done = 0, total = 0;
    for (size_t run = 0; run < job->n_runs && !status; run++) {
        if (job->table->notes[row_of(job, run)][0])
            continue;
        uint64_t actions = reproduce_table_run(job->table, row_of(job, run), seed_of(job, run))->actions;
        atomic_store(&job->moved[run], actions ? job->plan.actions : 0);
        done += actions ? (double)job->plan.actions : 0;
        total += (double)job->plan.actions;
    }
    progress_begin(&job->progress, job->settings->report->stream, job->settings->report->mode, job->group->name,
                   "moves", total);
    progress_resume(&job->progress, done);
    for (job->first_run = 0; job->first_run < job->n_runs && !status; job->first_run += n_together) {
        const struct cluster_work work = {
            .n_items = n_together, .job = train_runs, .collect = collect_run, .context = job};
        status = reproduce_job_share(job, cluster_loop_run(cluster, workers, &work));
        for (size_t i = job->first_run; i < job->first_run + n_together && !status; i++)
            status = measure_run(job, row_of(job, i), seed_of(job, i));
    }
    workers_free(workers);
    progress_end(&job->progress, NULL);
    free((void *)job->moved);
    return status;
}

static enum status run_training_group(struct reproduce_job *job)
{
    enum status status = STATUS_OK;
    if (cluster_is_first(job->settings->cluster)) {
        status = check_rows(job);
        if (!status && job->planned)
            status = reproduce_job_write_plan(job); /* there may be more seeds now */
        else if (!status)
            status = make_plan(job);
    }
    status = reproduce_job_share(job, status);
    return status ? status : learn_all(job);
}

enum status reproduce_job_share(struct reproduce_job *job, enum status status)
{
    const struct cluster *cluster = job->settings->cluster;
    const struct reproduce_table *table = job->table;
    status = cluster_follow(cluster, status);
    if (status)
        return status;
    cluster_broadcast(cluster, &job->plan, sizeof job->plan);
    cluster_broadcast(cluster, &job->has_games, sizeof job->has_games);
    cluster_broadcast(cluster, job->n_games, sizeof job->n_games);
    cluster_broadcast(cluster, table->runs, job->group->n_rows * table->n_seeds * sizeof *table->runs);
    cluster_broadcast(cluster, table->notes, job->group->n_rows * sizeof *table->notes);
    return STATUS_OK;
}

/* Fills the table with the results of earlier calls. */
static enum status load_runs(struct reproduce_job *job)
{
    enum status status = STATUS_OK;
    for (size_t row = 0; row < job->group->n_rows; row++)
        for (unsigned seed = 0; seed < job->plan.n_seeds && !status; seed++) {
            char *path = measured_path(job, &job->group->rows[row], seed);
            status = path ? reproduce_run_load(reproduce_table_run(job->table, row, seed), job->group,
                                               &job->group->rows[row], path)
                          : STATUS_NO_MEMORY;
            free(path);
        }
    return status;
}

/* Rank 0 makes and locks the directory, and reads the plan that is there. */
static enum status open_directory(struct reproduce_job *job, int *lock)
{
    const char *directory = job->settings->directory;
    if (!cluster_is_first(job->settings->cluster))
        return STATUS_OK;
    enum status status = file_make_directory(directory);
    if (!status)
        status = file_lock_directory(directory, "at work", lock);
    return status ? status : reproduce_job_read_plan(job);
}

enum status reproduce_run_group(struct reproduce_table *table, struct reproduce_plan *plan, const struct group *group,
                                const struct reproduce_settings *settings)
{
    struct reproduce_settings resolved = *settings;
    const struct cluster *cluster = settings->cluster;
    if (resolved.n_threads == 0)
        resolved.n_threads = workers_available();
    struct reproduce_job job = {.group = group, .settings = &resolved, .table = table};
    job.run_threads = group->side_by_side ? 1 : resolved.n_threads;
    job.all_threads = resolved.n_threads * cluster_size(cluster);
    job.plan = (struct reproduce_plan){
        .actions = settings->actions,
        .n_seeds = settings->n_seeds ? settings->n_seeds : group->n_seeds,
        .budget_seconds = settings->budget_seconds > 0 ? settings->budget_seconds : settings->default_budget_seconds};
    int lock = -1;
    *table = (struct reproduce_table){0};
    job.plan_path = file_path(settings->directory, "plan.ini");
    enum status status = cluster_agree(cluster, job.plan_path ? open_directory(&job, &lock) : STATUS_NO_MEMORY);
    if (status)
        goto done;
    /* the plan's seeds determine the size of the table; more may join */
    cluster_broadcast(cluster, &job.plan.n_seeds, sizeof job.plan.n_seeds);
    job.plan.n_seeds = settings->n_seeds > job.plan.n_seeds ? settings->n_seeds : job.plan.n_seeds;
    status = cluster_agree(cluster, reproduce_table_create(table, group, job.plan.n_seeds));
    if (status)
        goto done;
    status = reproduce_job_share(&job, cluster_is_first(cluster) ? load_runs(&job) : STATUS_OK);
    if (status)
        goto done;
    status = group->kind == GROUP_TRAIN ? run_training_group(&job) : reproduce_job_run_others(&job);
done:
    *plan = job.plan;
    free(job.pilot);
    free(job.plan_path);
    file_unlock_directory(lock);
    return status;
}

enum status reproduce_run_write(const struct reproduce_table *table, const char *directory)
{
    char *path = file_path(directory, "table.csv");
    enum status status = path ? reproduce_table_write_csv(table, path) : STATUS_NO_MEMORY;
    if (!status && table->group->kind == GROUP_TRAIN)
        status = reproduce_table_draw(table, directory);
    free(path);
    return status;
}
