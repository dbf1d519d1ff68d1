/* The nearest name: distances of words, and what is suggested for a misspelt one. */
#include "scratch.h"

#include "base/nearest.h"

static const char *const names[] = {"rows", "cols", "rate", "lambda", "checkpoint", "threads", "seed", "optimistic"};
enum { N_NAMES = sizeof names / sizeof *names };

static void test_distances(void **state)
{
    (void)state;
    assert_int_equal(nearest_distance("", ""), 0);
    assert_int_equal(nearest_distance("abc", ""), 3);
    assert_int_equal(nearest_distance("", "abc"), 3);
    assert_int_equal(nearest_distance("rate", "RATE"), 0);
    assert_int_equal(nearest_distance("rate", "rat"), 1);
    assert_int_equal(nearest_distance("rate", "rtae"), 1);
    assert_int_equal(nearest_distance("kitten", "sitting"), 3);
    assert_int_equal(nearest_distance("ca", "abc"), 3); /* no place is edited twice */
}

static void test_finds_the_misspelt(void **state)
{
    (void)state;
    assert_string_equal(nearest_name("rwos", names, N_NAMES), "rows");
    assert_string_equal(nearest_name("Rate", names, N_NAMES), "rate");
    assert_string_equal(nearest_name("lamda", names, N_NAMES), "lambda");
    assert_string_equal(nearest_name("chekcpiont", names, N_NAMES), "checkpoint");
    assert_string_equal(nearest_name("thread", names, N_NAMES), "threads");
}

static void test_unique_prefix(void **state)
{
    (void)state;
    assert_string_equal(nearest_name("check", names, N_NAMES), "checkpoint");
    assert_string_equal(nearest_name("opt", names, N_NAMES), "optimistic");
    static const char *const alike[] = {"evaluate", "evaluations"};
    assert_null(nearest_name("eva", alike, 2));
}

static void test_nothing_near(void **state)
{
    (void)state;
    assert_null(nearest_name("banana", names, N_NAMES));
    assert_null(nearest_name("x", names, N_NAMES));
    assert_null(nearest_name("", names, N_NAMES));
    assert_null(nearest_name("rate", names, 0));
    char longer[200];
    memset(longer, 'r', sizeof longer);
    longer[199] = '\0';
    assert_null(nearest_name(longer, names, N_NAMES));
    const char *const odd[] = {NULL, longer, "rate"};
    assert_string_equal(nearest_name("rat", odd, 3), "rate");
}

static void test_in_structs(void **state)
{
    (void)state;
    static const struct {
        int number;
        const char *name;
        double weight;
    } verbs[] = {{1, "play", 0}, {2, "train", 0}, {3, "solve", 0}, {4, "solve", 0}};
    assert_string_equal(nearest_name_in("trian", &verbs[0].name, sizeof verbs[0], 4), "train");
    assert_string_equal(nearest_name_in("so", &verbs[0].name, sizeof verbs[0], 4), "solve");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_distances),     cmocka_unit_test(test_finds_the_misspelt),
        cmocka_unit_test(test_unique_prefix), cmocka_unit_test(test_nothing_near),
        cmocka_unit_test(test_in_structs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
