/* solve_rules: what a solve computes, how it keeps values in memory, and what it learns of an age on the way. */
#ifndef AFTERSTATE_SOLVE_SOLVE_RULES_H
#define AFTERSTATE_SOLVE_SOLVE_RULES_H

#include <stddef.h>
#include <stdint.h>

/* How the environment places a tile once its number is drawn: at random, where it is best for the player, or worst. */
enum solve_variant { VARIANT_NORMAL, VARIANT_OPTIMISTIC, VARIANT_PESSIMISTIC, VARIANT_COUNT };

extern const char *const solve_variant_names[VARIANT_COUNT + 1]; /* "normal", .. and a NULL at the end */

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

/* The value at a position, in points. */
static inline double solve_value_at(const struct solve_rules *rules, const void *values, uint64_t position)
{
    return rules->form == VALUES_FIXED ? ((const uint32_t *)values)[position] / rules->unit
                                       : ((const double *)values)[position];
}

#endif
