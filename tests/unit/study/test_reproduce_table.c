#include "scratch.h"

#include "base/file.h"
#include "study/reproduce_table.h"

#include <math.h>

static const char text[] = "[group]\ntitle = T\nmeasure = 1-ply, 10 games\nmeasure = exact\n"
                           "row = a, b | one.ini | 4610 |\nrow = two | two.ini | | 7\n";

static struct group *load(void)
{
    struct group *group;
    scratch_write("some.ini", text, strlen(text));
    assert_ok(group_load(&group, scratch_path("some.ini")));
    return group;
}

static void test_figures_over_seeds(void **state)
{
    (void)state;
    struct group *group = load();
    struct reproduce_table table;
    unsigned n_seeds;
    assert_ok(reproduce_table_create(&table, group, 3));
    assert_false(reproduce_table_figure(&table, 0, 0, &n_seeds).done);
    reproduce_table_run(&table, 0, 1)->cells[0] = (struct reproduce_cell){true, 10, 2, 100};
    struct reproduce_cell figure = reproduce_table_figure(&table, 0, 0, &n_seeds);
    assert_true(figure.done && figure.mean == 10 && figure.ci95 == 2 && figure.n_games == 100 && n_seeds == 1);
    reproduce_table_run(&table, 0, 0)->cells[0] = (struct reproduce_cell){true, 20, 3, 100};
    reproduce_table_run(&table, 0, 2)->cells[0] = (struct reproduce_cell){true, 30, 4, 100};
    figure = reproduce_table_figure(&table, 0, 0, &n_seeds);
    assert_true(fabs(figure.mean - 20) < 1e-9 && n_seeds == 3 && figure.n_games == 300);
    assert_true(fabs(figure.ci95 - 4.303 * 10 / sqrt(3)) < 1e-6); /* two degrees of freedom, deviation 10 */
    assert_false(reproduce_table_figure(&table, 1, 0, &n_seeds).done);
    reproduce_table_free(&table);
    group_free(group);
}

static void test_runs_are_kept(void **state)
{
    (void)state;
    struct group *group = load();
    struct reproduce_run run = {.actions = 1234567890123, .seconds = 2.5}, back = {0};
    run.cells[1] = (struct reproduce_cell){true, 1.0 / 3, 0, 0};
    assert_ok(reproduce_run_load(&back, group, &group->rows[0], scratch_path("nothing")));
    assert_int_equal(back.actions, 0);
    assert_ok(reproduce_run_save(&run, group, &group->rows[0], scratch_path("measured")));
    assert_ok(reproduce_run_load(&back, group, &group->rows[0], scratch_path("measured")));
    assert_true(back.actions == run.actions && back.seconds == run.seconds);
    assert_false(back.cells[0].done);
    assert_true(back.cells[1].done && back.cells[1].mean == run.cells[1].mean);
    scratch_write("measured", "exact|twelve|0|0\n", 17);
    assert_int_equal(reproduce_run_load(&back, group, &group->rows[0], scratch_path("measured")), STATUS_CORRUPT);
    group_free(group);
}

static void test_csv(void **state)
{
    (void)state;
    struct group *group = load();
    struct reproduce_table table;
    char *csv;
    assert_ok(reproduce_table_create(&table, group, 1));
    reproduce_table_run(&table, 0, 0)->actions = 1000;
    reproduce_table_run(&table, 0, 0)->cells[0] = (struct reproduce_cell){true, 4500.5, 20, 10};
    snprintf(table.notes[1], REPRODUCE_NOTE_BYTES, "left out");
    assert_ok(reproduce_table_write_csv(&table, scratch_path("table.csv")));
    assert_ok(file_read_text(scratch_path("table.csv"), &csv));
    assert_string_equal(csv, "row,measure,published,mean,ci95,games,seeds,actions,seconds,note\n"
                             "\"a, b\",\"1-ply, 10 games\",\"4610\",4500.5,20,10,1,1000,0.000,\"\"\n"
                             "\"a, b\",\"exact\",\"\",,,,0,1000,0.000,\"\"\n"
                             "\"two\",\"1-ply, 10 games\",\"\",,,,0,0,0.000,\"left out\"\n"
                             "\"two\",\"exact\",\"7\",,,,0,0,0.000,\"left out\"\n");
    free(csv);
    reproduce_table_free(&table);
    group_free(group);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_figures_over_seeds),
        cmocka_unit_test(test_runs_are_kept),
        cmocka_unit_test(test_csv),
    };
    return cmocka_run_group_tests(tests, scratch_setup, scratch_teardown);
}
