/*
 * index_lanes: the indices of a board's weights, sixteen at a time (two tables, eight images each), where the processor
 * has AVX-512 with VBMI and VNNI. lookup.h has the plain way, one pext an index.
 *
 * An index of a direct network (network.h) consists of pairs of bits: the low pairs of all cells of the tuple, then the
 * high ones. Each pair of a board is first put into a byte of its own,
 *
 *     byte   0 .. 15: low pair of cell 0 .. 15   16 .. 31: high pair   32 .. 63: 0
 *
 * and no image is ever made: which byte is pair p of an index depends only on the tuple, the image and p. A permutation
 * brings the pairs 4g .. 4g+3 of all sixteen indices into their lanes, and the dot product with (1, 4, 16, 64) is bits
 * 8g .. 8g+7 of each. For tuples of six cells that is three permutations, three products, two shifts and two sums,
 * instead of sixteen times pext, sum and store, and eight images.
 */
#ifndef AFTERSTATE_NTUPLE_INDEX_LANES_H
#define AFTERSTATE_NTUPLE_INDEX_LANES_H

#include <stdint.h>

#if defined(__AVX512F__) && defined(__AVX512BW__) && defined(__AVX512VL__) && defined(__AVX512VBMI__) &&               \
    defined(__AVX512VNNI__)
#define INDEX_LANES 1
#include <immintrin.h>
#else
#define INDEX_LANES 0
#endif

enum {
    INDEX_BLOCK = 16, /* indices of a block */
    INDEX_GROUPS = 4, /* at most, of INDEX_PAIRS pairs each: tuples of eight cells */
    INDEX_PAIRS = 4,
    INDEX_HIGH_PAIR = 16, /* byte of the high pair of cell 0 */
    INDEX_NO_PAIR = 63,   /* a byte that is always 0 */
};

/* How sixteen indices are made of a board: two tables, eight images each. */
struct index_block {
    uint8_t from[INDEX_GROUPS]
                [INDEX_BLOCK * INDEX_PAIRS]; /* the byte of each pair of each index; INDEX_NO_PAIR: none */
    uint32_t offset[INDEX_BLOCK];            /* of the table */
};

#if INDEX_LANES
/* The bytes of a board. */
static inline __m512i index_lanes_pairs(uint64_t cells)
{
    static const uint8_t first_bit[32] = {0, 4, 8,  12, 16, 20, 24, 28, 32, 36, 40, 44, 48, 52, 56, 60,
                                          2, 6, 10, 14, 18, 22, 26, 30, 34, 38, 42, 46, 50, 54, 58, 62};
    __m256i bytes = _mm256_multishift_epi64_epi8(_mm256_loadu_si256((const __m256i *)first_bit),
                                                 _mm256_set1_epi64x((long long)cells));
    return _mm512_zextsi256_si512(_mm256_and_si256(bytes, _mm256_set1_epi8(3)));
}

/* Bits 8g .. 8g+7 of the indices of a block, in the low byte of each lane, added to `sum`. */
static inline __m512i index_lanes_group(const struct index_block *block, unsigned g, __m512i pairs, __m512i sum)
{
    __m512i own = _mm512_permutexvar_epi8(_mm512_loadu_si512(block->from[g]), pairs);
    return _mm512_dpbusd_epi32(sum, own, _mm512_set1_epi32(64 << 24 | 16 << 16 | 4 << 8 | 1));
}

/* The indices of a block of tables whose tuples have at most 2 * n_groups cells; n_groups is 3 or 4. */
static inline __m512i index_lanes_block(const struct index_block *block, unsigned n_groups, __m512i pairs)
{
    __m512i none = _mm512_setzero_si512();
    __m512i index = index_lanes_group(block, 0, pairs, _mm512_loadu_si512(block->offset));
    index = _mm512_add_epi32(index, _mm512_slli_epi32(index_lanes_group(block, 1, pairs, none), 8));
    __m512i high = index_lanes_group(block, 2, pairs, none);
    if (n_groups > 3)
        high = _mm512_add_epi32(high, _mm512_slli_epi32(index_lanes_group(block, 3, pairs, none), 8));
    return _mm512_add_epi32(index, _mm512_slli_epi32(high, 16));
}
#endif

#endif
