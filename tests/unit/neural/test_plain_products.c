/* The products of the page without a server (site/plain_products.c) against sums in double. */
#include "scratch.h"

#include "base/random.h"

#include <math.h>

/* Beside those of the program. */
#define products_load plain_load
#define products_gemm plain_gemm
#include "../../../site/plain_products.c"
#include "neural/products.h"

enum { MOST = 23 };

struct case_of_products {
    float a[MOST * MOST], b[MOST * MOST], c[MOST * MOST], before[MOST * MOST];
    size_t m, n, k;
};

static void draw(struct rng *rng, float *numbers)
{
    for (size_t i = 0; i < MOST * MOST; i++)
        numbers[i] = (float)random_below(rng, 2001) / 1000 - 1;
}

static void check_cells(const struct case_of_products *test, bool add)
{
    for (size_t row = 0; row < MOST; row++)
        for (size_t column = 0; column < MOST; column++) {
            size_t at = row * MOST + column;
            double sum = add ? (double)test->before[at] : 0;
            for (size_t i = 0; i < test->k; i++)
                sum += (double)test->a[row * MOST + i] * (double)test->b[i * MOST + column];
            if (row < test->m && column < test->n)
                assert_true(fabs((double)test->c[at] - sum) < 1e-5);
            else
                assert_true(test->c[at] == test->before[at]); /* nothing else is written */
        }
}

/* Sizes that whole tiles cover and sizes that they do not, rows wider than the matrices need, added or not. */
static void test_sizes(void **state)
{
    (void)state;
    struct rng rng = random_stream(3, 1);
    static struct case_of_products test;
    for (unsigned trial = 0; trial < 2000; trial++) {
        test.m = 1 + random_below(&rng, MOST);
        test.n = 1 + random_below(&rng, MOST);
        test.k = 1 + random_below(&rng, MOST);
        draw(&rng, test.a), draw(&rng, test.b), draw(&rng, test.c);
        memcpy(test.before, test.c, sizeof test.c);
        bool add = trial % 2;
        plain_gemm(false, false, test.m, test.n, test.k, test.a, MOST, test.b, MOST, add, test.c, MOST);
        check_cells(&test, add);
    }
    assert_int_equal(plain_load(), STATUS_OK);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_sizes)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
