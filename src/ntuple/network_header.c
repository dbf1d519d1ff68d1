#include "ntuple/network_header.h"

#include "base/json.h"
#include "base/memory.h"
#include "base/parse.h"

#include <cjson/cJSON.h>
#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FORMAT_NAME "afterstate n-tuple network"

enum { NOTE_BYTES = 512 };

/* Numbers of a header are whole and below 2^53, so that JSON readers of every language keep them; a seed is a text. */
#define MAX_COUNT 0x1p53

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

/* ---- writing ------------------------------------------------------------------------------------------------------
 */

static void write_history(struct json *json, const struct network_history *history)
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

enum status network_header_write(const struct network_info *info, const struct network_history *history, char **text)
{
    const struct network_spec *spec = &info->spec;
    char line[256];
    *text = NULL;
    if (!isfinite(spec->initial) || !isfinite(history->score) || !isfinite(history->score_ci95))
        return status_fail(STATUS_INVALID, "initial weight %g, score %g +- %g: expected finite numbers",
                           (double)spec->initial, history->score, history->score_ci95);
    struct json json;
    json_begin(&json);
    json_add_text(&json, "format", FORMAT_NAME);
    json_add_unsigned(&json, "rows", spec->rows);
    json_add_unsigned(&json, "cols", spec->cols);
    json_open_array(&json, "tuples");
    for (unsigned i = 0; i < spec->shape.n_tuples; i++)
        json_add_text(&json, NULL, tuple_list(&spec->shape.tuples[i], line));
    json_close(&json);
    json_add_text(&json, "encoding", encoding_text(&spec->encoding, line));
    json_add_text(&json, "stages", stages_text(&spec->stages, line));
    json_add_flag(&json, "promote", spec->promote);
    json_add_real(&json, "initial", (double)spec->initial);
    json_add_text(&json, "precision", network_precision_name(info->precision));
    json_add_unsigned(&json, "weights", info->n_weights);
    json_open_array(&json, "touched");
    for (unsigned i = 0; i < spec->stages.n_stages; i++)
        json_add_unsigned(&json, NULL, info->touched[i]);
    json_close(&json);
    write_history(&json, history);
    return json_print(&json, text);
}

/* ---- reading ------------------------------------------------------------------------------------------------------
 */

static enum status wrong(const char *name, const char *expected)
{
    return status_fail(STATUS_CORRUPT, "header: '%s' is missing or not %s", name, expected);
}

static enum status read_count(const cJSON *object, const char *name, double max, uint64_t *out)
{
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, name);
    double number = cJSON_IsNumber(item) ? item->valuedouble : -1;
    if (!(number >= 0 && number <= max && number == floor(number)))
        return wrong(name, "a whole number in its range");
    *out = (uint64_t)number;
    return STATUS_OK;
}

static const char *find_text(const cJSON *object, const char *name)
{
    return cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(object, name)); /* NULL where there is none */
}

static enum status read_tuples(const cJSON *header, const struct grid *grid, struct shape *shape)
{
    const cJSON *tuples = cJSON_GetObjectItemCaseSensitive(header, "tuples"), *item;
    if (!cJSON_IsArray(tuples))
        return wrong("tuples", "a list");
    cJSON_ArrayForEach(item, tuples)
    {
        const char *text = cJSON_GetStringValue(item);
        enum status status = text ? shape_add_tuple(shape, grid, text) : wrong("tuples", "a list of texts");
        if (status)
            return status;
    }
    return STATUS_OK;
}

static enum status read_parts(const cJSON *header, const struct grid *grid, struct network_spec *spec)
{
    enum status status = read_tuples(header, grid, &spec->shape);
    const char *encoding = find_text(header, "encoding"), *stages = find_text(header, "stages");
    if (!status)
        status = encoding ? encoding_parse(&spec->encoding, grid, encoding) : wrong("encoding", "a text");
    if (!status)
        status = stages ? stages_parse(&spec->stages, stages) : wrong("stages", "a text");
    const cJSON *promote = cJSON_GetObjectItemCaseSensitive(header, "promote");
    const cJSON *initial = cJSON_GetObjectItemCaseSensitive(header, "initial");
    if (!status && !cJSON_IsBool(promote))
        status = wrong("promote", "true or false");
    if (!status && !(cJSON_IsNumber(initial) && fabs(initial->valuedouble) <= (double)FLT_MAX))
        status = wrong("initial", "a number");
    if (status)
        return status;
    spec->promote = cJSON_IsTrue(promote);
    spec->initial = (float)initial->valuedouble;
    return STATUS_OK;
}

static enum status read_spec(const cJSON *header, struct network_spec *spec)
{
    uint64_t rows = 0, cols = 0; /* for gcc, which cannot see that a failure leaves first */
    enum status status = read_count(header, "rows", BOARD_MAX_SIDE, &rows);
    if (!status)
        status = read_count(header, "cols", BOARD_MAX_SIDE, &cols);
    if (status)
        return status;
    struct grid grid;
    status = grid_create(&grid, (unsigned)rows, (unsigned)cols);
    if (status)
        return status;
    spec->rows = grid.rows;
    spec->cols = grid.cols;
    status = read_parts(header, &grid, spec);
    grid_free(&grid);
    return status;
}

static enum status read_precision(const cJSON *header, enum network_precision *precision)
{
    const char *name = find_text(header, "precision");
    for (int i = 0; name && i < NETWORK_PRECISIONS; i++)
        if (strcmp(name, network_precision_name((enum network_precision)i)) == 0) {
            *precision = (enum network_precision)i;
            return STATUS_OK;
        }
    return wrong("precision", "\"float32\", \"16bit\" or \"steps\"");
}

static enum status read_touched(const cJSON *header, struct network_info *info)
{
    const cJSON *touched = cJSON_GetObjectItemCaseSensitive(header, "touched"), *item;
    uint64_t n_stage_weights = info->n_weights / info->spec.stages.n_stages;
    unsigned stage = 0;
    if (cJSON_GetArraySize(touched) != info->spec.stages.n_stages)
        return wrong("touched", "a list with a number for each stage");
    cJSON_ArrayForEach(item, touched)
    {
        if (!cJSON_IsNumber(item) || !(item->valuedouble >= 0 && item->valuedouble <= (double)n_stage_weights))
            return wrong("touched", "numbers of weights");
        info->touched[stage++] = (uint64_t)item->valuedouble;
    }
    return STATUS_OK;
}

static enum status read_text(const cJSON *object, const char *name, char **out)
{
    const char *text = find_text(object, name);
    if (text && !(*out = memory_copy_text(text)))
        return STATUS_NO_MEMORY;
    return STATUS_OK;
}

static enum status read_history(const cJSON *header, struct network_history *history)
{
    const cJSON *object = cJSON_GetObjectItemCaseSensitive(header, "history");
    if (!cJSON_IsObject(object))
        return wrong("history", "an object");
    const char *seed = find_text(object, "seed");
    if (!seed || !parse_unsigned(seed, &history->seed))
        return wrong("seed", "a text of digits");
    enum status status = read_count(object, "actions", MAX_COUNT, &history->actions);
    if (!status)
        status = read_count(object, "plays", MAX_COUNT, &history->plays);
    if (!status)
        status = read_text(object, "program", &history->program);
    if (!status)
        status = read_text(object, "recipe", &history->recipe);
    if (!status)
        status = read_text(object, "measured", &history->measured);
    if (!status)
        status = read_text(object, "notes", &history->notes);
    if (!status && history->measured) {
        const cJSON *score = cJSON_GetObjectItemCaseSensitive(object, "score");
        const cJSON *ci95 = cJSON_GetObjectItemCaseSensitive(object, "ci95");
        if (!cJSON_IsNumber(score) || !cJSON_IsNumber(ci95))
            return wrong("score", "a number with its ci95");
        history->score = score->valuedouble;
        history->score_ci95 = ci95->valuedouble;
    }
    return status;
}

static enum status read_header(const cJSON *header, struct network_info *info, struct network_history *history)
{
    const char *format = find_text(header, "format");
    if (!format || strcmp(format, FORMAT_NAME) != 0)
        return wrong("format", "\"" FORMAT_NAME "\"");
    uint64_t n_weights = 0, bytes;
    enum status status = read_spec(header, &info->spec);
    if (!status)
        status = read_precision(header, &info->precision);
    if (!status)
        status = network_measure(&info->spec, &info->n_weights, &bytes);
    if (!status)
        status = read_count(header, "weights", MAX_COUNT, &n_weights);
    if (!status && n_weights != info->n_weights)
        status =
            status_fail(STATUS_CORRUPT, "header: %" PRIu64 " weights, but tuples, encoding and stages make %" PRIu64,
                        n_weights, info->n_weights);
    if (!status)
        status = read_touched(header, info);
    return status || !history ? status : read_history(header, history);
}

enum status network_header_read(const char *text, size_t bytes, struct network_info *info,
                                struct network_history *history)
{
    *info = (struct network_info){0};
    if (history)
        *history = (struct network_history){0};
    cJSON *header = cJSON_ParseWithLength(text, bytes);
    if (!cJSON_IsObject(header)) {
        cJSON_Delete(header);
        return status_fail(STATUS_CORRUPT, "the header is not a JSON object");
    }
    enum status status = read_header(header, info, history);
    cJSON_Delete(header);
    if (status && history)
        network_history_free(history);
    return status;
}
