/* Rows of settings: which texts each type of field takes, and values that survive as text. */
#include "scratch.h"

#include "base/random.h"
#include "base/settings.h"

enum colour { RED, GREEN, BLUE };

struct sample {
    bool flag, second;
    uint8_t small, tile;
    unsigned middle;
    uint64_t large;
    int negative;
    int64_t wide;
    float single;
    double real, seconds;
    enum colour colour;
    const char *text;
    char name[8];
    struct setting_list list;
};

static const char *const colours[] = {"red", "green", "blue", NULL};
static const char *const orders[] = {"first", "second", NULL};

#define IN(member) SETTING_FIELD(struct sample, member)
enum { FLAG, SECOND, SMALL, TILE, MIDDLE, LARGE, NEGATIVE, WIDE, SINGLE, REAL, SECONDS, COLOUR, TEXT, NAME, LIST };
static const struct setting rows[] = {
    [FLAG] = {"a", "flag", "no", IN(flag), ""},
    [SECOND] = {"a", "second", "first", IN(second), "", .choices = orders},
    [SMALL] = {"a", "small", "0", IN(small), ""},
    [TILE] = {"a", "tile", "2", SETTING_FIELD_AS(SETTING_POWER, struct sample, tile), "", SETTING_LIMITS(2, 65536)},
    [MIDDLE] = {"a", "middle", "0", IN(middle), ""},
    [LARGE] = {"a", "large", "0", IN(large), ""},
    [NEGATIVE] = {"a", "negative", "0", IN(negative), "", SETTING_LIMITS(-5, 1e12)},
    [WIDE] = {"a", "wide", "0", IN(wide), ""},
    [SINGLE] = {"a", "single", "0", IN(single), ""},
    [REAL] = {"a", "real", "0", IN(real), "", SETTING_LIMITS(0, 1e300)},
    [SECONDS] = {"a", "seconds", "0", SETTING_FIELD_AS(SETTING_DURATION, struct sample, seconds), ""},
    [COLOUR] = {"a", "colour", "red", IN(colour), "", .choices = colours},
    [TEXT] = {"a", "text", "", IN(text), ""},
    [NAME] = {"a", "name", "", IN(name), ""},
    [LIST] = {"a", "list", NULL, IN(list), ""},
};

static void test_kinds_follow_the_fields(void **state)
{
    (void)state;
    static const struct {
        int row;
        enum setting_kind kind;
        const char *type;
    } cases[] = {
        {FLAG, SETTING_FLAG, "flag"},       {SMALL, SETTING_UNSIGNED, "whole number"},
        {COLOUR, SETTING_UNSIGNED, "text"}, {NEGATIVE, SETTING_SIGNED, "whole number"},
        {SINGLE, SETTING_REAL, "number"},   {SECONDS, SETTING_DURATION, "duration"},
        {TEXT, SETTING_TEXT, "text"},       {NAME, SETTING_CHARS, "text"},
        {LIST, SETTING_LIST, "text"},       {TILE, SETTING_POWER, "whole number"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_int_equal(rows[cases[i].row].field.kind, cases[i].kind);
        assert_string_equal(setting_type_name(&rows[cases[i].row]), cases[i].type);
    }
    assert_true(setting_has_limits(&rows[TILE]) && !setting_has_limits(&rows[SMALL]));
}

static void test_bad_texts(void **state)
{
    (void)state;
    static const struct {
        int row;
        const char *text, *message;
    } cases[] = {
        {FLAG, "maybe", "here: a.flag = 'maybe': expected yes or no"},
        {SECOND, "third", "here: a.second = 'third': expected first or second"},
        {COLOUR, "Red", "expected red, green or blue"},
        {SMALL, "256", "expected a whole number such as 42, 1_000_000 or 1e10"},
        {SMALL, "-1", "a whole number"},
        {MIDDLE, "4294967296", "a whole number"},
        {LARGE, "-1", "a whole number"},
        {LARGE, "2.5", "a whole number"},
        {NEGATIVE, "-6", "from -5 to 1000000000000"},
        {NEGATIVE, "2147483648", "a whole number"},
        {TILE, "1", "a power of two such as 8192 from 2 to 65536"},
        {TILE, "24", "a power of two"},
        {TILE, "131072", "a power of two"},
        {REAL, "-1", "a number such as 0.5 or 1e-3 from 0 to 1e+300"},
        {SINGLE, "nan", "a number"},
        {SECONDS, "5 years", "a duration such as 90s"},
        {NAME, "12345678", "a shorter text"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_int_equal(setting_check(&rows[cases[i].row], cases[i].text, "here"), STATUS_INVALID);
        assert_message(cases[i].message);
    }
}

static void check_stored(int row, const char *text, const char *formatted)
{
    struct sample sample, before;
    char out[SETTING_TEXT_BYTES];
    memset(&sample, 0xa5, sizeof sample);
    before = sample;
    assert_ok(setting_check(&rows[row], text, "here"));
    setting_store(&rows[row], text, &sample);
    assert_string_equal(setting_format(&rows[row], &sample, out), formatted);
    assert_ok(setting_check(&rows[row], out, "here"));
    /* Nothing beside the field is touched. */
    size_t offset = rows[row].field.offset, end = offset + rows[row].field.bytes;
    assert_memory_equal(&sample, &before, offset);
    assert_memory_equal((char *)&sample + end, (char *)&before + end, sizeof sample - end);
}

static void test_stored_and_formatted(void **state)
{
    (void)state;
    check_stored(FLAG, "ON", "yes");
    check_stored(FLAG, "0", "no");
    check_stored(SECOND, "second", "second");
    check_stored(SMALL, "2.55e2", "255");
    check_stored(TILE, "8_192", "8192");
    check_stored(MIDDLE, "4294967295", "4294967295");
    check_stored(LARGE, "9e18", "9000000000000000000");
    check_stored(NEGATIVE, "-5", "-5");
    check_stored(WIDE, "-9223372036854775808", "-9223372036854775808");
    check_stored(SINGLE, "0.1", "0.100000001");
    check_stored(REAL, "0.0009765625", "0.0009765625");
    check_stored(SECONDS, "1h30m", "5400");
    check_stored(COLOUR, "blue", "blue");
    check_stored(TEXT, "any words", "any words");
    check_stored(NAME, "1234567", "1234567");
}

static void test_reals_survive_as_text(void **state)
{
    (void)state;
    struct rng rng = random_stream(5, 0);
    for (int i = 0; i < 10000; i++) {
        struct sample sample = {.single = (float)random_unit(&rng), .real = random_unit(&rng)}, again = {0};
        char out[SETTING_TEXT_BYTES];
        setting_store(&rows[REAL], setting_format(&rows[REAL], &sample, out), &again);
        setting_store(&rows[SINGLE], setting_format(&rows[SINGLE], &sample, out), &again);
        assert_true(again.real == sample.real && again.single == sample.single);
    }
}

static void test_same_meaning(void **state)
{
    (void)state;
    assert_true(setting_same(&rows[LARGE], "1e3", "1_000"));
    assert_false(setting_same(&rows[LARGE], "9007199254740993", "9007199254740992"));
    assert_true(setting_same(&rows[REAL], "5e-1", "0.5"));
    assert_true(setting_same(&rows[FLAG], "on", "yes"));
    assert_true(setting_same(&rows[SECONDS], "90s", "1m30s"));
    assert_false(setting_same(&rows[COLOUR], "red", "blue"));
    assert_false(setting_same(&rows[TEXT], "1e3", "1000"));
    assert_true(setting_same(&rows[LIST], "0 1", "0 1"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_kinds_follow_the_fields),
        cmocka_unit_test(test_bad_texts),
        cmocka_unit_test(test_stored_and_formatted),
        cmocka_unit_test(test_reals_survive_as_text),
        cmocka_unit_test(test_same_meaning),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
