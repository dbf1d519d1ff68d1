/* The option parser: the language of a line, and what each mistake says. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "cli/frame/options.h"

struct line {
    bool fast;
    const char *file;
    int64_t games;
    double rate;
    int rule;
    struct option_texts sets;
    struct common_options common;
    struct operands operands;
};

static const char *const rules[] = {"td", "tc", "autostep", NULL};

enum { WORDS_MAX = 100 };

/* Parses the words up to NULL as the line of a verb with one of each kind of option and up to two operands. */
static enum parse_result parse(struct line *line, char **argv)
{
    *line = (struct line){.games = 7, .rate = 0.5};
    const struct option_spec specs[] = {
        option_flag("fast", 'f', &line->fast, ""),
        option_text("file", 0, "FILE", &line->file, ""),
        option_integer("games", 'g', "N", &line->games, 1, 1000000000, ""),
        option_real("rate", 'r', "X", &line->rate, 0, INFINITY, ""),
        option_choice("rule", 0, "RULE", &line->rule, rules, ""),
        option_texts("set", 's', "KEY=VALUE", &line->sets, ""),
    };
    const struct command_spec command = {.operands = "TABLE [BOARD]",
                                         .min_operands = 0,
                                         .max_operands = 2,
                                         .options = specs,
                                         .n_options = sizeof specs / sizeof *specs};
    int argc = 0;
    while (argv[argc] != NULL)
        argc++;
    return options_parse(&command, &line->common, argc, argv, &line->operands);
}

#define LINE(...) ((char *[WORDS_MAX + 2]){"verb", __VA_ARGS__, NULL})

static void expect_failure(char **argv, const char *message)
{
    struct line line;
    assert_int_equal(parse(&line, argv), PARSE_FAILED);
    assert_string_equal(status_message(), message);
}

/* How a number is read is base/parse's affair; here it only has to arrive. */
static void test_numbers(void **state)
{
    (void)state;
    static const char *const million[] = {"1000000", "1e6", "1_000_000"};
    for (size_t i = 0; i < sizeof million / sizeof *million; i++) {
        struct line line;
        assert_int_equal(parse(&line, LINE("--games", (char *)million[i], "--rate", (char *)million[i])), PARSE_DONE);
        assert_int_equal(line.games, 1000000);
        assert_true(line.rate == 1e6);
    }
}

static void test_defaults_stay(void **state)
{
    (void)state;
    struct line line;
    assert_int_equal(parse(&line, (char *[]){"verb", NULL}), PARSE_DONE);
    assert_false(line.fast || line.common.json || line.common.quiet);
    assert_null(line.file);
    assert_int_equal(line.games, 7);
    assert_true(line.rate == 0.5);
    assert_int_equal(line.operands.n_items, 0);
}

static void test_every_spelling(void **state)
{
    (void)state;
    struct line line;
    assert_int_equal(parse(&line, LINE("one", "--games", "1e6", "-f", "--rate=0.25", "--set", "a=1", "--rule", "tc",
                                       "-sb=2", "two", "--file=x=y", "--json", "-q")),
                     PARSE_DONE);
    assert_true(line.fast && line.common.json && line.common.quiet);
    assert_string_equal(line.file, "x=y");
    assert_int_equal(line.games, 1000000);
    assert_true(line.rate == 0.25);
    assert_int_equal(line.rule, 1);
    assert_int_equal(line.sets.n_items, 2);
    assert_string_equal(line.sets.items[0], "a=1");
    assert_string_equal(line.sets.items[1], "b=2");
    assert_int_equal(line.operands.n_items, 2);
    assert_string_equal(line.operands.items[0], "one");
    assert_string_equal(line.operands.items[1], "two");
}

static void test_last_one_counts(void **state)
{
    (void)state;
    struct line line;
    assert_int_equal(parse(&line, LINE("-g3", "--games=4", "-g", "5")), PARSE_DONE);
    assert_int_equal(line.games, 5);
}

/* Told apart from its default, even where the value is the same. */
static void test_given(void **state)
{
    (void)state;
    struct common_options common = {0};
    int64_t games = 7;
    bool given = false;
    struct option_spec spec = option_integer("games", 'g', "N", &games, 1, 9, "");
    spec.given = &given;
    const struct command_spec command = {.operands = "", .options = &spec, .n_options = 1};
    assert_int_equal(options_parse(&command, &common, 2, LINE("--json"), NULL), PARSE_DONE);
    assert_false(given);
    assert_int_equal(options_parse(&command, &common, 3, LINE("-g7", "--help"), NULL), PARSE_HELP);
    assert_false(given);
    assert_int_equal(options_parse(&command, &common, 2, LINE("-g7"), NULL), PARSE_DONE);
    assert_true(given && games == 7);
}

static void test_end_of_options(void **state)
{
    (void)state;
    struct line line;
    assert_int_equal(parse(&line, LINE("-", "--", "--games")), PARSE_DONE);
    assert_int_equal(line.operands.n_items, 2);
    assert_string_equal(line.operands.items[0], "-");
    assert_string_equal(line.operands.items[1], "--games");
    /* A value may look like an option, and an empty one is a value. */
    assert_int_equal(parse(&line, LINE("--file", "--help", "--set=")), PARSE_DONE);
    assert_string_equal(line.file, "--help");
    assert_string_equal(line.sets.items[0], "");
}

static void test_help_leaves_defaults(void **state)
{
    (void)state;
    struct line line;
    assert_int_equal(parse(&line, LINE("--games", "5", "-f", "--help", "--nonsense")), PARSE_HELP);
    assert_int_equal(line.games, 7);
    assert_false(line.fast);
}

static void test_mistakes(void **state)
{
    (void)state;
    expect_failure(LINE("--game", "5"), "unknown option '--game'; did you mean '--games'?");
    expect_failure(LINE("--game=5"), "unknown option '--game'; did you mean '--games'?");
    expect_failure(LINE("--xylophone"), "unknown option '--xylophone'");
    expect_failure(LINE("-x"), "unknown option '-x'");
    expect_failure(LINE("--games", "abc"), "option '--games' is 'abc', expected a whole number from 1 to 1000000000");
    expect_failure(LINE("-g0"), "option '--games' is '0', expected a whole number from 1 to 1000000000");
    expect_failure(LINE("--games="), "option '--games' is '', expected a whole number from 1 to 1000000000");
    expect_failure(LINE("--games"), "option '--games' needs a value, expected a whole number from 1 to 1000000000");
    expect_failure(LINE("--file"), "option '--file' needs a value, expected FILE");
    expect_failure(LINE("--rate", "-1"), "option '--rate' is '-1', expected a number of at least 0");
    expect_failure(LINE("--rule", "xyzzy"), "option '--rule' is 'xyzzy', expected one of td, tc, autostep");
    expect_failure(LINE("--rule", "autostop"),
                   "option '--rule' is 'autostop', expected one of td, tc, autostep; did you mean 'autostep'?");
    expect_failure(LINE("--fast=yes"), "option '--fast' takes no value, got 'yes'");
    expect_failure(LINE("a", "b", "--fast", "c"), "unexpected operand 'c', expected TABLE [BOARD]");
}

static void test_missing_operand(void **state)
{
    (void)state;
    const struct command_spec command = {.operands = "RECIPE", .min_operands = 1, .max_operands = 1};
    struct common_options common = {0};
    struct operands operands;
    char *argv[] = {"verb", "--json", NULL};
    assert_int_equal(options_parse(&command, &common, 2, argv, &operands), PARSE_FAILED);
    assert_string_equal(status_message(), "missing operand, expected RECIPE");
}

static void test_too_many_repeats(void **state)
{
    (void)state;
    char *argv[WORDS_MAX + 2] = {"verb"};
    for (int i = 1; i <= OPTION_TEXTS_MAX + 1; i++)
        argv[i] = "-sx";
    expect_failure(argv, "option '--set' is given more than 64 times");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_numbers),          cmocka_unit_test(test_defaults_stay),
        cmocka_unit_test(test_every_spelling),   cmocka_unit_test(test_last_one_counts),
        cmocka_unit_test(test_end_of_options),   cmocka_unit_test(test_help_leaves_defaults),
        cmocka_unit_test(test_mistakes),         cmocka_unit_test(test_missing_operand),
        cmocka_unit_test(test_too_many_repeats), cmocka_unit_test(test_given),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
