/* Tiles that a move makes: examples, and that what all merges make adds up to the reward of the move. */
#include "scratch.h"

#include "game/game.h"
#include "game/notation.h"

static struct grid grid;

static void test_examples(void **state)
{
    (void)state;
    static const struct {
        const char *board;
        enum direction direction;
        unsigned value, n_made;
    } cases[] = {
        {"1100000000000000", DIRECTION_LEFT, 2, 1},  {"1100000000000000", DIRECTION_UP, 2, 0},
        {"1111000000000000", DIRECTION_LEFT, 2, 2},  {"2110000000000000", DIRECTION_LEFT, 2, 1},
        {"2110000000000000", DIRECTION_LEFT, 3, 0},  {"2211000000000000", DIRECTION_RIGHT, 2, 1},
        {"2211000000000000", DIRECTION_RIGHT, 3, 1}, {"ff00ee00ed00ed00", DIRECTION_LEFT, 15, 1},
        {"ff00ee00ed00ed00", DIRECTION_LEFT, 16, 1}, {"ff00ee00ed00ed00", DIRECTION_LEFT, 17, 0},
        {"ff00ee00ed00ed00", DIRECTION_UP, 15, 1},   {"gg00000000000000", DIRECTION_LEFT, 17, 1},
        {"hh00000011000000", DIRECTION_LEFT, 17, 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct board board;
        uint32_t reward;
        assert_ok(notation_parse(&grid, cases[i].board, &board));
        struct board after = grid_move(&grid, board, cases[i].direction, &reward);
        assert_int_equal(game_count_made(board, after, cases[i].value), cases[i].n_made);
    }
}

static void test_rewards(void **state)
{
    (void)state;
    struct rng rng = random_stream(24, 1);
    unsigned n_merged = 0;
    for (int i = 0; i < 20000; i++) {
        struct board board = {0};
        unsigned n_values = 2 + (unsigned)random_below(&rng, BOARD_MAX_VALUE - 1);
        for (unsigned cell = 0; cell < 16; cell++)
            board = board_set(board, cell, (unsigned)random_below(&rng, n_values));
        struct moves moves = grid_moves(&grid, board);
        for (unsigned d = 0; d < DIRECTION_COUNT; d++) {
            uint32_t sum = 0;
            for (unsigned value = 2; value <= BOARD_MAX_VALUE; value++)
                sum += game_count_made(board, moves.after[d], value) << value;
            assert_int_equal(sum, moves.reward[d]);
            n_merged += sum > 0;
        }
    }
    assert_true(n_merged > 20000);
}

static int setup(void **state)
{
    (void)state;
    return grid_create(&grid, 4, 4) != STATUS_OK;
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_examples), cmocka_unit_test(test_rewards)};
    return cmocka_run_group_tests_name("game_made", tests, setup, NULL);
}
