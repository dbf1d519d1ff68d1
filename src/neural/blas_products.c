/* blas_products: the matrix products of products.h by OpenBLAS. */
#include "base/blas.h"
#include "neural/products.h"

enum status products_load(void)
{
    return blas_load(BLAS_ONLY);
}

void products_gemm(bool transpose_a, bool transpose_b, size_t m, size_t n, size_t k, const neural_real *a, size_t lda,
                   const neural_real *b, size_t ldb, neural_real beta, neural_real *c, size_t ldc)
{
    const struct blas *blas = blas_functions();
    struct blas_scope scope = blas_enter();
    CBLAS_TRANSPOSE first = transpose_a ? CblasTrans : CblasNoTrans, second = transpose_b ? CblasTrans : CblasNoTrans;
#ifdef NEURAL_DOUBLE
    blas->dgemm(CblasRowMajor, first, second, (int)m, (int)n, (int)k, 1, a, (int)lda, b, (int)ldb, beta, c, (int)ldc);
#else
    blas->sgemm(CblasRowMajor, first, second, (int)m, (int)n, (int)k, 1, a, (int)lda, b, (int)ldb, beta, c, (int)ldc);
#endif
    blas_leave(scope);
}
