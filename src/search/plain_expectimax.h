/*
 * plain_expectimax: the search as the papers define it and as simply as it can be written. No table, no batches, no
 * pruning: this is what faster searches are compared with, and what the simple player uses.
 *
 * N-ply has N max layers and N-1 chance layers; its leaves are afterstates. 1-ply is greedy on reward + value. A board
 * without a legal move is worth 0. Values include the rewards on the way.
 */
#ifndef AFTERSTATE_SEARCH_PLAIN_EXPECTIMAX_H
#define AFTERSTATE_SEARCH_PLAIN_EXPECTIMAX_H

#include "game/grid.h"
#include "game/value.h"
#include "search/search_result.h"

/* Searches `depth` plies (1 or more). Pure: threads may share grid and function. */
struct search_result plain_expectimax(const struct grid *grid, const struct value_function *function,
                                      struct board board, unsigned depth);

#endif
