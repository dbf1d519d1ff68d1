/*
 * evaluate: one step back on whole sets: the values of all states of an age from those of its afterstates, and the
 * values of all afterstates of an age from those of the states that spawns make of them. The backward pass is these two
 * in turn.
 *
 * All sets have ranks, and values[position] belongs to the member at that position. Sums are taken in an order that
 * the board alone decides, so any number of threads gives the same values.
 *
 * Values are doubles, or fixed-point numbers of 32 bits: half the memory and half the traffic. The value of a state is
 * then exact; the value of an afterstate, a mean, is computed in double precision and rounded to the nearest unit, so
 * that the errors of a value are at most half a unit for each spawn that may still come (docs/decisions/037).
 */
#ifndef AFTERSTATE_SOLVE_EVALUATE_H
#define AFTERSTATE_SOLVE_EVALUATE_H

#include "base/status.h"
#include "base/workers.h"
#include "solve/age_set.h"
#include "solve/solve_rules.h"

#include <stddef.h>
#include <stdint.h>

/* Beside the direction in a move that is the only legal one, and alone where there is none: nothing needs to be
   stored. */
enum { MOVE_FORCED = 4 };

/* Members of a set with their values; `set` NULL: the age has none. */
struct valued_set {
    const struct age_set *set;
    const void *values; /* doubles or uint32_t */
};

/*
 * values[i] of each state: the best of reward + value of afterstate over the legal moves, 0 if there are none. If moves
 * is not NULL, moves[i] becomes the first best direction, with MOVE_FORCED if less than two are legal. If figures is
 * not NULL, its fields of states are set. STATUS_INVALID if a value is too large for the form of values.
 */
enum status evaluate_states(struct workers *workers, const struct solve_rules *rules, const struct age_set *states,
                            struct valued_set afterstates, void *values, uint8_t *moves, struct age_figures *figures);

/*
 * values[i] of each afterstate from the states two and four ages on, of which `plus_2` and `plus_4` hold all that
 * spawns can make; with a chance_of_4 of 0 or 1 only one of them is used. If figures is not NULL, its fields of
 * afterstates are set.
 */
enum status evaluate_afterstates(struct workers *workers, const struct solve_rules *rules,
                                 const struct age_set *afterstates, struct valued_set plus_2, struct valued_set plus_4,
                                 void *values, struct age_figures *figures);

#endif
