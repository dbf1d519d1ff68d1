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

/* Sums over a span; added up in the order of spans, so that the result does not depend on the number of threads. */
struct span_sums {
    uint64_t n_terminal, n_empty;     /* afterstates */
    uint64_t n_states, n_alternative; /* states with two actions or more */
    double gaps;
};

struct statistics_work {
    const struct grid *grid;
    struct age_set afterstates, states;
    struct memory_block values;
    struct span_sums *sums; /* one for each span of the set that is walked */
    const atomic_bool *cancel;
};

static enum status check_stop(const atomic_bool *cancel)
{
    if (signals_interrupted() || (cancel && atomic_load_explicit(cancel, memory_order_relaxed)))
        return status_fail(STATUS_INTERRUPTED, "interrupted");
    return STATUS_OK;
}

static inline uint32_t position_of(const struct age_set *set, uint64_t cells)
{
    return age_set_position(set, age_frame_place(set->frame, cells));
}

/* Whether no tile that may appear leaves a move: then only one cell is empty, and both tiles end the game. */
static bool is_terminal_afterstate(const struct grid *grid, uint64_t cells, uint64_t empty)
{
    return (empty & (empty - 1)) == 0 && grid_is_terminal(grid, (struct board){.cells = cells | empty}) &&
           grid_is_terminal(grid, (struct board){.cells = cells | empty << 1});
}

static enum status sum_afterstates(void *context, unsigned worker, uint64_t item)
{
    (void)worker;
    struct statistics_work *work = context;
    struct span_sums sums = {0};
    struct age_walk walk;
    age_walk_begin(&walk, &work->afterstates, &work->afterstates.spans[item]);
    while (age_walk_next(&walk)) {
        uint64_t empty = work->grid->used & ~board_occupied_bits(walk.cells);
        sums.n_empty += (unsigned)__builtin_popcountll(empty);
        sums.n_terminal += is_terminal_afterstate(work->grid, walk.cells, empty);
    }
    work->sums[item] = sums;
    return check_stop(work->cancel);
}

/* The gap between the best and the second-best action; NaN if there are not two. */
static double gap_of_state(const struct statistics_work *work, uint64_t cells)
{
    struct moves moves = grid_moves(work->grid, (struct board){.cells = cells});
    const double *values = work->values.data;
    uint32_t positions[DIRECTION_COUNT];
    double best = -INFINITY, second = -INFINITY;
    unsigned n = 0;
    for (unsigned d = 0; d < DIRECTION_COUNT; d++) {
        if (!(moves.legal >> d & 1))
            continue;
        uint32_t position = position_of(&work->afterstates, moves.after[d].cells);
        bool known = false; /* images of one afterstate bring the same reward */
        for (unsigned k = 0; k < n; k++)
            known |= positions[k] == position;
        if (known)
            continue;
        positions[n++] = position;
        double value = (double)moves.reward[d] + values[position];
        second = value > best ? best : value > second ? value : second;
        best = value > best ? value : best;
    }
    return n >= 2 ? best - second : NAN;
}

static enum status sum_states(void *context, unsigned worker, uint64_t item)
{
    (void)worker;
    struct statistics_work *work = context;
    struct span_sums sums = {0};
    struct age_walk walk;
    age_walk_begin(&walk, &work->states, &work->states.spans[item]);
    while (age_walk_next(&walk)) {
        double gap = gap_of_state(work, walk.cells);
        if (isnan(gap))
            continue;
        sums.n_states++;
        sums.n_alternative += gap < 1.0;
        sums.gaps += gap;
    }
    work->sums[item] = sums;
    return check_stop(work->cancel);
}

/* Walks a set and adds its sums to *total. */
static enum status sum_set(struct statistics_work *work, const struct age_set *set, struct workers *workers,
                           workers_item_job job, struct span_sums *total)
{
    work->sums = memory_allocate(set->n_spans, sizeof *work->sums);
    if (!work->sums)
        return STATUS_NO_MEMORY;
    enum status status = workers_for(workers, set->n_spans, job, work);
    for (size_t i = 0; !status && i < set->n_spans; i++) {
        total->n_terminal += work->sums[i].n_terminal;
        total->n_empty += work->sums[i].n_empty;
        total->n_states += work->sums[i].n_states;
        total->n_alternative += work->sums[i].n_alternative;
        total->gaps += work->sums[i].gaps;
    }
    free(work->sums);
    return status;
}

static double best_of(const struct table *table, uint32_t age)
{
    const struct table_age *found = table ? table_age_of(table, age) : NULL;
    return found && found->n_afterstates ? found->best_value : NAN;
}

/* What can be computed of a table, by what it stores. */
enum stored_part { STORED_COUNTS, STORED_SETS, STORED_VALUES };

/* The sets of checkpoints alone would give figures of two ages here and there: then only counts. */
static enum stored_part stored_part_of(const struct table *table)
{
    const struct table_summary *summary = table_summary(table);
    if (summary->backward_done && summary->store == STORE_VALUES)
        return STORED_VALUES;
    for (size_t i = 0; i < table_n_ages(table); i++) {
        if (!table_has_set(table, table_age_at(table, i)->age))
            return STORED_COUNTS;
    }
    return STORED_SETS;
}

/* The sums over one age. */
static enum status sum_age(const struct statistics_request *request, const struct table_age *age, enum stored_part part,
                           struct span_sums *total)
{
    struct statistics_work work = {.grid = table_grid(request->table), .cancel = request->cancel};
    enum status status = STATUS_OK;
    if (part >= STORED_SETS)
        status = table_load_set(request->table, request->workers, age->age, &work.afterstates);
    if (!status && part >= STORED_SETS)
        status = sum_set(&work, &work.afterstates, request->workers, sum_afterstates, total);
    if (part == STORED_VALUES && age->n_afterstates) {
        if (!status)
            status = table_load_values(request->table, request->workers, age->age, &work.values);
        if (!status)
            status = table_load_states(request->table, request->workers, age->age, &work.states);
        if (!status)
            status = sum_set(&work, &work.states, request->workers, sum_states, total);
    }
    age_set_free(&work.afterstates);
    age_set_free(&work.states);
    memory_block_free(&work.values);
    return status;
}

static enum status compute_age(const struct statistics_request *request, const struct table_age *age,
                               enum stored_part part, struct age_statistics *out)
{
    struct span_sums total = {0};
    enum status status = sum_age(request, age, part, &total);
    *out = (struct age_statistics){
        .age = age->age,
        .n_states = age->n_states,
        .n_terminal_states = age->n_terminal,
        .n_afterstates = age->n_afterstates,
        .terminal_share = NAN,
        .mean_empty = NAN,
        .alternative_share = NAN,
        .mean_gap = NAN,
    };
    if (part >= STORED_SETS && age->n_afterstates) {
        out->terminal_share = (double)total.n_terminal / (double)age->n_afterstates;
        out->mean_empty = (double)total.n_empty / (double)age->n_afterstates;
    }
    if (total.n_states) {
        out->alternative_share = (double)total.n_alternative / (double)total.n_states;
        out->mean_gap = total.gaps / (double)total.n_states;
    }
    out->best_value[VARIANT_NORMAL] = best_of(request->table, age->age);
    out->best_value[VARIANT_OPTIMISTIC] = best_of(request->optimistic, age->age);
    out->best_value[VARIANT_PESSIMISTIC] = best_of(request->pessimistic, age->age);
    return status;
}

enum status age_statistics_compute(const struct statistics_request *request, struct age_statistics **out, size_t *n)
{
    enum stored_part part = stored_part_of(request->table);
    *out = NULL;
    *n = table_n_ages(request->table);
    struct age_statistics *ages = memory_allocate(*n, sizeof *ages);
    enum status status = ages ? STATUS_OK : STATUS_NO_MEMORY;
    double done = 0;
    for (size_t i = 0; !status && i < *n; i++) {
        const struct table_age *age = table_age_at(request->table, i);
        status = compute_age(request, age, part, &ages[i]);
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

static const char *end_of(enum age_column column)
{
    return column + 1 < AGE_COLUMN_COUNT ? "," : "\n";
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
        used += snprintf(line + used, sizeof line - (size_t)used, "%s%s", age_column_names[column], end_of(column));
    status = file_writer_append(file, line, (size_t)used);
    for (size_t i = 0; !status && i < n; i++) {
        used = 0;
        for (unsigned column = 0; column < AGE_COLUMN_COUNT; column++) {
            double number = age_column_of(&ages[i], column);
            used += isnan(number)
                        ? snprintf(line + used, sizeof line - (size_t)used, "%s", end_of(column))
                        : snprintf(line + used, sizeof line - (size_t)used, "%.12g%s", number, end_of(column));
        }
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
    bool log_y;
    struct chart_line lines[3];
};

static const struct chart charts[AGE_CHART_COUNT] = {
    {"counts.svg",
     "States and afterstates",
     "number",
     true,
     {{AGE_COLUMN_STATES, "states", false}, {AGE_COLUMN_AFTERSTATES, "afterstates", true}}},
    {"values.svg",
     "Value of the best afterstate",
     "expected score to come",
     false,
     {{AGE_COLUMN_BEST_VALUE, "random tiles", false},
      {AGE_COLUMN_OPTIMISTIC, "optimistic", true},
      {AGE_COLUMN_PESSIMISTIC, "pessimistic", true}}},
    {"shares.svg",
     "Ends, and alternatives",
     "share",
     false,
     {{AGE_COLUMN_TERMINAL_SHARE, "afterstates that end the game", false},
      {AGE_COLUMN_ALTERNATIVE_SHARE, "states whose second-best action loses less than 1", true}}},
    {"empty.svg", "Empty cells of afterstates", "mean number", false, {{AGE_COLUMN_MEAN_EMPTY, "empty cells", false}}},
    {"gaps.svg",
     "Best against second-best action",
     "mean difference of values",
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

/* `columns` has AGE_COLUMN_COUNT arrays of n numbers. Lines without any number are left out, and a chart without lines
   is not written. */
static enum status write_chart(const struct chart *chart, const struct age_statistics *ages, const double *columns,
                               size_t n, const char *size, const char *folder)
{
    char title[128], path[PATH_MAX];
    snprintf(title, sizeof title, "%s of the %s board by age", chart->title, size);
    if ((size_t)snprintf(path, sizeof path, "%s/%s", folder, chart->file) >= sizeof path)
        return status_fail(STATUS_IO, "%s: the path is too long", folder);
    struct plot plot = {.title = title, .x_label = "age (sum of the tiles)", .y_label = chart->y_label};
    plot.log_y = chart->log_y;
    plot.y_from_zero = true;
    plot.x_guide = n ? guide_distance((uint32_t)columns[n - 1]) : 0;
    for (unsigned i = 0; has_line(chart, i); i++) {
        const struct chart_line *line = &chart->lines[i];
        const double *numbers = columns + line->column * n;
        if (has_number(ages, n, line->column))
            plot.lines[plot.n_lines++] = (struct plot_line){line->label, columns, numbers, n, line->dashed};
    }
    return plot.n_lines ? plot_write_svg(&plot, path) : STATUS_OK;
}

enum status age_statistics_write(const struct age_statistics *ages, size_t n, const char *size, const char *folder)
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
        status = write_chart(&charts[i], ages, columns, n, size, folder);
    free(columns);
    return status;
}
