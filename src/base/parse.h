/*
 * parse: words of recipes and of the command line as numbers. Each function reads the whole of `text` and returns
 * whether it is such a value; if not, *out is untouched and there is no message, because only the caller knows what the
 * value was for. The C locale's decimal point always, whatever locale is set. Any thread may call these.
 */
#ifndef AFTERSTATE_BASE_PARSE_H
#define AFTERSTATE_BASE_PARSE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A whole number: 42, -7, 1_000_000, 1,000,000, 1e10, 2.5e6, 1k, 2.5M, "3 G"; exact, refused beyond 64 bits and where a
   fraction is left (2.5). */
bool parse_integer(const char *text, int64_t *out);

/* The same from 0 to 2^64-1: seeds. */
bool parse_unsigned(const char *text, uint64_t *out);

/* A finite number: 0.5, -1e-3, 1_000, 1.5k, "1.5 k". */
bool parse_real(const char *text, double *out);

/* yes, true, on, 1 or no, false, off, 0, in any case of letters. */
bool parse_flag(const char *text, bool *out);

/* Seconds from 90s, 30m, 5h, 2d, 250ms, 25us, 1h30m, "4m 05s", or a bare number of seconds; never negative. */
bool parse_duration(const char *text, double *seconds);

/* Bytes from 2GB, 512MB, "1.5 TB", 64kB, 100B in powers of 1000, 16MiB in powers of 1024, in any case of letters; never
   negative. A number must have a unit, of which 2G will do. */
bool parse_bytes(const char *text, double *bytes);

/* Copies the next word of *cursor, blanks or commas around it, and moves on; false at the end. A word that is too long
   ends in '~', so that it is no number. */
enum { PARSE_WORD_BYTES = 64 };
bool parse_next_word(const char **cursor, char word[PARSE_WORD_BYTES]);

/* Cuts a line at its separators into exactly n fields, which point into it. False if it has more or fewer. */
bool parse_split(char *line, char separator, char **fields, size_t n);

#endif
