/* Growing: its choices are those of the trials it says it made, for any number of threads and stops. */
#include "campaign_sample.h"

#include "base/random.h"
#include "study/grow.h"

#include <math.h>

static struct recipe *make_recipe(const char *const *settings, size_t n)
{
    static const char *const base[] = {"grow.rows=3",  "grow.cols=3",    "grow.cells=3", "grow.connected=no",
                                       "grow.games=8", "grow.rate=0.01", "grow.last=50", "grow.tuples=2"};
    struct recipe *recipe;
    assert_ok(recipe_create(&recipe, &grow_table));
    for (size_t i = 0; i < sizeof base / sizeof *base; i++)
        assert_ok(recipe_set(recipe, base[i], "test"));
    for (size_t i = 0; i < n; i++)
        assert_ok(recipe_set(recipe, settings[i], "test"));
    return recipe;
}

static void run(const char *folder, unsigned threads, struct grow_result *result, const char *const *settings, size_t n)
{
    struct recipe *recipe = make_recipe(settings, n);
    assert_ok(grow_run(recipe, folder, NULL, threads, 0, &sample_report, result));
    assert_false(result->interrupted);
    recipe_free(recipe);
}

/* The halving, computed again: of 16 tuples of 3x3 8, 4, 2 and 1 are left, with 8, 16, 32, 64 games. */
static void check_first_step(const struct grow_result *result)
{
    struct grid grid;
    struct tuple_list list;
    size_t left[32], n;
    double score[32];
    assert_ok(grid_create(&grid, 3, 3));
    assert_ok(tuple_list_create(&list, &grid, 3, false));
    n = list.n_tuples;
    assert_int_equal(n, 16);
    for (size_t i = 0; i < n; i++)
        left[i] = i;
    uint64_t games = 8;
    for (unsigned round = 1;; round++, games *= 2) {
        struct rng rng = random_stream(1, 64 + round);
        uint64_t seed = random_bits(&rng);
        for (size_t i = 0; i < n; i++) {
            struct trial trial = {.rows = 3, .cols = 3, .rate = 0.01, .games = games, .last_percent = 50, .seed = seed};
            struct trial_result trial_result;
            assert_ok(tuple_set_add(&trial.shape, &grid, list.tuples[left[i]]));
            assert_ok(trial_run(&trial, NULL, &trial_result));
            score[i] = trial_result.score;
        }
        for (size_t i = 0; i < n; i++) /* bubble */
            for (size_t k = 0; k + 1 < n - i; k++)
                if (score[k + 1] > score[k]) {
                    double s = score[k];
                    size_t l = left[k];
                    score[k] = score[k + 1], left[k] = left[k + 1];
                    score[k + 1] = s, left[k + 1] = l;
                }
        if (n == 2)
            break;
        n /= 2;
    }
    assert_int_equal(result->steps[0].set, list.tuples[left[0]]);
    assert_int_equal(result->steps[0].games, 64);
    assert_true(result->steps[0].score == score[0]);
    assert_true(isnan(result->steps[0].score_without));
    tuple_list_free(&list);
    grid_free(&grid);
}

static void test_grow(void **state)
{
    (void)state;
    const char *one = sample_folder("one"), *many = sample_folder("many");
    struct grow_result result, other;
    run(one, 1, &result, NULL, 0);
    run(many, 3, &other, NULL, 0);
    assert_same_table("trials.csv", one, many);
    assert_int_equal(result.n_steps, 2);
    assert_int_equal(result.shape.n_tuples, 2);
    assert_int_equal(result.steps[1].n_candidates, 15);
    assert_true(isfinite(result.steps[1].score_without));
    assert_int_equal(other.steps[1].set, result.steps[1].set);
    check_first_step(&result);
    grow_result_free(&result);
    grow_result_free(&other);
}

/* Half of the lines are lost; nothing that is there is done again. One more tuple is wanted then. */
static void test_goes_on(void **state)
{
    (void)state;
    const char *whole = sample_folder("three"), *folder = sample_folder("half");
    static const char *const two[] = {"grow.tuples=2"}, *const three[] = {"grow.tuples=3"};
    struct grow_result result;
    size_t bytes;
    run(whole, 2, &result, three, 1);
    uint64_t n_trials = result.n_trials;
    grow_result_free(&result);
    run(folder, 2, &result, two, 1);
    uint64_t n_two = result.n_trials;
    grow_result_free(&result);
    char *text = scratch_read("half/trials.csv", &bytes), *cut = text;
    for (unsigned i = 0; i < 1 + n_two / 2; i++)
        cut = strchr(cut, '\n') + 1;
    scratch_write("half/trials.csv", text, (size_t)(cut - text));
    free(text);
    run(folder, 1, &result, three, 1);
    assert_int_equal(result.n_trials, n_trials - n_two / 2);
    assert_int_equal(result.n_steps, 3);
    grow_result_free(&result);
    assert_same_table("trials.csv", folder, whole);
}

static void test_start(void **state)
{
    (void)state;
    static const char *const start[] = {"grow.start=8 7 6"}; /* an image of 0 1 2 */
    struct grow_result result;
    run(sample_folder("start"), 2, &result, start, 1);
    assert_int_equal(result.n_steps, 1);
    assert_int_equal(result.shape.n_tuples, 2);
    assert_int_equal(result.shape.tuples[0].cells[0], 6);
    assert_int_equal(result.steps[0].n_candidates, 15);
    assert_true(isfinite(result.steps[0].score_without));
    grow_result_free(&result);
}

static void test_refuses(void **state)
{
    (void)state;
    static const char *const seed[] = {"grow.seed=4"}, *const many[] = {"grow.tuples=17"},
                             *const bad[] = {"grow.start=9"};
    struct grow_result result;
    const char *folder = sample_folder("refuses");
    run(folder, 2, &result, NULL, 0);
    grow_result_free(&result);
    struct recipe *recipe = make_recipe(seed, 1);
    assert_int_equal(grow_run(recipe, folder, NULL, 1, 0, &sample_report, &result), STATUS_INVALID);
    assert_message("grow.seed was '1' and is '4'");
    grow_result_free(&result);
    recipe_free(recipe);
    recipe = make_recipe(many, 1);
    assert_int_equal(grow_run(recipe, sample_folder("too-many"), NULL, 1, 0, &sample_report, &result), STATUS_INVALID);
    assert_message("17 tuples of 16");
    recipe_free(recipe);
    recipe = make_recipe(bad, 1);
    assert_int_equal(grow_run(recipe, sample_folder("bad-start"), NULL, 1, 0, &sample_report, &result), STATUS_INVALID);
    assert_message("start: tuple '9'");
    recipe_free(recipe);
    scratch_write("refuses/trials.csv", "nonsense\n", 9);
    recipe = make_recipe(NULL, 0);
    assert_int_equal(grow_run(recipe, folder, NULL, 1, 0, &sample_report, &result), STATUS_CORRUPT);
    assert_message("its first line");
    grow_result_free(&result);
    recipe_free(recipe);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_grow),
        cmocka_unit_test(test_goes_on),
        cmocka_unit_test(test_start),
        cmocka_unit_test(test_refuses),
    };
    return cmocka_run_group_tests(tests, scratch_setup, scratch_teardown);
}
