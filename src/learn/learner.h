/*
 * learner: one game in flight that plays greedily and learns from its own errors. A worker steps several in turn.
 *
 * A step:
 *
 *   1.  sum the prefetched weights of every legal afterstate; take the best by reward + value
 *
 *   2.  learn at the afterstate before, whose error is now known: reward + new value - its value, taken anew
 *
 *   3.  remember the chosen afterstate as the newest
 *
 *   4.  spawn a tile
 *
 *   5.  work out the next afterstates and their indices, and ask the memory for their weights
 *
 * Where no move is legal, the step instead learns that the last afterstate is worth 0, ends the play and begins
 * another. Indices of the chosen afterstate are never worked out twice: the candidate's array changes places with the
 * oldest of the afterstates that still wait for an error.
 */
#ifndef AFTERSTATE_LEARN_LEARNER_H
#define AFTERSTATE_LEARN_LEARNER_H

#include "base/random.h"
#include "learn/learn_settings.h"
#include "learn/starts.h"
#include "ntuple/network.h"

#include <stdbool.h>
#include <stdint.h>

/* What all learners of a run share. */
struct learn_target {
    struct network *network; /* its cells are as wide as the rule needs (rules.h) */
    const struct learn_settings *settings;
    float lambda_power[LEARN_MAX_HORIZON + 1];
};

/* What holds during a worker's turn: the rule and its rate come from the schedule. */
struct learn_moment {
    enum learn_rule rule;
    float rate;
};

/* How a finished play went. */
struct play_report {
    bool fresh;
    uint64_t score;
    unsigned max_value;
};

struct candidate {
    struct board after;
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
    struct rng rng;
    struct board board; /* the player's turn */
    struct play_origin origin;
    uint64_t score;
    uint32_t n_moves; /* of this play */
    /* Prepared by the last step: */
    unsigned n_candidates;
    struct candidate candidates[DIRECTION_COUNT];
    /* The last horizon + 1 afterstates, newest at visited[newest]; n_visited of them are there. */
    unsigned newest, n_visited;
    struct visited visited[LEARN_MAX_HORIZON + 1];
    uint32_t *index_storage;
    /* The play so far, where it is needed: */
    struct board *states;      /* before each move, for restarts */
    struct played_move *moves; /* for backward learning */
    uint32_t room;             /* of states and moves */
};

/* Makes a learner with its own stream of random numbers; begins no play yet. */
enum status learner_create(struct learner *learner, const struct learn_target *target, struct rng rng);
void learner_free(struct learner *learner);

/* Begins the first play, or works out the candidates anew after the learner's fields were read from a checkpoint. */
void learner_begin(struct learner *learner, const struct learn_target *target, struct starts *starts);
void learner_prepare(struct learner *learner, const struct learn_target *target);
/* The places of every visited afterstate, after a checkpoint. */
void learner_restore_visited(struct learner *learner, const struct learn_target *target);

/*
 * One step. *moved tells whether it made a move; otherwise it ended a play, *report says how, and another has begun.
 * Fails only with STATUS_NO_MEMORY, when a play's record cannot grow.
 */
enum status learner_step(struct learner *learner, const struct learn_target *target, const struct learn_moment *moment,
                         struct starts *starts, bool *moved, struct play_report *report);

/* Room for n moves in the play's record. */
enum status learner_reserve(struct learner *learner, const struct learn_target *target,
                            const struct start_settings *starts, uint32_t n);

#endif
