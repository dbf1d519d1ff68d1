/*
 * products: the three matrix products of a layer, with matrices stored row by row. Thread-safe. In double precision in
 * the tests' build of this folder.
 *
 * products_gemm() is OpenBLAS's (blas_products.c); the page without a server has plain loops (site/plain_products.c).
 */
#ifndef AFTERSTATE_NEURAL_PRODUCTS_H
#define AFTERSTATE_NEURAL_PRODUCTS_H

#include "base/status.h"
#include "neural/model.h"

/* Loads OpenBLAS, to be called before the other functions; neural_workspace_create() does. Fails as blas_load(). */
enum status products_load(void);

/* c[m][n] = a x b + beta c; a is m x k and b is k x n, unless transposed. */
void products_gemm(bool transpose_a, bool transpose_b, size_t m, size_t n, size_t k, const neural_real *a, size_t lda,
                   const neural_real *b, size_t ldb, neural_real beta, neural_real *c, size_t ldc);

/* out[rows][out_width] = in[rows][in_width] x weights[in_width][out_width], added to `out` if `add`. */
void products_forward(const neural_real *in, size_t rows, size_t in_width, const neural_real *weights, size_t out_width,
                      bool add, neural_real *out);

/* gradient[in_width][out_width] += in' x error. */
static inline void products_weights(const neural_real *in, const neural_real *error, size_t rows, size_t in_width,
                                    size_t out_width, neural_real *gradient)
{
    products_gemm(true, false, in_width, out_width, rows, in, in_width, error, out_width, 1, gradient, out_width);
}

/* in_error[rows][in_width] = error x weights'. */
static inline void products_inputs(const neural_real *error, size_t rows, size_t out_width, const neural_real *weights,
                                   size_t in_width, neural_real *in_error)
{
    products_gemm(false, true, rows, in_width, out_width, error, out_width, weights, out_width, 0, in_error, in_width);
}

#endif
