/* search_result: what every search answers. */
#ifndef AFTERSTATE_SEARCH_SEARCH_RESULT_H
#define AFTERSTATE_SEARCH_SEARCH_RESULT_H

#include "game/board.h"

#include <stdbool.h>
#include <stdint.h>

/* The value of each direction and the best one. */
struct search_result {
    float value[DIRECTION_COUNT];    /* NaN where illegal, or where a cancelled search has not come to */
    unsigned legal;                  /* bit d set: direction d is legal */
    enum direction best;             /* the first of the best; DIRECTION_COUNT if no direction has a value */
    unsigned depth[DIRECTION_COUNT]; /* plies behind each value, 0 for none; they differ only in a search cut short */
    uint64_t n_leaves;               /* afterstates judged by the value function; 0 from plain_expectimax() */
    bool cancelled;                  /* ended by search_settings.cancel: what is there was finished before */
};

#endif
