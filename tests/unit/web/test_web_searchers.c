/* The server's searchers evaluate a board as its catalog says: downgraded or not. */
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
    struct web_board board = {.grid = &grid, .function = simple_value_function(simple), .evaluator = "simple"};
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

/* Fails the first time it is called. */
struct late_value {
    unsigned n_calls;
    struct value_function function;
};

static enum status load_late_value(void *context, struct value_function *function)
{
    struct late_value *late = context;
    *function = late->function;
    return late->n_calls++ ? STATUS_OK : status_fail(STATUS_IO, "not yet");
}

/* A function that is loaded late: by the first search, again after a failure, and once for a worker that has it. */
static void test_late_function(void **state)
{
    (void)state;
    static struct catalog catalog;
    struct grid grid;
    struct simple_value *simple;
    struct board position;
    struct web_searchers *searchers;
    struct search_result known, result;
    struct search_limit limit = {.depth = 1};
    assert_ok(grid_create(&grid, 3, 3));
    assert_ok(simple_value_create(&simple, &grid));
    assert_ok(notation_parse(&grid, "120000021", &position));
    struct late_value late = {.function = simple_value_function(simple)};
    struct web_board board = {.grid = &grid, .function = late.function, .evaluator = "simple"};
    assert_ok(catalog_add_board(&catalog, &board));
    known = search(&catalog, position);

    catalog.boards[0].function = (struct value_function){0};
    catalog.boards[0].load = load_late_value;
    catalog.boards[0].load_context = &late;
    assert_ok(web_searchers_create(&searchers, &catalog, 1));
    assert_int_equal(late.n_calls, 0);
    assert_int_equal(web_searchers_search(searchers, 0, &catalog.boards[0], position, limit, &result), STATUS_IO);
    assert_message("not yet");
    limit.depth = 2;
    for (unsigned i = 0; i < 2; i++)
        assert_ok(web_searchers_search(searchers, 0, &catalog.boards[0], position, limit, &result));
    assert_int_equal(late.n_calls, 2);
    assert_int_equal(result.best, known.best);
    assert_float_equal(result.value[result.best], known.value[known.best], 0);
    web_searchers_free(searchers);
    simple_value_free(simple);
    grid_free(&grid);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_downgrade), cmocka_unit_test(test_late_function)};
    return cmocka_run_group_tests_name("web_searchers", tests, NULL, NULL);
}
