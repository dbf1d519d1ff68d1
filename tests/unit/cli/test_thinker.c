/* Searches on another thread: the same as a search here; cancelled at once, and started again. */
#include "scratch.h"

#include "cli/play/thinker.h"
#include "game/notation.h"
#include "game/simple_value.h"

enum { LONG_MS = 600000 };

static void test_thinker(void **state)
{
    (void)state;
    struct grid grid;
    struct simple_value *simple;
    struct thinker *thinker;
    struct board board, other;
    assert_ok(grid_create(&grid, 4, 4));
    assert_ok(simple_value_create(&simple, &grid));
    assert_ok(notation_parse(&grid, "0123045600780001", &board));
    assert_ok(notation_parse(&grid, "1203405600780010", &other));
    struct player player = {.kind = PLAYER_SEARCH,
                            .grid = &grid,
                            .function = simple_value_function(simple),
                            .search = {.depth = 3, .n_threads = 2}};
    struct searcher *searcher;
    assert_ok(player_create_searcher(&searcher, &player));
    assert_ok(thinker_create(&thinker, &player));
    struct thought thought;
    assert_false(thinker_answer(thinker, 0, &thought)); /* nothing was requested */
    for (unsigned i = 0; i < 20; i++) {
        struct board asked = i % 2 ? board : other;
        struct search_result expected = searcher_search(searcher, asked);
        thinker_start(thinker, i % 3 ? board : other); /* dropped */
        if (i % 4 == 0)
            thinker_drop(thinker);
        thinker_start(thinker, asked);
        assert_true(thinker_answer(thinker, LONG_MS, &thought));
        assert_false(thought.result.cancelled);
        assert_int_equal(thought.result.best, expected.best);
        assert_memory_equal(thought.result.value, expected.value, sizeof expected.value);
        assert_int_equal(thinker_progress(thinker).depth, 3);
    }
    thinker_drop(thinker);
    assert_false(thinker_answer(thinker, 0, &thought));
    thinker_free(thinker);

    player.search = (struct search_settings){.milliseconds = LONG_MS}; /* would be a wait of minutes */
    assert_ok(thinker_create(&thinker, &player));
    thinker_start(thinker, board);
    assert_false(thinker_answer(thinker, 20, &thought));
    thinker_free(thinker);
    thinker_free(NULL);
    searcher_free(searcher);
    simple_value_free(simple);
    grid_free(&grid);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_thinker)};
    return cmocka_run_group_tests_name("thinker", tests, NULL, NULL);
}
