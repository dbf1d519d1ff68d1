/*
 * game: one game from its first two tiles to its end. The seed and the number of a game fix its spawns, for any player
 * and on any thread.
 */
#ifndef AFTERSTATE_GAME_GAME_H
#define AFTERSTATE_GAME_GAME_H

#include "game/grid.h"

struct game {
    const struct grid *grid;
    struct board board; /* the player's turn */
    uint64_t score;
    uint32_t n_moves;
    struct rng rng; /* of the spawns */
};

/* Game number `index` of `seed`; the grid is borrowed. */
static inline struct game game_begin(const struct grid *grid, uint64_t seed, uint64_t index)
{
    struct game game = {.grid = grid, .rng = random_stream(seed, index)};
    game.board = grid_start(grid, &game.rng);
    return game;
}

/* Continues from an afterstate that the caller has computed: adds the score, spawns a tile. */
static inline struct spawn game_continue(struct game *game, struct board after, uint32_t reward)
{
    struct spawn spawn = spawn_draw(after, game->grid->used, &game->rng);
    game->board = spawn_apply(after, spawn);
    game->score += reward;
    game->n_moves++;
    return spawn;
}

/* Plays a direction: moves, scores, spawns. Returns false and changes nothing if it is illegal. *spawned (may be NULL)
   gets the new tile. A legal move always leaves an empty cell: it merged two tiles or moved one out of its cell. */
static inline bool game_play(struct game *game, enum direction direction, struct spawn *spawned)
{
    uint32_t reward;
    struct board after = grid_move(game->grid, game->board, direction, &reward);
    if (board_equal(after, game->board))
        return false;
    struct spawn spawn = game_continue(game, after, reward);
    if (spawned)
        *spawned = spawn;
    return true;
}

/*
 * How many tiles 2^value (value at least 2) a move made by merging: `before` is the board, `after` the board right
 * after the move, without the new tile. Of each value there are afterwards as many as before, plus the merges that made
 * it, minus two for each merge that used it up; the merges are found from the largest value down.
 */
static inline unsigned game_count_made(struct board before, struct board after, unsigned value)
{
    int change[BOARD_MAX_VALUE + 1] = {0};
    for (unsigned cell = 0; cell < BOARD_MAX_CELLS; cell++) {
        change[board_get(after, cell)]++;
        change[board_get(before, cell)]--;
    }
    int n_made = 0; /* of the value one above */
    for (unsigned v = BOARD_MAX_VALUE; v >= value; v--)
        n_made = change[v] + 2 * n_made;
    return (unsigned)n_made;
}

static inline bool game_is_over(const struct game *game)
{
    return grid_is_terminal(game->grid, game->board);
}

#endif
