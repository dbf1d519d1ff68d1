/* grow_file: the files of a directory in which a network grows: grow.ini and trials.csv. */
#ifndef AFTERSTATE_STUDY_GROW_FILE_H
#define AFTERSTATE_STUDY_GROW_FILE_H

#include "base/recipe.h"
#include "base/status.h"
#include "study/trial.h"

#include <stddef.h>

/* One line of trials.csv: which trial, and how it went. */
struct grow_trial {
    unsigned step, round; /* from 1 */
    unsigned tuple;       /* number in the list from 1; 0: the chosen set alone */
    struct trial_result result;
};

struct grow_trials {
    size_t n, room;
    struct grow_trial *items;
};

/* Adds one. STATUS_NO_MEMORY. */
enum status grow_trials_add(struct grow_trials *trials, const struct grow_trial *trial);
/* The one of the same step, round and tuple, or NULL. */
const struct grow_trial *grow_trials_find(const struct grow_trials *trials, const struct grow_trial *key);
void grow_trials_free(struct grow_trials *trials);

/* Writes trials.csv, sorted by step, round and tuple; reads it, if it is there. */
enum status grow_trials_write(struct grow_trials *trials, const char *directory);
enum status grow_trials_read(struct grow_trials *trials, const char *directory);

/* Writes grow.ini, or compares with the one that is there: STATUS_INVALID, naming keys, if it is another job's. */
enum status grow_write_settings(const struct recipe *recipe, const char *directory);

#endif
