/*
 * compare: how far apart the evaluations of two networks are, on boards of three kinds: any values in any cells (they
 * reach every stage), games of random moves, and games that the first network plays itself.
 *
 * Both are summed in double precision, cell by cell and without the fast lookups, so what is left is the difference of
 * the weights themselves. Each difference is compared with the sizes of the weights it came from: networks that are the
 * same but for rounding differ by at most about 2^-24 of the sum of the weights' magnitudes.
 */
#ifndef AFTERSTATE_NTUPLE_COMPARE_H
#define AFTERSTATE_NTUPLE_COMPARE_H

#include "base/status.h"
#include "ntuple/network.h"

#include <stdint.h>

struct network_difference {
    uint64_t n_boards;
    double worst, mean;       /* of the absolute difference of two values */
    double worst_relative;    /* of the difference over the sum of the weights' magnitudes */
    struct board worst_board; /* the one of worst_relative */
};

/* What rounding each weight to float, and a last-place step of promotion, can cost in worst_relative. */
#define COMPARE_ROUNDING 0x1p-22

/* Compares on n_boards boards fixed by `seed`; both networks are for the same size of board. */
enum status network_compare(const struct network *a, const struct network *b, uint64_t n_boards, uint64_t seed,
                            struct network_difference *difference);

/* STATUS_INVALID, with the worst board and both figures, unless they agree to rounding; `what` begins the message. */
enum status network_check_same(const struct network *a, const struct network *b, const char *what);

#endif
