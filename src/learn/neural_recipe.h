/* neural_recipe: the section [neural] of a training recipe, as a network and the settings of its trainer. */
#ifndef AFTERSTATE_LEARN_NEURAL_RECIPE_H
#define AFTERSTATE_LEARN_NEURAL_RECIPE_H

#include "base/recipe.h"
#include "base/status.h"
#include "learn/settings.h"
#include "neural/model.h"

#include <stdbool.h>

/* Whether the recipe asks for a neural network. */
bool neural_recipe_asked(const struct recipe *recipe);

/*
 * Fills the spec and the settings but for start, seed and threads. `schema` is the recipe's. STATUS_INVALID, naming
 * keys and what to change; also where [network] or [learn], which are about tuples, say anything.
 */
enum status neural_recipe_resolve(struct neural_spec *spec, struct neural_settings *settings, const struct grid *grid,
                                  const struct recipe *recipe, const struct recipe_key *schema, size_t n_keys);

#endif
