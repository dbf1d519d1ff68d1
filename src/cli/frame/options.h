/*
 * options: the command line of a command, as data, and the one parser that reads it.
 *
 * A command is a constant struct: name, summary, options, operands, examples and the function that runs it. Its options
 * are rows that name a field of a struct of the command's own; the type of the field says what the option takes:
 *
 *     #define IN(member) OPTION_FIELD(struct eval_options, member)
 *     static const struct option_spec options[] = {
 *         {"games", 'n', "N", IN(games), "how many games", OPTION_RANGE(1, 1e8)},
 *         {"csv", 0, "FILE", IN(csv), "a line for each finished game"},
 *     };
 *
 * The same rows serve the parser, the help (help.h) and the suggestion after "did you mean".
 *
 * The language: --name value, --name=value, -n value, -nvalue, operands anywhere between, and -- ends the options. The
 * last of a repeated option counts, except for lists, which keep all. A line is read twice, first only to check it:
 * when it has a --help, every option still has its default, whatever came before it on the line.
 */
#ifndef AFTERSTATE_CLI_OPTIONS_H
#define AFTERSTATE_CLI_OPTIONS_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/cluster.h"
#include "base/progress.h"
#include "base/recipe.h"
#include "base/status.h"

enum { OPTION_TEXTS_MAX = 64 };

/* The values of an option that may be repeated, in the order given. They point into argv. */
struct option_texts {
    const char *items[OPTION_TEXTS_MAX];
    size_t n_items;
};

enum option_kind {
    OPTION_FLAG,         /* bool */
    OPTION_TEXT,         /* const char *; points into argv */
    OPTION_INTEGER,      /* int64_t; as base/parse.h reads it: 1000000, 1_000_000, 1e6, 1M */
    OPTION_REAL,         /* double */
    OPTION_DURATION,     /* double, in seconds: 90s, 30m, 1h30m, or a number of seconds */
    OPTION_MILLISECONDS, /* double: a number of milliseconds, or a duration with its unit */
    OPTION_BYTES,        /* double: a number of `unit_bytes`, or bytes with their unit: 2GB, 512MiB */
    OPTION_CHOICE,       /* int, the index of a word in `choices` */
    OPTION_TEXTS,        /* struct option_texts */
    OPTION_GROUP,        /* no option: the rows of `group`, whose fields are in a struct at this offset */
};

struct option_field {
    enum option_kind kind;
    size_t offset;
};

/* A row of a table of options. */
struct option_spec {
    const char *name;     /* without the dashes */
    char letter;          /* the one-letter name, 0 for none */
    const char *argument; /* what help calls the value: N, FILE, .. ; NULL for a flag */
    struct option_field field;
    const char *help;           /* lower case, no full stop; range and default are added by the help */
    double min, max;            /* of a number, inclusive; both 0: any; infinite: open on that side */
    double unit_bytes;          /* of a number of bytes without a unit */
    const char *const *choices; /* of a choice, ends with NULL; of a text, words that a completion offers */
    size_t given;               /* offset of a bool that says whether the option was given; 0: none */
    const struct option_spec *group;
    size_t n_group;
    void *target; /* set by options_bind() */
    bool *given_target;
};

#define OPTION_FIELD(type, member)                                                                                     \
    .field = {_Generic(&((type *)0)->member,                                                                           \
                  bool *: OPTION_FLAG,                                                                                 \
                  const char **: OPTION_TEXT,                                                                          \
                  int64_t *: OPTION_INTEGER,                                                                           \
                  double *: OPTION_REAL,                                                                               \
                  int *: OPTION_CHOICE,                                                                                \
                  struct option_texts *: OPTION_TEXTS),                                                                \
              offsetof(type, member)}
/* A double that takes a duration, as seconds or milliseconds. */
#define OPTION_SECONDS_FIELD(type, member) .field = {OPTION_DURATION, offsetof(type, member)}
#define OPTION_MS_FIELD(type, member)      .field = {OPTION_MILLISECONDS, offsetof(type, member)}
#define OPTION_BYTES_FIELD(type, member)   .field = {OPTION_BYTES, offsetof(type, member)} /* and .unit_bytes */
#define OPTION_RANGE(low, high)            .min = (low), .max = (high)
#define OPTION_AT_LEAST(low)               OPTION_RANGE(low, INFINITY)
/* All rows of a table about the struct `member`. */
#define OPTION_GROUP_OF(rows, type, member)                                                                            \
    .field = {OPTION_GROUP, offsetof(type, member)}, .group = (rows), .n_group = sizeof(rows) / sizeof *(rows)

/* The options that every command has, beside --help. */
struct common_options {
    bool json;                   /* one object on stdout in place of text for people */
    bool quiet;                  /* neither progress nor notices on stderr; --json implies it */
    int colour;                  /* enum colour_mode of colour.h */
    enum progress_mode progress; /* what `quiet` means for a progress bar */
    /* No option: the processes that run this command together; NULL: this one alone. */
    const struct cluster *cluster;
};

struct command_example {
    const char *line; /* after "afterstate NAME " */
    const char *what; /* what it does, one line */
};

/*
 * The options of a table of settings that are keys of a recipe: every row with an option name. What is given stays
 * text until options_put_settings() puts it over a recipe, so that a file that the line names can be read before.
 */
enum { OPTION_SETTINGS_MAX = 96 };
struct setting_options {
    const struct setting_table *table;
    const char *texts[OPTION_SETTINGS_MAX]; /* of each row; NULL or its default: not given */
};

struct cli_call;

/* A command. Strings and arrays are constant. */
struct command {
    const char *name;           /* "eval"; of a sub-command both words: "net info" */
    const char *heading;        /* in the list of verbs; those of one heading stand together */
    const char *summary;        /* one line, lower case, no full stop */
    const char *operand_folder; /* the data folder whose files are named by operands (named_files.h); NULL: none */
    /* As the usage line shows them: "DIR", "DIR [BOARD]", "RUN .."; NULL for none. Their number is checked by it. */
    const char *operands;
    int most_operands;       /* where ".." in the line allows more of them */
    const char *description; /* a paragraph for help, NULL for none */
    const struct option_spec *options;
    size_t n_options;
    size_t options_bytes;                 /* of the struct that the options fill */
    const void *defaults;                 /* such a struct; NULL: all zero */
    const struct setting_table *settings; /* options of a recipe's keys too; NULL: none */
    bool settings_defaults;               /* help shows their defaults */
    const struct command_example *examples;
    size_t n_examples;
    bool clustered;     /* runs on all ranks of a cluster; else on the first only */
    bool interruptible; /* SIGINT and SIGTERM set the flag of signals.h; else they end the process */
    enum status (*run)(struct cli_call *call);
    const struct command *const *parts; /* sub-commands, at most 16, instead of `run` */
    size_t n_parts;
};
#define COMMAND_OPTIONS(rows, type)                                                                                    \
    .options = (rows), .n_options = sizeof(rows) / sizeof *(rows), .options_bytes = sizeof(type)
#define COMMAND_EXAMPLES(rows) .examples = (rows), .n_examples = sizeof(rows) / sizeof *(rows)

/* One command line: a command with the values that it was called with. */
struct cli_call {
    const struct command *command;
    void *options; /* the command's struct: defaults, and what was given */
    struct setting_options settings;
    struct common_options common;
    int n_operands;
    char **operands; /* in order; they stand in argv[1] .., which the parser sorts */
};

enum parse_result {
    PARSE_DONE,   /* the call is filled */
    PARSE_HELP,   /* --help was met before any mistake; the call holds the defaults */
    PARSE_FAILED, /* a mistake; status_message() has one line on it; some values may be filled */
};

/*
 * Reads argv[1] .. argv[argc-1] into a call, which comes with `command`, `options` (zeroed or not, it gets the
 * defaults) and what stood before the verb in `common`. Texts and operands point into argv.
 */
enum parse_result options_parse(struct cli_call *call, int argc, char **argv);

/* The options of a call with their targets, the command's own first, then --json, --quiet, --color and --help. */
enum { OPTIONS_MAX = 64, COMMON_OPTIONS = 4 };
struct bound_options {
    struct option_spec items[OPTIONS_MAX];
    size_t n_own, n;
    bool help;
};

/* Puts the defaults into the call and binds its options to it. */
void options_bind(struct bound_options *bound, struct cli_call *call);

/* Whether the option of a setting was given. */
bool options_setting_given(const struct setting_options *options, const char *name);

/* Sets the keys whose options were given. STATUS_INVALID, naming the option, for a bad value. */
enum status options_put_settings(const struct setting_options *options, struct recipe *recipe);

/* A number of an option as short as it may be typed: "42", "100M", of milliseconds "1h". Returns `buffer`. */
const char *options_describe_number(const struct option_spec *spec, double number, char *buffer, size_t buffer_bytes);

/* The values an option takes: "1 to 9", "at least 0", "one of td, tc", "" where anything goes. Returns `buffer`. */
const char *options_describe_range(const struct option_spec *spec, char *buffer, size_t buffer_bytes);

#endif
