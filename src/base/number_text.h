/*
 * number_text: numbers, bytes, rates and durations as people read them, the same everywhere. Each function writes into
 * out, which has room for NUMBER_TEXT_BYTES, and returns it. Any thread may call these.
 */
#ifndef AFTERSTATE_BASE_NUMBER_TEXT_H
#define AFTERSTATE_BASE_NUMBER_TEXT_H

#include <stdint.h>

enum { NUMBER_TEXT_BYTES = 32 };

/* All digits in groups of three: "48,713,519". */
char *number_text_count(char *out, uint64_t number);

/* Three digits with an SI prefix: "0", "12.3", "1.23 M", "45.6 G". Negative and not finite numbers are as %g has them.
 */
char *number_text_short(char *out, double number);

/* The same in bytes: "512 B", "2.69 GB". */
char *number_text_bytes(char *out, double bytes);

/* The same in units a second: "29.5 M moves/s", "157 MB/s" for the unit "B". The unit has at most 12 characters. */
char *number_text_rate(char *out, double per_second, const char *unit);

/* "25 us", "4.1 ms", "3.2 s", "4m 05s", "2h 13m", "5d 03h"; "?" for negative and not finite ones. */
char *number_text_duration(char *out, double seconds);

#endif
