/*
 * training_log: log.csv of a run, one line for each measurement.
 *
 * The whole text is in memory and the file is replaced as a whole, so that no line is ever torn, and a resumed run
 * restores the log of its checkpoint. A thousand lines are some 150 KB.
 *
 *   actions, games            so far; games are finished plays, restarts included
 *   seconds                   spent learning, in all sessions; without measuring and saving
 *   moves_per_second          of learning, since the line before
 *   training_mean             mean score of the new games that ended since the line before
 *   eval_mean, eval_ci95      measured by games at eval.depth, with half the width of the 95% interval of the mean
 *   eval3_mean, eval3_ci95    the same at 3 plies
 *   tile_2048 .. tile_65536   share of the measured games that reached it (on small boards their six largest tiles)
 *   touched                   share of the weights that learning ever changed
 *
 * A field without a measurement is empty.
 */
#ifndef AFTERSTATE_STUDY_TRAINING_LOG_H
#define AFTERSTATE_STUDY_TRAINING_LOG_H

#include "base/status.h"
#include "game/grid.h"
#include "study/summary.h"

#include <stddef.h>
#include <stdint.h>

struct training_log {
    char *text; /* NUL-terminated */
    size_t bytes;
    unsigned first_tile, last_tile; /* exponents of the tile columns */
};

struct training_log_row {
    uint64_t actions, games;
    double seconds, moves_per_second;
    double training_mean;       /* NaN if no new game ended */
    struct summary eval, eval3; /* n_games 0: not measured */
    double touched;
};

/* Begins a log with its header line, for that board. To be freed in every case. STATUS_NO_MEMORY, as the next two. */
enum status training_log_begin(struct training_log *log, const struct grid *grid);
/* Replaces the text by that of an earlier log. STATUS_CORRUPT if its header line differs; nothing is changed then. */
enum status training_log_restore(struct training_log *log, const char *text);
enum status training_log_add(struct training_log *log, const struct training_log_row *row);
/* Replaces the file. STATUS_IO. */
enum status training_log_write(const struct training_log *log, const char *path);
void training_log_free(struct training_log *log); /* zeroed is fine */

#endif
