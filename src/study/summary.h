/*
 * summary: what many games amount to: mean score with its 95% interval, median, extremes, how often each tile was
 * reached.
 */
#ifndef AFTERSTATE_STUDY_SUMMARY_H
#define AFTERSTATE_STUDY_SUMMARY_H

#include "base/json.h"
#include "base/status.h"
#include "game/board.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The normal distribution has 95% of its mass within this many deviations of the mean. */
extern const double summary_normal95;

/* How one game ended. */
struct game_result {
    uint64_t score;
    uint32_t n_moves;
    uint8_t max_value; /* exponent of the largest tile */
    bool made;         /* it ended because the tile that it was played for was made (match.h, `until`) */
    double seconds;    /* its share of a thread's time, see match.h; 0 where nobody measured */
    struct board last; /* the position at its end */
};

/* A share k/n and its 95% Wilson interval, which stays inside 0..1 and is right for rare tiles too. */
struct share {
    double rate, low, high;
};

struct summary {
    uint64_t n_games, n_moves;
    double mean, ci95; /* the mean is mean +- ci95 (normal; 0 for fewer than two games) */
    double deviation;  /* standard deviation of a game's score */
    double median;
    uint64_t min, max;
    uint64_t n_made;                           /* games that made the tile they were played for; 0 if there is none */
    struct share made;                         /* the same of all games */
    struct share reached[BOARD_MAX_VALUE + 1]; /* [v]: games that reached a tile 2^v or more */
    unsigned first_tile,
        last_tile; /* exponents worth showing: eight tiles up to the largest reached, from 1 at least */
};

/* Sums up n results; n may be 0 (all zero). The order of the results does not matter. */
enum status summary_compute(struct summary *summary, const struct game_result *results, size_t n);

/* k of n, n at least 1. */
struct share summary_share(uint64_t k, uint64_t n);

/*
 * Shows the tiles first .. last whether they were reached or not (that none of 1000 games reached 65536 says something
 * too), and larger ones that were; nothing changes where not even `first` was reached.
 */
void summary_show_tiles(struct summary *summary, unsigned first, unsigned last);

/*
 * Adds games, mean, ci95, median, min, max, tiles (face value to rate) and tiles_ci95 (face value to the two ends) to
 * an open object.
 */
void summary_add_json(const struct summary *summary, struct json *json);

#endif
