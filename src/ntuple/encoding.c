/* encoding: how a cell's value becomes a digit of a table index. */
#include "ntuple/encoding.h"

#include "base/parse.h"

#include <assert.h>
#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

enum status encoding_plain(struct encoding *encoding, unsigned n_values)
{
    if (n_values < 2 || n_values > ENCODING_VALUES)
        return status_fail(STATUS_INVALID, "%u values of a cell, expected 2 to %d", n_values, ENCODING_VALUES);
    *encoding = (struct encoding){.n_ranges = 1};
    struct value_range *range = &encoding->ranges[0];
    range->first = 1;
    range->last = (uint8_t)(n_values - 1);
    range->n_digits = (uint8_t)n_values;
    for (unsigned value = 0; value < ENCODING_VALUES; value++)
        range->digit[value] = (uint8_t)(value < n_values ? value : n_values - 1);
    return STATUS_OK;
}

static struct value_range make_range(unsigned first, unsigned last, unsigned max_value)
{
    struct value_range range = {.first = (uint8_t)first, .last = (uint8_t)last};
    unsigned n_below = first > 1 ? 2 : 1; /* E and perhaps S */
    unsigned top = n_below + (last - first);
    unsigned above = last < max_value ? top + 1 : top; /* L; without it nothing larger exists */
    range.n_digits = (uint8_t)(above + 1);
    for (unsigned value = 1; value < ENCODING_VALUES; value++) { /* digit[0] is 0, E */
        unsigned digit = value < first ? 1 : value > last ? above : n_below + (value - first);
        range.digit[value] = (uint8_t)digit;
    }
    return range;
}

/* Reads a number of one or two digits and moves *at past it; -1 if there is none. */
static int read_value(const char **at)
{
    if (!isdigit((unsigned char)**at))
        return -1;
    int value = *(*at)++ - '0';
    if (isdigit((unsigned char)**at))
        value = 10 * value + (*(*at)++ - '0');
    return isdigit((unsigned char)**at) ? -1 : value;
}

static bool is_separator(char letter)
{
    return isspace((unsigned char)letter) || letter == ',';
}

enum status encoding_split(struct encoding *encoding, const struct grid *grid, const char *text)
{
    struct encoding result = {0};
    for (const char *at = text;;) {
        while (is_separator(*at))
            at++;
        if (!*at)
            break;
        int first = read_value(&at);
        int last = first >= 0 && *at == '-' ? (at++, read_value(&at)) : first;
        if (first < 0 || last < 0 || (*at && !is_separator(*at)))
            return status_fail(STATUS_INVALID, "value ranges '%s': expected exponents such as \"1-7 8-13 14-17\"",
                               text);
        if (first < 1 || last < first || last > grid->max_value)
            return status_fail(STATUS_INVALID,
                               "value ranges '%s': %d-%d, expected from 1 to %d on a board of %dx%d, the smaller first",
                               text, first, last, grid->max_value, grid->rows, grid->cols);
        for (unsigned i = 0; i < result.n_ranges; i++)
            if (result.ranges[i].first == first && result.ranges[i].last == last)
                return status_fail(STATUS_INVALID, "value ranges '%s': %d-%d occurs twice", text, first, last);
        if (result.n_ranges == ENCODING_MAX_RANGES)
            return status_fail(STATUS_INVALID, "value ranges '%s': more than %d", text, ENCODING_MAX_RANGES);
        result.ranges[result.n_ranges++] = make_range((unsigned)first, (unsigned)last, grid->max_value);
    }
    if (result.n_ranges == 0)
        return status_fail(STATUS_INVALID, "no value ranges in '%s', expected exponents such as \"1-7 8-13 14-17\"",
                           text);
    *encoding = result;
    return STATUS_OK;
}

enum status encoding_parse(struct encoding *encoding, const struct grid *grid, const char *text)
{
    if (strncmp(text, "plain ", 6) != 0)
        return encoding_split(encoding, grid, text);
    int64_t n_values;
    if (!parse_integer(text + 6, &n_values) || n_values < 2 || n_values > ENCODING_VALUES)
        return status_fail(STATUS_INVALID, "encoding '%s': expected \"plain 2\" to \"plain %d\"", text,
                           ENCODING_VALUES);
    return encoding_plain(encoding, (unsigned)n_values);
}

bool encoding_is_plain(const struct encoding *encoding)
{
    const struct value_range *range = &encoding->ranges[0];
    return encoding->n_ranges == 1 && range->first == 1 && range->n_digits == range->last + 1;
}

char *encoding_text(const struct encoding *encoding, char *out)
{
    if (encoding_is_plain(encoding)) {
        sprintf(out, "plain %d", encoding->ranges[0].n_digits);
        return out;
    }
    char *to = out;
    *to = '\0';
    for (unsigned i = 0; i < encoding->n_ranges; i++)
        to += sprintf(to, i ? " %d-%d" : "%d-%d", encoding->ranges[i].first, encoding->ranges[i].last);
    return out;
}
