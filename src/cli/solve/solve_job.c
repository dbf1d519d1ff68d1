/* solve_job: one solve with its forecast, notices and progress on stderr, as `solve` and `endgame build` run it. */
#include "cli/solve/solve_job.h"

#include "base/cluster.h"
#include "base/number_text.h"
#include "base/signals.h"
#include "solve/forecast.h"

/* Refuses what does not fit on disk or in memory, and prints what a long solve will take. */
static enum status show_forecast(const struct solve_settings *settings, bool force, struct workers *workers)
{
    static const double long_seconds = 10, likely_rate = 1e7; /* states a second and thread */
    char states[32], duration[NUMBER_TEXT_BYTES], memory[32], disk[32];
    double rate;
    unsigned n_threads = workers_count(workers);
    struct solve_forecast forecast = forecast_make(settings, n_threads);
    enum status status = STATUS_OK;
    if (!force)
        status = forecast_check(&forecast, settings, n_threads, forecast_free_disk(settings->directory));
    if (status || settings->progress_mode == PROGRESS_QUIET ||
        forecast.work < long_seconds / 5 * likely_rate * n_threads)
        return status; /* too short to measure a rate for it */
    status = forecast_measure_rate(settings, workers, &rate);
    if (status || rate <= 0 || forecast.work / rate < long_seconds)
        return status;
    if (forecast.estimated)
        number_text_short(states, forecast.n_states);
    else
        number_text_count(states, (uint64_t)forecast.n_states);
    number_text_duration(duration, forecast.work / rate);
    fprintf(stderr, "forecast: %s%s states, about %s, %s of memory, %s of disk\n", forecast.estimated ? "about " : "",
            states, duration, number_text_bytes(memory, forecast.memory_bytes),
            number_text_bytes(disk, forecast.disk_bytes));
    return STATUS_OK;
}

static void print_notice(void *context, const char *text)
{
    (void)context;
    fprintf(stderr, "warning: %s\n", text);
}

enum status solve_job_run(struct solve_settings *settings, bool force, const struct common_options *common,
                          struct workers *workers, struct solve_report *report)
{
    settings->notice = print_notice;
    settings->progress_stream = stderr;
    settings->progress_mode = common->progress;
    enum status status = signals_catch_interrupt();
    if (!status && cluster_is_first(settings->cluster))
        status = show_forecast(settings, force, workers);
    status = cluster_follow(settings->cluster, status);
    if (!status)
        status = solve_run(settings, workers, report);
    return status != STATUS_INTERRUPTED
               ? status
               : status_fail(STATUS_INTERRUPTED, "stopped; all finished ages are saved in %s, the same command resumes",
                             settings->directory);
}
