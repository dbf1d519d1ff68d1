/* Ranks that train separately and merge: the merge alone, and both kinds of trainers. */
#include "network_sample.h"
#include "scratch.h"
#include "thread_cluster.h"

#include "learn/cluster_merge.h"
#include "learn/neural_trainer.h"
#include "learn/rules.h"
#include "learn/trainer.h"

#include <math.h>
#include <stdatomic.h>

/* cmocka's checks belong to the main thread: ranks count what is wrong. */
static atomic_uint n_wrong;
#define CHECK(condition) ((condition) ? (void)0 : (void)atomic_fetch_add(&n_wrong, 1))

static const struct sample sample = {
    .rows = 3, .cols = 3, .tuples = "0 1 2 3/3 4 5 6", .encoding = "plain 11", .stages = "1", .initial = 5};

enum { MAX_RANKS = 4 };

/* ---- merging against the rule as it is said ---- */

struct merge_case {
    unsigned stride, n_ranks;
    struct network *networks[MAX_RANKS];
    struct network *before;
};

/* Cells as they may be after some learning: a few touched, by some ranks or by all. */
static void learn_something(const struct merge_case *all, unsigned rank, float *cells)
{
    struct rng rng = random_stream(11, rank);
    for (uint64_t i = 0; i < all->before->n_weights; i++) {
        bool touched = random_below(&rng, 3) == 0 && i / 1024 % 3 != 1; /* blocks between that no rank touches */
        if (!touched)
            continue;
        for (unsigned k = 0; k < all->stride; k++)
            cells[i * all->stride + k] += (float)random_below(&rng, 1000) / 16 + 1;
        if (all->stride == RULES_TC_CELL && random_below(&rng, 50) == 0) /* promoted only */
            memcpy(cells + i * 3 + 1, all->before->cells + i * 3 + 1, 2 * sizeof *cells);
    }
}

static void merge(const struct cluster *cluster, void *context)
{
    struct merge_case *all = context;
    struct network *network = all->networks[cluster->rank];
    struct cluster_merge merge = {0};
    CHECK(cluster_merge_begin(&merge, all->before) == STATUS_OK);
    CHECK(cluster_merge_run(&merge, cluster, network) == STATUS_OK);
    CHECK(memcmp(merge.before.data, network->cells, merge.before.bytes) == 0);
    CHECK(cluster_merge_run(&merge, cluster, network) == STATUS_OK); /* nothing to do */
    CHECK(memcmp(merge.before.data, network->cells, merge.before.bytes) == 0);
    cluster_merge_free(&merge);
}

/* One number of a cell after a merge, in double. */
static double merged_number(const struct merge_case *all, float *const *learned, uint64_t cell, unsigned k)
{
    const unsigned stride = all->stride;
    const float *before = all->before->cells + cell * stride;
    double sum = 0, weights = 0;
    for (unsigned r = 0; r < all->n_ranks; r++) {
        const float *now = learned[r] + cell * stride;
        if (memcmp(now, before, stride * sizeof *now) == 0)
            continue;
        double size = stride == RULES_TC_CELL ? (double)now[2] - before[2] : 1;
        size = size > 0 ? size : 1e-6;
        bool adds_up = stride == RULES_TC_CELL && k > 0;
        sum += ((double)now[k] - before[k]) * (adds_up ? 1 : size);
        weights += adds_up ? 0 : size;
    }
    return before[k] + (weights > 0 ? sum / weights : sum);
}

static void check_merge(unsigned stride, unsigned n_ranks)
{
    struct network_spec spec = sample_spec(&sample);
    struct merge_case all = {.stride = stride, .n_ranks = n_ranks};
    float *learned[MAX_RANKS];
    assert_ok(network_create(&all.before, &spec));
    assert_ok(network_set_stride(all.before, stride));
    size_t n = all.before->n_weights * stride;
    for (size_t i = 0; i < n; i++)
        all.before->cells[i] = (float)(i % 97) / 4;
    for (unsigned r = 0; r < n_ranks; r++) {
        assert_ok(network_create(&all.networks[r], &spec));
        assert_ok(network_set_stride(all.networks[r], stride));
        memcpy(all.networks[r]->cells, all.before->cells, n * sizeof(float));
        learn_something(&all, r, all.networks[r]->cells);
        learned[r] = malloc(n * sizeof(float));
        memcpy(learned[r], all.networks[r]->cells, n * sizeof(float));
    }
    thread_cluster_run(n_ranks, merge, &all);
    assert_int_equal(atomic_exchange(&n_wrong, 0), 0);
    for (uint64_t i = 0; i < all.before->n_weights; i++)
        for (unsigned k = 0; k < stride; k++) {
            double expected = merged_number(&all, learned, i, k), got = all.networks[0]->cells[i * stride + k];
            assert_true(fabs(got - expected) <= 1e-4 * (1 + fabs(expected)));
        }
    for (unsigned r = 1; r < n_ranks; r++)
        assert_memory_equal(all.networks[r]->cells, all.networks[0]->cells, n * sizeof(float));
    for (unsigned r = 0; r < n_ranks; r++) {
        network_free(all.networks[r]);
        free(learned[r]);
    }
    network_free(all.before);
}

static void test_merge(void **state)
{
    (void)state;
    for (unsigned n_ranks = 2; n_ranks <= 4; n_ranks++) {
        check_merge(RULES_TD_CELL, n_ranks);
        check_merge(RULES_TC_CELL, n_ranks);
        check_merge(RULES_AUTOSTEP_CELL, n_ranks);
    }
}

/* ---- a trainer on several ranks ---- */

struct learned {
    float *weights[MAX_RANKS];
    size_t n;
    struct trainer_totals totals[MAX_RANKS];
};

static void learn(const struct cluster *cluster, void *context)
{
    struct learned *learned = context;
    struct network_spec spec = sample_spec(&sample);
    struct trainer_settings settings = {
        .learn = {.n_phases = 1, .phases = {{.rule = RULE_TC, .rate = {.n_points = 1, .value = {1}}}}},
        .start = {.new_game = 1},
        .seed = 5,
        .threads = 1,
        .interleave = 1,
        .sync = 3000};
    struct network *network;
    struct trainer *trainer;
    struct workers *workers;
    CHECK(network_create(&network, &spec) == STATUS_OK);
    CHECK(trainer_create(&trainer, network, &settings) == STATUS_OK);
    CHECK(workers_create(&workers, 1) == STATUS_OK);
    CHECK(trainer_join(trainer, cluster) == STATUS_OK);
    for (uint64_t until = 20000; until <= 60000; until += 20000)
        CHECK(trainer_run(trainer, workers, until, NULL, NULL) == STATUS_OK);
    unsigned rank = cluster_rank(cluster);
    size_t n = network->n_weights * network->stride;
    if (rank == 0)
        learned->n = n;
    learned->weights[rank] = malloc(n * sizeof(float));
    memcpy(learned->weights[rank], network->cells, n * sizeof(float));
    learned->totals[rank] = trainer_totals(trainer);
    trainer_free(trainer);
    workers_free(workers);
    network_free(network);
}

static void test_trainer(void **state)
{
    (void)state;
    struct learned alone = {0}, by_one = {0}, by_three[2] = {{.n = 0}};
    learn(NULL, &alone);
    thread_cluster_run(1, learn, &by_one);
    for (unsigned i = 0; i < 2; i++)
        thread_cluster_run(3, learn, &by_three[i]);
    assert_int_equal(atomic_exchange(&n_wrong, 0), 0);
    size_t bytes = alone.n * sizeof(float);
    assert_memory_equal(alone.weights[0], by_one.weights[0], bytes);
    assert_memory_equal(by_three[0].weights[0], by_three[1].weights[0], bytes);
    for (unsigned r = 0; r < 3; r++) {
        assert_memory_equal(by_three[0].weights[0], by_three[0].weights[r], bytes);
        assert_true(by_three[0].totals[r].actions >= 60000 && by_three[0].totals[r].actions < 61000);
        assert_int_equal(by_three[0].totals[r].actions, by_three[0].totals[0].actions);
        assert_int_equal(by_three[0].totals[r].plays, by_three[0].totals[0].plays);
    }
    assert_true(memcmp(alone.weights[0], by_three[0].weights[0], bytes) != 0);
    for (unsigned r = 0; r < 3; r++) {
        free(by_three[0].weights[r]);
        free(by_three[1].weights[r]);
    }
    free(alone.weights[0]);
    free(by_one.weights[0]);
}

/* ---- neural: as many ranks as threads are the same to the last bit ---- */

struct neural_case {
    enum batching batching;
    unsigned threads;
    neural_real *parameters[MAX_RANKS];
    size_t n;
};

static void learn_neural(const struct cluster *cluster, void *context)
{
    struct neural_case *lesson = context;
    struct neural_spec spec = {.rows = 3, .cols = 3, .planes = 16, .scale = 1000, .model = "2x2 16 24 fc 16"};
    struct neural_settings settings = {.start = {.new_game = 1},
                                       .optimiser = {.beta1 = 0.9, .beta2 = 0.999, .epsilon = 1e-7},
                                       .rate = schedule_constant(0.001f),
                                       .batching = lesson->batching,
                                       .batch = 30,
                                       .games = 10,
                                       .deviation = 0.1,
                                       .seed = 3,
                                       .threads = lesson->threads};
    struct neural *neural;
    struct neural_trainer *trainer;
    struct workers *workers;
    CHECK(neural_create(&neural, &spec) == STATUS_OK);
    neural_initialise(neural, settings.initial, settings.deviation, settings.seed);
    CHECK(workers_create(&workers, settings.threads) == STATUS_OK);
    CHECK(neural_trainer_create(&trainer, neural, &settings) == STATUS_OK);
    CHECK(neural_trainer_join(trainer, cluster) == STATUS_OK);
    CHECK(neural_trainer_run(trainer, workers, 1500, NULL, NULL) == STATUS_OK);
    unsigned rank = cluster_rank(cluster);
    if (rank == 0)
        lesson->n = neural->n_parameters;
    lesson->parameters[rank] = malloc(neural->n_parameters * sizeof(neural_real));
    memcpy(lesson->parameters[rank], neural->parameters, neural->n_parameters * sizeof(neural_real));
    neural_trainer_free(trainer);
    workers_free(workers);
    neural_free(neural);
}

static void test_neural(void **state)
{
    (void)state;
    static const enum batching batchings[] = {BATCH_GAME, BATCH_SHUFFLE};
    for (unsigned i = 0; i < 2; i++) {
        struct neural_case alone = {.batching = batchings[i], .threads = 3},
                           apart = {.batching = batchings[i], .threads = 1};
        learn_neural(NULL, &alone);
        thread_cluster_run(3, learn_neural, &apart);
        assert_int_equal(atomic_exchange(&n_wrong, 0), 0);
        for (unsigned r = 0; r < 3; r++) {
            assert_memory_equal(alone.parameters[0], apart.parameters[r], alone.n * sizeof(neural_real));
            free(apart.parameters[r]);
        }
        free(alone.parameters[0]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_merge),
        cmocka_unit_test(test_trainer),
        cmocka_unit_test(test_neural),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
