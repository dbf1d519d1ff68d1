/*
 * options: one table of options per verb, read by one parser.
 *
 * A verb lists its options with the option_*() makers below, each tied to the variable it fills; whatever the variable
 * holds before the parse is the default, and that is what --help shows. The same table feeds the parser, the help
 * (help.h) and the guess behind "did you mean".
 *
 * The language: --name value, --name=value, -n value, -nvalue, operands anywhere between, and -- ends the options. The
 * last of a repeated option counts, except for option_texts, which keeps all. A line is read twice, first only to check
 * it: at a --help every variable still holds its default, whatever stood before it on the line.
 */
#ifndef AFTERSTATE_CLI_OPTIONS_H
#define AFTERSTATE_CLI_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/cluster.h"
#include "base/recipe.h"
#include "base/status.h"

enum { OPTION_TEXTS_MAX = 64 };

/* The values of an option that may be repeated, in the order given. They point into argv. */
struct option_texts {
    const char *items[OPTION_TEXTS_MAX];
    size_t n_items;
};

enum option_kind {
    OPTION_FLAG,
    OPTION_TEXT,
    OPTION_INTEGER,
    OPTION_REAL,
    OPTION_CHOICE,
    OPTION_TEXTS,
};

/* One option. Made by the functions below, which tie the kind to the type of its target. */
struct option_spec {
    const char *name; /* without the dashes */
    char letter;      /* the one-letter name, 0 for none */
    enum option_kind kind;
    const char *argument; /* what help calls the value: N, FILE, .. ; NULL for a flag */
    const char *help;     /* lower case, no full stop; range and default are added by the help */
    union {
        bool *flag;
        const char **text;
        int64_t *integer;
        double *real;
        int *choice;
        struct option_texts *texts;
    } target;
    int64_t integer_min, integer_max;
    double real_min, real_max;
    const char *const *choices; /* ends with NULL */
    bool *given;                /* set when the option stands on the line; NULL, as the makers leave it: nobody asks */
};

/* The options that every verb has, beside --help. */
struct common_options {
    bool json;                     /* one object on stdout in place of text for people */
    bool quiet;                    /* no progress on stderr */
    const struct cluster *cluster; /* the processes that run this command together; NULL: this one alone */
};

struct command_example {
    const char *line; /* behind "afterstate VERB " */
    const char *what; /* what it does, one line */
};

/* The command line of one verb. The strings and arrays belong to the caller and outlive the parse. */
struct command_spec {
    const char *operands; /* as the usage line shows them, "" for none: "RECIPE", "TABLE BOARD", "[BOARD]" */
    int min_operands, max_operands;
    const char *description; /* a paragraph for help, NULL for none */
    const struct option_spec *options;
    size_t n_options;
    const struct command_example *examples;
    size_t n_examples;
};

struct operands {
    int n_items;
    char **items; /* the operands in order; these are the first places of argv behind argv[0], which the parse sorts */
};

enum parse_result {
    PARSE_DONE,   /* the targets are filled */
    PARSE_HELP,   /* --help was met before any mistake; the targets are untouched */
    PARSE_FAILED, /* a mistake; status_message() has one line on it; some targets may be filled */
};

struct option_spec option_flag(const char *name, char letter, bool *target, const char *help);
struct option_spec option_text(const char *name, char letter, const char *argument, const char **target,
                               const char *help);
/* A whole number in min .. max, written in any way base/parse.h reads: 1000000, 1_000_000, 1e6. */
struct option_spec option_integer(const char *name, char letter, const char *argument, int64_t *target, int64_t min,
                                  int64_t max, const char *help);
/* A finite number in min .. max; -INFINITY and INFINITY leave a side open. */
struct option_spec option_real(const char *name, char letter, const char *argument, double *target, double min,
                               double max, const char *help);
/* One word of `choices` (ends with NULL); the target is its index. */
struct option_spec option_choice(const char *name, char letter, const char *argument, int *target,
                                 const char *const *choices, const char *help);
struct option_spec option_texts(const char *name, char letter, const char *argument, struct option_texts *target,
                                const char *help);

/* The option of a setting (settings.h) whose field, an int64_t or a double in *settings, it fills. */
struct option_spec option_setting(const struct setting *row, void *settings);

/*
 * The options of a table of settings that are keys of a recipe: every row with an option name. What is given stays
 * text until options_put_settings() puts it over a recipe, so that a file that the line names can be read before.
 */
enum { OPTION_SETTINGS_MAX = 96 };
struct setting_options {
    const struct setting_table *table;
    const char *texts[OPTION_SETTINGS_MAX]; /* of each row; NULL or its default: not given */
};

/* Appends those options to specs[n ..] and returns how many there are then. `defaults`: help shows the defaults. */
size_t options_add_settings(struct option_spec *specs, size_t n, struct setting_options *options, bool defaults);

/* Whether the option of a row was given. */
bool options_setting_given(const struct setting_options *options, const char *name);

/* Sets the keys whose options were given. STATUS_INVALID, naming the option and the key, for a bad value. */
enum status options_put_settings(const struct setting_options *options, struct recipe *recipe);

/*
 * Reads argv[1] .. argv[argc-1] (argv[0] is the verb's name). Fills the targets of `command`, `common` and `operands`.
 * Texts and operands point into argv. `operands` may be NULL for a verb without operands.
 */
enum parse_result options_parse(const struct command_spec *command, struct common_options *common, int argc,
                                char **argv, struct operands *operands);

enum { COMMON_OPTIONS = 3 }; /* --json, --quiet, --help */

/* The shared block as a table, its targets *common and *help. */
void options_list_common(struct option_spec specs[COMMON_OPTIONS], struct common_options *common, bool *help);

/* The values an option takes: "1 to 9", "at least 0", "one of td, tc", "" where anything goes. Returns `buffer`. */
const char *options_describe_range(const struct option_spec *spec, char *buffer, size_t buffer_bytes);

#endif
