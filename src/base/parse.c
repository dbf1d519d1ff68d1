/* parse: words of recipes and of the command line as numbers. */
#include "base/parse.h"

#include <ctype.h>
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { CLEAN_BYTES = 64 };

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* Takes digits from *from, single underscores between them left out, to *to. False if there is no room. */
static bool take_digits(const char **from, char **to, const char *end, int *n_digits)
{
    for (*n_digits = 0; is_digit(**from) || (**from == '_' && *n_digits > 0 && is_digit((*from)[1])); ++*from) {
        if (**from == '_')
            continue;
        if (*to + 1 >= end)
            return false;
        *(*to)++ = **from;
        ++*n_digits;
    }
    return true;
}

/*
 * Takes the longest decimal number that `text` starts with, [+-] digits [. digits] [e [+-] digits], into `clean`
 * without underscores, and returns what follows it; NULL if there is none or it is absurdly long. Our own scanner and
 * not strtod's, which would also take hexadecimal, "nan", "inf" and leading space.
 */
static const char *take_number(const char *text, char clean[CLEAN_BYTES])
{
    char *to = clean;
    const char *const end = clean + CLEAN_BYTES - 4; /* room for a sign, a point, an e and its sign */
    int n_whole, n_fraction = 0, n_exponent;
    if (*text == '+' || *text == '-')
        *to++ = *text++;
    if (!take_digits(&text, &to, end, &n_whole))
        return NULL;
    if (*text == '.') {
        *to++ = *text++;
        if (!take_digits(&text, &to, end, &n_fraction))
            return NULL;
    }
    if (n_whole + n_fraction == 0)
        return NULL;
    if (*text == 'e' || *text == 'E') {
        const char *exponent = text + 1;
        char *mark = to;
        *to++ = 'e';
        if (*exponent == '+' || *exponent == '-')
            *to++ = *exponent++;
        if (!take_digits(&exponent, &to, end, &n_exponent))
            return NULL;
        if (n_exponent > 0)
            text = exponent;
        else
            to = mark;
    }
    *to = '\0';
    return text;
}

/* The power of ten of the letter that *text starts with, perhaps after a blank, which it skips: k, M, G or T; 0 if
   there is none. */
static int take_suffix(const char **text)
{
    static const char letters[] = "kMGT";
    const char *found_at = *text + (**text == ' ');
    const char *found = *found_at ? strchr(letters, *found_at) : NULL;
    if (!found)
        return 0;
    *text = found_at + 1;
    return 3 * (int)(found - letters + 1);
}

static bool clean_to_real(const char *clean, double *out)
{
    locale_t plain = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    if (plain == (locale_t)0)
        return false;
    double value = strtod_l(clean, NULL, plain);
    freelocale(plain);
    if (!isfinite(value))
        return false;
    *out = value;
    return true;
}

/* Exactly mantissa * 10^power as an integer, if it is one. */
static bool scale_exactly(uint64_t mantissa, long power, uint64_t *out)
{
    if (mantissa == 0)
        power = 0;
    for (; power > 0; power--) {
        if (__builtin_mul_overflow(mantissa, UINT64_C(10), &mantissa))
            return false;
    }
    for (; power < 0; power++) {
        if (mantissa % 10)
            return false;
        mantissa /= 10;
    }
    *out = mantissa;
    return true;
}

/* Copies a number whose first digits are in groups of three, "48,713,519", without the commas. False if they are not:
   "0,500" and "1,5" are refused, since a comma may have been meant as a point. */
static bool join_groups(const char *text, char joined[CLEAN_BYTES])
{
    size_t n = 0;
    if (*text == '+' || *text == '-')
        joined[n++] = *text++;
    size_t first = strspn(text, "0123456789");
    if (first == 0 || first > 3 || *text == '0' || text[first] != ',')
        return false;
    memcpy(joined + n, text, first);
    n += first;
    for (text += first; *text == ','; text += 4, n += 3) {
        if (strspn(text + 1, "0123456789") != 3 || n + 3 >= CLEAN_BYTES)
            return false;
        memcpy(joined + n, text + 1, 3);
    }
    joined[n] = 0;
    return *text == 0;
}

/* Sign and magnitude of a whole number. Through a double, 9007199254740993 would come back as another number. */
static bool parse_magnitude(const char *text, bool *negative, uint64_t *out)
{
    char clean[CLEAN_BYTES], joined[CLEAN_BYTES];
    const char *rest = take_number(join_groups(text, joined) ? joined : text, clean);
    if (!rest)
        return false;
    long power = take_suffix(&rest);
    if (*rest)
        return false;
    const char *c = clean;
    *negative = *c == '-';
    if (*c == '+' || *c == '-')
        c++;
    uint64_t mantissa = 0;
    bool fraction = false;
    for (; *c && *c != 'e'; c++) {
        if (*c == '.') {
            fraction = true;
            continue;
        }
        if (__builtin_mul_overflow(mantissa, UINT64_C(10), &mantissa) ||
            __builtin_add_overflow(mantissa, (uint64_t)(*c - '0'), &mantissa))
            return false;
        power -= fraction;
    }
    if (*c == 'e') {
        long exponent = strtol(c + 1, NULL, 10);
        if (exponent > 1000 || exponent < -1000)
            return false;
        power += exponent;
    }
    return scale_exactly(mantissa, power, out);
}

bool parse_unsigned(const char *text, uint64_t *out)
{
    bool negative;
    uint64_t magnitude;
    if (!parse_magnitude(text, &negative, &magnitude) || (negative && magnitude != 0))
        return false;
    *out = magnitude;
    return true;
}

bool parse_integer(const char *text, int64_t *out)
{
    bool negative;
    uint64_t magnitude;
    if (!parse_magnitude(text, &negative, &magnitude) || magnitude > (uint64_t)INT64_MAX + negative)
        return false;
    *out = negative ? (int64_t)(0 - magnitude) : (int64_t)magnitude;
    return true;
}

bool parse_real(const char *text, double *out)
{
    char clean[CLEAN_BYTES];
    const char *rest = take_number(text, clean);
    double number;
    if (!rest || !clean_to_real(clean, &number))
        return false;
    number *= pow(10, take_suffix(&rest));
    if (*rest || !isfinite(number))
        return false;
    *out = number;
    return true;
}

bool parse_flag(const char *text, bool *out)
{
    static const char *const words[2][4] = {{"no", "false", "off", "0"}, {"yes", "true", "on", "1"}};
    for (int value = 0; value < 2; value++) {
        for (int i = 0; i < 4; i++) {
            if (strcasecmp(text, words[value][i]) == 0) {
                *out = value;
                return true;
            }
        }
    }
    return false;
}

/* The seconds of the unit that *text starts with; moves *text past it. 0 if there is none. */
static double take_time_unit(const char **text)
{
    static const struct {
        const char *name;
        double seconds;
    } units[] = {{"us", 1e-6}, {"ms", 1e-3}, {"s", 1}, {"m", 60}, {"h", 3600}, {"d", 86400}};
    for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
        size_t length = strlen(units[i].name);
        if (strncmp(*text, units[i].name, length) == 0) {
            *text += length;
            return units[i].seconds;
        }
    }
    return 0;
}

bool parse_duration(const char *text, double *seconds)
{
    double sum = 0;
    bool first = true;
    do {
        char clean[CLEAN_BYTES];
        double number;
        text = take_number(text, clean);
        if (!text || !clean_to_real(clean, &number) || signbit(number))
            return false;
        if (first && !*text) {
            sum = number; /* a bare number */
            break;
        }
        while (*text == ' ')
            text++;
        double unit = take_time_unit(&text);
        if (unit == 0)
            return false;
        sum += number * unit;
        first = false;
        while (*text == ' ')
            text++;
    } while (*text);
    if (!isfinite(sum))
        return false;
    *seconds = sum;
    return true;
}

/* What one unit of bytes is, or 0. */
static double bytes_of_unit(const char *unit)
{
    static const char prefixes[] = "kmgt";
    double bytes = 1, factor = 1000;
    const char *prefix = *unit ? strchr(prefixes, tolower((unsigned char)*unit)) : NULL;
    if (prefix)
        unit++;
    if (prefix && strncasecmp(unit, "ib", 2) == 0) {
        factor = 1024;
        unit++;
    }
    bool has_letter = strcasecmp(unit, "b") == 0;
    if (!has_letter && (*unit || !prefix))
        return 0;
    for (size_t i = 0; prefix && i <= (size_t)(prefix - prefixes); i++)
        bytes *= factor;
    return bytes;
}

bool parse_bytes(const char *text, double *bytes)
{
    char clean[CLEAN_BYTES];
    double number;
    const char *rest = take_number(text, clean);
    if (!rest || !clean_to_real(clean, &number) || signbit(number))
        return false;
    double unit = bytes_of_unit(rest + strspn(rest, " "));
    if (unit == 0 || !isfinite(number * unit))
        return false;
    *bytes = number * unit;
    return true;
}

bool parse_next_word(const char **cursor, char word[PARSE_WORD_BYTES])
{
    static const char blanks[] = " \t,";
    *cursor += strspn(*cursor, blanks);
    size_t length = strcspn(*cursor, blanks), kept = length < PARSE_WORD_BYTES ? length : PARSE_WORD_BYTES - 2;
    snprintf(word, PARSE_WORD_BYTES, "%.*s%s", (int)kept, *cursor, kept < length ? "~" : "");
    *cursor += length;
    return length > 0;
}

bool parse_split(char *line, char separator, char **fields, size_t n)
{
    const char ends[] = {separator, '\0'};
    for (size_t i = 0; i < n; i++) {
        fields[i] = line;
        line += strcspn(line, ends);
        if ((*line == separator) != (i + 1 < n))
            return false;
        if (*line)
            *line++ = '\0';
    }
    return n > 0;
}
