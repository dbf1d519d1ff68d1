/* start_recipe: what the keys of [start] in a training recipe come to, and what contradicts them. */
#ifndef AFTERSTATE_LEARN_START_RECIPE_H
#define AFTERSTATE_LEARN_START_RECIPE_H

#include "base/recipe.h"
#include "base/status.h"
#include "game/grid.h"
#include "learn/learn_settings.h"
#include "learn/starts.h"

/* What start.kind may be, in the order of enum start_kind; "mix" is number START_KINDS. Ends with NULL. */
extern const char *const start_kinds[];

/* The keys that are not settings by themselves. */
struct start_words {
    unsigned kind; /* of start_kinds */
    const char *mix, *jump;
    struct setting_list own_jumps;
};

/*
 * Completes settings whose other fields the recipe has filled, for a network of n_stages stages. STATUS_INVALID, naming
 * keys and what to change.
 */
enum status start_recipe_resolve(struct start_settings *start, const struct start_words *words, const struct grid *grid,
                                 unsigned n_stages, const struct recipe *recipe);

/*
 * Adds one jump start: the face values of its tiles, and `initial` for a 2 or 4 as it is spawned ("8192 4096",
 * "16384 initial"). STATUS_INVALID, with the word that is wrong, for anything else, for more tiles than leave one cell
 * empty or a tile that the board cannot reach, and beyond JUMP_MAX_STARTS.
 */
enum status start_add_jump(struct start_settings *start, const struct grid *grid, const char *text);

#endif
