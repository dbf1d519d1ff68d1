/* Move qualities against numbers worked out by hand. */
#include "scratch.h"

#include "study/move_quality.h"

#include <math.h>

static void assert_near(double got, double expected)
{
    if (fabs(got - expected) > 1e-12 * (1 + fabs(expected)))
        fail_msg("got %.17g, expected %.17g", got, expected);
}

static void test_shares(void **state)
{
    (void)state;
    assert_near(move_quality_loss_share(4, 400), 0.01);
    assert_near(move_quality_loss_share(0, 400), 0);
    assert_near(move_quality_loss_share(1e-10, 400), 0); /* rounding */
    assert_near(move_quality_loss_share(5, 4), 1);
    assert_near(move_quality_loss_share(5, -4), 1);
    assert_near(move_quality_loss_share(0, 0), 0);
    assert_near(move_quality_accuracy(0), 1);
    assert_near(move_quality_accuracy(0.01), 0.5);
    assert_near(move_quality_accuracy(0.02), 0.25);
}

static void test_game(void **state)
{
    (void)state;
    struct move_quality quality = {0};
    const double losses[] = {0, 4, 290, 40, 0, 1e-10}, bests[] = {100, 290749, 290749, 400, 10, 10};
    for (unsigned i = 0; i < 6; i++)
        assert_ok(move_quality_add(&quality, losses[i], bests[i]));
    assert_int_equal(quality.n_moves, 6);
    assert_int_equal(quality.n_best, 3);
    assert_int_equal(quality.n_blunders, 1); /* 40 of 400, not 290 of 290,749 */
    assert_int_equal(quality.n_mistakes, 0); /* 290 of 290,749 is just below a thousandth */
    assert_near(move_quality_median_loss(&quality), 40);
    assert_near(quality.worst, 290);
    assert_near(quality.worst_share, 0.1);
    assert_ok(move_quality_add(&quality, 300, 290749));
    assert_int_equal(quality.n_mistakes, 1);
    assert_near(move_quality_median_loss(&quality), 165); /* of 4, 40, 290, 300 */
    assert_near(quality.accuracy,
                3 + exp2(-400 / 290749.0) + exp2(-29000 / 290749.0) + exp2(-10) + exp2(-30000 / 290749.0));
    move_quality_free(&quality);
}

static void test_json(void **state)
{
    (void)state;
    struct move_quality quality = {0};
    struct json json;
    char *text;
    json_begin(&json);
    move_quality_add_json(&quality, &json);
    assert_ok(json_print_compact(&json, &text));
    assert_string_equal(text,
                        "{\"best_moves\":0,\"best_share\":null,\"accuracy\":null,\"median_loss\":0,\"worst_loss\":0,"
                        "\"worst_share\":0,\"mistakes\":0,\"blunders\":0,\"mistake_limit\":0.001,"
                        "\"blunder_limit\":0.01}");
    free(text);
    for (unsigned i = 0; i < 1000; i++) /* room grows */
        assert_ok(move_quality_add(&quality, i % 2 ? 2 : 0, 200));
    json_begin(&json);
    move_quality_add_json(&quality, &json);
    assert_ok(json_print_compact(&json, &text));
    assert_string_equal(text,
                        "{\"best_moves\":500,\"best_share\":0.5,\"accuracy\":0.75,\"median_loss\":2,\"worst_loss\":2,"
                        "\"worst_share\":0.01,\"mistakes\":0,\"blunders\":500,\"mistake_limit\":0.001,"
                        "\"blunder_limit\":0.01}");
    free(text);
    move_quality_free(&quality);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_shares),
        cmocka_unit_test(test_game),
        cmocka_unit_test(test_json),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
