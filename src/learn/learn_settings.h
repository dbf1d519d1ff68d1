/*
 * learn_settings: everything that says how a network learns, as plain numbers; the recipe (train_recipe.h) fills it.
 */
#ifndef AFTERSTATE_LEARN_LEARN_SETTINGS_H
#define AFTERSTATE_LEARN_LEARN_SETTINGS_H

#include "game/board.h"
#include "learn/schedule.h"
#include "neural/adam.h"

#include <stdbool.h>
#include <stdint.h>

enum { LEARN_MAX_PHASES = 8, LEARN_MAX_HORIZON = 31, JUMP_MAX_STARTS = 64, JUMP_MAX_TILES = 16 };

enum learn_rule { RULE_TD, RULE_TC, RULE_AUTOSTEP };

/* From `start_action` on this rule and rate hold (MASTER: alpha for TD, beta for TC, mu for Autostep). */
struct learn_phase {
    uint64_t start_action;
    enum learn_rule rule;
    struct schedule rate; /* over the actions of the whole run */
};

struct learn_settings {
    unsigned n_phases;
    struct learn_phase phases[LEARN_MAX_PHASES];
    float lambda;     /* 0..1 */
    unsigned horizon; /* h of MASTER: how many earlier afterstates an error reaches; 0 where lambda is 0 */
    bool delayed;     /* one update per afterstate, h steps late (algorithms 3 and 4), else algorithm 1 and 2 */
    bool backward;    /* all updates of a play after its end, last afterstate first; lambda-return instead of horizon */
    float autostep_tau, autostep_initial;
    uint64_t reset_every;   /* accumulators of TC back to zero every so many actions; 0 never */
    uint64_t average_every; /* actions between samples of the weights' mean (weight_average.h); 0: none is kept */
    uint64_t average_from;  /* the first actions after which there is one */
};

/* One start of a jump list: the exponents of its tiles; 0 stands for an initial tile (2 or 4 by the spawn law). */
struct jump_start {
    uint8_t n_tiles;
    uint8_t tiles[JUMP_MAX_TILES];
};

/* What a play starts from: weights of a mix, any sum above 0. */
struct start_settings {
    float new_game, restart, carousel, jump, doubled;
    unsigned restart_plays;     /* plays of one game, the first included; 0 is until the play is short */
    unsigned restart_min_turns; /* a play of at most this many turns ends the chain (10) */
    bool restart_jump;          /* a chain of restarts begins with a jump start, not with a new game */
    uint8_t double_from;        /* doubled boards had a tile of this value (exponent) before .. */
    uint8_t double_to;          /* .. and have none above this one after */
    unsigned ring;              /* afterstates remembered for each stage by the carousel (1000) */
    unsigned carousel_first;    /* the stage that its rounds begin with; 0: a new game */
    bool carousel_double;       /* it remembers doubled boards of plays as well */
    unsigned n_jumps;
    struct jump_start jumps[JUMP_MAX_STARTS];
};

/* How positions come together in a batch (NEURAL section 3.1). */
enum batch_way { BATCH_FIXED, BATCH_SHUFFLE, BATCH_GAME, BATCH_POSITION };

/* How a neural network learns; what it is lies in its spec (neural/model.h). */
struct neural_settings {
    struct start_settings start;
    struct adam_settings adam;
    enum batch_way way;
    unsigned batch;   /* positions of a batch, where the way has a number */
    unsigned games;   /* in lock-step */
    bool augment;     /* learn from all symmetric images of each position */
    double deviation; /* of the first weights */
    uint64_t seed;
    unsigned threads; /* at least 1 */
};

struct trainer_settings {
    struct learn_settings learn;
    struct start_settings start;
    uint64_t seed;
    unsigned threads;    /* at least 1 */
    unsigned interleave; /* games in flight on each thread, 1..16; trainer.h says why 1 is the default */
    uint64_t sync;       /* on a cluster: actions of each rank between merges (cluster_merge.h); 0 counts as 1 */
};

#endif
