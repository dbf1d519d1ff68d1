/* learn_settings: how a network learns, as plain numbers, which train_recipe.h reads from a recipe. */
#ifndef AFTERSTATE_LEARN_LEARN_SETTINGS_H
#define AFTERSTATE_LEARN_LEARN_SETTINGS_H

#include "game/board.h"
#include "learn/schedule.h"
#include "neural/optimiser.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    LEARN_MAX_PHASES = 8,
    LEARN_MAX_HORIZON = 31,
    JUMP_MAX_STARTS = 64,
    JUMP_MAX_TILES = 16,
    LEARN_PATH_BYTES = 512
};

enum learn_rule { RULE_TD, RULE_TC, RULE_AUTOSTEP };

/* The rule and rate from `start_action` on. The rate is alpha for TD, beta for TC, mu for Autostep. */
struct learn_phase {
    uint64_t start_action;
    enum learn_rule rule;
    struct schedule rate; /* over the actions of the whole run */
};

/* Exact chances of reaching the goal, for boards of a solved table: the interface of an endgame (solve/endgame.h). */
struct known_chances {
    void *context; /* NULL: none are known */
    /* Whether the chance of this afterstate is known. Thread-safe. */
    bool (*chance)(const void *context, struct board after, float *chance);
    void (*free)(void *context);
};

/*
 * Learning to reach a tile instead of playing to the end: a play ends, with a prize, when the tile is as good as made:
 * when tiles of an eighth of it and more add up to it, as 16384, 8192 and two 4096s do to 32768. A board whose chance
 * of that is known is worth chance * share * prize.
 */
struct learn_goal {
    uint8_t tile; /* exponent, at least 6; 0: plays go to their end */
    float prize;  /* points for it */
    float share;  /* of the boards whose known chance comes true, how many make the tile */
    struct known_chances known;
};

/* Whether the goal is made, or as good as made. */
static inline bool learn_has_goal(const struct learn_goal *goal, struct board board)
{
    return goal->tile && board_large_sum(board, goal->tile - 3u) >= UINT32_C(1) << goal->tile;
}

/* Moves other than the best one while learning (none by default). */
struct exploration {
    float epsilon;     /* share of moves drawn evenly from the legal ones */
    float temperature; /* points: the others are drawn with chances exp(value / temperature); 0: the best one */
    bool aim_best; /* targets see the best move, and traces end at another; else targets see the move that was made */
};

static inline bool learn_explores(const struct exploration *exploration)
{
    return exploration->epsilon > 0 || exploration->temperature > 0;
}

struct learn_settings {
    struct learn_goal goal;
    struct exploration explore;
    unsigned n_phases;
    struct learn_phase phases[LEARN_MAX_PHASES];
    float lambda;     /* 0..1 */
    unsigned horizon; /* h of Jaskowski 2018: how many earlier afterstates an error reaches; 0 if lambda is 0 */
    bool delayed;     /* one update per afterstate, h steps late (its algorithms 3 and 4), else algorithms 1 and 2 */
    bool backward;    /* all updates of a play after its end, last afterstate first; lambda-return instead of horizon */
    float autostep_tau, autostep_initial;
    uint64_t reset_every;   /* actions between resets of TC's accumulators; 0: never */
    uint64_t average_every; /* actions between samples of the weights' mean (weight_average.h); 0: none is kept */
    uint64_t average_from;  /* no sample before this action */
};

/* One start of a jump list: the exponents of its tiles; 0 is a spawned tile, 2 or 4. */
struct jump_start {
    uint8_t n_tiles;
    uint8_t tiles[JUMP_MAX_TILES];
    uint8_t
        places[JUMP_MAX_TILES]; /* 1 + the cell where each stands, none twice; 0: on a random cell. The first first */
};

/* Boards that plays may start from. */
struct start_bank {
    struct board *boards; /* NULL: none */
    size_t n_boards;
    float share; /* of the jump starts that are one of them, 0 to 1; the others are from the list */
};

/* What a play starts from: new_game .. doubled are the weights of a mix, at least 0, with any sum above 0. */
struct start_settings {
    float new_game, restart, carousel, jump, doubled;
    unsigned restart_plays;     /* plays of one game, the first included; 0: until a play is short */
    unsigned restart_min_turns; /* a play of at most this many turns is short (10) */
    bool restart_jump;          /* a chain of restarts begins with a jump start, not with a new game */
    uint8_t double_from;        /* only boards whose largest tile has at least this exponent are doubled .. */
    uint8_t double_to;          /* .. and at most this exponent afterwards */
    unsigned ring;              /* afterstates remembered for each stage by the carousel (1000) */
    unsigned carousel_first;    /* the first stage of its rounds; 0: a new game */
    bool carousel_double;       /* it also remembers doubled boards of plays */
    unsigned n_jumps;
    struct jump_start jumps[JUMP_MAX_STARTS];
    struct start_bank bank; /* a trainer takes it over, and frees it */
};

/* What a batch is (Matsuzaki 2021, section 3.1). */
enum batching { BATCH_FIXED, BATCH_SHUFFLE, BATCH_GAME, BATCH_POSITION };

/* What products of matrices are computed with while a network learns: floats, or 16-bit floats where the processor
   has instructions for them (neural/bf16.h). The weights are floats in either case. */
enum precision { PRECISION_FP32, PRECISION_BF16 };

/*
 * What a teacher teaches (neural_lesson.c). Of a board with afterstates i, teacher's values T and the network's V, each
 * in points and with the reward of its move, a network learns to lower
 *
 *     KL( softmax(T / temperature) || softmax(V / temperature) )  +  value * mean over i of (T - V)^2 / scale^2
 */
struct lesson_settings {
    double temperature; /* points; 0: only the value of the afterstate that the teacher chose is learned */
    double value;
    double own;      /* share of the games in which the network makes the moves, and the teacher says what it thinks */
    uint64_t spread; /* before the first lesson the teacher plays game i of n on by i / n of so many moves */
};

/* How a neural network learns. */
struct neural_settings {
    struct start_settings start;
    enum precision precision;
    struct optimiser_settings optimiser;
    struct schedule rate;                 /* over the actions of the whole run */
    float lambda;                         /* weight of what lies further ahead in a target, 0 to 1 */
    unsigned horizon;                     /* moves beyond the next one that a target reaches, 0 to LEARN_MAX_HORIZON */
    uint64_t average_every, average_from; /* as in learn_settings */
    enum batching batching;
    unsigned batch; /* positions of a batch, for BATCH_FIXED and BATCH_SHUFFLE */
    unsigned games; /* in lock-step */
    bool augment;   /* learn from all symmetric images of each position */
    uint64_t teach; /* actions in which a teacher plays and is learned from (neural_trainer_teach()); 0: none */
    struct lesson_settings lesson;
    enum neural_initial initial;
    double deviation; /* of the initial weights, if they are fixed */
    uint64_t seed;
    unsigned threads; /* at least 1 */
};

struct trainer_settings {
    struct learn_settings learn;
    struct start_settings start;
    uint64_t seed;
    unsigned threads;    /* at least 1 */
    unsigned interleave; /* games of each thread, 1..16; trainer.h says why 1 is the default */
    uint64_t sync;       /* on a cluster: actions of each rank between merges (cluster_merge.h); 0 counts as 1 */
};

#endif
