/* A network written smaller: what is dropped and rounded, and what the result says about it. */
#include "network_sample.h"

#include "packed/shrink.h"
#include "packed/stale.h"

#include <math.h>
#include <unistd.h>

static const struct sample sample = {3, 3, "0 1 2/0 1 3 4", "plain 6", "0 16 64", true, 0};

/* Shrinks to "small" and returns the network of that file. */
static struct network *shrink(const struct network *network, const struct shrink_settings *settings,
                              struct shrink_result *result, struct network_history *history)
{
    struct network *small;
    *history = (struct network_history){.program = strdup("test")};
    assert_ok(shrink_network(network, scratch_path("small"), history, settings, NULL, result));
    network_history_free(history);
    assert_ok(network_load(&small, scratch_path("small"), history, NULL));
    assert_int_equal(result->n_touched, network_count_touched(network));
    assert_true(result->n_touched - result->n_dropped >= network_count_touched(small)); /* rounding may drop more */
    assert_true(result->difference.n_boards > 0);
    return small;
}

static void test_rounded_only(void **state)
{
    (void)state;
    struct network *network = sample_network(&sample, 2);
    struct shrink_settings settings = {.packing.precision = NETWORK_16BIT};
    struct shrink_result result;
    struct network_history history;
    struct network *small = shrink(network, &settings, &result, &history);
    double worst = 0;
    for (uint64_t i = 0; i < network->n_weights; i++)
        worst = fmax(worst, fabs((double)network->weights[i] - (double)small->weights[i]));
    assert_true(worst > 0 && result.error.worst == worst);
    assert_int_equal(result.error.n_touched, result.n_touched);
    assert_int_equal(result.n_dropped, 0);
    assert_non_null(strstr(history.notes, "stored as 16bit"));
    network_history_free(&history);
    network_free(network);
    network_free(small);
}

/* The same weights go as by stale_drop(), and the network itself stays as it was. */
static void test_stale(void **state)
{
    (void)state;
    struct network *network = sample_network(&sample, 2), *since = sample_network(&sample, 2);
    for (uint64_t i = 0; i < network->n_weights; i += 3)
        if (network->weights[i] != 0)
            network->weights[i] += 1;
    assert_ok(network_save(since, scratch_path("since"), NULL, NETWORK_FLOAT32, NULL));
    char *path = strdup(scratch_path("since"));
    struct shrink_settings settings = {.packing.precision = NETWORK_FLOAT32, .since = path};
    struct shrink_result result;
    struct network_history history;
    struct network *small = shrink(network, &settings, &result, &history);
    uint64_t n_dropped;
    assert_ok(stale_drop(network, since, NULL, &n_dropped));
    assert_true(n_dropped > 0);
    assert_int_equal(result.n_dropped, n_dropped);
    assert_memory_equal(small->weights, network->weights, network->n_weights * sizeof(float));
    free(path);
    network_history_free(&history);
    network_free(network);
    network_free(since);
    network_free(small);
}

/* Weights that few games read go, and the others are whole steps. */
static void test_visits(void **state)
{
    (void)state;
    struct network *network = sample_network(&sample, 2);
    struct shrink_settings settings = {
        .packing = {NETWORK_STEPS, 4}, .games = 20, .seed = 1, .threads = 2, .visits = 2};
    struct shrink_result result;
    struct network_history history;
    struct network *small = shrink(network, &settings, &result, &history);
    assert_true(result.n_dropped > 0 && result.n_dropped < result.n_touched);
    for (uint64_t i = 0; i < small->n_weights; i++)
        assert_true(fabsf(small->weights[i]) < 1e-30f || fmodf(small->weights[i], 4) == 0);
    assert_non_null(strstr(history.notes, "stored in steps of 4, larger ones"));
    network_history_free(&history);
    network_free(network);
    network_free(small);
}

static void test_missing_file(void **state)
{
    (void)state;
    struct network *network = sample_network(&sample, 2);
    struct shrink_settings settings = {.packing.precision = NETWORK_FLOAT32, .since = "/nowhere/at/all"};
    struct shrink_result result;
    struct network_history history = {.program = strdup("test")};
    assert_int_equal(shrink_network(network, scratch_path("not"), &history, &settings, NULL, &result), STATUS_IO);
    assert_int_not_equal(access(scratch_path("not"), F_OK), 0);
    network_history_free(&history);
    network_free(network);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_rounded_only), cmocka_unit_test(test_stale),
                                       cmocka_unit_test(test_visits), cmocka_unit_test(test_missing_file)};
    return cmocka_run_group_tests_name("shrink", tests, scratch_setup, scratch_teardown);
}
