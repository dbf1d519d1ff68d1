/* The fast form of networks against the plain ones they were made of: every value to the last bit. */
#include "packed_sample.h"

#include "packed/fast_network.h"

static void test_same_values(void **state)
{
    (void)state;
    for (size_t k = 0; k < PACKED_KINDS; k++) {
        struct network *plain = packed_sample(&packed_kinds[k]), *given = packed_sample(&packed_kinds[k]);
        struct packed_network *fast;
        assert_ok(fast_network_create(&fast, given));
        assert_non_null(fast);
        packed_check_values(plain, fast, k);
        packed_network_free(fast);
        network_free(plain);
    }
}

static void assert_unchanged(struct network *network, uint64_t place, float weight)
{
    struct packed_network *fast;
    network->weights[place] = weight;
    assert_ok(fast_network_create(&fast, network));
    assert_null(fast);
    assert_true(network->weights[place] == weight || isnan(weight));
    network_free(network);
}

static void test_others_are_unchanged(void **state)
{
    (void)state;
    const struct packed_kind *kind = &packed_kinds[PACKED_SMALL_KIND];
    for (size_t i = 0; i < PACKED_OTHERS; i++)
        assert_unchanged(sample_network(&packed_others[i], 1 << 30), 5, 12);
    struct network *network = packed_sample(kind);
    const uint64_t last = network->n_weights - 1;
    assert_unchanged(network, last, 0.5F);
    assert_unchanged(packed_sample(kind), 0, NAN);
    assert_unchanged(packed_sample(kind), 0, -INFINITY);
    assert_unchanged(packed_sample(kind), last, 1 << 21); /* eight of them pass the sum that a word holds */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_same_values),
        cmocka_unit_test(test_others_are_unchanged),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
