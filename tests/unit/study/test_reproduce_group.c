/* Groups of experiments: measures and labels as text, shares of a budget, reading, and what is refused. */
#include "scratch.h"

#include "study/reproduce_forecast.h"
#include "study/reproduce_group.h"

static void test_measures(void **state)
{
    (void)state;
    struct measure measure;
    assert_true(measure_parse(&measure, "3-ply, 100 games"));
    assert_true(measure.kind == MEASURE_SCORE && measure.depth == 3 && measure.n_games == 100);
    assert_true(measure_parse(&measure, "0.5 ms, 30 games"));
    assert_true(measure.kind == MEASURE_SCORE && measure.depth == 0 && measure.milliseconds == 0.5);
    assert_true(measure_parse(&measure, "8192 at 1-ply, 10 games"));
    assert_true(measure.kind == MEASURE_TILE && measure.tile == 13 && measure.depth == 1);
    assert_true(measure.downgrade == MEASURE_OWN && measure.seed == MEASURE_SEED && measure.prune == 0);
    assert_true(measure_parse(&measure, "8-ply, 100 games, prune 0.003, margin 300, downgrade 32768, seed 7"));
    assert_true(measure.depth == 8 && measure.prune == 0.003 && measure.margin == 300 && measure.downgrade == 15 &&
                measure.seed == 7);
    assert_true(measure_parse(&measure, "1-ply, 5 games, downgrade 0") && measure.downgrade == 0);
    assert_true(measure_parse(&measure, "maximum at 2-ply, 10 games"));
    assert_true(measure.kind == MEASURE_MAX && measure.depth == 2 && measure.n_games == 10);
    assert_true(measure_parse(&measure, "microseconds at 1 ms, 10 games") && measure.kind == MEASURE_TIME);
    assert_true(measure_parse(&measure, "exact") && measure.kind == MEASURE_EXACT);
    assert_true(measure_parse(&measure, "terminal") && measure.kind == MEASURE_SOLVE);
    static const char *const wrong[] = {
        "",
        "3-ply",
        "0-ply, 5 games",
        "9-ply, 5 games",
        "1-ply, 0 games",
        "exact ",
        "1-ply, 5 gamesx",
        "-1 ms, 5 games",
        "8191 at 1-ply, 5 games",
        "1 at 1-ply, 5 games",
        "maximum at 64 at 1-ply, 5 games",
        "maximum",
        "1-ply, 5 games, prune 2",
        "1-ply, 5 games, downgrade 3",
        "1-ply, 5 games, seeds 1",
        "1-ply, 5 games,",
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        assert_false(measure_parse(&measure, wrong[i]));
}

/* A label has the games that were played. */
static void test_labels(void **state)
{
    (void)state;
    struct measure measure;
    char label[MEASURE_LABEL_BYTES];
    assert_true(measure_parse(&measure, "8192 at 1-ply, 10 games, seed 7"));
    assert_string_equal(measure_label(&measure, 0, label), "8192 at 1-ply, 10 games, seed 7");
    assert_string_equal(measure_label(&measure, 20000, label), "8192 at 1-ply, 20,000 games, seed 7");
    assert_string_equal(measure_label(&measure, 1, label), "8192 at 1-ply, 1 game, seed 7");
    assert_true(measure_parse(&measure, "exact"));
    assert_string_equal(measure_label(&measure, 7, label), "exact");
}

/* Cheap rows take what they need, the rest is shared, and a row of which no game fits has none. */
static void test_share_of_a_budget(void **state)
{
    (void)state;
    const double seconds[] = {1, 10, 1000};
    uint64_t n_games[] = {20, 1000, 1000};
    reproduce_share_budget(seconds, 3, 2, 610, n_games); /* 10 for the first, then 300 each */
    assert_int_equal(n_games[0], 20);
    assert_int_equal(n_games[1], 60);
    assert_int_equal(n_games[2], 0);
    uint64_t few[] = {3, 1, 1};
    reproduce_share_budget(seconds, 3, 2, 1e6, few);
    assert_true(few[0] == 3 && few[1] == 1 && few[2] == 1);
    assert_true(reproduce_forecast(1, 10, 2) == 10 && reproduce_forecast(4, 10, 2) == 20 &&
                reproduce_forecast(0, 10, 2) == 0);
}

static void test_a_group_is_read(void **state)
{
    (void)state;
    static const char text[] =
        "[group]\ntitle = T\nrecipes = of\nseeds = 3\nmeasure = 1-ply, 10 games\nmeasure = exact\n"
        "row = One + 2 | one.ini | 4610.2 +- 81.1 |\nrow = two | two.ini | | 7\n";
    struct group *group;
    scratch_write("some.ini", text, strlen(text));
    assert_ok(group_load(&group, scratch_path("some.ini")));
    assert_string_equal(group->name, "some");
    assert_int_equal(group->kind, GROUP_TRAIN);
    assert_int_equal(group->n_seeds, 3);
    assert_false(group->side_by_side);
    assert_int_equal(group->n_rows, 2);
    assert_int_equal(group->n_measures, 2);
    assert_string_equal(group->rows[0].label, "One + 2");
    assert_string_equal(group->rows[0].slug, "one-2");
    assert_string_equal(group->rows[0].published[0], "4610.2 +- 81.1");
    assert_string_equal(group->rows[0].published[1], "");
    assert_string_equal(group->rows[1].published[1], "7");
    char *path = group_recipe_path(group, &group->rows[1]);
    assert_non_null(strstr(path, "/of/two.ini"));
    assert_false(group_is_complete(group));
    free(path);
    group_free(group);
}

/* The folder of the recipes is seen from the group's file, unless it is an absolute path. */
static void test_recipes_elsewhere(void **state)
{
    (void)state;
    static const char text[] = "[group]\nrecipes = /elsewhere\nmeasure = exact\nrow = a | b.ini |\n";
    struct group *group;
    scratch_write("away.ini", text, strlen(text));
    assert_ok(group_load(&group, scratch_path("away.ini")));
    assert_string_equal(group->name, "away");
    char *path = group_recipe_path(group, &group->rows[0]);
    assert_string_equal(path, "/elsewhere/b.ini");
    free(path);
    group_free(group);
}

static void check_refused(const char *lines, const char *message)
{
    char text[512];
    struct group *group;
    snprintf(text, sizeof text, "[group]\n%s", lines);
    scratch_write("bad.ini", text, strlen(text));
    assert_int_equal(group_load(&group, scratch_path("bad.ini")), STATUS_INVALID);
    assert_null(group);
    assert_message(message);
}

static void test_what_is_refused(void **state)
{
    (void)state;
    struct group *group;
    assert_int_equal(group_load(&group, scratch_path("nothing.ini")), STATUS_IO);
    check_refused("row = a | b.ini |\n", "0 measures");
    check_refused("measure = exact\n", "0 rows");
    check_refused("measure = exact\nrow = a | b.ini\n", "label | what");
    check_refused("measure = exact\nrow = | b.ini |\n", "missing");
    check_refused("measure = exact\nrow = A b | b.ini |\nrow = a-b | c.ini |\n", "another row");
    check_refused("kind = search\nmeasure = score\nrow = a | deep | 5\n", "expected a search");
    check_refused("kind = search\nmeasure = states\nrow = a | 1-ply, 5 games | 5\n", "is none of a group");
    check_refused("kind = solve\nmeasure = exact\nrow = a | 2x2 | 5\n", "is none of a group");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_measures),          cmocka_unit_test(test_labels),
        cmocka_unit_test(test_share_of_a_budget), cmocka_unit_test(test_a_group_is_read),
        cmocka_unit_test(test_recipes_elsewhere), cmocka_unit_test(test_what_is_refused),
    };
    return cmocka_run_group_tests(tests, scratch_setup, scratch_teardown);
}
