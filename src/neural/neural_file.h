/*
 * neural_file: neural networks in files. docs/FORMATS.md, "Neural network files", has the bytes: a header that says
 * what the network is and how it was trained, then one checksummed block for each array of parameters.
 */
#ifndef AFTERSTATE_NEURAL_NEURAL_FILE_H
#define AFTERSTATE_NEURAL_NEURAL_FILE_H

#include "base/blockfile.h"
#include "base/network_history.h"
#include "base/status.h"
#include "neural/model.h"

#include <stdbool.h>
#include <stdint.h>

/* Whether a file begins as a neural network's does. False also if it cannot be read. */
bool neural_file_is(const char *path);

/* Writes the network; an old file under `path` stays until the new one is complete. `history` may be NULL.
   STATUS_INVALID if a weight is not a finite number. */
enum status neural_save(const struct neural *neural, const char *path, const struct network_history *history);

/*
 * Loads a network that the caller frees. *history (may be NULL) is filled, to be freed by network_history_free().
 * STATUS_IO if the file cannot be read, STATUS_CORRUPT with the reason if it is truncated, altered, foreign or newer;
 * *out is then NULL and *history zeroed.
 */
enum status neural_load(struct neural **out, const char *path, struct network_history *history);

/* The same from data[0 .. bytes-1]; `name` stands in messages. */
enum status neural_load_memory(struct neural **out, const void *data, size_t bytes, const char *name,
                               struct network_history *history);

/* Only what the file says about itself. *file_bytes may be NULL. */
enum status neural_read_info(const char *path, struct neural_spec *spec, uint64_t *n_weights,
                             struct network_history *history, uint64_t *file_bytes);

/* The parameters alone, as blocks of `kind` in the order of the arrays: for files that hold more. */
enum status neural_append_parameters(const struct neural *neural, const neural_real *parameters,
                                     struct block_writer *writer, uint32_t kind);
enum status neural_read_parameters(const struct neural *neural, neural_real *parameters,
                                   const struct block_reader *reader, uint32_t kind);

#endif
