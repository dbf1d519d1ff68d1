/* products: the three matrix products of a layer, by OpenBLAS, with matrices stored row by row. */
#include "neural/products.h"

#include <string.h>

/*
 * OpenBLAS packs the whole matrix of weights before it multiplies. For the few afterstates of one move that costs more
 * than the product, which only has to read the weights once. So this loop multiplies few rows: eight rows of weights at
 * a time, so that the output is read and written once for eight additions.
 */
enum { FEW_ROWS = 6, STEP = 8 };

static void multiply_few(const neural_real *in, size_t rows, size_t in_width, const neural_real *weights,
                         size_t out_width, neural_real *restrict out)
{
    size_t k = 0;
    for (; k + STEP <= in_width; k += STEP) {
        const neural_real *w = weights + k * out_width;
        for (size_t r = 0; r < rows; r++) {
            const neural_real *a = in + r * in_width + k;
            neural_real a0 = a[0], a1 = a[1], a2 = a[2], a3 = a[3], a4 = a[4], a5 = a[5], a6 = a[6], a7 = a[7];
            neural_real *to = out + r * out_width;
            for (size_t j = 0; j < out_width; j++)
                to[j] +=
                    ((a0 * w[j] + a1 * w[j + out_width]) + (a2 * w[j + 2 * out_width] + a3 * w[j + 3 * out_width])) +
                    ((a4 * w[j + 4 * out_width] + a5 * w[j + 5 * out_width]) +
                     (a6 * w[j + 6 * out_width] + a7 * w[j + 7 * out_width]));
        }
    }
    for (; k < in_width; k++)
        for (size_t r = 0; r < rows; r++)
            for (size_t j = 0; j < out_width; j++)
                out[r * out_width + j] += in[r * in_width + k] * weights[k * out_width + j];
}

void products_forward(const neural_real *in, size_t rows, size_t in_width, const neural_real *weights, size_t out_width,
                      bool add, neural_real *out)
{
    if (rows > FEW_ROWS) {
        products_gemm(false, false, rows, out_width, in_width, in, in_width, weights, out_width, add, out, out_width);
        return;
    }
    if (!add)
        memset(out, 0, rows * out_width * sizeof *out);
    multiply_few(in, rows, in_width, weights, out_width, out);
}
