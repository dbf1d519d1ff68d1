/*
 * recipe: the INI files that describe an experiment, read through inih against a table of settings (settings.h), so
 * that every key has a type, a range and a default, and a misspelt key is an error that names the nearest one.
 *
 *     include = base-4x6.ini      ; before any section; relative to this file
 *     [learn]
 *     rate = 0.5                  ; a comment starts at a ';' after a space, or a line at ';' or '#'
 *
 * Order of strength: defaults, included files, the file itself, later files, recipe_set(). A key that repeats holds a
 * list: its lines within one file add up, a stronger source replaces the list, and an empty value empties it. Any other
 * key may stand once in a file. A line is at most RECIPE_MAX_LINE long (a limit of inih), a longer one is an error.
 * Spaces before a line mean nothing: inih's continuation lines are switched off, since they would swallow indented
 * keys.
 *
 * A recipe belongs to one thread while it is filled; the getters may then be used by many.
 */
#ifndef AFTERSTATE_BASE_RECIPE_H
#define AFTERSTATE_BASE_RECIPE_H

#include "base/settings.h"
#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>

enum { RECIPE_MAX_LINE = 198, RECIPE_MAX_DEPTH = 8 };

struct recipe;

/*
 * A recipe with all defaults. The table is borrowed. STATUS_USAGE if the table itself is wrong: a bad name, a key
 * twice, a default that is not of its type and range. *out is NULL after a failure.
 */
enum status recipe_create(struct recipe **out, const struct setting_table *table);

/* recipe_create(), then recipe_load(). *out is NULL after a failure. */
enum status recipe_open(struct recipe **out, const struct setting_table *table, const char *path);

/* NULL is fine. */
void recipe_free(struct recipe *recipe);

/*
 * Reads a file and what it includes (RECIPE_MAX_DEPTH deep at most, loops refused). STATUS_IO if a file cannot be read,
 * STATUS_INVALID, with file and line, for anything wrong in it. After a failure the values are a mixture: free it.
 */
enum status recipe_load(struct recipe *recipe, const char *path);

/* The same from a text; messages call it `name`. A text has no folder, so `include` is refused here. */
enum status recipe_load_text(struct recipe *recipe, const char *name, const char *text);

/*
 * Sets one key from "section.key=value"; messages call it `origin` ("--set"). Several settings of a list add up, of any
 * other key the last one counts. STATUS_INVALID if it is not of that form, unknown or a bad value; nothing is changed
 * then.
 */
enum status recipe_set(struct recipe *recipe, const char *assignment, const char *origin);

/* The same for one value of a key, as text. */
enum status recipe_set_text(struct recipe *recipe, const char *section, const char *name, const char *text,
                            const char *origin);

/* Fills the fields of *settings, the struct that the rows are about. Texts and lists in it belong to the recipe and
   live until it changes. Values were checked when they came in, so this cannot fail. */
void recipe_get(const struct recipe *recipe, void *settings);

/* The opposite: every key but lists gets the value of its field, as text. STATUS_INVALID for a value out of range. */
enum status recipe_put(struct recipe *recipe, const void *settings);

/* The text of a key, the first of a list; and where it comes from: "my.ini:12", "--set", "default". The key must be
   in the table, and a list must not be empty (both asserted). */
const char *recipe_text(const struct recipe *recipe, const char *section, const char *name);
const char *recipe_origin(const struct recipe *recipe, const char *section, const char *name);

/* Puts the origin and name of a key before the message that is there; a status of 0 passes. Returns the status. */
enum status recipe_context(enum status status, const struct recipe *recipe, const char *section, const char *name);

/* The first key that is not about a kind of job (a bit of setting.about) and has another value than its default; NULL
   if there is none. */
const struct setting *recipe_find_foreign(const struct recipe *recipe, unsigned kind);

/*
 * Writes "job.games was '40' and is '50'; job.seed was '1' and is '2'" into list[0 .. bytes-1], "" if nothing differs
 * but keys that may change: those whose bits in setting.may_change are among `may_change`. Values are compared, not how
 * they are written. Returns whether there is a difference. Both recipes are of the same rows.
 */
bool recipe_list_differences(const struct recipe *old, const struct recipe *now, unsigned may_change, char *list,
                             size_t bytes);

/*
 * The resolved recipe as INI text in *text, which the caller frees: every key that is about that kind of job (a bit of
 * setting.about; 0: every key), in the table's order, no includes. Read again it gives the same values.
 * STATUS_NO_MEMORY leaves *text NULL.
 */
enum status recipe_write(const struct recipe *recipe, unsigned kind, char **text);

/* Writes that text as a file, safely (file.h). STATUS_NO_MEMORY, STATUS_IO. */
enum status recipe_save(const struct recipe *recipe, const char *path);

#endif
