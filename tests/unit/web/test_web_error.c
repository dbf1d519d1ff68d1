/* Messages to clients: no folder of the server, however its files were named on the command line. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "web/web_error.h"

static void test_hide_folders(void **state)
{
    (void)state;
    static const char *const cases[][2] = {
        {"", ""},
        {"no path", "no path"},
        {"/secret/tables/3x3/sets-00004.table: damaged", "sets-00004.table: damaged"},
        {"secret/3x3/sets-00004.table: damaged", "sets-00004.table: damaged"},
        {"../secret/3x3: has no values", "3x3: has no values"},
        {"/secret plans/3x3/index.table: cannot open", "index.table: cannot open"},
        {"secret plans/3x3: age 4 is at /secret/3x3/values", "3x3: age 4 is at values"},
        {"the board has a 512; secret/m512 holds the chance", "the board has a 512; m512 holds the chance"},
        {"'secret/a.net' and (\"/secret/b.net\")", "'a.net' and (\"b.net\")"},
        {"network=/secret/a.net, secret/b.net", "network=a.net, b.net"},
        {"secret/tables/ is a folder", "tables/ is a folder"},
        {"write numbers: \"2 4 0 8 / 2 2 0 0\"", "write numbers: \"2 4 0 8 / 2 2 0 0\""},
        {"board '2 4 / 0 0': has two rows", "board '2 4 / 0 0': has two rows"},
        {"/", "/"},
        {"a target that does not begin with '/'", "a target that does not begin with '/'"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[128];
        snprintf(text, sizeof text, "%s", cases[i][0]);
        web_hide_folders(text);
        assert_string_equal(text, cases[i][1]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_hide_folders)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
