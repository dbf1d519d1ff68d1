/*
 * game_log: finished games in a CSV file, a line each as soon as it is over, so that an evaluation of days survives
 * anything and goes on where it was. docs/FORMATS.md, "Logs of games", has the columns.
 *
 * The first line says what the games are (players, settings, seed); a file of other games is refused. Lines are whole
 * or absent: each is one write, and a last line without its end, as a killed process leaves it, is cut off when the
 * file is opened again. Any other line that does not read as a finished game of this log is damage, and refused.
 *
 * A log belongs to one thread at a time; two processes cannot have the same file open.
 */
#ifndef AFTERSTATE_STUDY_GAME_LOG_H
#define AFTERSTATE_STUDY_GAME_LOG_H

#include "base/status.h"
#include "game/grid.h"
#include "study/summary.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct game_log;

/* What the games of a log have in common. */
struct game_log_title {
    const struct grid *grid; /* borrowed while the log is open */
    uint64_t seed;
    const char *settings; /* all that the games depend on besides, one line: "depth=3 checksum=.."; must be the same */
    const char *name;     /* of the player, for people; may differ from run to run */
    bool ends;            /* two more columns: whether the tile was made that ends a game, and the last board */
};

/*
 * Opens or begins the log at `path`. The games below n_games that it holds are put into results[] and marked in
 * finished[]; later ones stay in the file and are passed over. STATUS_USAGE if the file is of other games,
 * STATUS_CORRUPT with the line if it is damaged, STATUS_IO; *out is then NULL and the file untouched.
 */
enum status game_log_open(struct game_log **out, const char *path, const struct game_log_title *title,
                          struct game_result *results, bool *finished, size_t n_games);

/* Writes one finished game. */
enum status game_log_add(struct game_log *log, uint64_t index, const struct game_result *result);

/* Syncs and closes. Frees the log in every case; NULL is fine. */
enum status game_log_close(struct game_log *log);

#endif
