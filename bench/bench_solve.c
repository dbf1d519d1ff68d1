/*
 * The solver on one age of a board, one thread: a step forward (moves, spawns), a step back (values of states and of
 * afterstates), and a look-up of a board in the coded set.
 */
#include "bench.h"

#include "base/memory.h"
#include "base/random.h"
#include "base/workers.h"
#include "solve/age_code.h"
#include "solve/evaluate.h"
#include "solve/expand.h"
#include "solve/layout_create.h"
#include "solve/table_index.h"

#include <stdio.h>
#include <stdlib.h>

enum { N_JOBS = 3, NAME_BYTES = 48 };

struct solve_bench {
    uint32_t age;
    struct grid grid;
    struct layout *layout;
    struct workers *workers;
    struct age_set states[3];      /* by age / 2 % 3 */
    struct age_set afterstates;    /* of `age` */
    struct age_set again, next[2]; /* what a step forward fills */
    double *after_values, *values, *next_values[2];
    struct code_bytes code;
    struct piece_code set;
    struct rng rng;
    uint64_t *cells; /* the afterstates, as boards */
    char names[N_JOBS][NAME_BYTES];
    struct bench_job jobs[N_JOBS];
};

static const struct solve_rules plain_doubles = {.unit = 1, .chance_of_4 = TABLE_USUAL_CHANCE_OF_4};

static struct age_set *states_of(struct solve_bench *bench, uint32_t age)
{
    return &bench->states[age / 2 % 3];
}

/* A failure here could only be a lack of memory, and every block was had before. */
static uint64_t run_forward(void *context, uint64_t n, uint64_t *sink)
{
    struct solve_bench *bench = context;
    uint64_t done = 0, n_states, n_terminal;
    while (done < n) {
        (void)age_set_begin(&bench->again, bench->layout, bench->age, bench->workers);
        for (unsigned i = 0; i < 2; i++)
            (void)age_set_begin(&bench->next[i], bench->layout, bench->age + 2 + 2 * i, bench->workers);
        (void)expand_moves(bench->workers, states_of(bench, bench->age), &bench->again, &n_states, &n_terminal);
        (void)expand_spawns(bench->workers, &bench->again, &bench->next[0], &bench->next[1]);
        *sink += n_terminal;
        done += n_states;
    }
    return done;
}

/* The moves of every state, of which nothing is kept. */
static uint64_t limit_moves(void *context, uint64_t n, uint64_t *sink)
{
    struct solve_bench *bench = context;
    const struct age_set *states = states_of(bench, bench->age);
    uint64_t done = 0;
    while (done < n) {
        for (size_t i = 0; i < states->n_spans; i++) {
            struct age_walk walk;
            age_walk_begin(&walk, states, &states->spans[i]);
            for (; age_walk_next(&walk); done++) {
                struct word_moves moves = layout_moves(bench->layout, walk.cells, bench->grid.rows, bench->grid.cols);
                *sink += moves.after[0] ^ moves.after[1] ^ moves.after[2] ^ moves.after[3];
            }
        }
    }
    return done;
}

static uint64_t run_backward(void *context, uint64_t n, uint64_t *sink)
{
    struct solve_bench *bench = context;
    const struct age_set *states = states_of(bench, bench->age);
    uint64_t done = 0;
    for (; done < n; done += states->count) {
        (void)evaluate_states(bench->workers, &plain_doubles, states,
                              (struct valued_set){&bench->afterstates, bench->after_values}, bench->values, NULL, NULL);
        (void)evaluate_afterstates(bench->workers, &plain_doubles, &bench->afterstates,
                                   (struct valued_set){states_of(bench, bench->age + 2), bench->next_values[0]},
                                   (struct valued_set){states_of(bench, bench->age + 4), bench->next_values[1]},
                                   bench->after_values, NULL);
        *sink += (uint64_t)bench->after_values[0];
    }
    return done;
}

static uint64_t run_lookup(void *context, uint64_t n, uint64_t *sink)
{
    struct solve_bench *bench = context;
    for (uint64_t i = 0; i < n; i++) {
        struct board board = {.cells = bench->cells[random_below(&bench->rng, bench->afterstates.count)]};
        uint64_t number = 0, position = 0;
        bool found;
        if (age_frame_number(bench->afterstates.frame, board, &number))
            (void)set_code_find(&bench->set, number, &found, &position);
        *sink += position;
    }
    return n;
}

static uint64_t limit_lookup(void *context, uint64_t n, uint64_t *sink)
{
    struct solve_bench *bench = context;
    for (uint64_t i = 0; i < n; i++) {
        uint64_t number = random_below(&bench->rng, bench->afterstates.count);
        *sink += bench->cells[number] + bench->code.data[number * bench->code.bytes / bench->afterstates.count];
    }
    return n;
}

static void list_jobs(struct solve_bench *bench)
{
    double bits = 8.0 * (double)bench->code.bytes / (double)bench->afterstates.count;
    snprintf(bench->names[0], NAME_BYTES, "solve forward %ux%u", bench->grid.rows, bench->grid.cols);
    snprintf(bench->names[1], NAME_BYTES, "solve backward %ux%u", bench->grid.rows, bench->grid.cols);
    snprintf(bench->names[2], NAME_BYTES, "table query %ux%u %.2f bits", bench->grid.rows, bench->grid.cols, bits);
    bench->jobs[0] = (struct bench_job){
        bench->names[0], "states", "moves of which nothing is kept", run_forward, limit_moves, bench, NULL};
    bench->jobs[1] = (struct bench_job){
        bench->names[1], "states", "moves of which nothing is kept", run_backward, limit_moves, bench, NULL};
    bench->jobs[2] = (struct bench_job){
        bench->names[2], "queries", "one load of the board, one of the code", run_lookup, limit_lookup, bench, NULL};
}

/* Counts ages up to the wanted one; its states and those of the next two ages (as far as known) stay. */
static enum status count_ages(struct solve_bench *bench)
{
    enum status status = STATUS_OK;
    for (uint32_t age = 4; age <= 8 && !status; age += 2) {
        status = age_set_begin(states_of(bench, age), bench->layout, age, bench->workers);
        if (!status)
            expand_starts(states_of(bench, age), TABLE_USUAL_CHANCE_OF_4);
    }
    for (uint32_t age = 4; age <= bench->age && !status; age += 2) {
        uint64_t n_states, n_terminal;
        status = age_set_begin(&bench->afterstates, bench->layout, age, bench->workers);
        if (!status)
            status = expand_moves(bench->workers, states_of(bench, age), &bench->afterstates, &n_states, &n_terminal);
        if (!status)
            status = expand_spawns(bench->workers, &bench->afterstates, states_of(bench, age + 2),
                                   states_of(bench, age + 4));
        if (!status && age < bench->age)
            status = age_set_begin(states_of(bench, age), bench->layout, age + 6, bench->workers);
    }
    for (uint32_t age = bench->age; age <= bench->age + 4 && !status; age += 2)
        status = age_set_rank(states_of(bench, age), bench->workers);
    return status ? status : age_set_rank(&bench->afterstates, bench->workers);
}

static enum status fill(struct solve_bench *bench, unsigned rows, unsigned cols)
{
    enum status status = grid_create(&bench->grid, rows, cols);
    if (!status)
        status = workers_create(&bench->workers, 1);
    if (!status)
        status = layout_create(&bench->layout, &bench->grid, bench->age + 4, 0, (struct walls){0});
    if (!status)
        status = count_ages(bench);
    if (!status)
        status = set_code_write(bench->workers, &bench->afterstates, &bench->code);
    if (!status)
        status = set_code_open(&bench->set, bench->code.data, bench->code.bytes);
    if (!status)
        status = piece_code_remember(&bench->set); /* as a table does */
    if (status)
        return status;
    bench->after_values = memory_allocate(bench->afterstates.count, sizeof(double));
    bench->cells = memory_allocate(bench->afterstates.count, sizeof *bench->cells);
    bench->values = memory_allocate(states_of(bench, bench->age)->count, sizeof(double));
    for (unsigned i = 0; i < 2; i++)
        bench->next_values[i] = memory_allocate(states_of(bench, bench->age + 2 + 2 * i)->count, sizeof(double));
    if (!bench->after_values || !bench->cells || !bench->values || !bench->next_values[0] || !bench->next_values[1])
        return STATUS_NO_MEMORY;
    for (size_t i = 0; i < bench->afterstates.n_spans; i++) {
        struct age_walk walk;
        age_walk_begin(&walk, &bench->afterstates, &bench->afterstates.spans[i]);
        while (age_walk_next(&walk))
            bench->cells[walk.position] = walk.cells;
    }
    return STATUS_OK;
}

enum status bench_solve_create(struct solve_bench **out, unsigned rows, unsigned cols, uint32_t age)
{
    *out = NULL;
    struct solve_bench *bench = memory_allocate(1, sizeof *bench);
    if (!bench)
        return STATUS_NO_MEMORY;
    bench->age = age;
    bench->rng = random_stream(1, 0);
    enum status status = fill(bench, rows, cols);
    if (status) {
        bench_solve_free(bench);
        return status;
    }
    list_jobs(bench);
    *out = bench;
    return STATUS_OK;
}

void bench_solve_free(struct solve_bench *bench)
{
    if (!bench)
        return;
    for (unsigned i = 0; i < 3; i++)
        age_set_free(&bench->states[i]);
    age_set_free(&bench->afterstates);
    age_set_free(&bench->again);
    for (unsigned i = 0; i < 2; i++) {
        age_set_free(&bench->next[i]);
        free(bench->next_values[i]);
    }
    free(bench->after_values);
    free(bench->values);
    free(bench->cells);
    piece_code_forget(&bench->set);
    code_bytes_free(&bench->code);
    layout_free(bench->layout);
    workers_free(bench->workers);
    grid_free(&bench->grid);
    free(bench);
}

const struct bench_job *bench_solve_jobs(const struct solve_bench *bench, size_t *n_jobs)
{
    *n_jobs = N_JOBS;
    return bench->jobs;
}
