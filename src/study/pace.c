/* pace: how long moves take. */
#include "study/pace.h"

enum { STEPS = 1 << PACE_STEPS_LOG };

/*
 * Numbers below STEPS have a bucket each. Above, a bucket is the position of the leading bit and the four bits after
 * it, which numbers buckets without a gap: 16 .. 31 are buckets 16 .. 31, 32 and 33 are bucket 32.
 */
static unsigned bucket_of(uint64_t nanoseconds)
{
    if (nanoseconds < STEPS)
        return (unsigned)nanoseconds;
    unsigned shift = 63u - (unsigned)__builtin_clzll(nanoseconds) - PACE_STEPS_LOG;
    unsigned bucket = (shift << PACE_STEPS_LOG) + (unsigned)(nanoseconds >> shift);
    return bucket < PACE_BUCKETS ? bucket : PACE_BUCKETS - 1;
}

/* The middle of a bucket, in nanoseconds. */
static double middle_of(unsigned bucket)
{
    if (bucket < STEPS)
        return bucket;
    unsigned shift = (bucket >> PACE_STEPS_LOG) - 1;
    uint64_t first = (uint64_t)(STEPS + (bucket & (STEPS - 1))) << shift;
    return (double)first + (double)((UINT64_C(1) << shift) - 1) / 2;
}

void pace_add(struct pace *pace, uint64_t nanoseconds, uint64_t n)
{
    pace->count[bucket_of(nanoseconds)] += n;
}

void pace_merge(struct pace *pace, const struct pace *from)
{
    for (unsigned i = 0; i < PACE_BUCKETS; i++)
        pace->count[i] += from->count[i];
}

uint64_t pace_n_moves(const struct pace *pace)
{
    uint64_t n = 0;
    for (unsigned i = 0; i < PACE_BUCKETS; i++)
        n += pace->count[i];
    return n;
}

double pace_quantile(const struct pace *pace, double quantile)
{
    uint64_t n = pace_n_moves(pace), below = 0;
    for (unsigned i = 0; i < PACE_BUCKETS; i++) {
        below += pace->count[i];
        if (below > 0 && (double)below >= quantile * (double)n)
            return middle_of(i) * 1e-9;
    }
    return 0;
}
