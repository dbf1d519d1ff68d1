/*
 * afterstate/records.h: games written down move by move. Included by afterstate.h, whose conventions hold.
 *
 * A record file holds any number of games of one board size, every new tile included, so that a game can be replayed
 * without a generator or a player (`afterstate play --record`, docs/FORMATS.md). Readers and writers belong to one
 * thread at a time.
 */
#ifndef AFTERSTATE_RECORDS_H
#define AFTERSTATE_RECORDS_H

#include <afterstate/core.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { AS_PLAYER_BYTES = 256 };

struct as_record_reader;
struct as_record_writer;

struct as_record_info {
    unsigned rows, cols;
    uint64_t n_games, n_moves;
    char player[AS_PLAYER_BYTES]; /* a name, ended by 0 */
};

/* One game of a file. */
struct as_record_game {
    uint64_t seed, index; /* where its spawns came from, as as_game_begin(); 0 if unknown */
    uint64_t score;
    uint64_t n_moves;
};

/*
 * A game move by move. A reader fills the arrays, each of which may be NULL; a writer needs all but `cells` and
 * `rewards`. Entry k belongs to move k, 0 .. n_moves-1, but for `cells`: board k is that before move k, and board
 * n_moves the last one.
 */
struct as_record_steps {
    size_t size;           /* sizeof(struct as_record_steps) */
    uint8_t *start;        /* the first board as cells; a writer reads it */
    uint8_t *cells;        /* (n_moves + 1) boards as cells */
    uint8_t *directions;   /* an enum as_direction each */
    uint8_t *spawn_cells;  /* where the new tile appeared: row * cols + column */
    uint8_t *spawn_values; /* 1 or 2 */
    uint32_t *rewards;     /* points */
};

/* Opens a record file. AS_IO, AS_CORRUPT with the reason, AS_NO_MEMORY, AS_USAGE for NULL; *out is then NULL. */
AS_API enum as_status as_record_reader_open(struct as_record_reader **out, const char *path);
/* NULL is fine. */
AS_API void as_record_reader_free(struct as_record_reader *reader);
AS_API enum as_status as_record_reader_get_info(const struct as_record_reader *reader, struct as_record_info *info);
/* The grid of its boards, which lives as long as the reader; NULL if reader is NULL. */
AS_API const struct as_grid *as_record_reader_grid(const struct as_record_reader *reader);

/*
 * Goes to the next game, the first one at first: 1 and *game is filled, 0 if there is none, -1 with an error message.
 * Every move is replayed here, so a game that is against the rules is a failure.
 */
AS_API int as_record_reader_next(struct as_record_reader *reader, struct as_record_game *game);

/* Fills the arrays of the present game, whose lengths follow from its n_moves. AS_USAGE before the first game. */
AS_API enum as_status as_record_reader_get_steps(const struct as_record_reader *reader,
                                                 const struct as_record_steps *steps);

/*
 * Begins a record file of games on `grid`, which is borrowed until the writer is gone. `player` (NULL: "") is cut to
 * AS_PLAYER_BYTES - 1 bytes. Nothing is at `path` before as_record_writer_commit(). AS_IO, AS_NO_MEMORY, AS_USAGE;
 * *out is then NULL.
 */
AS_API enum as_status as_record_writer_open(struct as_record_writer **out, const char *path, const struct as_grid *grid,
                                            const char *player);

/*
 * Adds a game; seed, index and n_moves are read from *game, the score is computed. AS_INVALID, naming the move, if a
 * move is illegal or a tile appears on a cell that is not empty; the file is then as before.
 */
AS_API enum as_status as_record_writer_add(struct as_record_writer *writer, const struct as_record_game *game,
                                           const struct as_record_steps *steps);

/* Puts the file in place. Frees the writer, also on failure (AS_IO). */
AS_API enum as_status as_record_writer_commit(struct as_record_writer *writer);
/* Discards the games: frees the writer and leaves no file. NULL is fine. */
AS_API void as_record_writer_free(struct as_record_writer *writer);

#ifdef __cplusplus
}
#endif

#endif
