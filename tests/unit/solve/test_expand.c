/* One step forward and one step back on whole sets, against boards one by one, also for sizes too large to solve
   here. */
#include "scratch.h"

#include "base/workers.h"
#include "game/grid.h"
#include "solve/evaluate.h"
#include "solve/expand.h"
#include "solve/layout_create.h"
#include "solve/table_index.h"

#include <math.h>

enum { LAST_AGE = 22 };

static const unsigned sizes[][2] = {{2, 5}, {5, 2}, {3, 3}, {3, 4}, {4, 3}, {2, 6}, {6, 2}, {1, 5}};
enum { N_SIZES = sizeof sizes / sizeof *sizes };

/* ---- a set of boards, sorted ------------------------------------------------------------------------------------- */

struct boards {
    uint64_t *cells;
    size_t n, capacity;
};

static void add(struct boards *boards, const struct grid *grid, struct board board)
{
    if (boards->n == boards->capacity) {
        boards->capacity = boards->capacity ? 2 * boards->capacity : 64;
        boards->cells = realloc(boards->cells, boards->capacity * sizeof *boards->cells);
        assert_non_null(boards->cells);
    }
    boards->cells[boards->n++] = grid_canonical(grid, board).cells;
}

static int compare_cells(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return x < y ? -1 : x > y;
}

static void sort(struct boards *boards)
{
    size_t kept = 0;
    if (boards->n)
        qsort(boards->cells, boards->n, sizeof *boards->cells, compare_cells);
    for (size_t i = 0; i < boards->n; i++) {
        if (i == 0 || boards->cells[i] != boards->cells[i - 1])
            boards->cells[kept++] = boards->cells[i];
    }
    boards->n = kept;
}

static void assert_same_set(const struct grid *grid, const struct age_set *set, const struct boards *expected)
{
    struct boards found = {0};
    for (size_t i = 0; i < set->n_spans; i++) {
        struct age_walk walk;
        age_walk_begin(&walk, set, &set->spans[i]);
        while (age_walk_next(&walk)) {
            uint32_t position;
            add(&found, grid, (struct board){.cells = walk.cells});
            assert_true(age_set_find(set, (struct board){.cells = walk.cells}, &position));
            assert_int_equal(position, walk.position);
        }
    }
    size_t n = found.n;
    sort(&found);
    assert_int_equal(found.n, n); /* no board twice */
    assert_int_equal(n, expected->n);
    assert_int_equal(set->count, n);
    if (n)
        assert_memory_equal(found.cells, expected->cells, n * sizeof *found.cells);
    free(found.cells);
}

/* ---- made-up values, one for a class ----------------------------------------------------------------------------- */

static double made_up(const struct grid *grid, struct board board)
{
    uint64_t mixed = grid_canonical(grid, board).cells * UINT64_C(0x9e3779b97f4a7c15);
    return (double)(mixed >> 44); /* whole numbers below 2^20: sums are exact in any order */
}

static double unit_of(enum value_form form)
{
    return form == VALUES_FIXED ? 2048 : 1;
}

static void *give_values(const struct grid *grid, const struct age_set *set, enum value_form form)
{
    void *values = calloc(set->count + 1, value_form_bytes(form));
    assert_non_null(values);
    for (size_t i = 0; i < set->n_spans; i++) {
        struct age_walk walk;
        age_walk_begin(&walk, set, &set->spans[i]);
        while (age_walk_next(&walk)) {
            double value = made_up(grid, (struct board){.cells = walk.cells}) * unit_of(form);
            if (form == VALUES_FIXED)
                ((uint32_t *)values)[walk.position] = (uint32_t)value;
            else
                ((double *)values)[walk.position] = value;
        }
    }
    return values;
}

static void check_state_value(const struct grid *grid, struct board board, double value, unsigned move)
{
    struct moves moves = grid_moves(grid, board);
    double best = moves.legal ? -1 : 0;
    for (unsigned d = 0; d < DIRECTION_COUNT; d++) {
        if (moves.legal >> d & 1)
            best = fmax(best, moves.reward[d] + made_up(grid, moves.after[d]));
    }
    assert_true(value == best);
    if (moves.legal)
        assert_true(moves.reward[move & 3] + made_up(grid, moves.after[move & 3]) == best);
}

/* The gap between the two best actions, where moves to images of one board are one action. */
static void add_gap(const struct grid *grid, struct board board, struct age_figures *figures)
{
    struct moves moves = grid_moves(grid, board);
    double best = -1, second = -1;
    for (unsigned d = 0; d < DIRECTION_COUNT; d++) {
        bool again = false;
        for (unsigned k = 0; k < d; k++)
            again |= (moves.legal >> k & 1) &&
                     board_equal(grid_canonical(grid, moves.after[k]), grid_canonical(grid, moves.after[d]));
        if (!(moves.legal >> d & 1) || again)
            continue;
        double value = moves.reward[d] + made_up(grid, moves.after[d]);
        second = fmax(second, fmin(best, value));
        best = fmax(best, value);
    }
    if (second < 0)
        return;
    figures->n_open++;
    figures->n_near += best - second < 1;
    figures->gaps += (uint64_t)((best - second) / age_gap_unit);
}

static void check_afterstate_value(const struct grid *grid, struct board board, enum solve_variant variant,
                                   double value, double rounding)
{
    double expected = 0;
    for (unsigned v = 1; v <= 2; v++) {
        double sum = 0, least = INFINITY, most = 0, n = 0;
        for (unsigned cell = 0; cell < grid->n_cells; cell++) {
            if (board_get(board, cell))
                continue;
            double here = made_up(grid, board_set(board, cell, v));
            sum += here;
            least = fmin(least, here);
            most = fmax(most, here);
            n++;
        }
        double chance = v == 1 ? 0.9 : 0.1;
        expected += chance * (variant == VARIANT_NORMAL ? sum / n : variant == VARIANT_OPTIMISTIC ? most : least);
    }
    assert_true(fabs(value - expected) <= 1e-9 * expected + rounding);
}

/* ---- the tests --------------------------------------------------------------------------------------------------- */

struct ages {
    struct grid grid;
    struct layout *layout;
    struct workers *workers;
    struct age_set states[LAST_AGE / 2 + 3], afterstates[LAST_AGE / 2 + 3]; /* [age / 2] */
    struct boards state_boards[LAST_AGE / 2 + 3], after_boards[LAST_AGE / 2 + 3];
};

static void check_steps_back(struct ages *ages, uint32_t age, enum value_form form)
{
    const struct age_set *states = &ages->states[age / 2], *afterstates = &ages->afterstates[age / 2];
    const struct age_set *plus_2 = &ages->states[age / 2 + 1], *plus_4 = &ages->states[age / 2 + 2];
    void *after_values = give_values(&ages->grid, afterstates, form);
    void *values_2 = give_values(&ages->grid, plus_2, form), *values_4 = give_values(&ages->grid, plus_4, form);
    void *values = calloc(states->count + afterstates->count + 1, sizeof(double));
    uint8_t *moves = calloc(states->count + 1, 1);
    struct age_figures figures = {0};
    struct solve_rules rules = {.form = form, .unit = unit_of(form), .chance_of_4 = 0.1};
    assert_ok(evaluate_states(ages->workers, &rules, states, (struct valued_set){afterstates, after_values}, values,
                              moves, &figures));
    struct age_figures expected = {0};
    for (size_t i = 0; i < states->n_spans; i++) {
        struct age_walk walk;
        age_walk_begin(&walk, states, &states->spans[i]);
        while (age_walk_next(&walk)) {
            struct board board = {.cells = walk.cells};
            check_state_value(&ages->grid, board, solve_value_at(&rules, values, walk.position), moves[walk.position]);
            add_gap(&ages->grid, board, &expected);
        }
    }
    assert_int_equal(figures.n_open, expected.n_open);
    assert_int_equal(figures.n_near, expected.n_near);
    assert_int_equal(figures.gaps, expected.gaps);
    for (rules.variant = 0; rules.variant < VARIANT_COUNT; rules.variant++) {
        assert_ok(evaluate_afterstates(ages->workers, &rules, afterstates, (struct valued_set){plus_2, values_2},
                                       (struct valued_set){plus_4, values_4}, values, &figures));
        for (size_t i = 0; i < afterstates->n_spans; i++) {
            struct age_walk walk;
            age_walk_begin(&walk, afterstates, &afterstates->spans[i]);
            while (age_walk_next(&walk))
                check_afterstate_value(&ages->grid, (struct board){.cells = walk.cells}, rules.variant,
                                       solve_value_at(&rules, values, walk.position),
                                       form == VALUES_FIXED ? 0.5001 / rules.unit : 0);
        }
    }
    free(after_values);
    free(values);
    free(moves);
    free(values_2);
    free(values_4);
}

/* The same age by boards: afterstates of its states, and what spawns make of them. */
static uint64_t step_boards(struct ages *ages, uint32_t age)
{
    struct boards *states = &ages->state_boards[age / 2], *afterstates = &ages->after_boards[age / 2];
    uint64_t n_terminal = 0;
    sort(states);
    for (size_t i = 0; i < states->n; i++) {
        struct moves moves = grid_moves(&ages->grid, (struct board){.cells = states->cells[i]});
        n_terminal += moves.legal == 0;
        for (unsigned d = 0; d < DIRECTION_COUNT; d++) {
            if (moves.legal >> d & 1)
                add(afterstates, &ages->grid, moves.after[d]);
        }
    }
    sort(afterstates);
    for (size_t i = 0; i < afterstates->n; i++) {
        struct board board = {.cells = afterstates->cells[i]};
        for (unsigned cell = 0; cell < ages->grid.n_cells; cell++) {
            for (unsigned v = 1; v <= 2 && !board_get(board, cell); v++)
                add(&ages->state_boards[age / 2 + v], &ages->grid, board_set(board, cell, v));
        }
    }
    return n_terminal;
}

static void check_size(struct ages *ages)
{
    for (uint32_t age = 4; age <= LAST_AGE + 4; age += 2) {
        assert_ok(age_set_begin(&ages->states[age / 2], ages->layout, age, ages->workers));
        expand_starts(&ages->states[age / 2], TABLE_USUAL_CHANCE_OF_4);
    }
    for (unsigned a = 0; a < ages->grid.n_cells; a++) {
        for (unsigned b = 0; b < ages->grid.n_cells; b++) {
            for (unsigned kind = 0; kind < 4 && a != b; kind++) {
                struct board board = board_set(board_set((struct board){0}, a, 1 + kind % 2), b, 1 + kind / 2);
                add(&ages->state_boards[board_age(board) / 2], &ages->grid, board);
            }
        }
    }
    for (uint32_t age = 4; age <= LAST_AGE; age += 2) {
        struct age_set *states = &ages->states[age / 2], *afterstates = &ages->afterstates[age / 2];
        uint64_t n_states, n_terminal;
        assert_ok(age_set_begin(afterstates, ages->layout, age, ages->workers));
        assert_ok(expand_moves(ages->workers, states, afterstates, &n_states, &n_terminal));
        assert_ok(expand_spawns(ages->workers, afterstates, &ages->states[age / 2 + 1], &ages->states[age / 2 + 2]));
        assert_ok(age_set_rank(states, ages->workers));
        assert_ok(age_set_rank(afterstates, ages->workers));
        assert_int_equal(step_boards(ages, age), n_terminal);
        assert_int_equal(n_states, states->count);
        assert_same_set(&ages->grid, states, &ages->state_boards[age / 2]);
        assert_same_set(&ages->grid, afterstates, &ages->after_boards[age / 2]);
    }
    assert_ok(age_set_rank(&ages->states[LAST_AGE / 2 + 1], ages->workers));
    assert_ok(age_set_rank(&ages->states[LAST_AGE / 2 + 2], ages->workers));
    for (uint32_t age = LAST_AGE; age >= LAST_AGE - 4; age -= 2) {
        for (enum value_form form = VALUES_DOUBLE; form <= VALUES_FIXED; form++)
            check_steps_back(ages, age, form);
    }
}

static void check_all(unsigned n_threads)
{
    for (size_t i = 0; i < N_SIZES; i++) {
        struct ages *ages = calloc(1, sizeof *ages);
        assert_non_null(ages);
        assert_ok(workers_create(&ages->workers, n_threads));
        assert_ok(grid_create(&ages->grid, sizes[i][0], sizes[i][1]));
        assert_ok(layout_create(&ages->layout, &ages->grid, LAST_AGE + 4, 0, (struct walls){0}));
        check_size(ages);
        for (size_t a = 0; a < LAST_AGE / 2 + 3; a++) {
            age_set_free(&ages->states[a]);
            age_set_free(&ages->afterstates[a]);
            free(ages->state_boards[a].cells);
            free(ages->after_boards[a].cells);
        }
        layout_free(ages->layout);
        grid_free(&ages->grid);
        workers_free(ages->workers);
        free(ages);
    }
}

static void one_thread(void **state)
{
    (void)state;
    check_all(1);
}

static void three_threads(void **state)
{
    (void)state;
    check_all(3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(one_thread), cmocka_unit_test(three_threads)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
