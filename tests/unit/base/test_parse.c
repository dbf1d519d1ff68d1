/* Words as numbers, flags and durations, and those that are none. */
#include "scratch.h"

#include "base/parse.h"

#include <math.h>

static void check_integer(const char *text, int64_t expected)
{
    int64_t value = -99;
    if (!parse_integer(text, &value))
        fail_msg("'%s' was refused", text);
    assert_int_equal(value, expected);
}

static void refuse_integer(const char *text)
{
    int64_t value = -99;
    if (parse_integer(text, &value))
        fail_msg("'%s' was taken as %lld", text, (long long)value);
    assert_int_equal(value, -99);
}

static void test_integers(void **state)
{
    (void)state;
    check_integer("0", 0);
    check_integer("-7", -7);
    check_integer("+7", 7);
    check_integer("007", 7);
    check_integer("1_000_000", 1000000);
    check_integer("1e10", INT64_C(10000000000));
    check_integer("2E8", 200000000);
    check_integer("2.5e6", 2500000);
    check_integer("2.50e1", 25);
    check_integer("300e-2", 3);
    check_integer("3.0", 3);
    check_integer("0e999", 0);
    check_integer("1k", 1000);
    check_integer("2.5M", 2500000);
    check_integer("-3G", INT64_C(-3000000000));
    check_integer("1e3k", 1000000);
    check_integer("2.69 G", 2690000000); /* as the program prints it */
    check_integer("48,713,519", 48713519);
    check_integer("-1,000", -1000);
    check_integer("9,223,372,036,854,775,807", INT64_MAX);
    refuse_integer("1m");
    refuse_integer("k");
    refuse_integer("1kk");
    refuse_integer("2.5000001M");
    refuse_integer("1e18k");
    check_integer("9007199254740993", INT64_C(9007199254740993));
    check_integer("9223372036854775807", INT64_MAX);
    check_integer("-9223372036854775808", INT64_MIN);
    static const char *const bad[] = {
        "",
        "-",
        "x",
        "1x",
        "1 ",
        " 1",
        "2.5",
        "1e",
        "1e-1",
        "_1",
        "1_",
        "1__0",
        "0x10",
        "nan",
        "inf",
        "1e19",
        "1e99",
        "1e9999999999999999999",
        "9223372036854775808",
        "-9223372036854775809",
        ".",
        "e5",
        "--1",
        "1,5",
        "0,500",
        "1000,000",
        "1,000,00",
        "1,0000",
        "1,000,",
        ",000",
        "1,000.5",
        "1,000k",
        "1  k",
        "1 x",
        "100,000,000,000,000,000,000,000,000,000,000,000,000,000,000,000,000,000,000,000"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        refuse_integer(bad[i]);
    char longer[300];
    memset(longer, '1', 299);
    longer[299] = '\0';
    refuse_integer(longer);
}

static void test_unsigned(void **state)
{
    (void)state;
    uint64_t value;
    assert_true(parse_unsigned("18446744073709551615", &value));
    assert_int_equal(value, UINT64_MAX);
    assert_false(parse_unsigned("18446744073709551616", &value));
    assert_false(parse_unsigned("-1", &value));
}

static void test_reals(void **state)
{
    (void)state;
    double value = 0;
    assert_true(parse_real("0.5", &value) && value == 0.5);
    assert_true(parse_real("-1e-3", &value) && value == -1e-3);
    assert_true(parse_real(".5", &value) && value == 0.5);
    assert_true(parse_real("5.", &value) && value == 5);
    assert_true(parse_real("1_000.25", &value) && value == 1000.25);
    static const char *const bad[] = {"", "1e400", "nan", "inf", "0x1p3", "1.2.3", " 1", "1 ", "0,5"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        assert_false(parse_real(bad[i], &value));
}

static void test_flags(void **state)
{
    (void)state;
    bool value = false;
    static const char *const yes[] = {"yes", "true", "on", "1", "YES"}, *const no[] = {"no", "false", "off", "0", "No"};
    for (int i = 0; i < 5; i++) {
        assert_true(parse_flag(yes[i], &value) && value);
        assert_true(parse_flag(no[i], &value) && !value);
    }
    assert_false(parse_flag("", &value));
    assert_false(parse_flag("2", &value));
    assert_false(parse_flag("yes please", &value));
}

static void test_durations(void **state)
{
    (void)state;
    double value = 0;
    assert_true(parse_duration("90s", &value) && value == 90);
    assert_true(parse_duration("30m", &value) && value == 1800);
    assert_true(parse_duration("5h", &value) && value == 18000);
    assert_true(parse_duration("2d", &value) && value == 172800);
    assert_true(parse_duration("250ms", &value) && value == 0.25);
    assert_true(parse_duration("1h30m", &value) && value == 5400);
    assert_true(parse_duration("1.5 h", &value) && value == 5400);
    assert_true(parse_duration("4m 05s", &value) && value == 245);
    assert_true(parse_duration("25 us", &value) && fabs(value - 25e-6) < 1e-12);
    assert_true(parse_duration("12", &value) && value == 12);
    assert_true(parse_duration("0", &value) && value == 0);
    static const char *const bad[] = {"", "m", "-5m", "5x", "1h30", "5mm", "1e308d", "-0s", "5 "};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        assert_false(parse_duration(bad[i], &value));
}

static void test_bytes(void **state)
{
    (void)state;
    double value = 0;
    assert_true(parse_bytes("2GB", &value) && value == 2e9);
    assert_true(parse_bytes("512mb", &value) && value == 512e6);
    assert_true(parse_bytes("1.5 TB", &value) && value == 1.5e12);
    assert_true(parse_bytes("64kB", &value) && value == 64e3);
    assert_true(parse_bytes("100B", &value) && value == 100);
    assert_true(parse_bytes("2G", &value) && value == 2e9);
    assert_true(parse_bytes("16MiB", &value) && value == 16 * 1048576.0);
    assert_true(parse_bytes("1GiB", &value) && value == 1073741824.0);
    assert_true(parse_bytes("0 GB", &value) && value == 0);
    static const char *const bad[] = {"", "12", "GB", "-1GB", "2XB", "2MBs", "2Mi", "2iB", "2G B", "1e308GB", "2GB "};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        assert_false(parse_bytes(bad[i], &value));
}

static void test_words(void **state)
{
    (void)state;
    char word[PARSE_WORD_BYTES], longer[2 * PARSE_WORD_BYTES];
    const char *cursor = " 0:1,\t5e9 , ";
    assert_true(parse_next_word(&cursor, word));
    assert_string_equal(word, "0:1");
    assert_true(parse_next_word(&cursor, word));
    assert_string_equal(word, "5e9");
    assert_false(parse_next_word(&cursor, word));
    for (size_t length = PARSE_WORD_BYTES - 2; length < PARSE_WORD_BYTES + 2; length++) {
        snprintf(longer, sizeof longer, "%0*d", (int)length, 7);
        cursor = longer;
        assert_true(parse_next_word(&cursor, word) && *cursor == '\0');
        assert_int_equal(word[strlen(word) - 1], length < PARSE_WORD_BYTES ? '7' : '~');
    }
}

static void test_split(void **state)
{
    (void)state;
    char *fields[3], line[] = "a,,c d", few[] = "a,b", many[] = "a,b,c,d", one[] = "";
    assert_true(parse_split(line, ',', fields, 3));
    assert_string_equal(fields[0], "a");
    assert_string_equal(fields[1], "");
    assert_string_equal(fields[2], "c d");
    assert_false(parse_split(few, ',', fields, 3));
    assert_false(parse_split(many, ',', fields, 3));
    assert_true(parse_split(one, ',', fields, 1));
    assert_string_equal(fields[0], "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_words),     cmocka_unit_test(test_split), cmocka_unit_test(test_integers),
        cmocka_unit_test(test_unsigned),  cmocka_unit_test(test_reals), cmocka_unit_test(test_flags),
        cmocka_unit_test(test_durations), cmocka_unit_test(test_bytes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
