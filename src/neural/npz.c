/*
 * The parts of a zip archive that are used here (APPNOTE 6.3, little-endian throughout):
 *
 *   local header, name, extra, data      once for each member
 *   central header, name, extra, comment once for each member, with the place of its local header
 *   end record                           number of members, place and size of the central directory
 *
 * A reader starts at the end record and relies on the central directory. Of a local header it uses only the length,
 * since writers that do not know sizes beforehand leave them out there (NumPy gives 64-bit ones in an extra field).
 * Deflate expands at most 1032 times, and members may not overlap, so the memory that a file can demand is bounded by
 * its size.
 */
#include "neural/npz.h"

#include "base/bytes.h"
#include "base/file.h"
#include "base/memory.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

enum {
    LOCAL_BYTES = 30,
    CENTRAL_BYTES = 46,
    END_BYTES = 22,
    MAX_COMMENT = 65535,
    VERSION = 20,     /* of zip that a reader needs: 2.0 */
    DATE_1980 = 0x21, /* 1980-01-01 */
    MAX_EXPANSION = 1032,
    METHOD_STORED = 0,
    METHOD_DEFLATED = 8,
    FLAG_ENCRYPTED = 1,
};

static const uint8_t local_magic[4] = {'P', 'K', 3, 4};
static const uint8_t central_magic[4] = {'P', 'K', 1, 2};
static const uint8_t end_magic[4] = {'P', 'K', 5, 6};
static const char suffix[] = ".npy";

static uint32_t load_u16(const uint8_t *from)
{
    return from[0] | (uint32_t)from[1] << 8;
}

static void store_u16(uint8_t *to, uint32_t value)
{
    to[0] = (uint8_t)value;
    to[1] = (uint8_t)(value >> 8);
}

static uint32_t crc_of(uint32_t crc, const void *data, size_t bytes)
{
    return (uint32_t)crc32_z(crc, data, bytes);
}

/* An archive that is being read. */
struct archive {
    const uint8_t *data;
    size_t bytes;
    const char *name;
    size_t n_members, directory; /* place of the central directory */
    size_t directory_end;
    uint64_t n_unread; /* bytes that members may still claim */
};

/* An entry of the central directory. */
struct entry {
    const uint8_t *name;
    size_t name_bytes;
    uint32_t flags, method, crc;
    size_t stored_bytes, raw_bytes, local;
};

static enum status find_directory(struct archive *archive)
{
    const uint8_t *data = archive->data;
    size_t bytes = archive->bytes, at = bytes < END_BYTES ? 0 : bytes - END_BYTES;
    size_t last = at > MAX_COMMENT ? at - MAX_COMMENT : 0;
    if (bytes < END_BYTES)
        return status_fail(STATUS_CORRUPT, "%s: no .npz file: %zu bytes are too few for a zip archive", archive->name,
                           bytes);
    while (memcmp(data + at, end_magic, sizeof end_magic) != 0 || load_u16(data + at + 20) != bytes - END_BYTES - at) {
        if (at == last)
            return status_fail(STATUS_CORRUPT, "%s: no .npz file, or cut off: a zip archive's end record is missing",
                               archive->name);
        at--;
    }
    size_t size = bytes_load_u32(data + at + 12);
    archive->n_members = load_u16(data + at + 10);
    archive->directory = bytes_load_u32(data + at + 16);
    archive->directory_end = at;
    if (archive->directory == UINT32_MAX || archive->n_members == UINT16_MAX)
        return status_fail(STATUS_INVALID, "%s: a zip archive beyond 4 GiB or 65534 members; expected a smaller one",
                           archive->name);
    if (archive->directory > at || size > at - archive->directory)
        return status_fail(STATUS_CORRUPT, "%s: the zip archive's directory is not within it", archive->name);
    archive->directory_end = archive->directory + size;
    archive->n_unread = bytes;
    return STATUS_OK;
}

/* Reads the entry of the directory at *at, and moves *at past it. */
static enum status next_entry(struct archive *archive, size_t *at, struct entry *entry)
{
    const uint8_t *header = archive->data + *at;
    size_t left = archive->directory_end - *at;
    if (left < CENTRAL_BYTES || memcmp(header, central_magic, sizeof central_magic) != 0)
        return status_fail(STATUS_CORRUPT, "%s: byte %zu: the zip archive's directory is damaged", archive->name, *at);
    *entry = (struct entry){.name = header + CENTRAL_BYTES,
                            .name_bytes = load_u16(header + 28),
                            .flags = load_u16(header + 8),
                            .method = load_u16(header + 10),
                            .crc = bytes_load_u32(header + 16),
                            .stored_bytes = bytes_load_u32(header + 20),
                            .raw_bytes = bytes_load_u32(header + 24),
                            .local = bytes_load_u32(header + 42)};
    size_t whole = CENTRAL_BYTES + entry->name_bytes + load_u16(header + 30) + load_u16(header + 32);
    if (whole > left)
        return status_fail(STATUS_CORRUPT, "%s: byte %zu: the zip archive's directory is damaged", archive->name, *at);
    *at += whole;
    return STATUS_OK;
}

static enum status read_name(const struct archive *archive, const struct entry *entry, char out[NPZ_NAME_BYTES])
{
    size_t length = sizeof suffix - 1;
    if (entry->name_bytes <= length || entry->name_bytes - length >= NPZ_NAME_BYTES ||
        memcmp(entry->name + entry->name_bytes - length, suffix, length) != 0 ||
        memchr(entry->name, 0, entry->name_bytes))
        return status_fail(STATUS_INVALID, "%s: a member '%.*s'; expected names of at most %d characters and %s",
                           archive->name, (int)(entry->name_bytes < 200 ? entry->name_bytes : 200), entry->name,
                           NPZ_NAME_BYTES - 1, suffix);
    memcpy(out, entry->name, entry->name_bytes - length);
    out[entry->name_bytes - length] = 0;
    return STATUS_OK;
}

/* Finds the bytes of a member, and checks that they are within the archive. */
static enum status find_data(struct archive *archive, const struct entry *entry, const char *name, const uint8_t **data)
{
    if (entry->flags & FLAG_ENCRYPTED)
        return status_fail(STATUS_INVALID, "%s: %s is encrypted", archive->name, name);
    if (entry->method != METHOD_STORED && entry->method != METHOD_DEFLATED)
        return status_fail(STATUS_INVALID, "%s: %s is compressed by method %u; expected 0 (stored) or 8 (deflated)",
                           archive->name, name, entry->method);
    if (entry->local == UINT32_MAX || entry->stored_bytes == UINT32_MAX || entry->raw_bytes == UINT32_MAX)
        return status_fail(STATUS_INVALID, "%s: %s is beyond 4 GiB", archive->name, name);
    if (archive->bytes < LOCAL_BYTES || entry->local > archive->bytes - LOCAL_BYTES ||
        memcmp(archive->data + entry->local, local_magic, sizeof local_magic) != 0)
        return status_fail(STATUS_CORRUPT, "%s: %s is not where the zip archive's directory says", archive->name, name);
    const uint8_t *local = archive->data + entry->local;
    size_t skipped = LOCAL_BYTES + load_u16(local + 26) + load_u16(local + 28);
    size_t left = archive->bytes - entry->local;
    if (skipped > left || entry->stored_bytes > left - skipped || entry->stored_bytes > archive->n_unread)
        return status_fail(STATUS_CORRUPT, "%s: %s is not within the file", archive->name, name);
    bool fits = entry->method == METHOD_STORED ? entry->raw_bytes == entry->stored_bytes
                                               : entry->raw_bytes / MAX_EXPANSION <= entry->stored_bytes;
    if (!fits)
        return status_fail(STATUS_CORRUPT, "%s: %s cannot be %zu bytes, stored in %zu", archive->name, name,
                           entry->raw_bytes, entry->stored_bytes);
    archive->n_unread -= entry->stored_bytes;
    *data = local + skipped;
    return STATUS_OK;
}

/* Inflates exactly raw_bytes into `out`; sizes are below 4 GiB. */
static bool inflate_member(const struct entry *entry, const uint8_t *data, uint8_t *out)
{
    z_stream stream = {.next_in = (Bytef *)(uintptr_t)data, /* zlib does not write there */
                       .avail_in = (uInt)entry->stored_bytes,
                       .next_out = out,
                       .avail_out = (uInt)entry->raw_bytes};
    if (inflateInit2(&stream, -MAX_WBITS) != Z_OK) /* minus: bare, without zlib's own header */
        return false;
    int result = inflate(&stream, Z_FINISH);
    inflateEnd(&stream);
    return result == Z_STREAM_END && stream.avail_out == 0;
}

/* Reads the array in a member. */
static enum status read_member(struct archive *archive, const struct entry *entry, const uint8_t *data,
                               struct npz_member *member)
{
    const uint8_t *raw = data;
    uint8_t *inflated = NULL;
    enum status status = STATUS_OK;
    if (entry->method == METHOD_DEFLATED) {
        inflated = memory_allocate(entry->raw_bytes + 1, 1);
        if (!inflated)
            return STATUS_NO_MEMORY;
        if (!inflate_member(entry, data, inflated))
            status = status_fail(STATUS_CORRUPT, "the deflated bytes are damaged");
        raw = inflated;
    }
    if (!status && crc_of(0, raw, entry->raw_bytes) != entry->crc)
        status = status_fail(STATUS_CORRUPT, "the checksum (CRC-32) is wrong: damaged");
    if (status)
        status = status_context(status, "%s", member->name);
    else
        status = npy_read(&member->array, raw, entry->raw_bytes, member->name);
    free(inflated);
    return status ? status_context(status, "%s", archive->name) : STATUS_OK;
}

static enum status read_members(struct archive *archive, struct npz *out)
{
    size_t at = archive->directory;
    for (size_t i = 0; i < archive->n_members; i++) {
        struct npz_member *member = &out->members[i];
        struct entry entry = {0};
        const uint8_t *data = NULL;
        enum status status = next_entry(archive, &at, &entry);
        if (status)
            return status;
        status = read_name(archive, &entry, member->name);
        if (status)
            return status;
        if (npz_find(out, member->name))
            return status_fail(STATUS_CORRUPT, "%s: %s occurs twice", archive->name, member->name);
        status = find_data(archive, &entry, member->name, &data);
        if (status)
            return status;
        status = read_member(archive, &entry, data, member);
        if (status)
            return status;
        out->n_members++;
    }
    if (at != archive->directory_end)
        return status_fail(STATUS_CORRUPT, "%s: byte %zu: the zip archive's directory has more than its %zu members",
                           archive->name, at, archive->n_members);
    return STATUS_OK;
}

enum status npz_read_memory(struct npz *out, const uint8_t *data, size_t bytes, const char *name)
{
    struct archive archive = {.data = data, .bytes = bytes, .name = name};
    *out = (struct npz){0};
    enum status status = find_directory(&archive);
    if (status)
        return status;
    if (archive.n_members > (archive.directory_end - archive.directory) / CENTRAL_BYTES)
        return status_fail(STATUS_CORRUPT, "%s: %zu members do not fit its directory", name, archive.n_members);
    out->members = memory_allocate(archive.n_members, sizeof *out->members);
    status = out->members ? read_members(&archive, out) : STATUS_NO_MEMORY;
    if (status)
        npz_free(out);
    return status;
}

enum status npz_read(struct npz *out, const char *path)
{
    struct file_map map;
    *out = (struct npz){0};
    enum status status = file_map_open(&map, path);
    if (!status)
        status = npz_read_memory(out, map.data, map.bytes, path);
    file_map_close(&map);
    return status;
}

void npz_free(struct npz *npz)
{
    if (!npz)
        return;
    for (size_t i = 0; i < npz->n_members; i++)
        free(npz->members[i].array.data);
    free(npz->members);
    *npz = (struct npz){0};
}

const struct npy_array *npz_find(const struct npz *npz, const char *name)
{
    for (size_t i = 0; i < npz->n_members; i++)
        if (strcmp(npz->members[i].name, name) == 0)
            return &npz->members[i].array;
    return NULL;
}

/* What the two headers of a member have in common: from the version that a reader needs to the lengths. */
static void store_common(uint8_t to[26], uint32_t crc, uint32_t bytes, size_t name_bytes)
{
    memset(to, 0, 26);
    store_u16(to, VERSION);
    store_u16(to + 8, DATE_1980);
    bytes_store_u32(to + 10, crc);
    bytes_store_u32(to + 14, bytes); /* stored .. */
    bytes_store_u32(to + 18, bytes); /* .. and raw */
    store_u16(to + 22, (uint32_t)name_bytes);
}

/* The bytes of NAME.npy, to be freed; NULL without memory. */
static uint8_t *make_npy(const struct npy_array *array, size_t *bytes)
{
    uint8_t header[NPY_HEADER_BYTES];
    size_t header_bytes = npy_write_header(header, NPY_FLOAT32, array->n_dims, array->shape);
    *bytes = header_bytes + 4 * array->n_values;
    uint8_t *npy = memory_allocate(*bytes, 1);
    if (!npy)
        return NULL;
    memcpy(npy, header, header_bytes);
    for (size_t i = 0; i < array->n_values; i++) {
        uint32_t bits;
        memcpy(&bits, &array->data[i], sizeof bits);
        bytes_store_u32(npy + header_bytes + 4 * i, bits);
    }
    return npy;
}

/* Appends a member, and writes its entry of the directory, *central_bytes bytes, to `central`. */
static enum status append_member(struct file_writer *writer, const struct npz_member *member, uint8_t *central,
                                 size_t *central_bytes)
{
    uint8_t local[LOCAL_BYTES + NPZ_NAME_BYTES + sizeof suffix];
    size_t name_bytes = strlen(member->name) + sizeof suffix - 1, bytes;
    uint64_t place = file_writer_bytes(writer);
    uint8_t *npy = make_npy(&member->array, &bytes);
    if (!npy)
        return STATUS_NO_MEMORY;
    uint32_t crc = crc_of(0, npy, bytes);
    memcpy(local, local_magic, sizeof local_magic);
    store_common(local + 4, crc, (uint32_t)bytes, name_bytes);
    snprintf((char *)local + LOCAL_BYTES, name_bytes + 1, "%s%s", member->name, suffix);
    memset(central, 0, CENTRAL_BYTES);
    memcpy(central, central_magic, sizeof central_magic);
    store_u16(central + 4, VERSION);
    store_common(central + 6, crc, (uint32_t)bytes, name_bytes);
    bytes_store_u32(central + 42, (uint32_t)place);
    memcpy(central + CENTRAL_BYTES, local + LOCAL_BYTES, name_bytes);
    *central_bytes = CENTRAL_BYTES + name_bytes;
    enum status status = file_writer_append(writer, local, LOCAL_BYTES + name_bytes);
    if (!status)
        status = file_writer_append(writer, npy, bytes);
    free(npy);
    return status;
}

static enum status append_all(struct file_writer *writer, const struct npz *npz)
{
    enum { MOST = CENTRAL_BYTES + NPZ_NAME_BYTES + sizeof suffix };
    uint8_t *directory = memory_allocate(npz->n_members, MOST), end[END_BYTES] = {0};
    size_t bytes = 0, line;
    enum status status = directory ? STATUS_OK : STATUS_NO_MEMORY;
    for (size_t i = 0; i < npz->n_members && !status; i++) {
        status = append_member(writer, &npz->members[i], directory + bytes, &line);
        bytes += status ? 0 : line;
    }
    memcpy(end, end_magic, sizeof end_magic);
    store_u16(end + 8, (uint32_t)npz->n_members);
    store_u16(end + 10, (uint32_t)npz->n_members);
    bytes_store_u32(end + 12, (uint32_t)bytes);
    bytes_store_u32(end + 16, (uint32_t)file_writer_bytes(writer));
    if (!status)
        status = file_writer_append(writer, directory, bytes);
    if (!status)
        status = file_writer_append(writer, end, sizeof end);
    free(directory);
    return status;
}

enum status npz_write(const struct npz *npz, const char *path)
{
    struct file_writer *writer;
    uint64_t n_values = 0;
    for (size_t i = 0; i < npz->n_members; i++)
        n_values += npz->members[i].array.n_values;
    if (n_values >= UINT32_MAX / 8 || npz->n_members >= UINT16_MAX)
        return status_fail(STATUS_USAGE, "%s: %llu numbers in %zu arrays are too many for a .npz file", path,
                           (unsigned long long)n_values, npz->n_members);
    enum status status = file_writer_open(&writer, path);
    if (status)
        return status;
    status = append_all(writer, npz);
    if (!status)
        return file_writer_commit(writer);
    file_writer_abort(writer);
    return status;
}
