/*
 * checksum: XXH3-64 of xxhash, the checksum of all our files and of the signatures that `bench` prints. It finds
 * accidents, not forgers. The same on every machine: XXH3 is defined over bytes.
 *
 * The implementation is compiled in (XXH_INLINE_ALL) so that it uses this build's vector instructions and so that its
 * state can live on the stack: nothing here can fail. A struct checksum belongs to one thread at a time.
 */
#ifndef AFTERSTATE_BASE_CHECKSUM_H
#define AFTERSTATE_BASE_CHECKSUM_H

#ifndef XXH_INLINE_ALL
#define XXH_INLINE_ALL
#endif
#include <xxhash.h>

#include <stddef.h>
#include <stdint.h>

struct checksum {
    XXH3_state_t state;
};

/* Checksum of data[0 .. bytes-1]; data may be NULL if bytes is 0. */
static inline uint64_t checksum_of(const void *data, size_t bytes)
{
    return XXH3_64bits(bytes ? data : "", bytes);
}

/* Starts a checksum over pieces; with seed 0 the result is that of checksum_of() over their concatenation. */
static inline void checksum_begin(struct checksum *sum, uint64_t seed)
{
    /* xxhash reads this field before writing it to see whether a secret of a former seed is still there. */
    sum->state.seed = 0;
    XXH3_64bits_reset_withSeed(&sum->state, seed);
}

static inline void checksum_add(struct checksum *sum, const void *data, size_t bytes)
{
    if (bytes)
        XXH3_64bits_update(&sum->state, data, bytes);
}

/* Makes a state that was copied from another process usable here: it points at xxhash's constants. */
static inline void checksum_adopt(struct checksum *sum)
{
    struct checksum fresh;
    checksum_begin(&fresh, 0);
    sum->state.extSecret = fresh.state.extSecret;
}

/* The checksum so far; more may be added afterwards. */
static inline uint64_t checksum_value(const struct checksum *sum)
{
    return XXH3_64bits_digest(&sum->state);
}

#endif
