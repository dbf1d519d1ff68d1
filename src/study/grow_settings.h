/* grow_settings: the settings of growing a network (grow.h), and their file grow.ini. */
#ifndef AFTERSTATE_STUDY_GROW_SETTINGS_H
#define AFTERSTATE_STUDY_GROW_SETTINGS_H

#include "base/recipe.h"
#include "base/status.h"
#include "ntuple/shape.h"
#include "study/trial.h"

#include <stdbool.h>
#include <stdint.h>

struct grow_settings {
    uint8_t rows, cols;
    unsigned cells;
    bool connected;
    unsigned n_tuples; /* of the network that is wanted */
    uint64_t games;    /* of a trial in the first round of a step */
    double last_percent;
    unsigned n_values;
    char vse[TRIAL_VSE_BYTES]; /* ranges of a split encoding; "": none */
    bool tc;                   /* temporal coherence instead of TD */
    double rate;
    uint64_t seed;
    struct setting_list start_texts;
    struct shape start; /* those texts: chosen beforehand; may be empty */
};

/* The keys of grow.ini, for recipe_create(). */
extern const struct setting_table grow_table;

/* Reads the settings from a recipe of those keys. STATUS_INVALID for contradictions. */
enum status grow_settings_resolve(struct grow_settings *settings, const struct recipe *recipe);

/* Writes grow.ini, or compares with the one that is there: STATUS_INVALID, naming keys, if it is another job's.
 *created is whether there was none. */
enum status grow_write_settings(const struct recipe *recipe, const char *directory, bool *created);

#endif
