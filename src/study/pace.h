/*
 * pace: how long moves take. A histogram of fixed size: sixteen buckets for each doubling from a nanosecond to beyond
 * an hour, so a quantile is right to about 3% and adding a move costs a shift and an increment. Each thread fills its
 * own; they are added up afterwards.
 */
#ifndef AFTERSTATE_STUDY_PACE_H
#define AFTERSTATE_STUDY_PACE_H

#include <stdint.h>

enum {
    PACE_STEPS_LOG = 4, /* buckets for each doubling: 2^4 */
    PACE_OCTAVES = 42,  /* 2^42 ns are 73 minutes; longer moves count as that */
    PACE_BUCKETS = PACE_OCTAVES << PACE_STEPS_LOG,
};

/* Zeroed is empty. */
struct pace {
    uint64_t count[PACE_BUCKETS];
};

/* `n` moves that took this long each. */
void pace_add(struct pace *pace, uint64_t nanoseconds, uint64_t n);
/* Adds what `from` has counted. */
void pace_merge(struct pace *pace, const struct pace *from);
uint64_t pace_n_moves(const struct pace *pace);
/* Seconds below which the share `quantile` (0..1) of the moves lies, to the middle of a bucket; 0 if there are none. */
double pace_quantile(const struct pace *pace, double quantile);

#endif
