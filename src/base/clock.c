/* clock: monotonic time. */
#include "base/clock.h"

#include <time.h>

uint64_t clock_nanoseconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now); /* cannot fail: the clock exists and the pointer is good */
    return (uint64_t)now.tv_sec * UINT64_C(1000000000) + (uint64_t)now.tv_nsec;
}

double clock_seconds(void)
{
    return (double)clock_nanoseconds() * 1e-9;
}
