/* Packed weights: each method within its bound, and wrong bytes. */
#include "scratch.h"

#include "base/random.h"
#include "packed/weight_pack.h"

#include <math.h>

enum { N = 5000 };

static float weights[N], back[N];
static uint8_t bytes[WEIGHT_PACK_HEADER_BYTES + 4 * N];

enum spread { EVEN, FEW_LARGE, TINY, ONE_VALUE, UNTOUCHED };

static void fill(enum spread spread, float initial)
{
    struct rng rng = random_stream(5, spread);
    for (int i = 0; i < N; i++) {
        double unit = random_unit(&rng) - 0.5;
        double weight = spread == EVEN        ? unit * 20000
                        : spread == FEW_LARGE ? unit * (i % 1000 == 7 ? 1e6 : 10)
                        : spread == TINY      ? unit * 1e-39
                                              : 123.456;
        weights[i] = i % 3 == 0 || spread == UNTOUCHED ? initial : (float)weight;
    }
}

static void test_float32_is_exact(void **state)
{
    (void)state;
    fill(EVEN, 1.5f);
    weights[1] = NAN;
    weights[2] = -INFINITY;
    struct weight_error error = {0};
    assert_ok(weight_pack(NETWORK_FLOAT32, 1.5f, weights, N, bytes, &error));
    assert_ok(weight_unpack(bytes, weight_pack_bytes(NETWORK_FLOAT32, N), 1.5f, back, N));
    assert_memory_equal(weights, back, sizeof weights);
    assert_true(error.worst == 0);
}

/* What weight_pack.h says of either method. */
static void check_16bit(enum spread spread, float initial)
{
    struct weight_error error = {0};
    fill(spread, initial);
    assert_ok(weight_pack(NETWORK_16BIT, initial, weights, N, bytes, &error));
    assert_ok(weight_unpack(bytes, weight_pack_bytes(NETWORK_16BIT, N), initial, back, N));
    double low = INFINITY, high = -INFINITY, worst = 0, squares = 0;
    for (int i = 0; i < N; i++)
        if (weights[i] != initial) {
            low = fmin(low, (double)weights[i]);
            high = fmax(high, (double)weights[i]);
        }
    double largest = fmax(fabs(low), fabs(high));
    bool linear = bytes[0] == 1;
    for (int i = 0; i < N; i++) {
        assert_int_equal(weights[i] == initial, back[i] == initial);
        if (weights[i] == initial)
            continue;
        double wrong = fabs((double)back[i] - (double)weights[i]), weight = fabs((double)weights[i]);
        double bound = linear ? 0.51 * (high - low) / 65534 + weight * 0x1p-23
                              : fmax(weight * 0x1.01p-11, largest * 0x1p-40) + 1e-45;
        assert_true(wrong <= bound);
        worst = fmax(worst, wrong);
        squares += wrong * wrong;
    }
    assert_true(error.worst == worst);
    assert_true(fabs(error.sum_squares - squares) <= 1e-9 * squares);
    if (spread == EVEN)
        assert_true(linear);
    if (spread == FEW_LARGE)
        assert_false(linear);
}

static void test_16bit_within_its_bound(void **state)
{
    (void)state;
    for (enum spread spread = EVEN; spread <= UNTOUCHED; spread++) {
        check_16bit(spread, 0);
        check_16bit(spread, 5000);
        check_16bit(spread, -3.25f);
    }
}

/* A touched weight that rounds to the initial one stays touched. */
static void test_touched_stays_touched(void **state)
{
    (void)state;
    for (int large = 0; large < 2; large++) {
        float few[4] = {0.25f, 0.24999999f, -1000, large ? 1e30f : 1000};
        float again[4];
        assert_ok(weight_pack(NETWORK_16BIT, 0.25f, few, 4, bytes, NULL));
        assert_ok(weight_unpack(bytes, weight_pack_bytes(NETWORK_16BIT, 4), 0.25f, again, 4));
        assert_true(again[0] == 0.25f);
        assert_true(again[1] != 0.25f);
    }
}

static void test_not_finite_is_refused(void **state)
{
    (void)state;
    fill(EVEN, 0);
    weights[1] = INFINITY;
    assert_int_equal(weight_pack(NETWORK_16BIT, 0, weights, N, bytes, NULL), STATUS_INVALID);
    assert_message("diverged");
}

static void test_wrong_bytes_are_refused(void **state)
{
    (void)state;
    fill(EVEN, 0);
    size_t packed = weight_pack_bytes(NETWORK_16BIT, N);
    assert_ok(weight_pack(NETWORK_16BIT, 0, weights, N, bytes, NULL));
    assert_int_equal(weight_unpack(bytes, packed, 0, back, N - 1), STATUS_CORRUPT);
    assert_int_equal(weight_unpack(bytes, packed - 1, 0, back, N), STATUS_CORRUPT);
    assert_int_equal(weight_unpack(bytes, 3, 0, back, N), STATUS_CORRUPT);
    bytes[0] = 3; /* codes are no bitmap for as many bytes */
    assert_int_equal(weight_unpack(bytes, packed, 0, back, N), STATUS_CORRUPT);
    bytes[0] = 4;
    assert_int_equal(weight_unpack(bytes, packed, 0, back, N), STATUS_CORRUPT);
    bytes[0] = 0; /* float32 would need twice as many */
    assert_int_equal(weight_unpack(bytes, packed, 0, back, N), STATUS_CORRUPT);
}

static void fill_back(float initial)
{
    for (int i = 0; i < N; i++)
        back[i] = initial;
}

/* Half a step wrong at most (and a float's own rounding), untouched as before, and the error that is reported. */
static void check_steps(enum spread spread, float initial, float step)
{
    struct weight_error error = {0};
    size_t n_bytes, n_touched = 0;
    fill(spread, initial);
    fill_back(initial);
    assert_ok(weight_pack_steps(step, initial, weights, N, bytes, &n_bytes, &error));
    assert_ok(weight_unpack(bytes, n_bytes, initial, back, N));
    double worst = 0;
    for (int i = 0; i < N; i++) {
        assert_int_equal(weights[i] == initial, back[i] == initial);
        n_touched += weights[i] != initial;
        worst = fmax(worst, fabs((double)back[i] - (double)weights[i]));
    }
    double reached =
        spread == FEW_LARGE && step < 10 ? 1e6 / 32767 : (double)step; /* the step that was taken, or more */
    assert_true(worst <= 0.5001 * reached + 0.001);
    assert_true(error.worst == worst);
    assert_int_equal(error.n_touched, n_touched);
    assert_int_equal(n_bytes, weight_steps_min_bytes(N) + 2 * n_touched);
    assert_true(n_bytes <= weight_pack_bytes(NETWORK_STEPS, N));
}

static void test_steps_within_their_bound(void **state)
{
    (void)state;
    for (enum spread spread = EVEN; spread <= UNTOUCHED; spread++)
        for (float step = 1; step < 1000; step *= 7) {
            check_steps(spread, 0, step);
            check_steps(spread, 5000, step);
        }
}

/* With large steps all weights become the mean of the run, which here is the initial weight: they stay touched. */
static void test_steps_stay_touched(void **state)
{
    (void)state;
    float few[3] = {-3, 0, 3}, again[3] = {0};
    size_t n_bytes;
    assert_ok(weight_pack_steps(100, 0, few, 3, bytes, &n_bytes, NULL));
    assert_ok(weight_unpack(bytes, n_bytes, 0, again, 3));
    assert_true(again[0] != 0 && again[1] == 0 && again[2] != 0);
    assert_true(fabs((double)again[0]) < 1e-30);
    few[2] = NAN;
    assert_int_equal(weight_pack_steps(100, 0, few, 3, bytes, &n_bytes, NULL), STATUS_INVALID);
}

static void test_wrong_steps_are_refused(void **state)
{
    (void)state;
    size_t n_bytes;
    float few[3] = {1, 0, 2}, again[3] = {0};
    assert_ok(weight_pack_steps(1, 0, few, 3, bytes, &n_bytes, NULL));
    assert_int_equal(n_bytes, WEIGHT_PACK_HEADER_BYTES + 1 + 4);
    assert_int_equal(weight_unpack(bytes, n_bytes - 1, 0, again, 3), STATUS_CORRUPT);
    assert_int_equal(weight_unpack(bytes, WEIGHT_PACK_HEADER_BYTES, 0, again, 3), STATUS_CORRUPT);
    bytes[WEIGHT_PACK_HEADER_BYTES] = 7; /* one more touched than there are codes */
    assert_int_equal(weight_unpack(bytes, n_bytes, 0, again, 3), STATUS_CORRUPT);
    bytes[WEIGHT_PACK_HEADER_BYTES] = 1 | 8; /* as many, but one of them beyond the end */
    assert_int_equal(weight_unpack(bytes, n_bytes, 0, again, 3), STATUS_CORRUPT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_float32_is_exact),        cmocka_unit_test(test_16bit_within_its_bound),
        cmocka_unit_test(test_touched_stays_touched),   cmocka_unit_test(test_not_finite_is_refused),
        cmocka_unit_test(test_wrong_bytes_are_refused), cmocka_unit_test(test_steps_within_their_bound),
        cmocka_unit_test(test_steps_stay_touched),      cmocka_unit_test(test_wrong_steps_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
