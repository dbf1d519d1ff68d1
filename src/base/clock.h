/*
 * clock: monotonic time, and durations as people read them. Any thread may call these.
 */
#ifndef AFTERSTATE_BASE_CLOCK_H
#define AFTERSTATE_BASE_CLOCK_H

#include <stddef.h>
#include <stdint.h>

/* Enough for any duration that clock_format_duration() writes. */
enum { CLOCK_DURATION_BYTES = 32 };

/* Time since some fixed point of this boot; never goes back, whatever is done to the wall clock. */
uint64_t clock_nanoseconds(void);
double clock_seconds(void);

/*
 * Writes a duration into out[0 .. n-1], always ended by a NUL (n at least 1): "3.2 s", "4m 05s", "2h 13m", "5d 03h".
 * Negative or not finite gives "?".
 */
void clock_format_duration(char *out, size_t n, double seconds);

#endif
