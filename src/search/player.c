#include "search/player.h"

#include "search/plain_expectimax.h"

/*
 * Draws directions until one is legal: uniform over the legal ones, and most boards need one move computed instead of
 * four (on 4x4 twice as fast as choosing among all four; both measured in one run).
 */
static enum direction choose_random(const struct grid *grid, struct board board, struct rng *rng)
{
    for (;;) {
        enum direction direction = random_bits(rng) >> 62;
        uint32_t reward;
        if (!board_equal(grid_move(grid, board, direction, &reward), board))
            return direction;
        if (grid_is_terminal(grid, board))
            return DIRECTION_COUNT;
    }
}

enum direction player_choose(const struct player *player, struct board board, struct rng *rng)
{
    if (player->kind == PLAYER_RANDOM)
        return choose_random(player->grid, board, rng);
    return plain_expectimax(player->grid, &player->function, board, player->depth).best;
}
