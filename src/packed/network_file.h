/*
 * network_file: networks in files. docs/FORMATS.md, "Network files", has the bytes.
 *
 * A file says what it holds before its weights (network_header.h), so looking at one of many GiB costs nothing, and
 * loading compares the memory it needs with what there is before it takes any. Weights are packed (weight_pack.h) in
 * runs of at most a million, each a checksummed block compressed by zstd; regions that training never touched shrink to
 * nothing. Blocks are unpacked by all processors at once; packing is done by one (a few hundred MiB a second, and a
 * checkpoint should leave the other processors to training).
 */
#ifndef AFTERSTATE_PACKED_NETWORK_FILE_H
#define AFTERSTATE_PACKED_NETWORK_FILE_H

#include "base/progress.h"
#include "base/status.h"
#include "ntuple/network.h"
#include "packed/network_header.h"

#include <stddef.h>

/*
 * Writes the network; an old file under `path` stays until the new one is complete. `history` may be NULL. `progress`
 * may be NULL, else it was begun by the caller with a total of 4 bytes for each weight; it is not ended here.
 * `precision` is one of the two that need no step. Weights
 * that other threads change meanwhile are saved as before or after, each.
 */
enum status network_save(const struct network *network, const char *path, const struct network_history *history,
                         enum network_precision precision, struct progress *progress);

/* How weights are stored, see weight_pack.h. */
struct network_packing {
    enum network_precision precision;
    float step; /* of NETWORK_STEPS: positive, in points */
};

/* The same, packed as `packing` says, and adds what rounding costs to *error (may be NULL). */
enum status network_save_measured(const struct network *network, const char *path,
                                  const struct network_history *history, const struct network_packing *packing,
                                  struct progress *progress, struct weight_error *error);

/*
 * Loads a network that the caller frees. *history (may be NULL) is filled, to be freed by network_history_free().
 * STATUS_IO if the file cannot be read, STATUS_CORRUPT with the reason if it is truncated, altered, foreign or newer,
 * STATUS_NO_MEMORY with what it needs; *out is then NULL and *history zeroed.
 */
enum status network_load(struct network **out, const char *path, struct network_history *history,
                         struct progress *progress);

/* The same from data[0 .. bytes-1]; `name` stands in messages. Takes no more memory than the blocks account for. */
enum status network_load_memory(struct network **out, const void *data, size_t bytes, const char *name,
                                struct network_history *history, struct progress *progress);

/* Weights that one block of a file holds. Runs never cross a table, and are as many in every stage. */
enum { NETWORK_RUN_WEIGHTS = 1 << 20 };
struct network_run {
    unsigned stage;
    uint64_t first; /* of its stage */
    uint32_t n;     /* at most NETWORK_RUN_WEIGHTS */
};

/* Takes the weights of a file in another form than a network's. */
struct weight_sink {
    void *context;
    /* Once, before any run, when the sizes of all blocks are known to be possible; `name` of the file for messages. */
    enum status (*begin)(void *context, const struct network_info *info, const char *name, unsigned n_workers);
    /* Each run once, as it is packed (weight_pack.h), by one of n_workers threads. Of one place all stages go to the
       same worker one after the other, the first stage first. */
    enum status (*take)(void *context, unsigned worker, const struct network_run *run, const uint8_t *packed,
                        size_t bytes);
};

/* A file by its path, or, where data is not NULL, the bytes of one under any name. */
struct network_source {
    const char *name;
    const void *data;
    size_t bytes;
};

/* Reads a file into a sink; fails as network_load(). What the sink has taken is its own to free. */
enum status network_file_read(const struct network_source *source, const struct weight_sink *sink,
                              struct network_history *history, struct progress *progress);

/* Only what the file says about itself. *file_bytes may be NULL. */
enum status network_read_info(const char *path, struct network_info *info, struct network_history *history,
                              uint64_t *file_bytes);

#endif
