/*
 * match: many games by one player, spread over threads, or over the ranks of a cluster and their threads. Game i always
 * has the spawns of stream i of the seed, so the results do not depend on the number of threads or ranks. A player
 * whose values depend on their batch in the last bits (a neural network) may play game i a little differently alone, in
 * a match of another length, or when one goes on.
 *
 * The games that end first are the short ones, so those that happen to be finished when a match is stopped are a
 * pessimist's sample. What is reported then is the games before the first unfinished one.
 *
 * Times: a game's `seconds` are its worker's from its first move to its end. Where a worker plays several games side by
 * side (at 1-ply, and with a value function that wants large batches), its time is shared evenly among those under way.
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
    unsigned until; /* a game ends when a move makes a tile 2^until, with the spawn after it; 0: plays to the end */
    struct game_result *results; /* n_games of them; those of finished games are filled */
    struct game_record *records; /* n_games of them, zeroed, or NULL */
    /* n_games of them, or NULL: games that are marked beforehand are not played, those that get finished are marked. */
    bool *finished;
    /*
     * Gets the time of moves, or NULL. Of games side by side one round in sixteen is timed, and its time shared evenly
     * among its moves: a single one of them has no time of its own.
     */
    struct pace *pace;
    /* Told of each game that was finished, by one thread at a time, on rank 0, if not NULL; a failure ends the match.
     */
    enum status (*game_over)(void *context, size_t game);
    void *game_over_context;
    /* Asked after each game, by one thread at a time, on rank 0, if not NULL: false stops the match as a signal does.
     */
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
 * Plays the games. Where a signal asks to stop, no new game is begun, those under way are given up, and
 * STATUS_INTERRUPTED is returned. *n_finished is set in every case: games 0 .. n_finished-1 are finished, and the next
 * is not. `progress` (begun by the caller, unit games) is updated by one thread at a time, on rank 0. Collective if the
 * match has a cluster.
 */
enum status match_play(const struct match *match, struct workers *workers, struct progress *progress,
                       size_t *n_finished);

/*
 * Plays game `item` of the match alone, into results[item] and records[item]. If a signal asks to stop, *finished is
 * false. `searcher` is the player's; `pace` may be NULL. What is told of finished games (finished, game_over, watch) is
 * not used.
 */
enum status match_play_game(const struct match *match, struct searcher *searcher, size_t item, struct pace *pace,
                            bool *finished);

#endif
