#include "scratch.h"

#include "base/clock.h"

#include <math.h>
#include <time.h>

static void check(double seconds, const char *expected)
{
    char text[CLOCK_DURATION_BYTES];
    clock_format_duration(text, sizeof text, seconds);
    assert_string_equal(text, expected);
}

static void test_durations(void **state)
{
    (void)state;
    check(0, "0.0 s");
    check(3.24, "3.2 s");
    check(59.94, "59.9 s");
    check(59.96, "1m 00s");
    check(245, "4m 05s");
    check(3599.4, "59m 59s");
    check(3599.6, "1h 00m");
    check(7980, "2h 13m");
    check(172799, "2d 00h");
    check(443000, "5d 03h");
    check(1e300, "1.2e+295 days");
    check(-1, "?");
    check(NAN, "?");
    check(INFINITY, "?");
}

static void test_small_buffer(void **state)
{
    (void)state;
    char text[4] = "zzz";
    clock_format_duration(text, 3, 245);
    assert_string_equal(text, "4m");
}

static void test_clock_goes_forward(void **state)
{
    (void)state;
    uint64_t before = clock_nanoseconds();
    double before_seconds = clock_seconds();
    nanosleep(&(struct timespec){.tv_nsec = 5000000}, NULL);
    uint64_t passed = clock_nanoseconds() - before;
    assert_true(passed >= 5000000 && passed < UINT64_C(60000000000));
    assert_true(clock_seconds() - before_seconds >= 0.0049);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_durations),
        cmocka_unit_test(test_small_buffer),
        cmocka_unit_test(test_clock_goes_forward),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
