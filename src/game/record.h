/*
 * record: games written down move by move, a byte a move before compression, checksummed, replayable with no generator
 * and no player: every spawn is in the record. docs/FORMATS.md, "Game records", has the bytes.
 *
 *   step   bit 7     6          5 .. 2          1 0
 *         |  0  | 4 not 2 | cell of the spawn | direction |
 *
 * Writers and readers belong to one thread at a time.
 */
#ifndef AFTERSTATE_GAME_RECORD_H
#define AFTERSTATE_GAME_RECORD_H

#include "base/status.h"
#include "game/game.h"

#include <stddef.h>
#include <stdint.h>

/* One game. Owns `steps`; zeroed is an empty one. */
struct game_record {
    uint64_t seed, index; /* the stream that gave the spawns, for people; replay does not need it */
    struct board start;
    uint64_t score;
    uint32_t n_moves;
    size_t capacity; /* of steps */
    uint8_t *steps;
};

/* Starts recording a game that stands at its first move; keeps the room of an earlier game. */
void game_record_begin(struct game_record *record, const struct game *game, uint64_t seed, uint64_t index);
/* Adds a move that was just played on `game`. */
enum status game_record_add(struct game_record *record, const struct game *game, enum direction direction,
                            struct spawn spawned);
void game_record_free(struct game_record *record); /* NULL is fine */

/* A walk through a recorded game. */
struct replay {
    const struct grid *grid;
    const struct game_record *record;
    struct board board;
    uint64_t score;
    uint32_t n_played;
};

struct replay replay_begin(const struct grid *grid, const struct game_record *record);
/* Plays the next step, whose parts *direction and *spawned (each may be NULL) get. STATUS_CORRUPT if the step is
   against the rules. Call while n_played < record->n_moves. */
enum status replay_next(struct replay *replay, enum direction *direction, struct spawn *spawned);
/* Replays the whole game: every step legal and the score as recorded. */
enum status game_record_check(const struct grid *grid, const struct game_record *record);

struct record_writer;

/* Starts a record file for games of one board size by one player (a name for people, at most 255 bytes are kept). */
enum status record_writer_open(struct record_writer **out, const char *path, const struct grid *grid,
                               const char *player);
enum status record_writer_add(struct record_writer *writer, const struct game_record *record);
/* Puts the file in place; frees the writer in every case. */
enum status record_writer_commit(struct record_writer *writer);
void record_writer_abort(struct record_writer *writer); /* NULL is fine; no file is left */

struct record_reader;

struct record_info {
    unsigned rows, cols;
    uint64_t n_games, n_moves;
    char player[256];
};

/* Opens a record file; the whole of it is checked as it is read. */
enum status record_reader_open(struct record_reader **out, const char *path);
enum status record_reader_open_memory(struct record_reader **out, const void *data, size_t bytes, const char *name);
void record_reader_close(struct record_reader *reader); /* NULL is fine */
struct record_info record_reader_info(const struct record_reader *reader);
/* The next game into *record (reusing its room). *found is false at the end. The steps are not yet checked against the
   rules: replay_next() and game_record_check() do that. */
enum status record_reader_next(struct record_reader *reader, struct game_record *record, bool *found);

#endif
