/* grow: builds a network tuple by tuple; each step adds the tuple with the largest measured gain. */
#include "study/grow.h"

#include "base/clock.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/parse.h"
#include "base/random.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MAX_ROUNDS = 64, TITLE_BYTES = 64, LINE_BYTES = 256, OWN_FIELDS = 3 };

/* The file is written at most this often: tiny trials end by the thousand. */
static const double write_every_seconds = 0.5;

/* ---- trials.csv ---- */

/* One line: a trial and its result. */
struct grow_trial {
    unsigned step, round; /* from 1 */
    unsigned tuple;       /* number in the list from 1; 0: the chosen set alone */
    struct trial_result result;
};

struct grow_trials {
    size_t n, room;
    struct grow_trial *items;
};

static const char header[] = "step,round,tuple," TRIAL_COLUMNS "\n";

static int compare_trials(const void *a, const void *b)
{
    const struct grow_trial *x = a, *y = b;
    if (x->step != y->step)
        return x->step < y->step ? -1 : 1;
    if (x->round != y->round)
        return x->round < y->round ? -1 : 1;
    return x->tuple < y->tuple ? -1 : x->tuple > y->tuple;
}

static enum status trials_add(struct grow_trials *trials, const struct grow_trial *trial)
{
    struct grow_trial *items = memory_grow(trials->items, trials->n + 1, &trials->room, 64, sizeof *items);
    if (!items)
        return STATUS_NO_MEMORY;
    trials->items = items;
    trials->items[trials->n++] = *trial;
    return STATUS_OK;
}

/* The trial of the same step, round and tuple, or NULL. */
static const struct grow_trial *trials_find(const struct grow_trials *trials, const struct grow_trial *key)
{
    for (size_t i = 0; i < trials->n; i++)
        if (compare_trials(&trials->items[i], key) == 0)
            return &trials->items[i];
    return NULL;
}

static void trials_free(struct grow_trials *trials)
{
    free(trials->items);
    *trials = (struct grow_trials){0};
}

/* Sorted by step, round and tuple. */
static enum status trials_write(struct grow_trials *trials, const char *directory)
{
    char *text = memory_allocate(trials->n + 1, LINE_BYTES), *path = file_path(directory, "trials.csv");
    enum status status = text && path ? STATUS_OK : STATUS_NO_MEMORY;
    if (!status) {
        if (trials->n > 0)
            qsort(trials->items, trials->n, sizeof *trials->items, compare_trials);
        char *to = text + sprintf(text, "%s", header);
        for (size_t i = 0; i < trials->n; i++) {
            const struct grow_trial *trial = &trials->items[i];
            char columns[TRIAL_COLUMNS_BYTES];
            to += snprintf(to, LINE_BYTES, "%u,%u,%u,%s\n", trial->step, trial->round, trial->tuple,
                           trial_write_columns(&trial->result, columns));
        }
        status = file_write_text(path, text);
    }
    free(text);
    free(path);
    return status;
}

static enum status read_line(void *context, char *line)
{
    struct grow_trials *trials = context;
    char *fields[OWN_FIELDS + TRIAL_N_COLUMNS];
    uint64_t step, round, tuple;
    struct grow_trial trial = {0};
    if (!parse_split(line, ',', fields, OWN_FIELDS + TRIAL_N_COLUMNS) || !parse_unsigned(fields[0], &step) ||
        !parse_unsigned(fields[1], &round) || !parse_unsigned(fields[2], &tuple) || step > UINT16_MAX ||
        round > UINT16_MAX || tuple > UINT16_MAX || !trial_read_columns(fields + OWN_FIELDS, &trial.result))
        return status_fail(STATUS_CORRUPT, "expected step,round,tuple," TRIAL_COLUMNS);
    trial.step = (unsigned)step;
    trial.round = (unsigned)round;
    trial.tuple = (unsigned)tuple;
    return trials_add(trials, &trial);
}

static enum status trials_read(struct grow_trials *trials, const char *directory)
{
    char *path = file_path(directory, "trials.csv");
    if (!path)
        return STATUS_NO_MEMORY;
    enum status status = trial_read_lines(path, header, read_line, trials);
    free(path);
    return status;
}

/* ---- the job ---- */

struct growing {
    struct grow_settings settings;
    struct grow_result *result;
    struct tuple_list list;
    struct grow_trials trials;
    const char *directory;
    const struct cluster *cluster;
    unsigned n_threads;
    double keep_seconds, written_at;
    const struct training_report *report;
    /* The round that runs: */
    unsigned step, round;
    uint64_t games;
    size_t n_pending;
    size_t *pending; /* candidates without a trial; list.n_tuples: none */
};

/* ---- trials of a round ---- */

static enum status prepare(void *context, uint64_t i, struct trial *trial, char checkpoint[PATH_MAX])
{
    const struct growing *growing = context;
    const struct grow_settings *settings = &growing->settings;
    size_t candidate = growing->pending[i];
    /* All trials of a round have the same seed: they begin with the same games. */
    struct rng rng = random_stream(settings->trial.seed, (uint64_t)growing->step * MAX_ROUNDS + growing->round);
    *trial = settings->trial;
    trial->shape = growing->result->shape;
    trial->games = growing->games;
    trial->seed = random_bits(&rng);
    snprintf(checkpoint, PATH_MAX, "%s/trial-%u-%u-%zu.checkpoint", growing->directory, growing->step, growing->round,
             candidate < growing->list.n_tuples ? candidate + 1 : 0);
    if (candidate == growing->list.n_tuples)
        return STATUS_OK;
    return tuple_set_add(&trial->shape, &growing->result->grid, growing->list.tuples[candidate]);
}

static struct grow_trial trial_key(const struct growing *growing, size_t candidate)
{
    return (struct grow_trial){.step = growing->step,
                               .round = growing->round,
                               .tuple = candidate < growing->list.n_tuples ? (unsigned)candidate + 1 : 0};
}

static enum status finish(void *context, uint64_t i, const struct trial_result *result)
{
    struct growing *growing = context;
    struct grow_trial trial = trial_key(growing, growing->pending[i]);
    trial.result = *result;
    enum status status = trials_add(&growing->trials, &trial);
    if (status || clock_seconds() - growing->written_at < write_every_seconds)
        return status;
    growing->written_at = clock_seconds();
    return trials_write(&growing->trials, growing->directory);
}

/* Runs the trials of these candidates that are not done yet. */
static enum status run_round(struct growing *growing, const size_t *candidates, size_t n, bool with_none)
{
    growing->n_pending = 0;
    for (size_t i = 0; i < n + with_none; i++) {
        size_t candidate = i < n ? candidates[i] : growing->list.n_tuples;
        struct grow_trial key = trial_key(growing, candidate);
        if (!trials_find(&growing->trials, &key))
            growing->pending[growing->n_pending++] = candidate;
    }
    char title[TITLE_BYTES];
    snprintf(title, sizeof title, "tuple %u, round %u, %zu candidates", growing->step, growing->round, n);
    struct trial_pool pool = {.n_trials = growing->n_pending,
                              .total_games = (double)growing->n_pending * (double)growing->games,
                              .title = title,
                              .n_threads = growing->n_threads,
                              .prepare = prepare,
                              .finish = finish,
                              .context = growing,
                              .report = growing->report,
                              .keep_seconds = growing->keep_seconds,
                              .cluster = growing->cluster};
    struct trial_pool_totals totals;
    enum status status = trial_pool_run(&pool, &totals);
    growing->result->n_trials += totals.n_finished;
    growing->result->interrupted = totals.interrupted;
    return status;
}

static double score_of(const struct growing *growing, size_t candidate)
{
    struct grow_trial key = trial_key(growing, candidate);
    const struct grow_trial *trial = trials_find(&growing->trials, &key);
    return trial ? trial->result.score : NAN;
}

struct scored {
    double score;
    size_t candidate;
};

/* Larger scores first; of equal ones the first in the list. */
static int compare_scored(const void *a, const void *b)
{
    const struct scored *x = a, *y = b;
    if (x->score != y->score)
        return x->score > y->score ? -1 : 1;
    return x->candidate < y->candidate ? -1 : 1;
}

/* Best first. */
static enum status sort_candidates(const struct growing *growing, size_t *candidates, size_t n)
{
    struct scored *scored = memory_allocate(n, sizeof *scored);
    if (!scored)
        return STATUS_NO_MEMORY;
    for (size_t i = 0; i < n; i++)
        scored[i] = (struct scored){.score = score_of(growing, candidates[i]), .candidate = candidates[i]};
    qsort(scored, n, sizeof *scored, compare_scored);
    for (size_t i = 0; i < n; i++)
        candidates[i] = scored[i].candidate;
    free(scored);
    return STATUS_OK;
}

/* ---- steps ---- */

/* Everything of the list that is not chosen, in any image. */
static size_t list_candidates(const struct growing *growing, size_t *candidates)
{
    const struct grow_result *result = growing->result;
    size_t n = 0;
    for (size_t i = 0; i < growing->list.n_tuples; i++) {
        bool chosen = false;
        for (unsigned k = 0; k < result->shape.n_tuples && !chosen; k++) {
            uint16_t set = 0;
            for (unsigned c = 0; c < result->shape.tuples[k].n_cells; c++)
                set |= (uint16_t)(1u << result->shape.tuples[k].cells[c]);
            chosen = tuple_list_find(&growing->list, &result->grid, set) == i;
        }
        if (!chosen)
            candidates[n++] = i;
    }
    return n;
}

/* Adds one tuple, unless a signal stops it. */
static enum status take_step(struct growing *growing, size_t *candidates)
{
    struct grow_result *result = growing->result;
    size_t n = list_candidates(growing, candidates);
    struct grow_step step = {.n_candidates = n, .score_without = NAN};
    growing->step = result->shape.n_tuples + 1u;
    growing->games = growing->settings.trial.games;
    for (growing->round = 1;; growing->round++) {
        /* 1. Run the trials of the remaining candidates; in the last round also of the chosen set alone. */
        bool last = n <= 2;
        enum status status = run_round(growing, candidates, n, last && result->shape.n_tuples > 0);
        if (status || result->interrupted)
            return status;
        /* 2. Keep the better half. */
        status = sort_candidates(growing, candidates, n);
        if (status)
            return status;
        if (last)
            break;
        n = (n + 1) / 2;
        growing->games *= 2;
    }
    /* 3. Add the winner. */
    step.set = growing->list.tuples[candidates[0]];
    step.games = growing->games;
    step.score = score_of(growing, candidates[0]);
    if (result->shape.n_tuples > 0)
        step.score_without = score_of(growing, growing->list.n_tuples);
    result->steps[result->n_steps++] = step;
    return tuple_set_add(&result->shape, &result->grid, step.set);
}

static void report_step(const struct growing *growing)
{
    const struct grow_step *step = &growing->result->steps[growing->result->n_steps - 1];
    char text[256], cells[TUPLE_SET_LIST_BYTES], gain[64] = "";
    if (!growing->report->notify)
        return;
    if (isfinite(step->score_without))
        snprintf(gain, sizeof gain, ", %+.0f by it", step->score - step->score_without);
    snprintf(text, sizeof text, "tuple %u: %s of %zu candidates, score %.0f%s after %llu games", growing->step,
             tuple_set_list(step->set, cells), step->n_candidates, step->score, gain, (unsigned long long)step->games);
    growing->report->notify(growing->report->context, false, text);
}

static enum status grow(struct growing *growing)
{
    const struct grow_settings *settings = &growing->settings;
    struct grow_result *result = growing->result;
    size_t *candidates = memory_allocate(growing->list.n_tuples + 1, sizeof *candidates);
    growing->pending = memory_allocate(growing->list.n_tuples + 1, sizeof *growing->pending);
    enum status status = candidates && growing->pending ? STATUS_OK : STATUS_NO_MEMORY;
    while (!status && !result->interrupted && result->shape.n_tuples < settings->n_tuples) {
        unsigned before = result->n_steps;
        status = take_step(growing, candidates);
        if (!status && result->n_steps > before)
            report_step(growing);
    }
    char message[512];
    snprintf(message, sizeof message, "%s", status_message());
    enum status written = trials_write(&growing->trials, growing->directory);
    free(candidates);
    free(growing->pending);
    return status ? status_fail(status, "%s", message) : written;
}

static void remove_files(const char *directory)
{
    file_remove(directory, "trials.csv");
    file_remove(directory, "grow.ini");
}

enum status grow_run(const struct recipe *recipe, const char *directory, const struct cluster *cluster,
                     unsigned n_threads, double keep_seconds, const struct training_report *report,
                     struct grow_result *result)
{
    struct growing growing = {.result = result,
                              .directory = directory,
                              .cluster = cluster,
                              .n_threads = n_threads,
                              .keep_seconds = keep_seconds,
                              .report = report};
    int lock = -1;
    bool created = false;
    *result = (struct grow_result){0};
    enum status status = grow_settings_resolve(&growing.settings, recipe);
    if (!status)
        status = grid_create(&result->grid, growing.settings.trial.rows, growing.settings.trial.cols);
    if (!status)
        status = tuple_list_create(&growing.list, &result->grid, growing.settings.cells, growing.settings.connected);
    if (!status)
        status = file_lock_directory(directory, "growing a network", &lock);
    if (!status)
        status = grow_write_settings(recipe, directory, &created);
    if (!status)
        status = trials_read(&growing.trials, directory);
    if (!status) {
        result->shape = growing.settings.trial.shape;
        result->n_values = growing.settings.trial.n_values;
        memcpy(result->vse, growing.settings.trial.vse, sizeof result->vse);
        status = grow(&growing);
    }
    if (status && created && growing.trials.n == 0)
        remove_files(directory); /* so that other settings can be tried */
    trials_free(&growing.trials);
    tuple_list_free(&growing.list);
    file_unlock_directory(lock);
    return status;
}

void grow_result_free(struct grow_result *result)
{
    grid_free(&result->grid);
    *result = (struct grow_result){0};
}
