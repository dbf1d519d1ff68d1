/* The paired difference against figures worked out by hand and against a summary of the differences. */
#include "scratch.h"

#include "base/random.h"
#include "study/paired.h"

#include <math.h>

static void test_few(void **state)
{
    (void)state;
    struct game_result a[] = {{.score = 100}, {.score = 200}, {.score = 400}};
    struct game_result b[] = {{.score = 130}, {.score = 200}, {.score = 370}};
    struct paired paired = paired_compute(a, b, 0);
    assert_true(paired.n_games == 0 && paired.difference == 0 && paired.ci95 == 0);
    paired = paired_compute(a, b, 1);
    assert_true(paired.n_games == 1 && paired.difference == 30 && paired.ci95 == 0 && paired.n_better == 1);
    paired = paired_compute(a, b, 3); /* 30, 0, -30: deviation 30 */
    assert_true(paired.n_games == 3 && paired.difference == 0 && paired.n_better == 1 && paired.n_worse == 1);
    assert_true(fabs(paired.ci95 - 1.959963984540054 * 30 / sqrt(3)) < 1e-9);
}

/* Successes are compared as scores of 0 and 1 are. */
static void test_made(void **state)
{
    (void)state;
    enum { N = 300 };
    static struct game_result a[N], b[N], c[N], d[N];
    struct rng rng = random_stream(3, 5);
    for (int i = 0; i < N; i++) {
        a[i].made = random_below(&rng, 3) == 0;
        b[i].made = random_below(&rng, 2) == 0;
        c[i].score = a[i].made;
        d[i].score = b[i].made;
    }
    struct paired made = paired_compute(a, b, N), scored = paired_compute(c, d, N);
    assert_true(made.n_only_second == scored.n_better && made.n_only_first == scored.n_worse && scored.n_worse > 0);
    assert_true(fabs(made.made_difference - scored.difference) < 1e-12 && scored.difference > 0);
    assert_true(fabs(made.made_ci95 - scored.ci95) < 1e-12 && scored.ci95 > 0);
}

/* Shifted so that it is positive, the difference is a score like any other. */
static void test_as_summary(void **state)
{
    (void)state;
    enum { N = 500, SHIFT = 1 << 20 };
    static struct game_result a[N], b[N], difference[N];
    struct rng rng = random_stream(3, 4);
    for (int i = 0; i < N; i++) {
        a[i].score = random_below(&rng, 100000);
        b[i].score = a[i].score / 2 + random_below(&rng, 60000);
        difference[i].score = SHIFT + b[i].score - a[i].score;
    }
    struct summary summary;
    assert_ok(summary_compute(&summary, difference, N));
    struct paired paired = paired_compute(a, b, N);
    assert_true(fabs(paired.difference - (summary.mean - SHIFT)) < 1e-6);
    assert_true(fabs(paired.ci95 - summary.ci95) < 1e-6 && paired.ci95 > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_few),
        cmocka_unit_test(test_made),
        cmocka_unit_test(test_as_summary),
    };
    return cmocka_run_group_tests_name("paired", tests, NULL, NULL);
}
