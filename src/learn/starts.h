/*
 * starts: where the next play of a game slot begins: a new game, the middle of the last play (Matsuzaki's restart), an
 * afterstate with which some stage began (MASTER's carousel), a board with large tiles on it (jump start), a board of
 * the last play with every tile doubled, or a mix.
 *
 * Each worker has one `struct starts` for its own games, so nothing is shared and one thread is reproducible.
 */
#ifndef AFTERSTATE_LEARN_STARTS_H
#define AFTERSTATE_LEARN_STARTS_H

#include "base/random.h"
#include "base/status.h"
#include "game/grid.h"
#include "learn/learn_settings.h"

#include <stdbool.h>
#include <stdint.h>

/* The carousel's memory of one worker. */
struct starts {
    const struct grid *grid;
    const struct start_settings *settings;
    unsigned n_stages;
    struct board *ring;  /* [stage * settings->ring + i]; NULL without carousel */
    uint32_t *n_seen;    /* [stage]: first afterstates ever put in */
    unsigned next_stage; /* of the carousel */
    unsigned own_jump;   /* this start of the jump list always, counted from 1; 0: one drawn for each play */
};

/* Where a play began, and what is needed to find the next start. */
struct play_origin {
    uint8_t kind;        /* enum start_kind */
    bool fresh;          /* began with two spawned tiles: its score counts for the training average */
    uint32_t first_turn; /* of the game it belongs to */
    uint32_t n_plays;    /* of its restart chain so far, this one included */
};

enum start_kind { START_NEW, START_RESTART, START_CAROUSEL, START_JUMP, START_DOUBLE, START_KINDS };

enum status starts_create(struct starts *starts, const struct grid *grid, const struct start_settings *settings,
                          unsigned n_stages);
void starts_free(struct starts *starts);

/*
 * Remembers `after` where a move leads from stage `before` to a higher one. It need not be the next: with stages by
 * bits, 16384 + 16384 -> 32768 leads from stage 6 to stage 8.
 */
void starts_see_move(struct starts *starts, unsigned before, unsigned stage, struct board after);

/* Remembers a board with which a play of that stage may start. */
void starts_see_stage(struct starts *starts, unsigned stage, struct board after);

/*
 * A board of a play, as in starts_next(), that may be doubled and has an empty cell, with every tile doubled, if the
 * play went on to make its largest tile twice as large: its order was good enough for that, so it may be so again.
 * False if the draw met none.
 */
bool starts_draw_doubled(const struct starts *starts, struct rng *rng, const struct board *states, uint32_t n_moves,
                         struct board *board);

/* A start with no play before it. */
struct board starts_first(struct starts *starts, struct rng *rng, struct play_origin *origin);

/* The start after a play of n_moves moves that began as *origin and whose states[i] was the board before move i. */
struct board starts_next(struct starts *starts, struct rng *rng, const struct board *states, uint32_t n_moves,
                         struct play_origin *origin);

/* Whether plays must keep their states (a restart or a doubled board may come of them). */
static inline bool starts_need_states(const struct start_settings *settings)
{
    return settings->restart > 0 || settings->doubled > 0 || settings->carousel_double;
}

#endif
