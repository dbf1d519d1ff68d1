/* Campaigns: who gets what, and that threads, stops, shards and merges leave the lines of one that ran through. */
#include "campaign_sample.h"

#include "base/signals.h"
#include "study/trial.h"

#include <signal.h>
#include <sys/time.h>

/* ---- dealing ----------------------------------------------------------------------------------------------------- */

static void test_deal(void **state)
{
    (void)state;
    static const unsigned hands[] = {1, 4, 10, 33, 60, 64};
    for (size_t h = 0; h < sizeof hands / sizeof *hands; h++) {
        struct campaign_settings settings = {.trial.rows = 4,
                                             .trial.cols = 4,
                                             .cells = 6,
                                             .connected = true,
                                             .per_network = hands[h],
                                             .n_experiments = 680,
                                             .trial.seed = 3};
        struct campaign campaign, shorter;
        unsigned times[68] = {0}, least = 1000, most = 0;
        assert_ok(campaign_create(&campaign, &settings));
        for (unsigned i = 0; i < 680; i++)
            for (unsigned k = 0; k < hands[h]; k++) {
                const uint16_t *tuples = campaign.experiments[i].tuples;
                assert_true(tuples[k] < 68 && (k == 0 || tuples[k] > tuples[k - 1])); /* none twice */
                times[tuples[k]]++;
            }
        for (unsigned i = 0; i < 68; i++) {
            least = times[i] < least ? times[i] : least;
            most = times[i] > most ? times[i] : most;
        }
        assert_true(most - least <= (hands[h] <= 34 ? 1 : 4));
        /* A longer campaign begins with the shorter one's experiments. */
        settings.n_experiments = 50;
        assert_ok(campaign_create(&shorter, &settings));
        for (unsigned i = 0; i < 50; i++) {
            assert_int_equal(shorter.experiments[i].seed, campaign.experiments[i].seed);
            assert_memory_equal(shorter.experiments[i].tuples, campaign.experiments[i].tuples,
                                hands[h] * sizeof(uint16_t));
        }
        campaign_free(&shorter);
        campaign_free(&campaign);
    }
}

/* The first deck is not in the list's order, and another seed deals otherwise. */
static void test_deal_is_random(void **state)
{
    (void)state;
    struct campaign_settings settings = sample_settings();
    struct campaign a, b;
    settings.n_experiments = 200;
    assert_ok(campaign_create(&a, &settings));
    settings.trial.seed++;
    assert_ok(campaign_create(&b, &settings));
    unsigned same = 0;
    for (unsigned i = 0; i < 200; i++)
        same += a.experiments[i].tuples[0] == b.experiments[i].tuples[0] &&
                a.experiments[i].tuples[1] == b.experiments[i].tuples[1];
    assert_true(same < 80); /* of 3 tuples of 3x3 there are 10 pairs: about 20 by chance */
    campaign_free(&a);
    campaign_free(&b);
}

/* ---- one trial --------------------------------------------------------------------------------------------------- */

static bool stop_at_once(void *context, uint64_t n_games)
{
    (void)n_games;
    ++*(int *)context;
    return false;
}

static void test_trial_goes_on(void **state)
{
    (void)state;
    struct grid grid;
    struct trial trial = {.rows = 3, .cols = 3, .rate = 0.001, .games = 4000, .last_percent = 1, .seed = 7};
    struct trial_result whole, parts;
    int n_stops = 0;
    const char *path = sample_folder("trial.checkpoint");
    const struct trial_hooks hooks = {
        .watch = stop_at_once, .context = &n_stops, .checkpoint_path = path, .checkpoint_seconds = 1000};
    assert_ok(grid_create(&grid, 3, 3));
    assert_ok(shape_from_name(&trial.shape, &grid, "mnt4"));
    grid_free(&grid);
    /* A trial is watched every 50 ms: it is made longer until it takes longer than that. */
    while (n_stops == 0) {
        enum status status;
        const uint64_t games = trial.games;
        assert_true(games < 1000000);
        assert_ok(trial_run(&trial, NULL, &whole));
        assert_true(whole.games >= games && whole.games < games + 10);
        assert_true(whole.scored_games >= games / 100 - 1 && whole.scored_games <= games / 100 + 10);
        assert_true(whole.score > 400); /* random play: about 230 */
        while ((status = trial_run(&trial, &hooks, &parts)) == STATUS_INTERRUPTED)
            assert_int_equal(access(path, F_OK), 0);
        assert_ok(status);
        assert_int_equal(parts.games, whole.games);
        assert_int_equal(parts.actions, whole.actions);
        assert_int_equal(parts.scored_games, whole.scored_games);
        assert_true(parts.score == whole.score);
        assert_int_not_equal(access(path, F_OK), 0);
        trial.games *= 4;
    }

    /* A checkpoint of another trial is refused. */
    assert_int_equal(trial_run(&trial, &hooks, &parts), STATUS_INTERRUPTED);
    trial.seed++;
    assert_int_equal(trial_run(&trial, &hooks, &parts), STATUS_CORRUPT);
    assert_message("seed 7");
}

/* Beyond the paper: temporal coherence learns faster than TD with its constant rate, and split encodings count. */
static void test_trial_rules(void **state)
{
    (void)state;
    struct grid grid;
    struct trial trial = {.rows = 3, .cols = 3, .games = 2000, .last_percent = 10};
    struct trial_result td, tc, split;
    struct network_spec spec;
    uint64_t bytes, split_bytes;
    assert_ok(trial_settings_resolve(&trial));
    assert_true(trial.rate == 1.0 / 1024);
    assert_ok(grid_create(&grid, 3, 3));
    assert_ok(shape_from_name(&trial.shape, &grid, "mnt4"));
    grid_free(&grid);
    assert_ok(trial_run(&trial, NULL, &td));
    trial.tc = true;
    trial.rate = 0;
    assert_ok(trial_settings_resolve(&trial));
    assert_true(trial.rate == 1);
    assert_ok(trial_run(&trial, NULL, &tc));
    assert_true(tc.score > 1.3 * td.score);
    assert_ok(trial_spec(&trial, &spec, &bytes));
    strcpy(trial.vse, "1-5 6-10");
    assert_ok(trial_spec(&trial, &spec, &split_bytes));
    assert_int_equal(spec.encoding.n_ranges, 2);
    assert_true(split_bytes < bytes);
    assert_ok(trial_run(&trial, NULL, &split));
    assert_true(split.score != tc.score && split.score > td.score);
    strcpy(trial.vse, "5-1");
    assert_int_equal(trial_spec(&trial, &spec, &bytes), STATUS_INVALID);
    assert_message("5-1");
}

/* Scores of another board, where a turn of the trainer ends several games: still at least one counts. */
static void test_tiny_board(void **state)
{
    (void)state;
    struct grid grid;
    struct trial trial = {.rows = 2, .cols = 2, .rate = 0.01, .games = 3, .last_percent = 1, .seed = 1};
    struct trial_result result;
    assert_ok(grid_create(&grid, 2, 2));
    assert_ok(shape_add_tuple(&trial.shape, &grid, "0 1"));
    grid_free(&grid);
    for (trial.seed = 1; trial.seed < 20; trial.seed++) {
        assert_ok(trial_run(&trial, NULL, &result));
        assert_true(result.scored_games >= 1 && result.games >= 3 && result.score >= 0);
    }
}

/* ---- campaigns --------------------------------------------------------------------------------------------------- */

static void run(struct campaign *campaign, unsigned threads)
{
    struct trial_pool_totals totals;
    assert_ok(campaign_run(campaign, threads, 0, &sample_report, &totals));
    assert_false(totals.interrupted);
    assert_int_equal(campaign_count_done(campaign, true), campaign_count_own(campaign));
}

/* One that ran through, for the tests to compare with. */
static const char *run_whole(struct campaign_settings settings)
{
    const char *folder = sample_folder("whole");
    struct campaign campaign;
    sample_open(&campaign, &settings, folder);
    if (campaign_count_done(&campaign, true) < settings.n_experiments)
        run(&campaign, 1);
    campaign_free(&campaign);
    return folder;
}

static void test_threads(void **state)
{
    (void)state;
    const char *whole = run_whole(sample_settings()), *folder = sample_folder("threads");
    struct campaign_settings settings = sample_settings();
    struct campaign campaign;
    sample_open(&campaign, &settings, folder);
    run(&campaign, 4);
    campaign_free(&campaign);
    assert_same_table("experiments.csv", folder, whole);
}

static void interrupt_again(int number)
{
    (void)number;
    raise(SIGINT);
}

/* Runs a campaign to its end, stopped every 70 ms; returns the number of sessions. */
static unsigned run_in_sessions(const char *folder, uint64_t n_experiments)
{
    struct campaign campaign;
    unsigned n_sessions = 0;
    signal(SIGALRM, interrupt_again);
    for (bool done = false; !done; n_sessions++) {
        struct trial_pool_totals totals;
        const struct itimerval soon = {.it_value.tv_usec = 70000}, never = {0};
        assert_ok(campaign_open(&campaign, folder));
        assert_ok(signals_catch_interrupt());
        setitimer(ITIMER_REAL, &soon, NULL);
        assert_ok(campaign_run(&campaign, 2, 0, &sample_report, &totals));
        setitimer(ITIMER_REAL, &never, NULL);
        done = !totals.interrupted && campaign_count_done(&campaign, true) == n_experiments;
        campaign_free(&campaign);
    }
    signals_restore();
    return n_sessions;
}

/* Stopped in the middle of experiments, then lengthened. Experiments are made longer until one is stopped, however
   fast the machine. */
static void test_stops(void **state)
{
    (void)state;
    struct campaign_settings settings = sample_settings();
    unsigned n_sessions = 0;
    for (settings.trial.games = 1500; n_sessions <= 1; settings.trial.games *= 4) {
        char name[32];
        struct campaign campaign;
        snprintf(name, sizeof name, "whole-%llu", (unsigned long long)settings.trial.games);
        const char *whole = sample_folder(name);
        snprintf(name, sizeof name, "stopped-%llu", (unsigned long long)settings.trial.games);
        const char *folder = sample_folder(name);
        assert_true(settings.trial.games < 1000000);
        settings.n_experiments = 3;
        sample_open(&campaign, &settings, whole);
        run(&campaign, 1);
        campaign_free(&campaign);
        settings.n_experiments = 2;
        sample_open(&campaign, &settings, folder);
        campaign_free(&campaign);
        n_sessions = run_in_sessions(folder, 2);
        settings.n_experiments = 3;
        sample_open(&campaign, &settings, folder);
        campaign_free(&campaign);
        n_sessions += run_in_sessions(folder, 3) - 1;
        assert_same_table("experiments.csv", folder, whole);
    }
}

static void test_shards(void **state)
{
    (void)state;
    const char *whole = run_whole(sample_settings()), *merged = sample_folder("merged");
    const char *parts[3];
    static const char *const names[] = {"shard-1", "shard-2", "shard-3"};
    struct campaign campaign;
    for (unsigned i = 0; i < 3; i++) {
        struct campaign_settings settings = sample_settings();
        settings.shard = i + 1;
        settings.n_shards = 3;
        parts[i] = sample_folder(names[i]);
        sample_open(&campaign, &settings, parts[i]);
        assert_true(campaign_count_own(&campaign) == 4 || campaign_count_own(&campaign) == 3);
        run(&campaign, 1);
        campaign_free(&campaign);
    }
    assert_ok(campaign_merge(&campaign, merged, parts, 2));
    assert_true(campaign_count_done(&campaign, false) < 11);
    campaign_free(&campaign);
    assert_ok(campaign_merge(&campaign, merged, parts + 2, 1)); /* into what is there */
    assert_int_equal(campaign_count_done(&campaign, false), 11);
    campaign_free(&campaign);
    assert_same_table("experiments.csv", merged, whole);
}

static void test_merge_refuses(void **state)
{
    (void)state;
    const char *parts[] = {run_whole(sample_settings()), sample_folder("other")};
    struct campaign_settings settings = sample_settings();
    struct campaign campaign;
    settings.trial.games = 61;
    sample_open(&campaign, &settings, parts[1]);
    campaign_free(&campaign);
    assert_int_equal(campaign_merge(&campaign, sample_folder("refused"), parts, 2), STATUS_INVALID);
    assert_message("campaign.games was '60' and is '61'");
    /* The same settings, another score. */
    settings = sample_settings();
    parts[1] = sample_folder("liar");
    sample_open(&campaign, &settings, parts[1]);
    campaign.experiments[4].done = true;
    campaign.experiments[4].result = (struct trial_result){.games = 60, .scored_games = 12, .score = 1e6};
    assert_ok(campaign_write_experiments(&campaign));
    campaign_free(&campaign);
    assert_int_equal(campaign_merge(&campaign, sample_folder("refused"), parts, 2), STATUS_INVALID);
    assert_message("experiment 5");
}

static void test_bad_files(void **state)
{
    (void)state;
    static const struct {
        const char *text, *message;
    } bad[] = {
        {"", "its first line"},
        {"experiment,seed\n", "its first line"},
        {"experiment,seed,tuples,games,scored_games,score,actions,seconds\n1,2\n", "experiments.csv:2: expected"},
        {"experiment,seed,tuples,games,scored_games,score,actions,seconds\n1,2,1 2,60,12,300,500,x\n", ":2: expected"},
        {"experiment,seed,tuples,games,scored_games,score,actions,seconds\n1,2,1 2,60,12,300,500,0.1,9\n",
         ":2: expected"},
        {"experiment,seed,tuples,games,scored_games,score,actions,seconds\n1,2,1 2,60,12,300,500,0.1\n", "seed 2"},
    };
    struct campaign_settings settings = sample_settings();
    const char *folder = sample_folder("bad");
    struct campaign campaign;
    sample_open(&campaign, &settings, folder);
    campaign_free(&campaign);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        scratch_write("bad/experiments.csv", bad[i].text, strlen(bad[i].text));
        assert_int_equal(campaign_open(&campaign, folder), STATUS_CORRUPT);
        assert_message(bad[i].message);
    }
    assert_int_equal(campaign_open(&campaign, sample_folder("nowhere")), STATUS_IO);
    assert_message("no campaign");
}

/* A budget gives a number of games that takes about that long: here only that it is one, and grows with the time. */
static void test_budget(void **state)
{
    (void)state;
    struct campaign_settings settings = sample_settings();
    struct campaign campaign;
    uint64_t games;
    assert_ok(campaign_create(&campaign, &settings));
    assert_ok(campaign_scale_games(&campaign, 2, 1, &sample_report, &games));
    assert_true(games >= 10);
    uint64_t rounded = games; /* two digits, then zeros */
    while (rounded >= 100) {
        assert_int_equal(rounded % 10, 0);
        rounded /= 10;
    }
    campaign_free(&campaign);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_deal),        cmocka_unit_test(test_deal_is_random), cmocka_unit_test(test_trial_goes_on),
        cmocka_unit_test(test_trial_rules), cmocka_unit_test(test_tiny_board),     cmocka_unit_test(test_threads),
        cmocka_unit_test(test_stops),       cmocka_unit_test(test_shards),         cmocka_unit_test(test_merge_refuses),
        cmocka_unit_test(test_bad_files),   cmocka_unit_test(test_budget),
    };
#ifdef __SANITIZE_THREAD__ /* the others take most of a minute there and have no threads that this one has not */
    cmocka_set_test_filter("test_threads");
#endif
    return cmocka_run_group_tests(tests, scratch_setup, scratch_teardown);
}
