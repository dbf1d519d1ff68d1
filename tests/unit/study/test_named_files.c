/* Files that come with the program are found by their names, in subfolders too. */
#include "study/named_files.h"

#include "scratch.h"

#include <stdlib.h>
#include <string.h>

static void expect_path(const char *name, const char *ending)
{
    char *path;
    assert_int_equal(named_files_find(&path, "recipes", name, "recipe", "there is no list"), STATUS_OK);
    size_t length = strlen(path), tail = strlen(ending);
    assert_true(length >= tail);
    assert_string_equal(path + length - tail, ending);
    free(path);
}

static void expect_failure(const char *name, const char *message)
{
    char *path;
    assert_int_equal(named_files_find(&path, "recipes", name, "recipe", "there is no list"), STATUS_USAGE);
    assert_null(path);
    assert_string_equal(status_message(), message);
}

static void names_are_found(void **state)
{
    (void)state;
    expect_path("quick-4x6", "recipes/quick-4x6.ini");
    expect_path("jaskowski-2-td", "recipes/jaskowski-2018/jaskowski-2-td.ini");
}

static void paths_stay(void **state)
{
    (void)state;
    expect_path("nowhere/quick-4x6", "nowhere/quick-4x6");
    expect_path("nowhere.ini", "nowhere.ini");
}

static void the_nearest_is_named(void **state)
{
    (void)state;
    expect_failure("quick-4x5", "unknown recipe 'quick-4x5'; did you mean 'quick-4x6'?");
    expect_failure("xylophone", "unknown recipe 'xylophone'; there is no list");
}

static void names_are_in_order(void **state)
{
    (void)state;
    struct named_files files;
    assert_int_equal(named_files_list(&files, "recipes"), STATUS_OK);
    assert_true(files.n > 50);
    for (size_t i = 1; i < files.n; i++)
        assert_true(strcmp(files.names[i - 1], files.names[i]) < 0);
    named_files_free(&files);
    assert_int_equal(named_files_list(&files, "no-such-folder"), STATUS_IO);
    named_files_free(&files);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_are_found),
        cmocka_unit_test(paths_stay),
        cmocka_unit_test(the_nearest_is_named),
        cmocka_unit_test(names_are_in_order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
