/* Moves taken back, shown again, and written down. */
#include "scratch.h"

#include "cli/play/play_history.h"

static void play(struct play_history *history, unsigned n)
{
    for (unsigned i = 0; i < n; i++) {
        bool legal = false;
        assert_false(game_is_over(&play_history_present(history)->game)); /* the seeds are chosen so */
        for (unsigned d = i; !legal; d++)
            assert_ok(play_history_play(history, d % DIRECTION_COUNT, &legal));
    }
}

static void test_way_back(void **state)
{
    (void)state;
    struct grid grid;
    struct play_history history = {0};
    assert_ok(grid_create(&grid, 4, 4));
    struct game start = game_begin(&grid, 5, 0);
    assert_ok(play_history_begin(&history, &start));
    assert_false(play_history_back(&history));
    assert_false(play_history_forward(&history));
    play(&history, 100); /* more than its first room */
    assert_int_equal(play_history_present(&history)->game.n_moves, 100);
    struct game last = play_history_present(&history)->game;
    for (unsigned i = 0; i < 100; i++)
        assert_true(play_history_back(&history));
    assert_false(play_history_back(&history));
    assert_true(board_equal(play_history_present(&history)->game.board, start.board));
    for (unsigned i = 0; i < 100; i++)
        assert_true(play_history_forward(&history));
    assert_true(board_equal(play_history_present(&history)->game.board, last.board));
    assert_true(play_history_back(&history) && play_history_back(&history));
    play(&history, 1); /* what came after is discarded */
    assert_false(play_history_forward(&history));
    assert_int_equal(play_history_present(&history)->game.n_moves, 99);
    play_history_free(&history);
    grid_free(&grid);
}

static void test_illegal(void **state)
{
    (void)state;
    struct grid grid;
    struct play_history history = {0};
    assert_ok(grid_create(&grid, 1, 2));
    struct game start = game_begin(&grid, 5, 0);
    assert_ok(play_history_begin(&history, &start));
    bool legal = true;
    assert_ok(play_history_play(&history, DIRECTION_UP, &legal));
    assert_false(legal);
    assert_int_equal(history.n_moves, 1);
    play_history_free(&history);
    grid_free(&grid);
}

/* A record of the way to the present, loaded again, is the same way. */
static void test_record(void **state)
{
    (void)state;
    struct grid grid;
    struct play_history history = {0}, loaded = {0};
    struct game_record record = {0};
    assert_ok(grid_create(&grid, 4, 4));
    struct game start = game_begin(&grid, 9, 0);
    assert_ok(play_history_begin(&history, &start));
    play(&history, 50);
    assert_true(play_history_back(&history));
    assert_ok(play_history_record(&history, 9, &record));
    assert_int_equal(record.n_moves, 49);
    assert_ok(game_record_check(&grid, &record));
    assert_ok(play_history_load(&loaded, &grid, &record));
    assert_int_equal(loaded.n_moves, 50);
    assert_int_equal(loaded.present, 0);
    for (unsigned i = 0; i < 50; i++) {
        assert_true(board_equal(loaded.moves[i].game.board, history.moves[i].game.board));
        assert_int_equal(loaded.moves[i].game.score, history.moves[i].game.score);
        assert_int_equal(loaded.moves[i].direction, history.moves[i].direction);
    }
    game_record_free(&record);
    play_history_free(&history);
    play_history_free(&loaded);
    grid_free(&grid);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_way_back),
        cmocka_unit_test(test_illegal),
        cmocka_unit_test(test_record),
    };
    return cmocka_run_group_tests_name("play_history", tests, NULL, NULL);
}
