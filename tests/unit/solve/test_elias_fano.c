/* Elias-Fano sets beside plain arrays: sparse, dense, and damaged. */
#include "scratch.h"

#include "base/bytes.h"
#include "base/random.h"
#include "solve/elias_fano.h"

struct sample {
    uint64_t *numbers;
    size_t n;
    uint64_t universe;
};

static int compare_numbers(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return x < y ? -1 : x > y;
}

/* n draws below the universe, sorted, each once; squared draws crowd at the low end. */
static struct sample draw_sample(struct rng *rng, size_t n, uint64_t universe, bool crowded)
{
    struct sample sample = {.numbers = malloc((n + 1) * sizeof(uint64_t)), .universe = universe};
    assert_non_null(sample.numbers);
    for (size_t i = 0; i < n; i++) {
        uint64_t draw = random_below(rng, universe);
        sample.numbers[i] =
            crowded ? (uint64_t)((unsigned __int128)draw * random_below(rng, universe) / universe) : draw;
    }
    qsort(sample.numbers, n, sizeof(uint64_t), compare_numbers);
    for (size_t i = 0; i < n; i++) {
        if (sample.n == 0 || sample.numbers[sample.n - 1] != sample.numbers[i])
            sample.numbers[sample.n++] = sample.numbers[i];
    }
    return sample;
}

static uint8_t *encode_sample(const struct sample *sample, size_t *bytes)
{
    struct elias_fano_encoder encoder = {0};
    uint8_t *data;
    size_t half = sample->n / 2; /* one by one, then in a run: both ways give the same code */
    for (size_t i = 0; i < half; i++)
        assert_ok(elias_fano_encode(&encoder, &sample->numbers[i], 1));
    assert_ok(elias_fano_encode(&encoder, sample->numbers + half, sample->n - half));
    assert_ok(elias_fano_encoder_finish(&encoder, sample->universe, &data, bytes));
    assert_null(encoder.bits);
    return data;
}

/* Everything a set answers, beside the plain array. Frees the sample. */
static void check_sample(struct sample sample)
{
    size_t bytes;
    uint8_t *data = encode_sample(&sample, &bytes);
    struct elias_fano set;
    assert_ok(elias_fano_open(&set, data, bytes));
    assert_ok(elias_fano_validate(&set));
    assert_int_equal(elias_fano_count(&set), sample.n);
    assert_int_equal(elias_fano_universe(&set), sample.universe);
    uint64_t numbers[ELIAS_FANO_BLOCK], position;
    for (size_t i = 0; i < sample.n; i++) {
        uint64_t x = sample.numbers[i], before = i ? sample.numbers[i - 1] : 0;
        if (i % ELIAS_FANO_BLOCK == 0) {
            size_t left = sample.n - i, n = elias_fano_decode(&set, i / ELIAS_FANO_BLOCK, numbers);
            assert_int_equal(n, left < ELIAS_FANO_BLOCK ? left : ELIAS_FANO_BLOCK);
        }
        assert_true(numbers[i % ELIAS_FANO_BLOCK] == x);
        assert_true(elias_fano_select(&set, i) == x);
        position = UINT64_MAX;
        assert_true(elias_fano_find(&set, x, &position));
        assert_int_equal(position, i);
        if (i == 0 || x - before > 1) { /* the gap below x: its two ends and its middle */
            uint64_t gap[3] = {i ? before + 1 : 0, before + (x - before) / 2, x ? x - 1 : 0};
            for (int k = 0; k < 3; k++) {
                bool absent = gap[k] < x && (i == 0 || gap[k] > before);
                if (absent)
                    assert_false(elias_fano_find(&set, gap[k], &position));
                else
                    assert_true(elias_fano_find(&set, gap[k], &(uint64_t){0}));
            }
        }
        assert_int_equal(position, i); /* untouched where nothing was found */
    }
    assert_int_equal(elias_fano_n_blocks(&set), (sample.n + ELIAS_FANO_BLOCK - 1) / ELIAS_FANO_BLOCK);
    uint64_t beyond[3] = {sample.universe - 1, sample.universe, UINT64_MAX};
    for (int k = 0; k < 3; k++)
        if (sample.n == 0 || beyond[k] > sample.numbers[sample.n - 1])
            assert_false(elias_fano_find(&set, beyond[k], &position));
    free(data);
    free(sample.numbers);
}

static struct sample run_of(uint64_t first, uint64_t step, size_t n, uint64_t universe)
{
    struct sample sample = {.numbers = malloc((n + 1) * sizeof(uint64_t)), .n = n, .universe = universe};
    assert_non_null(sample.numbers);
    for (size_t i = 0; i < n; i++)
        sample.numbers[i] = first + i * step;
    return sample;
}

static void test_edges(void **state)
{
    (void)state;
    static const uint64_t universes[] = {1, 2, 63, 64, 65, 1000, UINT64_C(1) << 32, UINT64_MAX};
    for (size_t k = 0; k < sizeof universes / sizeof *universes; k++) {
        uint64_t universe = universes[k];
        check_sample(run_of(0, 1, 0, universe)); /* empty */
        check_sample(run_of(0, 1, 1, universe)); /* one element, at both ends */
        check_sample(run_of(universe - 1, 1, 1, universe));
        if (universe >= 2) {
            struct sample ends = run_of(0, universe - 1, 2, universe);
            check_sample(ends);
        }
        if (universe <= 1000)
            check_sample(run_of(0, 1, universe, universe)); /* everything */
    }
    check_sample(run_of(0, 1, 0, 0));
    static const size_t counts[] = {255, 256, 257, 511, 512, 513, 5000};
    for (size_t k = 0; k < sizeof counts / sizeof *counts; k++) {
        check_sample(run_of(0, 1, counts[k], counts[k]));
        check_sample(run_of(UINT64_MAX - counts[k], 1, counts[k], UINT64_MAX)); /* dense at the far end */
        check_sample(run_of(7, 3, counts[k], counts[k] * 3 + 7));
        check_sample(run_of(1, UINT64_MAX / counts[k] - 1, counts[k], UINT64_MAX));
    }
}

static void test_random(void **state)
{
    (void)state;
    struct rng rng = random_stream(1, 0);
    for (int i = 0; i < 300; i++) {
        size_t n = random_below(&rng, i % 10 ? 1500 : 20000);
        unsigned shift = (unsigned)random_below(&rng, 64);
        uint64_t universe = (UINT64_MAX >> shift) - random_below(&rng, (UINT64_MAX >> shift) / 4 + 1);
        check_sample(draw_sample(&rng, n, universe, i & 1));
    }
}

/* Runs of neighbours far apart: blocks whose range lies between dense and sparse, and blocks of both kinds in turn. */
static void test_clusters(void **state)
{
    (void)state;
    struct rng rng = random_stream(2, 0);
    for (int i = 0; i < 40; i++) {
        struct sample sample = run_of(0, 1, 6000, 0);
        uint64_t at = 0, longest = 1 + random_below(&rng, 2000);
        for (size_t k = 0; k < sample.n;) {
            for (uint64_t run = 1 + random_below(&rng, longest); run && k < sample.n; run--) {
                sample.numbers[k++] = at;
                at += 1 + random_below(&rng, 1 + (unsigned)i % 8);
            }
            at += random_below(&rng, UINT64_C(1) << random_below(&rng, 40));
        }
        sample.universe = at + random_below(&rng, 100);
        check_sample(sample);
    }
}

static double bits_per_number(struct sample sample)
{
    size_t bytes;
    free(encode_sample(&sample, &bytes));
    free(sample.numbers);
    return 8.0 * (double)bytes / (double)sample.n;
}

/* Directory included: log2(universe/n) + 2 and a quarter at most where numbers are spread evenly. */
static void test_sizes(void **state)
{
    (void)state;
    struct rng rng = random_stream(3, 0);
    size_t n = 200000;
    assert_true(bits_per_number(draw_sample(&rng, n, (uint64_t)n * 64, false)) < 8.25);
    assert_true(bits_per_number(draw_sample(&rng, n, (uint64_t)n * 1024, false)) < 12.25);
    assert_true(bits_per_number(draw_sample(&rng, n, (uint64_t)n * 1024, true)) < 11.6);
    assert_true(bits_per_number(run_of(0, 1, n, n)) < 1.2);
    assert_true(bits_per_number(run_of(0, 2, n, 2 * n)) < 2.2);
}

static void test_wrong_order_is_refused(void **state)
{
    (void)state;
    struct elias_fano_encoder encoder = {0};
    uint64_t twice[] = {5, 5}, down[] = {7, 6};
    uint8_t *data;
    size_t bytes;
    assert_int_equal(elias_fano_encode(&encoder, twice, 2), STATUS_USAGE);
    assert_message("ascending");
    assert_int_equal(elias_fano_encode(&encoder, down, 2), STATUS_USAGE);
    elias_fano_encoder_free(&encoder);
    assert_ok(elias_fano_encode(&encoder, twice, 1));
    assert_int_equal(elias_fano_encode(&encoder, twice, 1), STATUS_USAGE);
    elias_fano_encoder_free(&encoder);
    assert_ok(elias_fano_encode(&encoder, &(uint64_t){10}, 1));
    assert_int_equal(elias_fano_encoder_finish(&encoder, 10, &data, &bytes), STATUS_USAGE);
    assert_null(data);
    assert_message("universe 10");
    elias_fano_encoder_free(NULL);
}

/* Every call on a set that opened, whatever its bytes: the sanitizer's build checks the bounds. */
static void use_everything(const struct elias_fano *set, struct rng *rng)
{
    uint64_t numbers[ELIAS_FANO_BLOCK], position;
    elias_fano_validate(set);
    for (uint64_t b = 0; b < set->n_blocks; b++)
        elias_fano_decode(set, b, numbers);
    for (int i = 0; i < 20 && set->n_numbers; i++) {
        elias_fano_select(set, random_below(rng, set->n_numbers));
        uint64_t x = random_below(rng, set->universe);
        if (elias_fano_find(set, x, &position))
            assert_true(position < set->n_numbers);
    }
}

/* A copy of exactly the bytes, so that the sanitizer sees every step outside. */
static bool try_open(const uint8_t *data, size_t bytes, struct rng *rng)
{
    uint8_t *copy = malloc(bytes ? bytes : 1);
    assert_non_null(copy);
    memcpy(copy, data, bytes);
    struct elias_fano set;
    enum status status = elias_fano_open(&set, copy, bytes);
    assert_true(status == STATUS_OK || status == STATUS_CORRUPT);
    if (status == STATUS_OK)
        use_everything(&set, rng);
    else
        assert_int_equal(elias_fano_count(&set), 0);
    free(copy);
    return status == STATUS_OK;
}

static void test_any_bytes(void **state)
{
    (void)state;
    struct rng rng = random_stream(4, 0);
    for (int i = 0; i < 6; i++) {
        struct sample sample = draw_sample(&rng, 700, i < 3 ? UINT64_C(1) << (10 + 12 * i) : 2000, i & 1);
        size_t bytes;
        uint8_t *data = encode_sample(&sample, &bytes);
        for (size_t cut = 0; cut < bytes; cut++)
            assert_false(try_open(data, cut, &rng));
        assert_true(try_open(data, bytes, &rng));
        for (size_t bit = 0; bit < bytes * 8; bit++) {
            data[bit / 8] ^= (uint8_t)(1 << bit % 8);
            try_open(data, bytes, &rng);
            data[bit / 8] ^= (uint8_t)(1 << bit % 8);
        }
        for (int k = 0; k < 2000; k++) { /* garbage under a header that may be right */
            uint8_t *garbage = malloc(bytes);
            assert_non_null(garbage);
            memcpy(garbage, data, bytes);
            for (uint64_t n = 1 + random_below(&rng, 30); n > 0; n--)
                garbage[24 + random_below(&rng, bytes - 24)] = (uint8_t)random_bits(&rng);
            try_open(garbage, bytes, &rng);
            free(garbage);
        }
        free(data);
        free(sample.numbers);
    }
}

/* The layout of docs/FORMATS.md, byte for byte: a sparse block and a dense one. */
static void test_known_bytes(void **state)
{
    (void)state;
    uint64_t sparse[] = {18, 46, 56}, dense[] = {2, 3, 5};
    struct sample samples[] = {{sparse, 3, 64}, {dense, 3, 8}};
    /* 18 | 46-18, 56-18 below 64-18: low = 3, high parts 0, 3, 4 at bits 0, 4, 6 of 9; low parts 0, 4, 6 */
    uint64_t code[] = {0x051 | 0 << 9 | 4 << 12 | 6 << 15, 0xb};
    uint64_t directory[] = {18, 2}; /* base in 6 or 3 bits, offset 0 */
    uint64_t n_bits[] = {18, 6};
    for (int i = 0; i < 2; i++) {
        size_t bytes;
        uint8_t *data = encode_sample(&samples[i], &bytes);
        assert_int_equal(bytes, 48);
        uint64_t expected[6] = {3, samples[i].universe, n_bits[i], directory[i], code[i], 0};
        for (int k = 0; k < 6; k++)
            assert_int_equal(bytes_load_u64(data + 8 * k), expected[k]);
        free(data);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_edges),
        cmocka_unit_test(test_random),
        cmocka_unit_test(test_clusters),
        cmocka_unit_test(test_sizes),
        cmocka_unit_test(test_wrong_order_is_refused),
        cmocka_unit_test(test_any_bytes),
        cmocka_unit_test(test_known_bytes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
