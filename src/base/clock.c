#include "base/clock.h"

#include <math.h>
#include <stdio.h>
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

void clock_format_duration(char *out, size_t n, double seconds)
{
    const double minute = 60, hour = 3600, day = 86400;
    /* The borders lie where the shorter form would round up to "60.0 s" or "60m 00s". */
    if (!(seconds >= 0) || isinf(seconds)) {
        snprintf(out, n, "?");
    } else if (seconds < minute - 0.05) {
        snprintf(out, n, "%.1f s", seconds);
    } else if (seconds < hour - 0.5) {
        long whole = lround(seconds);
        snprintf(out, n, "%ldm %02lds", whole / 60, whole % 60);
    } else if (seconds < 2 * day - 30) {
        long minutes = lround(seconds / minute);
        snprintf(out, n, "%ldh %02ldm", minutes / 60, minutes % 60);
    } else if (seconds < 1e6 * day) {
        long hours = lround(seconds / hour);
        snprintf(out, n, "%ldd %02ldh", hours / 24, hours % 24);
    } else {
        snprintf(out, n, "%.2g days", seconds / day);
    }
}
