/* The hot path against the slow way of the same rules, and the tiles beyond 32768 by hand. */
#include "../oracle/oracle.h"

#include "game/board4x4.h"

#include <string.h>

static struct grid grid;

static int setup_grid(void **state)
{
    (void)state;
    return grid_create(&grid, 4, 4);
}

static int free_grid(void **state)
{
    (void)state;
    grid_free(&grid);
    return 0;
}

static struct board read_board(const char *text)
{
    struct board board;
    assert_int_equal(notation_parse(&grid, text, &board), STATUS_OK);
    return board;
}

static void test_against_grid(void **state)
{
    (void)state;
    struct rng rng = random_stream(31, 4);
    for (unsigned i = 0; i < 200000; i++) {
        struct board board = oracle_random_board(&grid, &rng);
        struct moves moves = board4x4_moves(board), exact = board4x4_moves_exact(board);
        assert_int_equal(moves.legal, exact.legal);
        for (unsigned d = 0; d < DIRECTION_COUNT; d++) {
            uint32_t reward, slow_reward;
            struct board slow = grid_move_exact(&grid, board, d, &slow_reward);
            oracle_assert_same(&grid, board, moves.after[d], slow, "board4x4_moves");
            oracle_assert_same(&grid, board, exact.after[d], slow, "board4x4_moves_exact");
            oracle_assert_same(&grid, board, board4x4_move(board, d, &reward), slow, "board4x4_move");
            assert_true(reward == slow_reward && moves.reward[d] == slow_reward && exact.reward[d] == slow_reward);
        }
        assert_int_equal(board4x4_is_terminal(board), board.cells != 0 && moves.legal == 0);
    }
}

static void test_images(void **state)
{
    (void)state;
    struct rng rng = random_stream(32, 4);
    for (unsigned i = 0; i < 10000; i++) {
        struct board board = {.cells = random_bits(&rng)};
        assert_true(board4x4_mirror(board.cells) == grid_image(&grid, board, 1).cells);
        assert_true(board4x4_flip(board.cells) == grid_image(&grid, board, 2).cells);
        assert_true(board4x4_transpose(board.cells) == grid_image(&grid, board, 4).cells);
    }
}

static void expect_move(const char *before, enum direction direction, const char *after, uint32_t reward)
{
    uint32_t got;
    struct board board = read_board(before);
    oracle_assert_same(&grid, board, board4x4_move(board, direction, &got), read_board(after),
                       direction_name(direction));
    assert_int_equal(got, reward);
    assert_int_equal(board4x4_moves(board).legal >> direction & 1, strcmp(before, after) != 0);
}

static void test_large_tiles(void **state)
{
    (void)state;
    /* Two 32768 make 65536; four of them two, never 131072 in one move. */
    expect_move("ff00000000000000", DIRECTION_LEFT, "g000000000000000", 65536);
    expect_move("ffff000000000000", DIRECTION_RIGHT, "00gg000000000000", 131072);
    expect_move("f000f000f000f000", DIRECTION_UP, "g000g00000000000", 131072);
    expect_move("ff0000000000000f", DIRECTION_DOWN, "000000000000ff0f", 0);
    /* Two 65536 make 131072, the last tile: two of those stay. */
    expect_move("0gg0000000000000", DIRECTION_LEFT, "h000000000000000", 131072);
    expect_move("g000g00000000000", DIRECTION_DOWN, "000000000000h000", 131072);
    expect_move("hh00000000000000", DIRECTION_LEFT, "hh00000000000000", 0);
    expect_move("hh00000000000000", DIRECTION_RIGHT, "00hh000000000000", 0);
    expect_move("hggf000000000000", DIRECTION_LEFT, "hhf0000000000000", 131072);
    /* 32768 and 65536 share a nibble and must not merge; nor 65536 and 131072. */
    expect_move("fg00000000000000", DIRECTION_LEFT, "fg00000000000000", 0);
    expect_move("f000g00000000000", DIRECTION_UP, "f000g00000000000", 0);
    expect_move("gh00000000000000", DIRECTION_LEFT, "gh00000000000000", 0);
    /* The high bits travel with their tile. */
    expect_move("000g000h00010002", DIRECTION_LEFT, "g000h00010002000", 0);
    /* Small merges beside large tiles keep their rewards. */
    expect_move("g0111122ff000000", DIRECTION_LEFT, "g2002300g0000000", 65536 + 4 + 4 + 8);
}

static void test_large_terminal(void **state)
{
    (void)state;
    /* Equal nibbles everywhere, but no equal tiles. */
    assert_true(board4x4_is_terminal(read_board("fgfggfgffgfggfgf")));
    assert_true(board4x4_is_terminal(read_board("hhhhhhhhhhhhhhhh")));
    assert_false(board4x4_is_terminal(read_board("ggfgfhfhhfhffhfh")));
    assert_false(board4x4_is_terminal(read_board("hhhhhhhhhhhhhhh0")));
    assert_false(board4x4_is_terminal(read_board("ffffffffffffffff")));
    assert_true(board4x4_is_terminal(read_board("1212212112122121")));
    assert_false(board4x4_is_terminal(read_board("1212212112122122")));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_large_tiles),
        cmocka_unit_test(test_large_terminal),
        cmocka_unit_test(test_images),
        cmocka_unit_test(test_against_grid),
    };
    return cmocka_run_group_tests_name("board4x4", tests, setup_grid, free_grid);
}
