/*
 * mend: makes the checksums and totals of a damaged block file right again, so that a fuzzer reaches what lies behind
 * them. Knows the bytes from docs/FORMATS.md and not from blockfile.c.
 */
#ifndef AFTERSTATE_TESTS_MEND_H
#define AFTERSTATE_TESTS_MEND_H

#include "base/checksum.h"

#include <stddef.h>
#include <stdint.h>
#include <string.h>

static inline uint64_t mend_load(const uint8_t *at, unsigned bytes)
{
    uint64_t value = 0;
    for (unsigned i = 0; i < bytes; i++)
        value |= (uint64_t)at[i] << 8 * i;
    return value;
}

static inline void mend_store(uint8_t *at, uint64_t value)
{
    for (unsigned i = 0; i < 8; i++)
        at[i] = (uint8_t)(value >> 8 * i);
}

/* Mends data[0 .. n_bytes-1] as far as its blocks can be walked. */
static inline void mend_checksums(uint8_t *data, size_t n_bytes)
{
    if (n_bytes < 24)
        return;
    mend_store(data + 16, checksum_of(data, 16));
    size_t at = 24;
    for (uint64_t number = 0; n_bytes - at >= 32; number++) {
        uint8_t *block = data + at;
        uint64_t stored = mend_load(block + 16, 8), padded = stored + (-stored & 7);
        if (stored > n_bytes - at - 32 || padded > n_bytes - at - 32)
            return;
        if (mend_load(block, 4) == 0xffffffff && stored == 16) {
            mend_store(block + 32, number);
            mend_store(block + 40, at + 48);
        }
        memset(block + 32 + stored, 0, padded - stored);
        struct checksum sum;
        checksum_begin(&sum, number);
        checksum_add(&sum, block, 24);
        checksum_add(&sum, block + 32, stored);
        mend_store(block + 24, checksum_value(&sum));
        at += 32 + padded;
    }
}

#endif
