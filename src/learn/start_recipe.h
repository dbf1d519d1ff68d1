/* start_recipe: resolves the keys of [start] in a training recipe to settings, and checks them. */
#ifndef AFTERSTATE_LEARN_START_RECIPE_H
#define AFTERSTATE_LEARN_START_RECIPE_H

#include "base/recipe.h"
#include "base/status.h"
#include "game/grid.h"
#include "learn/learn_settings.h"
#include "learn/starts.h"

/* The choices of start.kind, in the order of enum start_kind; "mix" is number START_KINDS. Ends with NULL. */
extern const char *const start_kinds[];

/* The keys that are not fields of the settings. */
struct start_words {
    unsigned kind; /* of start_kinds */
    const char *mix, *jump, *bank;
    struct setting_list own_jumps;
};

/*
 * Completes settings whose other fields the recipe has filled, for a network of n_stages stages. STATUS_INVALID for
 * contradictions, naming the keys and what to change.
 */
enum status start_recipe_resolve(struct start_settings *start, const struct start_words *words, const struct grid *grid,
                                 unsigned n_stages, const struct recipe *recipe);

/*
 * Adds one jump start: tiles such as "8192 4096", and `initial` for a spawned 2 or 4 ("16384 initial"), on random
 * cells; "16384@0" stands on cell 0, and such tiles come first. STATUS_INVALID, with the wrong word, for anything else,
 * for a tile that the board cannot reach, if no cell would be empty, and beyond JUMP_MAX_STARTS.
 */
enum status start_add_jump(struct start_settings *start, const struct grid *grid, const char *text);

#endif
