/*
 * training_log: log.csv of a run, one line for each measurement and each stop.
 *
 * The whole text is in memory and the file is replaced as a whole, so that no line is ever torn, and a resumed run
 * restores the log of its checkpoint. A thousand lines are some 150 KB.
 *
 *   actions, games            so far; games are finished plays, restarts included
 *   seconds                   spent learning, in all sessions; without measuring and saving
 *   moves_per_second          of learning, since the last measurement
 *   training_mean             mean score of the new games that ended since the last measurement
 *   eval_mean, eval_ci95      measured by games at eval.depth, with half the width of the 95% interval of the mean
 *   eval3_mean, eval3_ci95    the same at 3 plies
 *   tile_2048 .. tile_65536   share of the measured games that reached it (on small boards their six largest tiles)
 *   touched                   share of the weights that learning ever changed
 *
 * and of a neural network, means over the batches since the line before:
 *
 *   loss                      root of the mean squared error of its targets, in points
 *   loss_trend                its change against the line before: 0.1 is a tenth more
 *   gradient_norm             norm of a batch's gradient, before it is clipped
 *   evaluating, learning      shares of the time: choosing moves, and all else
 *
 * A field without a measurement is empty, as all after training_mean are on the line of a stop.
 */
#ifndef AFTERSTATE_STUDY_TRAINING_LOG_H
#define AFTERSTATE_STUDY_TRAINING_LOG_H

#include "base/status.h"
#include "game/grid.h"
#include "study/summary.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Means over the batches since the line before. */
struct training_batches {
    double loss, loss_trend, gradient_norm, evaluating, learning; /* NaN: unknown */
};

struct training_log {
    char *text; /* NUL-terminated */
    size_t bytes;
    unsigned first_tile, last_tile; /* exponents of the tile columns */
    bool has_batches;               /* of a neural network */
};

struct training_log_row {
    uint64_t actions, games;
    double seconds, moves_per_second;
    double training_mean;            /* NaN if no new game ended */
    struct summary eval, eval3;      /* n_games 0: not measured */
    double touched;                  /* NaN: not counted */
    struct training_batches batches; /* of a neural network */
};

/* Begins a log with its header line, for that board and kind of network. To be freed in every case. STATUS_NO_MEMORY,
   as the next two. */
enum status training_log_begin(struct training_log *log, const struct grid *grid, bool has_batches);
/* Replaces the text by that of an earlier log. STATUS_CORRUPT if its header line differs; nothing is changed then. */
enum status training_log_restore(struct training_log *log, const char *text);
enum status training_log_add(struct training_log *log, const struct training_log_row *row);
/* The actions of the last line, 0 if there is only the header. */
uint64_t training_log_last_actions(const struct training_log *log);
/* Replaces the file. STATUS_IO. */
enum status training_log_write(const struct training_log *log, const char *path);
void training_log_free(struct training_log *log); /* zeroed is fine */

#endif
