/* TC by eight weights at once against one weight after the other, to the last bit. */
#include "scratch.h"

#include "base/random.h"
#include "learn/rules.h"

enum { WEIGHTS = 200, LOOKUPS = 44, FLOATS = WEIGHTS * RULES_TC_CELL };

static struct rng rng;

static float draw(void)
{
    float size = (float)(UINT32_C(1) << random_below(&rng, 24));
    return random_below(&rng, 4) == 0 ? 0 : size * ((float)random_unit(&rng) - 0.5f);
}

/* Weights, E of both signs, A of 0 or more; `n_values` different indices for eight look-ups. */
static void check_updates(uint64_t n_values)
{
    static float cells[2][FLOATS + NETWORK_SPARE_FLOATS];
    uint32_t index[LOOKUPS];
    for (unsigned i = 0; i < FLOATS; i++) {
        float value = draw();
        cells[0][i] = cells[1][i] = i % RULES_TC_CELL == 2 ? fabsf(value) : value;
    }
    for (unsigned i = 0; i < LOOKUPS; i++) /* as in a network, tables share none */
        index[i] = (uint32_t)(i / 8 * (WEIGHTS / 8) + random_below(&rng, n_values));
    float scale = draw() * 1e-6f, error = draw();
    rules_tc_plain(cells[0], index, LOOKUPS, scale, error);
    rules_tc(cells[1], index, LOOKUPS, scale, error);
    assert_memory_equal(cells[0], cells[1], sizeof cells[0]);
}

static void test_updates(void **state)
{
    (void)state;
    for (int i = 0; i < 20000; i++)
        check_updates(1 + random_below(&rng, WEIGHTS / 8));
}

/* Every pair of eight. */
static void test_repeat(void **state)
{
    (void)state;
#if LOOKUP_VECTORS
    for (unsigned a = 0; a < 8; a++)
        for (unsigned b = 0; b < 8; b++) {
            uint32_t index[8] = {10, 21, 32, 43, 54, 65, 76, 87};
            index[b] = index[a];
            assert_int_equal(rules_repeat(index), a != b);
        }
#else
    skip();
#endif
}

static int setup(void **state)
{
    (void)state;
    rng = random_stream(3, 5);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_updates), cmocka_unit_test(test_repeat)};
    return cmocka_run_group_tests_name("rules", tests, setup, NULL);
}
