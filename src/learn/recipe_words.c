#include "learn/recipe_words.h"

#include <stdio.h>
#include <string.h>

enum status recipe_key_context(enum status status, const struct recipe *recipe, const char *section, const char *name)
{
    if (status)
        status_context(status, "%s: %s.%s", recipe_origin(recipe, section, name), section, name);
    return status;
}

enum status recipe_parse_choice(const char *word, const char *const *names, unsigned n, unsigned *choice)
{
    char list[128] = "";
    for (*choice = 0; *choice < n; ++*choice) {
        if (strcmp(word, names[*choice]) == 0)
            return STATUS_OK;
        size_t used = strlen(list);
        snprintf(list + used, sizeof list - used, "%s%s",
                 *choice == 0       ? ""
                 : *choice + 1 == n ? " or "
                                    : ", ",
                 names[*choice]);
    }
    return status_fail(STATUS_INVALID, "'%s': expected %s", word, list);
}

enum status recipe_choose(const struct recipe *recipe, const char *section, const char *name, const char *const *names,
                          unsigned n, unsigned *choice)
{
    return recipe_key_context(recipe_parse_choice(recipe_text(recipe, section, name), names, n, choice), recipe,
                              section, name);
}
