/* search_result: what every search answers. */
#ifndef AFTERSTATE_SEARCH_SEARCH_RESULT_H
#define AFTERSTATE_SEARCH_SEARCH_RESULT_H

#include "game/board.h"

#include <stdint.h>

/* The value of each direction and the best one. */
struct search_result {
    float value[DIRECTION_COUNT];    /* NaN where illegal */
    unsigned legal;                  /* bit d set: direction d is legal */
    enum direction best;             /* the first of the best; DIRECTION_COUNT if none is legal */
    unsigned depth[DIRECTION_COUNT]; /* plies behind each value; they differ only when time ran out */
    uint64_t n_leaves;               /* afterstates judged by the value function; 0 from plain_expectimax() */
};

#endif
