/* age_statistics: computes the statistics of a solved board age by age, and writes them as CSV and charts. */
#include "study/age_statistics.h"

#include "base/file.h"
#include "base/memory.h"
#include "base/signals.h"
#include "study/plot.h"

#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LINE_BYTES = 512 };

/* ---- Computing -------------------------------------------------------------------------------------------------- */

struct statistics_work {
    const struct table *table;
    struct age_set afterstates;
    struct age_figures figures;
    const atomic_bool *cancel;
};

static enum status check_stop(const atomic_bool *cancel)
{
    if (signals_interrupted() || (cancel && atomic_load_explicit(cancel, memory_order_relaxed)))
        return status_fail(STATUS_INTERRUPTED, "interrupted");
    return STATUS_OK;
}

/* Whether no tile that may appear leaves a move. Without walls only one cell is empty then. */
static bool is_terminal_afterstate(const struct table *table, uint64_t cells, uint64_t empty)
{
    const double chance_of_4 = table_summary(table)->chance_of_4;
    if (empty & (empty - 1))
        return false;
    return (chance_of_4 == 1 || !table_moves(table, (struct board){.cells = cells | empty}).legal) &&
           (chance_of_4 == 0 || !table_moves(table, (struct board){.cells = cells | empty << 1}).legal);
}

static enum status sum_afterstates(void *context, unsigned worker, uint64_t item)
{
    (void)worker;
    struct statistics_work *work = context;
    uint64_t n_empty = 0, n_ended = 0;
    struct age_walk walk;
    age_walk_begin(&walk, &work->afterstates, &work->afterstates.spans[item]);
    while (age_walk_next(&walk)) {
        uint64_t empty = table_layout(work->table)->free_bits & ~board_occupied_bits(walk.cells);
        n_empty += (unsigned)__builtin_popcountll(empty);
        n_ended += is_terminal_afterstate(work->table, walk.cells, empty);
    }
    __atomic_fetch_add(&work->figures.n_empty, n_empty, __ATOMIC_RELAXED);
    __atomic_fetch_add(&work->figures.n_ended, n_ended, __ATOMIC_RELAXED);
    return check_stop(work->cancel);
}

static double best_of(const struct table *table, uint32_t age)
{
    const struct table_age *found = table ? table_age_of(table, age) : NULL;
    return found && found->n_afterstates ? found->best_value : NAN;
}

/* Checkpoints keep only some pairs of ages: then there are only counts. */
static bool has_all_sets(const struct table *table)
{
    for (size_t i = 0; i < table_n_ages(table); i++) {
        if (!table_has_set(table, table_age_at(table, i)->age))
            return false;
    }
    return true;
}

/* Figures computed from the set of an age, for tables whose index does not have them yet. */
static enum status count_in_set(const struct statistics_request *request, uint32_t age, struct age_figures *figures)
{
    struct statistics_work work = {.table = request->table, .cancel = request->cancel};
    enum status status = table_load_set(request->table, request->workers, age, &work.afterstates);
    if (!status)
        status = workers_for(request->workers, work.afterstates.n_spans, sum_afterstates, &work);
    age_set_free(&work.afterstates);
    *figures = work.figures;
    return status;
}

static double share(uint64_t part, uint64_t whole)
{
    return whole ? (double)part / (double)whole : NAN;
}

static enum status compute_age(const struct statistics_request *request, const struct table_age *age, bool with_sets,
                               struct age_statistics *out)
{
    const unsigned goal = table_summary(request->table)->goal;
    struct age_figures figures = age->figures;
    enum status status = STATUS_OK;
    if (!age->has_figures && with_sets)
        status = count_in_set(request, age->age, &figures);
    bool known = age->has_figures || with_sets;
    *out = (struct age_statistics){
        .age = age->age,
        .n_states = age->n_states,
        .n_terminal_states = age->n_terminal,
        .n_afterstates = age->n_afterstates,
        .terminal_share = known && !goal ? share(figures.n_ended, age->n_afterstates) : NAN,
        .mean_empty = known ? share(figures.n_empty, age->n_afterstates) : NAN,
        .alternative_share = goal ? NAN : share(figures.n_near, figures.n_open),
        .mean_gap = share(figures.gaps, figures.n_open) * age_gap_unit,
        .set_checksum = age->set_checksum,
        .value_checksum = age->value_checksum,
    };
    out->best_value[VARIANT_NORMAL] = best_of(request->table, age->age);
    out->best_value[VARIANT_OPTIMISTIC] = best_of(request->optimistic, age->age);
    out->best_value[VARIANT_PESSIMISTIC] = best_of(request->pessimistic, age->age);
    return status;
}

enum status age_statistics_compute(const struct statistics_request *request, struct age_statistics **out, size_t *n)
{
    const bool with_sets = has_all_sets(request->table);
    *out = NULL;
    *n = table_n_ages(request->table);
    struct age_statistics *ages = memory_allocate(*n, sizeof *ages);
    enum status status = ages ? STATUS_OK : STATUS_NO_MEMORY;
    double done = 0;
    for (size_t i = 0; !status && i < *n; i++) {
        const struct table_age *age = table_age_at(request->table, i);
        status = compute_age(request, age, with_sets, &ages[i]);
        done += (double)age->n_states;
        if (request->progress)
            progress_update(request->progress, done, NULL);
        if (request->n_states)
            atomic_store_explicit(request->n_states, (unsigned long long)done, memory_order_relaxed);
        if (!status)
            status = check_stop(request->cancel);
    }
    if (status) {
        free(ages);
        return status;
    }
    *out = ages;
    return STATUS_OK;
}

/* ---- Writing ---------------------------------------------------------------------------------------------------- */

const char *const age_column_names[AGE_COLUMN_COUNT] = {
    [AGE_COLUMN_AGE] = "age",
    [AGE_COLUMN_STATES] = "states",
    [AGE_COLUMN_AFTERSTATES] = "afterstates",
    [AGE_COLUMN_TERMINAL_STATES] = "terminal_states",
    [AGE_COLUMN_BEST_VALUE] = "best_value",
    [AGE_COLUMN_OPTIMISTIC] = "optimistic",
    [AGE_COLUMN_PESSIMISTIC] = "pessimistic",
    [AGE_COLUMN_TERMINAL_SHARE] = "terminal_share",
    [AGE_COLUMN_ALTERNATIVE_SHARE] = "alternative_share",
    [AGE_COLUMN_MEAN_EMPTY] = "mean_empty",
    [AGE_COLUMN_MEAN_GAP] = "mean_gap",
};

double age_column_of(const struct age_statistics *age, enum age_column column)
{
    switch (column) {
    case AGE_COLUMN_AGE:
        return age->age;
    case AGE_COLUMN_STATES:
        return (double)age->n_states;
    case AGE_COLUMN_AFTERSTATES:
        return (double)age->n_afterstates;
    case AGE_COLUMN_TERMINAL_STATES:
        return (double)age->n_terminal_states;
    case AGE_COLUMN_BEST_VALUE:
        return age->best_value[VARIANT_NORMAL];
    case AGE_COLUMN_OPTIMISTIC:
        return age->best_value[VARIANT_OPTIMISTIC];
    case AGE_COLUMN_PESSIMISTIC:
        return age->best_value[VARIANT_PESSIMISTIC];
    case AGE_COLUMN_TERMINAL_SHARE:
        return age->terminal_share;
    case AGE_COLUMN_ALTERNATIVE_SHARE:
        return age->alternative_share;
    case AGE_COLUMN_MEAN_EMPTY:
        return age->mean_empty;
    default:
        return age->mean_gap;
    }
}

/* A cell without a number is empty. */
static enum status write_csv(const struct age_statistics *ages, size_t n, const char *path)
{
    struct file_writer *file;
    enum status status = file_writer_open(&file, path);
    if (status)
        return status;
    char line[LINE_BYTES];
    int used = 0;
    for (unsigned column = 0; column < AGE_COLUMN_COUNT; column++)
        used += snprintf(line + used, sizeof line - (size_t)used, "%s,", age_column_names[column]);
    used += snprintf(line + used, sizeof line - (size_t)used, "set_checksum,value_checksum\n");
    status = file_writer_append(file, line, (size_t)used);
    for (size_t i = 0; !status && i < n; i++) {
        used = 0;
        for (unsigned column = 0; column < AGE_COLUMN_COUNT; column++) {
            double number = age_column_of(&ages[i], column);
            if (!isnan(number))
                used += snprintf(line + used, sizeof line - (size_t)used, "%.12g", number);
            line[used++] = ',';
        }
        if (ages[i].set_checksum)
            used += snprintf(line + used, sizeof line - (size_t)used, "%016" PRIx64 ",%016" PRIx64,
                             ages[i].set_checksum, ages[i].value_checksum);
        else
            line[used++] = ',';
        line[used++] = '\n';
        status = file_writer_append(file, line, (size_t)used);
    }
    if (!status)
        return file_writer_commit(file);
    file_writer_abort(file);
    return status;
}

struct chart_line {
    enum age_column column;
    const char *label;
    bool dashed;
};

struct chart {
    const char *file, *title, *y_label;
    const char *goal_y_label; /* where values are chances; NULL: the same */
    bool log_y;
    struct chart_line lines[3];
};

static const struct chart charts[AGE_CHART_COUNT] = {
    {"counts.svg",
     "States and afterstates",
     "number",
     NULL,
     true,
     {{AGE_COLUMN_STATES, "states", false}, {AGE_COLUMN_AFTERSTATES, "afterstates", true}}},
    {"values.svg",
     "Value of the best afterstate",
     "expected score to come",
     "chance that the tile is made",
     false,
     {{AGE_COLUMN_BEST_VALUE, "random tiles", false},
      {AGE_COLUMN_OPTIMISTIC, "optimistic", true},
      {AGE_COLUMN_PESSIMISTIC, "pessimistic", true}}},
    {"shares.svg",
     "Ends, and alternatives",
     "share",
     NULL,
     false,
     {{AGE_COLUMN_TERMINAL_SHARE, "afterstates that end the game", false},
      {AGE_COLUMN_ALTERNATIVE_SHARE, "states whose second-best action loses less than 1", true}}},
    {"empty.svg",
     "Empty cells of afterstates",
     "mean number",
     NULL,
     false,
     {{AGE_COLUMN_MEAN_EMPTY, "empty cells", false}}},
    {"gaps.svg",
     "Best against second-best action",
     "mean difference of values",
     "mean difference of chances",
     false,
     {{AGE_COLUMN_MEAN_GAP, "difference", false}}},
};

/* The distance of the vertical lines: the tile whose multiples divide the ages into four or more. */
static double guide_distance(uint32_t last_age)
{
    double distance = 2;
    while (distance * 8 <= (double)last_age)
        distance *= 2;
    return distance;
}

static bool has_number(const struct age_statistics *ages, size_t n, enum age_column column)
{
    for (size_t i = 0; i < n; i++) {
        if (!isnan(age_column_of(&ages[i], column)))
            return true;
    }
    return false;
}

static bool has_line(const struct chart *chart, unsigned i)
{
    return i < sizeof chart->lines / sizeof *chart->lines && chart->lines[i].label;
}

size_t age_statistics_charts(const struct age_statistics *ages, size_t n, const char *names[AGE_CHART_COUNT])
{
    size_t n_charts = 0;
    for (size_t i = 0; i < AGE_CHART_COUNT; i++) {
        bool drawn = false;
        for (unsigned line = 0; has_line(&charts[i], line); line++)
            drawn |= has_number(ages, n, charts[i].lines[line].column);
        if (drawn)
            names[n_charts++] = charts[i].file;
    }
    return n_charts;
}

/* "States and afterstates of the 3x3 board by age", and ", tile:512, 4s at 0.25" where these are not the usual
   rules. */
static void write_title(char *title, size_t bytes, const struct chart *chart, const struct table_summary *summary)
{
    char objective[TABLE_OBJECTIVE_BYTES], goal[TABLE_OBJECTIVE_BYTES + 2] = "", fours[32] = "";
    if (summary->goal)
        snprintf(goal, sizeof goal, ", %s", table_objective_text(summary->goal, objective));
    if (summary->chance_of_4 != TABLE_USUAL_CHANCE_OF_4)
        snprintf(fours, sizeof fours, ", 4s at %.10g", summary->chance_of_4);
    snprintf(title, bytes, "%s of the %ux%u board by age%s%s", chart->title, summary->rows, summary->cols, goal, fours);
}

/* `columns` has AGE_COLUMN_COUNT arrays of n numbers. Lines without any number are left out, and a chart without lines
   is not written. */
static enum status write_chart(const struct chart *chart, const struct age_statistics *ages, const double *columns,
                               size_t n, const struct table_summary *summary, const char *folder)
{
    char title[128], path[PATH_MAX];
    write_title(title, sizeof title, chart, summary);
    if ((size_t)snprintf(path, sizeof path, "%s/%s", folder, chart->file) >= sizeof path)
        return status_fail(STATUS_IO, "%s: the path is too long", folder);
    struct plot plot = {.title = title, .x_label = "age (sum of the tiles)", .y_label = chart->y_label};
    if (summary->goal && chart->goal_y_label)
        plot.y_label = chart->goal_y_label;
    plot.log_y = chart->log_y;
    plot.y_from_zero = true;
    plot.x_guide = n ? guide_distance((uint32_t)columns[n - 1]) : 0;
    for (unsigned i = 0; has_line(chart, i); i++) {
        const struct chart_line *line = &chart->lines[i];
        const double *numbers = columns + line->column * n;
        if (has_number(ages, n, line->column))
            plot.lines[plot.n_lines++] = (struct plot_line){line->label, columns, numbers, n, line->dashed, NULL};
    }
    return plot.n_lines ? plot_write_svg(&plot, path) : STATUS_OK;
}

enum status age_statistics_write(const struct age_statistics *ages, size_t n, const struct table_summary *summary,
                                 const char *folder)
{
    char path[PATH_MAX];
    if ((size_t)snprintf(path, sizeof path, "%s/ages.csv", folder) >= sizeof path)
        return status_fail(STATUS_IO, "%s: the path is too long", folder);
    enum status status = file_make_directory(folder);
    if (!status)
        status = write_csv(ages, n, path);
    if (status)
        return status;
    double *columns = memory_allocate(n * AGE_COLUMN_COUNT, sizeof *columns);
    if (!columns)
        return STATUS_NO_MEMORY;
    for (unsigned column = 0; column < AGE_COLUMN_COUNT; column++) {
        for (size_t i = 0; i < n; i++)
            columns[column * n + i] = age_column_of(&ages[i], column);
    }
    for (size_t i = 0; !status && i < AGE_CHART_COUNT; i++)
        status = write_chart(&charts[i], ages, columns, n, summary, folder);
    free(columns);
    return status;
}
