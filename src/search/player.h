/*
 * player: who chooses the moves. One small object that games, statistics and the terminal ask for a direction.
 *
 * A player is read-only once made; threads may share it, each with its own generator.
 */
#ifndef AFTERSTATE_SEARCH_PLAYER_H
#define AFTERSTATE_SEARCH_PLAYER_H

#include "base/random.h"
#include "game/grid.h"
#include "game/value.h"

enum player_kind {
    PLAYER_RANDOM, /* uniform over the legal directions */
    PLAYER_SEARCH, /* plain expectimax over a value function */
};

struct player {
    enum player_kind kind;
    const struct grid *grid;
    struct value_function function; /* PLAYER_SEARCH only; borrowed */
    unsigned depth;                 /* plies, 1 or more; PLAYER_SEARCH only */
};

/* A legal direction, or DIRECTION_COUNT if there is none. Only PLAYER_RANDOM draws from rng. */
enum direction player_choose(const struct player *player, struct board board, struct rng *rng);

#endif
