/* Means of networks: of plain weights, of promoted ones, of weights that only some have touched. */
#include "network_sample.h"

#include "ntuple/blend.h"

#include <math.h>

static const struct sample sample = {3, 3, "0 1 2/4", "plain 4", "0 16 64", true, 2};

static struct network *blend(struct network *a, struct network *b)
{
    struct blend blend;
    assert_ok(blend_begin(&blend, a));
    assert_ok(blend_add(&blend, b));
    network_free(b);
    return blend_end(&blend);
}

/* The value of the mean is the mean of the values, where both have all weights. */
static void test_values(void **state)
{
    (void)state;
    struct network *a = sample_network(&sample, 1), *b = sample_network(&sample, 1);
    struct board boards[200];
    double expected[200];
    struct rng rng = random_stream(4, 4);
    for (uint64_t i = 0; i < b->n_weights; i++)
        b->weights[i] = (float)(random_unit(&rng) * 300 - 100);
    for (unsigned i = 0; i < 200; i++) {
        boards[i] = (struct board){0};
        for (unsigned cell = 0; cell < 9; cell++)
            boards[i].cells |= random_below(&rng, 8) << 4 * cell;
        expected[i] = ((double)network_value(a, boards[i]) + (double)network_value(b, boards[i])) / 2;
    }
    struct network *mean = blend(a, b);
    for (unsigned i = 0; i < 200; i++)
        assert_true(fabs((double)network_value(mean, boards[i]) - expected[i]) < 1e-2);
    network_free(mean);
}

static void test_untouched(void **state)
{
    (void)state;
    enum { BOTH, ONE, NONE, PROMOTED_IN_ONE, PROMOTED_IN_BOTH, CANCELS };
    struct network *a = sample_network(&sample, 1 << 30), *b = sample_network(&sample, 1 << 30);
    uint64_t n = a->n_stage_weights;
    a->weights[BOTH] = 7, b->weights[BOTH] = 11;
    b->weights[ONE] = 5;
    a->weights[PROMOTED_IN_ONE] = 10, a->weights[n + PROMOTED_IN_ONE] = 20, b->weights[PROMOTED_IN_ONE] = 30;
    a->weights[PROMOTED_IN_BOTH] = 40, b->weights[PROMOTED_IN_BOTH] = 60;
    a->weights[CANCELS] = 1, b->weights[CANCELS] = 3; /* whose mean is what an untouched weight is */
    struct network *mean = blend(a, b);
    assert_true(mean->weights[BOTH] == 9 && mean->weights[ONE] == 5 && mean->weights[NONE] == 2);
    assert_true(mean->weights[PROMOTED_IN_ONE] == 20 && mean->weights[n + PROMOTED_IN_ONE] == 25);
    /* The last stage has it from the one before, and so promotion gives it. */
    assert_true(mean->weights[2 * n + PROMOTED_IN_ONE] == 2);
    assert_true(mean->weights[PROMOTED_IN_BOTH] == 50 && mean->weights[n + PROMOTED_IN_BOTH] == 2);
    assert_true(mean->weights[CANCELS] != 2 && fabsf(mean->weights[CANCELS] - 2) < 1e-6f);
    network_free(mean);
}

static void assert_refused(const struct sample *other, const char *why)
{
    struct blend blend;
    struct network *next = sample_network(other, 2);
    assert_ok(blend_begin(&blend, sample_network(&sample, 2)));
    assert_int_equal(blend_add(&blend, next), STATUS_INVALID);
    assert_non_null(strstr(status_message(), why));
    assert_int_equal(blend.n_networks, 1);
    network_free(next);
    blend_free(&blend);
}

static void test_refuses(void **state)
{
    (void)state;
    struct sample other = sample;
    other.promote = false;
    assert_refused(&other, "promotes");
    other = sample, other.stages = "0 32 64";
    assert_refused(&other, "stages");
    other = sample, other.tuples = "0 1 2/3";
    assert_refused(&other, "tuples");
    other = sample, other.encoding = "plain 5";
    assert_refused(&other, "encoding");
    other = sample, other.initial = 0;
    assert_refused(&other, "the initial weights differ");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_values), cmocka_unit_test(test_untouched),
                                       cmocka_unit_test(test_refuses)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
