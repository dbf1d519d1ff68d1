/* The histogram of move times against sorted times. */
#include "scratch.h"

#include "base/random.h"
#include "study/pace.h"

static int compare(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

static void test_empty(void **state)
{
    (void)state;
    struct pace pace = {0};
    assert_true(pace_n_moves(&pace) == 0 && pace_quantile(&pace, 0.99) == 0);
    pace_add(&pace, 0, 1);
    assert_true(pace_n_moves(&pace) == 1 && pace_quantile(&pace, 0.99) == 0);
}

/* Every number lands in a bucket whose middle is within 1/32 of it. */
static void test_buckets(void **state)
{
    (void)state;
    for (uint64_t ns = 1; ns < UINT64_C(1) << 42; ns += 1 + ns / 50) {
        struct pace pace = {0};
        pace_add(&pace, ns, 3);
        double middle = pace_quantile(&pace, 0.5) * 1e9;
        assert_true(middle > (double)ns * (1 - 1.0 / 31) && middle < (double)ns * (1 + 1.0 / 31));
        assert_true(pace_n_moves(&pace) == 3);
    }
    struct pace pace = {0};
    pace_add(&pace, UINT64_MAX, 1); /* beyond the last bucket */
    assert_true(pace_quantile(&pace, 1) > 4000);
}

static void test_quantiles(void **state)
{
    (void)state;
    enum { N = 10000 };
    static uint64_t times[N];
    static struct pace halves[2];
    struct rng rng = random_stream(1, 2);
    for (int i = 0; i < N; i++) {
        times[i] = 100 + (random_bits(&rng) >> (34 + random_below(&rng, 20)));
        pace_add(&halves[i % 2], times[i], 1);
    }
    pace_merge(&halves[0], &halves[1]);
    assert_true(pace_n_moves(&halves[0]) == N);
    qsort(times, N, sizeof *times, compare);
    static const double shares[] = {0.01, 0.5, 0.9, 0.99, 1};
    for (size_t i = 0; i < sizeof shares / sizeof *shares; i++) {
        double exact = (double)times[(size_t)(shares[i] * N) - 1];
        double got = pace_quantile(&halves[0], shares[i]) * 1e9;
        if (got < exact * 0.96 || got > exact * 1.04)
            fail_msg("quantile %g: %g, expected about %g", shares[i], got, exact);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_empty),
        cmocka_unit_test(test_buckets),
        cmocka_unit_test(test_quantiles),
    };
    return cmocka_run_group_tests_name("pace", tests, NULL, NULL);
}
