/*
 * compare: measures how far the values of two networks differ, on boards of three kinds: random values in random cells
 * (they reach every stage), games of random moves, and games that the first network plays.
 *
 * Values are summed in double precision, cell by cell, without the fast look-ups, so only the weights differ. Networks
 * that are the same but for rounding differ by at most about 2^-24 of the sum of their weights' magnitudes.
 */
#ifndef AFTERSTATE_NTUPLE_COMPARE_H
#define AFTERSTATE_NTUPLE_COMPARE_H

#include "base/status.h"
#include "ntuple/network.h"

#include <stdint.h>

struct network_difference {
    uint64_t n_boards;
    double worst, mean;       /* absolute difference of two values, in points */
    double worst_relative;    /* absolute difference over the sum of the weights' magnitudes */
    struct board worst_board; /* that of worst_relative */
};

/* The largest worst_relative that rounding each weight to float, and moving it by one unit in the last place, can
   give. */
#define COMPARE_ROUNDING 0x1p-22

/* Compares on n_boards boards, determined by `seed`. STATUS_INVALID for networks of different board sizes. */
enum status network_compare(const struct network *a, const struct network *b, uint64_t n_boards, uint64_t seed,
                            struct network_difference *difference);

/* STATUS_INVALID, with the worst board and its difference, unless they agree to rounding; `what` begins the message. */
enum status network_check_same(const struct network *a, const struct network *b, const char *what);

#endif
