/* nets/neural.net: that it is found by its name, small, whole, symmetric, and worth what it was measured with. */
#include "scratch.h"

#include "base/data_file.h"
#include "game/notation.h"
#include "neural/bf16.h"
#include "neural/compute.h"
#include "neural/neural_file.h"
#include "study/evaluator_choice.h"

#include <math.h>
#include <sys/stat.h>

enum { MOST_BYTES = 6000000 };
static const char identity_when_measured[] = "checksum=acce3a5c04439d7e";

/* Values of boards in points, as the machine had them that trained it. */
static const struct {
    const char *board;
    double value;
} known[] = {
    {"1230000000000010", 60265.453},
    {"0001012300453687", 56327.396},
    {"1234012304561abc", 22031.466},
    {"12210354a698dcb0", -290.285},
};

static void open_neural(struct evaluator_choice *choice)
{
    const struct evaluator_request request = {.net = "neural", .board = "4x4", .form = LOAD_COMPACT};
    assert_ok(evaluator_choice_open(choice, &request));
}

static void test_file(void **state)
{
    (void)state;
    struct evaluator_choice choice;
    struct neural *neural;
    struct stat about;
    char identity[EVALUATOR_IDENTITY_BYTES];
    open_neural(&choice);
    assert_string_equal(choice.name, "neural");
    assert_ok(evaluator_choice_identify(&choice, identity));
    assert_string_equal(identity, identity_when_measured);
    assert_int_equal(stat(choice.path, &about), 0);
    assert_in_range(about.st_size, 1, MOST_BYTES);
    assert_ok(neural_load(&neural, choice.path, NULL));
    assert_true((uint64_t)about.st_size < 3 * neural->n_weights); /* two bytes a weight, and a header */
    for (size_t i = 0; i < neural->n_parameters; i++)
        assert_true(bf16_widen(bf16_round(neural->parameters[i])) == neural->parameters[i]);
    neural_free(neural);
    evaluator_choice_close(&choice);
}

/* What is played is the network in the file by its definition, in every image of a board, on any machine. */
static void test_values(void **state)
{
    (void)state;
    struct evaluator_choice choice;
    struct neural *neural;
    open_neural(&choice);
    assert_ok(neural_load(&neural, choice.path, NULL));
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        struct board board;
        neural_real output;
        assert_ok(notation_parse(&choice.grid, known[i].board, &board));
        assert_ok(neural_output_plain(neural, neural_view(neural, board), &output));
        double plain = neural->spec.scale * (double)output;
        print_message("%s: %.3f\n", known[i].board, plain);
        assert_true(fabs(plain - known[i].value) < 1);
        for (unsigned s = 0; s < choice.grid.n_symmetries; s++) {
            double played = (double)value_of(&choice.evaluator.function, grid_image(&choice.grid, board, s));
            assert_true(fabs(played - plain) < 1e-5 * fabs(plain) + 0.1);
        }
    }
    neural_free(neural);
    evaluator_choice_close(&choice);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_file), cmocka_unit_test(test_values)};
    return cmocka_run_group_tests_name("shipped_neural", tests, scratch_setup, scratch_teardown);
}
