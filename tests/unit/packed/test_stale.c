/* Weights that a run took over and never touched. */
#include "network_sample.h"

#include "packed/stale.h"

static const struct sample sample = {3, 3, "0 1 2/4", "plain 4", "0 16 64", true, 2};

static void test_drops_what_stayed(void **state)
{
    (void)state;
    enum { KEPT, MOVED, STAYED, PROMOTED, PROMOTED_FROM_STAYED };
    struct network *network = sample_network(&sample, 1 << 30), *since = sample_network(&sample, 1 << 30);
    uint64_t n = network->n_stage_weights, n_dropped;
    network->weights[KEPT] = since->weights[KEPT] = 7; /* the first stage keeps all */
    network->weights[n + MOVED] = 8, since->weights[n + MOVED] = 9;
    network->weights[n + STAYED] = since->weights[n + STAYED] = 5;
    network->weights[PROMOTED] = network->weights[n + PROMOTED] = 6;
    /* Written down from a weight that goes: it has to stay, or the value would be lost. */
    network->weights[n + PROMOTED_FROM_STAYED] = since->weights[n + PROMOTED_FROM_STAYED] = 4;
    network->weights[2 * n + PROMOTED_FROM_STAYED] = 4;
    assert_ok(stale_drop(network, since, NULL, &n_dropped));
    assert_int_equal(n_dropped, 3);
    assert_true(network->weights[KEPT] == 7 && network->weights[n + MOVED] == 8);
    assert_true(network->weights[n + STAYED] == 2 && network->weights[n + PROMOTED] == 2);
    assert_true(network->weights[n + PROMOTED_FROM_STAYED] == 2);
    assert_true(network->weights[2 * n + PROMOTED_FROM_STAYED] == 4);
    network_free(network);
    network_free(since);
}

/* What another network has is kept there, and what stayed goes elsewhere. */
static void test_keeps_what_another_has(void **state)
{
    (void)state;
    enum { NEEDED, STAYED };
    struct network *network = sample_network(&sample, 1 << 30), *since = sample_network(&sample, 1 << 30),
                   *keep = sample_network(&sample, 1 << 30);
    uint64_t n = network->n_stage_weights, n_dropped;
    network->weights[n + NEEDED] = since->weights[n + NEEDED] = 5, keep->weights[n + NEEDED] = 6;
    network->weights[n + STAYED] = since->weights[n + STAYED] = 5, keep->weights[STAYED] = 6;
    assert_ok(stale_drop(network, since, keep, &n_dropped));
    assert_int_equal(n_dropped, 1);
    assert_true(network->weights[n + NEEDED] == 5 && network->weights[n + STAYED] == 2);
    network_free(network);
    network_free(since);
    network_free(keep);
}

static void assert_refused(const struct sample *a, const struct sample *b, const char *why)
{
    struct network *network = sample_network(a, 2), *since = sample_network(b, 2);
    uint64_t n_dropped;
    assert_int_equal(stale_drop(network, since, NULL, &n_dropped), STATUS_INVALID);
    assert_non_null(strstr(status_message(), why));
    network_free(network);
    network_free(since);
}

static void test_refuses(void **state)
{
    (void)state;
    struct sample other = sample;
    other.promote = false;
    assert_refused(&other, &sample, "does not promote");
    other = sample, other.stages = "0 32 64";
    assert_refused(&sample, &other, "differ");
    other = sample, other.tuples = "0 1 2/3";
    assert_refused(&sample, &other, "differ");
    other = sample, other.encoding = "plain 5";
    assert_refused(&sample, &other, "differ");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_drops_what_stayed),
                                       cmocka_unit_test(test_keeps_what_another_has), cmocka_unit_test(test_refuses)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
