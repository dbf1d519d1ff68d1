/*
 * match: many games by one player, spread over threads. Game i always has the spawns of stream i of the seed, so the
 * results do not depend on the number of threads.
 */
#ifndef AFTERSTATE_STUDY_MATCH_H
#define AFTERSTATE_STUDY_MATCH_H

#include "base/progress.h"
#include "base/workers.h"
#include "game/record.h"
#include "search/player.h"
#include "study/summary.h"

struct match {
    const struct player *player; /* borrowed */
    uint64_t seed;
    uint64_t first_game; /* number of the first game's stream */
    size_t n_games;
    struct game_result *results; /* n_games of them, filled for the finished games 0 .. n_finished-1 */
    struct game_record *records; /* n_games of them, zeroed, or NULL */
    /* Asked by the calling thread after each of its games, if not NULL: false stops the match as a signal does. */
    bool (*watch)(void *context, size_t n_finished);
    void *watch_context;
};

/*
 * Plays the games. Where a signal asks to stop, no new game is begun, those under way are given up, the finished ones
 * are moved to the front in order, and STATUS_INTERRUPTED is returned. *n_finished is set in every case. `progress`
 * (begun by the caller, unit games) is updated by the calling thread.
 */
enum status match_play(const struct match *match, struct workers *workers, struct progress *progress,
                       size_t *n_finished);

/* Plays one game to its end, or until a signal asks to stop: then *finished is false. `record` may be NULL. */
enum status match_play_game(const struct player *player, struct searcher *searcher, uint64_t seed, uint64_t index,
                            struct game_result *result, struct game_record *record, bool *finished);

#endif
