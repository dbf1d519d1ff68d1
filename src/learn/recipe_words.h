/* recipe_words: what the parts of a training recipe share: choices among words, and messages that say where a key is.
 */
#ifndef AFTERSTATE_LEARN_RECIPE_WORDS_H
#define AFTERSTATE_LEARN_RECIPE_WORDS_H

#include "base/recipe.h"
#include "base/status.h"

/* Puts where a key stands and its name before the message that is there; a status of 0 passes. */
enum status recipe_key_context(enum status status, const struct recipe *recipe, const char *section, const char *name);

/* Which of n names a word is. STATUS_INVALID with the list of them. */
enum status recipe_parse_choice(const char *word, const char *const *names, unsigned n, unsigned *choice);

/* The same for the value of a key, with its place in the message. */
enum status recipe_choose(const struct recipe *recipe, const char *section, const char *name, const char *const *names,
                          unsigned n, unsigned *choice);

#endif
