/*
 * Every board size up to 8 cells, solved by plain recursion with hash maps over grid.h (which other tests compare with
 * the reference), and each of its states and afterstates looked up in the table that the solver made.
 */
#include "scratch.h"

#include "base/workers.h"
#include "game/grid.h"
#include "solve/solver.h"
#include "solve/table.h"

#include <math.h>
#include <sys/stat.h>

/* What rounding to 2^-15 or less at each spawn of some 120 may amount to, and much more than it does. */
static const double ROUNDING = 120 * 0x1p-16;

/* ---- the oracle -------------------------------------------------------------------------------------------------- */

/* Open addressing over canonical words of at most 32 bits; 0, the empty board, marks a free place. */
struct map {
    uint32_t *key;
    double *value;
    size_t n, capacity;
};

struct oracle {
    struct grid grid;
    enum solve_variant variant;
    unsigned goal; /* 0: the score */
    double chance_of_4;
    struct map states, afterstates;
    uint64_t n_terminal;
};

static size_t map_place(const struct map *map, uint32_t key)
{
    size_t at = (size_t)key * UINT64_C(0x9e3779b97f4a7c15) >> 20 & (map->capacity - 1);
    while (map->key[at] && map->key[at] != key)
        at = (at + 1) & (map->capacity - 1);
    return at;
}

static void map_create(struct map *map, size_t capacity)
{
    *map = (struct map){calloc(capacity, sizeof *map->key), calloc(capacity, sizeof *map->value), 0, capacity};
    assert_non_null(map->key);
    assert_non_null(map->value);
}

static void map_free(struct map *map)
{
    free(map->key);
    free(map->value);
}

static double *map_add(struct map *map, uint32_t key, double value)
{
    size_t at = map_place(map, key);
    assert_true(map->n < map->capacity / 2 + map->capacity / 4);
    map->key[at] = key;
    map->value[at] = value;
    map->n++;
    return &map->value[at];
}

static double value_of_afterstate(struct oracle *oracle, struct board board);

static double value_of_state(struct oracle *oracle, struct board board)
{
    board = grid_canonical(&oracle->grid, board);
    size_t at = map_place(&oracle->states, (uint32_t)board.cells);
    if (oracle->states.key[at])
        return oracle->states.value[at];
    double best = 0;
    bool terminal = true;
    for (unsigned d = 0; d < DIRECTION_COUNT; d++) {
        uint32_t reward;
        struct board after = grid_move(&oracle->grid, board, d, &reward);
        if (board_equal(after, board))
            continue;
        terminal = false;
        if (!oracle->goal)
            best = fmax(best, reward + value_of_afterstate(oracle, after));
        else
            best = fmax(best, board_max_value(after) >= oracle->goal ? 1 : value_of_afterstate(oracle, after));
    }
    oracle->n_terminal += terminal;
    map_add(&oracle->states, (uint32_t)board.cells, best);
    return best;
}

static double value_of_afterstate(struct oracle *oracle, struct board board)
{
    board = grid_canonical(&oracle->grid, board);
    size_t at = map_place(&oracle->afterstates, (uint32_t)board.cells);
    if (oracle->afterstates.key[at])
        return oracle->afterstates.value[at];
    double total = 0;
    for (unsigned value = 1; value <= 2; value++) {
        double sum = 0, least = INFINITY, most = 0, chance = value == 1 ? 1 - oracle->chance_of_4 : oracle->chance_of_4;
        unsigned n = 0;
        if (chance == 0)
            continue;
        for (unsigned cell = 0; cell < oracle->grid.n_cells; cell++) {
            if (board_get(board, cell))
                continue;
            double here = value_of_state(oracle, board_set(board, cell, value));
            sum += here;
            least = fmin(least, here);
            most = fmax(most, here);
            n++;
        }
        total += chance * (oracle->variant == VARIANT_NORMAL       ? sum / n
                           : oracle->variant == VARIANT_OPTIMISTIC ? most
                                                                   : least);
    }
    map_add(&oracle->afterstates, (uint32_t)board.cells, total);
    return total;
}

/* The mean over starts, as the rules make them: two spawns one after the other. */
static double value_of_start(struct oracle *oracle)
{
    unsigned n = oracle->grid.n_cells;
    double total = 0;
    for (unsigned a = 0; a < n; a++) {
        for (unsigned kind = 0; kind < 4; kind++) {
            struct board board = board_set((struct board){0}, a, 1 + kind % 2);
            double of_4 = oracle->chance_of_4, of_2 = 1 - of_4;
            double chance = (kind % 2 ? of_4 : of_2) * (kind / 2 ? of_4 : of_2) / n;
            if (n == 1) {
                double alone = kind % 2 ? of_4 : of_2;
                total += kind < 2 && alone > 0 ? alone * value_of_state(oracle, board) : 0;
                continue;
            }
            if (chance == 0)
                continue;
            for (unsigned b = 0; b < n; b++) {
                if (b != a)
                    total += chance / (n - 1) * value_of_state(oracle, board_set(board, b, 1 + kind / 2));
            }
        }
    }
    return total;
}

/* ---- the comparison ---------------------------------------------------------------------------------------------- */

static void compare_afterstates(struct oracle *oracle, const struct table *table, double allowed)
{
    for (size_t i = 0; i < oracle->afterstates.capacity; i++) {
        struct board board = {.cells = oracle->afterstates.key[i]};
        double value;
        if (!board.cells)
            continue;
        assert_int_equal(table_value(table, board, &value), STATUS_OK);
        if (fabs(value - oracle->afterstates.value[i]) > allowed)
            fail_msg("afterstate %llx has %.9f, expected %.9f", (unsigned long long)board.cells, value,
                     oracle->afterstates.value[i]);
    }
}

/* All states of the table's ages, walked in order, are the oracle's, and no board besides is taken for one. */
static void compare_states(struct oracle *oracle, const struct table *table, struct workers *workers)
{
    uint64_t n = 0;
    struct age_set set = {0};
    for (size_t i = 0; i < table_n_ages(table); i++) {
        uint32_t position = 0;
        assert_int_equal(table_load_states(table, workers, table_age_at(table, i)->age, &set), STATUS_OK);
        assert_int_equal(set.count, table_age_at(table, i)->n_states);
        for (size_t span = 0; span < set.n_spans; span++) {
            struct age_walk walk;
            age_walk_begin(&walk, &set, &set.spans[span]);
            while (age_walk_next(&walk)) {
                struct board board = grid_canonical(&oracle->grid, (struct board){.cells = walk.cells});
                assert_true(oracle->states.key[map_place(&oracle->states, (uint32_t)board.cells)]);
                assert_int_equal(walk.position, position++);
                n++;
            }
        }
    }
    age_set_free(&set);
    assert_int_equal(n, oracle->states.n);
}

/* Of all boards there are, on small grids, just the oracle's states are taken for reachable ones. */
static void compare_reachable(struct oracle *oracle, const struct table *table)
{
    const unsigned n_cells = oracle->grid.n_cells, n_values = oracle->grid.max_value + 1;
    uint64_t n_boards = 1, n_reachable = 0;
    for (unsigned cell = 0; cell < n_cells; cell++)
        n_boards *= n_values;
    for (uint64_t i = 1; i < n_boards; i++) {
        struct board board = {0};
        uint64_t rest = i;
        for (unsigned cell = 0; cell < n_cells; cell++, rest /= n_values)
            board = board_set(board, cell, (unsigned)(rest % n_values));
        bool reachable, won = oracle->goal && board_max_value(board) >= oracle->goal;
        enum direction direction;
        enum status status = table_state_reachable(table, board, &reachable);
        assert_int_equal(table_is_won(table, board), won);
        if (won) {
            assert_int_equal(status, STATUS_INVALID);
            assert_message("already has");
            assert_int_equal(table_move(table, board, &direction), STATUS_INVALID);
            continue;
        }
        assert_int_equal(status, STATUS_OK);
        board = grid_canonical(&oracle->grid, board);
        if (reachable != (oracle->states.key[map_place(&oracle->states, (uint32_t)board.cells)] != 0))
            fail_msg("%llx is %s", (unsigned long long)board.cells, reachable ? "taken for reachable" : "not found");
        n_reachable += reachable;
    }
    assert_true(n_reachable >= oracle->states.n);
}

struct compared_rules {
    enum solve_variant variant;
    unsigned goal;
    double chance_of_4;
    enum value_form precision;
};

static void compare_size(unsigned rows, unsigned cols, struct compared_rules rules, size_t capacity)
{
    enum solve_variant variant = rules.variant;
    struct oracle oracle = {.variant = variant, .goal = rules.goal, .chance_of_4 = rules.chance_of_4};
    char directory[PATH_MAX];
    snprintf(directory, sizeof directory, "%s/%ux%u-%s", scratch_folder, rows, cols, solve_variant_names[variant]);
    struct solve_settings settings = {.chance_of_4 = rules.chance_of_4,
                                      .goal = rules.goal,
                                      .precision = rules.precision,
                                      .rows = rows,
                                      .cols = cols,
                                      .directory = directory,
                                      .variant = variant,
                                      .fraction_bits = rules.precision == VALUES_DOUBLE || rules.goal ? 20 : 15,
                                      .checkpoint_every = 1,
                                      .memory_bytes = UINT64_C(1) << 32,
                                      .progress_mode = PROGRESS_QUIET};
    struct workers *workers;
    struct solve_report report;
    struct table *table;
    assert_int_equal(workers_create(&workers, 1), STATUS_OK);
    assert_ok(solve_run(&settings, workers, &report));
    assert_int_equal(table_open(&table, directory), STATUS_OK);

    assert_int_equal(grid_create(&oracle.grid, rows, cols), STATUS_OK);
    map_create(&oracle.states, capacity);
    map_create(&oracle.afterstates, capacity);
    double expected = value_of_start(&oracle);
    assert_int_equal(report.summary.n_states, oracle.states.n);
    assert_int_equal(report.summary.n_afterstates, oracle.afterstates.n);
    assert_int_equal(report.summary.n_terminal, oracle.n_terminal);
    double rounding = rules.precision == VALUES_FIXED ? ROUNDING : 0;
    assert_true(fabs(report.summary.expected_score - expected) <= 1e-9 * (1 + expected) + rounding);
    compare_afterstates(&oracle, table, rounding + ldexp(1, -(int)settings.fraction_bits));
    compare_states(&oracle, table, workers);
    if (oracle.grid.n_cells <= 4 || (rows == 2 && cols == 3))
        compare_reachable(&oracle, table);
    assert_ok(table_verify(table, workers, 1000, 1, NULL));

    map_free(&oracle.states);
    map_free(&oracle.afterstates);
    grid_free(&oracle.grid);
    table_close(table);
    workers_free(workers);
}

static void every_size_up_to_six_cells(void **state)
{
    (void)state;
    for (unsigned rows = 1; rows <= 6; rows++) {
        for (unsigned cols = 1; cols <= 6; cols++) {
            for (enum solve_variant variant = 0; variant < VARIANT_COUNT && rows * cols <= 6; variant++)
                compare_size(rows, cols, (struct compared_rules){variant, 0, 0.1, VALUES_DOUBLE}, 1 << 16);
        }
    }
}

/* Goals, chances of a 4 and fixed-point values, on boards of each kind: whole rows at once, and board by board. */
static void other_rules(void **state)
{
    (void)state;
    static const unsigned sizes[][2] = {{2, 2}, {2, 3}, {3, 2}, {1, 4}, {1, 6}, {1, 1}};
    static const struct compared_rules rules[] = {
        {VARIANT_NORMAL, 0, 0.1, VALUES_FIXED},     {VARIANT_OPTIMISTIC, 0, 0.1, VALUES_FIXED},
        {VARIANT_NORMAL, 0, 0.25, VALUES_DOUBLE},   {VARIANT_NORMAL, 0, 0, VALUES_DOUBLE},
        {VARIANT_PESSIMISTIC, 0, 1, VALUES_DOUBLE}, {VARIANT_NORMAL, 3, 0.1, VALUES_DOUBLE},
        {VARIANT_NORMAL, 4, 0.1, VALUES_DOUBLE},    {VARIANT_NORMAL, 5, 0.1, VALUES_FIXED},
        {VARIANT_NORMAL, 6, 0.5, VALUES_DOUBLE},    {VARIANT_OPTIMISTIC, 4, 0, VALUES_FIXED},
        {VARIANT_NORMAL, 4, 0, VALUES_DOUBLE},      {VARIANT_NORMAL, 4, 1, VALUES_DOUBLE},
    };
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        for (size_t k = 0; k < sizeof rules / sizeof *rules; k++) {
            unsigned n_cells = sizes[i][0] * sizes[i][1];
            if (rules[k].goal > n_cells + 1)
                continue; /* no such tile there */
            assert_int_equal(nftw(scratch_folder, scratch_remove, 16, FTW_DEPTH | FTW_PHYS), 0);
            assert_int_equal(mkdir(scratch_folder, 0700), 0);
            compare_size(sizes[i][0], sizes[i][1], rules[k], 1 << 16);
        }
    }
}

/* 4,980,767 states. */
static __attribute__((unused)) void two_by_four(void **state)
{
    (void)state;
    compare_size(2, 4, (struct compared_rules){VARIANT_NORMAL, 0, 0.1, VALUES_DOUBLE}, 1 << 23);
}

/* What the papers and an independent program say (FACTS of the project, section 6). */
static __attribute__((unused)) void known_results(void **state)
{
    (void)state;
    static const struct {
        unsigned rows, cols;
        uint64_t states, afterstates, terminal;
        double score;
    } known[] = {
        {2, 2, 110, 67, 36, 66.964149},
        {2, 3, 21752, 14883, 4484, 480.258272},
        {3, 2, 21752, 14883, 4484, 480.258272},
        {4, 2, 4980767, 3406686, 892648, 2641.873036},
    };
    struct workers *workers;
    assert_int_equal(workers_create(&workers, 2), STATUS_OK);
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        struct solve_settings settings = {.chance_of_4 = TABLE_USUAL_CHANCE_OF_4,
                                          .rows = known[i].rows,
                                          .cols = known[i].cols,
                                          .directory = scratch_path("known"),
                                          .store = STORE_NONE,
                                          .checkpoint_every = 1,
                                          .memory_bytes = UINT64_C(1) << 32,
                                          .progress_mode = PROGRESS_QUIET};
        struct solve_report report;
        assert_int_equal(solve_run(&settings, workers, &report), STATUS_OK);
        assert_int_equal(report.summary.n_states, known[i].states);
        assert_int_equal(report.summary.n_afterstates, known[i].afterstates);
        assert_int_equal(report.summary.n_terminal, known[i].terminal);
        assert_true(fabs(report.summary.expected_score - known[i].score) < 1e-6 * known[i].score);
        assert_int_equal(nftw(scratch_path("known"), scratch_remove, 16, FTW_DEPTH | FTW_PHYS), 0);
    }
    workers_free(workers);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_size_up_to_six_cells),
        cmocka_unit_test(other_rules),
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__) /* minutes there, and no other code than above */
        cmocka_unit_test(two_by_four),
        cmocka_unit_test(known_results),
#endif
    };
    return cmocka_run_group_tests(tests, scratch_setup, scratch_teardown);
}
