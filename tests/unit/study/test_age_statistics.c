/* Statistics by age against a plain count over the boards of each age, on 2x3. */
#include "solved_board.h"

#include "study/age_statistics.h"

#include <math.h>

static void assert_near(double got, double expected)
{
    if (!(fabs(got - expected) <= 1e-9 * (1 + fabs(expected))) && !(isnan(got) && isnan(expected)))
        fail_msg("%.12g, expected %.12g", got, expected);
}

/* Whether a game that continues from here has a move, for each tile that may appear. */
static bool ends_the_game(const struct table *table, struct board after)
{
    const struct grid *grid = table_grid(table);
    const double of_4 = table_summary(table)->chance_of_4;
    for (unsigned cell = 0; cell < grid->n_cells; cell++) {
        for (unsigned value = 1; value <= 2 && board_get(after, cell) == 0; value++) {
            bool appears = value == 1 ? of_4 < 1 : of_4 > 0;
            if (appears && !grid_is_terminal(grid, board_set(after, cell, value)))
                return false;
        }
    }
    return true;
}

static void check_afterstates(const struct table *table, const struct age_statistics *age)
{
    const struct grid *grid = table_grid(table);
    double n_empty = 0, n_terminal = 0, best = NAN;
    for (uint64_t i = 0; i < age->n_afterstates; i++) {
        struct board board;
        double value;
        assert_ok(table_board_at(table, age->age, i, &board));
        assert_ok(table_value_at(table, age->age, i, &value));
        for (unsigned cell = 0; cell < grid->n_cells; cell++)
            n_empty += board_get(board, cell) == 0;
        n_terminal += ends_the_game(table, board);
        best = i == 0 || value > best ? value : best;
    }
    assert_near(age->mean_empty, n_empty / (double)age->n_afterstates);
    bool with_goal = table_summary(table)->goal != 0;
    assert_near(age->terminal_share, with_goal ? NAN : n_terminal / (double)age->n_afterstates);
    if (age->n_afterstates)
        assert_true(fabs(age->best_value[VARIANT_NORMAL] - best) <= 0x1p-16);
}

/* Different values of the moves of a state, from the largest; classes of afterstates count once. */
static void check_states(const struct table *table, struct workers *workers, const struct age_statistics *age)
{
    const struct grid *grid = table_grid(table);
    struct age_set states = {0};
    double n = 0, n_alternative = 0, gaps = 0;
    assert_ok(table_load_states(table, workers, age->age, &states));
    for (size_t span = 0; span < states.n_spans; span++) {
        struct age_walk walk;
        age_walk_begin(&walk, &states, &states.spans[span]);
        while (age_walk_next(&walk)) {
            struct moves moves = grid_moves(grid, (struct board){.cells = walk.cells});
            double best = -1, second = -1;
            for (unsigned d = 0; d < DIRECTION_COUNT; d++) {
                bool first_of_its_class = moves.legal >> d & 1;
                double value;
                /* Each move that makes the goal is an action. */
                for (unsigned k = 0; k < d && first_of_its_class && !table_is_won(table, moves.after[d]); k++)
                    first_of_its_class = !(moves.legal >> k & 1 && board_equal(grid_canonical(grid, moves.after[k]),
                                                                               grid_canonical(grid, moves.after[d])));
                if (!first_of_its_class)
                    continue;
                assert_ok(table_move_value(table, moves.after[d], moves.reward[d], &value));
                second = value > best ? best : fmax(second, value);
                best = fmax(best, value);
            }
            if (second < 0)
                continue;
            n++;
            n_alternative += best - second < 1;
            gaps += best - second;
        }
    }
    assert_near(age->alternative_share, table_summary(table)->goal ? NAN : n_alternative / n);
    /* Each gap was rounded to 2^-16, and is compared with one of stored values that were rounded so. */
    assert_true(n > 0 ? fabs(age->mean_gap - gaps / n) <= 0x1p-15 : isnan(age->mean_gap));
    age_set_free(&states);
}

static void test_against_plain_counts(void **state)
{
    (void)state;
    struct table *table = solved_board(2, 3, VARIANT_NORMAL, STORE_VALUES);
    struct table *optimistic = solved_board(2, 3, VARIANT_OPTIMISTIC, STORE_VALUES);
    struct workers *workers;
    struct age_statistics *ages, *again;
    size_t n, n_again;
    assert_ok(workers_create(&workers, 1));
    struct statistics_request request = {.table = table, .optimistic = optimistic, .workers = workers};
    assert_ok(age_statistics_compute(&request, &ages, &n));
    workers_free(workers);
    assert_int_equal(n, table_n_ages(table));
    assert_ok(workers_create(&workers, 3));
    request.workers = workers;
    assert_ok(age_statistics_compute(&request, &again, &n_again));
    assert_memory_equal(ages, again, n * sizeof *ages); /* bit for bit, for any number of threads */
    uint64_t n_states = 0;
    for (size_t i = 0; i < n; i++) {
        check_afterstates(table, &ages[i]);
        check_states(table, workers, &ages[i]);
        assert_true(isnan(ages[i].best_value[VARIANT_PESSIMISTIC]));
        if (ages[i].n_afterstates)
            assert_true(ages[i].best_value[VARIANT_OPTIMISTIC] >= ages[i].best_value[VARIANT_NORMAL] - 1e-3);
        n_states += ages[i].n_states;
    }
    assert_int_equal(n_states, 21752);
    assert_ok(age_statistics_write(ages, n, table_summary(table), scratch_path("figures")));
    size_t bytes;
    char *csv = scratch_read("figures/ages.csv", &bytes), *line = csv;
    for (size_t lines = 0; lines <= n; lines++, line++) {
        line = strchr(line, '\n');
        assert_non_null(line);
    }
    assert_int_equal(*line, 0);
    free(csv);
    static const char *const charts[] = {"counts", "values", "shares", "empty", "gaps"};
    for (size_t i = 0; i < sizeof charts / sizeof *charts; i++) {
        char name[64];
        snprintf(name, sizeof name, "figures/%s.svg", charts[i]);
        char *svg = scratch_read(name, &bytes);
        assert_non_null(strstr(svg, "of the 2x3 board by age"));
        free(svg);
    }
    free(ages);
    free(again);
    workers_free(workers);
    table_close(table);
    table_close(optimistic);
}

/* A chart says what its values are, and by which rules. */
static void check_figures(const struct table *table, const struct age_statistics *ages, size_t n)
{
    const struct table_summary *summary = table_summary(table);
    const char *charts[AGE_CHART_COUNT];
    char name[64], fours[32];
    size_t bytes, n_charts = age_statistics_charts(ages, n, charts);
    assert_int_equal(n_charts, summary->goal ? AGE_CHART_COUNT - 1 : AGE_CHART_COUNT); /* there are no shares */
    assert_ok(age_statistics_write(ages, n, summary, scratch_path("figures")));
    snprintf(fours, sizeof fours, ", 4s at %g", summary->chance_of_4);
    for (size_t i = 0; i < n_charts; i++) {
        snprintf(name, sizeof name, "figures/%s", charts[i]);
        char *svg = scratch_read(name, &bytes);
        assert_non_null(strstr(svg, "of the 2x3 board by age"));
        assert_int_equal(strstr(svg, fours) != NULL, summary->chance_of_4 != TABLE_USUAL_CHANCE_OF_4);
        assert_int_equal(strstr(svg, ", tile:") != NULL, summary->goal != 0);
        if (strcmp(charts[i], "values.svg") == 0)
            assert_non_null(strstr(svg, summary->goal ? "chance that the tile is made" : "expected score to come"));
        free(svg);
    }
}

static void test_other_rules(void **state)
{
    (void)state;
    struct workers *workers;
    assert_ok(workers_create(&workers, 1));
    for (size_t k = 0; k < N_OTHER_RULES; k++) {
        struct table *table = solved_board_by(other_rules[k], 2, 3, VARIANT_NORMAL, STORE_VALUES);
        struct statistics_request request = {.table = table, .workers = workers};
        struct age_statistics *ages;
        size_t n;
        assert_ok(age_statistics_compute(&request, &ages, &n));
        for (size_t i = 0; i < n; i++) {
            check_afterstates(table, &ages[i]);
            check_states(table, workers, &ages[i]);
        }
        check_figures(table, ages, n);
        free(ages);
        table_close(table);
    }
    workers_free(workers);
}

/* A table that is counted up to an age and not valued: what its sets show, or only its counts. */
static void check_counted(const struct age_statistics *full, double chance_of_4, enum solve_store store,
                          uint32_t checkpoint_every, bool with_sets)
{
    char directory[PATH_MAX];
    struct workers *workers;
    struct solve_report report;
    struct table *table;
    struct age_statistics *ages;
    size_t n;
    char name[64];
    snprintf(name, sizeof name, "%s-%g", with_sets ? "counted" : "checkpoints", chance_of_4);
    strcpy(directory, scratch_path(name));
    struct solve_settings settings = {.chance_of_4 = chance_of_4,
                                      .rows = 2,
                                      .cols = 3,
                                      .directory = directory,
                                      .store = store,
                                      .fraction_bits = 16,
                                      .checkpoint_every = checkpoint_every,
                                      .to_age = 100,
                                      .memory_bytes = UINT64_C(1) << 31,
                                      .progress_mode = PROGRESS_QUIET};
    assert_ok(workers_create(&workers, 2));
    assert_ok(solve_run(&settings, workers, &report));
    assert_ok(table_open(&table, directory));
    struct statistics_request request = {.table = table, .workers = workers};
    assert_ok(age_statistics_compute(&request, &ages, &n));
    assert_int_equal(n, 49);
    for (size_t i = 0; i < n; i++) {
        assert_int_equal(ages[i].age, full[i].age);
        assert_int_equal(ages[i].n_states, full[i].n_states);
        assert_int_equal(ages[i].n_terminal_states, full[i].n_terminal_states);
        assert_int_equal(ages[i].n_afterstates, full[i].n_afterstates);
        assert_near(ages[i].terminal_share, with_sets ? full[i].terminal_share : NAN);
        assert_near(ages[i].mean_empty, with_sets ? full[i].mean_empty : NAN);
        assert_true(isnan(ages[i].best_value[VARIANT_NORMAL]));
        assert_true(isnan(ages[i].alternative_share));
        assert_true(isnan(ages[i].mean_gap));
    }
    const char *charts[AGE_CHART_COUNT];
    assert_int_equal(age_statistics_charts(ages, n, charts), with_sets ? 3 : 1);
    assert_string_equal(charts[0], "counts.svg");
    free(ages);
    table_close(table);
    workers_free(workers);
}

static void test_without_values(void **state)
{
    (void)state;
    static const double chances[] = {TABLE_USUAL_CHANCE_OF_4, 0, 1};
    struct workers *workers;
    assert_ok(workers_create(&workers, 1));
    for (size_t i = 0; i < sizeof chances / sizeof *chances; i++) {
        struct table *table = solved_board_by((struct board_rules){0, chances[i]}, 2, 3, VARIANT_NORMAL, STORE_VALUES);
        struct age_statistics *full;
        size_t n;
        struct statistics_request request = {.table = table, .workers = workers};
        assert_ok(age_statistics_compute(&request, &full, &n));
        const char *charts[AGE_CHART_COUNT];
        assert_int_equal(age_statistics_charts(full, n, charts), AGE_CHART_COUNT);
        check_counted(full, chances[i], STORE_VALUES, 1, true);
        check_counted(full, chances[i], STORE_NONE, 10, false);
        free(full);
        table_close(table);
    }
    workers_free(workers);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_against_plain_counts),
        cmocka_unit_test(test_other_rules),
        cmocka_unit_test(test_without_values),
    };
    return cmocka_run_group_tests(tests, scratch_setup, scratch_teardown);
}
