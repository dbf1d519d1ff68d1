/* The hand-made value: the same for all images of a board, positive, and a batch is its boards one by one. */
#include "../oracle/oracle.h"

#include "game/simple_value.h"

enum { BOARDS = 20000 };

static void check_size(unsigned rows, unsigned cols)
{
    struct grid grid;
    struct simple_value *simple;
    assert_int_equal(grid_create(&grid, rows, cols), STATUS_OK);
    assert_int_equal(simple_value_create(&simple, &grid), STATUS_OK);
    struct value_function function = simple_value_function(simple);
    struct rng rng = random_stream(21, rows * 8 + cols);
    for (unsigned i = 0; i < BOARDS; i++) {
        struct board images[GRID_MAX_SYMMETRIES];
        float values[GRID_MAX_SYMMETRIES];
        struct board board = oracle_random_board(&grid, &rng);
        for (unsigned s = 0; s < grid.n_symmetries; s++)
            images[s] = grid_image(&grid, board, s);
        value_of_batch(&function, images, grid.n_symmetries, values);
        for (unsigned s = 0; s < grid.n_symmetries; s++) {
            assert_true(values[s] > 0);
            assert_true(values[s] == values[0]); /* sums of whole numbers below 2^24: exact in every order */
            assert_true(values[s] == value_of(&function, images[s]));
        }
    }
    simple_value_free(simple);
    grid_free(&grid);
}

static void test_every_size(void **state)
{
    (void)state;
    for (unsigned rows = 1; rows <= BOARD_MAX_SIDE; rows++)
        for (unsigned cols = 1; cols <= BOARD_MAX_SIDE; cols++)
            if (rows * cols <= BOARD_MAX_CELLS)
                check_size(rows, cols);
}

/* What its header says is good is better. */
static void test_preferences(void **state)
{
    (void)state;
    struct grid grid;
    struct simple_value *simple;
    struct board better, worse;
    assert_int_equal(grid_create(&grid, 4, 4), STATUS_OK);
    assert_int_equal(simple_value_create(&simple, &grid), STATUS_OK);
    struct value_function function = simple_value_function(simple);
    static const char *const pairs[][2] = {
        {"1000000000000000", "1003000000000000"}, /* the emptier board */
        {"a987000000000000", "a789000000000000"}, /* the ordered row */
        {"2200000000000000", "2300000000000000"}, /* the pair that can merge */
    };
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        assert_int_equal(notation_parse(&grid, pairs[i][0], &better), STATUS_OK);
        assert_int_equal(notation_parse(&grid, pairs[i][1], &worse), STATUS_OK);
        assert_true(value_of(&function, better) > value_of(&function, worse));
    }
    simple_value_free(simple);
    simple_value_free(NULL);
    grid_free(&grid);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_every_size), cmocka_unit_test(test_preferences)};
    return cmocka_run_group_tests_name("simple_value", tests, NULL, NULL);
}
