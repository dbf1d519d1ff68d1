/* Tables of groups: runs that are kept, figures over seeds, CSV, curves. */
#include "scratch.h"

#include "base/file.h"
#include "study/reproduce_table.h"

#include <limits.h>
#include <math.h>
#include <sys/stat.h>
#include <unistd.h>

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
    reproduce_table_run(&table, 0, 1)->cells[0] = (struct reproduce_cell){true, 10, 2, 0, 100};
    struct reproduce_cell figure = reproduce_table_figure(&table, 0, 0, &n_seeds);
    assert_true(figure.done && figure.mean == 10 && figure.ci95 == 2 && figure.n_games == 100 && n_seeds == 1);
    reproduce_table_run(&table, 0, 0)->cells[0] = (struct reproduce_cell){true, 20, 3, 0, 100};
    reproduce_table_run(&table, 0, 2)->cells[0] = (struct reproduce_cell){true, 30, 4, 0, 100};
    figure = reproduce_table_figure(&table, 0, 0, &n_seeds);
    assert_true(fabs(figure.mean - 20) < 1e-9 && n_seeds == 3 && figure.n_games == 300);
    assert_true(fabs(figure.ci95 - 4.303 * 10 / sqrt(3)) < 1e-6); /* two degrees of freedom, deviation 10 */
    assert_true(fabs(figure.sd - 10) < 1e-9);
    assert_false(reproduce_table_figure(&table, 1, 0, &n_seeds).done);
    reproduce_table_free(&table);
    group_free(group);
}

static void test_runs_are_kept(void **state)
{
    (void)state;
    struct group *group = load();
    struct reproduce_run run = {.actions = 1234567890123, .seconds = 2.5}, back = {0};
    run.cells[1] = (struct reproduce_cell){true, 1.0 / 3, 0, 0, 0};
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
    assert_ok(reproduce_table_create(&table, group, 2));
    reproduce_table_run(&table, 0, 0)->actions = 1000;
    reproduce_table_run(&table, 0, 0)->cells[0] = (struct reproduce_cell){true, 4500.5, 20, 0, 30};
    reproduce_table_run(&table, 0, 1)->cells[0] = (struct reproduce_cell){true, 4502.5, 20, 0, 30};
    reproduce_table_run(&table, 0, 1)->cells[1] = (struct reproduce_cell){true, 7.5, 0, 0, 0};
    snprintf(table.notes[1], REPRODUCE_NOTE_BYTES, "left out");
    assert_ok(reproduce_table_write_csv(&table, scratch_path("table.csv")));
    assert_ok(file_read_text(scratch_path("table.csv"), &csv));
    assert_string_equal(csv, "row,measure,published,mean,ci95,sd,games,seeds,actions,seconds,each,note\n"
                             "\"a, b\",\"1-ply, 30 games\",\"4610\",4501.5,12.706,1.41421,60,2,1000,0.000,"
                             "\"4500.5 4502.5\",\"\"\n" /* 30 games were played, not the group's 10 */
                             "\"a, b\",\"exact\",\"\",7.5,0,,0,1,1000,0.000,\"7.5\",\"\"\n"
                             "\"two\",\"1-ply, 10 games\",\"\",,,,,0,0,0.000,\"\",\"left out\"\n"
                             "\"two\",\"exact\",\"7\",,,,,0,0,0.000,\"\",\"left out\"\n");
    free(csv);
    reproduce_table_free(&table);
    group_free(group);
}

/* The curve of a row is the mean over its seeds, as far as all of them have come, with the interval over them. */
static void test_curves_over_seeds(void **state)
{
    (void)state;
    struct group *group = load();
    struct reproduce_table table;
    char *svg;
    static const char *const logs[] = {
        "actions,seconds,eval_mean,eval_ci95,eval3_mean\n0,0,100,1,\n100,1,200,1,\n200,2,900,1,\n",
        "actions,seconds,eval_mean,eval_ci95,eval3_mean\n0,0,100,1,\n100,3,220,1,\n"};
    assert_ok(reproduce_table_create(&table, group, 2));
    for (unsigned seed = 0; seed < 2; seed++) {
        char *folder = reproduce_run_folder("drawn", &group->rows[0], seed), name[PATH_MAX];
        mkdir(scratch_path("drawn"), 0700);
        mkdir(scratch_path(folder), 0700);
        snprintf(name, sizeof name, "%s/log.csv", folder);
        scratch_write(name, logs[seed], strlen(logs[seed]));
        free(folder);
    }
    assert_ok(reproduce_table_draw(&table, scratch_path("drawn")));
    assert_ok(file_read_text(scratch_path("drawn/curves-1.svg"), &svg));
    /* From 100 at action 0 to 210 +- 127.06 at 100: the axes end at 350 and 100. */
    assert_non_null(
        strstr(svg, "<path class='band' fill='#0072b2' d='M76.0 322.6L836.0 86.9L836.0 339.5L76.0 322.6Z'/>"));
    free(svg);
    /* The same over time, to 2 seconds; nobody measured 3 plies. */
    assert_ok(file_read_text(scratch_path("drawn/curves-time-1.svg"), &svg));
    assert_non_null(strstr(svg, "L836.0 86.9L836.0 339.5L76.0 322.6Z'/>"));
    assert_non_null(strstr(svg, "seconds of learning"));
    free(svg);
    assert_int_not_equal(access(scratch_path("drawn/curves-3-ply-1.svg"), F_OK), 0);
    reproduce_table_free(&table);
    group_free(group);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_figures_over_seeds),
        cmocka_unit_test(test_runs_are_kept),
        cmocka_unit_test(test_csv),
        cmocka_unit_test(test_curves_over_seeds),
    };
    return cmocka_run_group_tests(tests, scratch_setup, scratch_teardown);
}
