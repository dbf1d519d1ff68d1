/*
 * The file, drawn (all numbers little-endian, every block starts at a multiple of 8):
 *
 *     | magic 8 | version 4 | zero 4 | sum 8 |                                          header, 24 bytes
 *     | kind 4 | codec 4 | raw bytes 8 | stored bytes 8 | sum 8 | payload | zeros to 8 |  once for each block
 *     | END  4 | 0     4 | 16        8 | 16           8 | sum 8 | number of blocks 8 | bytes of the file 8 |
 *
 * A block's sum is XXH3-64 over the 24 bytes of its header before the sum and its stored payload, seeded with the
 * block's number, so that blocks that changed places are found as well. The end block tells apart a file that is
 * complete from one cut exactly between two blocks. Footers with an index were considered: walking the headers costs
 * one page fault a block, our files have few blocks, and an index would be a second truth to check.
 */
#include "base/blockfile.h"

#include "base/bytes.h"
#include "base/checksum.h"
#include "base/file.h"
#include "base/memory.h"

#include <assert.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zstd.h>

enum {
    HEADER_BYTES = 24,
    BLOCK_HEADER_BYTES = 32,
    SUMMED_HEADER_BYTES = 16,       /* of the file's header */
    SUMMED_BLOCK_HEADER_BYTES = 24, /* of a block's header */
    END_PAYLOAD_BYTES = 16,
    ALIGNMENT = 8,
    COMPRESSION_LEVEL = 3, /* zstd's default: a checkpoint is written while training waits, so speed comes first */
};

struct block_writer {
    struct file_writer *file;
    uint64_t n_blocks;
    int level;   /* of zstd */
    bool failed; /* a block is missing: the file must not be committed */
};

struct entry {
    struct block_info info;
    const uint8_t *header;
    const uint8_t *payload;
};

struct block_reader {
    struct file_map map; /* empty for a reader on memory */
    const uint8_t *data;
    size_t bytes;
    char *name;
    uint32_t version;
    size_t n_blocks;
    size_t capacity;
    struct entry *blocks;
};

static size_t padding_of(uint64_t stored_bytes)
{
    return (size_t)(-stored_bytes % ALIGNMENT);
}

static uint64_t block_checksum(const uint8_t *header, const void *payload, size_t stored_bytes, uint64_t number)
{
    struct checksum sum;
    checksum_begin(&sum, number);
    checksum_add(&sum, header, SUMMED_BLOCK_HEADER_BYTES);
    checksum_add(&sum, payload, stored_bytes);
    return checksum_value(&sum);
}

enum status block_writer_open(struct block_writer **out, const char *path, const char *magic, uint32_t version)
{
    *out = NULL;
    struct block_writer *writer = memory_allocate(1, sizeof *writer);
    if (!writer)
        return STATUS_NO_MEMORY;
    writer->level = COMPRESSION_LEVEL;
    uint8_t header[HEADER_BYTES] = {0};
    memcpy(header, magic, BLOCK_MAGIC_BYTES);
    bytes_store_u32(header + 8, version);
    bytes_store_u64(header + SUMMED_HEADER_BYTES, checksum_of(header, SUMMED_HEADER_BYTES));
    enum status status = file_writer_open(&writer->file, path);
    if (!status)
        status = file_writer_append(writer->file, header, sizeof header);
    if (status) {
        block_writer_abort(writer);
        return status;
    }
    *out = writer;
    return STATUS_OK;
}

static enum status append_stored(struct block_writer *writer, struct block_info info, const void *payload)
{
    static const uint8_t zeros[ALIGNMENT];
    uint8_t header[BLOCK_HEADER_BYTES];
    bytes_store_u32(header, info.kind);
    bytes_store_u32(header + 4, info.codec);
    bytes_store_u64(header + 8, info.raw_bytes);
    bytes_store_u64(header + 16, info.stored_bytes);
    bytes_store_u64(header + 24, block_checksum(header, payload, info.stored_bytes, writer->n_blocks));
    enum status status = file_writer_append(writer->file, header, sizeof header);
    if (status)
        goto done;
    status = file_writer_append(writer->file, payload, info.stored_bytes);
    if (status)
        goto done;
    status = file_writer_append(writer->file, zeros, padding_of(info.stored_bytes));
done:
    writer->n_blocks++;
    return status;
}

/* The room comes from memory_block_allocate: of the bound's bytes only those that are written become real pages. */
static enum status append_compressed(struct block_writer *writer, uint32_t kind, const void *data, size_t bytes)
{
    struct memory_block packed;
    enum status status = memory_block_allocate(&packed, ZSTD_compressBound(bytes));
    if (status)
        return status;
    struct block_info info = {.kind = kind, .codec = BLOCK_ZSTD, .raw_bytes = bytes};
    size_t result = ZSTD_compress(packed.data, packed.bytes, data, bytes, writer->level);
    if (ZSTD_isError(result)) {
        status = status_fail(STATUS_NO_MEMORY, "cannot compress %zu bytes: %s", bytes, ZSTD_getErrorName(result));
    } else if (result < bytes) {
        info.stored_bytes = result;
        status = append_stored(writer, info, packed.data);
    } else {
        info.codec = BLOCK_RAW;
        info.stored_bytes = bytes;
        status = append_stored(writer, info, data);
    }
    memory_block_free(&packed);
    return status;
}

void block_writer_set_level(struct block_writer *writer, int level)
{
    writer->level = level;
}

enum status block_writer_append(struct block_writer *writer, uint32_t kind, const void *data, size_t bytes,
                                enum block_codec codec)
{
    assert(kind != BLOCK_KIND_END);
    enum status status;
    if (codec == BLOCK_ZSTD && bytes) {
        status = append_compressed(writer, kind, data, bytes);
    } else {
        struct block_info info = {.kind = kind, .codec = BLOCK_RAW, .raw_bytes = bytes, .stored_bytes = bytes};
        status = append_stored(writer, info, data);
    }
    writer->failed |= status;
    return status;
}

enum status block_writer_commit(struct block_writer *writer)
{
    if (writer->failed) {
        status_fail(STATUS_IO, "%s: not replaced, one of its blocks could not be written",
                    file_writer_path(writer->file));
        block_writer_abort(writer);
        return STATUS_IO;
    }
    uint8_t totals[END_PAYLOAD_BYTES];
    bytes_store_u64(totals, writer->n_blocks);
    bytes_store_u64(totals + 8, file_writer_bytes(writer->file) + BLOCK_HEADER_BYTES + END_PAYLOAD_BYTES);
    struct block_info end = {BLOCK_KIND_END, BLOCK_RAW, END_PAYLOAD_BYTES, END_PAYLOAD_BYTES};
    enum status status = append_stored(writer, end, totals);
    if (!status)
        status = file_writer_commit(writer->file);
    else
        file_writer_abort(writer->file);
    free(writer);
    return status;
}

void block_writer_abort(struct block_writer *writer)
{
    if (!writer)
        return;
    file_writer_abort(writer->file);
    free(writer);
}

static const char *printable(char text[4 * BLOCK_MAGIC_BYTES + 1], const void *magic)
{
    const uint8_t *bytes = magic;
    char *to = text;
    for (int i = 0; i < BLOCK_MAGIC_BYTES; i++)
        to += sprintf(to, bytes[i] > 32 && bytes[i] < 127 ? "%c" : "\\x%02x", bytes[i]);
    return text;
}

static enum status check_header(struct block_reader *reader, const char *magic, uint32_t max_version)
{
    char wanted[4 * BLOCK_MAGIC_BYTES + 1], found[4 * BLOCK_MAGIC_BYTES + 1];
    const uint8_t *data = reader->data;
    printable(wanted, magic);
    if (reader->bytes < BLOCK_MAGIC_BYTES)
        return status_fail(STATUS_CORRUPT, "%s: not a %s file: only %zu bytes long", reader->name, wanted,
                           reader->bytes);
    if (memcmp(data, magic, BLOCK_MAGIC_BYTES) != 0)
        return status_fail(STATUS_CORRUPT, "%s: not a %s file (magic %s)", reader->name, wanted,
                           printable(found, data));
    if (reader->bytes < HEADER_BYTES)
        return status_fail(STATUS_CORRUPT, "%s: truncated at byte %zu: the file's header has %d bytes", reader->name,
                           reader->bytes, HEADER_BYTES);
    if (bytes_load_u64(data + SUMMED_HEADER_BYTES) != checksum_of(data, SUMMED_HEADER_BYTES))
        return status_fail(STATUS_CORRUPT, "%s: damaged: the checksum of the file's header does not match",
                           reader->name);
    reader->version = bytes_load_u32(data + 8);
    if (reader->version > max_version)
        return status_fail(STATUS_CORRUPT, "%s: version %" PRIu32 " is newer than this program reads (%" PRIu32 ")",
                           reader->name, reader->version, max_version);
    if (reader->version == 0 || bytes_load_u32(data + 12) != 0)
        return status_fail(STATUS_CORRUPT,
                           "%s: the file's header has version %" PRIu32 " and reserved field %" PRIu32
                           ", expected a version from 1 and 0",
                           reader->name, reader->version, bytes_load_u32(data + 12));
    return STATUS_OK;
}

/* Whether the lengths of a block can be true for its codec and payload; the payload lies within the file already. */
static enum status check_lengths(const struct block_reader *reader, const struct entry *block, size_t number)
{
    const struct block_info *info = &block->info;
    if (info->codec == BLOCK_RAW && info->raw_bytes == info->stored_bytes)
        return STATUS_OK;
    if (info->codec == BLOCK_RAW)
        return status_fail(STATUS_CORRUPT, "%s: block %zu is raw but claims %" PRIu64 " bytes stored as %" PRIu64,
                           reader->name, number, info->raw_bytes, info->stored_bytes);
    if (info->codec != BLOCK_ZSTD)
        return status_fail(STATUS_CORRUPT, "%s: block %zu has codec %" PRIu32 ", expected 0 (raw) or 1 (zstd)",
                           reader->name, number, info->codec);
    if (ZSTD_getFrameContentSize(block->payload, info->stored_bytes) != info->raw_bytes ||
        info->raw_bytes / BLOCK_MAX_EXPANSION > info->stored_bytes)
        return status_fail(STATUS_CORRUPT, "%s: block %zu cannot hold the %" PRIu64 " bytes it promises", reader->name,
                           number, info->raw_bytes);
    return STATUS_OK;
}

/* Reads the header of the block at `offset`, which is in the file, and checks that the block ends in the file too. */
static enum status read_block(const struct block_reader *reader, size_t offset, size_t number, struct entry *out)
{
    size_t left = reader->bytes - offset;
    if (left < BLOCK_HEADER_BYTES)
        return status_fail(STATUS_CORRUPT, "%s: truncated at byte %zu: no room for the header of block %zu",
                           reader->name, reader->bytes, number);
    const uint8_t *header = reader->data + offset;
    *out = (struct entry){
        .info = {bytes_load_u32(header), bytes_load_u32(header + 4), bytes_load_u64(header + 8),
                 bytes_load_u64(header + 16)},
        .header = header,
        .payload = header + BLOCK_HEADER_BYTES,
    };
    left -= BLOCK_HEADER_BYTES;
    uint64_t stored = out->info.stored_bytes;
    if (stored > left || padding_of(stored) > left - stored)
        return status_fail(STATUS_CORRUPT, "%s: truncated at byte %zu: block %zu promises %" PRIu64 " bytes",
                           reader->name, reader->bytes, number, stored);
    for (size_t i = 0; i < padding_of(stored); i++) {
        if (out->payload[stored + i] != 0)
            return status_fail(STATUS_CORRUPT, "%s: damaged: the padding after block %zu is not zero", reader->name,
                               number);
    }
    return check_lengths(reader, out, number);
}

static enum status verify_entry(const struct block_reader *reader, const struct entry *block, size_t number)
{
    uint64_t sum = block_checksum(block->header, block->payload, block->info.stored_bytes, number);
    if (sum != bytes_load_u64(block->header + SUMMED_BLOCK_HEADER_BYTES))
        return status_fail(STATUS_CORRUPT, "%s: damaged: the checksum of block %zu at byte %zu does not match",
                           reader->name, number, (size_t)(block->header - reader->data));
    return STATUS_OK;
}

static enum status check_end(const struct block_reader *reader, const struct entry *end, size_t end_offset)
{
    if (end->info.stored_bytes != END_PAYLOAD_BYTES || end->info.codec != BLOCK_RAW)
        return status_fail(STATUS_CORRUPT, "%s: damaged: the end block at byte %zu has %" PRIu64 " bytes, expected %d",
                           reader->name, end_offset, end->info.stored_bytes, END_PAYLOAD_BYTES);
    enum status status = verify_entry(reader, end, reader->n_blocks);
    if (status)
        return status;
    size_t end_bytes = end_offset + BLOCK_HEADER_BYTES + END_PAYLOAD_BYTES;
    uint64_t n_blocks = bytes_load_u64(end->payload), total = bytes_load_u64(end->payload + 8);
    if (n_blocks != reader->n_blocks || total != end_bytes)
        return status_fail(STATUS_CORRUPT,
                           "%s: has %zu blocks in %zu bytes, its end block says %" PRIu64 " in %" PRIu64, reader->name,
                           reader->n_blocks, end_bytes, n_blocks, total);
    if (end_bytes != reader->bytes)
        return status_fail(STATUS_CORRUPT, "%s: %zu bytes after its end at byte %zu", reader->name,
                           reader->bytes - end_bytes, end_bytes);
    return STATUS_OK;
}

static enum status keep_block(struct block_reader *reader, struct entry block)
{
    struct entry *grown = memory_grow(reader->blocks, reader->n_blocks + 1, &reader->capacity, 16, sizeof *grown);
    if (!grown)
        return STATUS_NO_MEMORY;
    reader->blocks = grown;
    reader->blocks[reader->n_blocks++] = block;
    return STATUS_OK;
}

static enum status walk_blocks(struct block_reader *reader)
{
    for (size_t offset = HEADER_BYTES;;) {
        if (offset == reader->bytes)
            return status_fail(STATUS_CORRUPT, "%s: truncated at byte %zu: the end block is missing after %zu blocks",
                               reader->name, offset, reader->n_blocks);
        struct entry block = {0}; /* gcc cannot know that the block of a failed read_block() is not used */
        enum status status = read_block(reader, offset, reader->n_blocks, &block);
        if (status)
            return status;
        if (block.info.kind == BLOCK_KIND_END)
            return check_end(reader, &block, offset);
        status = keep_block(reader, block);
        if (status)
            return status;
        offset += BLOCK_HEADER_BYTES + block.info.stored_bytes + padding_of(block.info.stored_bytes);
    }
}

enum status block_reader_open_memory(struct block_reader **out, const void *data, size_t bytes, const char *name,
                                     const char *magic, uint32_t max_version)
{
    *out = NULL;
    struct block_reader *reader = memory_allocate(1, sizeof *reader);
    if (!reader)
        return STATUS_NO_MEMORY;
    reader->data = data;
    reader->bytes = bytes;
    reader->name = memory_copy_text(name);
    enum status status = reader->name ? check_header(reader, magic, max_version) : STATUS_NO_MEMORY;
    if (!status)
        status = walk_blocks(reader);
    if (status) {
        block_reader_close(reader);
        return status;
    }
    *out = reader;
    return STATUS_OK;
}

enum status block_reader_open(struct block_reader **out, const char *path, const char *magic, uint32_t max_version)
{
    *out = NULL;
    struct file_map map;
    enum status status = file_map_open(&map, path);
    if (status)
        return status;
    status = block_reader_open_memory(out, map.data, map.bytes, path, magic, max_version);
    if (status)
        file_map_close(&map);
    else
        (*out)->map = map;
    return status;
}

void block_reader_close(struct block_reader *reader)
{
    if (!reader)
        return;
    file_map_close(&reader->map);
    free(reader->blocks);
    free(reader->name);
    free(reader);
}

uint32_t block_reader_version(const struct block_reader *reader)
{
    return reader->version;
}

size_t block_reader_count(const struct block_reader *reader)
{
    return reader->n_blocks;
}

const char *block_reader_name(const struct block_reader *reader)
{
    return reader->name;
}

struct block_info block_reader_info(const struct block_reader *reader, size_t i)
{
    assert(i < reader->n_blocks);
    return reader->blocks[i].info;
}

enum status block_reader_find(const struct block_reader *reader, uint32_t kind, size_t nth, size_t *i)
{
    size_t seen = 0;
    for (*i = 0; *i < reader->n_blocks; ++*i) {
        if (reader->blocks[*i].info.kind == kind && seen++ == nth)
            return STATUS_OK;
    }
    return status_fail(STATUS_CORRUPT, "%s: has %zu blocks of kind %" PRIu32 ", number %zu is wanted", reader->name,
                       seen, kind, nth + 1);
}

enum status block_reader_verify(const struct block_reader *reader, size_t i)
{
    assert(i < reader->n_blocks);
    return verify_entry(reader, &reader->blocks[i], i);
}

enum status block_reader_load(const struct block_reader *reader, size_t i, void *out, size_t capacity)
{
    enum status status = block_reader_verify(reader, i);
    if (status)
        return status;
    const struct entry *block = &reader->blocks[i];
    size_t raw = block->info.raw_bytes, stored = block->info.stored_bytes;
    if (raw > capacity)
        return status_fail(STATUS_USAGE, "%s: block %zu has %zu bytes, there is room for %zu", reader->name, i, raw,
                           capacity);
    if (block->info.codec == BLOCK_RAW) {
        if (raw)
            memcpy(out, block->payload, raw);
        return STATUS_OK;
    }
    if (ZSTD_findFrameCompressedSize(block->payload, stored) != stored)
        return status_fail(STATUS_CORRUPT, "%s: block %zu is not one zstd frame", reader->name, i);
    size_t result = ZSTD_decompress(out, raw, block->payload, stored);
    if (ZSTD_isError(result))
        return status_fail(STATUS_CORRUPT, "%s: block %zu cannot be unpacked: %s", reader->name, i,
                           ZSTD_getErrorName(result));
    if (result != raw)
        return status_fail(STATUS_CORRUPT, "%s: block %zu unpacks to %zu bytes, it promised %zu", reader->name, i,
                           result, raw);
    return STATUS_OK;
}

enum status block_reader_view(const struct block_reader *reader, size_t i, const void **data, size_t *bytes)
{
    *data = NULL;
    *bytes = 0;
    enum status status = block_reader_verify(reader, i);
    if (status)
        return status;
    const struct entry *block = &reader->blocks[i];
    if (block->info.codec != BLOCK_RAW)
        return status_fail(STATUS_CORRUPT, "%s: block %zu is compressed, expected a raw one", reader->name, i);
    *data = block->payload;
    *bytes = block->info.stored_bytes;
    return STATUS_OK;
}
