/* live_game: a game that a trainer is playing, and the boards from which its next play may start. */
#include "learn/live_game.h"

#include "base/memory.h"

#include <stdlib.h>

static void begin_play(struct live_game *game, struct board board)
{
    game->board = board;
    game->score = 0;
    game->n_moves = 0;
}

void live_game_begin(struct live_game *game, struct starts *starts)
{
    begin_play(game, starts_first(starts, &game->rng, &game->origin));
}

enum status live_game_reserve(struct live_game *game, const struct start_settings *settings, uint32_t n)
{
    if (n <= game->n_reserved || !starts_need_states(settings))
        return STATUS_OK;
    struct board *states = memory_grow(game->states, n, &game->n_reserved, 1024, sizeof *states);
    if (!states)
        return STATUS_NO_MEMORY;
    game->states = states;
    return STATUS_OK;
}

struct play_report live_game_finish(struct live_game *game, struct starts *starts)
{
    struct play_report report = {
        .fresh = game->origin.fresh, .score = game->score, .max_value = board_max_value(game->board)};
    begin_play(game, starts_next(starts, &game->rng, game->states, game->n_moves, &game->origin));
    return report;
}

void live_game_free(struct live_game *game)
{
    free(game->states);
    *game = (struct live_game){0};
}
