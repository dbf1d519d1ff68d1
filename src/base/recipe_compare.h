/* recipe_compare: in what two recipes of one schema differ, for jobs that may only go on with their own. */
#ifndef AFTERSTATE_BASE_RECIPE_COMPARE_H
#define AFTERSTATE_BASE_RECIPE_COMPARE_H

#include "base/recipe.h"

#include <stdbool.h>
#include <stddef.h>

/* Whether two recipes mean the same by a key of their schema, however it is written ("1e3" is 1000). */
bool recipe_same_value(const struct recipe *a, const struct recipe *b, const struct recipe_key *key);

/*
 * Writes "games was 40 and is 50, seed was 1 and is 2" into list[0 .. bytes-1], "" if no key differs, but for those
 * whose names are in `except` (ends with NULL). Returns whether there is a difference.
 */
bool recipe_list_differences(const struct recipe *old, const struct recipe *now, const struct recipe_key *schema,
                             size_t n_keys, const char *const *except, char *list, size_t bytes);

#endif
