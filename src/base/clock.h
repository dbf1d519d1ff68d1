/*
 * clock: monotonic time. Any thread may call these; number_text.h writes durations.
 */
#ifndef AFTERSTATE_BASE_CLOCK_H
#define AFTERSTATE_BASE_CLOCK_H

#include <stdint.h>

/* Time since some fixed point of this boot; never goes back, whatever is done to the wall clock. */
uint64_t clock_nanoseconds(void);
double clock_seconds(void);

#endif
