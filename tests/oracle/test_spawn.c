/* Spawns: the right frequencies (chi-square with a fixed seed), only on empty cells, and reproducible games. */
#include "oracle.h"

#include "game/game.h"

#include <math.h>

/* Chi-square of counts against the spawn law: n cells, 0.9 and 0.1. Degrees of freedom 2n-1. */
static double chi_square(const unsigned (*count)[2], unsigned n_cells, const bool *empty, unsigned n_empty,
                         unsigned draws)
{
    double sum = 0;
    for (unsigned cell = 0; cell < n_cells; cell++)
        for (unsigned four = 0; four < 2; four++) {
            double expected = empty[cell] ? draws * (four ? 0.1 : 0.9) / n_empty : 0;
            if (empty[cell])
                sum += (count[cell][four] - expected) * (count[cell][four] - expected) / expected;
            else
                assert_int_equal(count[cell][four], 0);
        }
    return sum;
}

/* For each number of empty cells: one million spawns. The bound is the 1 - 1e-6 quantile (Wilson-Hilferty). */
static void check_frequencies(unsigned rows, unsigned cols)
{
    struct grid grid;
    assert_int_equal(grid_create(&grid, rows, cols), STATUS_OK);
    for (unsigned n_empty = 1; n_empty <= grid.n_cells; n_empty++) {
        struct rng rng = random_stream(7, n_empty);
        struct board board = {0};
        bool empty[BOARD_MAX_CELLS];
        for (unsigned cell = 0; cell < grid.n_cells; cell++) /* the empty cells are the odd ones out of a stride */
            if (!(empty[cell] = cell * 5 % grid.n_cells < n_empty))
                board = board_set(board, cell, 1 + (cell * 7 + n_empty) % BOARD_MAX_VALUE);
        unsigned found = 0;
        for (unsigned cell = 0; cell < grid.n_cells; cell++)
            found += empty[cell];
        unsigned count[BOARD_MAX_CELLS][2] = {{0}};
        enum { DRAWS = 1000000 };
        for (unsigned i = 0; i < DRAWS && found; i++) {
            struct spawn spawn = spawn_draw(board, grid.used, &rng);
            assert_true(spawn.cell < grid.n_cells && (spawn.value == 1 || spawn.value == 2));
            count[spawn.cell][spawn.value - 1]++;
            assert_int_equal(board_get(spawn_apply(board, spawn), spawn.cell), spawn.value);
        }
        double freedom = 2.0 * found - 1, t = 2 / (9 * freedom);
        double bound = freedom * pow(1 - t + 4.75 * sqrt(t), 3);
        double chi2 = chi_square((const unsigned(*)[2])count, grid.n_cells, empty, found, DRAWS);
        if (chi2 > bound)
            fail_msg("%ux%u with %u empty cells: chi-square %.1f beyond %.1f", rows, cols, found, chi2, bound);
    }
    grid_free(&grid);
}

static void test_frequencies(void **state)
{
    (void)state;
    check_frequencies(4, 4);
    check_frequencies(3, 3);
    check_frequencies(2, 5);
}

/* A new game has two tiles; the pairs of values come as 0.81, 0.18, 0.01. */
static void test_starts(void **state)
{
    (void)state;
    struct grid grid;
    assert_int_equal(grid_create(&grid, 4, 4), STATUS_OK);
    unsigned sums[3] = {0};
    enum { GAMES = 200000 };
    for (unsigned i = 0; i < GAMES; i++) {
        struct game game = game_begin(&grid, 3, i);
        assert_int_equal(__builtin_popcountll(board_occupied_bits(game.board.cells)), 2);
        sums[board_age(game.board) / 2 - 2]++;
    }
    const double expected[3] = {0.81, 0.18, 0.01};
    for (unsigned i = 0; i < 3; i++)
        assert_true(fabs(sums[i] - GAMES * expected[i]) < 5 * sqrt(GAMES * expected[i]));
    grid_free(&grid);
}

/* The same seed and number give the same game; other numbers give others; an illegal move changes nothing. */
static void test_games(void **state)
{
    (void)state;
    struct grid grid;
    assert_int_equal(grid_create(&grid, 4, 4), STATUS_OK);
    for (unsigned i = 0; i < 100; i++) {
        struct game a = game_begin(&grid, 1, i), b = game_begin(&grid, 1, i);
        for (unsigned turn = 0; !game_is_over(&a); turn++) {
            enum direction direction = turn % DIRECTION_COUNT;
            struct board before = a.board;
            bool played = game_play(&a, direction, NULL);
            assert_int_equal(game_play(&b, direction, NULL), played);
            assert_true(board_equal(a.board, b.board));
            assert_int_equal(played, !board_equal(before, a.board));
        }
        assert_int_equal(a.score, b.score);
        struct game other = game_begin(&grid, 1, i + 100);
        assert_true(a.score != other.score || !board_equal(a.board, other.board));
    }
    grid_free(&grid);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_frequencies),
        cmocka_unit_test(test_starts),
        cmocka_unit_test(test_games),
    };
    return cmocka_run_group_tests_name("spawn", tests, NULL, NULL);
}
