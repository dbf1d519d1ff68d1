#include "learn/neural_recipe.h"

/* Default games in lock-step: many make matrix products fast, few let each game advance between updates. */
enum { FEWEST_GAMES = 5 /* the paper's generators */, MOST_GAMES = 256, GAMES_OF_GAMES = 64, BATCH_PARTS = 4 };

/* [network] and [learn] are about tuples; a value other than the default would be ignored there. */
static enum status check_tuple_keys(const struct recipe *recipe)
{
    const struct setting *row = recipe_find_change(recipe, "network");
    if (!row)
        row = recipe_find_change(recipe, "learn");
    if (!row)
        return STATUS_OK;
    return status_fail(STATUS_INVALID,
                       "%s: %s.%s is about n-tuple networks, and neural.model = %s (%s) asks for a neural one: leave "
                       "one of them out",
                       recipe_origin(recipe, row->section, row->name), row->section, row->name,
                       recipe_text(recipe, "neural", "model"), recipe_origin(recipe, "neural", "model"));
}

/* Values within the limits of their keys that are still impossible. */
static enum status check_numbers(const struct neural_spec *spec, const struct adam_settings *adam,
                                 const struct recipe *recipe)
{
    const struct {
        const char *name;
        double value, impossible;
        const char *expected;
    } checks[] = {
        {"scale", spec->scale, 0, "above 0"}, {"planes", spec->planes, 17, "16 or 18"},
        {"rate", adam->rate, 0, "above 0"},   {"beta1", adam->beta1, 1, "below 1"},
        {"beta2", adam->beta2, 1, "below 1"}, {"epsilon", adam->epsilon, 0, "above 0"},
    };
    for (size_t i = 0; i < sizeof checks / sizeof *checks; i++)
        if (checks[i].value == checks[i].impossible)
            return status_fail(STATUS_INVALID, "%s: neural.%s is %g: expected %s",
                               recipe_origin(recipe, "neural", checks[i].name), checks[i].name, checks[i].value,
                               checks[i].expected);
    return STATUS_OK;
}

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
    enum status status = check_tuple_keys(recipe);
    if (!status)
        status = check_numbers(spec, &settings->adam, recipe);
    if (!status)
        status = recipe_context(neural_measure(spec, &n_weights), recipe, "neural", "model");
    if (!status && settings->games == 0)
        settings->games = default_games(settings->batching, settings->batch);
    return status;
}
