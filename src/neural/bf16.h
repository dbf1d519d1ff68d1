/*
 * bf16: products of matrices of 16-bit floats (bfloat16: the upper half of a float), added up in floats.
 *
 * The instruction vdpbf16ps multiplies 32 pairs of numbers and adds each product of two neighbours to one of 16 sums,
 * in the time in which vfmadd multiplies 16 floats. So matrices are kept as pairs of neighbours along the sum, each a
 * 32-bit word, the lower half first:
 *
 *     left[m][pair]                       rows as they lie, or packed in columns (below)
 *     right: panels of 64 columns         [panel][pair][column], the last panel as wide as its columns need, a multiple
 *                                         of 16; the rest is 0
 *
 * A tile of the result, 6 rows by 64 columns, stays in 24 registers while the sum is computed; for each pair it loads 4
 * registers of the right matrix and broadcasts 6 words of the left one. The panel of the right matrix stays in the
 * second-level cache while all rows pass.
 *
 * bf16_multiply() needs a processor with AVX512_BF16; the rest works everywhere. The instructions are detected at run
 * time, so a portable build is as fast.
 */
#ifndef AFTERSTATE_NEURAL_BF16_H
#define AFTERSTATE_NEURAL_BF16_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { BF16_PANEL = 64, BF16_ROWS = 6 };

/* Whether this processor, with this operating system, can run bf16_multiply(). */
bool bf16_available(void);

/* The nearest number of 16 bits, ties to even. NaN stays NaN. */
uint16_t bf16_round(float number);
/* The float of those bits; exact. */
float bf16_widen(uint16_t bits);
void bf16_round_all(const float *from, size_t n, uint16_t *to);

/* Words of a right matrix of that many pairs and columns. */
size_t bf16_right_words(size_t pairs, size_t columns);
/* How many panels they make. */
size_t bf16_panels(size_t columns);

/* Packs one panel of a right matrix: `matrix` itself, [rows][columns], rows even .. */
void bf16_pack(const float *matrix, size_t rows, size_t columns, size_t panel, uint32_t *right);
/* .. or its transpose: columns, even, are then along the sum. */
void bf16_pack_transposed(const float *matrix, size_t rows, size_t columns, size_t panel, uint32_t *right);
/* Packs a whole right matrix from rows of 16-bit numbers; an odd last row is paired with zeros. */
void bf16_pack_right(const uint16_t *matrix, size_t rows, size_t columns, uint32_t *right);

/* Packs the transpose of rows of 16-bit numbers as a left matrix, for a sum over the rows: groups of 6 columns,
   [group][pair][6], the last one filled up with zeros. */
void bf16_pack_left(const uint16_t *matrix, size_t rows, size_t columns, uint32_t *left);
size_t bf16_left_words(size_t pairs, size_t columns);

/* A left matrix: the word of row m and pair p of a group of 6 rows is at m * row + p * step. */
struct bf16_left {
    const void *words;
    size_t row, step, group; /* words from row to row, pair to pair, group to group */
};

/* Rows of `width` 16-bit numbers, width even. */
static inline struct bf16_left bf16_rows(const uint16_t *rows, size_t width)
{
    return (struct bf16_left){rows, width / 2, 1, BF16_ROWS * (width / 2)};
}

/* What bf16_pack_left() wrote. */
static inline struct bf16_left bf16_columns(const uint32_t *left, size_t pairs)
{
    return (struct bf16_left){left, 1, BF16_ROWS, BF16_ROWS * pairs};
}

/* out[rows][columns] = left x right, added to `out` if `add`. Only if bf16_available(). Thread-safe. */
void bf16_multiply(struct bf16_left left, size_t rows, const uint32_t *right, size_t pairs, size_t columns, bool add,
                   float *out);
/* The same by plain loops on any processor: the reference in tests. */
void bf16_multiply_plain(struct bf16_left left, size_t rows, const uint32_t *right, size_t pairs, size_t columns,
                         bool add, float *out);

#endif
