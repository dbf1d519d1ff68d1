/*
 * least_squares: the solution of an overdetermined linear system with the smallest sum of squared residuals, its
 * standard errors, and the pseudo-inverse, by LAPACK's singular value decomposition.
 *
 * Why the decomposition and not the normal equations: it finds how many unknowns the system determines, gives the
 * solution of smallest norm where it does not determine all, and loses half as many digits. At the size of a selection
 * campaign (1190 experiments, 119 tuples) it takes milliseconds.
 */
#ifndef AFTERSTATE_STUDY_LEAST_SQUARES_H
#define AFTERSTATE_STUDY_LEAST_SQUARES_H

#include "base/status.h"

#include <stddef.h>

struct least_squares {
    size_t n_rows, n_unknowns, rank;
    double *solution; /* [n_unknowns]; of smallest norm where rank < n_unknowns */
    /* [n_unknowns], standard errors; NaN where the system does not determine the unknown or leaves no residuals */
    double *error;
    double *residual; /* [n_rows]: right side - matrix x solution */
    double *leverage; /* [n_rows], 0 to 1: how much a row's own right side determines its fitted value */
    double *inverse;  /* [n_unknowns][n_rows], the pseudo-inverse: solution = inverse x right side */
    double deviation; /* residual standard deviation, NaN if n_rows == rank */
};

/*
 * Solves matrix (n_rows x n_unknowns, row by row) x solution = right. Both sizes at least 1 and below 2^31.
 * STATUS_NO_MEMORY, or STATUS_INVALID if a number is not finite; everything in *out is then zero. Free with
 * least_squares_free(). Runs on the calling thread alone, whatever BLAS is installed, so results do not depend on the
 * number of cores.
 */
enum status least_squares_solve(struct least_squares *out, const double *matrix, const double *right, size_t n_rows,
                                size_t n_unknowns);
/* The solution for another right side of the same system: n_unknowns numbers into `solution`. Threads may share it. */
void least_squares_apply(const struct least_squares *squares, const double *right, double *solution);
void least_squares_free(struct least_squares *squares); /* a zeroed struct is fine */

#endif
