/* reproduce_measure: one figure of a group: by games, exactly on a solved board, or by solving one. */
#include "study/reproduce_measure.h"

#include "base/file.h"
#include "base/memory.h"
#include "base/workers.h"
#include "solve/solver.h"
#include "study/evaluator_choice.h"
#include "study/exact_policy.h"
#include "study/series.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FRACTION_BITS = 16, NAME_BYTES = 96 };

/* The path of the log; the same games serve several measures. */
static char *log_path(const struct reproduce_measurement *what, uint64_t n_games)
{
    char name[NAME_BYTES], limits[NAME_BYTES] = "";
    const struct measure *measure = what->measure;
    if (measure->prune > 0 || measure->margin > 0 || measure->downgrade >= 0 || measure->seed != MEASURE_SEED)
        snprintf(limits, sizeof limits, "p%g-m%g-d%d-s%llu-", measure->prune, measure->margin, measure->downgrade,
                 (unsigned long long)measure->seed);
    if (measure->depth)
        snprintf(name, sizeof name, "games-%u-ply-%.60s%llu.csv", measure->depth, limits, (unsigned long long)n_games);
    else
        snprintf(name, sizeof name, "games-%g-ms-%.60s%llu.csv", measure->milliseconds, limits,
                 (unsigned long long)n_games);
    return file_path(what->folder, name);
}

struct player reproduce_player(const struct evaluator_choice *choice, const struct measure *measure)
{
    size_t table_bytes = search_default_table_bytes(measure->depth, measure->milliseconds);
    unsigned downgrade = measure->downgrade == MEASURE_OWN ? choice->downgrade /* as play and hint do */
                                                           : (unsigned)measure->downgrade;
    return (struct player){.kind = PLAYER_SEARCH,
                           .grid = &choice->grid,
                           .function = choice->evaluator.function,
                           .search = {.depth = measure->depth,
                                      .milliseconds = measure->milliseconds,
                                      .prune = measure->prune,
                                      .margin = measure->margin,
                                      .n_threads = 1,
                                      .table_bytes = table_bytes,
                                      .downgrade = downgrade}};
}

static enum status play(const struct reproduce_measurement *what, struct workers *workers, struct series *series)
{
    const struct measure *measure = what->measure;
    struct player player = reproduce_player(what->choice, measure);
    struct progress progress;
    char identity[EVALUATOR_IDENTITY_BYTES], label[MEASURE_LABEL_BYTES], title[NAME_BYTES];
    uint64_t n_games = what->n_games ? what->n_games : measure->n_games;
    char *path = log_path(what, n_games);
    enum status status = path ? search_settings_check(&player.search) : STATUS_NO_MEMORY;
    if (!status)
        status = evaluator_choice_identify(what->choice, identity);
    status = cluster_agree(what->cluster, status);
    if (!status) {
        struct series_settings settings = {.player = &player,
                                           .player_name = what->choice->name,
                                           .seed = measure->seed,
                                           .n_games = n_games,
                                           .log_path = path,
                                           .player_identity = identity,
                                           .cluster = what->cluster};
        snprintf(title, sizeof title, "%s, %.40s", what->label, measure_label(measure, n_games, label));
        progress_begin(&progress, what->report->stream, what->report->mode, title, "games", (double)n_games);
        status = series_play(series, &settings, workers, &progress);
        progress_end(&progress, NULL);
    }
    free(path);
    return status;
}

enum status reproduce_network_open(struct evaluator_choice *choice, const char *net, const struct cluster *cluster,
                                   const struct training_report *report)
{
    bool shown = report->mode != PROGRESS_QUIET;
    struct evaluator_request request = {.net = net, .form = LOAD_FAST, .progress = shown ? report->stream : NULL};
    enum status status = evaluator_choice_find(choice, &request);
    if (!status && !choice->path && !choice->named) /* the hand-made value's figures would say nothing */
        status = status_fail(STATUS_IO, "there is no bundled network (nets/default.net); name a network");
    return cluster_agree(cluster, status ? status : evaluator_choice_load(choice, &request));
}

/* What a measure takes of the games. */
static struct reproduce_cell cell_of(const struct measure *measure, const struct summary *summary, double move_seconds)
{
    struct reproduce_cell cell = {
        .done = true, .mean = summary->mean, .ci95 = summary->ci95, .n_games = summary->n_games};
    const struct share share = summary->reached[measure->tile];
    if (measure->kind == MEASURE_TILE) {
        cell.mean = 100 * share.rate;
        cell.ci95 = 50 * (share.high - share.low);
    } else if (measure->kind == MEASURE_MAX || measure->kind == MEASURE_TIME) {
        cell.mean = measure->kind == MEASURE_MAX ? (double)summary->max : 1e6 * move_seconds;
        cell.ci95 = 0; /* one figure of all games */
    }
    return cell;
}

static enum status measure_games(const struct reproduce_measurement *what, struct reproduce_cell *cell,
                                 double *move_seconds)
{
    struct workers *workers = NULL;
    struct series series = {0};
    struct summary summary;
    enum status status = cluster_agree(what->cluster, workers_create(&workers, what->n_threads));
    if (!status)
        status = play(what, workers, &series);
    if (!status)
        status = summary_compute(&summary, series.results, series.n_finished);
    if (!status) {
        *cell = cell_of(what->measure, &summary, series.seconds_per_move);
        if (move_seconds)
            *move_seconds = series.seconds_per_move;
    }
    series_free(&series);
    workers_free(workers);
    return status;
}

static enum status solve(const char *directory, unsigned rows, unsigned cols, enum solve_store store,
                         struct workers *workers, const struct cluster *cluster,
                         const struct training_report *progress_report, struct solve_report *report)
{
    struct solve_settings settings = {.chance_of_4 = TABLE_USUAL_CHANCE_OF_4,
                                      .rows = rows,
                                      .cols = cols,
                                      .directory = directory,
                                      .variant = VARIANT_NORMAL,
                                      .store = store,
                                      .fraction_bits = FRACTION_BITS,
                                      .checkpoint_every = 1,
                                      .memory_bytes = memory_available_bytes(),
                                      .cluster = cluster,
                                      .progress_stream = progress_report->stream,
                                      .progress_mode = progress_report->mode};
    return solve_run(&settings, workers, report);
}

static enum status evaluate(const struct reproduce_measurement *what, const struct evaluator_choice *choice,
                            const char *directory, struct workers *workers, struct reproduce_cell *cell)
{
    struct policy policy = {.kind = POLICY_VALUE, .function = choice->evaluator.function};
    struct exact_result result = {0};
    struct table *table = NULL;
    struct progress progress;
    char title[NAME_BYTES];
    enum status status = table_open(&table, directory);
    if (!status && (table_summary(table)->rows != choice->grid.rows || table_summary(table)->cols != choice->grid.cols))
        status = status_fail(STATUS_INVALID, "%s is for %ux%u boards, the network for %s", directory,
                             table_summary(table)->rows, table_summary(table)->cols, choice->size);
    status = cluster_agree(what->cluster, status);
    if (!status) {
        snprintf(title, sizeof title, "%s, exact", what->label);
        progress_begin(&progress, what->report->stream, what->report->mode, title, "states",
                       2 * (double)table_summary(table)->n_states);
        status = exact_evaluate(table, &policy, workers, what->cluster, &progress, &result);
        progress_end(&progress, NULL);
    }
    if (!status)
        *cell = (struct reproduce_cell){.done = true, .mean = result.score};
    exact_result_free(&result);
    table_close(table);
    return status;
}

static enum status measure_exactly(const struct reproduce_measurement *what, struct reproduce_cell *cell)
{
    const struct evaluator_choice *choice = what->choice;
    struct workers *workers = NULL;
    struct solve_report report;
    char *made = NULL;
    enum status status = workers_create(&workers, what->n_threads);
    if (!status && !what->table) {
        char name[NAME_BYTES];
        snprintf(name, sizeof name, "table-%s", choice->size);
        made = file_path(what->directory, name);
        status = made ? STATUS_OK : STATUS_NO_MEMORY;
    }
    status = cluster_agree(what->cluster, status);
    if (!status && made)
        status = solve(made, choice->grid.rows, choice->grid.cols, STORE_VALUES, workers, what->cluster, what->report,
                       &report);
    if (!status)
        status = evaluate(what, choice, made ? made : what->table, workers, cell);
    free(made);
    workers_free(workers);
    return status;
}

enum status reproduce_measure(const struct reproduce_measurement *what, struct reproduce_cell *cell,
                              double *move_seconds)
{
    return what->measure->kind == MEASURE_EXACT ? measure_exactly(what, cell) : measure_games(what, cell, move_seconds);
}

enum status reproduce_solve(const struct group *group, const struct group_row *row, const char *folder,
                            unsigned n_threads, const struct cluster *cluster,
                            const struct training_report *progress_report, struct reproduce_run *run)
{
    struct workers *workers = NULL;
    struct solve_report report;
    unsigned rows, cols;
    char *directory = file_path(folder, "table");
    enum status status = directory ? grid_parse_size(row->about, &rows, &cols) : STATUS_NO_MEMORY;
    if (!status)
        status = workers_create(&workers, n_threads);
    status = cluster_agree(cluster, status);
    if (!status)
        status = solve(directory, rows, cols, STORE_NONE, workers, cluster, progress_report, &report);
    for (size_t i = 0; i < group->n_measures && !status; i++) {
        const char *text = group->measures[i].text;
        const struct table_summary *summary = &report.summary;
        double figure = strcmp(text, "states") == 0        ? (double)summary->n_states
                        : strcmp(text, "afterstates") == 0 ? (double)summary->n_afterstates
                        : strcmp(text, "terminal") == 0    ? (double)summary->n_terminal
                                                           : summary->expected_score;
        run->cells[i] = (struct reproduce_cell){.done = true, .mean = figure};
        run->seconds = report.forward_seconds + report.backward_seconds;
    }
    workers_free(workers);
    free(directory);
    return status;
}
