/*
 * lanes: the inner steps of row_moves.h's users on arrays of boards, sixteen at a time where the processor has AVX-512
 * (VBMI2, VPOPCNTDQ), one at a time elsewhere.
 *
 * The passes of a solve are bound by the number of instructions, not by memory: these steps, written for single boards,
 * were two thirds of them. Gathers load no faster than single loads do; what is saved is the arithmetic between.
 * docs/decisions/057 has what was measured.
 *
 * The functions with _plain are always compiled, so that a test can compare. Arrays that are written must have room for
 * LANES more members than are asked for. Words and positions are below 2^31: gathers take signed indices.
 */
#ifndef AFTERSTATE_SOLVE_LANES_H
#define AFTERSTATE_SOLVE_LANES_H

#include "solve/layout.h"
#include "solve/row_moves.h"
#include "solve/solve_rules.h"

#include <stdbool.h>
#include <stdint.h>

#if defined(__AVX512F__) && defined(__AVX512BW__) && defined(__AVX512DQ__) && defined(__AVX512VL__) &&                 \
    defined(__AVX512VBMI__) && defined(__AVX512VBMI2__) && defined(__AVX512VPOPCNTDQ__)
#define LANES_AVX512 1
#include <immintrin.h>
#else
#define LANES_AVX512 0
#endif

enum { LANES = 16 };

/* ---- the members of a word --------------------------------------------------------------------------------------- */

/* Writes `first` + the position of each set bit, ascending; returns how many. Room for 64 is needed. */
static inline unsigned lanes_list_bits_plain(uint64_t bits, uint16_t first, uint16_t *out)
{
    unsigned n = 0;
    for (; bits; bits &= bits - 1)
        out[n++] = (uint16_t)(first + (unsigned)__builtin_ctzll(bits));
    return n;
}

static inline unsigned lanes_list_bits(uint64_t bits, uint16_t first, uint16_t *out)
{
#if LANES_AVX512
    static const uint8_t numbers[64] = {0,  1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11, 12, 13, 14, 15,
                                        16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31,
                                        32, 33, 34, 35, 36, 37, 38, 39, 40, 41, 42, 43, 44, 45, 46, 47,
                                        48, 49, 50, 51, 52, 53, 54, 55, 56, 57, 58, 59, 60, 61, 62, 63};
    unsigned n = (unsigned)__builtin_popcountll(bits);
    __m512i packed = _mm512_maskz_compress_epi8(bits, _mm512_loadu_si512(numbers));
    __m512i base = _mm512_set1_epi16((short)first);
    _mm512_storeu_si512(out, _mm512_add_epi16(_mm512_cvtepu8_epi16(_mm512_castsi512_si256(packed)), base));
    if (n > 32)
        _mm512_storeu_si512(out + 32,
                            _mm512_add_epi16(_mm512_cvtepu8_epi16(_mm512_extracti64x4_epi64(packed, 1)), base));
    return n;
#else
    return lanes_list_bits_plain(bits, first, out);
#endif
}

/* ---- moves of each part by itself -------------------------------------------------------------------------------- */

/*
 * Where the boards at `slot` go: the slots of the legal moves, in order, in `out`; returns how many. A move is legal
 * where its code has changed, or everywhere with `always`. Bit i % 16 of movable[i / 16] is set for each legal one.
 * With `goal`, moves that have a reward, which reach the goal, are legal but not in `out`, and moves that a wall blocks
 * are not legal.
 */
static inline unsigned lanes_move_by_part_plain(const uint16_t *slot, unsigned n, const uint32_t *codes,
                                                const uint8_t *turn, bool always, bool goal, uint16_t *out,
                                                uint16_t *movable)
{
    unsigned n_out = 0;
    for (unsigned i = 0; i < n; i++) {
        uint32_t code = codes[slot[i]];
        bool legal = (always || code >> LAYOUT_CODE_CHANGED_BIT) && !(goal && layout_code_blocked(code));
        out[n_out] = (uint16_t)layout_code_slot(code, turn);
        n_out += legal && !(goal && layout_code_reward(code));
        movable[i / LANES] |= (uint16_t)((unsigned)legal << i % LANES);
    }
    return n_out;
}

#if LANES_AVX512
/* The lanes of 16 that begin at i and are below n. */
static inline __mmask16 lanes_below(unsigned i, unsigned n)
{
    return n - i >= LANES ? 0xffff : (__mmask16)((1u << (n - i)) - 1);
}

static inline __m512i lanes_slots(const uint16_t *slot, unsigned i)
{
    return _mm512_cvtepu16_epi32(_mm256_loadu_si256((const void *)(slot + i)));
}

/* layout_code_slot() of sixteen codes; `turn` holds the 64 bytes of the table. */
static inline __m512i lanes_code_slots(__m512i code, __m512i turn)
{
    __m512i by = _mm512_and_si512(_mm512_permutexvar_epi8(code, turn), _mm512_set1_epi32(0xff));
    __m512i class =
        _mm512_and_si512(_mm512_srli_epi32(code, LAYOUT_COSET_BITS), _mm512_set1_epi32((1 << LAYOUT_SLOT_BITS) - 1));
    return _mm512_add_epi32(class, by);
}

/* The codes that have a reward. */
static inline __mmask16 lanes_rewarded(__m512i code)
{
    return _mm512_test_epi32_mask(code, _mm512_set1_epi32(((1 << LAYOUT_REWARD_BITS) - 1) << LAYOUT_REWARD_SHIFT));
}
/* The codes of moves that no wall blocks. */
static inline __mmask16 lanes_unblocked(__m512i code)
{
    return _mm512_testn_epi32_mask(code, _mm512_set1_epi32(1 << LAYOUT_CODE_BLOCKED_BIT));
}
_Static_assert(LAYOUT_COSETS == 64 && LAYOUT_COSET_BITS == 6, "the cosets' turns fill a register");
#endif

static inline unsigned lanes_move_by_part(const uint16_t *slot, unsigned n, const uint32_t *codes, const uint8_t *turn,
                                          bool always, bool goal, uint16_t *out, uint16_t *movable)
{
#if LANES_AVX512
    const __m512i turns = _mm512_loadu_si512(turn);
    unsigned n_out = 0;
    for (unsigned i = 0; i < n; i += LANES) {
        __mmask16 all = lanes_below(i, n);
        __m512i code = _mm512_mask_i32gather_epi32(_mm512_setzero_si512(), all, lanes_slots(slot, i), codes, 4);
        __mmask16 legal = always ? all : _mm512_movepi32_mask(code);
        legal = goal ? legal & lanes_unblocked(code) : legal;
        __mmask16 kept = goal ? legal & (__mmask16)~lanes_rewarded(code) : legal;
        __m512i to = _mm512_maskz_compress_epi32(kept, lanes_code_slots(code, turns));
        _mm256_storeu_si256((void *)(out + n_out), _mm512_cvtepi32_epi16(to));
        n_out += (unsigned)__builtin_popcount(kept);
        movable[i / LANES] |= legal;
    }
    return n_out;
#else
    return lanes_move_by_part_plain(slot, n, codes, turn, always, goal, out, movable);
#endif
}

/* With walls: makes 0, which is no legal move, of the sums among 2n that a wall blocks. */
static inline void lanes_drop_blocked(uint64_t *sums, unsigned n)
{
    const uint64_t blocked = UINT64_C(63) << LINE_MOVES_BLOCKED_BIT;
    for (unsigned i = 0; i < 2 * n; i++)
        sums[i] = sums[i] & blocked ? 0 : sums[i];
}
_Static_assert(LINE_MOVES_BLOCKED_BIT + 6 == LINE_MOVES_CHANGED_BIT, "the field of blocked lines has six bits");

/* ---- moves across ------------------------------------------------------------------------------------------------ */

/*
 * Of the sums that row_axis_cross() gives for n boards, those of legal moves, in order, in `out`, and their numbers
 * 0 .. 2n-1 in `which` if it is not NULL; returns how many. With `goal`, legal moves that have a reward are left out.
 * Bit i % 16 of movable[i / 16] is set for each board with a legal move.
 */
static inline __attribute__((always_inline)) unsigned
lanes_legal_plain(const uint64_t *sums, unsigned n, bool goal, uint64_t *out, uint16_t *which, uint16_t *movable)
{
    unsigned n_out = 0;
    for (unsigned i = 0; i < 2 * n; i++) {
        bool legal = line_moves_change(sums[i]);
        out[n_out] = sums[i];
        if (which)
            which[n_out] = (uint16_t)i;
        n_out += legal && !(goal && line_moves_reward(sums[i]));
        movable[i / 2 / LANES] |= (uint16_t)((unsigned)legal << i / 2 % LANES);
    }
    return n_out;
}

static inline __attribute__((always_inline)) unsigned lanes_legal(const uint64_t *sums, unsigned n, bool goal,
                                                                  uint64_t *out, uint16_t *which, uint16_t *movable)
{
#if LANES_AVX512
    const __m512i changed = _mm512_set1_epi64((int64_t)(UINT64_MAX << LINE_MOVES_CHANGED_BIT)),
                  reward = _mm512_set1_epi64(INT64_C(0xfff) << 48);
    const __m128i numbers = _mm_setr_epi16(0, 1, 2, 3, 4, 5, 6, 7);
    unsigned n_out = 0;
    for (unsigned i = 0; i < 2 * n; i += 8) {
        __mmask8 all = 2 * n - i >= 8 ? 0xff : (__mmask8)((1u << (2 * n - i)) - 1);
        __m512i sum = _mm512_loadu_si512(sums + i);
        __mmask8 legal = _mm512_mask_test_epi64_mask(all, sum, changed), kept = legal;
        if (goal)
            kept = _mm512_mask_testn_epi64_mask(kept, sum, reward);
        _mm512_storeu_si512(out + n_out, _mm512_maskz_compress_epi64(kept, sum));
        if (which)
            _mm_storeu_si128((void *)(which + n_out),
                             _mm_maskz_compress_epi16(kept, _mm_add_epi16(numbers, _mm_set1_epi16((short)i))));
        n_out += (unsigned)__builtin_popcount(kept);
        unsigned boards = (unsigned)bits_extract(legal | legal >> 1, 0x55);
        movable[i / 2 / LANES] |= (uint16_t)(boards << i / 2 % LANES);
    }
    return n_out;
#else
    return lanes_legal_plain(sums, n, goal, out, which, movable);
#endif
}

/* ---- boards from the keys of their parts ------------------------------------------------------------------------- */

/* The places of boards that are given as sums of line_moves: words, and slots in their rows, whose low six bits tell
   the bit. */
static inline void lanes_join_plain(const struct age_frame *frame, const uint64_t *moved, unsigned n, uint32_t *word,
                                    uint32_t *slot)
{
    const struct layout *layout = frame->layout;
    for (unsigned i = 0; i < n; i++) {
        uint32_t entry1 = layout->part[0].entry[line_moves_first_key(moved[i])];
        uint32_t entry2 = layout->part[1].entry[line_moves_second_key(moved[i])];
        slot[i] = layout_slot(layout, layout_entry_coset(entry1), entry2);
        word[i] = (uint32_t)age_frame_row(frame, entry1) + (slot[i] >> 6);
    }
}

#if LANES_AVX512
/* Sixteen numbers of 32 bits out of the low halves of two registers. */
static inline __m512i lanes_low_halves(__m512i low, __m512i high)
{
    return _mm512_inserti64x4(_mm512_castsi256_si512(_mm512_cvtepi64_epi32(low)), _mm512_cvtepi64_epi32(high), 1);
}
#endif

static inline void lanes_join(const struct age_frame *frame, const uint64_t *moved, unsigned n, uint32_t *word,
                              uint32_t *slot)
{
#if LANES_AVX512
    const struct layout *layout = frame->layout;
    const __m512i zero = _mm512_setzero_si512(), key = _mm512_set1_epi32(0xffffff), coset = _mm512_set1_epi32(63),
                  class = _mm512_set1_epi32((1 << LAYOUT_CLASS_BITS) - 1);
    for (unsigned i = 0; i < n; i += LANES) {
        __mmask16 all = lanes_below(i, n);
        __m512i low = _mm512_loadu_si512(moved + i), high = _mm512_loadu_si512(moved + i + 8);
        __m512i key1 = _mm512_and_si512(lanes_low_halves(low, high), key);
        __m512i key2 = _mm512_and_si512(lanes_low_halves(_mm512_srli_epi64(low, 24), _mm512_srli_epi64(high, 24)), key);
        __m512i entry1 = _mm512_mask_i32gather_epi32(zero, all, key1, layout->part[0].entry, 4);
        __m512i entry2 = _mm512_mask_i32gather_epi32(zero, all, key2, layout->part[1].entry, 4);
        __m512i pair =
            _mm512_or_si512(_mm512_slli_epi32(_mm512_and_si512(entry1, coset), 6), _mm512_and_si512(entry2, coset));
        __m512i turn = _mm512_and_si512(_mm512_i32gather_epi32(pair, layout->turn, 1), _mm512_set1_epi32(0xff));
        __m512i class2 = _mm512_and_si512(_mm512_srli_epi32(entry2, LAYOUT_COSET_BITS), class);
        __m512i to_slot = _mm512_add_epi32(_mm512_slli_epi32(class2, layout->group_shift), turn);
        __m512i sum = _mm512_srli_epi32(entry1, LAYOUT_SUM_SHIFT);
        __m512i rows_low = _mm512_i32gather_epi64(_mm512_castsi512_si256(sum), frame->rows, 8);
        __m512i rows_high = _mm512_i32gather_epi64(_mm512_extracti64x4_epi64(sum, 1), frame->rows, 8);
        __m512i base = lanes_low_halves(rows_low, rows_high);
        __m512i stride =
            _mm512_and_si512(lanes_low_halves(_mm512_srli_epi64(rows_low, 32), _mm512_srli_epi64(rows_high, 32)),
                             _mm512_set1_epi32(0xffff));
        __m512i class1 = _mm512_and_si512(_mm512_srli_epi32(entry1, LAYOUT_COSET_BITS), class);
        __m512i to_word =
            _mm512_add_epi32(_mm512_add_epi32(base, _mm512_mullo_epi32(class1, stride)), _mm512_srli_epi32(to_slot, 6));
        _mm512_storeu_si512(slot + i, to_slot);
        _mm512_storeu_si512(word + i, to_word);
    }
#else
    lanes_join_plain(frame, moved, n, word, slot);
#endif
}

/* ---- values ------------------------------------------------------------------------------------------------------ */

static inline double lanes_load_value(const void *values, uint64_t position, enum value_form form)
{
    return form == VALUES_FIXED ? (double)((const uint32_t *)values)[position] : ((const double *)values)[position];
}

/* The positions of members at these places of a ranked set. */
static inline void lanes_positions_plain(const struct age_set *set, const uint32_t *word, const uint32_t *slot,
                                         unsigned n, uint32_t *position)
{
    for (unsigned i = 0; i < n; i++)
        position[i] = age_set_position(set, (struct place){word[i], slot[i] & 63});
}

#if LANES_AVX512
static inline __m256i lanes_bits_below(const uint64_t *words, __m256i word, __m256i slot, __mmask8 mask)
{
    const __m512i zero = _mm512_setzero_si512(), one = _mm512_set1_epi64(1);
    __m512i bits = _mm512_mask_i32gather_epi64(zero, mask, word, words, 8);
    __m512i bit = _mm512_and_si512(_mm512_cvtepu32_epi64(slot), _mm512_set1_epi64(63));
    __m512i below = _mm512_sub_epi64(_mm512_sllv_epi64(one, bit), one);
    return _mm512_cvtepi64_epi32(_mm512_popcnt_epi64(_mm512_and_si512(bits, below)));
}

static inline __m512i lanes_positions_of(const struct age_set *set, __m512i word, __m512i slot, __mmask16 mask)
{
    __m256i low =
        lanes_bits_below(set->words, _mm512_castsi512_si256(word), _mm512_castsi512_si256(slot), (__mmask8)mask);
    __m256i high = lanes_bits_below(set->words, _mm512_extracti64x4_epi64(word, 1), _mm512_extracti64x4_epi64(slot, 1),
                                    (__mmask8)(mask >> 8));
    __m512i rank = _mm512_mask_i32gather_epi32(_mm512_setzero_si512(), mask, word, set->ranks, 4);
    return _mm512_add_epi32(rank, _mm512_inserti64x4(_mm512_castsi256_si512(low), high, 1));
}

/* Eight values; 0 where the mask has no bit. */
static inline __m512d lanes_values_of(const void *values, __m256i position, __mmask8 mask, enum value_form form)
{
    return form == VALUES_FIXED
               ? _mm512_cvtepu32_pd(_mm256_mmask_i32gather_epi32(_mm256_setzero_si256(), mask, position, values, 4))
               : _mm512_mask_i32gather_pd(_mm512_setzero_pd(), mask, position, values, 8);
}
#endif

static inline void lanes_positions(const struct age_set *set, const uint32_t *word, const uint32_t *slot, unsigned n,
                                   uint32_t *position)
{
#if LANES_AVX512
    for (unsigned i = 0; i < n; i += LANES)
        _mm512_storeu_si512(position + i, lanes_positions_of(set, _mm512_loadu_si512(word + i),
                                                             _mm512_loadu_si512(slot + i), lanes_below(i, n)));
#else
    lanes_positions_plain(set, word, slot, n, position);
#endif
}

/* out[i]: the value at position[i] and `unit` times the reward that moved[i], a sum of line_moves, has. */
static inline __attribute__((always_inline)) void lanes_values_plain(const void *values, const uint32_t *position,
                                                                     const uint64_t *moved, double unit, unsigned n,
                                                                     double *out, enum value_form form)
{
    for (unsigned i = 0; i < n; i++)
        out[i] = lanes_load_value(values, position[i], form) + unit * line_moves_reward(moved[i]);
}

static inline __attribute__((always_inline)) void lanes_values(const void *values, const uint32_t *position,
                                                               const uint64_t *moved, double unit, unsigned n,
                                                               double *out, enum value_form form)
{
#if LANES_AVX512
    for (unsigned i = 0; i < n; i += LANES / 2) {
        __mmask8 mask = (__mmask8)lanes_below(i, n);
        __m512i reward =
            _mm512_and_si512(_mm512_srli_epi64(_mm512_loadu_si512(moved + i), 48), _mm512_set1_epi64(0xfff));
        __m512d value = lanes_values_of(values, _mm256_loadu_si256((const void *)(position + i)), mask, form);
        _mm512_storeu_pd(out + i, _mm512_fmadd_pd(_mm512_cvtepu64_pd(reward), _mm512_set1_pd(unit), value));
    }
#else
    lanes_values_plain(values, position, moved, unit, n, out, form);
#endif
}

/* Where a row's boards go when each part moves by itself, and what that is worth. */
struct lanes_by_part {
    const struct age_set *set; /* ranked, with its values */
    const void *values;
    const uint32_t *codes; /* by slot */
    const uint8_t *turn;
    uint32_t row_word;     /* where the row begins to which the boards go */
    uint32_t first_reward; /* a quarter of the first part's */
    bool always;           /* legal, whatever the second part does */
    bool goal;             /* a reward of the second part means that the goal is reached, which is worth `certain` */
    double certain;
    double unit;    /* of a quarter of a reward */
    double illegal; /* the value of what is not legal */
};

/* out[i]: reward and value of the move of the board at slot[i]. */
static inline __attribute__((always_inline)) void lanes_value_by_part_plain(const struct lanes_by_part *by_part,
                                                                            const uint16_t *slot, unsigned n,
                                                                            double *out, enum value_form form)
{
    for (unsigned i = 0; i < n; i++) {
        uint32_t code = by_part->codes[slot[i]], to = layout_code_slot(code, by_part->turn);
        out[i] = by_part->illegal;
        if ((!by_part->always && !(code >> LAYOUT_CODE_CHANGED_BIT)) || (by_part->goal && layout_code_blocked(code)))
            continue;
        if (by_part->goal && layout_code_reward(code)) {
            out[i] = by_part->certain;
        } else {
            struct place place = {by_part->row_word + (to >> 6), to & 63};
            out[i] = lanes_load_value(by_part->values, age_set_position(by_part->set, place), form) +
                     by_part->unit * (by_part->first_reward + layout_code_reward(code));
        }
    }
}

static inline __attribute__((always_inline)) void lanes_value_by_part(const struct lanes_by_part *by_part,
                                                                      const uint16_t *slot, unsigned n, double *out,
                                                                      enum value_form form)
{
#if LANES_AVX512
    const __m512i turn = _mm512_loadu_si512(by_part->turn),
                  reward_mask = _mm512_set1_epi32((1 << LAYOUT_REWARD_BITS) - 1);
    const __m512d unit = _mm512_set1_pd(by_part->unit), illegal = _mm512_set1_pd(by_part->illegal);
    for (unsigned i = 0; i < n; i += LANES) {
        __mmask16 all = lanes_below(i, n);
        __m512i code =
            _mm512_mask_i32gather_epi32(_mm512_setzero_si512(), all, lanes_slots(slot, i), by_part->codes, 4);
        __mmask16 legal = by_part->always ? all : _mm512_movepi32_mask(code);
        legal = by_part->goal ? legal & lanes_unblocked(code) : legal;
        __m512i to = lanes_code_slots(code, turn);
        __m512i word = _mm512_add_epi32(_mm512_set1_epi32((int)by_part->row_word), _mm512_srli_epi32(to, 6));
        __mmask16 rewarded = by_part->goal ? lanes_rewarded(code) : 0, asked = legal & (__mmask16)~rewarded;
        __m512i position = lanes_positions_of(by_part->set, word, to, asked);
        __m512i reward = _mm512_and_si512(_mm512_srli_epi32(code, LAYOUT_REWARD_SHIFT), reward_mask);
        reward = _mm512_add_epi32(reward, _mm512_set1_epi32((int)by_part->first_reward));
        __m512d low = lanes_values_of(by_part->values, _mm512_castsi512_si256(position), (__mmask8)asked, form);
        __m512d high =
            lanes_values_of(by_part->values, _mm512_extracti64x4_epi64(position, 1), (__mmask8)(asked >> 8), form);
        low = _mm512_fmadd_pd(_mm512_cvtepu32_pd(_mm512_castsi512_si256(reward)), unit, low);
        high = _mm512_fmadd_pd(_mm512_cvtepu32_pd(_mm512_extracti64x4_epi64(reward, 1)), unit, high);
        if (by_part->goal) {
            low = _mm512_mask_blend_pd((__mmask8)rewarded, low, _mm512_set1_pd(by_part->certain));
            high = _mm512_mask_blend_pd((__mmask8)(rewarded >> 8), high, _mm512_set1_pd(by_part->certain));
        }
        _mm512_storeu_pd(out + i, _mm512_mask_blend_pd((__mmask8)legal, illegal, low));
        _mm512_storeu_pd(out + i + 8, _mm512_mask_blend_pd((__mmask8)(legal >> 8), illegal, high));
    }
#else
    lanes_value_by_part_plain(by_part, slot, n, out, form);
#endif
}

#endif
