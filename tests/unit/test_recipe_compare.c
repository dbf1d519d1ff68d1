/* Differences of recipes: values that mean the same are the same, and a list names the others. */
#include "scratch.h"

#include "base/recipe_compare.h"

static const struct recipe_key schema[] = {
    {"job", "games", RECIPE_INTEGER, "1000", false, 0, 0, ""}, {"job", "rate", RECIPE_REAL, "0.5", false, 0, 0, ""},
    {"job", "fast", RECIPE_FLAG, "yes", false, 0, 0, ""},      {"job", "name", RECIPE_TEXT, "x", false, 0, 0, ""},
    {"job", "start", RECIPE_TEXT, NULL, true, 0, 0, ""},
};
enum { N_KEYS = sizeof schema / sizeof *schema };

static void check(const char *const *settings, size_t n, const char *const *except, const char *expected)
{
    struct recipe *old, *now;
    char list[200];
    assert_ok(recipe_create(&old, schema, N_KEYS));
    assert_ok(recipe_create(&now, schema, N_KEYS));
    for (size_t i = 0; i < n; i++)
        assert_ok(recipe_set(now, settings[i], "test"));
    assert_int_equal(recipe_list_differences(old, now, schema, N_KEYS, except, list, sizeof list), *expected != '\0');
    assert_string_equal(list, expected);
    recipe_free(old);
    recipe_free(now);
}

static void test_differences(void **state)
{
    (void)state;
    static const char *const none[] = {NULL}, *const games[] = {"games", NULL};
    static const char *const same[] = {"job.games=1e3", "job.rate=5e-1", "job.fast=on"};
    static const char *const other[] = {"job.games=1001", "job.fast=no", "job.name=y", "job.start=1", "job.start=2"};
    check(same, 3, none, "");
    check(other, 5, none,
          "games was 1000 and is 1001, fast was yes and is no, name was x and is y, start was 0 lines and is 2 lines");
    check(other, 1, games, "");
    check(other, 2, games, "fast was yes and is no");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_differences)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
