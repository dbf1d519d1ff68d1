/* neural_recipe: checks the keys of [neural] in a training recipe, and completes the settings. */
#ifndef AFTERSTATE_LEARN_NEURAL_RECIPE_H
#define AFTERSTATE_LEARN_NEURAL_RECIPE_H

#include "base/recipe.h"
#include "base/status.h"
#include "learn/learn_settings.h"
#include "neural/model.h"

/*
 * Checks a spec and settings that the recipe has filled, and sets settings->games if it is 0. STATUS_INVALID, naming
 * keys and what to change.
 */
enum status neural_recipe_resolve(const struct neural_spec *spec, struct neural_settings *settings,
                                  const struct recipe *recipe);

#endif
