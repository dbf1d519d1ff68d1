/* Every line of cells there is, against the reference: the row table, and the boards that hold the line in each
   place. */
#include "oracle.h"

#include "game/row_table.h"

/* The line of n values (base 18 digits of `code`) moved to its start by the reference, or to its end. */
static struct board reference_line(const struct grid *grid, struct board line, bool to_end, long *reward)
{
    struct reference_board plain = oracle_reference(grid, line);
    reference_move(&plain, 0, to_end ? 1 : -1, reward);
    return oracle_board(&plain);
}

static void test_row_table(void **state)
{
    (void)state;
    struct grid grid;
    assert_int_equal(grid_create(&grid, 1, 4), STATUS_OK);
    for (unsigned row = 0; row < 65536; row++) {
        struct board line = {.cells = row};
        for (unsigned to_end = 0; to_end < 2; to_end++) {
            long reward;
            struct board expected = reference_line(&grid, line, to_end, &reward);
            uint64_t got = to_end ? row_entry_end(row_table[row]) : row_entry_start(row_table[row]);
            assert_int_equal(got, expected.cells); /* the low word: 65536 reads as 15 */
            assert_int_equal(row_entry_reward(row_table[row]), reward);
        }
    }
    grid_free(&grid);
}

/* All 18^4 lines of four exact values, as a row and as a column of a 4x4 board, in every place. */
static void test_extended_lines(void **state)
{
    (void)state;
    struct grid grid;
    assert_int_equal(grid_create(&grid, 4, 4), STATUS_OK);
    for (unsigned code = 0; code < 18 * 18 * 18 * 18; code++) {
        unsigned value[4] = {code % 18, code / 18 % 18, code / 324 % 18, code / 5832};
        unsigned place = code % 4; /* the place rotates; a move treats lines alike, test_boards mixes them */
        struct board row = {0}, column = {0};
        for (unsigned i = 0; i < 4; i++) {
            row = board_set(row, 4 * place + i, value[i]);
            column = board_set(column, 4 * i + place, value[i]);
        }
        oracle_check_moves(&grid, row);
        oracle_check_moves(&grid, column);
    }
    grid_free(&grid);
}

/* Lines of other lengths: all 1..3, all five of the table, six by the rule. */
static void test_other_lengths(void **state)
{
    (void)state;
    for (unsigned length = 1; length <= 6; length++) {
        struct grid wide, tall;
        assert_int_equal(grid_create(&wide, 1, length), STATUS_OK);
        assert_int_equal(grid_create(&tall, length, 1), STATUS_OK);
        unsigned n_values = length == 6 ? 8 : length == 5 ? 10 : 18; /* 8^6 and 10^5 lines; the rest by test_boards */
        unsigned n_lines = 1;
        for (unsigned i = 0; i < length; i++)
            n_lines *= n_values;
        for (unsigned code = 0; code < n_lines; code++) {
            struct board line = {0};
            for (unsigned i = 0, rest = code; i < length; i++, rest /= n_values)
                line = board_set(line, i, rest % n_values);
            oracle_check_moves(&wide, line);
            oracle_check_moves(&tall, line);
        }
        grid_free(&wide);
        grid_free(&tall);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_row_table),
        cmocka_unit_test(test_extended_lines),
        cmocka_unit_test(test_other_lengths),
    };
    return cmocka_run_group_tests_name("rows", tests, NULL, NULL);
}
