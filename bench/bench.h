/*
 * bench: speeds of the hot paths, each beside a limit of this machine.
 *
 * On a noisy machine a time alone says little. So every job has a limit: a loop that does only what no program can
 * avoid (the same table look-ups, the same random draws) and nothing else, over the same boards. Job and limit run
 * alternately in short rounds, and the medians are compared: the ratio carries from machine to machine and from day to
 * day.
 */
#ifndef AFTERSTATE_BENCH_BENCH_H
#define AFTERSTATE_BENCH_BENCH_H

#include "base/status.h"

#include <stddef.h>
#include <stdint.h>

struct bench_job {
    const char *name;
    const char *unit;  /* what one item is: "moves", "boards" */
    const char *limit; /* what the limit does */
    /* Each does n items or a few more and returns how many; *sink gets something that depends on all of the work. */
    uint64_t (*run)(void *context, uint64_t n, uint64_t *sink);
    uint64_t (*run_limit)(void *context, uint64_t n, uint64_t *sink);
    void *context;
    /* The seconds that count for `run`, if they are not those of the wall: a part of its work may be meant. */
    double (*clock)(void *context);
};

struct bench_line {
    const char *name, *unit, *limit; /* the job's */
    double rate, limit_rate;         /* items per second, medians over the rounds */
    double low, high;                /* the smallest and largest rate of a round */
};

/* Measures one job for about `seconds` in all, job and limit together. */
struct bench_line bench_measure(const struct bench_job *job, double seconds);

struct engine_bench;

/* The jobs of the game engine; they borrow from *out, which bench_engine_free() ends. */
enum status bench_engine_create(struct engine_bench **out);
void bench_engine_free(struct engine_bench *bench); /* NULL is fine */
const struct bench_job *bench_engine_jobs(const struct engine_bench *bench, size_t *n_jobs);

struct codes_bench;

/* The jobs of the codes of solved tables; their names include the bits an item. */
enum status bench_codes_create(struct codes_bench **out);
void bench_codes_free(struct codes_bench *bench); /* NULL is fine */
const struct bench_job *bench_codes_jobs(const struct codes_bench *bench, size_t *n_jobs);

struct solve_bench;

/* The jobs of the solver, on one age of a board size; the ages before it are counted first. */
enum status bench_solve_create(struct solve_bench **out, unsigned rows, unsigned cols, uint32_t age);
void bench_solve_free(struct solve_bench *bench); /* NULL is fine */
const struct bench_job *bench_solve_jobs(const struct solve_bench *bench, size_t *n_jobs);

struct learn_bench;

/* Whether networks of these names can be measured, without measuring anything: fails as the functions below do. */
enum status bench_learn_check(const char *shape);
enum status bench_neural_check(const char *model);

enum { BENCH_INTERLEAVE = 1 }; /* games in flight a thread, the default of recipes */

/* The jobs of one named network, which is first trained for that many actions so that it touches what real ones
   touch. */
enum status bench_learn_create(struct learn_bench **out, const char *shape, uint64_t warm_up_actions);
void bench_learn_free(struct learn_bench *bench); /* NULL is fine */
const struct bench_job *bench_learn_jobs(const struct learn_bench *bench, size_t *n_jobs);

struct neural_bench;

/* The jobs of one neural network of the paper on 4x4, which first learns for a little, so that its games are of all
   ages. */
enum status bench_neural_create(struct neural_bench **out, const char *model);
void bench_neural_free(struct neural_bench *bench); /* NULL is fine */
const struct bench_job *bench_neural_jobs(const struct neural_bench *bench, size_t *n_jobs);

/*
 * A number that depends on everything the engine decides in fixed games: the same on every machine, compiler and
 * preset. A change of it is a change of behaviour.
 */
enum status bench_signature(uint64_t *signature);

#endif
