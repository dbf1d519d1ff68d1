/*
 * downgrade: evaluating a board by one that the value function knows better (Guei's tile-downgrading).
 *
 * Late boards are rare in training. Where the largest tile has reached a threshold, every tile above the largest
 * missing value drops one exponent: {32768, 16384, 4096, ..} lacks 8192 and is evaluated as {16384, 8192, 4096, ..}.
 * This is done again until the largest tile is below the threshold: from 16384 on, one round would leave boards with a
 * 32768 to a stage that has seen few (bundled network, 1 ply: 742,928 points at most in 4,000 games, and 619,132 with
 * one round). Different tiles stay different and equal ones equal, so the same directions are legal and tiles move the
 * same way; the direction chosen on the copy is played on the board itself.
 */
#ifndef AFTERSTATE_SEARCH_DOWNGRADE_H
#define AFTERSTATE_SEARCH_DOWNGRADE_H

#include "game/board.h"

/* The board to evaluate in place of `board`: the same one if its largest tile is below 2^threshold. It may end at or
   above it only where no value below its largest tile is missing. */
struct board downgrade_board(struct board board, unsigned threshold);

#endif
