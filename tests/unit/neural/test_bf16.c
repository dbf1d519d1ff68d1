/* Products of 16-bit floats: packing and the vector code against plain loops, and a network in 16 bits against
   floats. */
#include "scratch.h"

#include "neural/compute.h"

#include <math.h>
#include <stdlib.h>

static void draw(struct rng *rng, float *numbers, size_t n)
{
    for (size_t i = 0; i < n; i++)
        numbers[i] = (float)(random_unit(rng) - 0.5);
}

static float widen(uint16_t half)
{
    uint32_t bits = (uint32_t)half << 16;
    float number;
    memcpy(&number, &bits, sizeof number);
    return number;
}

static void test_round(void **state)
{
    (void)state;
    static const struct {
        uint32_t bits;
        uint16_t half;
    } cases[] = {
        {0x3f800000, 0x3f80}, {0x3f808000, 0x3f80} /* a tie, to even */,
        {0x3f818000, 0x3f82}, {0x3f808001, 0x3f81},
        {0xbf80ffff, 0xbf81}, {0x7f800000, 0x7f80},
        {0x7f7fffff, 0x7f80}, {0x7f800001, 0x7fc0},
        {0x80000000, 0x8000},
    };
    for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
        float number;
        memcpy(&number, &cases[i].bits, sizeof number);
        assert_int_equal(bf16_round(number), cases[i].half);
    }
    enum { N = 1000 };
    struct rng rng = random_stream(1, 1);
    float numbers[N];
    uint16_t halves[N + 1];
    draw(&rng, numbers, N);
    for (size_t n = 1; n <= N; n = n * 3 + 1) {
        halves[n] = 0x1234;
        bf16_round_all(numbers, n, halves);
        for (size_t i = 0; i < n; i++)
            assert_int_equal(halves[i], bf16_round(numbers[i]));
        assert_int_equal(halves[n], 0x1234);
    }
}

static void compare(const float *out, const double *expected, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (fabs((double)out[i] - expected[i]) > 1e-5 * (1 + fabs(expected[i])))
            fail_msg("%zu: %g instead of %g", i, (double)out[i], expected[i]);
}

/* Checks one product by both functions; `before` is in `out` if `add`. */
static void check_product(struct bf16_left left, size_t rows, const uint32_t *right, size_t pairs, size_t columns,
                          const double *product)
{
    size_t n = rows * columns;
    float *out = calloc(n + 1, sizeof *out);
    double *expected = calloc(n, sizeof *expected);
    assert_true(out && expected);
    for (unsigned way = 0; way < 4; way++) {
        bool add = way & 1, plain = way & 2;
        if (!plain && !bf16_available())
            continue;
        for (size_t i = 0; i < n; i++) {
            out[i] = (float)(i % 7) - 3;
            expected[i] = product[i] + (add ? (double)out[i] : 0);
        }
        out[n] = 77;
        (plain ? bf16_multiply_plain : bf16_multiply)(left, rows, right, pairs, columns, add, out);
        compare(out, expected, n);
        assert_true(out[n] == 77);
    }
    free(out);
    free(expected);
}

/* a [m][k] x b [k][n] in all three forms: rows as they lie; b transposed before packing; a by its columns. */
static void check_size(size_t m, size_t n, size_t k)
{
    struct rng rng = random_stream(m, n * 1000 + k);
    size_t even = (k + 1) / 2 * 2;
    float *a = calloc(m * even, sizeof *a), *b = calloc(even * n, sizeof *b), *turned = calloc(even * n, sizeof *b);
    uint16_t *rows = calloc(m * even, sizeof *rows), *columns = calloc(k * m, sizeof *columns),
             *b_halves = calloc(even * n, sizeof *b_halves);
    uint32_t *right = calloc(bf16_right_words(even / 2, n), sizeof *right),
             *left = calloc(bf16_left_words(even / 2, m), sizeof *left);
    double *product = calloc(m * n, sizeof *product);
    assert_true(a && b && turned && rows && columns && b_halves && right && left && product);
    draw(&rng, b, k * n);
    for (size_t i = 0; i < m; i++)
        draw(&rng, a + i * even, k);
    bf16_round_all(a, m * even, rows);
    bf16_round_all(b, k * n, b_halves);
    for (size_t i = 0; i < m; i++)
        for (size_t p = 0; p < k; p++) {
            columns[p * m + i] = rows[i * even + p];
            for (size_t j = 0; j < n; j++)
                product[i * n + j] += (double)widen(rows[i * even + p]) * (double)widen(b_halves[p * n + j]);
        }
    for (size_t p = 0; p < even; p++)
        for (size_t j = 0; j < n; j++)
            turned[j * even + p] = b[p * n + j];
    for (size_t panel = 0; panel < bf16_panels(n); panel++)
        bf16_pack(b, even, n, panel, right);
    check_product(bf16_rows(rows, even), m, right, even / 2, n, product);
    memset(right, 0xff, bf16_right_words(even / 2, n) * sizeof *right);
    for (size_t panel = 0; panel < bf16_panels(n); panel++)
        bf16_pack_transposed(turned, n, even, panel, right);
    check_product(bf16_rows(rows, even), m, right, even / 2, n, product);
    memset(right, 0xff, bf16_right_words(even / 2, n) * sizeof *right);
    memset(left, 0xff, bf16_left_words(even / 2, m) * sizeof *left);
    bf16_pack_left(columns, k, m, left);
    bf16_pack_right(b_halves, k, n, right);
    check_product(bf16_columns(left, even / 2), m, right, even / 2, n, product);
    free(a);
    free(b);
    free(turned);
    free(rows);
    free(columns);
    free(b_halves);
    free(right);
    free(left);
    free(product);
}

/* Every height and width of a tile, full and partial. */
static void test_products(void **state)
{
    (void)state;
    for (size_t m = 1; m <= 13; m++)
        for (size_t n = 1; n <= 150; n += n % 16 == 15 || n % 16 == 0 ? 1 : 7)
            check_size(m, n, m % 3 + 1 + 2 * (n % 5));
    check_size(97, 256, 130);
    check_size(200, 100, 33);
}

/* Outputs and gradients of networks in 16 bits are those of floats but for the rounding. */
static void test_networks(void **state)
{
    (void)state;
    static const char *const models[] = {"2x2 24 40 fc 70 16", "CNN22SSS", "dual 16 18 20 fc 34", "fc 32 16"};
    enum { N = 90 };
    if (!bf16_available()) {
        print_message("no AVX512_BF16 here: only the plain functions were tested\n");
        return;
    }
    for (unsigned k = 0; k < sizeof models / sizeof *models; k++) {
        struct neural_spec spec = {.rows = 4, .cols = 4, .planes = 16, .scale = 1};
        struct neural *neural;
        struct half_weights *half;
        struct neural_workspace *floats, *halves;
        struct board boards[N];
        float exact[N], rounded[N], error[N];
        struct rng rng = random_stream(5, k);
        snprintf(spec.model, sizeof spec.model, "%s", models[k]);
        assert_ok(neural_create(&neural, &spec));
        neural_initialise(neural, NEURAL_FIXED, 0.01, 7);
        for (unsigned a = 1; a < neural->n_arrays; a += 2) /* no unit is near the edge of ReLU, where sides change */
            for (size_t i = 0; i < neural->arrays[a].n; i++)
                neural->arrays[a].data[i] += i % 4 ? 4.0f : -40.0f;
        assert_ok(half_weights_create(&half, neural, true));
        for (unsigned part = 0; part < 3; part++)
            half_weights_pack(half, part, 3);
        assert_ok(neural_workspace_create(&floats, neural, NULL, N, true));
        assert_ok(neural_workspace_create(&halves, neural, half, N, true));
        for (size_t i = 0; i < N; i++) {
            boards[i] = (struct board){0};
            for (unsigned cell = 0; cell < 16; cell++)
                boards[i] = board_set(boards[i], cell, (unsigned)random_below(&rng, i % 2 ? 16 : 4));
        }
        draw(&rng, error, N);
        float *gradient = calloc(2 * neural->n_parameters, sizeof *gradient), *other = gradient + neural->n_parameters;
        assert_non_null(gradient);
        for (size_t n = N; n > 0; n = n * 2 / 5) {
            double wrong = 0, size = 0, wrong_gradient = 0, size_gradient = 0;
            memset(gradient, 0, 2 * neural->n_parameters * sizeof *gradient);
            neural_forward(floats, boards, n, exact);
            neural_forward(halves, boards, n, rounded);
            neural_backward(floats, error, gradient);
            neural_backward(halves, error, other);
            for (size_t i = 0; i < n; i++) {
                wrong += pow((double)(exact[i] - rounded[i]), 2);
                size += pow((double)exact[i], 2);
            }
            for (size_t i = 0; i < neural->n_parameters; i++) {
                wrong_gradient += pow((double)(gradient[i] - other[i]), 2);
                size_gradient += pow((double)gradient[i], 2);
            }
            /* A number has 8 bits; sums over many are better. */
            assert_true(wrong <= 1e-4 * size && wrong > 0);
            assert_true(wrong_gradient <= 1e-4 * size_gradient && wrong_gradient > 0);
        }
        free(gradient);
        neural_workspace_free(floats);
        neural_workspace_free(halves);
        half_weights_free(half);
        neural_free(neural);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_round),
        cmocka_unit_test(test_products),
        cmocka_unit_test(test_networks),
    };
    return cmocka_run_group_tests_name("bf16", tests, NULL, NULL);
}
