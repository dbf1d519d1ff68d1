/* Neural models: counts, values beside the plain reference, ways of play, threads, files. */
#include "scratch.h"

#include "base/workers.h"
#include "neural/bf16.h"
#include "neural/compute.h"
#include "neural/neural_file.h"
#include "neural/neural_value.h"
#include "neural/products.h"

#include <math.h>

static struct neural *make(const char *model, unsigned rows, unsigned cols, unsigned planes, enum neural_play play)
{
    struct neural_spec spec = {
        .rows = (uint8_t)rows, .cols = (uint8_t)cols, .planes = (uint8_t)planes, .play = play, .scale = 1};
    struct neural *neural;
    snprintf(spec.model, sizeof spec.model, "%s", model);
    assert_ok(neural_create(&neural, &spec));
    neural_initialise(neural, NEURAL_FIXED, 0.1, 7);
    return neural;
}

/* Boards with few different tiles, some twice, so that windows repeat. */
static void draw_boards(const struct grid *grid, struct board *boards, size_t n)
{
    struct rng rng = random_stream(1, 2);
    for (size_t i = 0; i < n; i++) {
        boards[i] = (struct board){0};
        for (unsigned cell = 0; cell < grid->n_cells; cell++)
            boards[i] = board_set(boards[i], cell, (unsigned)random_below(&rng, i % 3 == 0 ? 18 : 4));
        if (i % 5 == 4)
            boards[i] = boards[i - 2];
    }
}

static void test_counts(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        uint64_t n_weights;
    } table[] = {
        {"CNN22", 2902273},  {"CNN12", 3680513},  {"CNN22ACG", 3363809}, {"MLP", 3280897},
        {"CNN22S", 1636033}, {"CNN22SS", 730241}, {"CNN22SSS", 184897},
    };
    for (unsigned i = 0; i < sizeof table / sizeof *table; i++) {
        struct neural *neural = make(table[i].name, 4, 4, 16, NEURAL_PLAY_SIMPLE);
        uint64_t n_listed = 0;
        assert_string_equal(neural_model_name(i), table[i].name);
        assert_int_equal(neural->n_weights, table[i].n_weights);
        for (unsigned a = 0; a < neural->n_arrays; a++)
            n_listed += neural->arrays[a].n;
        assert_int_equal(n_listed, table[i].n_weights);
        neural_free(neural);
    }
    assert_null(neural_model_name(7));
}

static void test_arrays(void **state)
{
    (void)state;
    struct neural *neural = make("CNN22", 4, 4, 16, NEURAL_PLAY_SIMPLE);
    assert_string_equal(neural->arrays[0].name, "conv1.weight");
    const size_t shape[] = {2, 2, 16, 256};
    assert_memory_equal(neural->arrays[0].shape, shape, sizeof shape);
    assert_string_equal(neural->arrays[9].name, "fc3.bias");
    assert_string_equal(neural->arrays[4].name, "fc1.weight");
    assert_int_equal(neural->arrays[4].shape[0], 2048);
    double sum = 0, squares = 0;
    for (size_t i = 0; i < neural->arrays[4].n; i++) {
        double weight = (double)neural->arrays[4].data[i];
        assert_true(fabs(weight) <= 0.2 + 1e-7);
        sum += weight;
        squares += weight * weight;
    }
    /* A normal number cut at two deviations has 0.7737 of the variance. */
    assert_true(fabs(sum / 2097152) < 5e-4);
    assert_true(fabs(squares / 2097152 / 0.01 - 0.7737) < 3e-3);
    neural_free(neural);
    neural = make("CNN12", 4, 4, 16, NEURAL_PLAY_SIMPLE);
    assert_string_equal(neural->arrays[2].name, "conv2.0.weight");
    assert_string_equal(neural->arrays[5].name, "conv2.1.bias");
    neural_free(neural);
}

static void test_refused(void **state)
{
    (void)state;
    static const struct {
        unsigned rows, cols, planes;
        const char *model, *message;
    } wrong[] = {
        {2, 4, 16, "CNN22", "too small"},
        {2, 2, 16, "CNN12", "too small"},
        {4, 4, 17, "CNN22", "expected 16 or 18"},
        {4, 4, 16, "CNN23", "is no model"},
        {4, 4, 16, "", "is no model"},
        {4, 4, 16, "fc", "is no model"},
        {4, 4, 16, "2x2 0", "is no model"},
        {4, 4, 16, "fc 4 2x2 4", "is no model"},
        {4, 4, 16, "fc 3x", "is no model"},
        {4, 4, 16, "dual 4 2x2 4 fc 2", "is no model"},
        {4, 4, 16, "fc 9000", "is no model"},
        {4, 4, 16, "fc 1 1 1 1 1 1 1 1 1 1", "is no model"},
    };
    for (unsigned i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        struct neural_spec spec = {.rows = (uint8_t)wrong[i].rows,
                                   .cols = (uint8_t)wrong[i].cols,
                                   .planes = (uint8_t)wrong[i].planes,
                                   .scale = 1};
        struct neural *neural;
        snprintf(spec.model, sizeof spec.model, "%s", wrong[i].model);
        assert_int_equal(neural_create(&neural, &spec), STATUS_INVALID);
        assert_message(wrong[i].message);
    }
}

/* Every kind of layer, many sizes of board and of batch, against the definition. */
static void test_forward(void **state)
{
    (void)state;
    static const struct {
        const char *model;
        unsigned rows, cols, planes;
    } cases[] = {
        {"2x2 7 12 fc 20 5", 4, 4, 16}, {"2x2 16 8 fc 9", 3, 3, 18},  {"2x2 5", 2, 5, 16},
        {"dual 6 7 8 fc 10", 4, 4, 16}, {"dual 6 7 fc 10", 3, 4, 16}, {"fc 24 8 4", 2, 2, 18},
        {"CNN22SSS", 4, 4, 16},
    };
    for (unsigned c = 0; c < sizeof cases / sizeof *cases; c++) {
        struct neural *neural = make(cases[c].model, cases[c].rows, cases[c].cols, cases[c].planes, 0);
        struct neural_workspace *workspace;
        struct board boards[60];
        neural_real out[60], plain;
        draw_boards(&neural->grid, boards, 60);
        assert_ok(neural_workspace_create(&workspace, neural, NULL, 60, false));
        for (size_t n = 60; n > 0; n = n * 2 / 5) {
            neural_forward(workspace, boards, n, out);
            for (size_t i = 0; i < n; i++) {
                assert_ok(neural_output_plain(neural, boards[i], &plain));
                assert_true(fabs((double)(out[i] - plain)) <= 1e-5 * (1 + fabs((double)plain)));
            }
        }
        assert_true(neural_workspace_work(workspace).operations > 0);
        neural_workspace_free(workspace);
        neural_free(neural);
    }
}

/* A tile beyond the planes shares the last one. */
static void test_fan_in(void **state)
{
    (void)state;
    struct neural_spec spec = {.rows = 4, .cols = 4, .planes = 16, .scale = 1, .model = "CNN22"};
    struct neural *neural;
    assert_ok(neural_create(&neural, &spec));
    neural_initialise(neural, NEURAL_FAN_IN, 0, 3);
    /* Inputs of a unit: 4 cells; 4 x 256; 4 x 512; 1024; and 256 of the output, which has no ReLU. */
    const double expected[] = {2.0 / 4, 2.0 / 1024, 2.0 / 2048, 2.0 / 1024, 1.0 / 256};
    for (unsigned a = 0; a < neural->n_arrays; a++) {
        const struct neural_array *array = &neural->arrays[a];
        double squares = 0;
        for (size_t i = 0; i < array->n; i++)
            squares += pow((double)array->data[i], 2) / (double)array->n;
        if (array->n_dims == 1)
            assert_true(squares == 0);
        else
            assert_true(fabs(squares / expected[a / 2] - 1) < 4 / sqrt((double)array->n));
    }
    neural_free(neural);
}

static void test_planes(void **state)
{
    (void)state;
    struct board f = board_set((struct board){0}, 3, 15), h = board_set((struct board){0}, 3, 17);
    for (unsigned planes = 16; planes <= 18; planes += 2) {
        struct neural *neural = make("fc 8", 4, 4, planes, NEURAL_PLAY_SIMPLE);
        neural_real a, b;
        assert_ok(neural_output_plain(neural, f, &a));
        assert_ok(neural_output_plain(neural, h, &b));
        assert_int_equal(a == b, planes == 16);
        neural_free(neural);
    }
}

static void test_play_ways(void **state)
{
    (void)state;
    enum { N = 300 };
    for (unsigned play = 0; play < NEURAL_PLAYS; play++) {
        struct neural *neural = make("2x2 8 8 fc 8", 3, 4, 16, (enum neural_play)play);
        struct neural_evaluator *evaluator;
        struct board boards[N];
        float values[N];
        neural->spec.scale = 100;
        draw_boards(&neural->grid, boards, N);
        assert_ok(neural_evaluator_create(&evaluator, neural, 1));
        struct value_function function = neural_value_function(evaluator);
        assert_int_equal(function.symmetric, play != NEURAL_PLAY_SIMPLE);
        value_of_batch(&function, boards, N, values);
        for (unsigned i = 0; i < N; i++) {
            double sum = 0, max = -INFINITY, min = INFINITY, first = 0, corner = 0;
            struct board largest = {0};
            for (unsigned s = 0; s < neural->grid.n_symmetries; s++) {
                struct board image = grid_image(&neural->grid, boards[i], s);
                neural_real out;
                assert_ok(neural_output_plain(neural, image, &out));
                double value = 100 * (double)out;
                corner = s == 0 || board_less(largest, image) ? value : corner;
                largest = s == 0 || board_less(largest, image) ? image : largest;
                first = s == 0 ? value : first;
                sum += value;
                max = fmax(max, value);
                min = fmin(min, value);
            }
            const double expected[] = {first, sum / neural->grid.n_symmetries, max, min, corner};
            assert_true(fabs((double)values[i] - expected[play]) < 1e-3);
        }
        assert_true(fabs((double)(value_of(&function, boards[9]) - values[9])) < 1e-3);
        neural_evaluator_free(evaluator);
        neural_free(neural);
    }
}

struct crowd {
    struct value_function function;
    const struct board *boards;
    float expected[4][64];
};

static enum status evaluate_again(void *context, unsigned worker)
{
    const struct crowd *crowd = context;
    float values[64];
    for (unsigned i = 0; i < 50; i++) {
        value_of_batch(&crowd->function, crowd->boards + 64 * worker, 64, values);
        if (memcmp(values, crowd->expected[worker], sizeof values) != 0)
            return status_fail(STATUS_CORRUPT, "worker %u, batch %u: other values than alone", worker, i);
    }
    return STATUS_OK;
}

enum { SIDE = 64, CROWD = 8, PRODUCTS = 3000 };

/* Ones times the worker's number: every sum is known. */
static enum status multiply_again(void *context, unsigned worker)
{
    (void)context;
    neural_real *a = malloc(SIDE * SIDE * sizeof *a), *b = malloc(SIDE * SIDE * sizeof *b),
                *c = malloc(SIDE * SIDE * sizeof *c);
    enum status status = a && b && c ? STATUS_OK : STATUS_NO_MEMORY;
    for (unsigned i = 0; i < SIDE * SIDE && !status; i++) {
        a[i] = (neural_real)(worker + 1);
        b[i] = 1;
    }
    for (unsigned i = 0; i < PRODUCTS && !status; i++) {
        products_gemm(false, false, SIDE, SIDE, SIDE, a, SIDE, b, SIDE, 0, c, SIDE);
        for (unsigned k = i % 7; k < SIDE * SIDE && !status; k += 997)
            if (c[k] != (neural_real)((worker + 1) * SIDE))
                status = status_fail(STATUS_CORRUPT, "worker %u, product %u: %g", worker, i, (double)c[k]);
    }
    free(a), free(b), free(c);
    return status;
}

/* A library that is not made for threads mixes their numbers up (Debian's serial OpenBLAS does). */
static void test_products_side_by_side(void **state)
{
    (void)state;
    struct workers *workers;
    assert_ok(products_load());
    assert_ok(workers_create(&workers, CROWD));
    assert_ok(workers_run(workers, multiply_again, NULL));
    workers_free(workers);
}

static void test_threads(void **state)
{
    (void)state;
    struct neural *neural = make("2x2 32 48 fc 64", 4, 4, 16, NEURAL_PLAY_SIMPLE);
    struct neural_evaluator *evaluator;
    struct workers *workers;
    struct board boards[256];
    draw_boards(&neural->grid, boards, 256);
    assert_ok(neural_evaluator_create(&evaluator, neural, 3)); /* one has to wait */
    assert_ok(workers_create(&workers, 4));
    struct crowd crowd = {.function = neural_value_function(evaluator), .boards = boards};
    for (unsigned i = 0; i < 4; i++)
        value_of_batch(&crowd.function, boards + 64 * i, 64, crowd.expected[i]);
    assert_ok(workers_run(workers, evaluate_again, &crowd));
    workers_free(workers);
    neural_evaluator_free(evaluator);
    neural_free(neural);
}

static void test_file(void **state)
{
    (void)state;
    struct neural *neural = make("2x2 4 6 fc 5", 3, 3, 18, NEURAL_PLAY_AVE), *loaded;
    neural->spec.scale = 0.5;
    struct network_history history = {.program = "test", .actions = 12, .seed = 3}, read;
    assert_ok(neural_save(neural, scratch_path("net"), &history));
    assert_true(neural_file_is(scratch_path("net")));
    assert_ok(neural_load(&loaded, scratch_path("net"), &read));
    assert_int_equal(read.actions, 12);
    assert_string_equal(read.program, "test");
    network_history_free(&read);
    assert_memory_equal(&loaded->spec, &neural->spec, sizeof neural->spec);
    assert_memory_equal(loaded->parameters, neural->parameters, neural->n_parameters * sizeof *neural->parameters);
    neural_free(loaded);

    /* Every byte changed, and every length cut, is found. */
    size_t n;
    char *bytes = scratch_read("net", &n);
    for (size_t i = 0; i < n; i++) {
        bytes[i] ^= 0x10;
        assert_int_not_equal(neural_load_memory(&loaded, bytes, n, "changed", NULL), STATUS_OK);
        assert_null(loaded);
        bytes[i] ^= 0x10;
        assert_int_not_equal(neural_load_memory(&loaded, bytes, i, "cut", &read), STATUS_OK);
    }
    assert_ok(neural_load_memory(&loaded, bytes, n, "whole", NULL));
    free(bytes);
    neural_free(loaded);
    assert_int_equal(neural_load(&loaded, scratch_path("none"), NULL), STATUS_IO);
    assert_false(neural_file_is(scratch_path("none")));
    neural_free(neural);
}

/* 16-bit storage: what is loaded is each weight rounded, half the bytes, and storing it again changes nothing. */
static void test_halves(void **state)
{
    (void)state;
    struct neural *neural = make("2x2 24 32 fc 16", 4, 4, 16, NEURAL_PLAY_CORNER), *loaded;
    size_t whole, half, again;
    assert_ok(neural_save(neural, scratch_path("whole"), NULL));
    assert_ok(neural_save_as(neural, scratch_path("half"), NULL, NEURAL_HALVES));
    assert_ok(neural_load(&loaded, scratch_path("half"), NULL));
    assert_memory_equal(&loaded->spec, &neural->spec, sizeof neural->spec);
    unsigned n_changed = 0;
    for (size_t i = 0; i < neural->n_parameters; i++) {
        assert_true(loaded->parameters[i] == bf16_widen(bf16_round(neural->parameters[i])));
        assert_true(fabsf(loaded->parameters[i] - neural->parameters[i]) <= fabsf(neural->parameters[i]) / 256);
        n_changed += loaded->parameters[i] != neural->parameters[i];
    }
    assert_true(n_changed > neural->n_weights / 2);
    assert_ok(neural_save_as(loaded, scratch_path("again"), NULL, NEURAL_HALVES));
    free(scratch_read("whole", &whole));
    char *first = scratch_read("half", &half), *second = scratch_read("again", &again);
    assert_true((double)half < 0.6 * (double)whole);
    assert_int_equal(half, again);
    assert_memory_equal(first, second, half);
    neural_free(loaded);

    /* A byte that changed, and a file that was cut, are found. */
    for (size_t i = 0; i < half; i += 7) {
        first[i] ^= 0x10;
        assert_int_not_equal(neural_load_memory(&loaded, first, half, "changed", NULL), STATUS_OK);
        first[i] ^= 0x10;
        assert_int_not_equal(neural_load_memory(&loaded, first, i, "cut", NULL), STATUS_OK);
    }
    neural->arrays[0].data[0] = 3.4e38f; /* a float, but beyond the largest of 16 bits */
    assert_int_equal(neural_save_as(neural, scratch_path("large"), NULL, NEURAL_HALVES), STATUS_INVALID);
    assert_message("too large for 16 bits");
    free(first);
    free(second);
    neural_free(neural);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_counts),    cmocka_unit_test(test_arrays),  cmocka_unit_test(test_refused),
        cmocka_unit_test(test_forward),   cmocka_unit_test(test_fan_in),  cmocka_unit_test(test_planes),
        cmocka_unit_test(test_play_ways), cmocka_unit_test(test_threads), cmocka_unit_test(test_products_side_by_side),
        cmocka_unit_test(test_file),      cmocka_unit_test(test_halves),
    };
    return cmocka_run_group_tests_name("neural_model", tests, scratch_setup, scratch_teardown);
}
