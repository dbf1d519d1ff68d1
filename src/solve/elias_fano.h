/*
 * elias_fano: an ascending set of 64-bit numbers in few bits, in blocks of 256 numbers, each with an Elias-Fano code of
 * its own. docs/FORMATS.md, "Elias-Fano sets", has the bytes; elias_fano.c has the idea.
 *
 * The encoder takes the numbers one by one or in runs and grows as they come. The reader works on borrowed bytes, a
 * mapped block of a file for example, and copies nothing: opening reads the directory only (one entry for each 256
 * numbers), but at all of it, so that no later call leaves the bytes, whatever they are. Whether the rest is what was
 * written is the container's checksum to say, or elias_fano_validate().
 *
 * An encoder belongs to one thread at a time. An opened set never changes: threads may share it.
 */
#ifndef AFTERSTATE_SOLVE_ELIAS_FANO_H
#define AFTERSTATE_SOLVE_ELIAS_FANO_H

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { ELIAS_FANO_BLOCK = 256 };

/* Fields are private; a zeroed struct is an encoder without numbers. */
struct elias_fano_encoder {
    uint64_t n_numbers;
    uint64_t pending[ELIAS_FANO_BLOCK]; /* the numbers of the block that is not yet written */
    unsigned n_pending;
    uint64_t *bits; /* the code of the blocks written so far; zero from n_bits on */
    uint64_t n_bits;
    size_t bits_capacity;   /* in words */
    uint64_t *block_base;   /* of each written block, its first number .. */
    uint64_t *block_offset; /* .. and its first bit */
    size_t n_blocks, blocks_capacity;
};

/*
 * Adds numbers[0 .. n-1], ascending and above all that came before. STATUS_USAGE if they are not, STATUS_NO_MEMORY; the
 * encoder is then fit for elias_fano_encoder_free() only.
 */
enum status elias_fano_encode(struct elias_fano_encoder *encoder, const uint64_t *numbers, size_t n);

/*
 * Ends the set: all numbers are below `universe`. *bytes bytes in *data, which the caller frees. The encoder is empty
 * again afterwards, also after a failure (STATUS_USAGE if a number is not below, STATUS_NO_MEMORY; *data is then NULL).
 */
enum status elias_fano_encoder_finish(struct elias_fano_encoder *encoder, uint64_t universe, uint8_t **data,
                                      size_t *bytes);

/* Frees everything. NULL is fine. */
void elias_fano_encoder_free(struct elias_fano_encoder *encoder);

/* Fields are private. */
struct elias_fano {
    const uint8_t *directory, *code;
    uint64_t n_numbers, universe, n_bits;
    uint64_t n_blocks;
    unsigned base_bits, offset_bits; /* widths of the two fields of a directory entry */
};

/*
 * Opens the set in data[0 .. bytes-1], which stay until the last use; no alignment is needed. STATUS_CORRUPT with the
 * reason if they are no set, *out is then empty.
 */
enum status elias_fano_open(struct elias_fano *out, const void *data, size_t bytes);

/* Opens bytes that elias_fano_open() has accepted before: the directory is not checked again. */
void elias_fano_open_again(struct elias_fano *out, const void *data);

/* Decodes everything and says whether it is what an encoder writes: STATUS_OK or STATUS_CORRUPT. */
enum status elias_fano_validate(const struct elias_fano *set);

static inline uint64_t elias_fano_count(const struct elias_fano *set)
{
    return set->n_numbers;
}

/* All numbers are below it. */
static inline uint64_t elias_fano_universe(const struct elias_fano *set)
{
    return set->universe;
}

/* How many blocks there are: all but the last hold ELIAS_FANO_BLOCK numbers. */
static inline uint64_t elias_fano_n_blocks(const struct elias_fano *set)
{
    return set->n_blocks;
}

/*
 * The numbers at positions 256 * block .., ascending, in out; returns how many, 1 .. 256. The fast way to walk: block
 * by block, each worker blocks of its own. `block` is below elias_fano_n_blocks().
 */
unsigned elias_fano_decode(const struct elias_fano *set, uint64_t block, uint64_t out[ELIAS_FANO_BLOCK]);

/* Number at position i, below the count. */
uint64_t elias_fano_select(const struct elias_fano *set, uint64_t i);

/* Whether x is in the set, and its position in *position (untouched if not). */
bool elias_fano_find(const struct elias_fano *set, uint64_t x, uint64_t *position);

#endif
