/* The plain search against one that knows nothing of it: the definition of N-ply over the reference's boards. */
#include "../oracle/oracle.h"

#include "search/plain_expectimax.h"

#include <math.h>

/* Different weights for every cell, so that an image or a wrong cell shows; negative, so that 0 for a finished game
   is not the smallest value there is. */
static double weight_of(unsigned cell)
{
    return -1.5 + 0.37 * cell;
}

static float value_by_cells(const void *context, struct board after)
{
    const struct grid *grid = context;
    double sum = -100;
    for (unsigned cell = 0; cell < grid->n_cells; cell++)
        sum += weight_of(cell) * notation_face(board_get(after, cell));
    return (float)sum;
}

static void values_by_cells(const void *context, const struct board *after, size_t n, float *out)
{
    for (size_t i = 0; i < n; i++)
        out[i] = value_by_cells(context, after[i]);
}

static double plain_value(const struct reference_board *after)
{
    double sum = -100;
    for (int row = 0; row < after->rows; row++)
        for (int col = 0; col < after->cols; col++)
            sum += weight_of((unsigned)(row * after->cols + col)) * (double)after->tile[row][col];
    return sum;
}

static double brute_move(const struct reference_board *board, unsigned direction, int plies, bool *legal);

/* The worth of a board on which the player moves. */
static double brute_best(const struct reference_board *board, int plies)
{
    double best = 0;
    bool any = false;
    for (unsigned d = 0; d < DIRECTION_COUNT; d++) {
        bool legal;
        double value = brute_move(board, d, plies, &legal);
        if (legal && (!any || value > best))
            best = value;
        any |= legal;
    }
    return any ? best : 0;
}

static double brute_move(const struct reference_board *board, unsigned direction, int plies, bool *legal)
{
    struct reference_board after = *board;
    long reward;
    *legal = reference_move(&after, oracle_step[direction][0], oracle_step[direction][1], &reward);
    if (!*legal)
        return 0;
    if (plies == 1)
        return (double)reward + plain_value(&after);
    double sum = 0;
    int n_empty = 0;
    for (int row = 0; row < after.rows; row++)
        for (int col = 0; col < after.cols; col++) {
            if (after.tile[row][col])
                continue;
            n_empty++;
            after.tile[row][col] = 2;
            sum += 0.9 * brute_best(&after, plies - 1);
            after.tile[row][col] = 4;
            sum += 0.1 * brute_best(&after, plies - 1);
            after.tile[row][col] = 0;
        }
    return (double)reward + sum / n_empty;
}

static void check_board(const struct grid *grid, struct board board, unsigned depth)
{
    struct value_function function = {.context = grid, .values = values_by_cells};
    struct search_result result = plain_expectimax(grid, &function, board, depth);
    struct reference_board plain = oracle_reference(grid, board);
    enum direction first_best = DIRECTION_COUNT;
    /* Floats carry 24 bits; rewards and values that cancel are each as large as a few times the tiles' sum. */
    double tolerance = 1e-6 * (100 + 4 * (double)reference_age(&plain));
    char digits[NOTATION_DIGITS_BYTES];
    for (unsigned d = 0; d < DIRECTION_COUNT; d++) {
        bool legal;
        double expected = brute_move(&plain, d, (int)depth, &legal);
        assert_int_equal(result.legal >> d & 1, legal);
        if (!legal) {
            assert_true(isnan(result.value[d]));
            continue;
        }
        if (fabs(result.value[d] - expected) > tolerance)
            fail_msg("%ux%u board %s, %s at %u-ply: %.9g, brute force %.9g", grid->rows, grid->cols,
                     notation_digits(grid, board, digits), direction_name(d), depth, result.value[d], expected);
        if (first_best == DIRECTION_COUNT || result.value[d] > result.value[first_best])
            first_best = d;
    }
    assert_int_equal(result.best, first_best);
}

static void check_size(unsigned rows, unsigned cols, const unsigned *n_boards)
{
    struct grid grid;
    assert_int_equal(grid_create(&grid, rows, cols), STATUS_OK);
    struct rng rng = random_stream(11, rows * 8 + cols);
    for (unsigned depth = 1; depth <= 3; depth++)
        for (unsigned i = 0; i < n_boards[depth - 1]; i++) {
            struct board board = oracle_random_board(&grid, &rng);
            check_board(&grid, board, depth);
        }
    grid_free(&grid);
}

static void test_2x2(void **state)
{
    (void)state;
    check_size(2, 2, (const unsigned[]){2000, 1000, 500});
}

static void test_2x3(void **state)
{
    (void)state;
    check_size(2, 3, (const unsigned[]){2000, 500, 100});
}

static void test_3x3(void **state)
{
    (void)state;
    check_size(3, 3, (const unsigned[]){2000, 200, 10});
}

/* One that can be checked on paper: 2x2, a 2 in the first cell. */
static void test_by_hand(void **state)
{
    (void)state;
    struct grid grid;
    assert_int_equal(grid_create(&grid, 2, 2), STATUS_OK);
    struct value_function function = {.context = &grid, .values = values_by_cells};
    struct search_result result = plain_expectimax(&grid, &function, (struct board){.cells = 1}, 1);
    assert_int_equal(result.legal, 1 << DIRECTION_RIGHT | 1 << DIRECTION_DOWN);
    assert_true(fabs(result.value[DIRECTION_RIGHT] - (-100 + 2 * (-1.5 + 0.37))) < 1e-4);
    assert_true(fabs(result.value[DIRECTION_DOWN] - (-100 + 2 * (-1.5 + 0.74))) < 1e-4);
    assert_int_equal(result.best, DIRECTION_DOWN);
    /* A full board without neighbours alike: nothing is legal. */
    result = plain_expectimax(&grid, &function, (struct board){.cells = 0x1221}, 3);
    assert_int_equal(result.legal, 0);
    assert_int_equal(result.best, DIRECTION_COUNT);
    grid_free(&grid);
}

/* Of equal directions the first counts. */
static void values_constant(const void *context, const struct board *after, size_t n, float *out)
{
    (void)context, (void)after;
    for (size_t i = 0; i < n; i++)
        out[i] = 1;
}

static void test_ties(void **state)
{
    (void)state;
    struct grid grid;
    assert_int_equal(grid_create(&grid, 3, 3), STATUS_OK);
    struct value_function function = {.values = values_constant};
    struct board centre = {.cells = UINT64_C(1) << 16};
    assert_int_equal(plain_expectimax(&grid, &function, centre, 1).best, DIRECTION_UP);
    struct board top = {.cells = 1};
    assert_int_equal(plain_expectimax(&grid, &function, top, 1).best, DIRECTION_RIGHT);
    grid_free(&grid);
}

/* Best first, where that is the best of the deepest, then by value; equal values and missing ones by direction. */
static void test_rank(void **state)
{
    (void)state;
    struct search_result result = {.value = {5, NAN, 7, 5}, .depth = {2, 0, 1, 2}, .legal = 15};
    search_result_rank(&result);
    assert_int_equal(result.best, DIRECTION_UP);
    assert_int_equal(result.n_valued, 3);
    const enum direction expected[] = {DIRECTION_UP, DIRECTION_DOWN, DIRECTION_LEFT, DIRECTION_RIGHT};
    for (unsigned i = 0; i < DIRECTION_COUNT; i++)
        assert_int_equal(result.order[i], expected[i]);
    result = (struct search_result){.value = {NAN, NAN, NAN, NAN}};
    search_result_rank(&result);
    assert_true(result.best == DIRECTION_COUNT && result.n_valued == 0 && result.order[3] == DIRECTION_LEFT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_by_hand), cmocka_unit_test(test_ties), cmocka_unit_test(test_rank),
        cmocka_unit_test(test_2x2),     cmocka_unit_test(test_2x3),  cmocka_unit_test(test_3x3),
    };
    return cmocka_run_group_tests_name("plain_expectimax", tests, NULL, NULL);
}
