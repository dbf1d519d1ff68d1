/*
 * Search level by level: what the value function evaluates, and how often. That the values are right is checked in
 * tests/oracle/test_search.c; here only where levels overflow, which small searches do not reach.
 */
#include "scratch.h"

#include "base/clock.h"
#include "game/notation.h"
#include "game/simple_value.h"
#include "search/plain_expectimax.h"
#include "search/searcher.h"

#include <math.h>
#include <stdatomic.h>

enum { MOST_BOARDS = 1 << 16 };

/* A value function that records what it evaluates. */
struct witness {
    struct value_function inner;
    const struct grid *grid;
    unsigned n_calls, largest;
    size_t n_boards;
    struct board *boards;
    uint64_t call_ns; /* what each call takes at least */
};

static void witness_values(const void *context, const struct board *after, size_t n, float *out)
{
    struct witness *witness = (struct witness *)(uintptr_t)context;
    uint64_t end = clock_nanoseconds() + witness->call_ns;
    witness->n_calls++;
    witness->largest = n > witness->largest ? (unsigned)n : witness->largest;
    for (size_t i = 0; i < n && witness->n_boards < MOST_BOARDS; i++)
        witness->boards[witness->n_boards++] = after[i];
    value_of_batch(&witness->inner, after, n, out);
    while (witness->call_ns && clock_nanoseconds() < end)
        continue;
}

struct fixture {
    struct grid grid;
    struct simple_value *simple;
    struct witness witness;
    struct value_function function;
};

static void make(struct fixture *fixture, unsigned rows, unsigned cols, size_t batch, bool symmetric)
{
    assert_ok(grid_create(&fixture->grid, rows, cols));
    assert_ok(simple_value_create(&fixture->simple, &fixture->grid));
    fixture->witness = (struct witness){.inner = simple_value_function(fixture->simple),
                                        .grid = &fixture->grid,
                                        .boards = calloc(MOST_BOARDS, sizeof(struct board))};
    assert_non_null(fixture->witness.boards);
    fixture->function = (struct value_function){
        .context = &fixture->witness, .values = witness_values, .symmetric = symmetric, .batch = batch};
}

static void release(struct fixture *fixture)
{
    free(fixture->witness.boards);
    simple_value_free(fixture->simple);
    grid_free(&fixture->grid);
}

static struct board parse(const struct grid *grid, const char *text)
{
    struct board board;
    assert_ok(notation_parse(grid, text, &board));
    return board;
}

static int compare_boards(const void *a, const void *b)
{
    struct board x, y;
    memcpy(&x, a, sizeof x);
    memcpy(&y, b, sizeof y);
    return board_equal(x, y) ? 0 : board_less(x, y) ? -1 : 1;
}

/* The different boards among those evaluated; all of them canonical if they should be. */
static size_t count_different(struct fixture *fixture)
{
    struct witness *witness = &fixture->witness;
    size_t n = 0;
    qsort(witness->boards, witness->n_boards, sizeof *witness->boards, compare_boards);
    for (size_t i = 0; i < witness->n_boards; i++) {
        n += i == 0 || !board_equal(witness->boards[i], witness->boards[i - 1]);
        if (fixture->function.symmetric)
            assert_true(board_equal(witness->boards[i], grid_canonical(&fixture->grid, witness->boards[i])));
    }
    return n;
}

/* One call for a whole tree, or as many as the size of batches needs; every board once. */
static void test_one_call(void **state)
{
    (void)state;
    for (unsigned depth = 1; depth <= 3; depth++) {
        size_t n_leaves[2];
        for (unsigned symmetric = 0; symmetric <= 1; symmetric++) {
            struct fixture fixture;
            make(&fixture, 4, 4, 4096, symmetric);
            struct searcher *searcher;
            assert_ok(searcher_create(&searcher, &fixture.grid, &fixture.function,
                                      &(struct search_settings){.depth = depth}));
            struct search_result result = searcher_search(searcher, parse(&fixture.grid, "0123045617801231"));
            n_leaves[symmetric] = result.n_leaves;
            assert_true(result.n_leaves == fixture.witness.n_boards && result.n_leaves < 4096);
            assert_int_equal(fixture.witness.n_calls, 1);
            assert_true(count_different(&fixture) == result.n_leaves);
            searcher_free(searcher);
            release(&fixture);
        }
        assert_true(n_leaves[1] <= n_leaves[0] && n_leaves[0] > (depth == 3 ? 200 : 1));
    }
}

/* Batches are bounded, and threads share them. */
static void test_bounded_batches(void **state)
{
    (void)state;
    struct fixture fixture;
    make(&fixture, 4, 4, 50, true);
    struct searcher *searcher;
    assert_ok(searcher_create(&searcher, &fixture.grid, &fixture.function, &(struct search_settings){.depth = 3}));
    struct search_result result = searcher_search(searcher, parse(&fixture.grid, "0123045617801231"));
    assert_int_equal(fixture.witness.n_calls, (result.n_leaves + 49) / 50);
    assert_int_equal(fixture.witness.largest, 50);
    searcher_free(searcher);
    release(&fixture);
}

/* Many positions: one call for all; images of one position cost what one costs. */
static void test_together(void **state)
{
    (void)state;
    struct fixture fixture;
    make(&fixture, 4, 4, 4096, true);
    struct searcher *searcher;
    assert_ok(searcher_create(&searcher, &fixture.grid, &fixture.function, &(struct search_settings){.depth = 2}));
    enum { N = 2000 };
    static struct board boards[N];
    static struct search_result together[N];
    struct board first = parse(&fixture.grid, "0123045617801231");
    for (unsigned s = 0; s < 8; s++)
        boards[s] = grid_image(&fixture.grid, first, s);
    searcher_search_many(searcher, boards, 8, together);
    size_t n_together = fixture.witness.n_boards;
    assert_int_equal(fixture.witness.n_calls, 1);
    assert_true(searcher_search(searcher, first).n_leaves == n_together);
    struct rng rng = random_stream(3, 0);
    for (unsigned i = 0; i < N; i++) /* more than are searched in one piece, and one without a move */
        boards[i] = i == 1500 ? parse(&fixture.grid, "1212212112122121") : grid_start(&fixture.grid, &rng);
    searcher_search_many(searcher, boards, N, together);
    for (unsigned i = 0; i < N; i += i == 1400 ? 50 : 25) {
        struct search_result alone = searcher_search(searcher, boards[i]);
        assert_true(alone.best == together[i].best && alone.legal == together[i].legal);
        assert_true((alone.legal == 0) == (i == 1500));
        for (unsigned d = 0; d < DIRECTION_COUNT; d++)
            assert_true(alone.legal >> d & 1 ? alone.value[d] == together[i].value[d] : isnan(together[i].value[d]));
    }
    searcher_free(searcher);
    release(&fixture);
}

/* A tree that is larger than a level: in pieces, with the values of the search by families (plain takes too long). */
static void test_pieces(void **state)
{
    (void)state;
    struct fixture fixture;
    struct searcher *by_families, *searcher;
    make(&fixture, 4, 4, 4096, false);
    struct board board = parse(&fixture.grid, "1234020001000003");
    struct search_settings settings = {.depth = 5, .table_bytes = 1 << 20};
    assert_ok(searcher_create(&by_families, &fixture.grid, &fixture.witness.inner, &settings));
    struct search_result expected = searcher_search(by_families, board);
    searcher_free(by_families);
    for (unsigned table = 0; table <= 1; table++) {
        settings.table_bytes = table << 20;
        assert_ok(searcher_create(&searcher, &fixture.grid, &fixture.function, &settings));
        struct search_result result = searcher_search(searcher, board);
        assert_true(result.n_leaves > 2 << 15); /* batch_search.c: LEVEL_NODES, twice */
        for (unsigned d = 0; d < DIRECTION_COUNT; d++)
            assert_true(fabsf(result.value[d] - expected.value[d]) < 1e-5F * (1 + fabsf(expected.value[d])));
        searcher_free(searcher);
    }
    release(&fixture);
}

/* Out of time: all moves have the values of one depth, and those are right. */
static void test_time(void **state)
{
    (void)state;
    struct fixture fixture;
    make(&fixture, 4, 4, 128, true);
    fixture.witness.call_ns = 100000;
    struct search_settings settings = {.milliseconds = 20};
    struct searcher *searcher;
    struct board board = parse(&fixture.grid, "0123045600780001");
    assert_ok(searcher_create(&searcher, &fixture.grid, &fixture.function, &settings));
    struct search_result result = searcher_search(searcher, board);
    unsigned depth = result.depth[result.best];
    assert_true(depth >= 1 && depth < SEARCH_MAX_DEEPENING);
    assert_true(depth == 1 || fixture.witness.largest <= 64); /* the clock is looked at more often than by batches */
    struct search_result plain = plain_expectimax(&fixture.grid, &fixture.witness.inner, board, depth);
    for (unsigned d = 0; d < DIRECTION_COUNT; d++) {
        assert_int_equal(result.depth[d], plain.legal >> d & 1 ? depth : 0);
        if (plain.legal >> d & 1)
            assert_true(fabsf(result.value[d] - plain.value[d]) < 1e-5F * (1 + fabsf(plain.value[d])));
    }
    searcher_free(searcher);
    release(&fixture);
}

/* Cancelled between two batches: nothing is said of any move. One ply is not cancelled. */
static void test_cancel(void **state)
{
    (void)state;
    struct fixture fixture;
    make(&fixture, 4, 4, 32, true);
    atomic_bool cancel = true;
    struct board boards[2] = {parse(&fixture.grid, "0123045600780001"), parse(&fixture.grid, "1000000000000002")};
    for (unsigned depth = 1; depth <= 2; depth++) {
        struct search_settings settings = {.depth = depth, .cancel = &cancel};
        struct searcher *searcher;
        assert_ok(searcher_create(&searcher, &fixture.grid, &fixture.function, &settings));
        fixture.witness.n_calls = 0;
        struct search_result results[3] = {searcher_search(searcher, boards[0])};
        assert_int_equal(fixture.witness.n_calls, 1);
        searcher_search_many(searcher, boards, 2, results + 1);
        for (unsigned i = 0; i < 3; i++) {
            assert_true(results[i].cancelled == (depth > 1));
            assert_true((results[i].best == DIRECTION_COUNT) == (depth > 1));
        }
        cancel = false;
        struct search_result result = searcher_search(searcher, boards[0]);
        assert_true(!result.cancelled && result.best != DIRECTION_COUNT);
        cancel = true;
        searcher_free(searcher);
    }
    release(&fixture);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_one_call), cmocka_unit_test(test_bounded_batches),
        cmocka_unit_test(test_together), cmocka_unit_test(test_pieces),
        cmocka_unit_test(test_time),     cmocka_unit_test(test_cancel),
    };
    return cmocka_run_group_tests_name("batch_search", tests, NULL, NULL);
}
