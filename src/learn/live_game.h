/*
 * live_game: a game that a trainer is playing, for both kinds of trainers: the position, where the present play began,
 * and the record of its boards, from which the next play may start. The trainer chooses the moves and learns.
 */
#ifndef AFTERSTATE_LEARN_LIVE_GAME_H
#define AFTERSTATE_LEARN_LIVE_GAME_H

#include "base/random.h"
#include "base/status.h"
#include "learn/starts.h"

#include <stdbool.h>
#include <stdint.h>

struct live_game {
    struct rng rng;
    struct board board; /* the player's turn */
    struct play_origin origin;
    uint64_t score; /* of this play, as the next */
    uint32_t n_moves;
    struct board *states; /* [n_moves] the board before each move; NULL unless starts_need_states() */
    size_t n_reserved;    /* states for which there is room */
};

/* How a finished play went. */
struct play_report {
    bool fresh; /* it began as a new game (play_origin) */
    uint64_t score;
    unsigned max_value; /* exponent of its largest tile */
};

/* Begins the first play. */
void live_game_begin(struct live_game *game, struct starts *starts);

/* Makes room for n states where starts need them. STATUS_NO_MEMORY; the record then stays as it was. */
enum status live_game_reserve(struct live_game *game, const struct start_settings *settings, uint32_t n);

/* Records the board, makes the move that leads to `after`, and spawns a tile. Fails as live_game_reserve() does, and
   then makes no move. */
static inline enum status live_game_move(struct live_game *game, const struct starts *starts, struct board after,
                                         uint32_t reward)
{
    if (starts_need_states(starts->settings)) {
        enum status status = live_game_reserve(game, starts->settings, game->n_moves + 1);
        if (status)
            return status;
        game->states[game->n_moves] = game->board;
    }
    game->score += reward;
    game->n_moves++;
    game->board = spawn_apply(after, spawn_draw(after, starts->grid->used, &game->rng));
    return STATUS_OK;
}

/* Ends a play that has no legal move, and begins the next one. */
struct play_report live_game_finish(struct live_game *game, struct starts *starts);

void live_game_free(struct live_game *game); /* zeroed is fine */

#endif
