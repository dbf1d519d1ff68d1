/* npy: writes and reads one array in the form of NumPy's np.save(). */
#include "base/npy.h"

#include "base/bytes.h"
#include "base/memory.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

_Static_assert(sizeof(float) == 4 && sizeof(double) == 8, "the numbers of files are IEEE 754");

enum { ALIGNMENT = 64, PREFIX_1 = 10, PREFIX_2 = 12 };

static const uint8_t magic[6] = {0x93, 'N', 'U', 'M', 'P', 'Y'};

/* ---- the header's text ------------------------------------------------------------------------------------------- */

/* A place in the text of a header. */
struct cursor {
    const char *at, *end;
};

struct header {
    char type[8];
    bool fortran_order;
    bool has_type, has_order, has_shape;
};

static void skip_blanks(struct cursor *cursor)
{
    while (cursor->at < cursor->end && strchr(" \t\r\n", *cursor->at) && *cursor->at)
        cursor->at++;
}

/* Goes past `word`, and blanks before it, if it comes next. */
static bool take(struct cursor *cursor, const char *word)
{
    size_t length = strlen(word);
    skip_blanks(cursor);
    if ((size_t)(cursor->end - cursor->at) < length || memcmp(cursor->at, word, length) != 0)
        return false;
    cursor->at += length;
    return true;
}

/* A text in single or double quotes, without escapes, into out[0 .. room-1]. */
static bool take_quoted(struct cursor *cursor, char *out, size_t room)
{
    char quote = take(cursor, "'") ? '\'' : take(cursor, "\"") ? '"' : 0;
    size_t n = 0;
    if (!quote)
        return false;
    for (; cursor->at < cursor->end && *cursor->at != quote; cursor->at++) {
        if (n + 1 >= room || *cursor->at == '\\' || *cursor->at == 0)
            return false;
        out[n++] = *cursor->at;
    }
    out[n] = 0;
    return take(cursor, quote == '"' ? "\"" : "'");
}

static bool take_number(struct cursor *cursor, uint64_t *out)
{
    skip_blanks(cursor);
    const char *start = cursor->at;
    for (*out = 0; cursor->at < cursor->end && *cursor->at >= '0' && *cursor->at <= '9'; cursor->at++) {
        if (__builtin_mul_overflow(*out, 10, out) || __builtin_add_overflow(*out, (uint64_t)(*cursor->at - '0'), out))
            return false;
    }
    return cursor->at > start;
}

/* "()", "(3,)", "(3, 4)", with a comma at the end or without. */
static bool take_shape(struct cursor *cursor, struct npy_array *array)
{
    array->n_dims = 0;
    if (!take(cursor, "("))
        return false;
    while (!take(cursor, ")")) {
        if (array->n_dims == NPY_MAX_DIMS || !take_number(cursor, &array->shape[array->n_dims++]))
            return false;
        if (!take(cursor, ",")) /* the last one */
            return take(cursor, ")");
    }
    return true;
}

static bool take_entry(struct cursor *cursor, struct header *header, struct npy_array *array)
{
    char key[16];
    if (!take_quoted(cursor, key, sizeof key) || !take(cursor, ":"))
        return false;
    if (strcmp(key, "descr") == 0)
        return header->has_type = take_quoted(cursor, header->type, sizeof header->type);
    if (strcmp(key, "shape") == 0)
        return header->has_shape = take_shape(cursor, array);
    if (strcmp(key, "fortran_order") != 0)
        return false;
    header->fortran_order = take(cursor, "True");
    return header->has_order = header->fortran_order || take(cursor, "False");
}

static bool read_header(struct cursor cursor, struct header *header, struct npy_array *array)
{
    *header = (struct header){0};
    if (!take(&cursor, "{"))
        return false;
    while (!take(&cursor, "}")) {
        if (!take_entry(&cursor, header, array))
            return false;
        if (!take(&cursor, ",")) { /* the last one */
            if (!take(&cursor, "}"))
                return false;
            break;
        }
    }
    skip_blanks(&cursor);
    return cursor.at == cursor.end && header->has_type && header->has_order && header->has_shape;
}

/* ---- numbers ----------------------------------------------------------------------------------------------------- */

static float load_number(const uint8_t *from, unsigned width)
{
    if (width == 4) {
        uint32_t bits = bytes_load_u32(from);
        float value;
        memcpy(&value, &bits, sizeof value);
        return value;
    }
    uint64_t bits = bytes_load_u64(from);
    double value;
    memcpy(&value, &bits, sizeof value);
    return (float)value;
}

/* Moves the indices to the next element, the first index running fastest. */
static void next_index(const struct npy_array *array, uint64_t index[NPY_MAX_DIMS])
{
    for (unsigned d = 0; d < array->n_dims && ++index[d] == array->shape[d]; d++)
        index[d] = 0;
}

static void load_numbers(struct npy_array *array, const uint8_t *from, unsigned width, bool fortran_order)
{
    if (!fortran_order) {
        for (size_t i = 0; i < array->n_values; i++)
            array->data[i] = load_number(from + i * width, width);
        return;
    }
    uint64_t index[NPY_MAX_DIMS] = {0};
    for (size_t i = 0; i < array->n_values; i++) {
        size_t place = 0;
        for (unsigned d = 0; d < array->n_dims; d++)
            place = place * array->shape[d] + index[d];
        array->data[place] = load_number(from + i * width, width);
        next_index(array, index);
    }
}

/* The product of the shape, where it is what `bytes` hold. */
static bool count_values(struct npy_array *array, size_t bytes, unsigned width)
{
    uint64_t n = 1;
    bool is_empty = false;
    for (unsigned d = 0; d < array->n_dims; d++)
        is_empty |= array->shape[d] == 0;
    for (unsigned d = 0; d < array->n_dims && !is_empty; d++)
        if (__builtin_mul_overflow(n, array->shape[d], &n) || n > bytes)
            return false;
    array->n_values = is_empty ? 0 : n;
    return bytes % width == 0 && bytes / width == array->n_values;
}

static enum status read_array(struct npy_array *out, const uint8_t *data, size_t bytes, const char *name)
{
    if (bytes < PREFIX_2 || memcmp(data, magic, sizeof magic) != 0)
        return status_fail(STATUS_CORRUPT, "%s: no NumPy array: it does not begin with \\x93NUMPY", name);
    unsigned version = data[6];
    if (version < 1 || version > 3 || data[7] != 0)
        return status_fail(STATUS_CORRUPT, "%s: version %u.%u of NumPy's array format; expected 1.0, 2.0 or 3.0", name,
                           version, data[7]);
    size_t prefix = version == 1 ? PREFIX_1 : PREFIX_2;
    size_t header_bytes = version == 1 ? data[8] | (size_t)data[9] << 8 : bytes_load_u32(data + 8);
    if (header_bytes > bytes - prefix)
        return status_fail(STATUS_CORRUPT, "%s: cut off: a header of %zu bytes in %zu", name, header_bytes, bytes);
    const char *text = (const char *)data + prefix;
    struct header header;
    if (!read_header((struct cursor){text, text + header_bytes}, &header, out))
        return status_fail(STATUS_CORRUPT,
                           "%s: the header is not a dictionary of descr, fortran_order and a shape of at most %d sides",
                           name, NPY_MAX_DIMS);
    unsigned width = strcmp(header.type, "<f4") == 0 ? 4 : strcmp(header.type, "<f8") == 0 ? 8 : 0;
    if (!width)
        return status_fail(STATUS_INVALID, "%s: an array of '%s'; expected '<f4' (float32) or '<f8' (float64)", name,
                           header.type);
    size_t data_bytes = bytes - prefix - header_bytes;
    if (!count_values(out, data_bytes, width))
        return status_fail(STATUS_CORRUPT, "%s: %zu bytes of data are not what its shape needs", name, data_bytes);
    out->data = memory_allocate(out->n_values ? out->n_values : 1, sizeof *out->data);
    if (!out->data)
        return STATUS_NO_MEMORY;
    load_numbers(out, data + prefix + header_bytes, width, header.fortran_order);
    return STATUS_OK;
}

enum status npy_read(struct npy_array *out, const uint8_t *data, size_t bytes, const char *name)
{
    *out = (struct npy_array){0};
    enum status status = read_array(out, data, bytes, name);
    if (status)
        *out = (struct npy_array){0};
    return status;
}

size_t npy_write_header(uint8_t out[NPY_HEADER_BYTES], enum npy_type type, unsigned n_dims, const uint64_t *shape)
{
    static const char *const names[] = {[NPY_FLOAT32] = "<f4", [NPY_FLOAT64] = "<f8", [NPY_UINT8] = "|u1"};
    /* 10 of prefix, 55 of fixed text, at most 22 for each of 8 sides */
    _Static_assert(PREFIX_1 + 55 + NPY_MAX_DIMS * 22 <= NPY_HEADER_BYTES - 1, "the longest header fits");
    char *text = (char *)out + PREFIX_1;
    size_t n = (size_t)sprintf(text, "{'descr': '%s', 'fortran_order': False, 'shape': (", names[type]);
    for (unsigned d = 0; d < n_dims; d++)
        n += (size_t)sprintf(text + n, "%s%llu", d ? ", " : "", (unsigned long long)shape[d]);
    n += (size_t)sprintf(text + n, "%s), }", n_dims == 1 ? "," : "");
    size_t whole = (PREFIX_1 + n + 1 + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    memset(text + n, ' ', whole - PREFIX_1 - n - 1);
    out[whole - 1] = '\n';
    memcpy(out, magic, sizeof magic);
    out[6] = 1;
    out[7] = 0;
    out[8] = (uint8_t)(whole - PREFIX_1);
    out[9] = (uint8_t)((whole - PREFIX_1) >> 8);
    return whole;
}
