/* Ribbon maps return the values of their keys, for all sizes; damaged bytes are refused or harmless. */
#include "scratch.h"

#include "base/random.h"
#include "solve/ribbon.h"

/* Distinct keys: the places in a walk with random steps, or neighbours; both kinds are what ages of boards are like. */
struct sample {
    uint64_t *keys;
    uint8_t *values;
    size_t n;
};

static struct sample draw_sample(struct rng *rng, size_t n, uint64_t longest_step, unsigned n_values)
{
    struct sample sample = {malloc((n + 1) * sizeof(uint64_t)), malloc(n + 1), n};
    assert_non_null(sample.keys);
    assert_non_null(sample.values);
    uint64_t key = 0;
    for (size_t i = 0; i < n; i++) {
        sample.keys[i] = key;
        sample.values[i] = (uint8_t)random_below(rng, n_values);
        key += 1 + random_below(rng, longest_step);
    }
    return sample;
}

static uint8_t *build_sample(const struct sample *sample, size_t *bytes)
{
    struct ribbon_builder builder = {0};
    uint8_t *data;
    for (size_t i = 0; i < sample->n; i++)
        assert_ok(ribbon_builder_add(&builder, sample->keys[i], sample->values[i]));
    assert_ok(ribbon_builder_finish(&builder, &data, bytes));
    assert_null(builder.items);
    return data;
}

static void free_sample(struct sample *sample)
{
    free(sample->keys);
    free(sample->values);
}

/* Every key gives its value, one by one and in batches. Returns the bits a key; frees the sample. */
static double check_sample(struct sample sample)
{
    size_t bytes;
    uint8_t *data = build_sample(&sample, &bytes);
    struct ribbon ribbon;
    assert_ok(ribbon_open(&ribbon, data, bytes));
    assert_int_equal(ribbon.n_keys, sample.n);
    uint8_t *batch = malloc(sample.n + 1);
    assert_non_null(batch);
    ribbon_find_batch(&ribbon, sample.keys, sample.n, batch);
    for (size_t i = 0; i < sample.n; i++) {
        assert_int_equal(ribbon_find(&ribbon, sample.keys[i]), sample.values[i]);
        assert_int_equal(batch[i], sample.values[i]);
    }
    assert_true(ribbon_find(&ribbon, UINT64_C(1) << 61) < RIBBON_VALUES); /* a wrong key gets some value */
    free(batch);
    free(data);
    free_sample(&sample);
    return sample.n ? 8.0 * (double)bytes / (double)sample.n : 0;
}

static void test_small(void **state)
{
    (void)state;
    struct rng rng = random_stream(1, 0);
    for (size_t n = 0; n < 300; n++)
        check_sample(draw_sample(&rng, n, 1 + n % 7, RIBBON_VALUES));
    for (size_t n = 900; n < 1100; n += 7) /* around the first layer that bumps */
        check_sample(draw_sample(&rng, n, 100, RIBBON_VALUES));
    for (unsigned value = 0; value < RIBBON_VALUES; value++) { /* one key of each value, and all keys of one */
        struct sample sample = draw_sample(&rng, 1, 1, 1);
        sample.values[0] = (uint8_t)value;
        check_sample(sample);
        sample = draw_sample(&rng, 5000, 3, 1);
        memset(sample.values, (int)value, sample.n);
        check_sample(sample);
    }
}

static void test_sizes(void **state)
{
    (void)state;
    struct rng rng = random_stream(2, 0);
    assert_true(check_sample(draw_sample(&rng, 1000, 1, RIBBON_VALUES)) < 2.6);
    assert_true(check_sample(draw_sample(&rng, 10000, UINT64_C(1) << 40, RIBBON_VALUES)) < 2.1);
    assert_true(check_sample(draw_sample(&rng, 50000, 1, 3)) < 2.04);
    assert_true(check_sample(draw_sample(&rng, 1000000, 127, RIBBON_VALUES)) < 2.02);
}

static void test_keys_at_the_limit(void **state)
{
    (void)state;
    struct rng rng = random_stream(3, 0);
    struct sample sample = draw_sample(&rng, 3000, 1000, RIBBON_VALUES);
    for (size_t i = 0; i < sample.n; i++)
        sample.keys[i] = (UINT64_C(1) << 62) - 1 - sample.keys[i];
    check_sample(sample);
}

static void test_equal_keys_are_refused(void **state)
{
    (void)state;
    struct rng rng = random_stream(4, 0);
    static const size_t counts[] = {2, 100, 1001, 20000};
    for (int same_value = 0; same_value < 2; same_value++) {
        for (size_t k = 0; k < sizeof counts / sizeof *counts; k++) {
            struct sample sample = draw_sample(&rng, counts[k], 50, RIBBON_VALUES);
            struct ribbon_builder builder = {0};
            uint8_t *data;
            size_t bytes;
            size_t twin = random_below(&rng, sample.n);
            for (size_t i = 0; i < sample.n; i++)
                assert_ok(ribbon_builder_add(&builder, sample.keys[i], sample.values[i]));
            assert_ok(ribbon_builder_add(&builder, sample.keys[twin],
                                         same_value ? sample.values[twin] : sample.values[twin] ^ 1u));
            assert_int_equal(ribbon_builder_finish(&builder, &data, &bytes), STATUS_USAGE);
            assert_message("two keys are equal");
            assert_null(data);
            free_sample(&sample);
        }
    }
    ribbon_builder_free(NULL);
}

/* Opens a copy of exactly these bytes and queries it; the sanitizer's build checks the bounds. */
static bool try_open(const uint8_t *data, size_t bytes, struct rng *rng)
{
    uint8_t *copy = malloc(bytes ? bytes : 1);
    assert_non_null(copy);
    memcpy(copy, data, bytes);
    struct ribbon ribbon;
    enum status status = ribbon_open(&ribbon, copy, bytes);
    assert_true(status == STATUS_OK || status == STATUS_CORRUPT);
    uint64_t keys[40];
    uint8_t values[40];
    for (int i = 0; i < 40; i++)
        keys[i] = random_bits(rng) >> 2;
    ribbon_find_batch(&ribbon, keys, 40, values); /* fine on an empty one too */
    for (int i = 0; i < 40; i++)
        assert_true(values[i] < RIBBON_VALUES);
    free(copy);
    return status == STATUS_OK;
}

static void test_any_bytes(void **state)
{
    (void)state;
    struct rng rng = random_stream(5, 0);
    static const size_t counts[] = {0, 1, 200, 3000};
    for (size_t k = 0; k < sizeof counts / sizeof *counts; k++) {
        struct sample sample = draw_sample(&rng, counts[k], 9, RIBBON_VALUES);
        size_t bytes;
        uint8_t *data = build_sample(&sample, &bytes);
        assert_true(try_open(data, bytes, &rng));
        for (size_t cut = 0; cut < bytes; cut++)
            assert_false(try_open(data, cut, &rng));
        for (size_t bit = 0; bit < bytes * 8; bit++) {
            data[bit / 8] ^= (uint8_t)(1 << bit % 8);
            try_open(data, bytes, &rng);
            data[bit / 8] ^= (uint8_t)(1 << bit % 8);
        }
        free(data);
        free_sample(&sample);
    }
}

/* The same bytes whatever the order in which keys come: files do not depend on threads. */
static void test_order_does_not_matter(void **state)
{
    (void)state;
    struct rng rng = random_stream(6, 0);
    struct sample sample = draw_sample(&rng, 20000, 5, RIBBON_VALUES);
    size_t bytes, other_bytes;
    uint8_t *data = build_sample(&sample, &bytes);
    for (size_t i = sample.n - 1; i > 0; i--) {
        size_t k = random_below(&rng, i + 1);
        uint64_t key = sample.keys[i];
        uint8_t value = sample.values[i];
        sample.keys[i] = sample.keys[k];
        sample.values[i] = sample.values[k];
        sample.keys[k] = key;
        sample.values[k] = value;
    }
    uint8_t *other = build_sample(&sample, &other_bytes);
    assert_int_equal(bytes, other_bytes);
    assert_memory_equal(data, other, bytes);
    free(data);
    free(other);
    free_sample(&sample);
}

/* `test_ribbon long`: the 48 million keys that a 3x3 board has states, in make test-long. */
static void test_48_million(void **state)
{
    (void)state;
    struct rng rng = random_stream(7, 0);
    double bits = check_sample(draw_sample(&rng, 48000000, 100, RIBBON_VALUES));
    print_message("48 million keys: %.4f bits each\n", bits);
    assert_true(bits < 2.05);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_small),
        cmocka_unit_test(test_sizes),
        cmocka_unit_test(test_keys_at_the_limit),
        cmocka_unit_test(test_equal_keys_are_refused),
        cmocka_unit_test(test_any_bytes),
        cmocka_unit_test(test_order_does_not_matter),
    };
    const struct CMUnitTest long_tests[] = {cmocka_unit_test(test_48_million)};
    if (argc > 1 && strcmp(argv[1], "long") == 0)
        return cmocka_run_group_tests(long_tests, NULL, NULL);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
