/* reproduce_table: the results of a group: stored run by run, shown as a table, CSV and charts. */
#include "study/reproduce_table.h"

#include "base/file.h"
#include "base/memory.h"
#include "base/parse.h"
#include "study/log_table.h"
#include "study/plot.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define LEARNING "learning"

enum { LINE_BYTES = 4096, SEEDS_BYTES = 2400 };

enum status reproduce_table_create(struct reproduce_table *table, const struct group *group, unsigned n_seeds)
{
    *table = (struct reproduce_table){.group = group, .n_seeds = n_seeds};
    table->runs = memory_allocate(group->n_rows * n_seeds, sizeof *table->runs);
    table->notes = memory_allocate(group->n_rows, sizeof *table->notes);
    return table->runs && table->notes ? STATUS_OK : STATUS_NO_MEMORY;
}

void reproduce_table_free(struct reproduce_table *table)
{
    free(table->runs);
    free(table->notes);
    *table = (struct reproduce_table){0};
}

struct reproduce_run *reproduce_table_run(const struct reproduce_table *table, size_t row, unsigned seed)
{
    return &table->runs[row * table->n_seeds + seed];
}

/* Quantiles of Student's t for 95% by degrees of freedom. */
static double student95(unsigned n)
{
    static const double table[] = {12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228,
                                   2.201,  2.179, 2.160, 2.145, 2.131, 2.120, 2.110, 2.101, 2.093, 2.086};
    unsigned rows = sizeof table / sizeof *table;
    return n <= rows ? table[n - 1] : 1.96 + 2.5 / n; /* within 0.2% from there on */
}

struct reproduce_cell reproduce_table_figure(const struct reproduce_table *table, size_t row, size_t measure,
                                             unsigned *n_seeds)
{
    struct reproduce_cell all = {0};
    double squares = 0;
    unsigned n = 0;
    for (unsigned seed = 0; seed < table->n_seeds; seed++) {
        const struct reproduce_cell *cell = &reproduce_table_run(table, row, seed)->cells[measure];
        if (!cell->done)
            continue;
        n++;
        all.done = true;
        all.mean += cell->mean;
        all.ci95 = cell->ci95;
        all.n_games += cell->n_games;
    }
    *n_seeds = n;
    if (n < 2)
        return all;
    all.mean /= n;
    for (unsigned seed = 0; seed < table->n_seeds; seed++) {
        const struct reproduce_cell *cell = &reproduce_table_run(table, row, seed)->cells[measure];
        if (cell->done)
            squares += (cell->mean - all.mean) * (cell->mean - all.mean);
    }
    all.sd = sqrt(squares / (n - 1));
    all.ci95 = student95(n - 1) * all.sd / sqrt(n);
    return all;
}

char *reproduce_run_folder(const char *directory, const struct group_row *row, unsigned seed)
{
    char name[96];
    snprintf(name, sizeof name, "%s-s%u", row->slug, seed + 1);
    return file_path(directory, name);
}

/* The name of a measure in the file. A search is named by its text, so that a changed group is measured again. */
static const char *key_of(const struct group *group, const struct group_row *row, size_t measure)
{
    return group->kind == GROUP_SEARCH ? row->about : group->measures[measure].text;
}

char *reproduce_table_label(const struct reproduce_table *table, size_t row, size_t measure,
                            char out[MEASURE_LABEL_BYTES])
{
    const struct group *group = table->group;
    const struct measure *what = group->kind == GROUP_SEARCH ? &group->rows[row].search : &group->measures[measure];
    uint64_t n_games = 0;
    for (unsigned seed = 0; seed < table->n_seeds && n_games == 0; seed++)
        n_games = reproduce_table_run(table, row, seed)->cells[measure].n_games;
    return measure_label(what, n_games, out);
}

enum status reproduce_run_save(const struct reproduce_run *run, const struct group *group, const struct group_row *row,
                               const char *path)
{
    char text[LINE_BYTES * (GROUP_MAX_MEASURES + 1)];
    int used = 0;
    if (run->actions || run->seconds > 0)
        used = snprintf(text, sizeof text, LEARNING "|%" PRIu64 "|%.3f|0\n", run->actions, run->seconds);
    for (size_t i = 0; i < group->n_measures; i++)
        if (run->cells[i].done)
            used += snprintf(text + used, LINE_BYTES, "%s|%.17g|%.17g|%" PRIu64 "\n", key_of(group, row, i),
                             run->cells[i].mean, run->cells[i].ci95, run->cells[i].n_games);
    text[used] = '\0';
    return file_write_text(path, text);
}

static enum status read_line(struct reproduce_run *run, const struct group *group, const struct group_row *row,
                             const char *path, char *line)
{
    char *fields[4];
    double first, second;
    uint64_t n_games;
    if (!parse_split(line, '|', fields, 4) || !parse_real(fields[1], &first) || !parse_real(fields[2], &second) ||
        !parse_unsigned(fields[3], &n_games))
        return status_fail(STATUS_CORRUPT, "%s: a line that this program did not write; delete it to measure anew",
                           path);
    if (strcmp(fields[0], LEARNING) == 0) {
        run->actions = (uint64_t)first;
        run->seconds = second;
    }
    for (size_t i = 0; i < group->n_measures; i++)
        if (strcmp(fields[0], key_of(group, row, i)) == 0)
            run->cells[i] = (struct reproduce_cell){.done = true, .mean = first, .ci95 = second, .n_games = n_games};
    return STATUS_OK;
}

enum status reproduce_run_load(struct reproduce_run *run, const struct group *group, const struct group_row *row,
                               const char *path)
{
    char *text, *rest = NULL;
    if (access(path, F_OK) != 0 && errno == ENOENT)
        return STATUS_OK;
    enum status status = file_read_text(path, &text);
    if (status)
        return status;
    for (char *line = strtok_r(text, "\n", &rest); line && !status; line = strtok_r(NULL, "\n", &rest))
        status = read_line(run, group, row, path, line);
    free(text);
    return status;
}

/* A field of CSV: in quotes, as labels and measures may hold commas. */
static enum status add_line(struct file_writer *file, const struct reproduce_table *table, size_t row, size_t measure)
{
    const struct group *group = table->group;
    const struct group_row *about = &group->rows[row];
    const struct reproduce_run *run = reproduce_table_run(table, row, 0);
    unsigned n_seeds;
    struct reproduce_cell figure = reproduce_table_figure(table, row, measure, &n_seeds);
    char line[LINE_BYTES], ours[128] = ",,,", each[SEEDS_BYTES] = "", label[MEASURE_LABEL_BYTES];
    if (figure.done && n_seeds > 1)
        snprintf(ours, sizeof ours, "%.10g,%.6g,%.6g,%" PRIu64, figure.mean, figure.ci95, figure.sd, figure.n_games);
    else if (figure.done)
        snprintf(ours, sizeof ours, "%.10g,%.6g,,%" PRIu64, figure.mean, figure.ci95, figure.n_games);
    for (unsigned seed = 0; seed < table->n_seeds; seed++) {
        const struct reproduce_cell *cell = &reproduce_table_run(table, row, seed)->cells[measure];
        size_t used = strlen(each);
        if (cell->done)
            snprintf(each + used, sizeof each - used, "%s%.10g", used ? " " : "", cell->mean);
    }
    int n = snprintf(line, sizeof line, "\"%s\",\"%s\",\"%s\",%s,%u,%" PRIu64 ",%.3f,\"%s\",\"%s\"\n", about->label,
                     reproduce_table_label(table, row, measure, label), about->published[measure], ours, n_seeds,
                     run->actions, run->seconds, each, table->notes[row]);
    return file_writer_append(file, line, (size_t)n < sizeof line ? (size_t)n : sizeof line - 1);
}

enum status reproduce_table_write_csv(const struct reproduce_table *table, const char *path)
{
    static const char header[] = "row,measure,published,mean,ci95,sd,games,seeds,actions,seconds,each,note\n";
    struct file_writer *file;
    enum status status = file_writer_open(&file, path);
    if (status)
        return status;
    status = file_writer_append(file, header, sizeof header - 1);
    for (size_t row = 0; row < table->group->n_rows && !status; row++)
        for (size_t m = 0; m < table->group->n_measures && !status; m++)
            status = add_line(file, table, row, m);
    if (!status)
        return file_writer_commit(file);
    file_writer_abort(file);
    return status;
}

/* A chart of learning curves: columns of the logs, and the name of its files. */
struct chart {
    const char *file, *x, *y, *half, *x_label, *y_label;
};
static const struct chart charts[] = {
    {"curves", "actions", "eval_mean", "eval_ci95", "learned moves", "mean score"},
    {"curves-time", "seconds", "eval_mean", "eval_ci95", "seconds of learning", "mean score"},
    {"curves-3-ply", "actions", "eval3_mean", "eval3_ci95", "learned moves", "mean score, 3-ply"},
    {"curves-3-ply-time", "seconds", "eval3_mean", "eval3_ci95", "seconds of learning", "mean score, 3-ply"},
};

/* The measured points of a log; an empty curve where there is no log. */
static enum status read_curve(struct log_curve *curve, const char *path, const struct chart *chart)
{
    struct log_table log;
    *curve = (struct log_curve){0};
    if (access(path, R_OK) != 0)
        return STATUS_OK;
    enum status status = log_table_read(&log, path);
    const double *x = log_table_column(&log, chart->x), *means = log_table_column(&log, chart->y);
    if (!status && x && means)
        status = log_table_curve(&log, x, means, log_table_column(&log, chart->half), curve);
    log_table_free(&log);
    return status;
}

/* Puts the curves of all seeds of a row together: mean and interval of the points that all of them have. */
static void join_seeds(struct log_curve *curves, unsigned n)
{
    size_t n_points = curves[0].n;
    for (unsigned k = 1; k < n; k++)
        n_points = curves[k].n < n_points ? curves[k].n : n_points;
    for (size_t i = 0; i < n_points && n > 1; i++) {
        double x = 0, mean = 0, squares = 0;
        for (unsigned k = 0; k < n; k++) {
            x += curves[k].x[i] / n;
            mean += curves[k].y[i] / n;
        }
        for (unsigned k = 0; k < n; k++)
            squares += (curves[k].y[i] - mean) * (curves[k].y[i] - mean);
        curves[0].x[i] = x; /* seeds overshoot a little differently */
        curves[0].y[i] = mean;
        curves[0].half[i] = student95(n - 1) * sqrt(squares / (n - 1) / n);
    }
    curves[0].n = n_points;
}

/* The curve of a row over the seeds that have a log. */
static enum status read_row_curve(const struct reproduce_table *table, const char *directory, size_t row,
                                  const struct chart *chart, struct log_curve *out)
{
    struct log_curve *curves = memory_allocate(table->n_seeds, sizeof *curves);
    enum status status = curves ? STATUS_OK : STATUS_NO_MEMORY;
    unsigned n = 0;
    for (unsigned seed = 0; seed < table->n_seeds && !status; seed++) {
        char *folder = reproduce_run_folder(directory, &table->group->rows[row], seed);
        char *path = folder ? file_path(folder, "log.csv") : NULL;
        status = path ? read_curve(&curves[n], path, chart) : STATUS_NO_MEMORY;
        if (curves[n].n > 0)
            n++;
        else
            log_curve_free(&curves[n]); /* its place is the next one's */
        free(folder);
        free(path);
    }
    if (!status && n > 0) {
        join_seeds(curves, n);
        *out = curves[0];
        curves[0] = (struct log_curve){0};
    }
    for (unsigned k = 0; curves && k < table->n_seeds; k++)
        log_curve_free(&curves[k]);
    free(curves);
    return status;
}

/* Draws the rows from `first` on; a chart without any point is left out, unless it is the first kind. */
static enum status draw_page(const struct reproduce_table *table, const char *directory, size_t first, unsigned page,
                             const struct chart *chart)
{
    const struct group *group = table->group;
    struct log_curve curves[PLOT_MAX_LINES] = {0};
    struct plot plot = {
        .title = group->title, .x_label = chart->x_label, .y_label = chart->y_label, .y_from_zero = true};
    enum status status = STATUS_OK;
    for (size_t i = 0; i < PLOT_MAX_LINES && first + i < group->n_rows && !status; i++) {
        status = read_row_curve(table, directory, first + i, chart, &curves[i]);
        if (!status && curves[i].n)
            plot.lines[plot.n_lines++] = (struct plot_line){.label = group->rows[first + i].label,
                                                            .x = curves[i].x,
                                                            .y = curves[i].y,
                                                            .n = curves[i].n,
                                                            .half = curves[i].half};
    }
    char name[40];
    snprintf(name, sizeof name, "%s-%u.svg", chart->file, page);
    char *path = file_path(directory, name);
    if (!status && (plot.n_lines > 0 || chart == charts))
        status = path ? plot_write_svg(&plot, path) : STATUS_NO_MEMORY;
    free(path);
    for (size_t i = 0; i < PLOT_MAX_LINES; i++)
        log_curve_free(&curves[i]);
    return status;
}

enum status reproduce_table_draw(const struct reproduce_table *table, const char *directory)
{
    enum status status = STATUS_OK;
    for (size_t i = 0; i < sizeof charts / sizeof *charts; i++) {
        unsigned page = 1;
        for (size_t first = 0; first < table->group->n_rows && !status; first += PLOT_MAX_LINES)
            status = draw_page(table, directory, first, page++, &charts[i]);
    }
    return status;
}
