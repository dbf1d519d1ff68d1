/* Forecasts of solves against boards that were counted and solved. */
#include "table_files.h"

#include "base/clock.h"
#include "solve/forecast.h"
#include "solve/table_index.h"

#include <math.h>

static void assert_about(double got, double expected, double tolerance)
{
    if (!(fabs(got / expected - 1) <= tolerance))
        fail_msg("%.6g, expected about %.6g", got, expected);
}

static void states_of_known_boards(void **state)
{
    (void)state;
    assert_true(forecast_states(3, 3, 0) == 48713519);
    assert_true(forecast_states(4, 3, 0) == 1152817492752);
    assert_true(forecast_states(3, 4, 16380) == 1152817492752);
    assert_true(forecast_states(4, 4, 0) == 0);
    for (unsigned rows = 1; rows <= 6; rows++) {
        for (unsigned cols = 1; cols <= 6; cols++)
            assert_true((forecast_states(rows, cols, 0) > 0) == (rows * cols <= 12));
    }
    /* docs/RESULTS.md */
    assert_about(forecast_states(4, 3, 2000), 89163839751, 0.02);
    assert_about(forecast_states(4, 3, 300), 1815114515, 0.1);
    assert_about(forecast_states(4, 3, 130), 131761977, 0.15);
    double before = 0;
    for (uint32_t age = 2; age <= 4092; age += 2) {
        double now = forecast_states(2, 5, age);
        assert_true(now >= before && now <= 1814373350);
        before = now;
    }
    assert_true(before == 1814373350);
}

/* A directory is followed from nothing to the end: less and less is left. */
static void a_solve_is_followed(void **state)
{
    (void)state;
    char *directory = path_of("followed");
    struct solve_settings settings = settings_of(2, 4, directory);
    struct solve_report report;
    settings.file_members = 0;
    const double n = 4980767;
    struct solve_forecast begun = forecast_make(&settings, 1);
    assert_true(begun.n_states == n);
    assert_false(begun.estimated);
    assert_about(begun.work, n * (1 + forecast_backward_work(STORE_VALUES, 1)), 1e-9);
    settings.to_age = 500;
    struct solve_forecast partial = forecast_make(&settings, 1);
    assert_true(partial.estimated);
    assert_true(partial.disk_bytes < begun.disk_bytes / 5);
    assert_ok(solve(&settings, 2, &report));
    assert_about(partial.n_states, (double)report.summary.n_states, 0.1);
    assert_true(forecast_make(&settings, 1).work == 0);
    settings.to_age = 0;
    struct solve_forecast counted = forecast_make(&settings, 1);
    assert_about(begun.work - counted.work, (double)report.summary.n_states, 1e-6);
    assert_true(counted.disk_bytes < begun.disk_bytes);
    assert_ok(solve(&settings, 2, &report));
    assert_about(begun.disk_bytes, (double)report.bytes, 0.25);
    struct solve_forecast done = forecast_make(&settings, 1);
    assert_true(done.work == 0 && done.disk_bytes == 0 && done.memory_bytes == 0);
    free(directory);
}

static void costs_of_options(void **state)
{
    (void)state;
    assert_true(forecast_backward_work(STORE_MOVES, 1) > forecast_backward_work(STORE_VALUES, 1));
    assert_true(forecast_backward_work(STORE_NONE, 2) == forecast_backward_work(STORE_NONE, 1));
    assert_about(forecast_backward_work(STORE_NONE, 1000) - forecast_backward_work(STORE_NONE, 1), 1, 0.01);
    /* docs/RESULTS.md: 0.3 TB of sets, 2.6 TB of values; about 11 GB in the backward pass, 0.9 GB to age 2000. */
    struct solve_settings settings = settings_of(4, 3, scratch_path("nothing"));
    struct solve_forecast forecast = forecast_make(&settings, 2);
    assert_about(forecast.disk_bytes, 2.9e12, 0.1);
    assert_about(forecast.memory_bytes, 12e9, 0.2);
    assert_true(forecast_make(&settings, 16).memory_bytes > forecast.memory_bytes);
    settings.store = STORE_NONE;
    settings.checkpoint_every = 64;
    assert_about(forecast_make(&settings, 2).disk_bytes, 16e9, 0.2);
    settings.to_age = 2000;
    settings.checkpoint_every = 16;
    assert_about(forecast_make(&settings, 2).memory_bytes, 0.9e9, 0.4);
    assert_about(forecast_make(&settings, 2).disk_bytes, 2.6e9, 0.25);
}

static void what_cannot_end_is_refused(void **state)
{
    (void)state;
    struct solve_settings settings = settings_of(4, 3, scratch_path("nothing"));
    settings.memory_bytes = UINT64_C(64) << 30;
    struct solve_forecast forecast = forecast_make(&settings, 2);
    assert_ok(forecast_check(&forecast, &settings, 2, UINT64_MAX));
    assert_int_equal(forecast_check(&forecast, &settings, 2, 100000000000), STATUS_IO);
    assert_message("2.9");
    assert_message("what fits: --store none --checkpoint-every 8;"); /* 340 GB of sets, two in eight of them kept */
    assert_message("--force");
    assert_int_equal(forecast_check(&forecast, &settings, 2, 1000000000000), STATUS_IO);
    assert_message("what fits: --store moves, or --store none;");
    assert_int_equal(forecast_check(&forecast, &settings, 2, 1000), STATUS_IO);
    assert_message("no --store and --checkpoint-every would fit");
    settings.memory_bytes = 4000000000;
    assert_int_equal(forecast_check(&forecast, &settings, 2, UINT64_MAX), STATUS_NO_MEMORY);
    assert_message("4.00 GB are allowed (--memory)");
}

static void this_machine_is_measured(void **state)
{
    (void)state;
    struct workers *workers;
    double rate, started = clock_seconds();
    struct solve_settings settings = settings_of(4, 3, scratch_path("nothing"));
    assert_ok(workers_create(&workers, 2));
    assert_ok(forecast_measure_rate(&settings, workers, &rate));
    assert_true(rate > 1e4);
    assert_true(clock_seconds() - started < 60);
    settings.rows = settings.cols = 1; /* too small to say anything */
    assert_ok(forecast_measure_rate(&settings, workers, &rate));
    assert_true(rate == 0);
    workers_free(workers);
    uint64_t here = forecast_free_disk(scratch_folder), below = forecast_free_disk(scratch_path("not/there/yet"));
    assert_true(here > 0 && here < UINT64_MAX);
    assert_true(below > 0 && below < UINT64_MAX);
    assert_true(forecast_free_disk("not-there-yet") < UINT64_MAX);
    char text[32];
    assert_string_equal(forecast_format_bytes(text, sizeof text, 2.913e12), "2.91 TB");
    assert_string_equal(forecast_format_bytes(text, sizeof text, 12), "12 B");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(states_of_known_boards),   cmocka_unit_test(a_solve_is_followed),
        cmocka_unit_test(costs_of_options),         cmocka_unit_test(what_cannot_end_is_refused),
        cmocka_unit_test(this_machine_is_measured),
    };
    return cmocka_run_group_tests(tests, scratch_setup, scratch_teardown);
}
