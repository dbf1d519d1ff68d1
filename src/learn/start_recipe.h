/* start_recipe: the section [start] of a training recipe, as settings. */
#ifndef AFTERSTATE_LEARN_START_RECIPE_H
#define AFTERSTATE_LEARN_START_RECIPE_H

#include "base/recipe.h"
#include "base/status.h"
#include "game/grid.h"
#include "learn/settings.h"

/* Fills the settings for a network of n_stages stages. STATUS_INVALID, naming keys and what to change. */
enum status start_recipe_resolve(struct start_settings *start, const struct grid *grid, unsigned n_stages,
                                 const struct recipe *recipe);

#endif
