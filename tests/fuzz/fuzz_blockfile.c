/*
 * Any bytes as a block file: opened, every block looked at, verified, loaded and viewed. Then once more with right
 * checksums, which keep a fuzzer from getting far by chance.
 */
#include "base/blockfile.h"
#include "base/checksum.h"
#include "mend.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n_bytes);

enum { MAX_LOAD = 1 << 24 };

static void read_all(const uint8_t *data, size_t n_bytes)
{
    struct block_reader *reader;
    if (block_reader_open_memory(&reader, data, n_bytes, "fuzz", "FUZZFILE", 3)) {
        if (reader)
            abort();
        return;
    }
    size_t n = block_reader_count(reader);
    uint32_t version = block_reader_version(reader);
    if (version < 1 || version > 3)
        abort();
    for (size_t i = 0; i < n && i < 1000; i++) {
        struct block_info info = block_reader_info(reader, i);
        if (info.stored_bytes > n_bytes || info.kind == BLOCK_KIND_END)
            abort();
        enum status verified = block_reader_verify(reader, i);
        size_t found;
        if (block_reader_find(reader, info.kind, 0, &found) || found > i)
            abort();
        const void *view;
        size_t view_bytes;
        if (block_reader_view(reader, i, &view, &view_bytes) == STATUS_OK) {
            if (verified || view_bytes != info.raw_bytes)
                abort();
            volatile uint64_t sum = checksum_of(view, view_bytes); /* touches every byte */
            (void)sum;
        }
        if (info.raw_bytes > MAX_LOAD)
            continue;
        uint8_t *room = malloc(info.raw_bytes ? info.raw_bytes : 1);
        if (!room)
            abort();
        if (block_reader_load(reader, i, room, info.raw_bytes) == STATUS_OK && verified)
            abort();
        if (info.raw_bytes && block_reader_load(reader, i, room, info.raw_bytes - 1) == STATUS_OK)
            abort();
        free(room);
    }
    block_reader_close(reader);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n_bytes)
{
    read_all(data, n_bytes);
    uint8_t *mended = malloc(n_bytes ? n_bytes : 1);
    if (!mended)
        abort();
    if (n_bytes)
        memcpy(mended, data, n_bytes);
    mend_checksums(mended, n_bytes);
    read_all(mended, n_bytes);
    free(mended);
    return 0;
}
