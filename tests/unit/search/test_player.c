/* Who chooses: the random player is uniform over the legal directions, the searching one follows the search. */
#include "scratch.h"

#include "game/notation.h"
#include "game/simple_value.h"
#include "search/plain_expectimax.h"
#include "search/player.h"

/* The 1 - 1e-6 quantiles of chi-square with 1, 2 and 3 degrees of freedom; the seed is fixed, so this passes or fails
   once and for all. */
static const double bounds[] = {0, 0, 23.93, 27.63, 30.66};

static void check_uniform(const char *size, const char *text, unsigned expected_legal)
{
    unsigned rows, cols;
    struct grid grid;
    struct board board;
    assert_ok(grid_parse_size(size, &rows, &cols));
    assert_ok(grid_create(&grid, rows, cols));
    assert_ok(notation_parse(&grid, text, &board));
    assert_int_equal(grid_moves(&grid, board).legal, expected_legal);
    struct player player = {.kind = PLAYER_RANDOM, .grid = &grid};
    struct rng rng = random_stream(12, expected_legal);
    enum { DRAWS = 100000 };
    unsigned count[DIRECTION_COUNT + 1] = {0};
    for (unsigned i = 0; i < DRAWS; i++)
        count[player_choose(&player, NULL, board, &rng)]++;
    unsigned n_legal = (unsigned)__builtin_popcount(expected_legal);
    double chi2 = 0, expected = (double)DRAWS / n_legal;
    for (unsigned d = 0; d < DIRECTION_COUNT; d++) {
        if (expected_legal >> d & 1)
            chi2 += (count[d] - expected) * (count[d] - expected) / expected;
        else
            assert_int_equal(count[d], 0);
    }
    assert_int_equal(count[DIRECTION_COUNT], 0);
    if (n_legal > 1 && chi2 > bounds[n_legal])
        fail_msg("%s: chi-square %.2f beyond %.2f", text, chi2, bounds[n_legal]);
    grid_free(&grid);
}

static void test_random(void **state)
{
    (void)state;
    const unsigned up = 1 << DIRECTION_UP, right = 1 << DIRECTION_RIGHT, down = 1 << DIRECTION_DOWN,
                   left = 1 << DIRECTION_LEFT;
    check_uniform("4x4", "0000010000100000", up | right | down | left);
    check_uniform("3x3", "000010000", up | right | down | left);
    check_uniform("4x4", "1000000000000000", right | down);
    check_uniform("4x4", "1111000000000000", right | down | left);
    check_uniform("4x4", "1234000000000000", down);
    check_uniform("4x4", "1212212112122133", left | right); /* full, one pair left */
    check_uniform("2x5", "0010000000", right | down | left);
}

static void test_no_move(void **state)
{
    (void)state;
    struct grid grid;
    struct simple_value *simple;
    assert_ok(grid_create(&grid, 4, 4));
    assert_ok(simple_value_create(&simple, &grid));
    struct board stuck;
    assert_ok(notation_parse(&grid, "1212212112122121", &stuck));
    struct rng rng = random_stream(1, 1);
    struct player players[] = {
        {.kind = PLAYER_RANDOM, .grid = &grid},
        {.kind = PLAYER_SEARCH, .grid = &grid, .function = simple_value_function(simple), .search.depth = 2}};
    for (unsigned i = 0; i < 2; i++) {
        struct searcher *searcher;
        assert_ok(player_create_searcher(&searcher, &players[i]));
        assert_int_equal(player_choose(&players[i], searcher, stuck, &rng), DIRECTION_COUNT);
        assert_int_equal(player_choose(&players[i], searcher, (struct board){0}, &rng), DIRECTION_COUNT);
        searcher_free(searcher);
    }
    simple_value_free(simple);
    grid_free(&grid);
}

static void test_search(void **state)
{
    (void)state;
    struct grid grid;
    struct simple_value *simple;
    assert_ok(grid_create(&grid, 3, 4));
    assert_ok(simple_value_create(&simple, &grid));
    struct value_function function = simple_value_function(simple);
    for (unsigned depth = 1; depth <= 3; depth++) {
        struct player player = {.kind = PLAYER_SEARCH, .grid = &grid, .function = function, .search.depth = depth};
        struct rng rng = random_stream(3, depth), before = rng;
        struct searcher *searcher;
        assert_ok(player_create_searcher(&searcher, &player));
        for (unsigned i = 0; i < 50; i++) {
            struct rng boards = random_stream(4, i);
            struct board board = grid_start(&grid, &boards);
            assert_int_equal(player_choose(&player, searcher, board, &rng),
                             plain_expectimax(&grid, &function, board, depth).best);
        }
        searcher_free(searcher);
        assert_memory_equal(&rng, &before, sizeof rng); /* only the random player draws */
    }
    simple_value_free(simple);
    grid_free(&grid);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random),
        cmocka_unit_test(test_no_move),
        cmocka_unit_test(test_search),
    };
    return cmocka_run_group_tests_name("player", tests, NULL, NULL);
}
