/* Numbers, bytes, rates and durations as text. */
#include "scratch.h"

#include "base/number_text.h"

#include <math.h>

static void check_number(double number, const char *expected)
{
    char text[NUMBER_TEXT_BYTES];
    assert_string_equal(number_text_short(text, number), expected);
}

static void test_numbers(void **state)
{
    (void)state;
    check_number(0, "0");
    check_number(7, "7");
    check_number(1.234, "1.23");
    check_number(12.34, "12.3");
    check_number(999.4, "999");
    check_number(999.6, "1.00 k");
    check_number(1234567, "1.23 M");
    check_number(4.56e10, "45.6 G");
    check_number(9.999e6, "10.0 M");
    check_number(1e21, "1000 E");
    check_number(-5, "-5");
    check_number(INFINITY, "inf");
}

static void test_counts(void **state)
{
    (void)state;
    char text[NUMBER_TEXT_BYTES];
    assert_string_equal(number_text_count(text, 0), "0");
    assert_string_equal(number_text_count(text, 999), "999");
    assert_string_equal(number_text_count(text, 1000), "1,000");
    assert_string_equal(number_text_count(text, 48713519), "48,713,519");
    assert_string_equal(number_text_count(text, UINT64_MAX), "18,446,744,073,709,551,615");
}

static void test_reals(void **state)
{
    (void)state;
    char out[NUMBER_TEXT_BYTES];
    assert_string_equal(number_text_real(out, 43895.83, 1), "43,895.8");
    assert_string_equal(number_text_real(out, 999.96, 1), "1,000.0");
    assert_string_equal(number_text_real(out, -1234567.5, 2), "-1,234,567.50");
    assert_string_equal(number_text_real(out, -0.04, 1), "0.0");
    assert_string_equal(number_text_real(out, 12, 0), "12");
    assert_string_equal(number_text_real(out, -123456789012345678.0, 6), "-123,456,789,012,345,680.000000");
    assert_string_equal(number_text_real(out, 1e18, 1), "1e+18");
    assert_string_equal(number_text_real(out, NAN, 1), "nan");
}

static void test_bytes_and_rates(void **state)
{
    (void)state;
    char text[NUMBER_TEXT_BYTES];
    assert_string_equal(number_text_bytes(text, 12), "12 B");
    assert_string_equal(number_text_bytes(text, 1023), "1.02 kB");
    assert_string_equal(number_text_bytes(text, 2.913e12), "2.91 TB");
    assert_string_equal(number_text_bytes(text, (double)UINT64_MAX), "18.4 EB");
    assert_string_equal(number_text_rate(text, 29.5e6, "moves"), "29.5 M moves/s");
    assert_string_equal(number_text_rate(text, 12, "games"), "12 games/s");
    assert_string_equal(number_text_amount(text, 2.69e9, "B"), "2.69 GB");
    assert_string_equal(number_text_amount(text, 29.5e6, "moves"), "29.5 M moves");
    assert_string_equal(number_text_amount(text, 1, "games"), "1 game");
    assert_string_equal(number_text_rate(text, 157e6, "B"), "157 MB/s");
    assert_string_equal(number_text_rate(text, 12, "B"), "12 B/s");
}

static void check_duration(double seconds, const char *expected)
{
    char text[NUMBER_TEXT_BYTES];
    assert_string_equal(number_text_duration(text, seconds), expected);
}

static void test_durations(void **state)
{
    (void)state;
    check_duration(0, "0 s");
    check_duration(25e-6, "25 us");
    check_duration(0.0041, "4.1 ms");
    check_duration(0.9994, "999 ms");
    check_duration(0.9996, "1.0 s");
    check_duration(3.24, "3.2 s");
    check_duration(59.94, "59.9 s");
    check_duration(59.96, "1m 00s");
    check_duration(245, "4m 05s");
    check_duration(3599.4, "59m 59s");
    check_duration(3599.6, "1h 00m");
    check_duration(7980, "2h 13m");
    check_duration(172799, "2d 00h");
    check_duration(443000, "5d 03h");
    check_duration(1e300, "1.2e+295 days");
    check_duration(-1, "?");
    check_duration(NAN, "?");
    check_duration(INFINITY, "?");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_numbers),         cmocka_unit_test(test_counts),    cmocka_unit_test(test_reals),
        cmocka_unit_test(test_bytes_and_rates), cmocka_unit_test(test_durations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
