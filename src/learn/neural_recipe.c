/* neural_recipe: checks the keys of [neural] in a training recipe, and completes the settings. */
#include "learn/neural_recipe.h"

/* Default games in lock-step: many make matrix products fast, few let each game advance between updates. */
enum { FEWEST_GAMES = 5 /* the paper's generators */, MOST_GAMES = 256, GAMES_OF_GAMES = 64, BATCH_PARTS = 4 };

static unsigned default_games(enum batching batching, unsigned batch)
{
    unsigned games = batch / BATCH_PARTS;
    if (batching == BATCH_POSITION)
        return 1; /* the paper's generator and trainer take turns */
    if (batching == BATCH_GAME)
        return GAMES_OF_GAMES;
    return games < FEWEST_GAMES ? FEWEST_GAMES : games < MOST_GAMES ? games : MOST_GAMES;
}

enum status neural_recipe_resolve(const struct neural_spec *spec, struct neural_settings *settings,
                                  const struct recipe *recipe)
{
    uint64_t n_weights;
    if (spec->planes == 17)
        return status_fail(STATUS_INVALID, "%s: neural.planes is 17: expected 16 or 18",
                           recipe_origin(recipe, "neural", "planes"));
    enum status status = recipe_context(neural_measure(spec, &n_weights), recipe, "neural", "model");
    if (!status && settings->games == 0)
        settings->games = default_games(settings->batching, settings->batch);
    return status;
}
