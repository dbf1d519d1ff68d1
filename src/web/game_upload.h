/*
 * game_upload: a game that a client sends: one of a record file, or written as JSON. docs/GUIDE.md has the forms. Safe
 * on any bytes; what it gives is a game that the rules allow from its first board to its last.
 */
#ifndef AFTERSTATE_WEB_GAME_UPLOAD_H
#define AFTERSTATE_WEB_GAME_UPLOAD_H

#include "game/record.h"
#include "web/catalog.h"
#include "web/web_error.h"
#include "web/web_text.h"

#include <stdatomic.h>
#include <stdint.h>

struct game_upload {
    const struct web_board *board;
    struct game_record record; /* owned */
    char player[256];
    uint64_t game, n_games; /* which one, of how many in the file */
};

/* Whether the bytes are a record file, or seem to be: what is none should be JSON. */
bool game_upload_is_record(const void *data, size_t bytes);

/* What was sent, and when to give up reading it. */
struct upload_source {
    const void *data;
    size_t bytes;
    uint64_t game;             /* which one of a record; counts from 0 */
    const atomic_bool *cancel; /* the answer is not wanted any more; NULL: never */
    double until;              /* as clock_seconds() */
};

/*
 * Reads game number source->game into *upload, which is zeroed first; to be freed in every case. HTTP_BAD_REQUEST where
 * the bytes are no game of a board that is offered; HTTP_TOO_LARGE where `until` passes before the game is found, since
 * a small file may unpack to a thousand times its size; HTTP_UNAVAILABLE without memory, or when *cancel becomes true.
 */
enum http_code game_upload_read(struct game_upload *upload, const struct catalog *catalog,
                                const struct upload_source *source);
void game_upload_free(struct game_upload *upload);

/* The game as a record file. */
enum http_code game_upload_to_record(const struct game_upload *upload, struct web_text *file);

#endif
