/*
 * start_words: what a recipe says about starts, as settings: lists of jump starts and weights of a mix.
 */
#ifndef AFTERSTATE_LEARN_START_WORDS_H
#define AFTERSTATE_LEARN_START_WORDS_H

#include "base/status.h"
#include "game/grid.h"
#include "learn/settings.h"

/*
 * Adds one jump start: the face values of its tiles, and `initial` for a 2 or 4 as it is spawned ("8192 4096",
 * "16384 initial"). STATUS_INVALID, with the word that is wrong, for anything else, for more tiles than leave one cell
 * empty or a tile that the board cannot reach, and beyond JUMP_MAX_STARTS.
 */
enum status start_add_jump(struct start_settings *start, const struct grid *grid, const char *text);

/*
 * Adds the starts of a list that has a name: "L" and "S" are those of NEURAL, "none" is two initial tiles.
 * STATUS_INVALID if there is no such list or a start of it does not fit the board.
 */
enum status start_add_jump_list(struct start_settings *start, const struct grid *grid, const char *name);

/* Fills the four weights from "new 1 restart 2.5 jump 1" (blanks or commas). STATUS_INVALID for an unknown kind, one
   that stands twice, a weight that is not above 0. */
enum status start_parse_mix(struct start_settings *start, const char *text);

#endif
