/* What a run trains: here only how it takes over the weights of a network file. */
#include "network_sample.h"

#include "packed/network_file.h"
#include "study/training_model.h"

static const struct sample sample = {2, 3, "0 1 2 3/0 1 3 4", "plain 8", "0 16 64", true, 0};

static void save_sample(const struct sample *what, const char *name)
{
    struct network *network = sample_network(what, 2);
    char program[] = "test";
    assert_ok(network_save(network, scratch_path(name), &(struct network_history){.program = program}, NETWORK_FLOAT32,
                           NULL));
    network_free(network);
}

/* A run whose network has the sample's tuples and stages 0, 64 and 128, at action 0. */
static void make_model(struct training_model *model, struct train_plan *plan)
{
    *plan = (struct train_plan){.network = sample_spec(&sample)};
    assert_ok(stages_parse(&plan->network.stages, "0 64 128"));
    plan->trainer = (struct trainer_settings){.seed = 1, .threads = 1, .interleave = 1, .start.new_game = 1};
    plan->trainer.learn = (struct learn_settings){.n_phases = 1};
    plan->trainer.learn.phases[0] = (struct learn_phase){.rule = RULE_TC, .rate = {.n_points = 1, .value = {1}}};
    assert_ok(training_model_create(model, plan));
}

/* Stage 64 is the second here and the third in the file; 16 and 128 have no partner. */
static void test_weights_of_common_stages(void **state)
{
    (void)state;
    static const struct {
        const char *stage;
        bool first, second;
    } cases[] = {{NULL, true, true}, {"0", true, false}, {"64", false, true}};
    save_sample(&sample, "net");
    struct network *from;
    assert_ok(network_load(&from, scratch_path("net"), NULL, NULL));
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct training_model model;
        struct train_plan plan;
        make_model(&model, &plan);
        assert_ok(training_model_take_weights(&model, scratch_path("net"), cases[i].stage));
        struct network *network = trainer_network(model.state);
        assert_ok(network_set_stride(network, 1)); /* bare weights */
        uint64_t n = network->n_stage_weights;
        size_t bytes = n * sizeof(float);
        float *nothing = calloc(n, sizeof *nothing);
        assert_memory_equal(network->weights, cases[i].first ? from->weights : nothing, bytes);
        assert_memory_equal(network->weights + n, cases[i].second ? from->weights + 2 * n : nothing, bytes);
        assert_memory_equal(network->weights + 2 * n, nothing, bytes);
        free(nothing);
        training_model_free(&model);
    }
    network_free(from);
}

static void assert_refused(const struct sample *file, const char *stage, const char *message)
{
    struct training_model model;
    struct train_plan plan;
    save_sample(file, "other");
    make_model(&model, &plan);
    assert_int_equal(training_model_take_weights(&model, scratch_path("other"), stage), STATUS_INVALID);
    assert_message(message);
    training_model_free(&model);
}

static void test_what_does_not_go_together(void **state)
{
    (void)state;
    struct sample other = sample;
    other.rows = 3, other.cols = 2;
    assert_refused(&other, NULL, "the board differs");
    other = sample, other.tuples = "0 1 3 4/0 1 2 3";
    assert_refused(&other, NULL, "the tuples, or their order");
    other = sample, other.encoding = "plain 7";
    assert_refused(&other, NULL, "the encoding");
    other = sample, other.initial = 1;
    assert_refused(&other, NULL, "the initial weights differ");
    other = sample, other.promote = false;
    assert_refused(&other, NULL, "only one of them promotes");
    assert_refused(&sample, "16", "none of its stages begins");
    assert_refused(&sample, "128", "none of its stages begins");
    assert_refused(&sample, "0 64", "expected the tiles that it begins with");
    assert_refused(&sample, "many", "expected the tiles that it begins with");
    struct training_model model;
    struct train_plan plan;
    make_model(&model, &plan);
    assert_int_equal(training_model_take_weights(&model, scratch_path("missing"), NULL), STATUS_IO);
    training_model_free(&model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_weights_of_common_stages),
        cmocka_unit_test(test_what_does_not_go_together),
    };
    return cmocka_run_group_tests_name("training_model", tests, scratch_setup, scratch_teardown);
}
