/*
 * ribbon: a map from distinct keys below 2^62 to 2-bit values that does not store the keys: bumped ribbon retrieval, in
 * little more than 2 bits a key. For a key it was built with it returns that key's value, for any other key any value.
 * docs/FORMATS.md, "Ribbon maps", has the bytes; ribbon.c has the idea.
 *
 * A builder belongs to one thread at a time. An opened map never changes: threads may share it.
 */
#ifndef AFTERSTATE_SOLVE_RIBBON_H
#define AFTERSTATE_SOLVE_RIBBON_H

#include "base/bytes.h"
#include "base/status.h"

#include <stddef.h>
#include <stdint.h>

enum {
    RIBBON_VALUES = 4,
    RIBBON_WIDTH = 64,   /* bits of an equation */
    RIBBON_BUCKET = 128, /* slots that share a threshold */
    RIBBON_MAX_LAYERS = 8,
};

/* Fields are private; a zeroed struct is a builder without keys. */
struct ribbon_builder {
    uint64_t *items; /* hash and value of each key */
    size_t n_items, capacity;
};

/* Makes room for n keys in all, so that adding them cannot fail. */
enum status ribbon_builder_reserve(struct ribbon_builder *builder, size_t n);

/* Adds a key below 2^62, not among those added before, with its value, below RIBBON_VALUES. STATUS_NO_MEMORY. */
enum status ribbon_builder_add(struct ribbon_builder *builder, uint64_t key, unsigned value);

/*
 * Solves the map: *bytes bytes in *data, which the caller frees. The builder is empty again afterwards, also after a
 * failure: STATUS_USAGE if a key was added twice, STATUS_NO_MEMORY; *data is then NULL. Needs 9 bytes a key beside the
 * builder's 8.
 */
enum status ribbon_builder_finish(struct ribbon_builder *builder, uint8_t **data, size_t *bytes);

/* Frees everything. NULL is fine. */
void ribbon_builder_free(struct ribbon_builder *builder);

struct ribbon_layer {
    const uint8_t *slots;      /* for each 64 slots two words, one for each bit of the values */
    const uint8_t *thresholds; /* two bits a bucket; NULL in the last layer, which bumps nothing */
    uint64_t n_starts;         /* a key's equation begins at one of these slots */
};

/* Fields are private. */
struct ribbon {
    uint64_t n_keys;
    unsigned n_layers;
    struct ribbon_layer layers[RIBBON_MAX_LAYERS];
};

/*
 * Opens the map in data[0 .. bytes-1], which stay until the last use; no alignment is needed. Checks all that keeps
 * later calls within the bytes. STATUS_CORRUPT with the reason if they are no map, *out is then empty.
 */
enum status ribbon_open(struct ribbon *out, const void *data, size_t bytes);

/* The value of a key, below RIBBON_VALUES. */
unsigned ribbon_find(const struct ribbon *ribbon, uint64_t key);

/* values[i] = value of keys[i], overlapping the memory accesses of neighbours. */
void ribbon_find_batch(const struct ribbon *ribbon, const uint64_t *keys, size_t n, uint8_t *values);

#endif
