/*
 * learner: one game that plays and learns from its own errors. A worker steps several of them in turn.
 *
 * A step:
 *
 *   1.  sum the prefetched weights of every legal afterstate; choose the best by reward + value, or explore
 *
 *   2.  spawn a tile
 *
 *   3.  compute the next afterstates and their indices, and prefetch their weights
 *
 *   4.  learn at the afterstate before, whose error is now known: reward + new value - its own value, read again; its
 *       weights are in the caches, and those of step 3 arrive meanwhile
 *
 *   5.  remember the chosen afterstate as the newest
 *
 * If no move is legal, the step instead learns that the last afterstate is worth 0, ends the play and begins another.
 * With a goal (learn_settings.h) the play also ends when its tile is made. Afterstates of known value learn nothing:
 * learning ends before them with their value, and begins anew when play leaves them.
 * Indices of the chosen afterstate are computed once: the candidate's array is exchanged for that of the oldest
 * afterstate that still waits for errors.
 */
#ifndef AFTERSTATE_LEARN_LEARNER_H
#define AFTERSTATE_LEARN_LEARNER_H

#include "base/random.h"
#include "learn/learn_settings.h"
#include "learn/live_game.h"
#include "ntuple/network.h"

#include <stdbool.h>
#include <stdint.h>

/* What all learners of a run share. */
struct learn_target {
    struct network *network; /* its cells are as wide as the rule needs (rules.h) */
    const struct learn_settings *settings;
    float lambda_power[LEARN_MAX_HORIZON + 1];
};

/* The rule and its rate during a worker's turn, from the schedule. */
struct learn_moment {
    enum learn_rule rule;
    float rate;
};

struct candidate {
    struct board after;
    bool known;        /* its value is not learned: ..*/
    float known_value; /* .. the prize, or what the known chance is worth */
    uint32_t reward;
    uint32_t stage;
    uint32_t *index;
};

/* An afterstate that was chosen and may still learn. */
struct visited {
    struct board after;
    uint32_t stage;
    float error;
    uint32_t *index;
};

/* A move of the play, for backward learning. */
struct played_move {
    struct board after;
    uint32_t reward;
};

struct learner {
    struct live_game game;
    /* Prepared by the last step; the other set is that of the step before, which learns while these are prefetched. */
    unsigned n_candidates;
    unsigned set; /* which of the two: 0 or 1 */
    struct candidate candidates[2][DIRECTION_COUNT];
    /* A ring of the last horizon + 1 afterstates, of which n_visited are filled; visited[newest] is the last one. */
    unsigned newest, n_visited;
    struct visited visited[LEARN_MAX_HORIZON + 1];
    uint32_t *index_storage;
    struct played_move *moves; /* [game.n_moves] for backward learning, otherwise NULL */
    size_t n_moves_reserved;
};

/* Creates a learner with its own stream of random numbers; learner_begin() or a checkpoint gives it a play.
   STATUS_NO_MEMORY; *learner is then zeroed. */
enum status learner_create(struct learner *learner, const struct learn_target *target, struct rng rng);
void learner_free(struct learner *learner); /* zeroed is fine */

/* Begins the first play. */
void learner_begin(struct learner *learner, const struct learn_target *target, struct starts *starts);
/* Computes the candidates and the indices of all visited afterstates, after the other fields were read from a
   checkpoint. */
void learner_restore(struct learner *learner, const struct learn_target *target);

/*
 * One step. *moved: whether it made a move; otherwise it ended a play, described in *report, and began another.
 * STATUS_NO_MEMORY if the record of the play cannot grow; the learner is then only good to be freed.
 */
enum status learner_step(struct learner *learner, const struct learn_target *target, const struct learn_moment *moment,
                         struct starts *starts, bool *moved, struct play_report *report);

/* Makes room for n moves where backward learning records them. STATUS_NO_MEMORY. */
enum status learner_reserve_moves(struct learner *learner, const struct learn_target *target, uint32_t n);

#endif
