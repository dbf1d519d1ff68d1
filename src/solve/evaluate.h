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
 * that the errors of a value are at most half a unit for each spawn that may still come (docs/ARCHITECTURE.md).
 */
#ifndef AFTERSTATE_SOLVE_EVALUATE_H
#define AFTERSTATE_SOLVE_EVALUATE_H

#include "base/status.h"
#include "base/workers.h"
#include "solve/age_set.h"

#include <stddef.h>
#include <stdint.h>

/* How the environment places a tile once its number is drawn: at random, where it is best for the player, or worst. */
enum solve_variant { VARIANT_NORMAL, VARIANT_OPTIMISTIC, VARIANT_PESSIMISTIC, VARIANT_COUNT };

extern const char *const solve_variant_names[VARIANT_COUNT + 1]; /* "normal", .. and a NULL at the end */

/* Beside the direction in a move that is the only legal one, and alone where there is none: nothing needs to be stored.
 */
enum { MOVE_FORCED = 4 };

enum value_form { VALUES_DOUBLE, VALUES_FIXED };

static inline size_t value_form_bytes(enum value_form form)
{
    return form == VALUES_FIXED ? sizeof(uint32_t) : sizeof(double);
}

/* What is evaluated, and how values are kept. */
struct solve_rules {
    enum value_form form;
    double unit; /* how many units of a value one point is: 1 for doubles */
    enum solve_variant variant;
    double chance_of_4;
};

/* Members of a set with their values; `set` NULL: the age has none. */
struct valued_set {
    const struct age_set *set;
    const void *values; /* doubles or uint32_t */
};

/* The value at a position, in points. */
static inline double solve_value_at(const struct solve_rules *rules, const void *values, uint64_t position)
{
    return rules->form == VALUES_FIXED ? ((const uint32_t *)values)[position] / rules->unit
                                       : ((const double *)values)[position];
}

/*
 * values[i] of each state: the best of reward + value of afterstate over the legal moves, 0 if there are none. If moves
 * is not NULL, moves[i] becomes the first best direction, with MOVE_FORCED if less than two are legal.
 */
enum status evaluate_states(struct workers *workers, const struct solve_rules *rules, const struct age_set *states,
                            struct valued_set afterstates, void *values, uint8_t *moves);

/*
 * values[i] of each afterstate from the states two and four ages on, of which `plus_2` and `plus_4` hold all that
 * spawns can make.
 */
enum status evaluate_afterstates(struct workers *workers, const struct solve_rules *rules,
                                 const struct age_set *afterstates, struct valued_set plus_2, struct valued_set plus_4,
                                 void *values);

#endif
