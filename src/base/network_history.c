/* network_history: how a network, of whichever kind, was made, as the header of its file says. */
#include "base/network_history.h"

#include "base/json_read.h"
#include "base/memory.h"
#include "base/parse.h"
#include "base/plain_text.h"

#include <cjson/cJSON.h>
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NOTE_BYTES = 512 };

void network_history_free(struct network_history *history)
{
    free(history->program);
    free(history->recipe);
    free(history->measured);
    free(history->notes);
    *history = (struct network_history){0};
}

enum status network_history_note(struct network_history *history, const char *format, ...)
{
    char line[NOTE_BYTES];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    size_t before = history->notes ? strlen(history->notes) : 0;
    char *notes = memory_resize(history->notes, before + strlen(line) + 2, 1);
    if (!notes)
        return STATUS_NO_MEMORY;
    sprintf(notes + before, "%s\n", line);
    history->notes = notes;
    return STATUS_OK;
}

enum status network_history_check(const struct network_history *history)
{
    if (!isfinite(history->score) || !isfinite(history->score_ci95))
        return status_fail(STATUS_INVALID, "score %g +- %g: expected finite numbers", history->score,
                           history->score_ci95);
    return STATUS_OK;
}

void network_history_write(struct json *json, const struct network_history *history)
{
    char seed[24];
    snprintf(seed, sizeof seed, "%" PRIu64, history->seed);
    json_open_object(json, "history");
    json_add_text(json, "program", history->program);
    json_add_unsigned(json, "actions", history->actions);
    json_add_unsigned(json, "plays", history->plays);
    json_add_text(json, "seed", seed);
    json_add_text(json, "measured", history->measured);
    if (history->measured) {
        json_add_real(json, "score", history->score);
        json_add_real(json, "ci95", history->score_ci95);
    }
    json_add_text(json, "recipe", history->recipe);
    json_add_text(json, "notes", history->notes);
    json_close(json);
}

static enum status read_text(const cJSON *object, const char *name, char **out)
{
    const char *text = json_find_text(object, name);
    if (text && !(*out = memory_copy_text(text)))
        return STATUS_NO_MEMORY;
    if (text)
        plain_text_hide_controls(*out, "\n\t");
    return STATUS_OK;
}

enum status network_history_read(const cJSON *header, struct network_history *history)
{
    const cJSON *object = cJSON_GetObjectItemCaseSensitive(header, "history");
    if (!cJSON_IsObject(object))
        return json_wrong("history", "an object");
    const char *seed = json_find_text(object, "seed");
    if (!seed || !parse_unsigned(seed, &history->seed))
        return json_wrong("seed", "a text of digits");
    enum status status = json_read_count(object, "actions", JSON_MAX_COUNT, &history->actions);
    if (status)
        return status;
    status = json_read_count(object, "plays", JSON_MAX_COUNT, &history->plays);
    if (status)
        return status;
    status = read_text(object, "program", &history->program);
    if (status)
        return status;
    status = read_text(object, "recipe", &history->recipe);
    if (status)
        return status;
    status = read_text(object, "measured", &history->measured);
    if (status)
        return status;
    status = read_text(object, "notes", &history->notes);
    if (status)
        return status;
    if (history->measured) {
        const cJSON *score = cJSON_GetObjectItemCaseSensitive(object, "score");
        const cJSON *ci95 = cJSON_GetObjectItemCaseSensitive(object, "ci95");
        if (!cJSON_IsNumber(score) || !cJSON_IsNumber(ci95))
            return json_wrong("score", "a number with its ci95");
        history->score = score->valuedouble;
        history->score_ci95 = ci95->valuedouble;
    }
    return STATUS_OK;
}
