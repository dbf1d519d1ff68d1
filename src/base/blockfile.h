/*
 * blockfile: the container of every binary file that afterstate writes: a magic, a version, and checksummed blocks,
 * each raw or compressed by zstd. docs/FORMATS.md, "Block files", has the bytes.
 *
 * The writer uses file_writer: nothing is at the path until commit. The reader maps the file, checks the whole skeleton
 * when it opens (so truncation, foreign files and damaged lengths are found at once) and checks a block's content when
 * it is loaded or viewed. Opening and reading are safe on any bytes.
 *
 * A writer belongs to one thread at a time. A reader may be shared by threads: nothing in it changes after opening.
 */
#ifndef AFTERSTATE_BASE_BLOCKFILE_H
#define AFTERSTATE_BASE_BLOCKFILE_H

#include "base/status.h"

#include <stddef.h>
#include <stdint.h>

enum { BLOCK_MAGIC_BYTES = 8 };

enum block_codec {
    BLOCK_RAW = 0,
    BLOCK_ZSTD = 1,
};

/* The kind that ends a file; callers' kinds are 0 .. 0xfffffffe. */
#define BLOCK_KIND_END UINT32_C(0xffffffff)

/*
 * No zstd frame expands by more than this: a block of at most 128 KiB costs at least 4 bytes (3 of header, 1 of
 * content). A reader refuses a block that promises more.
 */
enum { BLOCK_MAX_EXPANSION = (128 << 10) / 4 };

struct block_writer;
struct block_reader;

struct block_info {
    uint32_t kind;
    uint32_t codec;        /* an enum block_codec */
    uint64_t raw_bytes;    /* after decompression */
    uint64_t stored_bytes; /* in the file, without padding */
};

/* Starts a file. `magic` is BLOCK_MAGIC_BYTES long (a string of 8 letters will do). On failure *out is NULL. */
enum status block_writer_open(struct block_writer **out, const char *path, const char *magic, uint32_t version);

/* The level of zstd from now on, 1 to 19; 3 unless set: for files that are written once and shipped. */
void block_writer_set_level(struct block_writer *writer, int level);

/*
 * Adds a block of data[0 .. bytes-1] (data may be NULL if bytes is 0) of any kind but BLOCK_KIND_END. BLOCK_ZSTD is a
 * wish: content that does not get smaller is stored raw. After a failure (STATUS_IO, STATUS_NO_MEMORY) the file cannot
 * be committed any more.
 */
enum status block_writer_append(struct block_writer *writer, uint32_t kind, const void *data, size_t bytes,
                                enum block_codec codec);

/* Writes the end block and puts the file in place, see file_writer_commit(). Frees the writer in every case. */
enum status block_writer_commit(struct block_writer *writer);

/* Discards the new file and frees the writer. NULL is fine. */
void block_writer_abort(struct block_writer *writer);

/*
 * Opens a file whose magic is `magic` and whose version is 1 .. max_version. STATUS_IO if it cannot be read,
 * STATUS_CORRUPT, with the place and the reason, if it is not such a file; *out is then NULL.
 */
enum status block_reader_open(struct block_reader **out, const char *path, const char *magic, uint32_t max_version);

/* The same on data[0 .. bytes-1] in memory, which must stay until the reader is closed; messages call it `name`. */
enum status block_reader_open_memory(struct block_reader **out, const void *data, size_t bytes, const char *name,
                                     const char *magic, uint32_t max_version);

/* Ends the reader and every view it gave. NULL is fine. */
void block_reader_close(struct block_reader *reader);

uint32_t block_reader_version(const struct block_reader *reader);

/* Number of blocks, the end block not counted. */
size_t block_reader_count(const struct block_reader *reader);

/* The path, for the caller's own messages. */
const char *block_reader_name(const struct block_reader *reader);

/*
 * The header of block i (below the count). Its fields are in bounds - stored_bytes lie in the file, raw_bytes are at
 * most BLOCK_MAX_EXPANSION times as many - but not yet verified: a caller that knows how many bytes to expect compares
 * before it allocates.
 */
struct block_info block_reader_info(const struct block_reader *reader, size_t i);

/* Index of block number `nth` (from 0) of a kind. STATUS_CORRUPT, with a message that names the kind, if none is. */
enum status block_reader_find(const struct block_reader *reader, uint32_t kind, size_t nth, size_t *i);

/* Checks the checksum of block i without unpacking it. */
enum status block_reader_verify(const struct block_reader *reader, size_t i);

/*
 * Verifies block i and unpacks it into `out`, which has room for `capacity` bytes; raw_bytes of them are written.
 * STATUS_USAGE if the room is too small, STATUS_CORRUPT if the block is damaged; the content of `out` is then anything.
 */
enum status block_reader_load(const struct block_reader *reader, size_t i, void *out, size_t capacity);

/*
 * Verifies raw block i and gives its bytes where they lie, valid until the reader is closed; they are aligned to 8 as
 * far as the file's first byte is (a mapped one always is). STATUS_CORRUPT if damaged or compressed.
 */
enum status block_reader_view(const struct block_reader *reader, size_t i, const void **data, size_t *bytes);

#endif
