/*
 * network_file: n-tuple networks in files. docs/FORMATS.md, "Network files", has the bytes.
 *
 * A header (network_header.h) describes the network before its weights, so the header of a file of many GiB is read at
 * once, and loading checks that the memory suffices before it takes any. Weights are packed (weight_pack.h) in runs of
 * at most 2^20, each a checksummed block compressed by zstd; untouched regions shrink to nothing. All processors unpack
 * blocks; one packs them (a few hundred MiB a second).
 */
#ifndef AFTERSTATE_PACKED_NETWORK_FILE_H
#define AFTERSTATE_PACKED_NETWORK_FILE_H

#include "base/status.h"
#include "ntuple/network.h"
#include "packed/network_header.h"

#include <stddef.h>
#include <stdio.h>

/* How weights are stored, see weight_pack.h. */
struct network_packing {
    enum network_precision precision;
    float step; /* of NETWORK_STEPS: positive, in points */
};

/*
 * Writes the network; a file that is there stays until the new one is complete. `history` may be NULL. If `progress` is
 * not NULL, a bar is shown on it. A weight that another thread changes meanwhile is saved as it was before or after.
 * STATUS_IO, STATUS_NO_MEMORY; STATUS_INVALID for weights that cannot be stored in 16 bits, and for a history that
 * cannot be read back.
 */
enum status network_save_packed(const struct network *network, const char *path, const struct network_history *history,
                                const struct network_packing *packing, FILE *progress);
/* The same in a precision that needs no step. */
enum status network_save(const struct network *network, const char *path, const struct network_history *history,
                         enum network_precision precision, FILE *progress);

/*
 * Loads a network, which the caller frees. *history (may be NULL) is filled, to be freed by network_history_free(). If
 * `progress` is not NULL, a bar is shown on it. STATUS_IO if the file cannot be read, STATUS_CORRUPT with the reason if
 * it is truncated, altered, foreign or newer, STATUS_NO_MEMORY with what it needs; *out is then NULL and *history
 * zeroed.
 */
enum status network_load(struct network **out, const char *path, struct network_history *history, FILE *progress);

/* The same from data[0 .. bytes-1]; messages call it `name`. Takes no more memory than the blocks account for. */
enum status network_load_memory(struct network **out, const void *data, size_t bytes, const char *name,
                                struct network_history *history);

/* Weights that one block of a file holds. Runs never cross a table, and are as many in every stage. */
enum { NETWORK_RUN_WEIGHTS = 1 << 20 };
struct network_run {
    unsigned stage;
    uint64_t first; /* of its stage */
    uint32_t n;     /* at most NETWORK_RUN_WEIGHTS */
};

/* Receives the weights of a file, to keep them in another form than a network's. */
struct weight_sink {
    void *context;
    /* Called once, before any run, after the sizes of all blocks were checked; `name` is that of the file. */
    enum status (*begin)(void *context, const struct network_info *info, const char *name, unsigned n_workers);
    /* Called once for each run, packed (weight_pack.h), by worker number `worker` of n_workers. The runs of one place
       go to the same worker stage after stage, the first stage first. */
    enum status (*take)(void *context, unsigned worker, const struct network_run *run, const uint8_t *packed,
                        size_t bytes);
};

/* A file by its path, or, if data is not NULL, its bytes, with any name. */
struct network_source {
    const char *name;
    const void *data;
    size_t bytes;
};

/* Reads a file into a sink. Fails as network_load() and the sink do; the sink frees what it has taken. */
enum status network_file_read(const struct network_source *source, const struct weight_sink *sink,
                              struct network_history *history, FILE *progress);

/* Reads only the header. *history and *file_bytes may be NULL. Fails as network_load(). */
enum status network_read_info(const char *path, struct network_info *info, struct network_history *history,
                              uint64_t *file_bytes);

#endif
