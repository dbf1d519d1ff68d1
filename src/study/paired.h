/*
 * paired: two players on the same spawns. Game i of both has the same seed, so part of the luck is common to both and
 * cancels in the difference: its interval is that of the differences of the pairs, not of two independent means.
 */
#ifndef AFTERSTATE_STUDY_PAIRED_H
#define AFTERSTATE_STUDY_PAIRED_H

#include "study/summary.h"

struct paired {
    uint64_t n_games;           /* pairs */
    double difference, ci95;    /* mean of (second - first) +- ci95 (normal; 0 for fewer than two pairs) */
    uint64_t n_better, n_worse; /* pairs in which the second scored more, less; the rest are equal */
    /* Of games played for a tile: pairs in which only the second, only the first made it, and the difference of
       rates. */
    uint64_t n_only_second, n_only_first;
    double made_difference, made_ci95;
};

/* Compares game i of both for i < n; n may be 0 (all zero). */
struct paired paired_compute(const struct game_result *first, const struct game_result *second, size_t n);

#endif
