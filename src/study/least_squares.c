/*
 * With A = U S V' (thin), rank r the number of singular values above rounding, and everything cut to r:
 *
 *   pseudo-inverse  A+ = V S^-1 U'          solution  p = A+ b
 *   variance of p_i    = s^2 sum_k (V_ik / S_k)^2,   s^2 = sum of squared residuals / (n_rows - r)
 *   leverage of row j  = sum_k U_jk^2
 *
 * p_i is determined by the system only if row i of V has length 1 within the first r columns.
 */
#include "study/least_squares.h"

#include "base/blas.h"
#include "base/memory.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The decomposition: U is n_rows x n, Vt is n x n_unknowns, n the smaller side. */
struct factors {
    size_t n;
    double *u, *singular, *vt;
};

static void free_factors(struct factors *factors)
{
    free(factors->u);
    free(factors->singular);
    free(factors->vt);
}

static enum status factorise(struct factors *factors, const double *matrix, size_t n_rows, size_t n_unknowns)
{
    size_t n = n_rows < n_unknowns ? n_rows : n_unknowns;
    double *copy = memory_allocate(n_rows * n_unknowns, sizeof *copy);
    *factors = (struct factors){.n = n,
                                .u = memory_allocate(n_rows * n, sizeof(double)),
                                .singular = memory_allocate(n, sizeof(double)),
                                .vt = memory_allocate(n * n_unknowns, sizeof(double))};
    enum status status = copy && factors->u && factors->singular && factors->vt ? STATUS_OK : STATUS_NO_MEMORY;
    if (!status) {
        memcpy(copy, matrix, n_rows * n_unknowns * sizeof *copy);
        struct blas_scope scope = blas_enter();
        lapack_int failed = blas_functions()->dgesdd(LAPACK_ROW_MAJOR, 'S', (lapack_int)n_rows, (lapack_int)n_unknowns,
                                                     copy, (lapack_int)n_unknowns, factors->singular, factors->u,
                                                     (lapack_int)n, factors->vt, (lapack_int)n_unknowns);
        blas_leave(scope);
        if (failed == LAPACK_WORK_MEMORY_ERROR || failed == LAPACK_TRANSPOSE_MEMORY_ERROR)
            status = status_fail(STATUS_NO_MEMORY, "no memory to decompose a matrix of %zu x %zu", n_rows, n_unknowns);
        else if (failed)
            status = status_fail(STATUS_INVALID, "a matrix of %zu x %zu could not be decomposed (LAPACK says %d)",
                                 n_rows, n_unknowns, (int)failed);
    }
    free(copy);
    return status;
}

static size_t count_rank(const struct factors *factors, size_t n_rows, size_t n_unknowns)
{
    double least = factors->singular[0] * DBL_EPSILON * (double)(n_rows > n_unknowns ? n_rows : n_unknowns);
    size_t rank = 0;
    while (rank < factors->n && factors->singular[rank] > least)
        rank++;
    return rank;
}

void least_squares_apply(const struct least_squares *squares, const double *right, double *solution)
{
    int n_rows = (int)squares->n_rows;
    struct blas_scope scope = blas_enter();
    blas_functions()->dgemv(CblasRowMajor, CblasNoTrans, (int)squares->n_unknowns, n_rows, 1, squares->inverse, n_rows,
                            right, 1, 0, solution, 1);
    blas_leave(scope);
}

/* The pseudo-inverse, and with it the rest. Spoils factors->vt. */
static void solve(struct least_squares *out, struct factors *factors, const double *matrix, const double *right)
{
    int n_rows = (int)out->n_rows, n_unknowns = (int)out->n_unknowns, n = (int)factors->n;
    const struct blas *blas = blas_functions();
    struct blas_scope scope = blas_enter();
    for (size_t k = 0; k < out->rank; k++)
        blas->dscal(n_unknowns, 1 / factors->singular[k], factors->vt + k * out->n_unknowns, 1);
    blas->dgemm(CblasRowMajor, CblasTrans, CblasTrans, n_unknowns, n_rows, (int)out->rank, 1, factors->vt, n_unknowns,
                factors->u, n, 0, out->inverse, n_rows);
    blas_leave(scope);
    least_squares_apply(out, right, out->solution);
    memcpy(out->residual, right, out->n_rows * sizeof *right);
    scope = blas_enter();
    blas->dgemv(CblasRowMajor, CblasNoTrans, n_rows, n_unknowns, -1, matrix, n_unknowns, out->solution, 1, 1,
                out->residual, 1);
    for (size_t j = 0; j < out->n_rows; j++)
        out->leverage[j] = blas->ddot((int)out->rank, factors->u + j * factors->n, 1, factors->u + j * factors->n, 1);
    blas_leave(scope);
}

static void estimate_errors(struct least_squares *out, const struct factors *factors)
{
    double squares = 0;
    for (size_t j = 0; j < out->n_rows; j++)
        squares += out->residual[j] * out->residual[j];
    out->deviation = out->n_rows > out->rank ? sqrt(squares / (double)(out->n_rows - out->rank)) : NAN;
    for (size_t i = 0; i < out->n_unknowns; i++) {
        double length = 0, variance = 0;
        for (size_t k = 0; k < out->rank; k++) {
            double shrunk = factors->vt[k * out->n_unknowns + i]; /* V / S, since solve() */
            double v = shrunk * factors->singular[k];
            length += v * v;
            variance += shrunk * shrunk;
        }
        out->error[i] = length > 1 - 1e-8 ? out->deviation * sqrt(variance) : NAN;
    }
}

enum status least_squares_solve(struct least_squares *out, const double *matrix, const double *right, size_t n_rows,
                                size_t n_unknowns)
{
    struct factors factors = {0};
    *out = (struct least_squares){0};
    enum status status = blas_load(BLAS_AND_LAPACK);
    if (status)
        return status;
    *out = (struct least_squares){.n_rows = n_rows,
                                  .n_unknowns = n_unknowns,
                                  .solution = memory_allocate(n_unknowns, sizeof(double)),
                                  .error = memory_allocate(n_unknowns, sizeof(double)),
                                  .residual = memory_allocate(n_rows, sizeof(double)),
                                  .leverage = memory_allocate(n_rows, sizeof(double)),
                                  .inverse = memory_allocate(n_unknowns * n_rows, sizeof(double))};
    status =
        out->solution && out->error && out->residual && out->leverage && out->inverse ? STATUS_OK : STATUS_NO_MEMORY;
    if (status)
        goto done;
    for (size_t j = 0; j < n_rows && !status; j++)
        if (!isfinite(right[j]))
            status = status_fail(STATUS_INVALID, "the right side of row %zu is not a number", j + 1);
    if (status)
        goto done;
    status = factorise(&factors, matrix, n_rows, n_unknowns);
    if (status)
        goto done;
    out->rank = count_rank(&factors, n_rows, n_unknowns);
    solve(out, &factors, matrix, right);
    estimate_errors(out, &factors);
done:
    free_factors(&factors);
    if (status)
        least_squares_free(out);
    return status;
}

void least_squares_free(struct least_squares *squares)
{
    free(squares->solution);
    free(squares->error);
    free(squares->residual);
    free(squares->leverage);
    free(squares->inverse);
    *squares = (struct least_squares){0};
}
