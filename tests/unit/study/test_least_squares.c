/* Least squares against Longley's data, the textbook's hard example (certified values: NIST's reference datasets), and
   systems that leave unknowns open. */
#include "scratch.h"

#include "study/least_squares.h"

#include <math.h>

enum { LONGLEY_ROWS = 16, LONGLEY_UNKNOWNS = 7 };

/* Employment; price deflator, product, unemployed, armed forces, population, year. */
static const double longley[LONGLEY_ROWS][LONGLEY_UNKNOWNS] = {
    {60323, 83.0, 234289, 2356, 1590, 107608, 1947},  {61122, 88.5, 259426, 2325, 1456, 108632, 1948},
    {60171, 88.2, 258054, 3682, 1616, 109773, 1949},  {61187, 89.5, 284599, 3351, 1650, 110929, 1950},
    {63221, 96.2, 328975, 2099, 3099, 112075, 1951},  {63639, 98.1, 346999, 1932, 3594, 113270, 1952},
    {64989, 99.0, 365385, 1870, 3547, 115094, 1953},  {63761, 100.0, 363112, 3578, 3350, 116219, 1954},
    {66019, 101.2, 397469, 2904, 3048, 117388, 1955}, {67857, 104.6, 419180, 2822, 2857, 118734, 1956},
    {68169, 108.4, 442769, 2936, 2798, 120445, 1957}, {66513, 110.8, 444546, 4681, 2637, 121950, 1958},
    {68655, 112.6, 482704, 3813, 2552, 123366, 1959}, {69564, 114.2, 502601, 3931, 2514, 125368, 1960},
    {69331, 115.7, 518173, 4806, 2572, 127852, 1961}, {70551, 116.9, 554894, 4007, 2827, 130081, 1962},
};
static const double longley_solution[] = {-3482258.63459582, 15.0618722713733,  -0.0358191792925910,
                                          -2.02022980381683, -1.03322686717359, -0.0511041056535807,
                                          1829.15146461355};
static const double longley_error[] = {890420.383607373,  84.9149257747669,  0.0334910077722432, 0.488399681651699,
                                       0.214274163161675, 0.226073200069370, 455.478499142212};
static const double longley_deviation = 304.854073561965;

static void assert_close(double got, double expected, double relative)
{
    if (!(fabs(got - expected) <= relative * fabs(expected)))
        fail_msg("got %.15g, expected %.15g", got, expected);
}

static void test_longley(void **state)
{
    (void)state;
    double matrix[LONGLEY_ROWS * LONGLEY_UNKNOWNS], right[LONGLEY_ROWS], leverage = 0;
    struct least_squares squares;
    for (int j = 0; j < LONGLEY_ROWS; j++) {
        right[j] = longley[j][0];
        matrix[j * LONGLEY_UNKNOWNS] = 1;
        for (int i = 1; i < LONGLEY_UNKNOWNS; i++)
            matrix[j * LONGLEY_UNKNOWNS + i] = longley[j][i];
    }
    assert_ok(least_squares_solve(&squares, matrix, right, LONGLEY_ROWS, LONGLEY_UNKNOWNS));
    assert_int_equal(squares.rank, LONGLEY_UNKNOWNS);
    for (int i = 0; i < LONGLEY_UNKNOWNS; i++) {
        assert_close(squares.solution[i], longley_solution[i], 1e-6);
        assert_close(squares.error[i], longley_error[i], 1e-6);
    }
    assert_close(squares.deviation, longley_deviation, 1e-8);
    for (int j = 0; j < LONGLEY_ROWS; j++)
        leverage += squares.leverage[j];
    assert_close(leverage, LONGLEY_UNKNOWNS, 1e-9);
    least_squares_free(&squares);
}

/* x + y = 2 and x + y = 4 and z = 5, z = 7: only z and the sum are determined; the smallest x, y are 1.5 each. */
static void test_singular(void **state)
{
    (void)state;
    const double matrix[] = {1, 1, 0, 1, 1, 0, 0, 0, 1, 0, 0, 1}, right[] = {2, 4, 5, 7};
    struct least_squares squares;
    assert_ok(least_squares_solve(&squares, matrix, right, 4, 3));
    assert_int_equal(squares.rank, 2);
    assert_close(squares.solution[0], 1.5, 1e-12);
    assert_close(squares.solution[1], 1.5, 1e-12);
    assert_close(squares.solution[2], 6, 1e-12);
    const double other[] = {6, 6, 1, 3};
    double solution[3];
    least_squares_apply(&squares, other, solution);
    assert_close(solution[0], 3, 1e-12);
    assert_close(solution[1], 3, 1e-12);
    assert_close(solution[2], 2, 1e-12);
    assert_true(isnan(squares.error[0]) && isnan(squares.error[1]));
    assert_close(squares.deviation, sqrt(2), 1e-12); /* four residuals of 1, two unknowns: 4 / 2 */
    assert_close(squares.error[2], 1, 1e-12);        /* s / sqrt(2) */
    least_squares_free(&squares);
}

/* Fewer rows than unknowns: no residuals, no errors, smallest norm. */
static void test_too_few(void **state)
{
    (void)state;
    const double matrix[] = {1, 1, 0, 0, 1, 1}, right[] = {3, 3};
    struct least_squares squares;
    assert_ok(least_squares_solve(&squares, matrix, right, 2, 3));
    assert_int_equal(squares.rank, 2);
    assert_close(squares.solution[0], 1, 1e-12);
    assert_close(squares.solution[1], 2, 1e-12);
    assert_close(squares.solution[2], 1, 1e-12);
    assert_true(isnan(squares.deviation));
    for (int i = 0; i < 3; i++)
        assert_true(isnan(squares.error[i]));
    least_squares_free(&squares);
}

static void test_bad_numbers(void **state)
{
    (void)state;
    const double matrix[] = {1, 1}, right[] = {3, NAN};
    struct least_squares squares;
    assert_int_equal(least_squares_solve(&squares, matrix, right, 2, 1), STATUS_INVALID);
    assert_message("row 2");
    assert_null(squares.solution);
    least_squares_free(&squares);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_longley),
        cmocka_unit_test(test_singular),
        cmocka_unit_test(test_too_few),
        cmocka_unit_test(test_bad_numbers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
