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
 * that the errors of a value are at most half a unit for each spawn that may still come (docs/decisions/037)
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

extern const char *const value_form_names[]; /* "double", "fixed" and a NULL at the end */

static inline size_t value_form_bytes(enum value_form form)
{
    return form == VALUES_FIXED ? sizeof(uint32_t) : sizeof(double);
}

/*
 * What is evaluated, and how values are kept. Values are expected scores, or, with a goal, the chance that this tile is
 * made: the layout must then have the same goal.
 */
struct solve_rules {
    enum value_form form;
    double unit; /* how many units of a value one point is, or certainty: 1 for doubles */
    enum solve_variant variant;
    double chance_of_4;
    unsigned goal; /* the value of the tile; 0: the score */
};

/* What is learned of an age on the way. Moves that lead to images of one afterstate are one action. */
struct age_figures {
    uint64_t n_ended; /* afterstates after which no move is left, whatever tile appears */
    uint64_t n_empty; /* empty cells of all afterstates */
    uint64_t n_open;  /* states with two actions or more; of these: */
    uint64_t n_near;  /* how many have a second-best action that loses less than 1.0 */
    uint64_t gaps;    /* the sum of best - second-best, in units of age_gap_unit, each rounded */
};
static const double age_gap_unit = 1 / 65536.0;

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
 * is not NULL, moves[i] becomes the first best direction, with MOVE_FORCED if less than two are legal. If figures is
 * not NULL, its fields of states are set. STATUS_INVALID if a value is too large for the form of values.
 */
enum status evaluate_states(struct workers *workers, const struct solve_rules *rules, const struct age_set *states,
                            struct valued_set afterstates, void *values, uint8_t *moves, struct age_figures *figures);

/*
 * values[i] of each afterstate from the states two and four ages on, of which `plus_2` and `plus_4` hold all that
 * spawns can make; with a chance_of_4 of 0 or 1 only one of them is asked. If figures is not NULL, its fields of
 * afterstates are set.
 */
enum status evaluate_afterstates(struct workers *workers, const struct solve_rules *rules,
                                 const struct age_set *afterstates, struct valued_set plus_2, struct valued_set plus_4,
                                 void *values, struct age_figures *figures);

#endif
