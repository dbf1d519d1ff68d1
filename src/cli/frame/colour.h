/*
 * colour: whether output has colours (--color), and the few that lines of text use. `auto` is where a terminal reads
 * and the environment variable NO_COLOR is not set.
 */
#ifndef AFTERSTATE_CLI_COLOUR_H
#define AFTERSTATE_CLI_COLOUR_H

#include <stdbool.h>
#include <stdio.h>

enum colour_mode { COLOUR_AUTO, COLOUR_ALWAYS, COLOUR_NEVER };
extern const char *const colour_names[]; /* the words of --color, in this order; NULL at the end */

/* The mode of a word; false if it is none. */
bool colour_parse(const char *word, int *mode);

/* Whether what is written to `stream` has colours. */
bool colour_wanted(enum colour_mode mode, FILE *stream);

enum colour { COLOUR_NONE, COLOUR_BOLD, COLOUR_GOOD, COLOUR_BAD };

/* The bytes that begin a colour on standard output, "" without colours; COLOUR_NONE ends it. */
const char *colour_begin(enum colour_mode mode, enum colour colour);

#endif
