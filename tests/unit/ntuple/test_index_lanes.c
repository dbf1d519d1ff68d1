/* Indices by sixteen, and by one pext each, against those made cell by cell. */
#include "network_sample.h"

#include "ntuple/lookup.h"

static const struct sample samples[] = {
    {4, 4, "0 1 2 3 4 5/4 5 6 7 8 9/0 1 2 4 5 6/4 5 6 8 9 10", "plain 16", "1", false, 0},
    {4, 4, "0 1 2 3 4 5/3 7 11/5", "plain 16", "bits 1", false, 0},    /* an odd number of tables */
    {4, 4, "0 1 2 3 4 5 6/0 5 10 15/9 10", "plain 16", "1", false, 0}, /* more than three groups of pairs */
    {3, 3, "0 1 2 3 4 5/2 4 6 8", "plain 16", "1", false, 0},
    {2, 2, "0 1 2 3", "plain 16", "1", false, 0},
    {2, 3, "0 1 2 3 4 5/0 3", "plain 16", "1", false, 0}, /* four images */
};

static void check_board(const struct network *network, struct board board)
{
    uint32_t exact[NETWORK_MAX_LOOKUPS], fast[NETWORK_MAX_LOOKUPS], one[NETWORK_MAX_LOOKUPS];
    lookup_indices_exact(network, board, exact);
    lookup_indices(network, board, 0, fast);
    lookup_indices_direct(network, board.cells, network->cells, 1, one, network->n_symmetries);
    assert_memory_equal(exact, fast, network->n_lookups * sizeof *exact);
    assert_memory_equal(exact, one, network->n_lookups * sizeof *exact);
}

static void test_indices(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof samples / sizeof *samples; i++) {
        struct network_spec spec = sample_spec(&samples[i]);
        struct network *network;
        assert_ok(network_create(&network, &spec));
        assert_true(network->direct);
        struct rng rng = random_stream(4, i);
        for (int k = 0; k < 5000; k++) {
            struct board board = {.cells = random_bits(&rng) & network->grid.used * 15};
            check_board(network, board);
        }
        network_free(network);
    }
}

/* Room for the indices of a network is exactly that: nothing is written after them. */
static void test_nothing_after(void **state)
{
    (void)state;
    struct network_spec spec = sample_spec(&samples[1]);
    struct network *network;
    uint32_t index[NETWORK_MAX_LOOKUPS];
    assert_ok(network_create(&network, &spec));
    for (unsigned i = 0; i < NETWORK_MAX_LOOKUPS; i++)
        index[i] = UINT32_MAX;
    lookup_indices(network, (struct board){.cells = UINT64_C(0x1234567890abcdef)}, 1, index);
    for (unsigned i = 0; i < NETWORK_MAX_LOOKUPS; i++)
        assert_int_equal(index[i] == UINT32_MAX, i >= network->n_lookups);
    network_free(network);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_indices), cmocka_unit_test(test_nothing_after)};
    return cmocka_run_group_tests_name("index_lanes", tests, NULL, NULL);
}
