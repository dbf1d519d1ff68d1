/* neural_file: saves and loads neural networks. */
#include "neural/neural_file.h"

#include "base/file.h"
#include "base/json_read.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define MAGIC       "ASNEURAL"
#define FORMAT_NAME "afterstate neural network"

enum { VERSION = 1, KIND_HEADER = 1, KIND_WEIGHTS = 2, MAX_HEADER_BYTES = 64 << 20 };

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "weights are written as they are in memory");

bool neural_file_is(const char *path)
{
    return file_begins_with(path, MAGIC, BLOCK_MAGIC_BYTES);
}

bool neural_file_is_memory(const void *data, size_t bytes)
{
    return bytes >= BLOCK_MAGIC_BYTES && memcmp(data, MAGIC, BLOCK_MAGIC_BYTES) == 0;
}

static enum status print_header(const struct neural *neural, const struct network_history *history, char **text)
{
    const struct neural_spec *spec = &neural->spec;
    struct json json;
    enum status status = network_history_check(history);
    *text = NULL;
    if (status)
        return status;
    json_begin(&json);
    json_add_text(&json, "format", FORMAT_NAME);
    json_add_unsigned(&json, "rows", spec->rows);
    json_add_unsigned(&json, "cols", spec->cols);
    json_add_unsigned(&json, "planes", spec->planes);
    json_add_text(&json, "model", spec->model);
    json_add_text(&json, "play", neural_play_name(spec->play));
    json_add_real(&json, "scale", spec->scale);
    json_add_unsigned(&json, "weights", neural->n_weights);
    network_history_write(&json, history);
    return json_print(&json, text);
}

enum status neural_append_parameters(const struct neural *neural, const neural_real *parameters,
                                     struct block_writer *writer, uint32_t kind)
{
    enum status status = STATUS_OK;
    for (unsigned i = 0; i < neural->n_arrays && !status; i++) {
        const struct neural_array *array = &neural->arrays[i];
        const neural_real *data = parameters + (array->data - neural->parameters);
        status = block_writer_append(writer, kind, data, array->n * sizeof *data, BLOCK_RAW);
    }
    return status;
}

enum status neural_save(const struct neural *neural, const char *path, const struct network_history *history)
{
    static const struct network_history nothing;
    struct block_writer *writer;
    char *header;
    enum status status = neural_check_weights(neural);
    if (status)
        return status_context(status, "%s", path);
    status = print_header(neural, history ? history : &nothing, &header);
    if (status)
        return status_context(status, "%s", path);
    status = block_writer_open(&writer, path, MAGIC, VERSION);
    if (status)
        goto done;
    status = block_writer_append(writer, KIND_HEADER, header, strlen(header), BLOCK_RAW);
    if (!status)
        status = neural_append_parameters(neural, neural->parameters, writer, KIND_WEIGHTS);
    if (!status) {
        status = block_writer_commit(writer);
    } else {
        block_writer_abort(writer);
        status_context(status, "%s", path);
    }
done:
    free(header);
    return status;
}

static enum status read_spec(const cJSON *header, struct neural_spec *spec)
{
    uint64_t rows = 0, cols = 0, planes = 0;
    const char *format = json_find_text(header, "format");
    if (!format || strcmp(format, FORMAT_NAME) != 0)
        return json_wrong("format", "\"" FORMAT_NAME "\"");
    enum status status = json_read_count(header, "rows", BOARD_MAX_SIDE, &rows);
    if (!status)
        status = json_read_count(header, "cols", BOARD_MAX_SIDE, &cols);
    if (!status)
        status = json_read_count(header, "planes", 18, &planes);
    if (status)
        return status;
    const char *model = json_find_text(header, "model"), *play = json_find_text(header, "play");
    const cJSON *scale = cJSON_GetObjectItemCaseSensitive(header, "scale");
    if (!model || strlen(model) >= sizeof spec->model)
        return json_wrong("model", "a text");
    if (!cJSON_IsNumber(scale))
        return json_wrong("scale", "a number");
    *spec = (struct neural_spec){.rows = (uint8_t)rows, .cols = (uint8_t)cols, .planes = (uint8_t)planes};
    spec->scale = scale->valuedouble;
    strcpy(spec->model, model);
    for (unsigned i = 0; i < NEURAL_PLAYS; i++) {
        spec->play = (enum neural_play)i;
        if (play && strcmp(play, neural_play_name(spec->play)) == 0)
            return STATUS_OK;
    }
    return json_wrong("play", "simple, ave, max or min");
}

static enum status parse_header(const cJSON *header, struct neural_spec *spec, uint64_t *n_weights,
                                struct network_history *history)
{
    uint64_t written = 0;
    enum status status = read_spec(header, spec);
    if (status)
        return status;
    status = neural_measure(spec, n_weights);
    if (status)
        return status;
    status = json_read_count(header, "weights", JSON_MAX_COUNT, &written);
    if (status)
        return status;
    if (written != *n_weights)
        return status_fail(STATUS_CORRUPT, "header: %" PRIu64 " weights, but its model has %" PRIu64, written,
                           *n_weights);
    return history ? network_history_read(header, history) : STATUS_OK;
}

static enum status read_header(const struct block_reader *reader, struct neural_spec *spec, uint64_t *n_weights,
                               struct network_history *history)
{
    size_t block, bytes;
    const void *text;
    enum status status = block_reader_find(reader, KIND_HEADER, 0, &block);
    if (status)
        return status;
    if (block_reader_info(reader, block).raw_bytes > MAX_HEADER_BYTES)
        return status_fail(STATUS_CORRUPT, "%s: its header is far too long", block_reader_name(reader));
    status = block_reader_view(reader, block, &text, &bytes);
    if (status)
        return status;
    cJSON *header = cJSON_ParseWithLength(text, bytes);
    status = cJSON_IsObject(header) ? parse_header(header, spec, n_weights, history)
                                    : status_fail(STATUS_CORRUPT, "the header is not a JSON object");
    cJSON_Delete(header);
    if (status && history)
        network_history_free(history);
    return status ? status_context(STATUS_CORRUPT, "%s", block_reader_name(reader)) : STATUS_OK;
}

enum status neural_read_parameters(const struct neural *neural, neural_real *parameters,
                                   const struct block_reader *reader, uint32_t kind)
{
    for (unsigned i = 0; i < neural->n_arrays; i++) {
        const struct neural_array *array = &neural->arrays[i];
        neural_real *data = parameters + (array->data - neural->parameters);
        size_t block;
        enum status status = block_reader_find(reader, kind, i, &block);
        if (status)
            return status;
        if (block_reader_info(reader, block).raw_bytes != array->n * sizeof *data)
            return status_fail(STATUS_CORRUPT, "%s: block %zu has %" PRIu64 " bytes for the %zu numbers of %s",
                               block_reader_name(reader), block, block_reader_info(reader, block).raw_bytes, array->n,
                               array->name);
        status = block_reader_load(reader, block, data, array->n * sizeof *data);
        if (status)
            return status;
    }
    return STATUS_OK;
}

/* Weights are stored raw, so a network that is larger than its file is refused before memory is allocated. */
static enum status check_size(const struct block_reader *reader, uint64_t n_weights)
{
    uint64_t bytes = 0;
    for (size_t i = 0; i < block_reader_count(reader); i++)
        if (block_reader_info(reader, i).kind == KIND_WEIGHTS)
            bytes += block_reader_info(reader, i).raw_bytes;
    if (bytes != n_weights * sizeof(neural_real))
        return status_fail(STATUS_CORRUPT, "%s: %" PRIu64 " bytes of weights, its network has %" PRIu64 " weights",
                           block_reader_name(reader), bytes, n_weights);
    return STATUS_OK;
}

static enum status load_from(struct block_reader *reader, struct neural **out, struct network_history *history)
{
    struct neural_spec spec;
    uint64_t n_weights;
    struct neural *neural = NULL;
    enum status status = read_header(reader, &spec, &n_weights, history);
    if (status)
        goto fail;
    status = check_size(reader, n_weights);
    if (status)
        goto fail;
    status = neural_create(&neural, &spec);
    if (status)
        goto fail;
    status = neural_read_parameters(neural, neural->parameters, reader, KIND_WEIGHTS);
    if (status)
        goto fail;
    block_reader_close(reader);
    *out = neural;
    return STATUS_OK;
fail:
    block_reader_close(reader);
    neural_free(neural);
    if (history)
        network_history_free(history);
    return status;
}

enum status neural_load(struct neural **out, const char *path, struct network_history *history)
{
    struct block_reader *reader;
    *out = NULL;
    if (history)
        *history = (struct network_history){0};
    enum status status = block_reader_open(&reader, path, MAGIC, VERSION);
    return status ? status : load_from(reader, out, history);
}

enum status neural_load_memory(struct neural **out, const void *data, size_t bytes, const char *name,
                               struct network_history *history)
{
    struct block_reader *reader;
    *out = NULL;
    if (history)
        *history = (struct network_history){0};
    enum status status = block_reader_open_memory(&reader, data, bytes, name, MAGIC, VERSION);
    return status ? status : load_from(reader, out, history);
}

enum status neural_read_info(const char *path, struct neural_spec *spec, uint64_t *n_weights,
                             struct network_history *history, uint64_t *file_bytes)
{
    struct block_reader *reader;
    struct stat about;
    if (history)
        *history = (struct network_history){0};
    enum status status = block_reader_open(&reader, path, MAGIC, VERSION);
    if (status)
        return status;
    status = read_header(reader, spec, n_weights, history);
    block_reader_close(reader);
    if (!status && file_bytes && stat(path, &about) != 0) {
        if (history)
            network_history_free(history);
        return status_fail_errno(STATUS_IO, "%s: cannot be read", path);
    }
    if (!status && file_bytes)
        *file_bytes = (uint64_t)about.st_size;
    return status;
}
