/*
 * plain_products: neural/products.h where there is no OpenBLAS, for the page without a server, which evaluates networks
 * but does not train them.
 *
 * The output is made in tiles of ROWS rows and COLUMNS columns, whose sums stay in vector registers while the rows of b
 * go by: a weight is loaded once for ROWS products.
 */
#include "neural/products.h"

#include <assert.h>
#include <string.h>

enum { ROWS = 4, COLUMNS = 8, LANES = 4, VECTORS = COLUMNS / LANES };

typedef float vector __attribute__((vector_size(LANES * sizeof(float))));

enum status products_load(void)
{
    return STATUS_OK;
}

static vector load(const float *from)
{
    vector v;
    memcpy(&v, from, sizeof v);
    return v;
}

struct operands {
    const float *a, *b;
    float *c;
    size_t lda, ldb, ldc, k;
    bool add;
};

static void multiply_tile(const struct operands *o, size_t row, size_t column)
{
    vector sums[ROWS][VECTORS] = {0};
    const float *a = o->a + row * o->lda, *b = o->b + column;
    for (size_t i = 0; i < o->k; i++, b += o->ldb)
        for (unsigned v = 0; v < VECTORS; v++) {
            vector weights = load(b + v * LANES);
            for (unsigned r = 0; r < ROWS; r++)
                sums[r][v] += a[r * o->lda + i] * weights;
        }
    for (unsigned r = 0; r < ROWS; r++)
        for (unsigned v = 0; v < VECTORS; v++) {
            float *to = o->c + (row + r) * o->ldc + column + v * LANES;
            vector sum = o->add ? sums[r][v] + load(to) : sums[r][v];
            memcpy(to, &sum, sizeof sum);
        }
}

/* What no tile covers, at the right and the lower edge. */
static void multiply_cell(const struct operands *o, size_t row, size_t column)
{
    float sum = 0;
    for (size_t i = 0; i < o->k; i++)
        sum += o->a[row * o->lda + i] * o->b[i * o->ldb + column];
    float *to = o->c + row * o->ldc + column;
    *to = o->add ? *to + sum : sum;
}

void products_gemm(bool transpose_a, bool transpose_b, size_t m, size_t n, size_t k, const neural_real *a, size_t lda,
                   const neural_real *b, size_t ldb, neural_real beta, neural_real *c, size_t ldc)
{
    assert(!transpose_a && !transpose_b && (beta == 0 || beta == 1)); /* evaluation needs no other */
    (void)transpose_a, (void)transpose_b;
    const struct operands o = {a, b, c, lda, ldb, ldc, k, beta > 0};
    size_t whole_rows = m / ROWS * ROWS, whole_columns = n / COLUMNS * COLUMNS;
    for (size_t row = 0; row < whole_rows; row += ROWS)
        for (size_t column = 0; column < whole_columns; column += COLUMNS)
            multiply_tile(&o, row, column);
    for (size_t row = 0; row < m; row++)
        for (size_t column = row < whole_rows ? whole_columns : 0; column < n; column++)
            multiply_cell(&o, row, column);
}
