/*
 * policy: what a player does in each state, for exact evaluation: which of the four directions it takes. Among several
 * it draws evenly, so that a policy need not depend on how a board is turned.
 */
#ifndef AFTERSTATE_STUDY_POLICY_H
#define AFTERSTATE_STUDY_POLICY_H

#include "base/status.h"
#include "game/grid.h"
#include "game/value.h"
#include "solve/age_set.h"
#include "solve/table.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum policy_kind {
    POLICY_RANDOM,       /* every legal direction alike */
    POLICY_GREEDY_SCORE, /* the largest reward; evenly among equal ones */
    POLICY_OPTIMAL,      /* the first of the best by the table itself, whatever its objective */
    POLICY_VALUE,        /* the first of the best by reward + value function, in floats as the player computes */
    POLICY_MOVES,        /* a table of moves */
    POLICY_FUNCTION,     /* a function of the caller, which gives a probability for each direction */
};

/*
 * Chooses on n boards: share[4 * i + d] = the probability of direction d on board i, 0 where it is illegal. Any failure
 * ends the evaluation. Called by the thread that evaluates, never by two at once.
 */
typedef enum status (*policy_function)(void *context, const uint64_t *cells, size_t n, double *share);

struct policy {
    enum policy_kind kind;
    struct value_function function; /* POLICY_VALUE; borrowed, safe for threads */
    const struct table *moves;      /* POLICY_MOVES: a table with moves, of the same size and rules; borrowed */
    policy_function choose;         /* POLICY_FUNCTION */
    void *context;                  /* .. and its argument; borrowed */
    bool (*stop)(void *context);    /* optional: called with that after each age; true ends the evaluation */
    bool by_image;                  /* POLICY_FUNCTION: images of a board may be treated differently */
};

enum {
    POLICY_BATCH = 256,     /* states whose afterstates are evaluated together */
    POLICY_DIRECTIONS = 15, /* of a choice: bit d set, d is taken */
    POLICY_TIED = 1 << 7,   /* beside them: the first among equal values of different afterstates */
};

/* A batch of states of one age in which a policy chooses. */
struct policy_batch {
    unsigned n;
    uint64_t cells[POLICY_BATCH];
    uint32_t position[POLICY_BATCH]; /* among the states of the age */
    size_t index[POLICY_BATCH];      /* for the caller's use; policy_choose() reads it for POLICY_FUNCTION only */
    struct moves moves[POLICY_BATCH];
    uint8_t choice[POLICY_BATCH]; /* 0: no move is legal */
};

/* The inputs of a policy for states of one age; all borrowed. */
struct policy_view {
    const struct grid *grid;
    unsigned goal;                         /* of the table, 0: values are scores */
    const struct age_set *afterstates;     /* of the age, with ranks */
    const double *values;                  /* POLICY_OPTIMAL: theirs, by position */
    const uint8_t *moves;                  /* POLICY_MOVES: of the states, by position */
    const double *share;                   /* POLICY_FUNCTION: four for each state, by policy_batch.index */
    const struct value_function *function; /* POLICY_VALUE */
};

/* Whether the policy may choose differently on images of one board: a value function that is not symmetric. */
static inline bool policy_depends_on_image(const struct policy *policy)
{
    return (policy->kind == POLICY_VALUE && !policy->function.symmetric) ||
           (policy->kind == POLICY_FUNCTION && policy->by_image);
}

/* Whether a move makes the goal: its afterstate is then in no set. */
static inline bool policy_makes_goal(unsigned goal, struct board after)
{
    return goal && board_max_value(after) >= goal;
}

/* Fills moves and choice of a batch. */
void policy_choose(enum policy_kind kind, const struct policy_view *view, struct policy_batch *batch);

/* The position in a ranked set of a board that is in it. */
static inline uint32_t policy_position_of(const struct age_set *set, uint64_t cells)
{
    struct place place = set->frame->layout->n_extra == 1 ? age_frame_place_direct(set->frame, cells)
                                                          : age_frame_place(set->frame, cells);
    return age_set_position(set, place);
}

/* The value of direction d by the values of a table: table_move_value() for work on whole ages. */
static inline double policy_move_value(unsigned goal, const struct age_set *afterstates, const double *values,
                                       const struct moves *moves, unsigned d)
{
    if (policy_makes_goal(goal, moves->after[d]))
        return 1;
    double value = values[policy_position_of(afterstates, moves->after[d].cells)];
    return goal ? value : (double)moves->reward[d] + value;
}

#endif
