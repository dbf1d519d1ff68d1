/* number_text: numbers, bytes, rates and durations as people read them, the same everywhere. */
#include "base/number_text.h"

#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

char *number_text_count(char *out, uint64_t number)
{
    char digits[24];
    int n = snprintf(digits, sizeof digits, "%" PRIu64, number), used = 0;
    for (int i = 0; i < n; i++) {
        if (i > 0 && (n - i) % 3 == 0)
            out[used++] = ',';
        out[used++] = digits[i];
    }
    out[used] = '\0';
    return out;
}

char *number_text_real(char *out, double number, int decimals)
{
    char digits[NUMBER_TEXT_BYTES], whole[NUMBER_TEXT_BYTES];
    if (!(fabs(number) < 1e18)) {
        snprintf(out, NUMBER_TEXT_BYTES, "%g", number);
        return out;
    }
    snprintf(digits, sizeof digits, "%.*f", decimals, fabs(number));
    number_text_count(whole, strtoull(digits, NULL, 10));
    bool negative = number < 0 && strspn(digits, "0.") < strlen(digits); /* never "-0.0" */
    strcpy(out, negative ? "-" : "");
    strcat(out, whole);
    return strcat(out, digits + strcspn(digits, "."));
}

/* A number of three digits, and its prefix with a space before it; "" for none. */
static const char *write_digits(char *out, double number)
{
    static const char *const prefixes[] = {"", " k", " M", " G", " T", " P", " E"};
    if (!(number >= 0) || isinf(number)) {
        snprintf(out, NUMBER_TEXT_BYTES, "%g", number);
        return "";
    }
    size_t i = 0;
    /* 999.5 would be written as 1000 with three digits. */
    while (number >= 999.5 && i + 1 < sizeof prefixes / sizeof *prefixes) {
        number /= 1000;
        i++;
    }
    int decimals = number < 9.995 ? 2 : number < 99.95 ? 1 : 0;
    if (i == 0 && number == floor(number))
        decimals = 0;
    snprintf(out, NUMBER_TEXT_BYTES, "%.*f", decimals, number);
    return prefixes[i];
}

char *number_text_short(char *out, double number)
{
    return strcat(out, write_digits(out, number));
}

char *number_text_amount(char *out, double number, const char *unit)
{
    const char *prefix = write_digits(out, number);
    size_t used = strlen(out), length = strlen(unit);
    bool one = strcmp(out, "1") == 0 && !*prefix && length > 1 && unit[length - 1] == 's';
    snprintf(out + used, NUMBER_TEXT_BYTES - used, "%s%s%.*s", prefix, *prefix && strcmp(unit, "B") == 0 ? "" : " ",
             (int)(length - one), unit);
    return out;
}

char *number_text_bytes(char *out, double bytes)
{
    return number_text_amount(out, bytes, "B");
}

char *number_text_rate(char *out, double per_second, const char *unit)
{
    return strcat(number_text_amount(out, per_second, unit), "/s");
}

char *number_text_duration(char *out, double seconds)
{
    const double minute = 60, hour = 3600, day = 86400;
    /* The borders lie where the shorter form would round up to "60.0 s" or "60m 00s". */
    if (!(seconds >= 0) || isinf(seconds)) {
        snprintf(out, NUMBER_TEXT_BYTES, "?");
    } else if (seconds == 0) {
        snprintf(out, NUMBER_TEXT_BYTES, "0 s");
    } else if (seconds < 0.9995e-3) {
        snprintf(out, NUMBER_TEXT_BYTES, "%.3g us", 1e6 * seconds);
    } else if (seconds < 0.9995) {
        snprintf(out, NUMBER_TEXT_BYTES, "%.3g ms", 1e3 * seconds);
    } else if (seconds < minute - 0.05) {
        snprintf(out, NUMBER_TEXT_BYTES, "%.1f s", seconds);
    } else if (seconds < hour - 0.5) {
        long whole = lround(seconds);
        snprintf(out, NUMBER_TEXT_BYTES, "%ldm %02lds", whole / 60, whole % 60);
    } else if (seconds < 2 * day - 30) {
        long minutes = lround(seconds / minute);
        snprintf(out, NUMBER_TEXT_BYTES, "%ldh %02ldm", minutes / 60, minutes % 60);
    } else if (seconds < 1e6 * day) {
        long hours = lround(seconds / hour);
        snprintf(out, NUMBER_TEXT_BYTES, "%ldd %02ldh", hours / 24, hours % 24);
    } else {
        snprintf(out, NUMBER_TEXT_BYTES, "%.2g days", seconds / day);
    }
    return out;
}
