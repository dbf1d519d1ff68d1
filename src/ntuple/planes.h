/*
 * planes: the cells of a board as two planes of bits, from which the index of a 16-value table is one pext.
 *
 *     | high two bits of cell 15 .. cell 0 | low two bits of cell 15 .. cell 0 |        bits 63..32 and 31..0
 *
 * network.h says why the bits are in this order.
 */
#ifndef AFTERSTATE_NTUPLE_PLANES_H
#define AFTERSTATE_NTUPLE_PLANES_H

#include "base/bits.h"

#include <stdint.h>

static inline uint64_t planes_of(uint64_t cells)
{
#ifdef __BMI2__
    return _pext_u64(cells, UINT64_C(0x3333333333333333)) | _pext_u64(cells, UINT64_C(0xcccccccccccccccc)) << 32;
#else
    uint64_t plane[2] = {cells & UINT64_C(0x3333333333333333), cells >> 2 & UINT64_C(0x3333333333333333)};
    for (unsigned i = 0; i < 2; i++) {
        plane[i] = (plane[i] | plane[i] >> 2) & UINT64_C(0x0f0f0f0f0f0f0f0f);
        plane[i] = (plane[i] | plane[i] >> 4) & UINT64_C(0x00ff00ff00ff00ff);
        plane[i] = (plane[i] | plane[i] >> 8) & UINT64_C(0x0000ffff0000ffff);
        plane[i] = (plane[i] | plane[i] >> 16) & UINT64_C(0x00000000ffffffff);
    }
    return plane[0] | plane[1] << 32;
#endif
}

/* Symmetries of a 4x4 board, on both planes at once: a row is a byte of each half. */
static inline uint64_t planes_transpose(uint64_t x)
{
    uint64_t t = (x ^ x >> 6) & UINT64_C(0x00cc00cc00cc00cc);
    x ^= t ^ t << 6;
    t = (x ^ x >> 12) & UINT64_C(0x0000f0f00000f0f0);
    return x ^ t ^ t << 12;
}

static inline uint64_t planes_mirror(uint64_t x)
{
    x = (x & UINT64_C(0x0f0f0f0f0f0f0f0f)) << 4 | (x >> 4 & UINT64_C(0x0f0f0f0f0f0f0f0f));
    return (x & UINT64_C(0x3333333333333333)) << 2 | (x >> 2 & UINT64_C(0x3333333333333333));
}

static inline uint64_t planes_flip(uint64_t x)
{
    x = __builtin_bswap64(x);
    return x << 32 | x >> 32;
}

/* The eight images in the order of grid->symmetry: bit 0 mirrors, bit 1 flips, bit 2 transposes first. */
static inline void planes_images4x4(uint64_t planes, uint64_t image[8])
{
    uint64_t transposed = planes_transpose(planes);
    image[0] = planes;
    image[1] = planes_mirror(planes);
    image[2] = planes_flip(planes);
    image[3] = planes_flip(image[1]);
    image[4] = transposed;
    image[5] = planes_mirror(transposed);
    image[6] = planes_flip(transposed);
    image[7] = planes_flip(image[5]);
}

#endif
