/*
 * exact_policy: the exact expected score of any player on a solved board, without sampling, and what it loses where.
 *
 * A policy says for each state which directions it takes; among several it draws evenly, or as a function of the caller
 * says (POLICY_FUNCTION). Two passes over the ages:
 *
 *   backward   the value of every state under the policy, from the largest age down: the reward of the chosen move and
 *              the value of its afterstate, which is the mean over the spawns; at the starts, the expected score
 *
 *   forward    the probability that a game of this policy visits each state, from the starts up; with the optimal
 *              values of the table beside it, how often the chosen move is optimal and how many points it gives away
 *
 * The passes check each other: the points made on the way forward, and the optimum minus all losses, must both be the
 * expected score that the backward pass found (struct exact_result has all three).
 *
 * The table's rules are those of the measured games. A new tile is a 4 by its chance. If it has a goal, a game brings 1
 * when that tile is made, and ends there: what is called score, loss and points below is then a chance. The player
 * itself plays as always: a value function is greedy on reward + value, with the rewards of the game.
 *
 * A class of symmetric boards is one state for a policy that treats all images alike, which is then asked about one
 * image of each class, the one that the table holds. A policy that depends on the image (policy_depends_on_image()) is
 * asked about every image, and each image has a value and a probability of its own: that takes up to eight times the
 * time and the memory of an age, and measures the player as it plays on real boards.
 *
 * A symmetric value function has the same value for all images but for rounding; where two moves to different
 * afterstates have exactly the same value, the player takes the first direction, which depends on the image: `tied`
 * says how often that happens.
 */
#ifndef AFTERSTATE_STUDY_EXACT_POLICY_H
#define AFTERSTATE_STUDY_EXACT_POLICY_H

#include "base/cluster.h"
#include "base/progress.h"
#include "base/status.h"
#include "base/workers.h"
#include "solve/table.h"
#include "study/policy.h"

#include <stddef.h>
#include <stdint.h>

/* What happens at one age, on average over all games. */
struct exact_age {
    uint32_t age;
    double visits;  /* the probability that a game has a turn (a state that is not terminal) at this age */
    double optimal; /* .. and takes an optimal move there */
    double tied;    /* .. and chose the first among equal values of different afterstates (POLICY_VALUE only) */
    double loss;    /* points (or chance) given away at this age: best value - value of the move taken */
};

struct exact_result {
    double score;         /* the expected score, or the chance that the goal is made, by the backward pass */
    double forward_score; /* the same by the forward pass: all rewards, or all arrivals at the goal */
    double optimum;       /* of the table */
    double loss;          /* all losses; optimum - loss is the score again, up to the table's precision */
    double moves;         /* the expected number of moves of a game, at most up to the goal */
    double optimal_moves; /* how many of them are optimal */
    double tied_moves;
    struct exact_age *ages; /* n_ages, ascending */
    size_t n_ages;
};

/*
 * Evaluates a policy on the board of `table`, which must hold sets and values of the normal variant. A move is optimal
 * if it loses no more than the precision of the stored values. Needs half a byte for each state of the board and a few
 * ages. `progress` (may be NULL) counts states, twice. STATUS_INVALID if the table does not fit, or a table of moves
 * has other rules than it; STATUS_INTERRUPTED after Ctrl-C. Free with exact_result_free().
 *
 * Collective if there is a cluster (NULL: none): every rank opens the same table and policy, is asked about its part of
 * the boards of an age, and gets the same result, bit for bit that of one process. Each holds whole ages.
 */
enum status exact_evaluate(const struct table *table, const struct policy *policy, struct workers *workers,
                           const struct cluster *cluster, struct progress *progress, struct exact_result *result);
void exact_result_free(struct exact_result *result); /* NULL is fine */

/* The ages as CSV: age,visits,optimal,tied,loss. */
enum status exact_write_csv(const struct exact_result *result, const char *path);

#endif
