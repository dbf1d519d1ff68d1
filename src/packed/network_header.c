/* network_header: the header of a network file, one JSON text with the spec and the history of the network. */
#include "packed/network_header.h"

#include "base/json_read.h"

#include <cjson/cJSON.h>
#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

#define FORMAT_NAME "afterstate n-tuple network"

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
    if (spec->unseen_mean)
        json_add_text(&json, "unseen", "mean");
    json_add_text(&json, "precision", network_precision_name(info->precision));
    json_add_unsigned(&json, "weights", info->n_weights);
    json_open_array(&json, "touched");
    for (unsigned i = 0; i < spec->stages.n_stages; i++)
        json_add_unsigned(&json, NULL, info->touched[i]);
    json_close(&json);
    network_history_write(&json, history);
    return json_print(&json, text);
}

static enum status read_tuples(const cJSON *header, const struct grid *grid, struct shape *shape)
{
    const cJSON *tuples = cJSON_GetObjectItemCaseSensitive(header, "tuples"), *item;
    if (!cJSON_IsArray(tuples))
        return json_wrong("tuples", "a list");
    cJSON_ArrayForEach(item, tuples)
    {
        const char *text = cJSON_GetStringValue(item);
        enum status status = text ? shape_add_tuple(shape, grid, text) : json_wrong("tuples", "a list of texts");
        if (status)
            return status;
    }
    return STATUS_OK;
}

static enum status read_parts(const cJSON *header, const struct grid *grid, struct network_spec *spec)
{
    const char *encoding = json_find_text(header, "encoding"), *stages = json_find_text(header, "stages");
    const cJSON *promote = cJSON_GetObjectItemCaseSensitive(header, "promote");
    const cJSON *initial = cJSON_GetObjectItemCaseSensitive(header, "initial");
    enum status status = read_tuples(header, grid, &spec->shape);
    if (status)
        return status;
    status = encoding ? encoding_parse(&spec->encoding, grid, encoding) : json_wrong("encoding", "a text");
    if (status)
        return status;
    status = stages ? stages_parse(&spec->stages, stages) : json_wrong("stages", "a text");
    if (status)
        return status;
    if (!cJSON_IsBool(promote))
        return json_wrong("promote", "true or false");
    if (!(cJSON_IsNumber(initial) && fabs(initial->valuedouble) <= (double)FLT_MAX))
        return json_wrong("initial", "a number");
    spec->promote = cJSON_IsTrue(promote);
    spec->initial = (float)initial->valuedouble;
    const char *unseen = json_find_text(header, "unseen");
    spec->unseen_mean = unseen && strcmp(unseen, "mean") == 0;
    if (unseen && (!spec->unseen_mean || spec->initial != 0))
        return json_wrong("unseen", "\"mean\", with 0 as \"initial\", or nothing");
    return STATUS_OK;
}

static enum status read_spec(const cJSON *header, struct network_spec *spec)
{
    uint64_t rows = 0, cols = 0; /* gcc cannot see that they are set unless the function returns */
    enum status status = json_read_count(header, "rows", BOARD_MAX_SIDE, &rows);
    if (!status)
        status = json_read_count(header, "cols", BOARD_MAX_SIDE, &cols);
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
    const char *name = json_find_text(header, "precision");
    for (int i = 0; name && i < NETWORK_PRECISIONS; i++)
        if (strcmp(name, network_precision_name((enum network_precision)i)) == 0) {
            *precision = (enum network_precision)i;
            return STATUS_OK;
        }
    return json_wrong("precision", "\"float32\", \"16bit\" or \"steps\"");
}

static enum status read_touched(const cJSON *header, struct network_info *info)
{
    const cJSON *touched = cJSON_GetObjectItemCaseSensitive(header, "touched"), *item;
    uint64_t n_stage_weights = info->n_weights / info->spec.stages.n_stages;
    unsigned stage = 0;
    if (cJSON_GetArraySize(touched) != info->spec.stages.n_stages)
        return json_wrong("touched", "a list with a number for each stage");
    cJSON_ArrayForEach(item, touched)
    {
        if (!cJSON_IsNumber(item) || !(item->valuedouble >= 0 && item->valuedouble <= (double)n_stage_weights))
            return json_wrong("touched", "numbers of weights");
        info->touched[stage++] = (uint64_t)item->valuedouble;
    }
    return STATUS_OK;
}

static enum status read_header(const cJSON *header, struct network_info *info, struct network_history *history)
{
    const char *format = json_find_text(header, "format");
    if (!format || strcmp(format, FORMAT_NAME) != 0)
        return json_wrong("format", "\"" FORMAT_NAME "\"");
    uint64_t n_weights = 0, bytes;
    enum status status = read_spec(header, &info->spec);
    if (status)
        return status;
    status = read_precision(header, &info->precision);
    if (status)
        return status;
    status = network_measure(&info->spec, &info->n_weights, &bytes);
    if (status)
        return status;
    status = json_read_count(header, "weights", JSON_MAX_COUNT, &n_weights);
    if (status)
        return status;
    if (n_weights != info->n_weights)
        return status_fail(STATUS_CORRUPT, "header: %" PRIu64 " weights, but tuples, encoding and stages make %" PRIu64,
                           n_weights, info->n_weights);
    status = read_touched(header, info);
    return status || !history ? status : network_history_read(header, history);
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
