/* plot: the learning curves of one or several runs in one chart, from their log.csv. */
#include "cli/frame/verbs.h"
#include "study/training_run.h"

#include "base/file.h"
#include "base/nearest.h"
#include "base/number_text.h"
#include "study/log_table.h"
#include "study/plot.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* The default curve: the measured mean, or that of the training games where nothing was measured. */
static const char average[] = "average";
static const char *const x_names[] = {"actions", "games", "seconds", NULL};
static const char *const x_labels[] = {"learned moves", "games", "seconds of learning"};

enum { LABEL_BYTES = 128, TEXT_BYTES = 400, GAMES_BYTES = 64 };

struct plot_options {
    struct option_texts columns;
    const char *out, *title;
    int x;
    bool log_y, zero;
};

/* A line of the chart: the rows of a run in which the column has a number. */
struct curve {
    const char *run, *column;
    struct log_curve points;
    char label[LABEL_BYTES];
    char games[GAMES_BYTES]; /* that a point is measured by: "1 ply, 1,000 games"; empty: unknown, or none */
};

struct chart {
    struct curve curves[PLOT_MAX_LINES];
    size_t n_curves;
    bool one_run, columns_differ, games_differ;
};

/* ---- curves ----------------------------------------------------------------------------------------------------- */

/* RUN is a run directory, or such a log file itself. */
static enum status read_log(struct log_table *log, const char *run)
{
    char path[PATH_MAX];
    struct stat info;
    bool directory = stat(run, &info) == 0 && S_ISDIR(info.st_mode);
    snprintf(path, sizeof path, "%s%s", run, directory ? "/log.csv" : "");
    return log_table_read(log, path);
}

static bool has_numbers(const struct log_table *log, const char *column)
{
    const double *numbers = log_table_column(log, column);
    for (size_t i = 0; numbers && i < log->n_rows; i++)
        if (isfinite(numbers[i]))
            return true;
    return false;
}

/* `named`: by the user, who may have mistyped it; else every log has it, and a file without it is no log. */
static enum status find_column(const struct log_table *log, const char *run, const char *name, bool named,
                               const double **column)
{
    *column = log_table_column(log, name);
    if (*column)
        return STATUS_OK;
    if (!named)
        return status_fail(STATUS_CORRUPT, "%s is no log of a run: it has no column '%s'", run, name);
    const char *near = nearest_name(name, (const char *const *)log->names, log->n_columns);
    return status_fail(STATUS_USAGE, "%s has no column '%s'%s%s%s", run, name, near ? "; did you mean '" : "",
                       near ? near : "", near ? "'?" : "");
}

/* The column with the 95% interval of another one; NULL if there is none. */
static const double *find_interval(const struct log_table *log, const char *column)
{
    char name[LABEL_BYTES];
    const char *end = strstr(column, "_mean");
    snprintf(name, sizeof name, "%.*s_ci95", end ? (int)(end - column) : 0, column);
    return log_table_column(log, name);
}

/* How the run in a directory is measured, by its recipe.ini; false if that cannot be read. */
static bool read_evaluation(const char *directory, struct evaluation_settings *out)
{
    struct recipe *recipe = NULL;
    struct train_plan plan;
    char *path = file_path(directory, "recipe.ini");
    bool fine = path && recipe_open(&recipe, &train_settings, path) == STATUS_OK &&
                train_recipe_resolve(&plan, recipe) == STATUS_OK;
    recipe_free(recipe);
    free(path);
    if (fine)
        *out = plan.evaluation;
    return fine;
}

/* Writes the games by which a column is measured, by the recipe of its run; of tile rates those of eval_mean. */
static void find_games(const char *run, const char *column, char games[GAMES_BYTES])
{
    struct evaluation_settings settings;
    char count[NUMBER_TEXT_BYTES];
    bool tiles = strncmp(column, "tile_", 5) == 0, eval3 = strcmp(column, "eval3_mean") == 0;
    games[0] = 0;
    if (!(tiles || eval3 || strcmp(column, "eval_mean") == 0) || !read_evaluation(run, &settings))
        return;
    eval3 = eval3 || settings.n_games == 0;
    unsigned depth = eval3 ? 3 : settings.depth;
    snprintf(games, GAMES_BYTES, "%u %s, %s games", depth, depth == 1 ? "ply" : "plies",
             number_text_count(count, eval3 ? settings.n_games3 : settings.n_games));
}

static enum status add_curve(struct chart *chart, const char *x_name, const struct log_table *log, const char *run,
                             const char *column)
{
    struct curve *curve = &chart->curves[chart->n_curves];
    const double *x, *y;
    bool named = strcmp(column, average) != 0;
    if (!named)
        column = has_numbers(log, "eval_mean") ? "eval_mean" : "training_mean";
    enum status status = find_column(log, run, column, named, &y);
    if (status)
        return status;
    status = find_column(log, run, x_name, false, &x);
    if (status)
        return status;
    if (!has_numbers(log, column))
        return status_fail(STATUS_INVALID, "%s: column '%s' is empty so far", run, column);
    *curve = (struct curve){.run = run, .column = column};
    chart->n_curves++;
    find_games(run, column, curve->games);
    return log_table_curve(log, x, y, find_interval(log, column), &curve->points);
}

/* The last part of a run's path. */
static const char *short_name(const char *run)
{
    const char *slash = strrchr(run, '/');
    return slash && slash[1] ? slash + 1 : run;
}

/* Runs are labelled by the last part of their path if that is unique; columns are added where they differ. */
static void label_curves(struct chart *chart)
{
    bool ambiguous = false;
    for (size_t i = 0; i < chart->n_curves; i++)
        for (size_t k = 0; k < i; k++) {
            const struct curve *a = &chart->curves[i], *b = &chart->curves[k];
            chart->columns_differ = chart->columns_differ || strcmp(a->column, b->column) != 0;
            chart->games_differ = chart->games_differ || strcmp(a->games, b->games) != 0;
            ambiguous =
                ambiguous || (strcmp(a->run, b->run) != 0 && strcmp(short_name(a->run), short_name(b->run)) == 0);
        }
    for (size_t i = 0; i < chart->n_curves; i++) {
        struct curve *curve = &chart->curves[i];
        bool games = chart->games_differ && curve->games[0];
        snprintf(curve->label, sizeof curve->label, "%s%s%s%s%s", ambiguous ? curve->run : short_name(curve->run),
                 chart->columns_differ ? " " : "", chart->columns_differ ? curve->column : "", games ? ": " : "",
                 games ? curve->games : "");
    }
}

static enum status make_curves(struct chart *chart, const struct cli_call *call)
{
    const struct plot_options *options = call->options;
    static const char *const usual[] = {average};
    const char *const *columns = options->columns.n_items ? options->columns.items : usual;
    size_t n_columns = options->columns.n_items ? options->columns.n_items : 1, n_runs = (size_t)call->n_operands;
    if (n_runs * n_columns > PLOT_MAX_LINES)
        return status_fail(STATUS_USAGE, "%zu runs with %zu columns each are more than the %d lines of a chart", n_runs,
                           n_columns, PLOT_MAX_LINES);
    enum status status = STATUS_OK;
    for (size_t r = 0; r < n_runs && !status; r++) {
        struct log_table log;
        status = read_log(&log, call->operands[r]);
        for (size_t c = 0; c < n_columns && !status; c++)
            status = add_curve(chart, x_names[options->x], &log, call->operands[r], columns[c]);
        log_table_free(&log);
    }
    chart->one_run = n_runs == 1;
    label_curves(chart);
    return status;
}

/* ---- the chart -------------------------------------------------------------------------------------------------- */

/* The label of the y axis: the column, if there is only one. */
static const char *y_label(const struct chart *chart)
{
    if (chart->columns_differ)
        return "value";
    const char *column = chart->curves[0].column;
    return strcmp(column, "eval_mean") == 0       ? "mean score of the measured games"
           : strcmp(column, "eval3_mean") == 0    ? "mean score of the measured games at 3 plies"
           : strcmp(column, "training_mean") == 0 ? "mean score of the training games"
                                                  : column;
}

static enum status draw(const struct chart *chart, const struct plot_options *options)
{
    char title[TEXT_BYTES];
    const char *games = chart->games_differ ? "" : chart->curves[0].games;
    snprintf(title, sizeof title, "Learning curve%s%s%s%s%s", chart->one_run ? " of " : "s",
             chart->one_run ? short_name(chart->curves[0].run) : "", *games ? ": " : "", games,
             *games ? " a point" : "");
    if (options->title)
        snprintf(title, sizeof title, "%s", options->title);
    struct plot plot = {.title = title,
                        .x_label = x_labels[options->x],
                        .y_label = y_label(chart),
                        .n_lines = chart->n_curves,
                        .log_y = options->log_y,
                        .y_from_zero = options->zero};
    for (size_t i = 0; i < chart->n_curves; i++)
        plot.lines[i] = (struct plot_line){.label = chart->curves[i].label,
                                           .x = chart->curves[i].points.x,
                                           .y = chart->curves[i].points.y,
                                           .half = chart->curves[i].points.half,
                                           .n = chart->curves[i].points.n};
    return plot_write_svg(&plot, options->out);
}

static double largest(const struct curve *curve)
{
    double most = -INFINITY;
    for (size_t i = 0; i < curve->points.n; i++)
        most = fmax(most, curve->points.y[i]);
    return most;
}

static enum status report(const struct chart *chart, const struct plot_options *options,
                          const struct common_options *common)
{
    struct json json;
    if (common->json) {
        json_begin(&json);
        json_add_text(&json, "out", options->out);
        json_add_text(&json, "x", x_names[options->x]);
        json_add_unsigned(&json, "count", chart->n_curves);
        json_open_array(&json, "curves");
    }
    for (size_t i = 0; i < chart->n_curves; i++) {
        const struct curve *curve = &chart->curves[i];
        double last = curve->points.y[curve->points.n - 1], most = largest(curve);
        if (!common->json) {
            int decimals = most < 100 ? 4 : 1;
            printf("%s  %s  %s %s, last %s, largest %s\n", curve->run, curve->column, TEXT_OF_COUNT(curve->points.n),
                   curve->points.n == 1 ? "point" : "points", TEXT_OF_REAL(last, decimals),
                   TEXT_OF_REAL(most, decimals));
            continue;
        }
        json_open_object(&json, NULL);
        json_add_text(&json, "run", curve->run);
        json_add_text(&json, "column", curve->column);
        json_add_unsigned(&json, "points", curve->points.n);
        json_add_real(&json, "last", last);
        json_add_real(&json, "largest", most);
        json_close(&json);
    }
    if (!common->json) {
        printf("drawn in %s\n", options->out);
        return STATUS_OK;
    }
    json_close(&json);
    return cli_print_json(&json);
}

static const struct plot_options defaults = {.out = "plot.svg"};

#define IN(member) OPTION_FIELD(struct plot_options, member)
static const struct option_spec option_rows[] = {
    {"column", 'c', "NAME", IN(columns),
     "what to draw, a column of log.csv; without it average: eval_mean, or training_mean where nothing was measured"},
    {"out", 'o', "FILE", IN(out), "the SVG file"},
    {"x", 'x', "NAME", IN(x), "the x axis", .choices = x_names},
    {"log", 'l', NULL, IN(log_y), "a logarithmic y axis"},
    {"zero", 'z', NULL, IN(zero), "begin the y axis at 0"},
    {"title", 't', "TEXT", IN(title), "title of the chart"},
};

static const struct command_example examples[] = {
    {"run", "the learning curve of one run"},
    {"td tc optimistic --x seconds --out compare.svg", "three runs by their time"},
    {"run --column tile_16384 --column tile_32768", "how often two tiles are reached"},
};

static enum status run_command(struct cli_call *call)
{
    const struct plot_options *options = call->options;
    struct chart chart = {0};
    enum status status = make_curves(&chart, call);
    if (status)
        goto done;
    status = draw(&chart, options);
    if (status)
        goto done;
    status = report(&chart, options, &call->common);
done:
    for (size_t i = 0; i < chart.n_curves; i++)
        log_curve_free(&chart.curves[i].points);
    return status;
}

const struct command verb_plot = {
    .name = "plot",
    .heading = "Measure",
    .summary = "learning curves of runs, laid over one another, as an SVG file",
    .operands = "RUN ..",
    .most_operands = PLOT_MAX_LINES,
    .description = "A RUN is a run directory of train, also while it learns, or a log file. Up to six curves are laid "
                   "over one another; the band is the 95% interval of a mean. The per-age figures of a solved board "
                   "are drawn by solve --stats.",
    COMMAND_OPTIONS(option_rows, struct plot_options),
    .defaults = &defaults,
    COMMAND_EXAMPLES(examples),
    .run = run_command,
};
