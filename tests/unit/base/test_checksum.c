/* Checksums: a known answer, pieces against the whole, seeds. */
#include "scratch.h"

#include "base/checksum.h"

/* XXH3-64 of nothing, from xxhash's own documentation and test vectors. */
static void test_known_answer(void **state)
{
    (void)state;
    assert_int_equal(checksum_of(NULL, 0), UINT64_C(0x2d06800538d394c2));
}

static void test_pieces_equal_the_whole(void **state)
{
    (void)state;
    unsigned char data[3000];
    for (size_t i = 0; i < sizeof data; i++)
        data[i] = (unsigned char)(i * 7 + i / 256);
    for (size_t cut = 0; cut <= sizeof data; cut += 37) {
        struct checksum sum;
        checksum_begin(&sum, 0);
        checksum_add(&sum, data, cut);
        checksum_add(&sum, NULL, 0);
        checksum_add(&sum, data + cut, sizeof data - cut);
        assert_int_equal(checksum_value(&sum), checksum_of(data, sizeof data));
    }
}

static void test_seed_matters(void **state)
{
    (void)state;
    struct checksum sum;
    checksum_begin(&sum, 1);
    checksum_add(&sum, "abc", 3);
    assert_int_not_equal(checksum_value(&sum), checksum_of("abc", 3));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_known_answer),
        cmocka_unit_test(test_pieces_equal_the_whole),
        cmocka_unit_test(test_seed_matters),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
