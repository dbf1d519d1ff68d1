/* The folder's own code in double (NEURAL_DOUBLE), against central finite differences. */
#include "scratch.h"

#include "neural/compute.h"
#include "neural/optimiser.h"

#include <math.h>

enum { BOARDS = 24 };

struct case_of {
    const char *model;
    unsigned rows, cols, planes;
    unsigned per_array; /* weights looked at in each array; 0: all */
    unsigned n_boards;
};

static void draw_boards(const struct grid *grid, struct board *boards, unsigned n)
{
    struct rng rng = random_stream(3, 4);
    for (unsigned i = 0; i < n; i++) {
        boards[i] = (struct board){0};
        for (unsigned cell = 0; cell < grid->n_cells; cell++)
            boards[i] = board_set(boards[i], cell, (unsigned)random_below(&rng, i % 2 ? 3 : 18));
        if (i % 4 == 3)
            boards[i] = boards[i - 1]; /* errors of equal boards add up */
    }
}

static double loss_of(struct neural_workspace *workspace, const struct board *boards, unsigned n, const double *error)
{
    double out[BOARDS], sum = 0;
    neural_forward(workspace, boards, n, out);
    for (unsigned i = 0; i < n; i++)
        sum += error[i] * out[i];
    return sum;
}

static void check(const struct case_of *c)
{
    struct neural_spec spec = {
        .rows = (uint8_t)c->rows, .cols = (uint8_t)c->cols, .planes = (uint8_t)c->planes, .scale = 1};
    struct neural *neural;
    struct neural_workspace *workspace;
    struct board boards[BOARDS];
    double error[BOARDS];
    struct rng rng = random_stream(8, 9);
    snprintf(spec.model, sizeof spec.model, "%s", c->model);
    assert_ok(neural_create(&neural, &spec));
    neural_initialise(neural, NEURAL_FIXED, 0.1, 5);
    for (unsigned a = 1; a < neural->n_arrays; a += 2) /* biases that keep the few units of small models alive */
        for (size_t i = 0; i < neural->arrays[a].n; i++)
            neural->arrays[a].data[i] += 0.3;
    assert_ok(neural_workspace_create(&workspace, neural, NULL, c->n_boards, true));
    draw_boards(&neural->grid, boards, c->n_boards);
    for (unsigned i = 0; i < c->n_boards; i++)
        error[i] = random_unit(&rng) - 0.5;
    double *gradient = calloc(neural->n_parameters, sizeof *gradient);
    assert_non_null(gradient);
    loss_of(workspace, boards, c->n_boards, error);
    neural_backward(workspace, error, gradient);
    unsigned n_nonzero = 0, n_checked = 0;
    for (unsigned a = 0; a < neural->n_arrays; a++) {
        const struct neural_array *array = &neural->arrays[a];
        const double *analytic = gradient + (array->data - neural->parameters);
        size_t n = c->per_array ? c->per_array : array->n;
        for (size_t k = 0; k < n; k++) {
            size_t i = c->per_array ? random_below(&rng, array->n) : k;
            double was = array->data[i], step = 1e-6;
            array->data[i] = was + step;
            double above = loss_of(workspace, boards, c->n_boards, error);
            array->data[i] = was - step;
            double below = loss_of(workspace, boards, c->n_boards, error);
            array->data[i] = was;
            double numeric = (above - below) / (2 * step);
            double wrong = fabs(numeric - analytic[i]), size = fmax(fabs(numeric), fabs(analytic[i]));
            if (wrong > 1e-3 * size && wrong > 1e-7)
                fail_msg("%s: %s[%zu]: %g by differences, %g by the backward pass", c->model, array->name, i, numeric,
                         analytic[i]);
            n_nonzero += size > 1e-6;
            n_checked++;
        }
    }
    assert_true(n_nonzero * 5 > n_checked);
    free(gradient);
    neural_workspace_free(workspace);
    neural_free(neural);
}

static void test_small_models(void **state)
{
    (void)state;
    static const struct case_of cases[] = {
        {"2x2 3 4 fc 5 3", 4, 4, 16, 0, 24}, {"2x2 2 3 fc 4", 3, 3, 18, 0, 24}, {"dual 2 3 2 fc 4", 4, 4, 16, 0, 24},
        {"dual 3 2 fc 4", 3, 4, 16, 0, 24},  {"fc 5 4 3", 2, 2, 16, 0, 24},
    };
    for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++)
        check(&cases[i]);
}

static void test_paper_models(void **state)
{
    (void)state;
    for (unsigned i = 0; neural_model_name(i); i++)
        check(&(struct case_of){neural_model_name(i), 4, 4, 16, 2, 4});
}

/* Three steps of each rule on one weight, by the formulas written out, with and without a clipped gradient. */
static void check_rule(enum optimiser_rule rule, double clip)
{
    struct optimiser_settings settings = {rule, 0.9, 0.999, 1e-7, 0.05, clip};
    double weights[3] = {1, 2, 3}, m[3] = {0}, v[3] = {0}, first[3], second[3];
    double *gradients[] = {first, second};
    double w = 2, mean = 0, square = 0, rate = 0.001;
    for (unsigned t = 1; t <= 3; t++) {
        double g = 0.3 * t - 0.5;
        first[1] = g - 0.1;
        second[1] = 0.1;
        first[0] = second[0] = first[2] = second[2] = 7;
        double norm = sqrt(optimiser_add(gradients, 2, 1, 1));
        assert_true(fabs(norm - fabs(g)) < 1e-12 && second[1] == 0);
        struct optimiser_step step = optimiser_step_at(&settings, rate, t, norm);
        optimiser_apply(&step, weights, m, v, first, 1, 1);
        if (clip > 0 && fabs(g) > clip)
            g = g > 0 ? clip : -clip;
        if (rule == OPTIMISER_SGD) {
            mean = 0.9 * mean + g;
            w -= rate * mean;
        } else {
            mean = 0.9 * mean + 0.1 * g;
            square = 0.999 * square + 0.001 * g * g;
            double shrunk = rule == OPTIMISER_ADAMW ? w - rate * 0.05 * w : w;
            w = shrunk - rate * sqrt(1 - pow(0.999, t)) / (1 - pow(0.9, t)) * mean / (sqrt(square) + 1e-7);
        }
        assert_true(fabs(weights[1] - w) < 1e-12);
        assert_true(first[1] == 0 && first[0] == 7 && second[2] == 7);
    }
    assert_true(weights[0] == 1 && weights[2] == 3);
}

static void test_rules(void **state)
{
    (void)state;
    for (enum optimiser_rule rule = OPTIMISER_ADAM; rule <= OPTIMISER_SGD; rule++)
        for (unsigned clipped = 0; clipped < 2; clipped++)
            check_rule(rule, clipped ? 0.15 : 0);
}

/* The norm over many weights, in pieces of several lengths. */
static void test_norm(void **state)
{
    (void)state;
    enum { N = 5000 };
    static double first[N], second[N];
    double *gradients[] = {first, second};
    struct rng rng = random_stream(4, 4);
    for (size_t n = 1; n < N; n = n * 2 + 5) {
        double expected = 0;
        for (size_t i = 0; i < N; i++) {
            first[i] = random_unit(&rng) - 0.5;
            second[i] = random_unit(&rng) - 0.5;
            expected += i >= 3 && i < n + 3 ? pow(first[i] + second[i], 2) : 0;
        }
        if (n + 3 <= N)
            assert_true(fabs(optimiser_add(gradients, 2, 3, n) - expected) < 1e-9 * expected);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_small_models),
        cmocka_unit_test(test_paper_models),
        cmocka_unit_test(test_rules),
        cmocka_unit_test(test_norm),
    };
    return cmocka_run_group_tests_name("neural_gradient", tests, NULL, NULL);
}
