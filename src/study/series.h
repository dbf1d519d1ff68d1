/*
 * series: an evaluation of one player: N games, in parallel, with the times of moves, and optionally a log (game_log.h)
 * by which an interrupted series resumes, and records of every move. The games may start from the boards of a bank
 * (bank.h) and end when a tile is made.
 */
#ifndef AFTERSTATE_STUDY_SERIES_H
#define AFTERSTATE_STUDY_SERIES_H

#include "base/progress.h"
#include "base/workers.h"
#include "search/player.h"
#include "study/bank.h"
#include "study/match.h"
#include "study/pace.h"
#include "study/summary.h"

struct series_settings {
    const struct player *player; /* borrowed */
    const char *player_name;
    uint64_t seed;
    size_t n_games;
    const struct bank *bank; /* where the games start; NULL: new games. Borrowed */
    uint32_t until;          /* the tile, or sum of tiles, that ends a game (match.h); 0: they are played to the end */
    const char *log_path;    /* NULL: none */
    /* Identifies the player in the log's title (a checksum of the network); needed with log_path. */
    const char *player_identity;
    const char *record_path; /* NULL: none */
    /* The ranks that play this series together, with equal settings (files are rank 0's); NULL: this process alone. */
    const struct cluster *cluster;
};

/* The result. */
struct series {
    struct game_result *results; /* n_games of the settings; those of games 0 .. n_finished-1 are there */
    size_t n_finished;           /* games before the first unfinished one: what may be summed up */
    size_t n_resumed;            /* games that came from the log */
    size_t n_beyond;             /* finished games after the first unfinished one; they are in the log, if any */
    uint64_t n_moves_now;        /* moves of the games that were finished in this run */
    double seconds_now;          /* wall time of this run */
    double seconds_per_move;     /* of a worker, over games 0 .. n_finished-1 */
    struct pace pace;            /* of the moves of this run */
};

/*
 * Plays. The caller begins `progress` with n_games as its total. After STATUS_INTERRUPTED *series has what was done,
 * after other failures it is empty. A recorded series cannot resume from a log with games in it, whose moves are not
 * recorded: STATUS_USAGE. Free with series_free() in every case. Collective if there is a cluster: the same status
 * on all ranks; n_resumed, n_moves_now and files are rank 0's.
 */
enum status series_play(struct series *series, const struct series_settings *settings, struct workers *workers,
                        struct progress *progress);

void series_free(struct series *series); /* zeroed is fine */

#endif
