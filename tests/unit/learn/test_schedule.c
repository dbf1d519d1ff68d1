/* Schedules: what the words mean, at and around each point, and which words are refused. */
#include "scratch.h"

#include "learn/schedule.h"

static struct schedule parsed(const char *text, uint64_t total)
{
    struct schedule schedule;
    assert_ok(schedule_parse(&schedule, text, total));
    return schedule;
}

static void constant_holds_everywhere(void **state)
{
    (void)state;
    struct schedule schedule = parsed(" 0.25 ", 1000);
    assert_float_equal(schedule_at(&schedule, 0), 0.25, 0);
    assert_float_equal(schedule_at(&schedule, UINT64_MAX), 0.25, 0);
}

static void steps_hold_until_the_next(void **state)
{
    (void)state;
    struct schedule schedule = parsed("0:0.1, 5e9:0.05  6000000000:1", 1);
    assert_int_equal(schedule.n_points, 3);
    assert_float_equal(schedule_at(&schedule, 0), 0.1, 1e-8);
    assert_float_equal(schedule_at(&schedule, 4999999999), 0.1, 1e-8);
    assert_float_equal(schedule_at(&schedule, 5000000000), 0.05, 1e-8);
    assert_float_equal(schedule_at(&schedule, 5999999999), 0.05, 1e-8);
    assert_float_equal(schedule_at(&schedule, 6000000000), 1, 0);
    assert_float_equal(schedule_at(&schedule, UINT64_MAX), 1, 0);
}

static void lines_go_straight_and_then_hold(void **state)
{
    (void)state;
    struct schedule schedule = parsed("linear 0:0.5 1000:0.1 3000:0.2", 1);
    assert_float_equal(schedule_at(&schedule, 0), 0.5, 0);
    assert_float_equal(schedule_at(&schedule, 500), 0.3, 1e-7);
    assert_float_equal(schedule_at(&schedule, 1000), 0.1, 1e-7);
    assert_float_equal(schedule_at(&schedule, 2500), 0.175, 1e-7);
    assert_float_equal(schedule_at(&schedule, 3000), 0.2, 1e-7);
    assert_float_equal(schedule_at(&schedule, 1u << 31), 0.2, 1e-7);
}

static void shares_are_of_the_total(void **state)
{
    (void)state;
    struct schedule schedule = parsed("0%:0.1 90%:1.0", 10000000000);
    assert_int_equal(schedule.action[1], 9000000000);
    assert_float_equal(schedule_at(&schedule, 8999999999), 0.1, 1e-8);
    assert_float_equal(schedule_at(&schedule, 9000000000), 1, 0);
    uint64_t action;
    assert_true(schedule_parse_action("12.5%", 800, &action));
    assert_int_equal(action, 100);
    assert_true(schedule_parse_action("100%", UINT64_MAX, &action));
    assert_true(action == UINT64_MAX);
    assert_true(schedule_parse_action("2.5e3", 800, &action));
    assert_int_equal(action, 2500);
    assert_false(schedule_parse_action("101%", 800, &action));
    assert_false(schedule_parse_action("-1%", 800, &action));
    assert_false(schedule_parse_action("%", 800, &action));
    assert_false(schedule_parse_action("", 800, &action));
    assert_false(schedule_parse_action("1.5", 800, &action));
}

static void the_most_points_fit(void **state)
{
    (void)state;
    char text[400] = "";
    for (int i = 0; i < SCHEDULE_MAX_POINTS; i++)
        snprintf(text + strlen(text), sizeof text - strlen(text), "%d:%d ", i, i);
    struct schedule schedule = parsed(text, 1);
    assert_float_equal(schedule_at(&schedule, SCHEDULE_MAX_POINTS - 1), SCHEDULE_MAX_POINTS - 1, 0);
    strcat(text, "99:1");
    assert_int_equal(schedule_parse(&schedule, text, 1), STATUS_INVALID);
    assert_message("more than 16 points");
}

static void nonsense_is_refused_by_name(void **state)
{
    (void)state;
    static const char *const cases[][2] = {
        {"", "no value"},
        {"  ", "no value"},
        {"fast", "'fast': expected ACTION:VALUE"},
        {"0.1 0.2", "'0.1': expected ACTION:VALUE"},
        {"linear", "no points after 'linear'"},
        {"linear 0.5", "'0.5': expected"},
        {"1e9:0.5", "first point must be at action 0"},
        {"0:0.5 0:0.6", "is not after"},
        {"0:0.5 100:0.6 50:0.1", "is not after"},
        {"0:", "'' is no number"},
        {"0:0.5 x:0.1", "'x' is no number of actions"},
        {"0:0.5 1e9:nan", "'nan' is no number"},
        {"0:0.5 120%:1", "'120%' is no number of actions"},
        {"0:0.5 -5:1", "'-5' is no number of actions"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct schedule schedule;
        assert_int_equal(schedule_parse(&schedule, cases[i][0], 1000), STATUS_INVALID);
        assert_message(cases[i][1]);
    }
    char longest[300];
    memset(longest, '1', sizeof longest - 1);
    longest[sizeof longest - 1] = '\0';
    struct schedule schedule;
    assert_int_equal(schedule_parse(&schedule, longest, 1000), STATUS_INVALID);
    assert_message("11~': expected ACTION:VALUE");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(constant_holds_everywhere),
        cmocka_unit_test(steps_hold_until_the_next),
        cmocka_unit_test(lines_go_straight_and_then_hold),
        cmocka_unit_test(shares_are_of_the_total),
        cmocka_unit_test(the_most_points_fit),
        cmocka_unit_test(nonsense_is_refused_by_name),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
