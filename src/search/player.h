/*
 * player: chooses the moves, for games, statistics and the terminal.
 *
 * A player is read-only once initialised and threads may share it; each thread has its own generator and searcher.
 */
#ifndef AFTERSTATE_SEARCH_PLAYER_H
#define AFTERSTATE_SEARCH_PLAYER_H

#include "base/random.h"
#include "base/status.h"
#include "game/grid.h"
#include "game/value.h"
#include "search/searcher.h"

enum player_kind {
    PLAYER_RANDOM, /* uniform over the legal directions */
    PLAYER_SEARCH, /* expectimax over a value function */
};

struct player {
    enum player_kind kind;
    const struct grid *grid;
    struct value_function function; /* PLAYER_SEARCH only, as is all below; borrowed */
    struct search_settings search;
};

/* The searcher a thread needs to play as this player; NULL for one that does not search. Free with searcher_free(). */
enum status player_create_searcher(struct searcher **out, const struct player *player);

/*
 * A legal direction, or DIRECTION_COUNT if there is none or the search was cancelled. Only PLAYER_RANDOM draws from
 * rng; only PLAYER_SEARCH uses the searcher.
 */
enum direction player_choose(const struct player *player, struct searcher *searcher, struct board board,
                             struct rng *rng);

#endif
