/*
 * late_value: a value function for the whole game of 4x4 that becomes another one late in it.
 *
 * From a 16384 on the same game is played repeatedly: four large tiles stand, and another 2048 must be made on the
 * twelve other cells. Until they stand - tiles of 2048 and more add up to 30720, as 16384, 8192, 4096 and 2048 do - the
 * network for the whole game evaluates. From there on a second network does, which was trained for that game alone
 * (recipes/late.ini): its value is a prize times the chance to make it. Where an endgame table covers the board,
 * its exact chance takes the place of the network's estimate. Where 32768 is as good as made (4096s and more add up to
 * it), the prize is won beside that value. (The first network there instead: a third of the games did not collapse
 * their chain at 1 ply, because it knows no block.)
 *
 * So it wants boards downgraded from 32768 (search/downgrade.h), by which every later round is the same game again.
 */
#ifndef AFTERSTATE_STUDY_LATE_VALUE_H
#define AFTERSTATE_STUDY_LATE_VALUE_H

#include "base/status.h"
#include "game/value.h"
#include "solve/endgame.h"

enum {
    LATE_GOAL = 15,       /* 32768 */
    LATE_LEAST = 11,      /* 2048 */
    LATE_SUM = 30720,     /* see above */
    LATE_PRIZE = 400000,  /* learn.prize of recipes/late.ini */
    LATE_SHARE_CENT = 95, /* its learn.endgame_share */
    LATE_SCALE_CENT = 50, /* what a point of the late network counts beside one of the other: about as much in fact */
};

struct late_value {
    struct value_function early, late; /* both borrowed */
    const struct endgame *endgame;     /* borrowed; NULL: no tables */
};

/* The value function of *late, which is borrowed. Thread-safe. */
struct value_function late_value_function(const struct late_value *late);

#endif
