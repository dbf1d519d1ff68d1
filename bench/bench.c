/* bench: measures a job and its limit in turns, and keeps the medians. */
#include "bench.h"

#include "base/clock.h"

#include <stdlib.h>

enum { ROUNDS = 9, PROBE_ITEMS = 1000 };

/* Keeps the compiler from removing the work. */
static volatile uint64_t bench_sink;

typedef uint64_t (*bench_function)(void *context, uint64_t n, uint64_t *sink);

typedef double (*bench_clock)(void *context);

static double wall_clock(void *context)
{
    (void)context;
    return clock_seconds();
}

/* Items per second over one round of n items; *done (may be NULL) is how many it were. */
static double time_round(bench_function run, bench_clock now, void *context, uint64_t n, uint64_t *done)
{
    uint64_t sink = 0;
    double start = now(context);
    uint64_t n_done = run(context, n, &sink);
    double seconds = now(context) - start;
    bench_sink = sink;
    if (done)
        *done = n_done;
    return (double)n_done / (seconds > 1e-9 ? seconds : 1e-9);
}

/* A number of items that takes about `seconds`; grows from a probe so that a slow job is not run for long. */
static uint64_t items_for(bench_function run, bench_clock now, void *context, double seconds)
{
    uint64_t n = PROBE_ITEMS, done;
    for (;;) {
        double rate = time_round(run, now, context, n, &done);
        if ((double)done / rate > seconds / 8)
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
    bench_clock now = job->clock ? job->clock : wall_clock;
    uint64_t n = items_for(job->run, now, job->context, round_seconds);
    uint64_t n_limit = items_for(job->run_limit, wall_clock, job->context, round_seconds);
    double rate[ROUNDS], limit_rate[ROUNDS];
    for (unsigned round = 0; round < ROUNDS; round++) {
        rate[round] = time_round(job->run, now, job->context, n, NULL);
        limit_rate[round] = time_round(job->run_limit, wall_clock, job->context, n_limit, NULL);
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
