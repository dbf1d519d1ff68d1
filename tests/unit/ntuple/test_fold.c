/* Folding and converting networks: other tables, the same values. */
#include "network_sample.h"

#include "ntuple/compare.h"
#include "ntuple/convert.h"
#include "ntuple/fold.h"

#include <math.h>

static const struct sample samples[] = {
    {2, 3, "0 1 2/0 1/0 3/0 1 3 4/1 4", "plain 8", "1", false, 0},
    {2, 3, "0 1 2 3 4 5/0 1/2", "1-3 4-7", "0 8 64", true, 3},
    {3, 3, "0 1 2 3 4 5/6 7 8/0 1/0 1 3 4/1 4 7/4", "plain 11", "1", false, 0},
    {3, 3, "0 1 2 3 4/6 7 8/1 2 4 5/2", "1-5 6-10", "0 32 128 512", true, -2.5f},
    {4, 4, "0 1 2 3 4/12 13 14 15/5 6 9 10/1 5 9/0 1 4 5/0 5 10 15/15", "plain 10", "bits 2", true, 0},
    {4, 4, "0 1 2 3 4/12 13 14 15/0 1 2/3 7", "1-7 8-13 14-17", "bits 3", true, 100},
    {4, 4, "0 1 2 3/12 13 14 15/0 4 8 12", "plain 16", "bits 4", false, 7}, /* images of one another */
};

static bool is_near(float a, float b, double magnitude)
{
    return fabs((double)a - (double)b) <= 1e-4 * (1 + magnitude);
}

static void test_fold_keeps_every_value(void **state)
{
    (void)state;
    static const unsigned n_left[] = {2, 1, 1, 1, 5, 1, 1};
    for (size_t i = 0; i < sizeof samples / sizeof *samples; i++)
        for (unsigned sparse = 1; sparse <= 50; sparse += 49) {
            struct network *network = sample_network(&samples[i], sparse), *folded;
            assert_ok(network_fold(&folded, network, NULL));
            assert_int_equal(folded->spec.shape.n_tuples, n_left[i]);
            assert_int_equal(folded->spec.promote, network->spec.promote);
            struct rng rng = random_stream(9, i);
            for (int k = 0; k < 5000; k++) { /* through the evaluation itself, on boards of its own */
                struct board board = {0};
                for (unsigned cell = 0; cell < network->grid.n_cells; cell++)
                    board = board_set(board, cell, (unsigned)random_below(&rng, network->grid.max_value + 1U));
                assert_true(is_near(network_value_plain(network, board), network_value_plain(folded, board), 10000));
                assert_true(is_near(network_value(network, board), network_value(folded, board), 10000));
            }
            network_free(folded);
            network_free(network);
        }
}

/* What was never touched stays known as such, also with an optimistic start. */
static void test_untouched_stays_untouched(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof samples / sizeof *samples; i++) {
        struct network_spec spec = sample_spec(&samples[i]);
        struct network *network, *folded;
        assert_ok(network_create(&network, &spec));
        assert_ok(network_fold(&folded, network, NULL));
        assert_int_equal(network_count_touched(folded), 0);
        struct board empty = {0};
        assert_true(is_near(network_value(network, empty), network_value(folded, empty), 0));
        network_free(folded);
        network_free(network);
    }
}

/* A small tuple's weight, taken in by an unseen one of a large tuple, would change whether that is seen. */
static void test_unseen_mean_is_refused(void **state)
{
    (void)state;
    struct sample sample = {3, 3, "0 1 2 3 4/0 1 2", "plain 11", "1", false, 0};
    struct network *network = sample_network(&sample, 2), *folded;
    network->spec.unseen_mean = true;
    assert_int_equal(network_fold(&folded, network, NULL), STATUS_INVALID);
    assert_message("cannot be folded");
    assert_null(folded);
    network_free(network);
    sample.tuples = "0 1 2 3 4/0 1 2 3 6"; /* nothing to fold: a copy */
    network = sample_network(&sample, 2);
    network->spec.unseen_mean = true;
    assert_ok(network_fold(&folded, network, NULL));
    assert_true(folded->spec.unseen_mean);
    network_free(network);
    network_free(folded);
}

static void test_targets(void **state)
{
    (void)state;
    struct grid grid;
    struct shape shape;
    struct fold_target target[SHAPE_MAX_TUPLES];
    assert_ok(grid_create(&grid, 4, 4));
    assert_ok(shape_from_name(&shape, &grid, "42-33-4-22-3"));
    assert_int_equal(fold_targets(&shape, &grid, target), 5);
    for (unsigned i = 0; i < shape.n_tuples; i++) {
        assert_true(target[i].into < 5);
        assert_true(tuple_contains(&grid, &shape.tuples[target[i].into], target[i].symmetry, &shape.tuples[i]));
    }
    static const char *const minimal[] = {"4x6", "42-33", "421-43", "8x6", "nt6", "nt7", "nt8"};
    for (size_t i = 0; i < sizeof minimal / sizeof *minimal; i++) {
        assert_ok(shape_from_name(&shape, &grid, minimal[i]));
        assert_int_equal(fold_targets(&shape, &grid, target), shape.n_tuples);
    }
    /* The two squares of 3x3 cells among the paper's 9-tuples are images of one another. */
    assert_ok(shape_from_name(&shape, &grid, "nt9"));
    assert_int_equal(fold_targets(&shape, &grid, target), shape.n_tuples - 1);
    assert_int_equal(target[1].into, 0);
    grid_free(&grid);
}

static void test_a_difference_is_found(void **state)
{
    (void)state;
    struct network *a = sample_network(&samples[2], 1), *b = sample_network(&samples[2], 1);
    assert_ok(network_check_same(a, b, "it"));
    for (uint64_t i = 0; i < b->n_weights; i += 7)
        b->weights[i] *= 1.001f;
    assert_int_equal(network_check_same(a, b, "it"), STATUS_INVALID);
    assert_message("it: values differ by up to");
    struct network *other = sample_network(&samples[0], 1);
    assert_int_equal(network_check_same(a, other, "it"), STATUS_INVALID);
    network_free(a);
    network_free(b);
    network_free(other);
}

static void convert(const struct sample *sample, const char *stages, bool promote, unsigned n_values)
{
    struct network *network = sample_network(sample, 4), *converted;
    struct network_conversion conversion = {.promote = promote, .n_values = n_values};
    assert_ok(stages_parse(&conversion.stages, stages));
    assert_ok(network_convert(&converted, network, &conversion, NULL));
    struct rng rng = random_stream(3, 4);
    for (int k = 0; k < 5000; k++) {
        struct board board = {0};
        for (unsigned cell = 0; cell < network->grid.n_cells; cell++)
            board = board_set(board, cell, (unsigned)random_below(&rng, network->grid.max_value + 1U));
        assert_true(is_near(network_value(network, board), network_value(converted, board), 100));
    }
    network_free(converted);
    network_free(network);
}

static void test_convert(void **state)
{
    (void)state;
    struct sample sample = {4, 4, "0 1 2 3/0 1 4 5", "plain 16", "1", false, 2};
    convert(&sample, "1", false, 18);
    convert(&sample, "bits 4", true, 0);
    convert(&sample, "0 16384 32768", true, 18);
    sample.stages = "bits 2";
    convert(&sample, "bits 4", true, 17);
    sample.promote = true;
    convert(&sample, "bits 4", true, 0);
    convert(&sample, "bits 2", false, 0);
    sample.stages = "0 1024 32768";
    convert(&sample, "0 512 1024 16384 32768 65536", true, 18);
    convert(&sample, "0 512 1024 16384 32768 65536", false, 0);
}

static void test_convert_refuses(void **state)
{
    (void)state;
    struct sample sample = {4, 4, "0 1 2 3/0 1 4 5", "1-8 9-17", "0 1024 32768", false, 2};
    struct network *network = sample_network(&sample, 4), *converted;
    static const char *const wrong[] = {"1", "bits 4", "0 32768", "0 2048 16384 32768"};
    struct network_conversion conversion = {0};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        assert_ok(stages_parse(&conversion.stages, wrong[i]));
        assert_int_equal(network_convert(&converted, network, &conversion, NULL), STATUS_INVALID);
        assert_message("cannot become");
        assert_null(converted);
    }
    conversion.stages = network->spec.stages;
    conversion.n_values = 18;
    assert_int_equal(network_convert(&converted, network, &conversion, NULL), STATUS_INVALID);
    assert_message("only a plain encoding");
    network_free(network);
    sample.encoding = "plain 16";
    network = sample_network(&sample, 4);
    conversion.n_values = 15;
    assert_int_equal(network_convert(&converted, network, &conversion, NULL), STATUS_INVALID);
    assert_message("fewer than the 16");
    network_free(network);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_fold_keeps_every_value), cmocka_unit_test(test_untouched_stays_untouched),
        cmocka_unit_test(test_unseen_mean_is_refused), cmocka_unit_test(test_targets),
        cmocka_unit_test(test_a_difference_is_found),  cmocka_unit_test(test_convert),
        cmocka_unit_test(test_convert_refuses),
    };
#ifdef __SANITIZE_THREAD__ /* the others take most of a minute there and have no threads that this one has not */
    cmocka_set_test_filter("test_untouched_stays_untouched");
#endif
    return cmocka_run_group_tests(tests, NULL, NULL);
}
