/*
 * neural_file: neural networks in files: a header with the network's spec and history, then one checksummed block for
 * each array of parameters. docs/FORMATS.md, "Neural network files", has the bytes.
 */
#ifndef AFTERSTATE_NEURAL_NEURAL_FILE_H
#define AFTERSTATE_NEURAL_NEURAL_FILE_H

#include "base/blockfile.h"
#include "base/network_history.h"
#include "base/status.h"
#include "neural/model.h"

#include <stdbool.h>
#include <stdint.h>

/* Whether a file has the magic of a neural network. False also if it cannot be read. */
bool neural_file_is(const char *path);

/* The same of data[0 .. bytes-1]. */
bool neural_file_is_memory(const void *data, size_t bytes);

/* How weights are stored: as they are, or rounded to 16 bits (neural/bf16.h), which is half the file. In memory they
   are floats in either case. */
enum neural_storage { NEURAL_FLOATS, NEURAL_HALVES, NEURAL_STORAGES };

/* Writes the network; a file that is there stays until the new one is complete. `history` may be NULL. STATUS_IO,
   STATUS_NO_MEMORY; STATUS_INVALID if a weight is not a finite number or the history cannot be read back. */
enum status neural_save(const struct neural *neural, const char *path, const struct network_history *history);
enum status neural_save_as(const struct neural *neural, const char *path, const struct network_history *history,
                           enum neural_storage storage);

/*
 * Loads a network, which the caller frees. *history (may be NULL) is filled, to be freed by network_history_free().
 * STATUS_IO if the file cannot be read, STATUS_CORRUPT with the reason if it is truncated, altered, foreign or newer;
 * *out is then NULL and *history zeroed.
 */
enum status neural_load(struct neural **out, const char *path, struct network_history *history);

/* The same from data[0 .. bytes-1]; messages call it `name`. */
enum status neural_load_memory(struct neural **out, const void *data, size_t bytes, const char *name,
                               struct network_history *history);

/* Reads only the header. *history and *file_bytes may be NULL. Fails as neural_load(). */
enum status neural_read_info(const char *path, struct neural_spec *spec, uint64_t *n_weights,
                             struct network_history *history, uint64_t *file_bytes);

/* Writes and reads parameters (or as many numbers of another meaning) as blocks of `kind`, one for each array. */
enum status neural_append_parameters(const struct neural *neural, const neural_real *parameters,
                                     struct block_writer *writer, uint32_t kind);
enum status neural_read_parameters(const struct neural *neural, neural_real *parameters,
                                   const struct block_reader *reader, uint32_t kind);

#endif
