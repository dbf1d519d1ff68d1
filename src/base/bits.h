/*
 * bits: parallel extract and deposit, with one instruction where the processor has BMI2 and a loop elsewhere.
 *
 * Build for the processor (preset release) or for any x86-64 or other machine (preset portable): results are the same.
 */
#ifndef AFTERSTATE_BASE_BITS_H
#define AFTERSTATE_BASE_BITS_H

#include <stdint.h>
#ifdef __BMI2__
#include <immintrin.h>
#endif

/*
 * The loop versions, always compiled so that tests can compare: bits of x under mask packed to the low end. A run of
 * set bits at a time, because masks here are made of whole cells.
 */
static inline uint64_t bits_extract_plain(uint64_t x, uint64_t mask)
{
    uint64_t packed = 0;
    for (unsigned to = 0; mask;) {
        unsigned from = (unsigned)__builtin_ctzll(mask);
        uint64_t above = ~(mask >> from); /* its lowest set bit ends the run */
        unsigned length = above ? (unsigned)__builtin_ctzll(above) : 64;
        uint64_t run = length == 64 ? UINT64_MAX : (UINT64_C(1) << length) - 1;
        packed |= (x >> from & run) << to;
        to += length;
        mask &= ~(run << from);
    }
    return packed;
}

/* The inverse: the low bits of x spread to the set bits of mask. */
static inline uint64_t bits_deposit_plain(uint64_t x, uint64_t mask)
{
    uint64_t spread = 0;
    for (; mask; x >>= 1, mask &= mask - 1)
        spread |= (x & 1) << __builtin_ctzll(mask);
    return spread;
}

static inline uint64_t bits_extract(uint64_t x, uint64_t mask)
{
#ifdef __BMI2__
    return _pext_u64(x, mask);
#else
    return bits_extract_plain(x, mask);
#endif
}

static inline uint64_t bits_deposit(uint64_t x, uint64_t mask)
{
#ifdef __BMI2__
    return _pdep_u64(x, mask);
#else
    return bits_deposit_plain(x, mask);
#endif
}

/* Position of the set bit of mask that has exactly `rank` set bits below it; mask must have more than `rank` set
   bits. */
static inline unsigned bits_select(uint64_t mask, unsigned rank)
{
#ifdef __BMI2__
    return (unsigned)__builtin_ctzll(_pdep_u64(UINT64_C(1) << rank, mask));
#else
    while (rank--)
        mask &= mask - 1;
    return (unsigned)__builtin_ctzll(mask);
#endif
}

#endif
