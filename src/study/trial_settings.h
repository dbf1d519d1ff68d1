/*
 * trial_settings: the settings that campaigns (campaign_settings.h) and growing (grow_settings.h) share: which tuples
 * there are to choose from, and how a trial learns. Each has them in a section of its own, as fields `cells`,
 * `connected` and `trial` of its struct.
 */
#ifndef AFTERSTATE_STUDY_TRIAL_SETTINGS_H
#define AFTERSTATE_STUDY_TRIAL_SETTINGS_H

#include "base/settings.h"
#include "ntuple/encoding.h"
#include "study/trial.h"

/* The words of the key `rule`, by `trial.tc`. */
extern const char *const trial_rules[];

/* Rows of a table of settings: the board and the tuples on it; the encoding and the update rule. */
/* clang-format off */
#define TRIAL_TUPLE_ROWS(section, type)                                                                                \
    {section, "rows", "4", SETTING_FIELD(type, trial.rows), "rows of the board", SETTING_LIMITS(1, BOARD_MAX_SIDE)},   \
    {section, "cols", "4", SETTING_FIELD(type, trial.cols), "columns of the board",                                    \
     SETTING_LIMITS(1, BOARD_MAX_SIDE)},                                                                               \
    {section, "cells", "6", SETTING_FIELD(type, cells), "cells of a tuple", SETTING_LIMITS(1, TUPLE_MAX_CELLS),        \
     SETTING_OPTION("cells", 'n', "N")},                                                                               \
    {section, "connected", "yes", SETTING_FIELD(type, connected), "only tuples of connected cells",                    \
     SETTING_OPTION("connected", 'c', "WHETHER")}

#define TRIAL_LEARNING_ROWS(section, type)                                                                             \
    {section, "values", "0", SETTING_FIELD(type, trial.n_values),                                                      \
     "values that a cell can have; 0 means all of the board, at most 16", SETTING_LIMITS(0, ENCODING_VALUES),          \
     SETTING_OPTION("values", 'v', "K")},                                                                              \
    {section, "vse", NULL, SETTING_FIELD(type, trial.vse),                                                             \
     "a vertical split encoding: ranges of exponents such as '1-7 8-13 14-17'", SETTING_OPTION("vse", 0, "RANGES")},   \
    {section, "rule", "td", SETTING_FIELD(type, trial.tc), "td, or tc (temporal coherence)", .choices = trial_rules,   \
     SETTING_OPTION("rule", 0, "RULE")},                                                                               \
    {section, "rate", "0", SETTING_FIELD(type, trial.rate),                                                            \
     "learning rate; td: of each weight, tc: shared by the look-ups; 0 means 2^-10 for td, 1 for tc",                  \
     SETTING_LIMITS(0, 1), SETTING_OPTION("rate", 'r', "RATE")}
/* clang-format on */

/* Puts the usual rate in place of 0. STATUS_INVALID for encodings that contradict each other. */
enum status trial_settings_resolve(struct trial *trial);

#endif
