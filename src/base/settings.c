/* settings: converts, compares and lists settings that are declared once, as rows of a table. */
#include "base/settings.h"

#include "base/parse.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

enum { LIST_BYTES = 160 };

/* A text as a value. Which member counts follows from the kind; flags and choices are integers. */
struct value {
    int64_t integer;
    double real;
};

/* What each kind is called, and what a value of it looks like. */
static const struct {
    const char *type, *form;
} kinds[] = {
    [SETTING_FLAG] = {"flag", "yes or no"},
    [SETTING_UNSIGNED] = {"whole number", "a whole number such as 42, 1_000_000 or 1e10"},
    [SETTING_SIGNED] = {"whole number", "a whole number such as 42, 1_000_000 or 1e10"},
    [SETTING_REAL] = {"number", "a number such as 0.5 or 1e-3"},
    [SETTING_DURATION] = {"duration", "a duration such as 90s, 30m or 5h"},
    [SETTING_POWER] = {"whole number", "a power of two such as 8192"},
    [SETTING_TEXT] = {"text", "a text"},
    [SETTING_CHARS] = {"text", "a shorter text"},
    [SETTING_LIST] = {"text", "a text"},
};

const char *setting_type_name(const struct setting *row)
{
    return row->choices ? "text" : kinds[row->field.kind].type;
}

static bool find_choice(const struct setting *row, const char *text, int64_t *index)
{
    for (*index = 0; row->choices[*index]; ++*index)
        if (strcmp(row->choices[*index], text) == 0)
            return true;
    return false;
}

static bool in_range(const struct setting *row, double number)
{
    return !setting_has_limits(row) || (number >= row->minimum && number <= row->maximum);
}

static bool take_integer(const struct setting *row, const char *text, int64_t *integer)
{
    if (!parse_integer(text, integer) || !in_range(row, (double)*integer))
        return false;
    if (row->field.kind == SETTING_POWER)
        return *integer > 0 && (*integer & (*integer - 1)) == 0;
    if (row->field.kind == SETTING_UNSIGNED)
        return *integer >= 0 && (row->field.bytes == sizeof *integer || *integer >> 8 * row->field.bytes == 0);
    return row->field.bytes == sizeof *integer || *integer == (int)*integer;
}

/* The value of a text, if it is one of the row. */
static bool take_value(const struct setting *row, const char *text, struct value *value)
{
    bool flag = false;
    *value = (struct value){0};
    if (row->choices)
        return find_choice(row, text, &value->integer);
    switch (row->field.kind) {
    case SETTING_FLAG:
        if (!parse_flag(text, &flag))
            return false;
        value->integer = flag;
        return true;
    case SETTING_UNSIGNED:
    case SETTING_SIGNED:
    case SETTING_POWER:
        return take_integer(row, text, &value->integer);
    case SETTING_REAL:
        return parse_real(text, &value->real) && in_range(row, value->real);
    case SETTING_DURATION:
        return parse_duration(text, &value->real) && in_range(row, value->real);
    case SETTING_CHARS:
        return strlen(text) < row->field.bytes;
    case SETTING_TEXT:
    case SETTING_LIST:
        break;
    }
    return true;
}

/* "td, tc or autostep" */
static void list_choices(const struct setting *row, char list[LIST_BYTES])
{
    size_t used = 0;
    for (size_t i = 0; row->choices[i] && used < LIST_BYTES; i++)
        used += (size_t)snprintf(list + used, LIST_BYTES - used, "%s%s",
                                 i == 0                ? ""
                                 : row->choices[i + 1] ? ", "
                                                       : " or ",
                                 row->choices[i]);
}

enum status setting_check(const struct setting *row, const char *text, const char *origin)
{
    struct value value;
    char range[LIST_BYTES] = "";
    if (take_value(row, text, &value))
        return STATUS_OK;
    if (row->choices)
        list_choices(row, range);
    else if (setting_has_limits(row))
        snprintf(range, sizeof range, " from %.15g to %.15g", row->minimum, row->maximum);
    return status_fail(STATUS_INVALID, "%s: %s.%s = '%s': expected %s%s", origin, row->section, row->name, text,
                       row->choices ? "" : kinds[row->field.kind].form, range);
}

static int64_t load_integer(const struct setting *row, const void *field)
{
    switch (row->field.bytes) {
    case 1:
        return *(const uint8_t *)field;
    case 4:
        return row->field.kind == SETTING_SIGNED ? *(const int *)field : (int64_t) * (const unsigned *)field;
    default:
        return *(const int64_t *)field;
    }
}

static void store_integer(const struct setting *row, void *field, int64_t integer)
{
    switch (row->field.bytes) {
    case 1:
        *(uint8_t *)field = (uint8_t)integer;
        break;
    case 4:
        *(unsigned *)field = (unsigned)integer;
        break;
    default:
        *(int64_t *)field = integer;
    }
}

void setting_store(const struct setting *row, const char *text, void *settings)
{
    void *field = (char *)settings + row->field.offset;
    struct value value;
    bool good = take_value(row, text, &value);
    assert(good);
    (void)good;
    switch (row->field.kind) {
    case SETTING_REAL:
    case SETTING_DURATION:
        if (row->field.bytes == sizeof(float))
            *(float *)field = (float)value.real;
        else
            *(double *)field = value.real;
        break;
    case SETTING_POWER:
        *(uint8_t *)field = (uint8_t)__builtin_ctzll((unsigned long long)value.integer);
        break;
    case SETTING_TEXT:
        *(const char **)field = text;
        break;
    case SETTING_CHARS:
        snprintf(field, row->field.bytes, "%s", text);
        break;
    case SETTING_LIST:
        assert(!"a list has no single value");
        break;
    default:
        store_integer(row, field, value.integer);
    }
}

const char *setting_format(const struct setting *row, const void *settings, char out[SETTING_TEXT_BYTES])
{
    const void *field = (const char *)settings + row->field.offset;
    const char *text = "";
    if (row->choices)
        text = row->choices[load_integer(row, field)];
    else if (row->field.kind == SETTING_FLAG)
        text = *(const bool *)field ? "yes" : "no";
    else if (row->field.kind == SETTING_TEXT)
        text = *(const char *const *)field;
    else if (row->field.kind == SETTING_CHARS)
        text = field;
    snprintf(out, SETTING_TEXT_BYTES, "%s", text);
    if (row->choices || row->field.kind == SETTING_FLAG || row->field.kind >= SETTING_TEXT)
        return out;
    if (row->field.kind == SETTING_POWER)
        snprintf(out, SETTING_TEXT_BYTES, "%llu", 1ull << load_integer(row, field));
    else if (row->field.kind != SETTING_REAL && row->field.kind != SETTING_DURATION)
        snprintf(out, SETTING_TEXT_BYTES, "%lld", (long long)load_integer(row, field));
    else if (row->field.bytes == sizeof(float))
        snprintf(out, SETTING_TEXT_BYTES, "%.9g", (double)*(const float *)field);
    else
        snprintf(out, SETTING_TEXT_BYTES, "%.17g", *(const double *)field);
    return out;
}

bool setting_same(const struct setting *row, const char *a, const char *b)
{
    struct value x, y;
    if (row->field.kind >= SETTING_TEXT)
        return strcmp(a, b) == 0;
    return take_value(row, a, &x) && take_value(row, b, &y) && x.integer == y.integer && x.real == y.real;
}
