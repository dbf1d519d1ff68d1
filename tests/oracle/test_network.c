/* Networks against the plainest mapping: which weight each image of a board finds, and what the board is then worth. */
#include "oracle.h"

#include "ntuple/lookup.h"
#include "ntuple/network_value.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

struct sample {
    unsigned rows, cols;
    const char *shape, *split; /* split NULL: plain */
    unsigned n_values;
    const char *stages;
    bool promote, unseen_mean;
};

static const struct sample samples[] = {
    {4, 4, "4x6", NULL, 16, "1", false, false},
    {4, 4, "42-33-4-22-3", NULL, 16, "bits 2", true, false},
    {4, 4, "szubert", NULL, 18, "0 32768", true, false},
    {4, 4, "szubert", NULL, 16, "0 32768", true, true},
    {4, 4, "nt8", "1-2 3-4 16-17", 0, "1", false, true},
    {2, 5, "0 1 2 5 6/3 4 8 9/0 9", NULL, 12, "0 64", true, true},
    {4, 4, "nt7", "1-3 4-5 5-12 13-17", 0, "1", false, false}, /* small ranges: the tables stay small */
    {4, 4, "nt8", "1-2 3-4 16-17", 0, "0 2048", false, false},
    {4, 4, "nt9", "1-2 17-17", 0, "1", false, false},
    {3, 3, "mnt6", NULL, 11, "0 128 512", true, false},
    {3, 3, "mnt4", NULL, 16, "1", false, false},
    {3, 3, "mnt6", "1-4 5-6 7-8 9-10", 0, "1", false, false},
    {2, 5, "0 1 2 5 6/3 4 8 9/0 9", NULL, 12, "1", false, false},
    {3, 5, "0 1 2 3 4/0 5 10/1 6 11 12", "1-8 8-16", 0, "0 1024", true, false},
};

static struct network *make(const struct sample *sample)
{
    struct network_spec spec = {.rows = (uint8_t)sample->rows,
                                .cols = (uint8_t)sample->cols,
                                .promote = sample->promote,
                                .unseen_mean = sample->unseen_mean,
                                .initial = sample->unseen_mean ? 0 : 0.25f};
    struct grid grid;
    struct network *network;
    assert_int_equal(grid_create(&grid, sample->rows, sample->cols), STATUS_OK);
    if (shape_from_name(&spec.shape, &grid, sample->shape)) { /* not a name: tuples separated by '/' */
        char text[64];
        spec.shape.n_tuples = 0;
        for (const char *at = sample->shape; *at;) {
            size_t n = strcspn(at, "/");
            snprintf(text, sizeof text, "%.*s", (int)n, at);
            assert_int_equal(shape_add_tuple(&spec.shape, &grid, text), STATUS_OK);
            at += n + (at[n] == '/');
        }
    }
    assert_int_equal(sample->split ? encoding_split(&spec.encoding, &grid, sample->split)
                                   : encoding_plain(&spec.encoding, sample->n_values),
                     STATUS_OK);
    assert_int_equal(stages_parse(&spec.stages, sample->stages), STATUS_OK);
    assert_int_equal(network_create(&network, &spec), STATUS_OK);
    grid_free(&grid);
    struct rng rng = random_stream(5, sample->rows);
    for (uint64_t i = 0; i < network->n_weights; i++) /* a third stays untouched, for promotion */
        if (random_bits(&rng) % 3)
            network->weights[i] = (float)(random_unit(&rng) * 200 - 100);
    return network;
}

/* The paper's labels: E, then S if smaller values exist, then the values, then L. Plain: the value, clamped. */
static unsigned plain_digit(const struct sample *sample, const struct network *network, unsigned range, unsigned value)
{
    if (!sample->split)
        return value < sample->n_values ? value : sample->n_values - 1;
    unsigned first = network->spec.encoding.ranges[range].first, last = network->spec.encoding.ranges[range].last;
    unsigned has_smaller = first > 1;
    if (value == 0)
        return 0;
    if (value < first)
        return 1;
    if (value > last)
        return 1 + has_smaller + (last - first + 1);
    return 1 + has_smaller + (value - first);
}

static void check_indices(const struct sample *sample, const struct network *network, struct board board)
{
    uint32_t index[NETWORK_MAX_LOOKUPS];
    lookup_indices(network, board, 0, index);
    for (unsigned t = 0; t < network->n_tables; t++) {
        const struct network_table *table = &network->tables[t];
        const struct tuple *tuple = &network->spec.shape.tuples[table->tuple];
        for (unsigned s = 0; s < network->n_symmetries; s++) {
            struct board image = grid_image(&network->grid, board, s);
            uint32_t place = index[t * network->n_symmetries + s];
            assert_true(place >= table->offset && place - table->offset < table->n_weights);
            for (unsigned k = 0; k < tuple->n_cells; k++)
                assert_int_equal(network_cell_digit(network, table, k, place - table->offset),
                                 plain_digit(sample, network, table->range, board_get(image, tuple->cells[k])));
        }
    }
}

static void check_values(const struct network *network, const struct board *boards, size_t n)
{
    float batch[64];
    struct value_function function = network_value_function(network);
    value_of_batch(&function, boards, n, batch);
    for (size_t i = 0; i < n; i++) {
        float value = network_value(network, boards[i]), plain = network_value_plain(network, boards[i]);
        assert_true(value == plain && value == batch[i]); /* the order of additions is promised */
        for (unsigned s = 1; s < network->n_symmetries; s++) {
            float image = network_value(network, grid_image(&network->grid, boards[i], s));
            assert_true(fabsf(image - value) <= 1e-5f * 100 * (float)network->n_lookups);
        }
    }
}

static void test_networks(void **state)
{
    (void)state;
    for (unsigned i = 0; i < sizeof samples / sizeof *samples; i++) {
        struct network *network = make(&samples[i]);
        struct rng rng = random_stream(9, i);
        struct board boards[37];
        for (unsigned round = 0; round < 60; round++) {
            for (unsigned k = 0; k < 37; k++) {
                do
                    boards[k] = oracle_random_board(&network->grid, &rng);
                while (board_max_value(boards[k]) > network->grid.max_value);
                check_indices(&samples[i], network, boards[k]);
            }
            check_values(network, boards, 37);
        }
        network_free(network);
    }
}

/* An unseen weight counts as the mean of the others: written out for a board that meets some and for one that meets
   none. */
static void test_unseen(void **state)
{
    (void)state;
    struct network *network = make(&(struct sample){2, 5, "0 1/5 6 7", NULL, 12, "1", false, true});
    struct board board = {.cells = 0x8712300045};
    uint32_t index[NETWORK_MAX_LOOKUPS];
    memset(network->weights, 0, network->n_weights * sizeof(float));
    assert_true(network_value(network, board) == 0);
    lookup_indices(network, board, 0, index);
    network->weights[index[0]] = 3;
    network->weights[index[5]] = 7;
    for (unsigned i = 1; i < network->n_lookups; i++) /* all different: the sample is a fair one */
        assert_true(index[i] != index[0] && (i == 5 || index[i] != index[5]));
    assert_int_equal(network->n_lookups, 8);
    assert_true(network_value(network, board) == 40); /* the mean of 3 and 7, eight times */
    network_free(network);
}

/* Every place of a table is the place of exactly one combination of digits. */
static void test_places(void **state)
{
    (void)state;
    static const struct sample both[] = {{3, 3, "mnt4", NULL, 16, "1", false, false},
                                         {3, 3, "mnt4", NULL, 11, "1", false, false}};
    for (unsigned i = 0; i < 2; i++) {
        struct network *network = make(&both[i]);
        const struct network_table *table = &network->tables[1];
        for (uint32_t index = 0; index < table->n_weights; index++) {
            uint32_t sum = 0;
            for (unsigned k = 0; k < 4; k++) {
                unsigned digit = network_cell_digit(network, table, k, index);
                assert_true(digit < both[i].n_values);
                sum += network_cell_part(network, table, k, digit);
            }
            assert_int_equal(sum, index);
        }
        network_free(network);
    }
}

static void test_too_large(void **state)
{
    (void)state;
    struct grid grid;
    struct network_spec spec = {.rows = 4, .cols = 4};
    uint64_t n_weights, bytes;
    assert_int_equal(grid_create(&grid, 4, 4), STATUS_OK);
    assert_int_equal(shape_from_name(&spec.shape, &grid, "nt9"), STATUS_OK);
    assert_int_equal(encoding_plain(&spec.encoding, 16), STATUS_OK);
    assert_int_equal(stages_parse(&spec.stages, "1"), STATUS_OK);
    assert_int_equal(network_measure(&spec, &n_weights, &bytes), STATUS_INVALID);
    spec.shape.n_tuples = 0;
    assert_int_equal(network_measure(&spec, &n_weights, &bytes), STATUS_INVALID);
    grid_free(&grid);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_networks), cmocka_unit_test(test_unseen),
                                       cmocka_unit_test(test_places), cmocka_unit_test(test_too_large)};
    return cmocka_run_group_tests_name("network", tests, NULL, NULL);
}
