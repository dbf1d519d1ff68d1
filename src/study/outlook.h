/*
 * outlook: the expected rest of a game from one board, measured by games continued from it: how often each tile is
 * reached, with the interval that so many games allow, and the mean of the points.
 *
 * Games are numbered; the spawns of game i depend on the seed and i alone. So the figures after n games are the same
 * however the calls divide the work. One thread at a time uses an outlook.
 */
#ifndef AFTERSTATE_STUDY_OUTLOOK_H
#define AFTERSTATE_STUDY_OUTLOOK_H

#include "base/json.h"
#include "game/game.h"
#include "search/chooser.h"
#include "study/summary.h"

#include <stdbool.h>
#include <stdint.h>

struct outlook {
    const struct grid *grid; /* borrowed */
    struct board start;
    uint64_t seed;
    uint64_t n_games, n_moves;               /* of finished games */
    uint64_t n_reached[BOARD_MAX_VALUE + 1]; /* [v]: games that ended with a tile 2^v or more on the board */
    double points, squares;                  /* sums over finished games of the points made after the start */
    struct game game;                        /* in flight, if `playing` */
    bool playing;
};

/* No game yet. */
struct outlook outlook_begin(const struct grid *grid, struct board start, uint64_t seed);

/*
 * Plays on until `max_games` are finished or `seconds` have passed; at least one move if there is one to play. A game
 * that time cuts off is continued by the next call. Fails as the chooser does.
 */
enum status outlook_run(struct outlook *outlook, const struct chooser *chooser, uint64_t max_games, double seconds);

/* The share of games that reached 2^value, with its 95% interval. n_games must not be 0. */
struct share outlook_share(const struct outlook *outlook, unsigned value);

/*
 * Adds "games", "moves" (mean number of a game), "points" (mean), "points_ci95", and "tiles": face value to
 * [rate, low, high] for each tile larger than the largest of the start, up to the largest the board can hold. Means
 * are null and tiles empty before the first game is finished.
 */
void outlook_add_json(const struct outlook *outlook, struct json *json);

#endif
