/* json: builds one JSON document, member by member, over cJSON. */
#include "base/json.h"

#include "base/memory.h"

#include <assert.h>
#include <cjson/cJSON.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NUMBER_BYTES = 40 };

void json_begin(struct json *json)
{
    *json = (struct json){0};
    json->open[0] = cJSON_CreateObject();
    json->failed = !json->open[0];
}

/* Takes `item`, NULL if it could not be made, and gives it back if it is in the document now. */
static cJSON *attach(struct json *json, const char *name, cJSON *item)
{
    if (json->failed || !item) {
        cJSON_Delete(item);
        json->failed = true;
        return NULL;
    }
    cJSON *parent = json->open[json->depth];
    assert(cJSON_IsObject(parent) == (name != NULL));
    cJSON_bool added = name ? cJSON_AddItemToObject(parent, name, item) : cJSON_AddItemToArray(parent, item);
    if (!added) {
        cJSON_Delete(item);
        json->failed = true;
        return NULL;
    }
    return item;
}

void json_add_text(struct json *json, const char *name, const char *text)
{
    attach(json, name, text ? cJSON_CreateString(text) : cJSON_CreateNull());
}

void json_add_flag(struct json *json, const char *name, bool flag)
{
    attach(json, name, cJSON_CreateBool(flag));
}

void json_add_null(struct json *json, const char *name)
{
    attach(json, name, cJSON_CreateNull());
}

void json_add_unsigned(struct json *json, const char *name, uint64_t number)
{
    char digits[NUMBER_BYTES];
    snprintf(digits, sizeof digits, "%" PRIu64, number);
    attach(json, name, cJSON_CreateRaw(digits));
}

void json_add_bits(struct json *json, const char *name, uint32_t bits)
{
    json_open_array(json, name);
    for (; bits; bits &= bits - 1)
        json_add_unsigned(json, NULL, (uint64_t)__builtin_ctz(bits));
    json_close(json);
}

void json_add_signed(struct json *json, const char *name, int64_t number)
{
    char digits[NUMBER_BYTES];
    snprintf(digits, sizeof digits, "%" PRId64, number);
    attach(json, name, cJSON_CreateRaw(digits));
}

void json_add_real(struct json *json, const char *name, double number)
{
    if (!isfinite(number)) {
        json_add_null(json, name);
        return;
    }
    /* 17 digits always suffice; cJSON itself tries only 15 and 17, which prints 5e-324 and many sums too long. */
    char digits[NUMBER_BYTES];
    bool whole = number == trunc(number) && fabs(number) < 1e15; /* 20, where the shortest digits would say 2e+01 */
    if (whole)
        snprintf(digits, sizeof digits, "%.0f", number);
    for (int precision = 1; !whole && precision <= 17; precision++) {
        snprintf(digits, sizeof digits, "%.*g", precision, number);
        if (strtod(digits, NULL) == number)
            break;
    }
    char *comma = strchr(digits, ','); /* the decimal point of some locales, set by ncurses programs */
    if (comma)
        *comma = '.';
    attach(json, name, cJSON_CreateRaw(digits));
}

static void open_item(struct json *json, const char *name, cJSON *item)
{
    if (json->depth + 1 >= JSON_MAX_DEPTH) {
        cJSON_Delete(item);
        json->failed = true;
        return;
    }
    cJSON *added = attach(json, name, item);
    if (added)
        json->open[++json->depth] = added;
}

void json_open_object(struct json *json, const char *name)
{
    open_item(json, name, cJSON_CreateObject());
}

void json_open_array(struct json *json, const char *name)
{
    open_item(json, name, cJSON_CreateArray());
}

void json_close(struct json *json)
{
    if (json->failed)
        return;
    assert(json->depth > 0);
    json->depth--;
}

static enum status print_document(struct json *json, bool indented, char **out)
{
    *out = NULL;
    assert(json->failed || json->depth == 0);
    char *text = NULL;
    if (!json->failed)
        text = indented ? cJSON_Print(json->open[0]) : cJSON_PrintUnformatted(json->open[0]);
    json_free(json);
    if (!text)
        return status_fail(STATUS_NO_MEMORY, "cannot build the JSON document: no memory, or deeper than %d",
                           JSON_MAX_DEPTH);
    /* cJSON's allocator may be hooked by the program that links us; the caller is promised memory for free(). */
    *out = memory_copy_text(text);
    cJSON_free(text);
    return *out ? STATUS_OK : STATUS_NO_MEMORY;
}

enum status json_print(struct json *json, char **out)
{
    return print_document(json, true, out);
}

enum status json_print_compact(struct json *json, char **out)
{
    return print_document(json, false, out);
}

void json_free(struct json *json)
{
    cJSON_Delete(json->open[0]);
    *json = (struct json){0};
}
