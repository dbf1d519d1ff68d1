/*
 * afterstate/exact.h: the exact expected score of any player on a solved board, without sampling, and what it loses
 * where. Included by afterstate.h, whose conventions hold.
 */
#ifndef AFTERSTATE_EXACT_H
#define AFTERSTATE_EXACT_H

#include <afterstate/core.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What to solve; the score of the game is the objective, and every afterstate's value is kept. */
struct as_solve_settings {
    size_t size; /* sizeof(struct as_solve_settings) */
    unsigned rows, cols;
    unsigned goal;    /* value of the tile whose chance is wanted, from 3 (an 8); 0: the expected score */
    unsigned threads; /* 0 or 1: the calling one */
};

/*
 * Solves a board into a table directory, as `afterstate solve` (which has more settings, progress, and can be stopped):
 * seconds for 3x3 (120 MB), hours for 3x4. A directory that holds an unfinished solve is continued. AS_INVALID for a
 * board that cannot be solved, AS_USAGE where the directory holds another solve, AS_NO_MEMORY, AS_IO.
 */
AS_API enum as_status as_solve(const char *directory, const struct as_solve_settings *settings);

enum as_player {
    AS_PLAYER_RANDOM = 0,   /* every legal direction alike */
    AS_PLAYER_GREEDY = 1,   /* the largest reward; evenly among equal ones */
    AS_PLAYER_OPTIMAL = 2,  /* the table's own */
    AS_PLAYER_NETWORK = 3,  /* the first of the best by reward + value of a network */
    AS_PLAYER_FUNCTION = 4, /* a function of the caller */
};

/*
 * A player: share[4 * i + d] = the probability, 0 .. 1, with which it takes direction d on board i of `cells`, n boards
 * as cells (arrays.h), each of which has a legal direction. The four sum to 1, illegal ones are 0. Not 0 is a failure
 * and ends the evaluation with AS_INTERRUPTED. Called by the thread that called as_exact(), about each board twice.
 */
typedef int (*as_player_function)(void *context, const uint8_t *cells, size_t n, double *share);

struct as_exact_settings {
    size_t size; /* sizeof(struct as_exact_settings) */
    enum as_player player;
    const struct as_network *network; /* AS_PLAYER_NETWORK */
    as_player_function function;      /* AS_PLAYER_FUNCTION */
    void *context;                    /* of both functions */
    int symmetric;    /* AS_PLAYER_FUNCTION: 1 if it treats all images of a board alike: up to eight times faster */
    unsigned threads; /* 0 or 1: the calling one */
    int (*poll)(void *context); /* called after each age; not 0 ends with AS_INTERRUPTED. May be NULL */
};

struct as_exact_result {
    double score;         /* expected points of a game, or the chance of the table's goal */
    double optimum;       /* of the table */
    double forward_score; /* the score once more, by the pass in the other direction: equal to rounding */
    double loss;          /* all losses; optimum - loss is the score to the precision of the table's values */
    double moves;         /* expected moves of a game */
    double optimal_moves; /* how many of them are optimal */
    double tied_moves;    /* AS_PLAYER_NETWORK: .. took the first of equal values of different afterstates */
};

/* One age (the sum of all tiles), on average over all games. */
struct as_exact_age {
    uint32_t age;
    double visits;  /* probability that a game has a turn at this age */
    double optimal; /* .. and takes an optimal move there */
    double tied;    /* .. and took the first of equal values */
    double loss;    /* points given away at this age */
};

/*
 * Evaluates a player on the board of a solved table with values of the normal variant. `ages`, may be NULL, has n_ages
 * entries of as_table_get_info(). AS_INVALID if table and player do not fit or the function's shares make no sense,
 * AS_USAGE, AS_NO_MEMORY, AS_CORRUPT; nothing is then written. 3x3 takes some ten seconds, for a function that is not
 * symmetric eight times that and its own time. Any thread, many at once.
 */
AS_API enum as_status as_exact(const struct as_table *table, const struct as_exact_settings *settings,
                               struct as_exact_result *result, struct as_exact_age *ages);

#ifdef __cplusplus
}
#endif

#endif
