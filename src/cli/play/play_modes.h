/*
 * play_modes: the ways `afterstate play` can play one game: watching a player, replaying a record, playing yourself;
 * in the terminal's window with keys (play_session.c), or as lines of text where there is none (play_plain.c).
 */
#ifndef AFTERSTATE_CLI_PLAY_MODES_H
#define AFTERSTATE_CLI_PLAY_MODES_H

#include "base/status.h"
#include "cli/play/play_history.h"
#include "cli/play/screen.h"
#include "search/player.h"
#include "study/summary.h"

struct play_settings {
    const struct player *player; /* who plays, or who gives the hints */
    const char *player_name;
    uint64_t seed;
    bool me;           /* a person plays */
    unsigned delay_ms; /* between moves in a window */
    bool every_move;   /* print each move where the output is no window */
    bool step;         /* wait for a key before each move */
};

/*
 * Plays one game in whichever way there is, fills *result, and records into `record` (may be NULL). STATUS_INTERRUPTED
 * if it was left before its end; *result and the record then hold what was played. settings->seed becomes that of the
 * last game, where another one was begun with a key.
 */
enum status play_game(struct play_settings *settings, struct game_result *result, struct game_record *record);

/* Shows game number `index` (from 0) of a record file. */
enum status play_replay(struct play_settings *settings, const char *path, uint64_t index);

/* ---- the two ways ----------------------------------------------------------------------------------------------- */

/*
 * Each goes on with the game of `history`, which the caller began (from settings->seed, game 0) and frees; left before
 * its end, it stands where it was left. In a window a new game can be begun with a key: then settings->seed is its own.
 */
enum status play_in_window(struct play_settings *settings, struct screen *screen, struct play_history *history);
enum status play_plainly(const struct play_settings *settings, struct play_history *history);

/* Each shows a loaded record from its start, with a title; it stands where it was left. Hints are given in a window if
   the player is for boards of that size. */
enum status replay_in_window(struct play_settings *settings, struct screen *screen, struct play_history *history,
                             const char *title);
enum status replay_plainly(const struct play_settings *settings, struct play_history *history);

/* Prints a board as plain boxes on standard output. */
void play_print_board(const struct grid *grid, struct board board);

#endif
