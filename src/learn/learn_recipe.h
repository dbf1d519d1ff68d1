/* learn_recipe: refuses keys of [learn] in a training recipe that contradict each other. */
#ifndef AFTERSTATE_LEARN_LEARN_RECIPE_H
#define AFTERSTATE_LEARN_LEARN_RECIPE_H

#include "base/recipe.h"
#include "base/status.h"
#include "learn/learn_settings.h"

/* Checks settings that the recipe has filled, rules and lambda included. STATUS_INVALID, naming keys and what to
   change. */
enum status learn_recipe_check(const struct learn_settings *learn, const struct recipe *recipe);

/* The part about learn.average, which neural runs have too. */
enum status learn_recipe_check_average(const struct learn_settings *learn, const struct recipe *recipe);

#endif
