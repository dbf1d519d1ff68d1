/* search_result: the result of every search. */
#ifndef AFTERSTATE_SEARCH_SEARCH_RESULT_H
#define AFTERSTATE_SEARCH_SEARCH_RESULT_H

#include "game/grid.h"

#include <stdbool.h>
#include <stdint.h>

/* The value of each direction, and their order. */
struct search_result {
    float value[DIRECTION_COUNT];     /* NaN if illegal, or if the search was cancelled before it was known */
    uint32_t reward[DIRECTION_COUNT]; /* points of the move itself; 0 if illegal */
    unsigned depth[DIRECTION_COUNT];  /* plies searched for each value, 0: none; equal unless a search was cut off */
    enum direction order[DIRECTION_COUNT]; /* best first, then by value; directions without a value last */
    unsigned n_valued;                     /* directions with a value: order[0 .. n_valued-1] */
    enum direction best;                   /* order[0]; DIRECTION_COUNT if no direction has a value */
    unsigned legal;                        /* bit d set: direction d is legal */
    uint64_t n_leaves;                     /* afterstates evaluated; 0 from plain_expectimax() */
    bool cancelled;                        /* by search_settings.cancel: the values were finished before */
};

/* A result without values, for a board with these moves. */
struct search_result search_result_begin(const struct moves *moves);

/* Sets order, n_valued and best by the values and depths. The best is the first of the largest values among those that
   were searched deepest. */
void search_result_rank(struct search_result *result);

#endif
