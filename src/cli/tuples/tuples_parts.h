/* tuples_parts: the commands of `tuples`, and what they share. */
#ifndef AFTERSTATE_CLI_TUPLES_PARTS_H
#define AFTERSTATE_CLI_TUPLES_PARTS_H

#include "base/recipe.h"
#include "cli/frame/command.h"
#include "ntuple/tuple_list.h"
#include "study/ranking.h"

/* One command each: tuples_list.c, tuples_campaign.c, tuples_rank.c, tuples_grow.c. */
extern const struct command tuples_list_command, tuples_campaign_command, tuples_merge_command, tuples_rank_command,
    tuples_pick_command, tuples_grow_command;

/* A set of cells with the words above its drawing. */
enum { TUPLES_CAPTION_BYTES = 48 };
struct drawn_set {
    uint16_t set;
    char caption[TUPLES_CAPTION_BYTES];
};

/* Draws sets as small grids side by side under their captions, wrapped at 80 columns. */
void tuples_draw_sets(const struct grid *grid, const struct drawn_set *sets, size_t n);

/* Sets two keys of a section from the parts of a text: --board 3x4, --shard 1/2. `form` is what it should look like. */
enum status tuples_set_pair(struct recipe *recipe, const char *section, const char *const keys[2], const char *option,
                            const char *text, char separator, const char *form);

/* Sets SECTION.rows and SECTION.cols from --board, if it was given. */
enum status tuples_set_board(struct recipe *recipe, const char *section, const char *board);

/* Prints [board] and [network] of a recipe with these tuples; n_values 0 and an empty vse leave that to the recipe. */
void tuples_print_recipe(FILE *out, const struct grid *grid, const struct shape *shape, unsigned n_values,
                         const char *vse);

#endif
