/* grow_settings: the settings of growing a network (grow.h), and their file grow.ini. */
#ifndef AFTERSTATE_STUDY_GROW_SETTINGS_H
#define AFTERSTATE_STUDY_GROW_SETTINGS_H

#include "base/recipe.h"
#include "base/status.h"
#include "ntuple/shape.h"
#include "study/trial_settings.h"

#include <stdbool.h>
#include <stdint.h>

struct grow_settings {
    struct trial trial; /* of the first round of the first step: the tuples of `start_texts`, often none */
    unsigned cells;     /* of a tuple */
    bool connected;
    unsigned n_tuples; /* of the network that is wanted */
    struct setting_list start_texts;
};

/* The keys of grow.ini, for recipe_create(). */
extern const struct setting_table grow_table;

/* Reads the settings from a recipe of those keys. STATUS_INVALID for contradictions. */
enum status grow_settings_resolve(struct grow_settings *settings, const struct recipe *recipe);

/* Writes grow.ini, or compares with the one that is there: STATUS_INVALID, naming keys, if it is another job's.
 *created is whether there was none. */
enum status grow_write_settings(const struct recipe *recipe, const char *directory, bool *created);

#endif
