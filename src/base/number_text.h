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

/* The same with 0 to 6 decimals: "43,895.8", "-0.07". Numbers beyond 18 digits and those that are not finite are as %g
   has them. */
char *number_text_real(char *out, double number, int decimals);

/* Three digits with an SI prefix: "0", "12.3", "1.23 M", "45.6 G". Negative and not finite numbers are as %g has
   them. */
char *number_text_short(char *out, double number);

/* The same of something, a plural of at most 12 characters: "29.5 M moves", "1 game"; of the unit "B" as in bytes. */
char *number_text_amount(char *out, double number, const char *unit);

/* The same in bytes: "512 B", "2.69 GB". */
char *number_text_bytes(char *out, double bytes);

/* The same in units a second: "29.5 M moves/s", "157 MB/s" for the unit "B". */
char *number_text_rate(char *out, double per_second, const char *unit);

/* "25 us", "4.1 ms", "3.2 s", "4m 05s", "2h 13m", "5d 03h"; "?" for negative and not finite ones. */
char *number_text_duration(char *out, double seconds);

/* These as values of their own, for arguments of printf(); they live to the end of the block. */
#define TEXT_OF_COUNT(number)          number_text_count((char[NUMBER_TEXT_BYTES]){0}, (number))
#define TEXT_OF_REAL(number, decimals) number_text_real((char[NUMBER_TEXT_BYTES]){0}, (number), (decimals))
#define TEXT_OF_BYTES(bytes)           number_text_bytes((char[NUMBER_TEXT_BYTES]){0}, (double)(bytes))
#define TEXT_OF_DURATION(seconds)      number_text_duration((char[NUMBER_TEXT_BYTES]){0}, (seconds))

#endif
