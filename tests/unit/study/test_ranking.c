/* Rankings: campaigns whose scores are made up, so that the partial scores are known. */
#include "campaign_sample.h"

#include "base/random.h"
#include "study/ranking.h"

#include <math.h>

static double partial_of(size_t tuple)
{
    return 500 + 100.0 * (double)(tuple * 7 % 33); /* in another order than the list; all of 33 different */
}

static double normal(struct rng *rng)
{
    double sum = -6;
    for (int i = 0; i < 12; i++)
        sum += random_unit(rng);
    return sum;
}

/* The 33 connected 5-tuples of 4x4, five a network. */
static void make_up(struct campaign *campaign, uint64_t n_experiments, double noise)
{
    struct campaign_settings settings = {.trial.rows = 4,
                                         .trial.cols = 4,
                                         .cells = 5,
                                         .connected = true,
                                         .per_network = 5,
                                         .n_experiments = n_experiments,
                                         .trial.seed = 2};
    struct rng rng = random_stream(9, 0);
    assert_ok(campaign_create(campaign, &settings));
    assert_int_equal(campaign->list.n_tuples, 33);
    for (uint64_t i = 0; i < n_experiments; i++) {
        struct campaign_experiment *experiment = &campaign->experiments[i];
        experiment->done = true;
        for (unsigned k = 0; k < 5; k++)
            experiment->result.score += partial_of(experiment->tuples[k]);
        experiment->result.score += noise * normal(&rng);
    }
}

static void test_exact(void **state)
{
    (void)state;
    const struct ranking_options options = {.n_bootstrap = 100, .seed = 1};
    struct campaign campaign;
    struct ranking ranking;
    make_up(&campaign, 330, 0);
    campaign.experiments[17].done = false; /* one is missing */
    assert_ok(ranking_compute(&ranking, &campaign, &options));
    assert_int_equal(ranking.n_experiments, 329);
    assert_int_equal(ranking.determined, 33);
    uint64_t times = 0;
    for (size_t i = 0; i < 33; i++) {
        const struct ranked_tuple *tuple = &ranking.tuples[i];
        assert_true(fabs(tuple->score - partial_of(tuple->tuple)) < 1e-6);
        assert_true(fabs(tuple->score - (500 + 100.0 * (double)(32 - i))) < 1e-6);
        assert_true(tuple->error < 1e-6);
        assert_int_equal(tuple->lowest_rank, i + 1);
        assert_int_equal(tuple->highest_rank, i + 1);
        times += tuple->times;
    }
    assert_int_equal(times, 5 * 329);
    assert_true(fabs(ranking.median - 2100) < 1e-6);
    assert_true(fabs(ranking.halves - 1) < 1e-12);
    ranking_free(&ranking);
    campaign_free(&campaign);
}

/* With noise of a known size: errors of the right size, intervals that hold the true ranks. */
static void test_noise(void **state)
{
    (void)state;
    const struct ranking_options options = {.n_bootstrap = 400, .seed = 1};
    struct campaign campaign;
    struct ranking ranking;
    double squares = 0;
    unsigned n_held = 0;
    make_up(&campaign, 330, 400);
    assert_ok(ranking_compute(&ranking, &campaign, &options));
    assert_true(fabs(ranking.deviation - 400) < 60);
    for (size_t i = 0; i < 33; i++) {
        const struct ranked_tuple *tuple = &ranking.tuples[i];
        double wrong = (tuple->score - partial_of(tuple->tuple)) / tuple->error;
        size_t true_rank = 33 - tuple->tuple * 7 % 33;
        squares += wrong * wrong;
        assert_true(tuple->lowest_rank <= tuple->highest_rank && tuple->highest_rank <= 33);
        n_held += true_rank >= tuple->lowest_rank && true_rank <= tuple->highest_rank;
    }
    assert_true(squares > 12 && squares < 66); /* of 33 squares of standard normals: 33 +- 8 */
    assert_true(n_held >= 28);                 /* 95% of 33 are 31 */
    assert_true(ranking.halves > 0.8 && ranking.halves < 1);
    ranking_free(&ranking);
    campaign_free(&campaign);
}

static void test_too_few(void **state)
{
    (void)state;
    struct ranking_options options = {.n_bootstrap = 100, .seed = 1};
    struct campaign campaign;
    struct ranking ranking;
    make_up(&campaign, 20, 0);
    assert_int_equal(ranking_compute(&ranking, &campaign, &options), STATUS_INVALID);
    assert_message("20 experiments determine 20 of 33 partial scores, fewer than there are tuples");
    assert_message("--minimum-norm");
    options.minimum_norm = true;
    assert_ok(ranking_compute(&ranking, &campaign, &options));
    assert_int_equal(ranking.determined, 20);
    assert_true(isnan(ranking.deviation) && isnan(ranking.halves));
    double partial[33];
    for (size_t i = 0; i < 33; i++) {
        assert_true(isnan(ranking.tuples[i].error));
        assert_int_equal(ranking.tuples[i].lowest_rank, 0);
        partial[ranking.tuples[i].tuple] = ranking.tuples[i].score;
    }
    for (unsigned i = 0; i < 20; i++) { /* it fits */
        double sum = 0;
        for (unsigned k = 0; k < 5; k++)
            sum += partial[campaign.experiments[i].tuples[k]];
        assert_true(fabs(sum - campaign.experiments[i].result.score) < 1e-6);
    }
    ranking_free(&ranking);
    for (unsigned i = 0; i < 20; i++)
        campaign.experiments[i].done = false;
    assert_int_equal(ranking_compute(&ranking, &campaign, &options), STATUS_INVALID);
    assert_message("no experiment is done");
    campaign_free(&campaign);
}

/* As many experiments as one likes of all tuples alike leave the system singular. */
static void test_singular(void **state)
{
    (void)state;
    const struct ranking_options options = {0};
    struct campaign_settings settings = sample_settings();
    struct campaign campaign;
    struct ranking ranking;
    settings.per_network = 2;
    settings.cells = 3;
    assert_ok(campaign_create(&campaign, &settings));
    size_t n_tuples = campaign.list.n_tuples;
    campaign_free(&campaign);
    settings.per_network = (unsigned)n_tuples;
    assert_ok(campaign_create(&campaign, &settings));
    for (unsigned i = 0; i < settings.n_experiments; i++) {
        campaign.experiments[i].done = true;
        campaign.experiments[i].result.score = 100;
    }
    assert_int_equal(ranking_compute(&ranking, &campaign, &options), STATUS_INVALID);
    assert_message("the system is singular");
    campaign_free(&campaign);
}

/* A textbook's example of Spearman's correlation (intelligence and hours of television): -29/165; and ties. */
static void test_spearman(void **state)
{
    (void)state;
    const double iq[] = {106, 100, 86, 101, 99, 103, 97, 113, 112, 110},
                 hours[] = {7, 27, 2, 50, 28, 29, 20, 12, 6, 17};
    const double tied[] = {1, 2, 2, 3}, rising[] = {1, 2, 3, 4}, flat[] = {1, 1, 1, 1};
    assert_true(fabs(ranking_spearman(iq, hours, 10) + 29.0 / 165) < 1e-12);
    assert_true(fabs(ranking_spearman(rising, rising, 4) - 1) < 1e-12);
    assert_true(fabs(ranking_spearman(tied, rising, 4) - 4.5 / sqrt(4.5 * 5)) < 1e-12);
    assert_true(isnan(ranking_spearman(flat, rising, 4)));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_exact),    cmocka_unit_test(test_noise),    cmocka_unit_test(test_too_few),
        cmocka_unit_test(test_singular), cmocka_unit_test(test_spearman),
    };
    return cmocka_run_group_tests(tests, scratch_setup, scratch_teardown);
}
