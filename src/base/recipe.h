/*
 * recipe: the INI files that describe an experiment, read through inih against a schema, so that every key has a type,
 * a range and a default, and a misspelt key is an error that names the nearest one.
 *
 *     include = base-4x6.ini      ; before any section; relative to this file
 *     [learn]
 *     rate = 0.5                  ; a comment starts at a ';' behind a space, or a line at ';' or '#'
 *
 * Order of strength: defaults, included files, the file itself, later files, recipe_set(). A key marked `repeats` holds
 * a list: its lines within one file add up, a stronger source replaces the list, and an empty value empties it. Any
 * other key may stand once in a file. A line is at most RECIPE_MAX_LINE long (a limit of inih), a longer one is an
 * error. Spaces before a line mean nothing: inih's continuation lines are switched off, since they would swallow
 * indented keys.
 *
 * A recipe belongs to one thread while it is filled; the getters may then be used by many.
 */
#ifndef AFTERSTATE_BASE_RECIPE_H
#define AFTERSTATE_BASE_RECIPE_H

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { RECIPE_MAX_LINE = 198, RECIPE_MAX_DEPTH = 8 };

enum recipe_type {
    RECIPE_TEXT,
    RECIPE_INTEGER,  /* see parse_integer(): 1e10 and 1_000_000 are whole numbers too */
    RECIPE_REAL,     /* see parse_real() */
    RECIPE_FLAG,     /* see parse_flag() */
    RECIPE_DURATION, /* see parse_duration(); in seconds */
    RECIPE_BYTES,    /* see parse_bytes() */
};

struct recipe_key {
    const char *section, *name; /* not empty, of letters, digits, '_' and '-' */
    enum recipe_type type;
    const char *fallback; /* the default, as it would be written; NULL is "" for a text and no values for a list */
    bool repeats;
    double minimum, maximum; /* of a number, duration or size; both 0: any */
    const char *help;        /* one line, may be NULL */
};

struct recipe;

/*
 * A recipe with all defaults. The schema's n keys are not copied and must outlive the recipe. STATUS_USAGE if the
 * schema itself is wrong: a bad name, a key twice, a default that is not of its type and range.
 */
enum status recipe_create(struct recipe **out, const struct recipe_key *schema, size_t n);

/* NULL is fine. */
void recipe_free(struct recipe *recipe);

/*
 * Reads a file and what it includes (RECIPE_MAX_DEPTH deep at most, loops refused). STATUS_IO if a file cannot be read,
 * STATUS_INVALID, with file and line, for anything wrong in it. After a failure the values are a mixture: free it.
 */
enum status recipe_load(struct recipe *recipe, const char *path);

/* The same from a text; `name` stands in messages. A text has no folder, so `include` is refused here. */
enum status recipe_load_text(struct recipe *recipe, const char *name, const char *text);

/*
 * Sets one key from "section.key=value"; `origin` ("--set") stands in messages. Several settings of a list add up, of
 * any other key the last one counts. STATUS_INVALID if it is not of that form, unknown or a bad value; nothing is
 * changed then.
 */
enum status recipe_set(struct recipe *recipe, const char *assignment, const char *origin);

/*
 * The value of a key that must be in the schema with that type (asserted: anything else is our mistake). Values were
 * checked when they came in, so getters cannot fail. Texts belong to the recipe and live until it changes.
 */
const char *recipe_text(const struct recipe *recipe, const char *section, const char *name); /* of any type */
int64_t recipe_integer(const struct recipe *recipe, const char *section, const char *name);
double recipe_real(const struct recipe *recipe, const char *section, const char *name);
bool recipe_flag(const struct recipe *recipe, const char *section, const char *name);
double recipe_duration(const struct recipe *recipe, const char *section, const char *name);
uint64_t recipe_bytes(const struct recipe *recipe, const char *section, const char *name);

/* Number of values of a key, 1 unless it repeats; and value i of them, below that number, as text. */
size_t recipe_count(const struct recipe *recipe, const char *section, const char *name);
const char *recipe_text_at(const struct recipe *recipe, const char *section, const char *name, size_t i);

/* Whether a file or a setting gave the key, and where the present value comes from: "my.ini:12", "--set", "default". */
bool recipe_given(const struct recipe *recipe, const char *section, const char *name);
const char *recipe_origin(const struct recipe *recipe, const char *section, const char *name);

/*
 * The resolved recipe as INI text in *text, which the caller frees: every key, in the schema's order, no includes. Read
 * again it gives the same values. STATUS_NO_MEMORY leaves *text NULL.
 */
enum status recipe_write(const struct recipe *recipe, char **text);

#endif
