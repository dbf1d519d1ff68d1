/* bytes: numbers in files: little-endian, whatever the machine is. */
#ifndef AFTERSTATE_BASE_BYTES_H
#define AFTERSTATE_BASE_BYTES_H

#include <stdint.h>

static inline void bytes_store_u32(uint8_t *to, uint32_t value)
{
    for (unsigned i = 0; i < 4; i++)
        to[i] = (uint8_t)(value >> 8 * i);
}

static inline void bytes_store_u64(uint8_t *to, uint64_t value)
{
    for (unsigned i = 0; i < 8; i++)
        to[i] = (uint8_t)(value >> 8 * i);
}

static inline uint32_t bytes_load_u32(const uint8_t *from)
{
    uint32_t value = 0;
    for (unsigned i = 0; i < 4; i++)
        value |= (uint32_t)from[i] << 8 * i;
    return value;
}

static inline uint64_t bytes_load_u64(const uint8_t *from)
{
    uint64_t value = 0;
    for (unsigned i = 0; i < 8; i++)
        value |= (uint64_t)from[i] << 8 * i;
    return value;
}

#endif
