#include "base/recipe_compare.h"

#include <stdio.h>
#include <string.h>

bool recipe_same_value(const struct recipe *a, const struct recipe *b, const struct recipe_key *key)
{
    const char *section = key->section, *name = key->name;
    if (!key->repeats && key->type == RECIPE_INTEGER)
        return recipe_integer(a, section, name) == recipe_integer(b, section, name);
    if (!key->repeats && key->type == RECIPE_REAL)
        return recipe_real(a, section, name) == recipe_real(b, section, name);
    if (!key->repeats && key->type == RECIPE_FLAG)
        return recipe_flag(a, section, name) == recipe_flag(b, section, name);
    size_t n = recipe_count(a, section, name);
    if (n != recipe_count(b, section, name))
        return false;
    for (size_t i = 0; i < n; i++) {
        if (strcmp(recipe_text_at(a, section, name, i), recipe_text_at(b, section, name, i)) != 0)
            return false;
    }
    return true;
}

static void describe(const struct recipe *recipe, const struct recipe_key *key, char *out, size_t bytes)
{
    size_t n = recipe_count(recipe, key->section, key->name);
    if (n == 1)
        snprintf(out, bytes, "%s", recipe_text(recipe, key->section, key->name));
    else
        snprintf(out, bytes, "%zu lines", n);
}

bool recipe_list_differences(const struct recipe *old, const struct recipe *now, const struct recipe_key *schema,
                             size_t n_keys, const char *const *except, char *list, size_t bytes)
{
    *list = '\0';
    for (size_t i = 0; i < n_keys; i++) {
        char was[100], is[100];
        bool may_differ = false;
        for (const char *const *name = except; *name && !may_differ; name++)
            may_differ = strcmp(*name, schema[i].name) == 0;
        if (may_differ || recipe_same_value(old, now, &schema[i]))
            continue;
        describe(old, &schema[i], was, sizeof was);
        describe(now, &schema[i], is, sizeof is);
        size_t used = strlen(list);
        snprintf(list + used, bytes - used, "%s%s was %s and is %s", used ? ", " : "", schema[i].name, was, is);
    }
    return *list != '\0';
}
