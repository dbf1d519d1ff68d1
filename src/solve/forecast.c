/* forecast: what a solve will take, before it starts: time, memory and disk. */
#include "solve/forecast.h"

#include "base/clock.h"
#include "base/file.h"
#include "base/number_text.h"
#include "solve/expand.h"
#include "solve/layout_create.h"
#include "solve/table_index.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>

/* ---- what was measured ------------------------------------------------------------------------------------------- */

/*
 * A board: states and afterstates of all ages, and of the age with the most states; words of the largest bitmap; bytes
 * of the layout. 2x6 has 0.99 times as many words as 4x3, once its two numbers a board are taken into account, and the
 * other boards of two rows have 10 to 11 states a word where 4x3 has 8.
 */
struct board_figures {
    uint8_t rows, cols; /* rows <= cols */
    bool estimated;
    double n_states, n_afterstates, peak_states, peak_words, layout_bytes;
};

static const struct board_figures figures[] = {
    {1, 1, false, 2, 0, 1, 1, 1e3},
    {1, 2, false, 5, 2, 2, 2, 1e3},
    {1, 3, false, 36, 16, 5, 5, 1e5},
    {1, 4, false, 226, 104, 15, 15, 5e5},
    {1, 5, false, 1536, 685, 50, 24, 8.4e6},
    {1, 6, false, 10830, 4760, 166, 37, 134.5e6},
    {2, 2, false, 110, 67, 10, 11, 3e5},
    {2, 3, false, 21752, 14883, 302, 37, 3e5},
    {2, 4, false, 4980767, 3406686, 18210, 1732, 0.9e6},
    {2, 5, false, 1814373350, 1250559969, 1800493, 163383, 99.8e6},
    {2, 6, true, 1.57e12, 1.08e12, 4.0e8, 73302789, 263.5e6},
    {3, 3, false, 48713519, 31431374, 93061, 9365, 6.1e6},
    {3, 4, false, 1152817492752, 739648886170, 297784736, 37137482, 130.2e6},
};

/* The share of the states that have at most this age, on 4x3: counted up to 2000, then by the words of the bitmaps and
   the density of smaller boards. Others are alike, with ages in proportion to the largest: 2x5 has 0.077 at an eighth
   of it and 0.65 at five eighths. */
static const struct {
    double age, share;
} spread[] = {
    {4, 2e-11},       {20, 1.302e-8},  {40, 5.314e-7},  {60, 4.292e-6},  {100, 4.159e-5},  {160, 2.364e-4},
    {240, 8.464e-4},  {400, 3.318e-3}, {600, 8.323e-3}, {800, 1.546e-2}, {1000, 2.385e-2}, {1400, 4.307e-2},
    {2000, 7.734e-2}, {3000, 0.1445},  {4000, 0.2148},  {5000, 0.2863},  {6000, 0.3671},   {7000, 0.4393},
    {8000, 0.5015},   {9000, 0.5647},  {10000, 0.6461}, {11000, 0.7252}, {12000, 0.7957},  {13000, 0.8525},
    {14000, 0.9129},  {15000, 0.9589}, {16000, 0.9922}, {16380, 1},
};

enum { N_SPREAD = sizeof spread / sizeof *spread };

static const double set_bits = 3.6;          /* an afterstate: 3.1 to 4.7 on boards of 9 cells and more */
static const double value_integer_bits = 12; /* an afterstate, beside the bits of the fraction: 27 to 28 with 16 */
static const double move_bits = 1.8;         /* a state */
static const double backward_work = 2.2;     /* time for a state against that of the forward pass */
static const double move_work = 2.2;         /* added to it if moves are stored */
static const double peak_over_mean = 2.5;    /* states of the largest age of a count, over the mean of its ages */
static const double early_words = 0.6;       /* early ages are denser: words for a state, against those of the peak */

static const struct board_figures *find_figures(unsigned rows, unsigned cols)
{
    unsigned low = rows < cols ? rows : cols, high = rows < cols ? cols : rows;
    for (size_t i = 0; i < sizeof figures / sizeof *figures; i++) {
        if (figures[i].rows == low && figures[i].cols == high)
            return &figures[i];
    }
    return NULL;
}

/* Between two known ages as a power of the age: shares span eleven decades. */
static double share_up_to(unsigned n_cells, uint32_t to_age)
{
    double age = to_age * (spread[N_SPREAD - 1].age / walls_last_age((struct walls){0}, n_cells, 0));
    if (to_age == 0 || age >= spread[N_SPREAD - 1].age)
        return 1;
    if (age <= spread[0].age)
        return spread[0].share;
    size_t i = 1;
    while (spread[i].age < age)
        i++;
    double part = log(age / spread[i - 1].age) / log(spread[i].age / spread[i - 1].age);
    return spread[i - 1].share * pow(spread[i].share / spread[i - 1].share, part);
}

double forecast_states(unsigned rows, unsigned cols, uint32_t to_age)
{
    const struct board_figures *board = find_figures(rows, cols);
    return board ? board->n_states * share_up_to(rows * cols, to_age) : 0;
}

/*
 * Boards with walls: at most 0.16 of all contents of the free cells are states (block with 10 free cells and 512:
 * 0.153, rows: 0.040; 9 cells and 256: 0.142 and 0.079), their largest age has 0.0047 of them, and there are 8 states a
 * word. Ages, in proportion to the largest one, as on that block.
 */
static const double walled_share = 0.16, walled_afterstates = 0.57, walled_peak = 0.0047, walled_states_a_word = 8,
                    walled_layout_bytes = 60e6;
static const struct {
    double age, share;
} walled_spread[] = {{0, 0}, {0.078, 0.12}, {0.156, 0.47}, {0.234, 0.83}, {0.3125, 0.98}, {0.4, 1}, {1, 1}};

static double walled_share_up_to(const struct solve_settings *settings, unsigned n_cells)
{
    double age = (double)settings->to_age / walls_last_age(settings->walls, n_cells, settings->goal);
    if (settings->to_age == 0 || age >= 1)
        return 1;
    size_t i = 1;
    while (walled_spread[i].age < age)
        i++;
    double part = (age - walled_spread[i - 1].age) / (walled_spread[i].age - walled_spread[i - 1].age);
    return walled_spread[i - 1].share + part * (walled_spread[i].share - walled_spread[i - 1].share);
}

/* How many contents the free cells have, with tiles below the goal and within the caps. */
static double walled_contents(struct walls walls, unsigned n_cells, unsigned goal)
{
    double n = 1;
    for (unsigned cell = 0; cell < n_cells; cell++) {
        if (!(walls.cells >> cell & 1))
            n *= walls_cap(walls, cell) < goal ? walls_cap(walls, cell) + 1 : goal;
    }
    return n;
}

/* Figures of a board with walls; false if its settings are none. */
static bool make_walled_figures(const struct solve_settings *settings, struct board_figures *figure)
{
    struct grid grid;
    unsigned n_symmetries = 0;
    if (grid_create(&grid, settings->rows, settings->cols) != STATUS_OK)
        return false;
    bool good = walls_check(&grid, settings->walls, settings->goal) == STATUS_OK;
    for (unsigned s = 0; s < grid.n_symmetries; s++)
        n_symmetries += walls_keep(&grid, settings->walls, s);
    double n = walled_share * walled_contents(settings->walls, grid.n_cells, settings->goal) / n_symmetries;
    grid_free(&grid);
    *figure = (struct board_figures){.estimated = true,
                                     .n_states = n,
                                     .n_afterstates = walled_afterstates * n,
                                     .peak_states = walled_peak * n,
                                     .peak_words = walled_peak * n / walled_states_a_word,
                                     .layout_bytes = walled_layout_bytes};
    return good;
}

double forecast_settings_states(const struct solve_settings *settings)
{
    struct board_figures figure;
    if (!settings->walls.cells)
        return forecast_states(settings->rows, settings->cols, settings->to_age);
    if (!make_walled_figures(settings, &figure))
        return 0;
    return figure.n_states * walled_share_up_to(settings, settings->rows * settings->cols);
}

double forecast_backward_work(enum solve_store store, uint32_t checkpoint_every)
{
    double work = backward_work + (store == STORE_MOVES ? move_work : 0);
    return checkpoint_every > 1 ? work + (checkpoint_every - 2.0) / checkpoint_every : work;
}

/* ---- memory and disk --------------------------------------------------------------------------------------------- */

/* What the two passes of the solver check for (solver_check_memory). */
static double memory_of(const struct board_figures *board, const struct solve_settings *settings, double n_states,
                        unsigned n_threads)
{
    const double word = sizeof(uint64_t), ranked = word + sizeof(uint32_t), spare = 1.125;
    if (settings->to_age) {
        double ages = settings->to_age / 2.0, peak = fmin(board->peak_states, peak_over_mean * n_states / ages);
        double words = early_words * board->peak_words * peak / board->peak_states;
        return board->layout_bytes + (1 + 3.0 * n_threads) * words * word * spare;
    }
    double words = board->peak_words * spare, value_bytes = (double)value_form_bytes(settings->precision);
    double peak_afterstates = board->peak_states * board->n_afterstates / board->n_states;
    double forward = (1 + 3.0 * n_threads) * words * word;
    double backward = (n_threads - 1) * words * word + 5 * words * ranked + 3 * peak_afterstates * value_bytes +
                      2 * board->peak_states * (value_bytes + 1);
    if (settings->checkpoint_every > 1)
        backward += settings->checkpoint_every * peak_afterstates * set_bits / 8;
    return board->layout_bytes + fmax(forward, backward);
}

static double disk_of(const struct board_figures *board, const struct solve_settings *settings, double n_states)
{
    double every = settings->checkpoint_every, kept = every > 1 ? fmin(1, 2 / every) : 1;
    double ratio = board->n_afterstates / board->n_states, n_afterstates = n_states * ratio;
    double bytes = n_afterstates * kept * set_bits / 8;
    if (settings->to_age)
        return bytes;
    /* The exact values of two ages, and their next version before it takes its place. */
    bytes += 4 * board->peak_states * ratio * (double)value_form_bytes(settings->precision);
    if (settings->store == STORE_VALUES)
        bytes += n_afterstates * (value_integer_bits + settings->fraction_bits) / 8;
    if (settings->store == STORE_MOVES)
        bytes += n_states * move_bits / 8;
    return bytes;
}

/* ---- what is there already --------------------------------------------------------------------------------------- */

static double file_bytes(const char *directory, const char *name)
{
    struct stat found;
    char *path = file_path(directory, name);
    double bytes = path && stat(path, &found) == 0 ? (double)found.st_size : 0;
    free(path);
    return bytes;
}

static double directory_bytes(const struct table_index *index, const char *directory)
{
    double bytes = file_bytes(directory, "index.table") + file_bytes(directory, "resume.table");
    for (size_t i = 0; i < index->n_files; i++) {
        char name[TABLE_FILE_NAME_BYTES];
        bytes += file_bytes(directory, table_file_name(index->files[i], name));
    }
    return bytes;
}

struct solve_forecast forecast_make(const struct solve_settings *settings, unsigned n_threads)
{
    struct solve_forecast forecast = {0};
    struct board_figures walled;
    const struct board_figures *board = find_figures(settings->rows, settings->cols);
    struct table_index index = {0};
    if (settings->walls.cells)
        board = make_walled_figures(settings, &walled) ? &walled : NULL;
    if (!board)
        return forecast;
    if (table_index_exists(settings->directory)) {
        if (table_index_read(&index, settings->directory) != STATUS_OK)
            return forecast;
        if (index.summary.rows != settings->rows || index.summary.cols != settings->cols)
            table_index_free(&index);
    }
    double counted = (double)index.summary.n_states, valued = 0;
    for (size_t i = 0; i < index.n_ages; i++)
        valued += isnan(index.ages[i].best_value) ? 0 : (double)index.ages[i].n_states;
    bool counts_all =
        index.summary.forward_done || (settings->to_age && table_index_age(&index, settings->to_age & ~1u));
    double n_states = index.summary.forward_done ? counted : fmax(forecast_settings_states(settings), counted);
    double to_count = counts_all ? 0 : n_states - counted;
    double to_value = settings->to_age || index.summary.backward_done ? 0 : n_states - valued;
    forecast.work = to_count + to_value * forecast_backward_work(settings->store, settings->checkpoint_every);
    if (forecast.work > 0) {
        forecast.n_states = n_states;
        forecast.estimated = board->estimated || settings->to_age;
        forecast.memory_bytes = memory_of(board, settings, n_states, n_threads);
        forecast.disk_bytes =
            fmax(0, disk_of(board, settings, n_states) - directory_bytes(&index, settings->directory));
    }
    table_index_free(&index);
    return forecast;
}

/* ---- this machine ------------------------------------------------------------------------------------------------ */

uint64_t forecast_free_disk(const char *directory)
{
    char *path = memory_copy_text(directory);
    uint64_t bytes = UINT64_MAX;
    struct statvfs found;
    while (path) {
        if (statvfs(*path ? path : "/", &found) == 0) {
            bytes = (uint64_t)found.f_bavail * found.f_frsize;
            break;
        }
        char *slash = strrchr(path, '/');
        if (errno != ENOENT || strcmp(path, ".") == 0)
            break;
        if (slash)
            *slash = '\0';
        else
            strcpy(path, "."); /* a name has at least one letter */
    }
    free(path);
    return bytes;
}

/* The sets of the forward pass, in memory. */
struct rehearsal {
    struct age_set states[3], afterstates;
};

static struct age_set *states_of(struct rehearsal *rehearsal, uint32_t age)
{
    return &rehearsal->states[age / 2 % 3];
}

static enum status begin_states(struct rehearsal *rehearsal, const struct layout *layout, uint32_t age,
                                struct workers *workers)
{
    enum status status = age_set_begin(states_of(rehearsal, age), layout, age, workers);
    if (status)
        return status;
    expand_starts(states_of(rehearsal, age), TABLE_USUAL_CHANCE_OF_4);
    return STATUS_OK;
}

static enum status rehearse_age(struct rehearsal *rehearsal, const struct layout *layout, uint32_t age,
                                struct workers *workers, uint64_t *n_states)
{
    uint64_t n_terminal;
    enum status status = age_set_begin(&rehearsal->afterstates, layout, age, workers);
    if (status)
        return status;
    status = expand_moves(workers, states_of(rehearsal, age), &rehearsal->afterstates, n_states, &n_terminal);
    if (status)
        return status;
    status = age_set_count(&rehearsal->afterstates, workers);
    if (status)
        return status;
    status =
        expand_spawns(workers, &rehearsal->afterstates, states_of(rehearsal, age + 2), states_of(rehearsal, age + 4));
    if (status)
        return status;
    return begin_states(rehearsal, layout, age + 6, workers);
}

enum status forecast_measure_rate(const struct solve_settings *settings, struct workers *workers,
                                  double *states_per_second)
{
    enum { TO_AGE = 80, FEW_STATES = 20000 };
    static const double budget_seconds = 0.1;
    struct grid grid = {0};
    struct layout *layout = NULL;
    struct rehearsal rehearsal = {0};
    double seconds = 0, n_counted = 0;
    *states_per_second = 0;
    enum status status = grid_create(&grid, settings->rows, settings->cols);
    uint32_t first = walls_first_age(settings->walls, grid.n_cells), age = first;
    if (!status && walls_last_age(settings->walls, grid.n_cells, settings->goal) < TO_AGE + 6) {
        grid_free(&grid); /* too small to say anything */
        return STATUS_OK;
    }
    if (!status)
        status = layout_create(&layout, &grid, TO_AGE + 6, settings->walls.cells ? settings->goal : 0, settings->walls);
    for (; age <= first + 4 && !status; age += 2)
        status = begin_states(&rehearsal, layout, age, workers);
    double ends = clock_seconds() + budget_seconds;
    for (age = first; age <= TO_AGE && !status && (seconds <= 0 || clock_seconds() < ends); age += 2) {
        double started = clock_seconds();
        uint64_t n_states = 0;
        status = rehearse_age(&rehearsal, layout, age, workers, &n_states);
        if (n_states < FEW_STATES)
            continue; /* starting the threads takes longer */
        seconds += clock_seconds() - started;
        n_counted += (double)n_states;
    }
    if (!status && seconds > 0)
        *states_per_second = n_counted / seconds;
    for (int i = 0; i < 3; i++)
        age_set_free(&rehearsal.states[i]);
    age_set_free(&rehearsal.afterstates);
    layout_free(layout);
    grid_free(&grid);
    return status;
}

/* ---- refusing ---------------------------------------------------------------------------------------------------- */

static bool fits(const struct solve_settings *settings, unsigned n_threads, uint64_t free_disk_bytes)
{
    struct solve_forecast forecast = forecast_make(settings, n_threads);
    return forecast.disk_bytes <= (double)free_disk_bytes && forecast.memory_bytes <= (double)settings->memory_bytes;
}

/* The options that would fit, as words for a message. */
static void list_fitting(const struct solve_settings *settings, unsigned n_threads, uint64_t free_disk_bytes, char *out,
                         size_t out_bytes)
{
    static const enum solve_store stores[] = {STORE_VALUES, STORE_MOVES, STORE_NONE};
    size_t used = 0;
    out[0] = '\0';
    for (size_t i = 0; i < sizeof stores / sizeof *stores; i++) {
        struct solve_settings other = *settings;
        other.store = stores[i];
        for (other.checkpoint_every = 1; other.checkpoint_every <= (stores[i] == STORE_VALUES ? 1 : 256);
             other.checkpoint_every *= 2) {
            if (other.checkpoint_every == 2 || !fits(&other, n_threads, free_disk_bytes))
                continue; /* 2 is no fewer sets than 1 */
            used += (size_t)snprintf(out + used, out_bytes - used, "%s--store %s", used ? ", or " : "",
                                     solve_store_names[stores[i]]);
            if (other.checkpoint_every > 1)
                used +=
                    (size_t)snprintf(out + used, out_bytes - used, " --checkpoint-every %u", other.checkpoint_every);
            break;
        }
    }
}

enum status forecast_check(const struct solve_forecast *forecast, const struct solve_settings *settings,
                           unsigned n_threads, uint64_t free_disk_bytes)
{
    char fitting[256], advice[320] = "no --store and --checkpoint-every would fit", needed[32], there[32];
    bool no_disk = forecast->disk_bytes > (double)free_disk_bytes;
    if (!no_disk && forecast->memory_bytes <= (double)settings->memory_bytes)
        return STATUS_OK;
    list_fitting(settings, n_threads, free_disk_bytes, fitting, sizeof fitting);
    if (fitting[0])
        snprintf(advice, sizeof advice, "what fits%s: %s",
                 table_index_exists(settings->directory) ? " in another directory" : "", fitting);
    number_text_bytes(needed, no_disk ? forecast->disk_bytes : forecast->memory_bytes);
    number_text_bytes(there, (double)(no_disk ? free_disk_bytes : settings->memory_bytes));
    return status_fail(no_disk ? STATUS_IO : STATUS_NO_MEMORY,
                       "%ux%u needs about %s of %s, %s are %s; %s; --force starts anyway", settings->rows,
                       settings->cols, needed, no_disk ? "disk" : "memory", there,
                       no_disk ? "free" : "allowed (--memory)", advice);
}
