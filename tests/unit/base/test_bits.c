/* Bits: extracting and depositing by masks, beside the plain loops. */
#include "scratch.h"

#include "base/bits.h"
#include "base/random.h"

/* Masks of every density: the AND or OR of several draws. */
static uint64_t random_mask(struct rng *rng)
{
    uint64_t mask = random_bits(rng);
    for (uint64_t n = random_below(rng, 5); n > 0; n--)
        mask = random_below(rng, 2) ? mask & random_bits(rng) : mask | random_bits(rng);
    return mask;
}

static void check_one(uint64_t x, uint64_t mask)
{
    uint64_t packed = bits_extract_plain(x, mask);
    assert_int_equal(bits_extract(x, mask), packed);
    assert_int_equal(bits_deposit(x, mask), bits_deposit_plain(x, mask));
    assert_int_equal(bits_deposit_plain(packed, mask), x & mask);
    int n = __builtin_popcountll(mask);
    assert_true(n == 64 || packed >> n == 0);
}

static void test_fast_equals_plain(void **state)
{
    (void)state;
    struct rng rng = random_stream(1, 0);
    for (int i = 0; i < 200000; i++)
        check_one(random_bits(&rng), random_mask(&rng));
    static const uint64_t edges[] = {0, 1, UINT64_C(1) << 63, UINT64_MAX, UINT64_C(0x5555555555555555)};
    for (int i = 0; i < 5; i++) {
        for (int k = 0; k < 5; k++)
            check_one(edges[i], edges[k]);
    }
}

static void test_known_answers(void **state)
{
    (void)state;
    assert_int_equal(bits_extract_plain(0xabcd, 0xf0f0), 0xac);
    assert_int_equal(bits_deposit_plain(0xac, 0xf0f0), 0xa0c0);
}

static void test_select(void **state)
{
    (void)state;
    struct rng rng = random_stream(2, 0);
    for (int i = 0; i < 20000; i++) {
        uint64_t mask = random_mask(&rng);
        unsigned rank = 0;
        for (unsigned bit = 0; bit < 64; bit++) {
            if (mask >> bit & 1)
                assert_int_equal(bits_select(mask, rank++), bit);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_fast_equals_plain),
        cmocka_unit_test(test_known_answers),
        cmocka_unit_test(test_select),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
