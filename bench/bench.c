#include "bench.h"

#include "base/clock.h"

#include <stdlib.h>

enum { ROUNDS = 9, PROBE_ITEMS = 1000 };

/* Keeps the work alive: the compiler cannot know that nobody reads this. */
static volatile uint64_t bench_sink;

typedef uint64_t (*bench_function)(void *context, uint64_t n, uint64_t *sink);

/* Items per second over one round of n items. */
static double time_round(bench_function run, void *context, uint64_t n)
{
    uint64_t sink = 0;
    double start = clock_seconds();
    uint64_t done = run(context, n, &sink);
    double seconds = clock_seconds() - start;
    bench_sink = sink;
    return (double)done / (seconds > 1e-9 ? seconds : 1e-9);
}

/* A number of items that takes about `seconds`; grows from a probe so that a slow job is not run for long. */
static uint64_t items_for(bench_function run, void *context, double seconds)
{
    uint64_t n = PROBE_ITEMS;
    for (;;) {
        double rate = time_round(run, context, n);
        if ((double)n / rate > seconds / 8)
            return (uint64_t)(rate * seconds) + 1;
        n *= 4;
    }
}

static int compare_rates(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

struct bench_line bench_measure(const struct bench_job *job, double seconds)
{
    double round_seconds = seconds / (2 * ROUNDS);
    uint64_t n = items_for(job->run, job->context, round_seconds);
    uint64_t n_limit = items_for(job->run_limit, job->context, round_seconds);
    double rate[ROUNDS], limit_rate[ROUNDS];
    for (unsigned round = 0; round < ROUNDS; round++) {
        rate[round] = time_round(job->run, job->context, n);
        limit_rate[round] = time_round(job->run_limit, job->context, n_limit);
    }
    qsort(rate, ROUNDS, sizeof *rate, compare_rates);
    qsort(limit_rate, ROUNDS, sizeof *limit_rate, compare_rates);
    return (struct bench_line){
        .name = job->name,
        .unit = job->unit,
        .limit = job->limit,
        .rate = rate[ROUNDS / 2],
        .limit_rate = limit_rate[ROUNDS / 2],
        .low = rate[0],
        .high = rate[ROUNDS - 1],
    };
}
