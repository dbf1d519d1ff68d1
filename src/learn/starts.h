/*
 * starts: chooses where the next play of a game begins: a new game, the middle of the last play (restart, Matsuzaki
 * 2017), an afterstate with which some stage began (carousel, Jaskowski 2018), a board with large tiles placed (jump
 * start), a board of the last play with every tile doubled, or a weighted mix of these.
 *
 * Each worker has its own `struct starts` for its games: nothing is shared, and one thread is reproducible.
 */
#ifndef AFTERSTATE_LEARN_STARTS_H
#define AFTERSTATE_LEARN_STARTS_H

#include "base/random.h"
#include "base/status.h"
#include "game/grid.h"
#include "learn/learn_settings.h"

#include <stdbool.h>
#include <stdint.h>

/* The settings, and for the carousel the remembered first afterstates of each stage. */
struct starts {
    const struct grid *grid;
    const struct start_settings *settings;
    unsigned n_stages;
    struct board *ring;  /* [stage * settings->ring + i]; NULL without carousel */
    uint32_t *n_seen;    /* [stage]: afterstates ever added to the ring of the stage */
    unsigned next_stage; /* of the carousel */
    unsigned own_jump;   /* jump starts always use this entry of the list, counted from 1; 0: a random one */
};

/* Where a play began, and what is needed to find the next start. */
struct play_origin {
    uint8_t kind;        /* enum start_kind */
    bool fresh;          /* began with two spawned tiles: its score counts in the training mean */
    uint32_t first_turn; /* moves of the same game before this play */
    uint32_t n_plays;    /* of its chain of restarts so far, this one included */
};

enum start_kind { START_NEW, START_RESTART, START_CAROUSEL, START_JUMP, START_DOUBLE, START_KINDS };

/* STATUS_INVALID if no start is possible: no positive weight, an empty list or ring, nothing to double. */
enum status starts_check_settings(const struct start_settings *settings);

/* Borrows grid and settings. STATUS_NO_MEMORY; *starts is then zeroed. */
enum status starts_create(struct starts *starts, const struct grid *grid, const struct start_settings *settings,
                          unsigned n_stages);
void starts_free(struct starts *starts); /* zeroed is fine */

/* Remembers `after` for the carousel if a move leads from stage `before` to a higher one. It may skip stages: if they
   count bits, 16384 + 16384 -> 32768 leads from stage 6 to stage 8. */
void starts_see_move(struct starts *starts, unsigned before, unsigned stage, struct board after);

/* Remembers an afterstate from which the carousel may start a play of that stage. */
void starts_see_stage(struct starts *starts, unsigned stage, struct board after);

/*
 * Draws a board of a play (states as in starts_next()) and doubles every tile. Returns false if no board can be
 * doubled, the result is full, or the play did not double its largest tile after that board: only then were its tiles
 * in an order from which that can be done again.
 */
bool starts_draw_doubled(const struct starts *starts, struct rng *rng, const struct board *states, uint32_t n_moves,
                         struct board *board);

/* The start of a game's first play. */
struct board starts_first(struct starts *starts, struct rng *rng, struct play_origin *origin);

/* The start after a play of n_moves moves that began as *origin says, which is replaced; states[i] was the board before
   move i (NULL unless starts_need_states()). */
struct board starts_next(struct starts *starts, struct rng *rng, const struct board *states, uint32_t n_moves,
                         struct play_origin *origin);

/* Whether a play must record its boards, because a later play may start from one of them. */
static inline bool starts_need_states(const struct start_settings *settings)
{
    return settings->restart > 0 || settings->doubled > 0 || settings->carousel_double;
}

#endif
