/* training_run: a run directory, from the first action to the network. */
#include "study/training_run_parts.h"

#include "base/clock.h"
#include "base/file.h"
#include "base/number_text.h"
#include "base/signals.h"
#include "study/evaluation.h"
#include "study/log_table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { NOTE_BYTES = 160, LINE_BYTES = 1024, RECENT_PLAYS = 200 };

/* Assumed bytes per second of the first save; later ones are measured. */
#define FIRST_SAVE_RATE 4e8

static void notify(const struct training_run *run, bool warning, const char *text)
{
    if (run->report->notify)
        run->report->notify(run->report->context, warning, text);
}

static enum status save_checkpoint(struct training_run *run)
{
    double start = clock_seconds();
    run->saved_at = start; /* of every rank: the next try is an interval later, also after a failure */
    if (!cluster_is_first(run->plan.cluster))
        return STATUS_OK;
    if (run->plan.spare && !run->damage)
        training_checkpoint_keep(run->checkpoint_path, run->spare_path);
    enum status status =
        training_checkpoint_save(run->checkpoint_path, &run->counters, run->recipe_text, run->log.text, &run->model);
    run->save_seconds = clock_seconds() - start;
    if (!status) {
        run->saved_actions = run->counters.actions;
        free(run->damage); /* the damaged one is replaced */
        run->damage = NULL;
    }
    return status;
}

static void report_damage(const struct training_run *run)
{
    char text[LINE_BYTES];
    snprintf(text, sizeof text, "warning: %s; resumed from the checkpoint before it, at %s actions", run->damage,
             TEXT_OF_COUNT(run->counters.actions));
    notify(run, true, text);
}

/* A failure is not the end: a full disk may have room at the next checkpoint, and the work is still in memory. */
static void save_or_warn(struct training_run *run)
{
    char text[LINE_BYTES], interval[NUMBER_TEXT_BYTES];
    if (save_checkpoint(run) == STATUS_OK)
        return;
    number_text_duration(interval, run->plan.checkpoint_seconds);
    snprintf(text, sizeof text, "warning: no checkpoint written: %s; training continues, next try in %s",
             status_message(), interval);
    notify(run, true, text);
}

/* Writes the network as it is measured: if the recipe keeps an average, that of the averages. */
static enum status save_network(struct training_run *run, const char *path)
{
    const struct training_counters *counters = &run->counters;
    char measured[NOTE_BYTES], program[] = AFTERSTATE_VERSION;
    snprintf(measured, sizeof measured, "%u-ply, %s games, seed %llu, after %s actions", (unsigned)counters->eval_depth,
             TEXT_OF_COUNT(counters->eval_games), (unsigned long long)run->plan.evaluation.seed,
             TEXT_OF_COUNT(counters->evaluated_at));
    struct network_history history = {
        .program = program,
        .recipe = run->recipe_text,
        .measured = counters->eval_games ? measured : NULL,
        .actions = counters->actions,
        .plays = training_model_totals(&run->model).plays,
        .seed = run->plan.trainer.seed,
        .score = counters->eval_mean,
        .score_ci95 = counters->eval_ci95,
    };
    training_model_exchange_average(&run->model);
    enum status status = training_model_write(&run->model, path, &history);
    training_model_exchange_average(&run->model);
    return status;
}

/* The last save of a session: checkpoint, log and network. Tries all of them, and returns the first failure. */
static enum status save_all(struct training_run *run)
{
    char first[LINE_BYTES] = "";
    if (!cluster_is_first(run->plan.cluster))
        return STATUS_OK;
    enum status status = save_checkpoint(run);
    snprintf(first, sizeof first, "%s", status ? status_message() : "");
    enum status log_status = training_log_write(&run->log, run->log_path);
    enum status network_status = save_network(run, run->network_path);
    if (status)
        return status_fail(status, "%s", first);
    return log_status ? log_status : network_status;
}

/* A long run is measured a few times before its first regular measurement, so that there is a curve to look at. */
static const uint64_t early_evaluations[] = {1000000, 3000000, 10000000};

/* The actions at which the next measurement is due. */
static uint64_t next_evaluation(const struct training_run *run)
{
    uint64_t every = run->plan.evaluation.every, last = run->counters.evaluated_at, end = run->plan.actions, next = end;
    if (every != 0 && last / every < end / every)
        next = (last / every + 1) * every;
    for (size_t i = 0; i < sizeof early_evaluations / sizeof *early_evaluations; i++)
        if (early_evaluations[i] > last && early_evaluations[i] < every && early_evaluations[i] < next)
            return early_evaluations[i];
    return next;
}

/* Whether the budget is used up but for saving: the time of a checkpoint, and half of it for the network. */
static bool budget_is_used(const struct training_run *run)
{
    return clock_seconds() + 1.5 * run->save_seconds >= run->deadline;
}

/* Whether a signal or the caller asks to stop; once true, it stays true for this session. */
static bool stop_requested(struct training_run *run)
{
    if (!run->stopped && run->report->stop)
        run->stopped = run->report->stop(run->report->context, run->counters.actions);
    return run->stopped || signals_interrupted();
}

static bool watch_evaluation(void *context, size_t n_finished)
{
    struct training_run *run = context;
    char note[NOTE_BYTES];
    snprintf(note, sizeof note, "measuring, %s games", TEXT_OF_COUNT(n_finished));
    progress_wait(&run->progress, note);
    if (run->report->measuring)
        run->report->measuring(run->report->context, n_finished);
    return !budget_is_used(run) && !stop_requested(run);
}

static enum status play_evaluations(struct training_run *run, struct training_log_row *row)
{
    const struct evaluation_settings *settings = &run->plan.evaluation;
    struct evaluation evaluation = {.grid = run->model.grid,
                                    .function = run->model.function,
                                    .depth = settings->depth,
                                    .n_games = settings->n_games,
                                    .seed = settings->seed,
                                    .watch = watch_evaluation,
                                    .context = run,
                                    .cluster = run->plan.cluster};
    enum status status = evaluation_play(&evaluation, run->workers, &row->eval);
    bool early = run->counters.actions < settings->every && run->counters.actions < run->plan.actions;
    if (status || early) /* games at 3 plies take as long as millions of actions */
        return status;
    evaluation.depth = 3;
    evaluation.n_games = settings->n_games3;
    return evaluation_play(&evaluation, run->workers, &row->eval3);
}

static void report_row(const struct training_run *run, const struct training_log_row *row)
{
    char text[LINE_BYTES], loss[NOTE_BYTES] = "", eval[NOTE_BYTES] = "", eval3[NOTE_BYTES] = "", actions[32];
    number_text_short(actions, (double)row->actions);
    if (row->eval.n_games)
        snprintf(eval, sizeof eval, ", %u-ply mean %s +- %s", run->plan.evaluation.depth,
                 TEXT_OF_REAL(row->eval.mean, 0), TEXT_OF_REAL(row->eval.ci95, 0));
    if (row->eval3.n_games)
        snprintf(eval3, sizeof eval3, ", 3-ply mean %s +- %s", TEXT_OF_REAL(row->eval3.mean, 0),
                 TEXT_OF_REAL(row->eval3.ci95, 0));
    if (isfinite(row->batches.loss) && run->plan.is_neural)
        snprintf(loss, sizeof loss, ", loss %s", TEXT_OF_REAL(row->batches.loss, 0));
    snprintf(text, sizeof text, "%s actions: training mean %s%s%s%s", actions,
             TEXT_OF_REAL(isfinite(row->training_mean) ? row->training_mean : 0, 0), loss, eval, eval3);
    notify(run, false, text);
}

/* How learning from batches went since the last line of the log. */
static struct training_batches batches_since_line(const struct training_run *run, const struct training_effort *now)
{
    double evaluate = now->evaluate_seconds - run->line_effort.evaluate_seconds;
    double learn = now->learn_seconds - run->line_effort.learn_seconds;
    return (struct training_batches){.loss = now->loss,
                                     .loss_trend = now->loss / now->loss_before - 1,
                                     .gradient_norm = now->gradient_norm,
                                     .evaluating = evaluate / (evaluate + learn),
                                     .learning = learn / (evaluate + learn)};
}

/* Whether the network of a line of the log is kept: the first one at or after a multiple of train.keep. */
static bool is_kept(const struct training_run *run, double actions, double actions_before)
{
    double keep = (double)run->plan.keep;
    return run->plan.keep && floor(actions / keep) > floor(actions_before / keep);
}

/* The highest mean of the kept networks but the last; -INFINITY: there is none. */
static double best_before(const struct training_run *run, const char *column_name)
{
    struct log_table table = {0};
    double best = -INFINITY;
    char *text = memory_copy_text(run->log.text);
    if (!text || log_table_parse(&table, text, run->log_path))
        return best;
    const double *means = log_table_column(&table, column_name), *actions = log_table_column(&table, "actions");
    double measured = 0; /* lines of stops have no mean */
    for (size_t i = 0; means && actions && i + 1 < table.n_rows; i++) {
        if (!isfinite(means[i]))
            continue;
        if (is_kept(run, actions[i], measured))
            best = means[i] > best ? means[i] : best;
        measured = actions[i];
    }
    log_table_free(&table);
    return best;
}

/* Keeps the network that was just measured, if that is due, also as the best one if it is. */
static void keep_network(struct training_run *run, const struct training_log_row *row, uint64_t measured_before)
{
    char name[64], text[LINE_BYTES];
    if (!is_kept(run, (double)row->actions, (double)measured_before) || !cluster_is_first(run->plan.cluster))
        return;
    bool deep = row->eval.n_games == 0;
    double mean = deep ? row->eval3.mean : row->eval.mean;
    snprintf(name, sizeof name, "kept-%llu.net", (unsigned long long)row->actions);
    char *path = file_path(run->directory, name), *best = file_path(run->directory, "best.net");
    enum status status = path && best ? save_network(run, path) : STATUS_NO_MEMORY;
    bool is_best = !status && (row->eval.n_games || row->eval3.n_games) &&
                   (mean > best_before(run, deep ? "eval3_mean" : "eval_mean") || access(best, F_OK) != 0);
    if (is_best)
        status = save_network(run, best);
    if (status) {
        snprintf(text, sizeof text, "warning: %s not kept: %s", name, status_message());
        notify(run, true, text);
    }
    free(path);
    free(best);
}

/* The line of the log for this moment, without a measurement: what learning did since the last one. */
static struct training_log_row make_row(const struct training_run *run, const struct trainer_totals *totals)
{
    const struct training_counters *counters = &run->counters;
    double seconds = counters->seconds - counters->line_seconds;
    uint64_t plays = totals->new_plays - counters->line_new_plays;
    return (struct training_log_row){
        .actions = totals->actions,
        .games = totals->plays,
        .seconds = counters->seconds,
        .moves_per_second = seconds > 0 ? (double)(totals->actions - counters->evaluated_at) / seconds : NAN,
        .training_mean = plays > 0 ? (totals->score_sum - counters->line_score_sum) / (double)plays : NAN,
        .touched = NAN,
        .batches = {NAN, NAN, NAN, NAN, NAN},
    };
}

static void write_log_or_warn(struct training_run *run)
{
    char text[LINE_BYTES];
    if (!cluster_is_first(run->plan.cluster) || training_log_write(&run->log, run->log_path) == STATUS_OK)
        return;
    snprintf(text, sizeof text, "warning: log.csv not written: %s; the next line tries again", status_message());
    notify(run, true, text);
}

/*
 * A run that is stopped adds a line too, so that one stopped before its first measurement can be plotted. The counters
 * stay, so measured lines are the same however often a run is stopped.
 */
static enum status log_stop(struct training_run *run)
{
    struct trainer_totals totals = training_model_totals(&run->model);
    struct training_log_row row = make_row(run, &totals);
    if (row.actions <= training_log_last_actions(&run->log))
        return STATUS_OK;
    return training_log_add(&run->log, &row);
}

/* Measures and adds a line to the log. STATUS_INTERRUPTED: discarded, and due again when the run resumes. */
static enum status evaluate(struct training_run *run)
{
    struct training_counters *counters = &run->counters;
    double start = clock_seconds(), since_save = start - run->saved_at;
    struct trainer_totals totals = training_model_totals(&run->model);
    /* A measurement may take longer than a checkpoint interval, so the work before it is saved first. */
    if (since_save + run->eval_seconds >= run->plan.checkpoint_seconds && run->saved_actions != counters->actions)
        save_or_warn(run);
    struct training_log_row row = make_row(run, &totals);
    training_model_exchange_average(&run->model);
    enum status status = play_evaluations(run, &row);
    row.touched = training_model_touched(&run->model);
    training_model_exchange_average(&run->model);
    if (status)
        return status;
    struct training_effort effort = training_model_effort(&run->model);
    row.batches = batches_since_line(run, &effort);
    status = training_log_add(&run->log, &row);
    if (status)
        return status;
    run->line_effort = effort;
    training_model_begin_line(&run->model);
    uint64_t measured_before = counters->evaluated_at;
    counters->evaluated_at = totals.actions;
    counters->line_seconds = counters->seconds;
    counters->line_score_sum = totals.score_sum;
    counters->line_new_plays = totals.new_plays;
    counters->eval_depth = run->plan.evaluation.depth;
    counters->eval_games = row.eval.n_games;
    counters->eval_mean = row.eval.mean;
    counters->eval_ci95 = row.eval.ci95;
    run->result->eval = row.eval;
    run->result->eval3 = row.eval3;
    keep_network(run, &row, measured_before);
    run->eval_seconds = clock_seconds() - start;
    report_row(run, &row);
    write_log_or_warn(run);
    return STATUS_OK;
}

/* The mean score of the last few hundred new games, for the progress bar. */
static double recent_mean(struct training_run *run, const struct trainer_totals *totals)
{
    if (totals->new_plays - run->recent[1].new_plays >= RECENT_PLAYS) {
        run->recent[0] = run->recent[1];
        run->recent[1] = *totals;
    }
    uint64_t plays = totals->new_plays - run->recent[0].new_plays;
    return plays ? (totals->score_sum - run->recent[0].score_sum) / (double)plays : 0;
}

static bool watch_training(void *context, const struct trainer_totals *totals)
{
    struct training_run *run = context;
    char note[NOTE_BYTES];
    int used = snprintf(note, sizeof note, "mean score %s", TEXT_OF_REAL(recent_mean(run, totals), 0));
    if (run->plan.is_neural) {
        double loss = training_model_effort(&run->model).loss;
        if (isfinite(loss))
            snprintf(note + used, sizeof note - (size_t)used, ", loss %s", TEXT_OF_REAL(loss, 0));
    }
    progress_update(&run->progress, (double)totals->actions, note);
    if (run->report->moved)
        run->report->moved(run->report->context, totals->actions);
    run->counters.actions = totals->actions;
    if (stop_requested(run))
        run->pause = PAUSE_SIGNAL;
    else if (budget_is_used(run))
        run->pause = PAUSE_BUDGET;
    else if (clock_seconds() - run->saved_at >= run->plan.checkpoint_seconds)
        run->pause = PAUSE_CHECKPOINT;
    return run->pause == PAUSE_NONE;
}

/* The most urgent reason of any rank to pause. */
static enum pause agree_pause(const struct training_run *run)
{
    enum pause agreed = PAUSE_NONE;
    for (enum pause reason = PAUSE_CHECKPOINT; reason <= PAUSE_SIGNAL; reason++)
        agreed = cluster_any(run->plan.cluster, run->pause == reason) ? reason : agreed;
    return agreed;
}

static enum status learn(struct training_run *run, uint64_t until)
{
    double start = clock_seconds();
    enum status status = training_model_run(&run->model, run->workers, until, watch_training, run);
    double seconds = clock_seconds() - start;
    run->learned_seconds += seconds;
    run->counters.seconds += seconds;
    run->counters.actions = training_model_totals(&run->model).actions;
    run->pause = agree_pause(run);
    return status;
}

static enum status train(struct training_run *run)
{
    for (;;) {
        /* 1. Measure, if a line of the log is due, perhaps since a session that was stopped while measuring. */
        if (run->counters.actions >= next_evaluation(run) && run->counters.evaluated_at < next_evaluation(run)) {
            enum status status = evaluate(run);
            if (status == STATUS_INTERRUPTED) {
                run->result->end = stop_requested(run) ? TRAINING_INTERRUPTED : TRAINING_BUDGET;
                return STATUS_OK;
            }
            if (status)
                return status;
        }
        /* 2. End. */
        if (run->counters.actions >= run->plan.actions) {
            run->result->end = TRAINING_DONE;
            return STATUS_OK;
        }
        /* 3. Learn up to the next measurement. Pauses do not change what is learned (trainer.h). */
        run->pause = PAUSE_NONE;
        enum status status = learn(run, next_evaluation(run));
        if (status)
            return status;
        /* 4. Stop or save. */
        if (run->pause == PAUSE_SIGNAL || run->pause == PAUSE_BUDGET) {
            run->result->end = run->pause == PAUSE_SIGNAL ? TRAINING_INTERRUPTED : TRAINING_BUDGET;
            return STATUS_OK;
        }
        if (run->pause == PAUSE_CHECKPOINT)
            save_or_warn(run);
    }
}

enum status training_run_train(struct training_run *run, double budget_seconds, const struct training_report *report,
                               struct training_result *result)
{
    *result = (struct training_result){0};
    run->report = report;
    run->result = result;
    run->saved_at = clock_seconds();
    run->save_seconds = (double)(run->plan.network_bytes + run->plan.trainer_bytes) / FIRST_SAVE_RATE;
    run->deadline = budget_seconds > 0 ? run->opened_at + budget_seconds : INFINITY;
    run->eval_seconds = run->plan.checkpoint_seconds; /* unknown: assumed to be long */
    run->learned_seconds = 0;
    run->stopped = false;
    run->recent[0] = run->recent[1] = training_model_totals(&run->model);
    uint64_t first = run->counters.actions;
    if (run->damage)
        report_damage(run);
    progress_begin(&run->progress, report->stream, report->mode, "train", "moves", (double)run->plan.actions);
    progress_resume(&run->progress, (double)first);
    enum status status = train(run);
    progress_update(&run->progress, (double)run->counters.actions, NULL);
    progress_end(&run->progress, NULL);
    if (!status && result->end != TRAINING_DONE)
        status = log_stop(run);
    if (!status && train_plan_is_large(&run->plan))
        notify(run, false, "saving the checkpoint and the network");
    if (!status)
        status = cluster_follow(run->plan.cluster, save_all(run));
    result->totals = training_model_totals(&run->model);
    result->seconds = run->counters.seconds;
    result->moves_per_second =
        run->learned_seconds > 0 ? (double)(run->counters.actions - first) / run->learned_seconds : 0;
    return status;
}
