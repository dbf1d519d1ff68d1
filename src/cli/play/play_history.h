/*
 * play_history: all positions of a game, so that moves can be taken back and repeated. One of them is the present one;
 * playing from there discards the later ones.
 */
#ifndef AFTERSTATE_CLI_PLAY_HISTORY_H
#define AFTERSTATE_CLI_PLAY_HISTORY_H

#include "base/status.h"
#include "game/game.h"
#include "game/record.h"

/* A position and the move that led to it. */
struct played_move {
    struct game game;
    enum direction direction; /* DIRECTION_COUNT at the start */
    struct spawn spawned;
};

/* Owns `moves`; zeroed is one without a game. */
struct play_history {
    struct played_move *moves;
    uint32_t n_moves; /* with the start: at least 1 */
    size_t room;
    uint32_t present;
};

/* Starts with a game at its first move; earlier contents are discarded. */
enum status play_history_begin(struct play_history *history, const struct game *start);
/*
 * All of a record that game_record_check() has accepted, with its start as the present. The game can be shown but not
 * continued: a record has no random generator.
 */
enum status play_history_load(struct play_history *history, const struct grid *grid, const struct game_record *record);
void play_history_free(struct play_history *history);

static inline const struct played_move *play_history_present(const struct play_history *history)
{
    return &history->moves[history->present];
}

/* Plays from the present. *legal is false, and nothing changes, if the direction is not. */
enum status play_history_play(struct play_history *history, enum direction direction, bool *legal);

/* One move back or forward; false where there is none. */
bool play_history_back(struct play_history *history);
bool play_history_forward(struct play_history *history);

/* Records the moves from the start to the present. */
enum status play_history_record(const struct play_history *history, uint64_t seed, struct game_record *record);

#endif
