/* json_read: members of a JSON header, checked one by one. */
#ifndef AFTERSTATE_BASE_JSON_READ_H
#define AFTERSTATE_BASE_JSON_READ_H

#include "base/status.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <stdint.h>

/* Numbers of a header are whole and below 2^53, so that JSON readers of every language keep them; a seed is a text. */
#define JSON_MAX_COUNT 0x1p53

static inline enum status json_wrong(const char *name, const char *expected)
{
    return status_fail(STATUS_CORRUPT, "header: '%s' is missing or not %s", name, expected);
}

/* A whole number of 0 .. max. */
static inline enum status json_read_count(const cJSON *object, const char *name, double max, uint64_t *out)
{
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, name);
    double number = cJSON_IsNumber(item) ? item->valuedouble : -1;
    if (!(number >= 0 && number <= max && number == floor(number)))
        return json_wrong(name, "a whole number in its range");
    *out = (uint64_t)number;
    return STATUS_OK;
}

/* The text of a member, NULL where there is none. */
static inline const char *json_find_text(const cJSON *object, const char *name)
{
    return cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(object, name));
}

#endif
