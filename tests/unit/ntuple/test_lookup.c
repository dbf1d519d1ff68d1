/* Sums of weights: the vector ways against the plain ones, to the last bit. */
#include "scratch.h"

#include "base/random.h"
#include "ntuple/lookup.h"

enum { LOOKUPS = 40, WEIGHTS = 500 };

static struct rng rng;

/* Weights of all sizes, where the order of additions shows; one in eight is 0, and one in eight `initial`. */
static float draw_weight(float initial)
{
    float size = (float)(UINT32_C(1) << random_below(&rng, 24)), unit = (float)random_unit(&rng) - 0.5f;
    uint64_t kind = random_below(&rng, 8);
    return kind == 0 ? 0 : kind == 1 ? initial : size * unit;
}

static void test_sum_vector(void **state)
{
    (void)state;
#if LOOKUP_VECTORS
    for (int i = 0; i < 10000; i++) {
        float partial[8];
        for (unsigned s = 0; s < 8; s++)
            partial[s] = draw_weight(1);
        float plain = lookup_sum_images(partial, 8), vector = lookup_sum_vector(_mm256_loadu_ps(partial));
        assert_memory_equal(&plain, &vector, sizeof plain);
    }
#else
    skip();
#endif
}

/* Both ways over the same indices. Promotion writes into the stage, so each way has a copy. */
static void check_sums(size_t stride, bool promoted)
{
    static float cells[2][4 * WEIGHTS], before[4 * WEIGHTS];
    uint32_t index[LOOKUPS];
    for (unsigned i = 0; i < stride * WEIGHTS; i++) {
        cells[0][i] = cells[1][i] = draw_weight(7);
        before[i] = draw_weight(7);
    }
    for (unsigned i = 0; i < LOOKUPS; i++)
        index[i] = (uint32_t)random_below(&rng, WEIGHTS);
    struct weight_view view = {.cells = cells[0],
                               .before = promoted ? before : NULL,
                               .stride = stride,
                               .n_symmetries = 8,
                               .keep = true,
                               .initial = 7,
                               .n_lookups = LOOKUPS};
    unsigned n_plain, n_eights;
    float plain = lookup_sum_plain(&view, index, &n_plain);
    view.cells = cells[1];
    float eights = lookup_sum_eights(&view, index, &n_eights);
    assert_memory_equal(&plain, &eights, sizeof plain);
    assert_int_equal(n_plain, n_eights);
    assert_memory_equal(cells[0], cells[1], sizeof cells[0]);
}

static void test_sum_eights(void **state)
{
    (void)state;
    for (int i = 0; i < 2000; i++)
        for (size_t stride = 1; stride <= 4; stride++) {
            check_sums(stride, false);
            check_sums(stride, true);
        }
}

static int setup(void **state)
{
    (void)state;
    rng = random_stream(9, 11);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_sum_vector), cmocka_unit_test(test_sum_eights)};
    return cmocka_run_group_tests_name("lookup", tests, setup, NULL);
}
