/* Summaries against numbers worked out by hand. */
#include "scratch.h"

#include "study/summary.h"

#include "base/random.h"

#include <math.h>

static void assert_near(double got, double expected)
{
    if (fabs(got - expected) > 1e-6 * (1 + fabs(expected)))
        fail_msg("got %.9g, expected %.9g", got, expected);
}

static void test_no_games(void **state)
{
    (void)state;
    struct summary summary;
    assert_ok(summary_compute(&summary, NULL, 0));
    assert_true(summary.n_games == 0 && summary.n_moves == 0 && summary.mean == 0 && summary.ci95 == 0);
    assert_true(summary.min == 0 && summary.max == 0 && summary.median == 0 && summary.deviation == 0);
    assert_true(summary.reached[1].rate == 0 && summary.reached[1].high == 0);
    assert_int_equal(summary.first_tile, 1);
    assert_int_equal(summary.last_tile, 1);
}

static void test_one_game(void **state)
{
    (void)state;
    struct summary summary;
    struct game_result result = {.score = 100, .n_moves = 7, .max_value = 5};
    assert_ok(summary_compute(&summary, &result, 1));
    assert_true(summary.n_games == 1 && summary.n_moves == 7 && summary.mean == 100 && summary.median == 100);
    assert_true(summary.min == 100 && summary.max == 100 && summary.ci95 == 0 && summary.deviation == 0);
    assert_true(summary.reached[5].rate == 1 && summary.reached[5].high == 1);
    assert_near(summary.reached[5].low, 0.206549314);
    assert_true(summary.reached[6].rate == 0 && summary.reached[6].low == 0);
    assert_near(summary.reached[6].high, 0.793450686);
}

static void test_two_games(void **state)
{
    (void)state;
    struct summary summary;
    struct game_result results[] = {{.score = 300, .n_moves = 2, .max_value = 6},
                                    {.score = 100, .n_moves = 1, .max_value = 4}};
    assert_ok(summary_compute(&summary, results, 2));
    assert_true(summary.n_moves == 3 && summary.mean == 200 && summary.median == 200);
    assert_true(summary.min == 100 && summary.max == 300);
    assert_near(summary.deviation, 141.421356237); /* sqrt((100^2 + 100^2) / (2 - 1)) */
    assert_near(summary.ci95, 195.996398454);      /* 1.959964 * 141.42 / sqrt(2) */
    assert_near(summary.reached[6].rate, 0.5);
    assert_near(summary.reached[4].rate, 1);
    assert_int_equal(summary.last_tile, 6);
}

static void test_three_games(void **state)
{
    (void)state;
    struct summary summary;
    struct game_result results[] = {
        {.score = 60, .max_value = 11}, {.score = 10, .max_value = 9}, {.score = 20, .max_value = 10}};
    assert_ok(summary_compute(&summary, results, 3));
    assert_true(summary.mean == 30 && summary.median == 20 && summary.min == 10 && summary.max == 60);
    assert_near(summary.deviation, 26.457513110645905);
    assert_near(summary.ci95, 29.938944);
    assert_int_equal(summary.last_tile, 11);
    assert_int_equal(summary.first_tile, 4); /* eight tiles: 2^4 .. 2^11 */
    summary_show_tiles(&summary, 12, 16);    /* none of them was reached: not worth showing */
    assert_true(summary.first_tile == 4 && summary.last_tile == 11);
    summary_show_tiles(&summary, 11, 16);
    assert_true(summary.first_tile == 11 && summary.last_tile == 16);
    summary_show_tiles(&summary, 10, 12);
    assert_true(summary.first_tile == 10 && summary.last_tile == 16);
}

/* Wilson's interval, computed apart from this program. */
static void test_shares(void **state)
{
    (void)state;
    static const struct {
        uint64_t k, n;
        double low, high;
    } known[] = {
        {1, 10, 0.017876213, 0.404150022},
        {5, 10, 0.236593091, 0.763406909},
        {0, 10, 0, 0.277532800},
        {10, 10, 0.722467200, 1},
        {1, 2, 0.094531206, 0.905468794},
        {3, 1000, 0.001020784, 0.008783014},
        {0, 1, 0, 0.793450686},
    };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        struct share share = summary_share(known[i].k, known[i].n);
        assert_true(share.rate == (double)known[i].k / (double)known[i].n);
        assert_near(share.low, known[i].low);
        assert_near(share.high, known[i].high);
        assert_true(share.low >= 0 && share.low <= share.rate && share.rate <= share.high && share.high <= 1);
    }
}

/* The same digits whatever order the games come in, also where a sum of doubles would depend on it. */
static void test_order(void **state)
{
    (void)state;
    enum { N = 1001 };
    struct game_result results[N];
    struct summary first, other;
    struct rng rng = random_stream(1, 1);
    for (unsigned i = 0; i < N; i++)
        results[i] = (struct game_result){.score = random_bits(&rng) >> (random_bits(&rng) % 40),
                                          .n_moves = (uint32_t)i,
                                          .max_value = (uint8_t)random_below(&rng, BOARD_MAX_VALUE + 1)};
    assert_ok(summary_compute(&first, results, N));
    for (unsigned round = 0; round < 20; round++) {
        for (unsigned i = N - 1; i > 0; i--) {
            unsigned j = (unsigned)random_below(&rng, i + 1);
            struct game_result held = results[i];
            results[i] = results[j];
            results[j] = held;
        }
        assert_ok(summary_compute(&other, results, N));
        assert_memory_equal(&first, &other, sizeof first);
    }
}

static void test_json(void **state)
{
    (void)state;
    struct summary summary;
    struct game_result results[] = {{.score = 300, .n_moves = 2, .max_value = 3},
                                    {.score = 100, .n_moves = 1, .max_value = 2}};
    assert_ok(summary_compute(&summary, results, 2));
    struct json json;
    json_begin(&json);
    summary_add_json(&summary, &json);
    char *text;
    assert_ok(json_print(&json, &text));
    static const char *const parts[] = {"\"games\"", "\"mean\"",  "\"ci95\"", "\"median\"", "\"min\"",       "\"max\"",
                                        "\"tiles\"", "\"moves\"", "\"8\"",    "0.5",        "\"tiles_ci95\""};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (!strstr(text, parts[i]))
            fail_msg("%s is not in %s", parts[i], text);
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_no_games),    cmocka_unit_test(test_one_game), cmocka_unit_test(test_two_games),
        cmocka_unit_test(test_three_games), cmocka_unit_test(test_shares),   cmocka_unit_test(test_order),
        cmocka_unit_test(test_json),
    };
    return cmocka_run_group_tests_name("summary", tests, NULL, NULL);
}
