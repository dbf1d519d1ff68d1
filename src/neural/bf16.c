/* bf16: products of matrices of 16-bit floats (bfloat16: the upper half of a float), added up in floats. */
#include "neural/bf16.h"

#include <string.h>

enum { VECTOR = 16, MAX_VECTORS = BF16_PANEL / VECTOR };

uint16_t bf16_round(float number)
{
    uint32_t bits;
    memcpy(&bits, &number, sizeof bits);
    if ((bits & 0x7fffffff) > 0x7f800000)
        return (uint16_t)(bits >> 16 | 0x40); /* a NaN with bits in the lower half only must not become infinite */
    return (uint16_t)((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
}

float bf16_widen(uint16_t half)
{
    uint32_t bits = (uint32_t)half << 16;
    float number;
    memcpy(&number, &bits, sizeof number);
    return number;
}

size_t bf16_panels(size_t columns)
{
    return (columns + BF16_PANEL - 1) / BF16_PANEL;
}

size_t bf16_right_words(size_t pairs, size_t columns)
{
    return (columns + VECTOR - 1) / VECTOR * VECTOR * pairs;
}

size_t bf16_left_words(size_t pairs, size_t columns)
{
    return (columns + BF16_ROWS - 1) / BF16_ROWS * BF16_ROWS * pairs;
}

/* Columns of a panel, and the words of one of its rows. */
static size_t panel_columns(size_t columns, size_t panel)
{
    size_t left = columns - panel * BF16_PANEL;
    return left < BF16_PANEL ? left : BF16_PANEL;
}

static size_t panel_words(size_t columns, size_t panel)
{
    return (panel_columns(columns, panel) + VECTOR - 1) / VECTOR * VECTOR;
}

static uint32_t pair_of(uint32_t low, uint32_t high)
{
    return low | high << 16;
}

void bf16_pack(const float *matrix, size_t rows, size_t columns, size_t panel, uint32_t *right)
{
    size_t n = panel_columns(columns, panel), words = panel_words(columns, panel);
    uint32_t *to = right + panel * BF16_PANEL * (rows / 2);
    uint16_t low[BF16_PANEL] = {0}, high[BF16_PANEL] = {0};
    const float *from = matrix + panel * BF16_PANEL;
    for (size_t pair = 0; pair < rows / 2; pair++, from += 2 * columns, to += words) {
        bf16_round_all(from, n, low);
        bf16_round_all(from + columns, n, high);
        for (size_t j = 0; j < words; j++)
            to[j] = pair_of(low[j], high[j]);
    }
}

void bf16_pack_transposed(const float *matrix, size_t rows, size_t columns, size_t panel, uint32_t *right)
{
    enum { AT_ONCE = 128 };
    size_t n = panel_columns(rows, panel), words = panel_words(rows, panel);
    uint32_t *to = right + panel * BF16_PANEL * (columns / 2);
    uint16_t halves[AT_ONCE];
    for (size_t j = 0; j < words; j++)
        for (size_t first = 0; first < columns; first += AT_ONCE) {
            size_t now = columns - first < AT_ONCE ? columns - first : AT_ONCE;
            if (j < n)
                bf16_round_all(matrix + (panel * BF16_PANEL + j) * columns + first, now, halves);
            else
                memset(halves, 0, sizeof halves);
            for (size_t k = 0; k < now; k += 2)
                to[(first + k) / 2 * words + j] = pair_of(halves[k], halves[k + 1]);
        }
}

/* One row of pairs from two rows of numbers. */
static void interleave(const uint16_t *low, const uint16_t *high, size_t n, uint32_t *to)
{
    for (size_t j = 0; j < n; j++)
        to[j] = pair_of(low[j], high[j]);
}

static void widen_pairs(const uint16_t *low, size_t n, uint32_t *to)
{
    for (size_t j = 0; j < n; j++)
        to[j] = low[j];
}

void bf16_pack_right(const uint16_t *matrix, size_t rows, size_t columns, uint32_t *right)
{
    size_t pairs = (rows + 1) / 2, n_panels = bf16_panels(columns);
    for (size_t pair = 0; pair < pairs; pair++)
        for (size_t panel = 0; panel < n_panels; panel++) {
            const uint16_t *low = matrix + 2 * pair * columns + panel * BF16_PANEL;
            size_t n = panel_columns(columns, panel), words = panel_words(columns, panel);
            uint32_t *to = right + panel * BF16_PANEL * pairs + pair * words;
            if (2 * pair + 1 < rows)
                interleave(low, low + columns, n, to);
            else
                widen_pairs(low, n, to);
            if (words > n)
                memset(to + n, 0, (words - n) * sizeof *to);
        }
}

void bf16_pack_left(const uint16_t *matrix, size_t rows, size_t columns, uint32_t *left)
{
    enum { GROUPS = 16, AT_ONCE = GROUPS * BF16_ROWS };
    size_t pairs = (rows + 1) / 2, n_groups = (columns + BF16_ROWS - 1) / BF16_ROWS;
    uint32_t row[AT_ONCE];
    for (size_t pair = 0; pair < pairs; pair++)
        for (size_t first = 0; first < columns; first += AT_ONCE) {
            const uint16_t *low = matrix + 2 * pair * columns + first;
            size_t n = columns - first < AT_ONCE ? columns - first : AT_ONCE, group = first / BF16_ROWS;
            if (n < AT_ONCE)
                memset(row, 0, sizeof row);
            if (2 * pair + 1 < rows)
                interleave(low, low + columns, n, row);
            else
                widen_pairs(low, n, row);
            for (size_t g = 0; g < GROUPS && group + g < n_groups; g++)
                memcpy(left + ((group + g) * pairs + pair) * BF16_ROWS, row + g * BF16_ROWS, BF16_ROWS * sizeof *row);
        }
}

static uint32_t word_at(const void *words, size_t index)
{
    uint32_t word;
    memcpy(&word, (const char *)words + index * sizeof word, sizeof word);
    return word;
}

void bf16_multiply_plain(struct bf16_left left, size_t rows, const uint32_t *right, size_t pairs, size_t columns,
                         bool add, float *out)
{
    for (size_t m = 0; m < rows; m++)
        for (size_t j = 0; j < columns; j++) {
            size_t panel = j / BF16_PANEL, words = panel_words(columns, panel);
            const uint32_t *column = right + panel * BF16_PANEL * pairs + j % BF16_PANEL;
            double sum = 0;
            for (size_t pair = 0; pair < pairs; pair++) {
                uint32_t a =
                    word_at(left.words, m / BF16_ROWS * left.group + m % BF16_ROWS * left.row + pair * left.step);
                uint32_t b = column[pair * words];
                sum += (double)bf16_widen(a & 0xffff) * (double)bf16_widen(b & 0xffff) +
                       (double)bf16_widen((uint16_t)(a >> 16)) * (double)bf16_widen((uint16_t)(b >> 16));
            }
            out[m * columns + j] = (float)(sum + (add ? (double)out[m * columns + j] : 0));
        }
}

#ifdef __x86_64__
#include <immintrin.h>

#define WITH_BF16 __attribute__((target("avx512f,avx512bw,avx512vl,avx512bf16")))

bool bf16_available(void)
{
    return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
           __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512bf16");
}

static WITH_BF16 void round_vectors(const float *from, size_t n, uint16_t *to)
{
    for (size_t j = 0; j < n; j += VECTOR) {
        __mmask16 mask = n - j < VECTOR ? (__mmask16)((1u << (n - j)) - 1) : 0xffff;
        __m256bh halves = _mm512_cvtneps_pbh(_mm512_maskz_loadu_ps(mask, from + j));
        __m256i bits;
        memcpy(&bits, &halves, sizeof bits);
        _mm256_mask_storeu_epi16(to + j, mask, bits);
    }
}

static inline WITH_BF16 __m512bh load_pairs(const uint32_t *words)
{
    __m512i bits = _mm512_loadu_si512(words);
    __m512bh pairs;
    memcpy(&pairs, &bits, sizeof pairs);
    return pairs;
}

static inline WITH_BF16 __m512bh broadcast_pair(const void *words, size_t index)
{
    __m512i bits = _mm512_set1_epi32((int)word_at(words, index));
    __m512bh pairs;
    memcpy(&pairs, &bits, sizeof pairs);
    return pairs;
}

/* A tile of `rows` x `vectors` registers; both are constants where it is called, so that the sums are registers. */
static inline __attribute__((always_inline)) WITH_BF16 void tile(const unsigned rows, const unsigned vectors,
                                                                 const struct bf16_left *left, const char *words,
                                                                 const uint32_t *right, size_t pairs, size_t columns,
                                                                 __mmask16 last, bool add, float *out)
{
    __m512 sum[BF16_ROWS][MAX_VECTORS];
    for (unsigned m = 0; m < rows; m++)
        for (unsigned v = 0; v < vectors; v++)
            sum[m][v] = _mm512_setzero_ps();
    for (size_t pair = 0; pair < pairs; pair++) {
        __m512bh b[MAX_VECTORS];
        for (unsigned v = 0; v < vectors; v++)
            b[v] = load_pairs(right + (pair * vectors + v) * VECTOR);
        for (unsigned m = 0; m < rows; m++) {
            __m512bh a = broadcast_pair(words, m * left->row + pair * left->step);
            for (unsigned v = 0; v < vectors; v++)
                sum[m][v] = _mm512_dpbf16_ps(sum[m][v], b[v], a);
        }
    }
    for (unsigned m = 0; m < rows; m++)
        for (unsigned v = 0; v < vectors; v++) {
            float *to = out + m * columns + v * VECTOR;
            __mmask16 mask = v + 1 == vectors ? last : 0xffff;
            __m512 before = add ? _mm512_maskz_loadu_ps(mask, to) : _mm512_setzero_ps();
            _mm512_mask_storeu_ps(to, mask, _mm512_add_ps(before, sum[m][v]));
        }
}

static inline __attribute__((always_inline)) WITH_BF16 void tiles(const unsigned vectors, const struct bf16_left *left,
                                                                  size_t n_rows, const uint32_t *right, size_t pairs,
                                                                  size_t columns, __mmask16 last, bool add, float *out)
{
    const char *words = left->words;
    size_t bytes = left->group * sizeof(uint32_t);
    for (; n_rows >= BF16_ROWS; n_rows -= BF16_ROWS, words += bytes, out += BF16_ROWS * columns)
        tile(BF16_ROWS, vectors, left, words, right, pairs, columns, last, add, out);
    switch (n_rows) {
    case 1:
        tile(1, vectors, left, words, right, pairs, columns, last, add, out);
        break;
    case 2:
        tile(2, vectors, left, words, right, pairs, columns, last, add, out);
        break;
    case 3:
        tile(3, vectors, left, words, right, pairs, columns, last, add, out);
        break;
    case 4:
        tile(4, vectors, left, words, right, pairs, columns, last, add, out);
        break;
    case 5:
        tile(5, vectors, left, words, right, pairs, columns, last, add, out);
        break;
    }
}

WITH_BF16 void bf16_multiply(struct bf16_left left, size_t rows, const uint32_t *right, size_t pairs, size_t columns,
                             bool add, float *out)
{
    size_t n_panels = bf16_panels(columns);
    for (size_t panel = 0; panel < n_panels; panel++) {
        const uint32_t *from = right + panel * BF16_PANEL * pairs;
        float *to = out + panel * BF16_PANEL;
        unsigned n = (unsigned)panel_columns(columns, panel), vectors = (n + VECTOR - 1) / VECTOR;
        __mmask16 last = (__mmask16)(0xffff >> (vectors * VECTOR - n));
        switch (vectors) {
        case 1:
            tiles(1, &left, rows, from, pairs, columns, last, add, to);
            break;
        case 2:
            tiles(2, &left, rows, from, pairs, columns, last, add, to);
            break;
        case 3:
            tiles(3, &left, rows, from, pairs, columns, last, add, to);
            break;
        case 4:
            tiles(4, &left, rows, from, pairs, columns, last, add, to);
            break;
        }
    }
}
#else
bool bf16_available(void)
{
    return false;
}

static void round_vectors(const float *from, size_t n, uint16_t *to)
{
    for (size_t j = 0; j < n; j++)
        to[j] = bf16_round(from[j]);
}

void bf16_multiply(struct bf16_left left, size_t rows, const uint32_t *right, size_t pairs, size_t columns, bool add,
                   float *out)
{
    bf16_multiply_plain(left, rows, right, pairs, columns, add, out);
}
#endif

void bf16_round_all(const float *from, size_t n, uint16_t *to)
{
    if (bf16_available()) {
        round_vectors(from, n, to);
        return;
    }
    for (size_t j = 0; j < n; j++)
        to[j] = bf16_round(from[j]);
}
