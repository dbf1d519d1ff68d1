/* neural_file: saves and loads neural networks. */
#include "neural/neural_file.h"

#include "base/file.h"
#include "base/json_read.h"
#include "base/memory.h"
#include "neural/bf16.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define MAGIC       "ASNEURAL"
#define FORMAT_NAME "afterstate neural network"

enum { VERSION = 1, KIND_HEADER = 1, KIND_WEIGHTS = 2, KIND_HALVES = 3, MAX_HEADER_BYTES = 64 << 20 };

static const char *const storages[] = {[NEURAL_FLOATS] = "float32", [NEURAL_HALVES] = "bfloat16"};

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "weights are written as they are in memory");

bool neural_file_is(const char *path)
{
    return file_begins_with(path, MAGIC, BLOCK_MAGIC_BYTES);
}

bool neural_file_is_memory(const void *data, size_t bytes)
{
    return bytes >= BLOCK_MAGIC_BYTES && memcmp(data, MAGIC, BLOCK_MAGIC_BYTES) == 0;
}

static enum status print_header(const struct neural *neural, const struct network_history *history,
                                enum neural_storage storage, char **text)
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
    if (storage != NEURAL_FLOATS) /* else as it always was */
        json_add_text(&json, "storage", storages[storage]);
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

/* The weights in 16 bits. */
static enum status append_halves(const struct neural *neural, struct block_writer *writer)
{
    uint16_t *halves = memory_allocate(neural->n_parameters, sizeof *halves);
    enum status status = halves ? STATUS_OK : STATUS_NO_MEMORY;
    for (unsigned i = 0; i < neural->n_arrays && !status; i++) {
        const struct neural_array *array = &neural->arrays[i];
        for (size_t k = 0; k < array->n; k++) {
            halves[k] = bf16_round((float)array->data[k]);
            if (!isfinite(bf16_widen(halves[k])))
                status = status_fail(STATUS_INVALID, "weight %g of %s is too large for 16 bits", (double)array->data[k],
                                     array->name);
        }
        if (!status)
            status = block_writer_append(writer, KIND_HALVES, halves, array->n * sizeof *halves, BLOCK_RAW);
    }
    free(halves);
    return status;
}

enum status neural_save(const struct neural *neural, const char *path, const struct network_history *history)
{
    return neural_save_as(neural, path, history, NEURAL_FLOATS);
}

enum status neural_save_as(const struct neural *neural, const char *path, const struct network_history *history,
                           enum neural_storage storage)
{
    static const struct network_history nothing;
    struct block_writer *writer;
    char *header;
    enum status status = neural_check_weights(neural);
    if (status)
        return status_context(status, "%s", path);
    status = print_header(neural, history ? history : &nothing, storage, &header);
    if (status)
        return status_context(status, "%s", path);
    status = block_writer_open(&writer, path, MAGIC, VERSION);
    if (status)
        goto done;
    status = block_writer_append(writer, KIND_HEADER, header, strlen(header), BLOCK_RAW);
    if (!status)
        status = storage == NEURAL_HALVES ? append_halves(neural, writer)
                                          : neural_append_parameters(neural, neural->parameters, writer, KIND_WEIGHTS);
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
    return json_wrong("play", "simple, ave, max, min or corner");
}

static enum status read_storage(const cJSON *header, enum neural_storage *storage)
{
    *storage = NEURAL_FLOATS;
    if (!cJSON_GetObjectItemCaseSensitive(header, "storage"))
        return STATUS_OK;
    const char *text = json_find_text(header, "storage");
    for (; *storage < NEURAL_STORAGES; ++*storage)
        if (text && strcmp(text, storages[*storage]) == 0)
            return STATUS_OK;
    return json_wrong("storage", "float32 or bfloat16");
}

static enum status parse_header(const cJSON *header, struct neural_spec *spec, uint64_t *n_weights,
                                enum neural_storage *storage, struct network_history *history)
{
    uint64_t written = 0;
    enum status status = read_spec(header, spec);
    if (status)
        return status;
    status = read_storage(header, storage);
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
                               enum neural_storage *storage, struct network_history *history)
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
    status = cJSON_IsObject(header) ? parse_header(header, spec, n_weights, storage, history)
                                    : status_fail(STATUS_CORRUPT, "the header is not a JSON object");
    cJSON_Delete(header);
    if (status && history)
        network_history_free(history);
    return status ? status_context(STATUS_CORRUPT, "%s", block_reader_name(reader)) : STATUS_OK;
}

/* Reads array number i, whose numbers have number_bytes each, to `data`. */
static enum status read_array(const struct neural *neural, unsigned i, const struct block_reader *reader, uint32_t kind,
                              size_t number_bytes, void *data)
{
    const struct neural_array *array = &neural->arrays[i];
    size_t block;
    enum status status = block_reader_find(reader, kind, i, &block);
    if (status)
        return status;
    if (block_reader_info(reader, block).raw_bytes != array->n * number_bytes)
        return status_fail(STATUS_CORRUPT, "%s: block %zu has %" PRIu64 " bytes for the %zu numbers of %s",
                           block_reader_name(reader), block, block_reader_info(reader, block).raw_bytes, array->n,
                           array->name);
    return block_reader_load(reader, block, data, array->n * number_bytes);
}

enum status neural_read_parameters(const struct neural *neural, neural_real *parameters,
                                   const struct block_reader *reader, uint32_t kind)
{
    enum status status = STATUS_OK;
    for (unsigned i = 0; i < neural->n_arrays && !status; i++) {
        neural_real *data = parameters + (neural->arrays[i].data - neural->parameters);
        status = read_array(neural, i, reader, kind, sizeof *data, data);
    }
    return status;
}

/* The weights from 16 bits. */
static enum status read_halves(const struct neural *neural, const struct block_reader *reader)
{
    uint16_t *halves = memory_allocate(neural->n_parameters, sizeof *halves);
    enum status status = halves ? STATUS_OK : STATUS_NO_MEMORY;
    for (unsigned i = 0; i < neural->n_arrays && !status; i++) {
        const struct neural_array *array = &neural->arrays[i];
        status = read_array(neural, i, reader, KIND_HALVES, sizeof *halves, halves);
        for (size_t k = 0; k < array->n && !status; k++)
            array->data[k] = (neural_real)bf16_widen(halves[k]);
    }
    free(halves);
    return status;
}

/* Weights are stored raw, so a network that is larger than its file is refused before memory is allocated. */
static enum status check_size(const struct block_reader *reader, uint64_t n_weights, enum neural_storage storage)
{
    uint64_t bytes = 0, number_bytes = storage == NEURAL_HALVES ? sizeof(uint16_t) : sizeof(neural_real);
    for (size_t i = 0; i < block_reader_count(reader); i++)
        if (block_reader_info(reader, i).kind == (storage == NEURAL_HALVES ? KIND_HALVES : KIND_WEIGHTS))
            bytes += block_reader_info(reader, i).raw_bytes;
    if (bytes != n_weights * number_bytes)
        return status_fail(STATUS_CORRUPT, "%s: %" PRIu64 " bytes of weights, its network has %" PRIu64 " weights",
                           block_reader_name(reader), bytes, n_weights);
    return STATUS_OK;
}

static enum status load_from(struct block_reader *reader, struct neural **out, struct network_history *history)
{
    struct neural_spec spec;
    uint64_t n_weights;
    struct neural *neural = NULL;
    enum neural_storage storage;
    enum status status = read_header(reader, &spec, &n_weights, &storage, history);
    if (status)
        goto fail;
    status = check_size(reader, n_weights, storage);
    if (status)
        goto fail;
    status = neural_create(&neural, &spec);
    if (status)
        goto fail;
    status = storage == NEURAL_HALVES ? read_halves(neural, reader)
                                      : neural_read_parameters(neural, neural->parameters, reader, KIND_WEIGHTS);
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
    enum neural_storage storage;
    status = read_header(reader, spec, n_weights, &storage, history);
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
