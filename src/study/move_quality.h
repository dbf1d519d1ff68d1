/*
 * move_quality: how good the moves of a game were, in figures that do not grow with its length.
 *
 * A loss is measured against what was still to come: losing 40 of 400 points matters, losing 40 of 290,000 does not.
 * So the loss share of a move is its loss divided by the value of the best move, and
 *
 *   accuracy = 2^-(loss share / 1%):  1 for the best move, 1/2 for one that loses 1%, 1/4 for 2%
 *   blunder    a move that loses 1% or more
 *   mistake    one that loses 0.1% or more and is no blunder
 */
#ifndef AFTERSTATE_STUDY_MOVE_QUALITY_H
#define AFTERSTATE_STUDY_MOVE_QUALITY_H

#include "base/json.h"
#include "base/status.h"

#include <stddef.h>
#include <stdint.h>

extern const double move_quality_blunder_share; /* 0.01 */
extern const double move_quality_mistake_share; /* 0.001 */

/* The loss as a share, 0 .. 1, of `best`, the value of the best move; where that is not positive, any loss is all. */
double move_quality_loss_share(double loss, double best);
double move_quality_accuracy(double loss_share); /* 0 .. 1 */

/* The moves of one game. Zeroed has none; owns `losses`. One thread at a time. */
struct move_quality {
    uint64_t n_moves, n_best, n_mistakes, n_blunders;
    double accuracy; /* the sum over all moves */
    double worst, worst_share;
    double *losses; /* those above 1e-9, which is no more than rounding */
    size_t n_losses, capacity;
};

/* Adds a move that lost `loss` (at least 0) where the best was worth `best`. STATUS_NO_MEMORY. */
enum status move_quality_add(struct move_quality *quality, double loss, double best);
void move_quality_free(struct move_quality *quality); /* zeroes it */

/* The median loss of the moves that were not the best; 0 if all were. Sorts `losses`. */
double move_quality_median_loss(struct move_quality *quality);

/*
 * Adds "best_moves", "best_share", "accuracy" (mean), "median_loss", "worst_loss", "worst_share", "mistakes",
 * "blunders", "mistake_limit" and "blunder_limit". Shares and the accuracy are null without a move.
 */
void move_quality_add_json(struct move_quality *quality, struct json *json);

#endif
