/*
 * random: the generator behind every game, start and sample.
 *
 * xoshiro256++ (Blackman and Vigna 2019): 256 bits of state, period 2^256-1, about a nanosecond a draw, passes the
 * known statistical batteries. Its state is filled by splitmix64, so any seed, 0 included, is a good one.
 *
 * Streams: the state of stream k of seed s is filled by splitmix64 started at a mix of (s, k). Two streams overlap
 * within 2^64 draws with probability below 2^-128, so each game and each thread takes its own stream, and a result does
 * not depend on which thread played which game.
 *
 * Nothing here is shared or locked: a struct rng belongs to one thread at a time.
 */
#ifndef AFTERSTATE_BASE_RANDOM_H
#define AFTERSTATE_BASE_RANDOM_H

#include <stdint.h>

struct rng {
    uint64_t state[4];
};

/* Advances *state and returns the next output of splitmix64. */
static inline uint64_t random_splitmix(uint64_t *state)
{
    uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

/* The generator of stream `stream` of `seed`. Every pair of arguments is valid. */
static inline struct rng random_stream(uint64_t seed, uint64_t stream)
{
    struct rng rng;
    uint64_t mixed = seed;
    mixed = random_splitmix(&mixed) ^ stream;
    mixed = random_splitmix(&mixed); /* a bijection of the stream number for a given seed: no two streams coincide */
    for (int i = 0; i < 4; i++)
        rng.state[i] = random_splitmix(&mixed);
    return rng;
}

static inline uint64_t random_rotate(uint64_t x, int by)
{
    return x << by | x >> (64 - by);
}

/* 64 random bits. */
static inline uint64_t random_bits(struct rng *rng)
{
    uint64_t *s = rng->state;
    uint64_t result = random_rotate(s[0] + s[3], 23) + s[0];
    uint64_t t = s[1] << 17;
    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= t;
    s[3] = random_rotate(s[3], 45);
    return result;
}

/*
 * A number in 0 .. bound-1, exactly uniform; bound must be at least 1. Lemire's multiply: the high half of bits * bound
 * is the number, and the few low halves that would favour some numbers are drawn again. For the bounds of a board
 * (below 200) a redraw happens about once in 2^57 draws, so the branch costs nothing.
 */
static inline uint64_t random_below(struct rng *rng, uint64_t bound)
{
    unsigned __int128 product = (unsigned __int128)random_bits(rng) * bound;
    if (__builtin_expect((uint64_t)product < bound, 0)) {
        uint64_t unfair = -bound % bound;
        while ((uint64_t)product < unfair)
            product = (unsigned __int128)random_bits(rng) * bound;
    }
    return (uint64_t)(product >> 64);
}

/* A double in [0, 1) with 53 random bits. */
static inline double random_unit(struct rng *rng)
{
    return (double)(random_bits(rng) >> 11) * 0x1p-53;
}

#endif
