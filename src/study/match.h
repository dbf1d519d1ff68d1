/*
 * match: many games by one player, spread over threads, or over the ranks of a cluster and their threads. Game i always
 * has the spawns of stream i of the seed, so the results do not depend on the number of threads or ranks. A player
 * whose values depend on their batch in the last bits (a neural network) may play game i a little differently alone, in
 * a match of another length, or in a resumed one.
 *
 * The games that end first are the short ones, so the games finished when a match is stopped are a biased sample. Only
 * the games before the first unfinished one are reported then.
 *
 * Times: a game's `seconds` are its worker's from its first move to its end. Where a worker plays several games side by
 * side (at 1-ply, and with a value function that prefers large batches), its time is shared evenly among those under
 * way.
 */
#ifndef AFTERSTATE_STUDY_MATCH_H
#define AFTERSTATE_STUDY_MATCH_H

#include "base/cluster.h"
#include "base/progress.h"
#include "base/workers.h"
#include "game/record.h"
#include "search/player.h"
#include "study/pace.h"
#include "study/summary.h"

struct match {
    const struct player *player; /* borrowed */
    uint64_t seed;
    uint64_t first_game; /* number of the first game's stream */
    size_t n_games;
    /* Game i starts from starts[i % n_starts], the player's turn, with score 0; n_starts 0: new games. Borrowed. */
    const struct board *starts;
    size_t n_starts;
    /* A game ends, with the spawn after it, when a move makes this tile; if it is no power of two but a sum of tiles,
       when tiles of at least its smallest add up to it. 0: games are played to the end. */
    uint32_t until;
    struct game_result *results; /* n_games of them; those of finished games are filled */
    struct game_record *records; /* n_games of them, zeroed, or NULL */
    /* n_games of them, or NULL: games that are marked beforehand are not played, those that get finished are marked. */
    bool *finished;
    /*
     * Gets the time of moves, or NULL. Of games side by side one round in sixteen is timed, and its time shared evenly
     * among its moves: a single one of them has no time of its own.
     */
    struct pace *pace;
    /* Optional: called after each finished game, by one thread at a time, on rank 0; a failure ends the match. */
    enum status (*game_over)(void *context, size_t game);
    void *game_over_context;
    /* Optional: called after each game, by one thread at a time, on rank 0; false stops the match like a signal. */
    bool (*watch)(void *context, size_t n_finished);
    void *watch_context;
    /*
     * The ranks that play this match together, each with the same match and player; NULL: this process alone. What
     * rank 0 has in finished[] counts. Afterwards results, marks and pace are the same on all ranks; records are on
     * rank 0 only.
     */
    const struct cluster *cluster;
};

/*
 * Plays the games. After a signal no new game is started, those in flight are discarded, and STATUS_INTERRUPTED is
 * returned. *n_finished is set in every case: games 0 .. n_finished-1 are finished, and the next is not. `progress`
 * (the caller begins and ends it, unit games) is updated by one thread at a time, on rank 0. Collective if the match
 * has a cluster.
 */
enum status match_play(const struct match *match, struct workers *workers, struct progress *progress,
                       size_t *n_finished);

/*
 * Plays game `item` of the match alone, into results[item] and records[item]. After a signal *finished is false.
 * `searcher` is the player's; `pace` may be NULL. The callbacks and `finished` are not used.
 */
enum status match_play_game(const struct match *match, struct searcher *searcher, size_t item, struct pace *pace,
                            bool *finished);

#endif
