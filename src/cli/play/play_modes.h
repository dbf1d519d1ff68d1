/*
 * play_modes: the ways to play one game: watching a player, replaying a record, playing yourself; in the terminal's
 * window with keys (play_session.c), or as lines of text where there is none (play_plain.c).
 */
#ifndef AFTERSTATE_CLI_PLAY_MODES_H
#define AFTERSTATE_CLI_PLAY_MODES_H

#include "base/status.h"
#include "cli/play/play_history.h"
#include "cli/play/screen.h"
#include "search/player.h"
#include "study/summary.h"

struct play_settings {
    const struct player *player; /* plays, or gives the hints */
    const char *player_name;
    uint64_t seed;
    bool me;           /* a person plays */
    unsigned delay_ms; /* between moves in a window */
    bool every_move;   /* print each move where the output is no window */
    bool step;         /* wait for a key before each move */
    bool colours;      /* in the window, where the terminal has them */
};

/*
 * Plays one game in a window or as text, fills *result, and records into `record` (may be NULL). STATUS_INTERRUPTED if
 * the user left before its end; *result and the record then hold what was played. settings->seed becomes that of the
 * last game if a key started another one.
 */
enum status play_game(struct play_settings *settings, struct game_result *result, struct game_record *record);

/* Shows game number `index` (from 0) of a record file. */
enum status play_replay(struct play_settings *settings, const char *path, uint64_t index);

/* ---- the two ways ----------------------------------------------------------------------------------------------- */

/*
 * Each continues the game of `history`, which the caller started (settings->seed, game 0) and frees; if the user
 * leaves, its present position is the last one. In a window a key can start a new game: then settings->seed is its own.
 */
enum status play_in_window(struct play_settings *settings, struct screen *screen, struct play_history *history);
enum status play_plainly(const struct play_settings *settings, struct play_history *history);

/*
 * Each shows a loaded record from its start, with a title. Hints are given in a window if the player is for boards of
 * that size.
 */
enum status replay_in_window(struct play_settings *settings, struct screen *screen, struct play_history *history,
                             const char *title);
enum status replay_plainly(const struct play_settings *settings, struct play_history *history);

/* Prints a board as plain boxes on standard output. */
void play_print_board(const struct grid *grid, struct board board);

#endif
