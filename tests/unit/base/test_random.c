/* The random generator: known answers, uniform numbers, independent streams. */
#include "scratch.h"

#include "base/random.h"

/* The first outputs of Vigna's splitmix64.c from state 0. */
static void test_splitmix_known_answers(void **state)
{
    (void)state;
    uint64_t seed = 0;
    assert_int_equal(random_splitmix(&seed), UINT64_C(0xe220a8397b1dcdaf));
    assert_int_equal(random_splitmix(&seed), UINT64_C(0x6e789e6aa1b965f4));
    assert_int_equal(random_splitmix(&seed), UINT64_C(0x06c45d188009454f));
}

/* xoshiro256++ from the state {1, 2, 3, 4}: the vector that public implementations test against. */
static void test_xoshiro_known_answers(void **state)
{
    (void)state;
    static const uint64_t expected[] = {
        UINT64_C(41943041),
        UINT64_C(58720359),
        UINT64_C(3588806011781223),
        UINT64_C(3591011842654386),
        UINT64_C(9228616714210784205),
        UINT64_C(9973669472204895162),
        UINT64_C(14011001112246962877),
        UINT64_C(12406186145184390807),
        UINT64_C(15849039046786891736),
        UINT64_C(10450023813501588000),
    };
    struct rng rng = {{1, 2, 3, 4}};
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++)
        assert_int_equal(random_bits(&rng), expected[i]);
}

static double chi_square(struct rng *rng, uint64_t bound, unsigned n_draws)
{
    unsigned counts[256] = {0};
    for (unsigned i = 0; i < n_draws; i++) {
        uint64_t draw = random_below(rng, bound);
        assert_true(draw < bound);
        counts[draw]++;
    }
    double expected = (double)n_draws / (double)bound, sum = 0;
    for (unsigned i = 0; i < bound; i++)
        sum += (counts[i] - expected) * (counts[i] - expected) / expected;
    return sum;
}

/* For n-1 degrees of freedom the sum is n-1 +- sqrt(2(n-1)); five deviations either way, the seed is fixed. */
static void test_below_is_uniform(void **state)
{
    (void)state;
    struct rng rng = random_stream(7, 0);
    for (uint64_t bound = 2; bound <= 200; bound += 1 + bound / 3) {
        double freedom = (double)(bound - 1);
        double distance = (chi_square(&rng, bound, 100000) - freedom) / __builtin_sqrt(2 * freedom);
        assert_true(distance < 5 && distance > -5);
    }
    assert_int_equal(random_below(&rng, 1), 0);
}

/* With 3/4 of 2^64 a quarter of the draws is redone; without that every third number would come twice as often. */
static void test_below_big_bounds_are_fair(void **state)
{
    (void)state;
    struct rng rng = random_stream(8, 0);
    const uint64_t bound = (UINT64_C(3) << 62);
    unsigned in_low_third = 0, n = 90000;
    for (unsigned i = 0; i < n; i++) {
        uint64_t draw = random_below(&rng, bound);
        assert_true(draw < bound);
        in_low_third += draw % 3 == 0;
    }
    assert_true(in_low_third > n / 3 - 800 && in_low_third < n / 3 + 800);
    assert_true(random_below(&rng, UINT64_MAX) < UINT64_MAX);
}

static void test_unit_range_and_mean(void **state)
{
    (void)state;
    struct rng rng = random_stream(9, 0);
    double sum = 0;
    for (int i = 0; i < 100000; i++) {
        double x = random_unit(&rng);
        assert_true(x >= 0 && x < 1);
        sum += x;
    }
    assert_true(sum / 100000 > 0.495 && sum / 100000 < 0.505);
}

/* Bits of neighbouring streams and seeds agree in half the places: 64000 bits, deviation 126. */
static void test_streams_are_independent(void **state)
{
    (void)state;
    for (uint64_t k = 0; k < 50; k++) {
        struct rng a = random_stream(k, k), next_stream = random_stream(k, k + 1), next_seed = random_stream(k + 1, k);
        int by_stream = 0, by_seed = 0;
        for (int i = 0; i < 1000; i++) {
            uint64_t bits = random_bits(&a);
            by_stream += __builtin_popcountll(bits ^ random_bits(&next_stream));
            by_seed += __builtin_popcountll(bits ^ random_bits(&next_seed));
        }
        assert_in_range(by_stream, 32000 - 700, 32000 + 700);
        assert_in_range(by_seed, 32000 - 700, 32000 + 700);
    }
}

static void test_streams_repeat(void **state)
{
    (void)state;
    struct rng a = random_stream(3, 4), b = random_stream(3, 4);
    for (int i = 0; i < 100; i++)
        assert_int_equal(random_bits(&a), random_bits(&b));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_splitmix_known_answers), cmocka_unit_test(test_xoshiro_known_answers),
        cmocka_unit_test(test_below_is_uniform),       cmocka_unit_test(test_below_big_bounds_are_fair),
        cmocka_unit_test(test_unit_range_and_mean),    cmocka_unit_test(test_streams_are_independent),
        cmocka_unit_test(test_streams_repeat),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
