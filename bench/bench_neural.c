/*
 * The jobs of neural networks. The limit of learning and of generating is the machine's fastest product of matrices:
 * as many additions and multiplications as the job's products took, done by the same library on the same number of
 * threads as large square products, and nothing else. The job `products` is learning too, but by the clock that runs
 * in its products only: its ratio is the share of the peak that they reach. Operations are those really done; what is
 * saved because windows are equal (neural/compute.h) is in the speed, not in the share. The library's products are of
 * floats; a ratio above 1 is what 16-bit products (neural/bf16.h) gain, where the processor has them.
 *
 * One move's limit is reading the weights once: for a few afterstates there is hardly more to do.
 */
#include "bench.h"

#include "base/memory.h"
#include "game/game.h"
#include "learn/neural_trainer.h"
#include "learn/start_recipe.h"
#include "neural/neural_value.h"
#include "neural/products.h"

#include <stdio.h>
#include <stdlib.h>

enum {
    BATCH = 1024,
    GAMES = 256,
    WARM_UP_BATCHES = 20, /* so that the games are of all ages */
    SQUARE = 1024,
    MAX_THREADS = 2,
    N_JOBS = 6,
    N_POSITIONS = 4096,
};

/* Trainers of one number of threads: one that learns, one whose batch is never full. */
struct neural_threads {
    unsigned threads;
    struct neural *neural;
    struct workers *workers;
    struct neural_trainer *learner, *generator;
    float *squares[MAX_THREADS]; /* three matrices each */
    double per_item;             /* operations of the products, in the last run of a trainer */
};

struct neural_bench {
    char names[N_JOBS][48];
    struct neural_threads threads[MAX_THREADS];
    struct neural_scratch scratch;
    struct board *positions; /* one move after another */
    uint64_t next;
    struct bench_job jobs[N_JOBS];
};

/* ---- the jobs --------------------------------------------------------------------------------------------------- */

static uint64_t run_trainer(struct neural_threads *threads, struct neural_trainer *trainer, uint64_t n)
{
    struct trainer_totals before = neural_trainer_totals(trainer);
    double operations = neural_trainer_effort(trainer).work.operations;
    n = (n + BATCH - 1) / BATCH * BATCH; /* whole batches: rounds and steps in their true proportion */
    if (neural_trainer_run(trainer, threads->workers, before.actions + n, NULL, NULL))
        return 1;
    uint64_t done = neural_trainer_totals(trainer).actions - before.actions;
    threads->per_item = (neural_trainer_effort(trainer).work.operations - operations) / (double)done;
    return done;
}

static uint64_t run_learn(void *context, uint64_t n, uint64_t *sink)
{
    struct neural_threads *threads = context;
    *sink += n;
    return run_trainer(threads, threads->learner, n);
}

static uint64_t run_generate(void *context, uint64_t n, uint64_t *sink)
{
    struct neural_threads *threads = context;
    *sink += n;
    return run_trainer(threads, threads->generator, n);
}

/* Items are operations. */
static uint64_t run_products(void *context, uint64_t n, uint64_t *sink)
{
    struct neural_threads *threads = context;
    double per_item = threads->per_item > 0 ? threads->per_item : 4e7;
    *sink += n;
    return (uint64_t)((double)run_trainer(threads, threads->learner, (uint64_t)((double)n / per_item)) *
                      threads->per_item);
}

static double products_clock(void *context)
{
    const struct neural_threads *threads = context;
    return neural_trainer_effort(threads->learner).work.seconds / threads->threads;
}

struct squares {
    struct neural_threads *threads;
    uint64_t n;
};

static enum status multiply_squares(void *context, unsigned worker)
{
    const struct squares *squares = context;
    float *a = squares->threads->squares[worker], *b = a + SQUARE * SQUARE, *c = b + SQUARE * SQUARE;
    for (uint64_t i = worker; i < squares->n; i += squares->threads->threads)
        products_gemm(false, false, SQUARE, SQUARE, SQUARE, a, SQUARE, b, SQUARE, 0, c, SQUARE);
    return STATUS_OK;
}

/* At least `operations` of them as square products; how many it were. */
static double run_squares(struct neural_threads *threads, double operations)
{
    const double each = 2.0 * SQUARE * SQUARE * SQUARE;
    uint64_t rounds = (uint64_t)(operations / each / threads->threads) + 1;
    struct squares squares = {threads, rounds * threads->threads};
    workers_run(threads->workers, multiply_squares, &squares);
    return (double)squares.n * each;
}

static uint64_t run_peak(void *context, uint64_t n, uint64_t *sink)
{
    struct neural_threads *threads = context;
    *sink += n;
    return (uint64_t)(run_squares(threads, (double)n * threads->per_item) / threads->per_item);
}

static uint64_t run_peak_operations(void *context, uint64_t n, uint64_t *sink)
{
    *sink += n;
    return (uint64_t)run_squares(context, (double)n);
}

static uint64_t run_one_move(void *context, uint64_t n, uint64_t *sink)
{
    struct neural_bench *bench = context;
    for (uint64_t i = 0; i < n; i++) {
        struct moves moves = grid_moves(&bench->scratch.neural->grid, bench->positions[bench->next++ % N_POSITIONS]);
        struct board after[DIRECTION_COUNT];
        float values[DIRECTION_COUNT];
        size_t n_after = 0;
        for (unsigned d = 0; d < DIRECTION_COUNT; d++)
            if (moves.legal >> d & 1)
                after[n_after++] = moves.after[d];
        neural_scratch_values(&bench->scratch, after, n_after, values);
        for (size_t k = 0; k < n_after; k++)
            *sink += values[k] > 0;
    }
    return n;
}

static uint64_t run_read_weights(void *context, uint64_t n, uint64_t *sink)
{
    const struct neural_bench *bench = context;
    const struct neural *neural = bench->scratch.neural;
    const uint32_t *bits = neural->block.data;
    for (uint64_t i = 0; i < n; i++) {
        uint32_t sum = 0;
        for (size_t k = 0; k < neural->n_parameters; k++)
            sum ^= bits[k];
        *sink += sum + i;
    }
    return n;
}

/* ---- creating --------------------------------------------------------------------------------------------------- */

static struct neural_spec spec_of(const char *model)
{
    struct neural_spec spec = {.rows = 4, .cols = 4, .planes = 16, .scale = 1};
    snprintf(spec.model, sizeof spec.model, "%s", model);
    return spec;
}

enum status bench_neural_check(const char *model)
{
    struct neural_spec spec = spec_of(model);
    uint64_t n_weights;
    return neural_measure(&spec, &n_weights);
}

/* An untrained network's games are short: so that boards of all ages are met, most begin with large tiles. */
static enum status add_starts(struct start_settings *start)
{
    static const char *const tiles[] = {"initial initial", "256 64",    "1024 512",       "2048 128",
                                        "4096 2048 512",   "8192 1024", "8192 4096 2048", "16384 4096"};
    struct grid grid;
    enum status status = grid_create(&grid, 4, 4);
    for (size_t i = 0; i < sizeof tiles / sizeof *tiles && !status; i++)
        status = start_add_jump(start, &grid, tiles[i]);
    grid_free(&grid);
    return status;
}

static enum status create_threads(struct neural_threads *threads, const char *model, unsigned n)
{
    struct neural_spec spec = spec_of(model);
    struct neural_settings settings = {.start = {.jump = 1},
                                       .optimiser = {.beta1 = 0.9, .beta2 = 0.999, .epsilon = 1e-7},
                                       .rate = schedule_constant(0.001f),
                                       .batching = BATCH_FIXED,
                                       .batch = BATCH,
                                       .games = GAMES,
                                       .precision = PRECISION_BF16,
                                       .seed = 1,
                                       .threads = n};
    threads->threads = n;
    enum status status = add_starts(&settings.start);
    if (!status)
        status = neural_create(&threads->neural, &spec);
    if (!status) {
        neural_initialise(threads->neural, NEURAL_FIXED, 0.1, 1);
        status = workers_create(&threads->workers, n);
    }
    if (!status)
        status = neural_trainer_create(&threads->learner, threads->neural, &settings);
    if (!status)
        neural_trainer_time(threads->learner);
    settings.batch = NEURAL_MAX_BATCH;
    if (!status)
        status = neural_trainer_create(&threads->generator, threads->neural, &settings);
    for (unsigned i = 0; i < n && !status; i++) {
        threads->squares[i] = memory_allocate(3 * SQUARE * SQUARE, sizeof(float));
        for (size_t k = 0; threads->squares[i] && k < 2 * SQUARE * SQUARE; k++)
            threads->squares[i][k] = (float)(k % 7) * 0.1f;
        status = threads->squares[i] ? STATUS_OK : STATUS_NO_MEMORY;
    }
    if (!status)
        status = neural_trainer_run(threads->learner, threads->workers, WARM_UP_BATCHES * BATCH, NULL, NULL);
    if (!status)
        status = neural_trainer_run(threads->generator, threads->workers, WARM_UP_BATCHES * BATCH, NULL, NULL);
    return status;
}

/* Positions of random games. */
static void collect_positions(struct neural_bench *bench)
{
    const struct grid *grid = &bench->scratch.neural->grid;
    uint64_t n_games = 0;
    struct game game = game_begin(grid, 1, n_games);
    for (size_t i = 0; i < N_POSITIONS; i++) {
        struct moves moves = grid_moves(grid, game.board);
        while (!moves.legal) {
            game = game_begin(grid, 1, ++n_games);
            moves = grid_moves(grid, game.board);
        }
        bench->positions[i] = game.board;
        unsigned d = (unsigned)random_below(&game.rng, DIRECTION_COUNT);
        while (!(moves.legal >> d & 1))
            d = (d + 1) % DIRECTION_COUNT;
        game_continue(&game, moves.after[d], moves.reward[d]);
    }
}

static void list_jobs(struct neural_bench *bench, const char *model)
{
    static const char square[] = "square products of 1024 on as many threads, with as many operations";
    unsigned n = 0;
    for (unsigned i = 0; i < MAX_THREADS; i++) {
        struct neural_threads *threads = &bench->threads[i];
        snprintf(bench->names[n], sizeof *bench->names, "%s learn x%u", model, i + 1);
        bench->jobs[n] = (struct bench_job){bench->names[n], "moves", square, run_learn, run_peak, threads, NULL};
        n++;
    }
    struct neural_threads *all = &bench->threads[MAX_THREADS - 1];
    snprintf(bench->names[n], sizeof *bench->names, "%s generate x%u", model, MAX_THREADS);
    bench->jobs[n] = (struct bench_job){bench->names[n], "moves", square, run_generate, run_peak, all, NULL};
    n++;
    for (unsigned i = 0; i < MAX_THREADS; i++) {
        struct neural_threads *threads = &bench->threads[i];
        snprintf(bench->names[n], sizeof *bench->names, "%s products x%u", model, i + 1);
        bench->jobs[n] = (struct bench_job){bench->names[n],     "operations", square,        run_products,
                                            run_peak_operations, threads,      products_clock};
        n++;
    }
    snprintf(bench->names[n], sizeof *bench->names, "%s one move", model);
    bench->jobs[n] = (struct bench_job){
        bench->names[n], "moves", "every weight read once", run_one_move, run_read_weights, bench, NULL};
}

enum status bench_neural_create(struct neural_bench **out, const char *model)
{
    *out = NULL;
    struct neural_bench *bench = memory_allocate(1, sizeof *bench);
    if (!bench)
        return STATUS_NO_MEMORY;
    enum status status = STATUS_OK;
    for (unsigned i = 0; i < MAX_THREADS && !status; i++)
        status = create_threads(&bench->threads[i], model, i + 1);
    bench->positions = memory_allocate(N_POSITIONS, sizeof *bench->positions);
    if (!bench->positions)
        status = STATUS_NO_MEMORY;
    if (!status)
        status = neural_scratch_create(&bench->scratch, bench->threads[0].neural, NULL, 8, false);
    if (status) {
        bench_neural_free(bench);
        return status;
    }
    collect_positions(bench);
    list_jobs(bench, model);
    *out = bench;
    return STATUS_OK;
}

void bench_neural_free(struct neural_bench *bench)
{
    if (!bench)
        return;
    neural_scratch_free(&bench->scratch);
    for (unsigned i = 0; i < MAX_THREADS; i++) {
        struct neural_threads *threads = &bench->threads[i];
        neural_trainer_free(threads->learner);
        neural_trainer_free(threads->generator);
        workers_free(threads->workers);
        neural_free(threads->neural);
        for (unsigned k = 0; k < MAX_THREADS; k++)
            free(threads->squares[k]);
    }
    free(bench->positions);
    free(bench);
}

const struct bench_job *bench_neural_jobs(const struct neural_bench *bench, size_t *n_jobs)
{
    *n_jobs = N_JOBS;
    return bench->jobs;
}
