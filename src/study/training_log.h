/*
 * training_log: log.csv of a run, one line for each measurement.
 *
 * The whole text is kept in memory and the file is replaced whole, so a torn line cannot be, and a run that goes on
 * from a checkpoint puts back the log that belonged to it. A thousand lines are some 150 KB.
 *
 *   actions, games            learned from so far; games are finished plays, restarts included
 *   seconds                   spent learning, over all sittings; measuring and saving do not count
 *   moves_per_second          of learning, since the line before
 *   training_mean             mean score of the new games that ended since the line before
 *   eval_mean, eval_ci95      measured by games at eval.depth: the mean is mean +- ci95
 *   eval3_mean, eval3_ci95    the same at 3 plies
 *   tile_2048 .. tile_65536   share of the measured games that reached it (on small boards their six largest tiles)
 *   touched                   share of the weights that learning ever changed
 *
 * A field is empty where nothing was measured.
 */
#ifndef AFTERSTATE_STUDY_TRAINING_LOG_H
#define AFTERSTATE_STUDY_TRAINING_LOG_H

#include "base/status.h"
#include "game/grid.h"
#include "study/summary.h"

#include <stddef.h>
#include <stdint.h>

struct training_log {
    char *text; /* ended by a NUL */
    size_t bytes;
    unsigned first_tile, last_tile; /* exponents of the tile columns */
};

struct training_log_row {
    uint64_t actions, games;
    double seconds, moves_per_second;
    double training_mean;       /* NaN where no new game ended */
    struct summary eval, eval3; /* n_games 0 where not measured */
    double touched;
};

/* An empty log (its header line) for that board. End with training_log_free(). */
enum status training_log_begin(struct training_log *log, const struct grid *grid);
/* Takes the text of an earlier log in place of what is there; STATUS_CORRUPT if its header line is another. */
enum status training_log_restore(struct training_log *log, const char *text);
enum status training_log_add(struct training_log *log, const struct training_log_row *row);
/* Replaces the file. */
enum status training_log_write(const struct training_log *log, const char *path);
void training_log_free(struct training_log *log); /* a zeroed struct is fine */

#endif
