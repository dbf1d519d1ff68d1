/* player: chooses the moves, for games, statistics and the terminal. */
#include "search/player.h"

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

enum status player_create_searcher(struct searcher **out, const struct player *player)
{
    *out = NULL;
    if (player->kind != PLAYER_SEARCH)
        return STATUS_OK;
    return searcher_create(out, player->grid, &player->function, &player->search);
}

enum direction player_choose(const struct player *player, struct searcher *searcher, struct board board,
                             struct rng *rng)
{
    if (player->kind == PLAYER_RANDOM)
        return choose_random(player->grid, board, rng);
    struct search_result result = searcher_search(searcher, board);
    return result.cancelled ? DIRECTION_COUNT : result.best;
}
