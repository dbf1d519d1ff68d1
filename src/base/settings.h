/*
 * settings: a setting is declared once, as a row of a constant table that names its section and key, its default, its
 * range, the field of a struct it fills, and what else is known of it. Reading recipes, writing them, comparing them,
 * command-line options and lists of keys all work from that row (recipe.h, cli/options.h).
 *
 *     #define IN(member) SETTING_FIELD(struct job, member)
 *     static const struct setting rows[] = {
 *         {"job", "games", "1e6", IN(n_games), "games to play", SETTING_LIMITS(1, 1e12)},
 *         {"job", "order", "forward", IN(backward), "forward or backward", .choices = orders},
 *         {"job", "tuple", NULL, IN(tuples), "one more tuple; repeats"},
 *     };
 *
 * The type of the field says which texts a setting takes. All functions may be called by any thread.
 */
#ifndef AFTERSTATE_BASE_SETTINGS_H
#define AFTERSTATE_BASE_SETTINGS_H

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { SETTING_TEXT_BYTES = 200 }; /* room for the text of any setting */

enum setting_kind {
    SETTING_FLAG,     /* bool; parse_flag() */
    SETTING_UNSIGNED, /* unsigned integers and enums; parse_integer(), refused where the field is too narrow */
    SETTING_SIGNED,   /* int, int64_t; parse_integer() */
    SETTING_REAL,     /* float, double; parse_real() */
    SETTING_DURATION, /* double, in seconds; parse_duration() */
    SETTING_POWER,    /* uint8_t, the exponent of a power of two, which is what the text and the range are about */
    SETTING_TEXT,     /* const char *; belongs to the recipe it was read from */
    SETTING_CHARS,    /* char[]; a text that fits */
    SETTING_LIST,     /* struct setting_list; the key may be repeated */
};

/* The values of a key that repeats. They belong to the recipe they were read from. */
struct setting_list {
    size_t n;
    const char *const *items;
};

struct setting_field {
    enum setting_kind kind;
    size_t bytes, offset;
};

struct setting {
    const char *section, *name; /* not empty, of letters, digits, '_' and '-' */
    const char *fallback;       /* the default as text; NULL is "" for a text and no values for a list */
    struct setting_field field;
    const char *help;            /* one line, lower case, no full stop */
    double minimum, maximum;     /* of a number, inclusive; both 0: any */
    const char *const *choices;  /* the words it takes, ends with NULL; the field (integer, enum, bool) is the index */
    unsigned about;              /* bits of the kinds of job that the key is about; 0: of all */
    unsigned may_change;         /* bits that say when a job that resumes may change it; 0: never */
    const char *option;          /* its name on the command line, without the dashes; NULL: none */
    char letter;                 /* the option's one-letter name, 0: none */
    const char *option_argument; /* what help calls the option's value */
};

/* All settings of one struct, in the order in which they are written. */
struct setting_table {
    const struct setting *rows;
    size_t n;
};
#define SETTING_TABLE(rows_)                                                                                           \
    {                                                                                                                  \
        .rows = (rows_), .n = sizeof(rows_) / sizeof *(rows_)                                                          \
    }

/* The field of a row; a type of field that no setting can have does not compile. */
#define SETTING_FIELD_AS(kind_, type, member) .field = {(kind_), sizeof((type *)0)->member, offsetof(type, member)}
#define SETTING_FIELD(type, member)                                                                                    \
    SETTING_FIELD_AS(_Generic(&((type *)0)->member,                                                                    \
                         bool *: SETTING_FLAG,                                                                         \
                         uint8_t *: SETTING_UNSIGNED,                                                                  \
                         unsigned *: SETTING_UNSIGNED,                                                                 \
                         unsigned long *: SETTING_UNSIGNED,                                                            \
                         unsigned long long *: SETTING_UNSIGNED,                                                       \
                         int *: SETTING_SIGNED,                                                                        \
                         long *: SETTING_SIGNED,                                                                       \
                         long long *: SETTING_SIGNED,                                                                  \
                         float *: SETTING_REAL,                                                                        \
                         double *: SETTING_REAL,                                                                       \
                         const char **: SETTING_TEXT,                                                                  \
                         char(*)[sizeof((type *)0)->member]: SETTING_CHARS,                                            \
                         struct setting_list *: SETTING_LIST),                                                         \
                     type, member)
#define SETTING_LIMITS(low, high)                 .minimum = (low), .maximum = (high)
#define SETTING_OPTION(name_, letter_, argument_) .option = (name_), .letter = (letter_), .option_argument = (argument_)

/* Whether a row has a range. */
static inline bool setting_has_limits(const struct setting *row)
{
    return row->minimum != 0 || row->maximum != 0;
}

/* What a row's value is, as one word or two: "flag", "whole number", "number", "duration", "text". */
const char *setting_type_name(const struct setting *row);

/* Whether the row takes the text as a value. STATUS_INVALID with `origin` ("my.ini:12"), the key and what it takes. */
enum status setting_check(const struct setting *row, const char *text, const char *origin);

/* Puts the value of a text that setting_check() passed into its field of *settings; no list. */
void setting_store(const struct setting *row, const char *text, void *settings);

/* The text of a field of *settings, from which setting_store() makes the same value; no list. Returns `out`. */
const char *setting_format(const struct setting *row, const void *settings, char out[SETTING_TEXT_BYTES]);

/* Whether two texts that setting_check() passed mean the same ("1e3" is 1000). Texts of a list are compared as such. */
bool setting_same(const struct setting *row, const char *a, const char *b);

#endif
