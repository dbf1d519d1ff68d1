/* The option parser: the language of a line, and what each mistake says. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "cli/frame/options.h"

struct values {
    bool fast;
    const char *file;
    int64_t games;
    double rate, budget, time, memory;
    int rule;
    struct option_texts sets;
    bool games_given;
};

struct line {
    struct values values;
    struct cli_call call;
};

static const char *const rules[] = {"td", "tc", "autostep", NULL};

enum { WORDS_MAX = 100 };

/* A command with one of each kind of option, some of them in a group, and up to two operands. */
#define IN(member) OPTION_FIELD(struct values, member)
static const struct option_spec group_rows[] = {
    {"games", 'g', "N", IN(games), "", OPTION_RANGE(1, 1000000000), .given = offsetof(struct values, games_given)},
    {"rate", 'r', "X", IN(rate), "", OPTION_AT_LEAST(0)},
};
static const struct option_spec rows[] = {
    {"fast", 'f', NULL, IN(fast), ""},
    {"file", 0, "FILE", IN(file), ""},
    {OPTION_GROUP_OF(group_rows, struct values, fast)}, /* at offset 0 */
    {"rule", 0, "RULE", IN(rule), "", .choices = rules},
    {"set", 's', "KEY=VALUE", IN(sets), ""},
    {"budget", 0, "TIME", OPTION_SECONDS_FIELD(struct values, budget), ""},
    {"time", 0, "MS", OPTION_MS_FIELD(struct values, time), "", OPTION_RANGE(0, 1000)},
    {"memory", 0, "GB", OPTION_BYTES_FIELD(struct values, memory), "", OPTION_RANGE(0, 100), .unit_bytes = 1e9},
};
static const struct values defaults = {.games = 7, .rate = 0.5};
static const struct command command = {
    .name = "verb", .operands = "[TABLE BOARD]", COMMAND_OPTIONS(rows, struct values), .defaults = &defaults};

/* Parses the words up to NULL as the line of `what`. */
static enum parse_result parse_as(struct line *line, const struct command *what, char **argv)
{
    int argc = 0;
    while (argv[argc] != NULL)
        argc++;
    *line = (struct line){.call.command = what};
    line->call.options = &line->values;
    return options_parse(&line->call, argc, argv);
}

static enum parse_result parse(struct line *line, char **argv)
{
    return parse_as(line, &command, argv);
}

#define LINE(...) ((char *[WORDS_MAX + 2]){"verb", __VA_ARGS__, NULL})

static void expect_failure(char **argv, const char *message)
{
    struct line line;
    assert_int_equal(parse(&line, argv), PARSE_FAILED);
    assert_string_equal(status_message(), message);
}

/* Numbers are read by base/parse, which has its own test; here they only have to arrive. */
static void test_numbers(void **state)
{
    (void)state;
    static const char *const million[] = {"1000000", "1e6", "1_000_000"};
    for (size_t i = 0; i < sizeof million / sizeof *million; i++) {
        struct line line;
        assert_int_equal(parse(&line, LINE("--games", (char *)million[i], "--rate", (char *)million[i])), PARSE_DONE);
        assert_int_equal(line.values.games, 1000000);
        assert_true(line.values.rate == 1e6);
    }
}

static void test_defaults_stay(void **state)
{
    (void)state;
    struct line line;
    assert_int_equal(parse(&line, (char *[]){"verb", NULL}), PARSE_DONE);
    assert_false(line.values.fast || line.call.common.json || line.call.common.quiet);
    assert_null(line.values.file);
    assert_int_equal(line.values.games, 7);
    assert_true(line.values.rate == 0.5);
    assert_int_equal(line.call.n_operands, 0);
}

static void test_every_spelling(void **state)
{
    (void)state;
    struct line line;
    assert_int_equal(parse(&line, LINE("one", "--games", "1e6", "-f", "--rate=0.25", "--set", "a=1", "--rule", "tc",
                                       "-sb=2", "two", "--file=x=y", "--json", "-q")),
                     PARSE_DONE);
    assert_true(line.values.fast && line.call.common.json && line.call.common.quiet);
    assert_string_equal(line.values.file, "x=y");
    assert_int_equal(line.values.games, 1000000);
    assert_true(line.values.rate == 0.25);
    assert_int_equal(line.values.rule, 1);
    assert_int_equal(line.values.sets.n_items, 2);
    assert_string_equal(line.values.sets.items[0], "a=1");
    assert_string_equal(line.values.sets.items[1], "b=2");
    assert_int_equal(line.call.n_operands, 2);
    assert_string_equal(line.call.operands[0], "one");
    assert_string_equal(line.call.operands[1], "two");
}

static void test_last_one_counts(void **state)
{
    (void)state;
    struct line line;
    assert_int_equal(parse(&line, LINE("-g3", "--games=4", "-g", "5")), PARSE_DONE);
    assert_int_equal(line.values.games, 5);
}

/* Distinguished from its default, even where the value is the same. */
static void test_given(void **state)
{
    (void)state;
    struct line line;
    assert_int_equal(parse(&line, LINE("--json")), PARSE_DONE);
    assert_false(line.values.games_given);
    assert_int_equal(parse(&line, LINE("-g7", "--help")), PARSE_HELP);
    assert_false(line.values.games_given);
    assert_int_equal(parse(&line, LINE("-g7")), PARSE_DONE);
    assert_true(line.values.games_given && line.values.games == 7);
}

/* --json implies --quiet. */
static void test_quiet(void **state)
{
    (void)state;
    struct line line;
    assert_int_equal(parse(&line, LINE("--fast")), PARSE_DONE);
    assert_true(!line.call.common.quiet && line.call.common.progress == PROGRESS_AUTO);
    assert_int_equal(parse(&line, LINE("--json")), PARSE_DONE);
    assert_true(line.call.common.quiet && line.call.common.progress == PROGRESS_QUIET);
}

static void test_times(void **state)
{
    (void)state;
    struct line line;
    assert_int_equal(parse(&line, LINE("--budget", "1h30m", "--time", "20")), PARSE_DONE);
    assert_true(line.values.budget == 5400 && line.values.time == 20);
    assert_int_equal(parse(&line, LINE("--budget", "250ms", "--time", "1s")), PARSE_DONE);
    assert_true(line.values.budget == 0.25 && line.values.time == 1000);
    expect_failure(LINE("--budget", "0"), "option '--budget' is '0', expected a duration such as 90s, 30m or 5h");
    expect_failure(LINE("--budget", "5x"), "option '--budget' is '5x', expected a duration such as 90s, 30m or 5h");
    expect_failure(LINE("--time", "2s"), "option '--time' is '2s', expected milliseconds (or 20ms, 1s) from 0 to 1s");
}

static void test_bytes(void **state)
{
    (void)state;
    struct line line;
    assert_int_equal(parse(&line, LINE("--memory", "2")), PARSE_DONE);
    assert_true(line.values.memory == 2);
    assert_int_equal(parse(&line, LINE("--memory", "500MB")), PARSE_DONE);
    assert_true(line.values.memory == 0.5);
    assert_int_equal(parse(&line, LINE("--memory=1.5 TB", "--memory", "3 GB")), PARSE_FAILED); /* each is checked */
    expect_failure(LINE("--memory", "1TB"), "option '--memory' is '1TB', expected GB (or 512MB, 2GB) from 0 to 100");
    expect_failure(LINE("--memory", "much"), "option '--memory' is 'much', expected GB (or 512MB, 2GB) from 0 to 100");
}

static void test_end_of_options(void **state)
{
    (void)state;
    struct line line;
    assert_int_equal(parse(&line, LINE("-", "--", "--games")), PARSE_DONE);
    assert_int_equal(line.call.n_operands, 2);
    assert_string_equal(line.call.operands[0], "-");
    assert_string_equal(line.call.operands[1], "--games");
    /* A value may look like an option, and an empty one is a value. */
    assert_int_equal(parse(&line, LINE("--file", "--help", "--set=")), PARSE_DONE);
    assert_string_equal(line.values.file, "--help");
    assert_string_equal(line.values.sets.items[0], "");
}

static void test_help_leaves_defaults(void **state)
{
    (void)state;
    struct line line;
    assert_int_equal(parse(&line, LINE("--games", "5", "-f", "--help", "--nonsense")), PARSE_HELP);
    assert_int_equal(line.values.games, 7);
    assert_false(line.values.fast);
}

static void test_mistakes(void **state)
{
    (void)state;
    expect_failure(LINE("--game", "5"), "unknown option '--game'; did you mean '--games'?");
    expect_failure(LINE("--game=5"), "unknown option '--game'; did you mean '--games'?");
    expect_failure(LINE("--xylophone"), "unknown option '--xylophone'");
    expect_failure(LINE("-x"), "unknown option '-x'");
    expect_failure(LINE("--games", "abc"), "option '--games' is 'abc', expected a whole number from 1 to 1G");
    expect_failure(LINE("-g0"), "option '--games' is '0', expected a whole number from 1 to 1G");
    expect_failure(LINE("--games="), "option '--games' is '', expected a whole number from 1 to 1G");
    expect_failure(LINE("--games"), "option '--games' needs a value, expected a whole number from 1 to 1G");
    expect_failure(LINE("--file"), "option '--file' needs a value, expected FILE");
    expect_failure(LINE("--rate", "-1"), "option '--rate' is '-1', expected a number of at least 0");
    expect_failure(LINE("--rule", "xyzzy"), "option '--rule' is 'xyzzy', expected one of td, tc, autostep");
    expect_failure(LINE("--rule", "autostop"),
                   "option '--rule' is 'autostop', expected one of td, tc, autostep; did you mean 'autostep'?");
    expect_failure(LINE("--fast=yes"), "option '--fast' takes no value, got 'yes'");
    expect_failure(LINE("a", "b", "--fast", "c"), "unexpected operand 'c', expected [TABLE BOARD]");
}

/* The usage line says how many operands there may be. */
static void test_number_of_operands(void **state)
{
    (void)state;
    static const struct {
        struct command command;
        int least, most;
    } cases[] = {
        {{.name = "verb"}, 0, 0},
        {{.name = "verb", .operands = "RECIPE"}, 1, 1},
        {{.name = "verb", .operands = "[A B]"}, 0, 2},
        {{.name = "verb", .operands = "DIR [BOARD]"}, 1, 2},
        {{.name = "verb", .operands = "RUN ..", .most_operands = 4}, 1, 4},
        {{.name = "verb", .operands = "IN IN .. OUT", .most_operands = 4}, 3, 4},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (int n = 0; n <= 5; n++) {
            char *argv[WORDS_MAX + 2] = {"verb", "--json"};
            struct line line;
            for (int k = 0; k < n; k++)
                argv[2 + k] = "word";
            bool fits = n >= cases[i].least && n <= cases[i].most;
            assert_int_equal(parse_as(&line, &cases[i].command, argv), fits ? PARSE_DONE : PARSE_FAILED);
        }
    struct line line;
    assert_int_equal(parse_as(&line, &cases[1].command, LINE("--json")), PARSE_FAILED);
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
        cmocka_unit_test(test_numbers),
        cmocka_unit_test(test_defaults_stay),
        cmocka_unit_test(test_every_spelling),
        cmocka_unit_test(test_last_one_counts),
        cmocka_unit_test(test_end_of_options),
        cmocka_unit_test(test_help_leaves_defaults),
        cmocka_unit_test(test_mistakes),
        cmocka_unit_test(test_number_of_operands),
        cmocka_unit_test(test_too_many_repeats),
        cmocka_unit_test(test_given),
        cmocka_unit_test(test_quiet),
        cmocka_unit_test(test_times),
        cmocka_unit_test(test_bytes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
