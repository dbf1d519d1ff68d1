#include "learn/neural_recipe.h"

#include "base/recipe_compare.h"
#include "learn/neural_trainer.h"
#include "learn/recipe_words.h"

#include <stdio.h>
#include <string.h>

/* Games in lock-step if the recipe leaves it open: products want many, learning wants each game to get on. */
enum { FEWEST_GAMES = 5 /* the paper's generators */, MOST_GAMES = 256, GAMES_OF_GAMES = 64, BATCH_PARTS = 4 };

bool neural_recipe_asked(const struct recipe *recipe)
{
    return *recipe_text(recipe, "neural", "model") != '\0';
}

/* [network] and [learn] are about tuples: what they say besides their defaults would be ignored. */
static enum status check_others(const struct recipe *recipe, const struct recipe_key *schema, size_t n_keys)
{
    struct recipe *defaults;
    enum status status = recipe_create(&defaults, schema, n_keys);
    for (size_t i = 0; i < n_keys && !status; i++) {
        const struct recipe_key *key = &schema[i];
        if (strcmp(key->section, "network") != 0 && strcmp(key->section, "learn") != 0)
            continue;
        if (!recipe_same_value(defaults, recipe, key))
            status = status_fail(STATUS_INVALID,
                                 "%s: %s.%s is about n-tuple networks, and neural.model = %s (%s) asks for a neural "
                                 "one: leave one of them out",
                                 recipe_origin(recipe, key->section, key->name), key->section, key->name,
                                 recipe_text(recipe, "neural", "model"), recipe_origin(recipe, "neural", "model"));
    }
    recipe_free(defaults);
    return status;
}

static enum status resolve_spec(struct neural_spec *spec, const struct grid *grid, const struct recipe *recipe)
{
    const char *model = recipe_text(recipe, "neural", "model");
    const char *plays[NEURAL_PLAYS];
    unsigned play = 0;
    uint64_t n_weights;
    for (unsigned i = 0; i < NEURAL_PLAYS; i++)
        plays[i] = neural_play_name((enum neural_play)i);
    enum status status = recipe_choose(recipe, "neural", "play", plays, NEURAL_PLAYS, &play);
    if (status)
        return status;
    *spec = (struct neural_spec){.rows = grid->rows,
                                 .cols = grid->cols,
                                 .planes = (uint8_t)recipe_integer(recipe, "neural", "planes"),
                                 .play = (enum neural_play)play,
                                 .scale = recipe_real(recipe, "neural", "scale")};
    if (strlen(model) >= sizeof spec->model)
        status = status_fail(STATUS_INVALID, "more than %zu characters", sizeof spec->model - 1);
    snprintf(spec->model, sizeof spec->model, "%s", model);
    if (!status && !(spec->scale > 0))
        return status_fail(STATUS_INVALID, "%s: neural.scale is 0: expected above 0",
                           recipe_origin(recipe, "neural", "scale"));
    if (!status && spec->planes == 17)
        return status_fail(STATUS_INVALID, "%s: neural.planes is 17: expected 16 or 18",
                           recipe_origin(recipe, "neural", "planes"));
    if (!status)
        status = neural_measure(spec, &n_weights);
    return recipe_key_context(status, recipe, "neural", "model");
}

static unsigned default_games(enum batch_way way, unsigned batch)
{
    unsigned games = batch / BATCH_PARTS;
    if (way == BATCH_POSITION)
        return 1; /* the paper's generator and trainer take turns */
    if (way == BATCH_GAME)
        return GAMES_OF_GAMES;
    return games < FEWEST_GAMES ? FEWEST_GAMES : games < MOST_GAMES ? games : MOST_GAMES;
}

static enum status resolve_batches(struct neural_settings *settings, const struct recipe *recipe)
{
    static const char *const ways[] = {
        [BATCH_FIXED] = "batch", [BATCH_SHUFFLE] = "shuffle", [BATCH_GAME] = "game", [BATCH_POSITION] = "position"};
    unsigned way = 0;
    enum status status = recipe_choose(recipe, "neural", "batching", ways, sizeof ways / sizeof *ways, &way);
    if (status)
        return status;
    settings->way = (enum batch_way)way;
    settings->batch = (unsigned)recipe_integer(recipe, "neural", "batch");
    settings->games = (unsigned)recipe_integer(recipe, "neural", "games");
    if (settings->games == 0)
        settings->games = default_games(settings->way, settings->batch);
    settings->augment = recipe_flag(recipe, "neural", "augment");
    return STATUS_OK;
}

/* Bounds of a schema are inclusive; these numbers must lie inside. */
static enum status check_open(const struct recipe *recipe, const char *name, double low, double high)
{
    double number = recipe_real(recipe, "neural", name);
    if (number > low && number < high)
        return STATUS_OK;
    return status_fail(STATUS_INVALID, "%s: neural.%s is %g: expected above %g and below %g",
                       recipe_origin(recipe, "neural", name), name, number, low, high);
}

enum status neural_recipe_resolve(struct neural_spec *spec, struct neural_settings *settings, const struct grid *grid,
                                  const struct recipe *recipe, const struct recipe_key *schema, size_t n_keys)
{
    enum status status = check_others(recipe, schema, n_keys);
    if (!status)
        status = resolve_spec(spec, grid, recipe);
    if (!status)
        status = resolve_batches(settings, recipe);
    if (!status)
        status = check_open(recipe, "rate", 0, 2);
    if (!status)
        status = check_open(recipe, "beta1", -1, 1);
    if (!status)
        status = check_open(recipe, "beta2", -1, 1);
    if (!status)
        status = check_open(recipe, "epsilon", 0, 2);
    if (status)
        return status;
    settings->adam = (struct adam_settings){.rate = recipe_real(recipe, "neural", "rate"),
                                            .beta1 = recipe_real(recipe, "neural", "beta1"),
                                            .beta2 = recipe_real(recipe, "neural", "beta2"),
                                            .epsilon = recipe_real(recipe, "neural", "epsilon")};
    settings->deviation = recipe_real(recipe, "neural", "deviation");
    return STATUS_OK;
}
