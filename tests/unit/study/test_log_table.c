/* Logs as tables: columns, and damaged lines. */
#include "scratch.h"

#include "study/log_table.h"

#include <math.h>

static enum status read_text(struct log_table *table, const char *text)
{
    scratch_write("log.csv", text, strlen(text));
    return log_table_read(table, scratch_path("log.csv"));
}

static void test_columns(void **state)
{
    (void)state;
    struct log_table table;
    assert_ok(read_text(&table, "actions,mean,ci\n100,1.5,\r\n200,,3\n\n300,2e3,-4")); /* no line break at the end */
    assert_int_equal(table.n_columns, 3);
    assert_int_equal(table.n_rows, 3);
    const double *mean = log_table_column(&table, "mean"), *ci = log_table_column(&table, "ci");
    assert_true(mean[0] == 1.5 && isnan(mean[1]) && mean[2] == 2000);
    assert_true(isnan(ci[0]) && ci[1] == 3 && ci[2] == -4);
    assert_null(log_table_column(&table, "Mean"));
    struct log_curve curve;
    assert_ok(log_table_curve(&table, log_table_column(&table, "actions"), mean, NULL, &curve));
    assert_int_equal(curve.n, 2);
    assert_true(curve.x[0] == 100 && curve.y[0] == 1.5 && curve.x[1] == 300 && curve.y[1] == 2000);
    log_curve_free(&curve);
    log_table_free(&table);
    assert_ok(read_text(&table, "actions\n"));
    assert_int_equal(table.n_rows, 0);
    assert_non_null(log_table_column(&table, "actions"));
    log_table_free(&table);
    assert_ok(read_text(&table, "a,b\n1,2\n3")); /* the last line is being written */
    assert_int_equal(table.n_rows, 1);
    log_table_free(&table);
    log_table_free(&table);
}

static void test_damaged(void **state)
{
    (void)state;
    static const struct {
        const char *text, *says;
    } cases[] = {
        {"a,b\n1,2\n1\n", "line 3 has not the 2 fields"},
        {"a,b\n1,2,3\n", "line 2 has not the 2 fields"},
        {"a,b\n1,x\n", "line 2: b is 'x', expected a number"},
        {"a,b\n1,nan\n", "expected a number"},
        {",,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,\n", "65 columns"},
    };
    for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct log_table table;
        assert_int_equal(read_text(&table, cases[i].text), STATUS_CORRUPT);
        assert_non_null(strstr(status_message(), cases[i].says));
        assert_non_null(strstr(status_message(), "log.csv"));
        assert_null(table.numbers);
    }
    struct log_table table;
    assert_int_equal(log_table_read(&table, scratch_path("none.csv")), STATUS_IO);
    assert_ok(read_text(&table, "")); /* nothing but one column without a name */
    assert_int_equal(table.n_rows, 0);
    log_table_free(&table);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_columns, scratch_setup, scratch_teardown),
        cmocka_unit_test_setup_teardown(test_damaged, scratch_setup, scratch_teardown),
    };
    return cmocka_run_group_tests_name("log_table", tests, NULL, NULL);
}
