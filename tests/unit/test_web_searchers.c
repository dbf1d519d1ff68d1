/* The server's searchers judge a board as its catalog says: downgraded or not. */
#include "scratch.h"

#include "game/notation.h"
#include "game/simple_value.h"
#include "web/web_searchers.h"

static struct search_result search(const struct catalog *catalog, struct board position)
{
    struct web_searchers *searchers;
    struct search_result result;
    assert_ok(web_searchers_create(&searchers, catalog, 1));
    assert_ok(
        web_searchers_search(searchers, 0, &catalog->boards[0], position, (struct search_limit){.depth = 2}, &result));
    web_searchers_free(searchers);
    return result;
}

static void test_downgrade(void **state)
{
    (void)state;
    static struct catalog catalog;
    struct grid grid;
    struct simple_value *simple;
    struct board large, halved;
    assert_ok(grid_create(&grid, 4, 4));
    assert_ok(simple_value_create(&simple, &grid));
    assert_ok(notation_parse(&grid, "1e0d0b0021000000", &large));
    assert_ok(notation_parse(&grid, "1d0c0b0021000000", &halved)); /* 4096 is missing above */
    struct web_board board = {.grid = &grid, .function = simple_value_function(simple), .judge = "simple"};
    assert_ok(catalog_add_board(&catalog, &board));

    struct search_result plain = search(&catalog, large), known = search(&catalog, halved);
    catalog.boards[0].downgrade = 14;
    struct search_result downgraded = search(&catalog, large);
    for (unsigned d = 0; d < DIRECTION_COUNT; d++) {
        assert_int_equal(downgraded.depth[d], known.depth[d]);
        if (known.depth[d] == 0)
            continue;
        assert_float_equal(downgraded.value[d], known.value[d], 0);
        assert_true(downgraded.value[d] != plain.value[d]);
    }
    simple_value_free(simple);
    grid_free(&grid);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_downgrade)};
    return cmocka_run_group_tests_name("web_searchers", tests, NULL, NULL);
}
