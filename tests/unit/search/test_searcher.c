/* The searcher's outside: settings, time, downgrading. Its values are compared in tests/oracle/test_search.c. */
#include "scratch.h"

#include "base/clock.h"
#include "game/notation.h"
#include "game/simple_value.h"
#include "search/downgrade.h"
#include "search/plain_expectimax.h"
#include "search/searcher.h"

#include <math.h>
#include <stdatomic.h>

struct fixture {
    struct grid grid;
    struct simple_value *simple;
    struct value_function function;
};

static void make(struct fixture *fixture, unsigned rows, unsigned cols)
{
    assert_ok(grid_create(&fixture->grid, rows, cols));
    assert_ok(simple_value_create(&fixture->simple, &fixture->grid));
    fixture->function = simple_value_function(fixture->simple);
}

static void release(struct fixture *fixture)
{
    simple_value_free(fixture->simple);
    grid_free(&fixture->grid);
}

static struct board parse(const struct grid *grid, const char *text)
{
    struct board board;
    assert_ok(notation_parse(grid, text, &board));
    return board;
}

static void test_settings(void **state)
{
    (void)state;
    const struct search_settings wrong[] = {
        {.depth = 0},
        {.depth = 9},
        {.depth = 1, .milliseconds = -1},
        {.depth = 1, .milliseconds = NAN},
        {.milliseconds = 1e12},
        {.depth = 1, .prune = 1},
        {.depth = 1, .prune = -0.1},
        {.depth = 1, .prune = NAN},
        {.depth = 1, .margin = -1},
        {.depth = 1, .margin = NAN},
        {.depth = 1, .margin = 1e7},
        {.depth = 1, .downgrade = 18},
        {.depth = 1, .downgrade = 10},
    };
    struct fixture fixture;
    make(&fixture, 4, 4);
    for (unsigned i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        struct searcher *searcher = (void *)&fixture;
        assert_int_equal(searcher_create(&searcher, &fixture.grid, &fixture.function, &wrong[i]), STATUS_USAGE);
        assert_null(searcher);
    }
    struct searcher *searcher = (void *)&fixture;
    fixture.function.batch = 64;
    assert_int_equal(searcher_create(&searcher, &fixture.grid, &fixture.function,
                                     &(struct search_settings){.depth = 3, .margin = 100}),
                     STATUS_USAGE);
    assert_null(searcher);
    searcher_free(NULL);
    release(&fixture);
}

/* A value function that takes its time: time limits are met by the clock, not by luck. */
struct slow {
    struct value_function inner;
};

static void slow_values(const void *context, const struct board *after, size_t n, float *out)
{
    const struct slow *slow = context;
    value_of_batch(&slow->inner, after, n, out);
    for (uint64_t end = clock_nanoseconds() + 20000; clock_nanoseconds() < end;)
        continue;
}

/* A search that runs out of time answers from what was finished: each value is that of its own depth. */
static void test_time(void **state)
{
    (void)state;
    struct fixture fixture;
    make(&fixture, 4, 4);
    struct slow slow = {.inner = simple_value_function(fixture.simple)};
    fixture.function = (struct value_function){.context = &slow, .values = slow_values, .symmetric = true};
    struct board board = parse(&fixture.grid, "0123045600780001");
    for (unsigned threads = 1; threads <= 2; threads++) {
        struct search_settings settings = {.milliseconds = 15, .n_threads = threads, .table_bytes = 1 << 20};
        struct searcher *searcher;
        assert_ok(searcher_create(&searcher, &fixture.grid, &fixture.function, &settings));
        struct search_result result = searcher_search(searcher, board);
        unsigned deepest = 0;
        for (unsigned d = 0; d < DIRECTION_COUNT; d++)
            deepest = result.depth[d] > deepest ? result.depth[d] : deepest;
        assert_true(deepest >= 1 && deepest < SEARCH_MAX_DEEPENING);
        assert_int_equal(result.depth[result.best], deepest);
        for (unsigned d = 0; d < DIRECTION_COUNT; d++) {
            if (!(result.legal >> d & 1))
                continue;
            assert_true(result.depth[d] == deepest || result.depth[d] + 1 == deepest);
            struct search_result plain = plain_expectimax(&fixture.grid, &slow.inner, board, result.depth[d]);
            assert_true(fabsf(result.value[d] - plain.value[d]) < 1e-5F * (1 + fabsf(plain.value[d])));
        }
        searcher_free(searcher);
    }
    release(&fixture);
}

/* Time enough: the whole game tree of a tiny board, and the depth that was requested. */
static void test_time_enough(void **state)
{
    (void)state;
    struct fixture fixture;
    make(&fixture, 2, 2);
    struct search_settings settings = {.depth = 4, .milliseconds = 60000};
    struct searcher *searcher;
    assert_ok(searcher_create(&searcher, &fixture.grid, &fixture.function, &settings));
    struct board board = parse(&fixture.grid, "1001");
    struct search_result result = searcher_search(searcher, board);
    struct search_result plain = plain_expectimax(&fixture.grid, &fixture.function, board, 4);
    assert_int_equal(result.best, plain.best);
    assert_int_equal(result.depth[result.best], 4);
    assert_true(result.n_leaves > 0);
    result = searcher_search(searcher, parse(&fixture.grid, "1221")); /* no move */
    assert_int_equal(result.best, DIRECTION_COUNT);
    assert_int_equal(result.legal, 0);
    searcher_free(searcher);
    release(&fixture);
}

static void check_downgrade(const char *from, unsigned threshold, const char *to)
{
    struct grid grid;
    char digits[NOTATION_DIGITS_BYTES];
    assert_ok(grid_create(&grid, 4, 4));
    struct board board = downgrade_board(parse(&grid, from), threshold);
    assert_string_equal(notation_digits(&grid, board, digits), to);
    grid_free(&grid);
}

static void test_downgrade(void **state)
{
    (void)state;
    check_downgrade("fec1000000000000", 15, "edc1000000000000"); /* the example of the paper: 8192 is missing */
    check_downgrade("eec1000000000000", 15, "eec1000000000000"); /* not yet */
    check_downgrade("fedcba9876543210", 15, "fedcba9876543210"); /* nothing is missing */
    check_downgrade("ffdcba9876543210", 15, "eedcba9876543210"); /* equal tiles stay equal */
    check_downgrade("g000000000000001", 15, "e000000000000001");
    check_downgrade("gfed000000000001", 15, "edcb000000000001");
    check_downgrade("hged000000000001", 15, "edcb000000000001");
    check_downgrade("hged000000000001", 17, "gfed000000000001"); /* no further than it must */
    check_downgrade("f000000000000000", 15, "e000000000000000");
    check_downgrade("fe00000000000001", 16, "fe00000000000001");
    check_downgrade("0000000000000000", 15, "0000000000000000");
}

/* The same directions are legal, and the choice is the one for the downgraded board; the rewards are those of
   the board itself. */
static void test_downgraded_search(void **state)
{
    (void)state;
    struct fixture fixture;
    make(&fixture, 4, 4);
    struct search_settings settings = {.depth = 2, .downgrade = 15};
    struct searcher *searcher;
    assert_ok(searcher_create(&searcher, &fixture.grid, &fixture.function, &settings));
    static const char *const boards[] = {"fec1210034001200", "gfe0123400120000", "gg12000000000021",
                                         "fedc123401230012"};
    for (unsigned i = 0; i < sizeof boards / sizeof *boards; i++) {
        struct board board = parse(&fixture.grid, boards[i]);
        struct search_result result = searcher_search(searcher, board);
        struct search_result plain = plain_expectimax(&fixture.grid, &fixture.function, downgrade_board(board, 15), 2);
        struct moves moves = grid_moves(&fixture.grid, board);
        assert_int_equal(result.legal, moves.legal);
        assert_int_equal(result.best, plain.best);
        assert_memory_equal(result.reward, moves.reward, sizeof moves.reward);
    }
    searcher_free(searcher);
    release(&fixture);
}

/* A value function that sets a flag at its n-th batch. */
struct canceller {
    struct value_function inner;
    atomic_bool flag;
    atomic_uint n_batches;
    unsigned cancel_at;
};

static void cancelling_values(const void *context, const struct board *after, size_t n, float *out)
{
    struct canceller *canceller = (void *)context; /* the test's own, and not constant */
    value_of_batch(&canceller->inner, after, n, out);
    if (++canceller->n_batches == canceller->cancel_at)
        canceller->flag = true;
}

static void check_cancel(struct fixture *fixture, struct search_settings settings, unsigned cancel_at)
{
    struct canceller canceller = {.inner = simple_value_function(fixture->simple), .cancel_at = cancel_at};
    struct value_function function = {.context = &canceller, .values = cancelling_values, .symmetric = true};
    struct board board = parse(&fixture->grid, "0123045600780001");
    struct searcher *searcher;
    settings.cancel = &canceller.flag;
    assert_ok(searcher_create(&searcher, &fixture->grid, &function, &settings));
    struct search_result result = searcher_search(searcher, board);
    assert_true(result.cancelled);
    /* Each thread ends with the batch it is at; two plies are a batch for each move, and those are finished. */
    assert_true(canceller.n_batches < cancel_at + settings.n_threads + DIRECTION_COUNT);
    unsigned deepest = 0;
    for (unsigned d = 0; d < DIRECTION_COUNT; d++) {
        deepest = result.depth[d] > deepest ? result.depth[d] : deepest;
        assert_int_equal(isnan(result.value[d]), result.depth[d] == 0);
        if (result.depth[d] == 0)
            continue;
        struct search_result plain = plain_expectimax(&fixture->grid, &canceller.inner, board, result.depth[d]);
        assert_true(fabsf(result.value[d] - plain.value[d]) < 1e-5F * (1 + fabsf(plain.value[d])));
    }
    if (deepest == 0)
        assert_int_equal(result.best, DIRECTION_COUNT);
    else
        assert_int_equal(result.depth[result.best], deepest);
    canceller.flag = false; /* and the searcher is good for another search */
    canceller.cancel_at = 0;
    result = searcher_search(searcher, parse(&fixture->grid, "123456789abc0001"));
    assert_false(result.cancelled);
    assert_true(result.best < DIRECTION_COUNT);
    searcher_free(searcher);
}

static void test_cancel(void **state)
{
    (void)state;
    struct fixture fixture;
    make(&fixture, 4, 4);
    for (unsigned threads = 1; threads <= 2; threads++)
        for (unsigned cancel_at = 1; cancel_at < 400; cancel_at += 37) {
            check_cancel(&fixture, (struct search_settings){.depth = 4, .n_threads = threads}, cancel_at);
            check_cancel(&fixture,
                         (struct search_settings){
                             .depth = 4, .milliseconds = 3600000, .n_threads = threads, .table_bytes = 1 << 20},
                         cancel_at + 1);
        }
    release(&fixture);
}

struct heard {
    unsigned depth, n_calls, n_done, n_parts;
};

static void hear(void *context, unsigned depth, unsigned n_done, unsigned n_parts)
{
    struct heard *heard = context;
    assert_true(depth == heard->depth ? n_done > heard->n_done && n_parts == heard->n_parts : n_done == 0);
    *heard = (struct heard){.depth = depth, .n_calls = heard->n_calls + 1, .n_done = n_done, .n_parts = n_parts};
}

/* One thread reports each part; a search by time begins anew at each depth. */
static void test_watch(void **state)
{
    (void)state;
    struct fixture fixture;
    make(&fixture, 3, 3);
    for (unsigned timed = 0; timed < 2; timed++) {
        struct heard heard = {0};
        struct search_settings settings = {
            .depth = 3, .milliseconds = timed ? 3600000 : 0, .watch = hear, .watch_context = &heard};
        struct searcher *searcher;
        assert_ok(searcher_create(&searcher, &fixture.grid, &fixture.function, &settings));
        searcher_search(searcher, parse(&fixture.grid, "012304560"));
        assert_int_equal(heard.depth, 3);
        assert_true(heard.n_parts > 0);
        assert_int_equal(heard.n_done, heard.n_parts);
        assert_int_equal(heard.n_calls, 1 + heard.n_parts + timed); /* at two plies there are no parts */
        searcher_free(searcher);
    }
    release(&fixture);
}

/* One searcher at many limits answers as one made for each. */
static void test_set_limit(void **state)
{
    (void)state;
    static const unsigned depths[] = {3, 1, 4, 2, 4, 3};
    struct fixture fixture;
    make(&fixture, 3, 3);
    struct board board = parse(&fixture.grid, "012304560");
    struct search_settings any = {.milliseconds = 1, .table_bytes = 1 << 20};
    struct searcher *searcher, *fresh;
    assert_ok(searcher_create(&searcher, &fixture.grid, &fixture.function, &any));
    for (unsigned i = 0; i < sizeof depths / sizeof *depths; i++) {
        struct search_settings settings = {.depth = depths[i]};
        assert_ok(searcher_create(&fresh, &fixture.grid, &fixture.function, &settings));
        searcher_set_limit(searcher, depths[i], 0);
        struct search_result ours = searcher_search(searcher, board), expected = searcher_search(fresh, board);
        assert_int_equal(ours.best, expected.best);
        assert_memory_equal(ours.depth, expected.depth, sizeof ours.depth);
        for (unsigned d = 0; d < DIRECTION_COUNT; d++)
            if (expected.legal >> d & 1)
                assert_true(ours.value[d] == expected.value[d]);
        searcher_free(fresh);
    }
    searcher_free(searcher);
    release(&fixture);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_set_limit),   cmocka_unit_test(test_settings),  cmocka_unit_test(test_time),
        cmocka_unit_test(test_time_enough), cmocka_unit_test(test_downgrade), cmocka_unit_test(test_downgraded_search),
        cmocka_unit_test(test_cancel),      cmocka_unit_test(test_watch),
    };
    return cmocka_run_group_tests_name("searcher", tests, NULL, NULL);
}
