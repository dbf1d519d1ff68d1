/*
 * A block holds c numbers (256, the last block the rest) of a range: from its first number, the base, up to the base of
 * the next block (the last block: up to the universe). Relative to the base they are c ascending numbers below `range`.
 *
 *     sparse (range at least 4 c)                             dense (range below 4 c)
 *     | high: c + (range-1 >> low) + 1 bits | c * low bits |   | range bits: bit r is set if base + r is in the set |
 *
 * Sparse is the code of Elias and Fano: with low = floor(log2(range / c)) the lowest `low` bits of each number are
 * stored as they are; of the rest, h, number i sets bit h + i of the high part. That is low + 2 to low + 3 bits a
 * number. Dense is a plain bitmap: fewer bits than any such code where it applies.
 *
 * Why blocks, and not one code with rank and select directories over the whole set: base and offset of each block, the
 * directory, take about 0.2 bits a number and serve both searches (select: block i / 256; find: binary search of the
 * bases), each block is then a cache line or two of bits, and `low` follows the density, which differs greatly within
 * one age: canonical boards are crowded at one end of the numbers. Widths, kinds and lengths all follow from the
 * directory, so nothing else needs to be stored or, on opening, to be trusted.
 */
#include "solve/elias_fano.h"

#include "base/bits.h"
#include "base/bytes.h"
#include "base/memory.h"

#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum {
    HEADER_BYTES = 24,
    PAD_BYTES = 8,      /* zeros at the end: any bit of the code can be loaded together with the 63 after it */
    DENSE_BELOW = 4,    /* range / count from which on the code of Elias and Fano is the smaller one */
    FIRST_WORDS = 1024, /* room that an encoder takes first */
    FIRST_BLOCKS = 64,
};

/* The most numbers that a set may claim: keeps every computation of bits below 2^64. */
#define MAX_NUMBERS (UINT64_C(1) << 48)

/* ---- Bits ------------------------------------------------------------------------------------------------------- */

/* The 64 bits from bit `at` on; the word of bit `at` and the one after it must exist. */
static inline uint64_t load_bits(const uint8_t *from, uint64_t at)
{
    const uint8_t *word = from + (at >> 6) * 8;
    unsigned shift = at & 63;
    return bytes_load_u64(word) >> shift | bytes_load_u64(word + 8) << 1 << (63 - shift);
}

static inline uint64_t low_mask(unsigned width)
{
    return width >= 64 ? UINT64_MAX : (UINT64_C(1) << width) - 1;
}

/* Puts the lowest `width` bits (1 .. 64) of value at bit `at` of zeroed words. */
static inline void store_bits(uint64_t *words, uint64_t at, unsigned width, uint64_t value)
{
    unsigned shift = at & 63;
    words[at >> 6] |= value << shift;
    if (shift + width > 64)
        words[(at >> 6) + 1] |= value >> (64 - shift);
}

static unsigned width_of(uint64_t value)
{
    return value ? 64 - (unsigned)__builtin_clzll(value) : 0;
}

/* ---- The shape of a block --------------------------------------------------------------------------------------- */

struct block_shape {
    unsigned low;       /* bits of each number's low part; 0: dense */
    uint64_t high_bits; /* bits of the high part, or of the bitmap */
    uint64_t all_bits;
};

static inline struct block_shape shape_of(uint64_t range, unsigned count)
{
    struct block_shape shape;
    if (range / DENSE_BELOW < count) {
        shape.low = 0;
        shape.high_bits = shape.all_bits = range;
    } else {
        shape.low = 63 - (unsigned)__builtin_clzll(range / count);
        shape.high_bits = count + ((range - 1) >> shape.low) + 1;
        shape.all_bits = shape.high_bits + (uint64_t)count * shape.low;
    }
    return shape;
}

/* ---- Encoder ---------------------------------------------------------------------------------------------------- */

/* Makes room for `more` bits and one word after them. */
static enum status reserve_bits(struct elias_fano_encoder *encoder, uint64_t more)
{
    size_t words = (size_t)((encoder->n_bits + more) / 64 + 2);
    if (words <= encoder->bits_capacity)
        return STATUS_OK;
    size_t capacity = encoder->bits_capacity ? encoder->bits_capacity * 2 : FIRST_WORDS;
    capacity = capacity < words ? words : capacity;
    uint64_t *grown = memory_resize(encoder->bits, capacity, sizeof *grown);
    if (!grown)
        return STATUS_NO_MEMORY;
    memset(grown + encoder->bits_capacity, 0, (capacity - encoder->bits_capacity) * sizeof *grown);
    encoder->bits = grown;
    encoder->bits_capacity = capacity;
    return STATUS_OK;
}

static enum status add_block(struct elias_fano_encoder *encoder, uint64_t base)
{
    if (encoder->n_blocks == encoder->blocks_capacity) {
        size_t capacity = encoder->blocks_capacity ? encoder->blocks_capacity * 2 : FIRST_BLOCKS;
        uint64_t *bases = memory_resize(encoder->block_base, capacity, sizeof *bases);
        if (bases)
            encoder->block_base = bases;
        uint64_t *offsets = bases ? memory_resize(encoder->block_offset, capacity, sizeof *offsets) : NULL;
        if (!offsets)
            return STATUS_NO_MEMORY;
        encoder->block_offset = offsets;
        encoder->blocks_capacity = capacity;
    }
    encoder->block_base[encoder->n_blocks] = base;
    encoder->block_offset[encoder->n_blocks++] = encoder->n_bits;
    return STATUS_OK;
}

/* Writes the pending numbers as a block that ends at `end`, which is above all of them. */
static enum status flush_block(struct elias_fano_encoder *encoder, uint64_t end)
{
    const uint64_t *numbers = encoder->pending;
    unsigned count = encoder->n_pending;
    struct block_shape shape = shape_of(end - numbers[0], count);
    enum status status = reserve_bits(encoder, shape.all_bits);
    if (!status)
        status = add_block(encoder, numbers[0]);
    if (status)
        return status;
    uint64_t high_at = encoder->n_bits, low_at = high_at + shape.high_bits;
    for (unsigned i = 0; i < count; i++) {
        uint64_t relative = numbers[i] - numbers[0];
        uint64_t bit = high_at + (shape.low ? (relative >> shape.low) + i : relative);
        encoder->bits[bit >> 6] |= UINT64_C(1) << (bit & 63);
        if (shape.low) {
            store_bits(encoder->bits, low_at, shape.low, relative & low_mask(shape.low));
            low_at += shape.low;
        }
    }
    encoder->n_bits += shape.all_bits;
    encoder->n_pending = 0;
    return STATUS_OK;
}

enum status elias_fano_encode(struct elias_fano_encoder *encoder, const uint64_t *numbers, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        uint64_t number = numbers[i];
        if (encoder->n_pending && number <= encoder->pending[encoder->n_pending - 1])
            return status_fail(STATUS_USAGE, "number %" PRIu64 " comes after %" PRIu64 ", expected ascending numbers",
                               number, encoder->pending[encoder->n_pending - 1]);
        if (encoder->n_pending == ELIAS_FANO_BLOCK) {
            enum status status = flush_block(encoder, number);
            if (status)
                return status;
        }
        encoder->pending[encoder->n_pending++] = number;
        encoder->n_numbers++;
    }
    return STATUS_OK;
}

static size_t directory_bytes(uint64_t n_blocks, unsigned entry_bits)
{
    return (size_t)((n_blocks * entry_bits + 63) / 64 * 8);
}

static size_t code_bytes(uint64_t n_bits)
{
    return (size_t)((n_bits + 63) / 64 * 8);
}

/* Header, directory, code and padding, from an encoder whose last block is written. */
static enum status assemble(const struct elias_fano_encoder *encoder, uint64_t universe, uint8_t **data, size_t *bytes)
{
    unsigned base_bits = width_of(universe ? universe - 1 : 0), offset_bits = width_of(encoder->n_bits);
    size_t n_directory = directory_bytes(encoder->n_blocks, base_bits + offset_bits);
    size_t n_code = code_bytes(encoder->n_bits);
    *bytes = HEADER_BYTES + n_directory + n_code + PAD_BYTES;
    *data = memory_allocate(*bytes, 1);
    uint64_t *directory = memory_allocate(n_directory / 8 + 1, sizeof *directory);
    if (!*data || !directory) {
        free(*data);
        free(directory);
        *data = NULL;
        return STATUS_NO_MEMORY;
    }
    bytes_store_u64(*data, encoder->n_numbers);
    bytes_store_u64(*data + 8, universe);
    bytes_store_u64(*data + 16, encoder->n_bits);
    uint64_t at = 0;
    for (size_t b = 0; b < encoder->n_blocks; b++) {
        if (base_bits)
            store_bits(directory, at, base_bits, encoder->block_base[b]);
        if (offset_bits)
            store_bits(directory, at + base_bits, offset_bits, encoder->block_offset[b]);
        at += base_bits + offset_bits;
    }
    for (size_t i = 0; i < n_directory / 8; i++)
        bytes_store_u64(*data + HEADER_BYTES + 8 * i, directory[i]);
    for (size_t i = 0; i < n_code / 8; i++)
        bytes_store_u64(*data + HEADER_BYTES + n_directory + 8 * i, encoder->bits[i]);
    free(directory);
    return STATUS_OK;
}

enum status elias_fano_encoder_finish(struct elias_fano_encoder *encoder, uint64_t universe, uint8_t **data,
                                      size_t *bytes)
{
    *data = NULL;
    *bytes = 0;
    enum status status = STATUS_OK;
    if (encoder->n_pending) {
        uint64_t last = encoder->pending[encoder->n_pending - 1];
        if (last >= universe)
            status = status_fail(STATUS_USAGE, "number %" PRIu64 " is not below the universe %" PRIu64, last, universe);
        else
            status = flush_block(encoder, universe);
    }
    if (!status)
        status = assemble(encoder, universe, data, bytes);
    elias_fano_encoder_free(encoder);
    return status;
}

void elias_fano_encoder_free(struct elias_fano_encoder *encoder)
{
    if (!encoder)
        return;
    free(encoder->bits);
    free(encoder->block_base);
    free(encoder->block_offset);
    memset(encoder, 0, sizeof *encoder);
}

/* ---- Reader ----------------------------------------------------------------------------------------------------- */

struct block {
    uint64_t base, range, offset;
    unsigned count;
    struct block_shape shape;
};

static inline uint64_t directory_field(const struct elias_fano *set, uint64_t at, unsigned width)
{
    return width ? load_bits(set->directory, at) & low_mask(width) : 0;
}

static inline uint64_t base_of(const struct elias_fano *set, uint64_t block)
{
    return directory_field(set, block * (set->base_bits + set->offset_bits), set->base_bits);
}

static inline struct block block_of(const struct elias_fano *set, uint64_t number)
{
    struct block block;
    uint64_t at = number * (set->base_bits + set->offset_bits);
    bool last = number + 1 == set->n_blocks;
    block.base = directory_field(set, at, set->base_bits);
    block.offset = directory_field(set, at + set->base_bits, set->offset_bits);
    block.range = (last ? set->universe : base_of(set, number + 1)) - block.base;
    block.count = last ? (unsigned)(set->n_numbers - number * ELIAS_FANO_BLOCK) : ELIAS_FANO_BLOCK;
    block.shape = shape_of(block.range, block.count);
    return block;
}

/* Every block begins where the one before ends, holds as many numbers as its range has room for, and all fit. */
static enum status check_directory(const struct elias_fano *set)
{
    uint64_t offset = 0, base = 0;
    for (uint64_t b = 0; b < set->n_blocks; b++) {
        uint64_t end = b + 1 == set->n_blocks ? set->universe : base_of(set, b + 1);
        base = base_of(set, b);
        uint64_t count = b + 1 == set->n_blocks ? set->n_numbers - b * ELIAS_FANO_BLOCK : ELIAS_FANO_BLOCK;
        if (end <= base || end - base < count)
            return status_fail(STATUS_CORRUPT,
                               "Elias-Fano set: block %" PRIu64 " has %" PRIu64 " numbers from %" PRIu64
                               " to below %" PRIu64,
                               b, count, base, end);
        struct block block = block_of(set, b);
        if (block.offset != offset || block.shape.all_bits > set->n_bits - offset)
            return status_fail(STATUS_CORRUPT,
                               "Elias-Fano set: block %" PRIu64 " lies at bit %" PRIu64 ", expected %" PRIu64
                               " and room for %" PRIu64 " bits of %" PRIu64,
                               b, block.offset, offset, block.shape.all_bits, set->n_bits);
        offset += block.shape.all_bits;
    }
    if (offset != set->n_bits)
        return status_fail(STATUS_CORRUPT, "Elias-Fano set: its blocks have %" PRIu64 " bits, its header says %" PRIu64,
                           offset, set->n_bits);
    return STATUS_OK;
}

/* What follows from the header, which must be there. */
static struct elias_fano read_header(const uint8_t *from)
{
    struct elias_fano set = {.directory = from + HEADER_BYTES,
                             .n_numbers = bytes_load_u64(from),
                             .universe = bytes_load_u64(from + 8),
                             .n_bits = bytes_load_u64(from + 16)};
    set.n_blocks = set.n_numbers / ELIAS_FANO_BLOCK + (set.n_numbers % ELIAS_FANO_BLOCK != 0);
    set.base_bits = width_of(set.universe ? set.universe - 1 : 0);
    set.offset_bits = width_of(set.n_bits);
    return set;
}

void elias_fano_open_again(struct elias_fano *out, const void *data)
{
    *out = read_header(data);
    out->code = out->directory + directory_bytes(out->n_blocks, out->base_bits + out->offset_bits);
}

enum status elias_fano_open(struct elias_fano *out, const void *data, size_t bytes)
{
    const uint8_t *from = data;
    memset(out, 0, sizeof *out);
    if (bytes < HEADER_BYTES + PAD_BYTES)
        return status_fail(STATUS_CORRUPT, "Elias-Fano set: %zu bytes, expected at least %d", bytes,
                           HEADER_BYTES + PAD_BYTES);
    struct elias_fano set = read_header(from);
    if (set.n_numbers > set.universe || set.n_numbers > MAX_NUMBERS || set.n_bits / 8 > bytes)
        return status_fail(STATUS_CORRUPT,
                           "Elias-Fano set: %" PRIu64 " numbers below %" PRIu64 " in %" PRIu64 " bits of %zu bytes",
                           set.n_numbers, set.universe, set.n_bits, bytes);
    size_t n_directory = directory_bytes(set.n_blocks, set.base_bits + set.offset_bits);
    if (bytes != HEADER_BYTES + n_directory + code_bytes(set.n_bits) + PAD_BYTES)
        return status_fail(STATUS_CORRUPT,
                           "Elias-Fano set: %zu bytes, expected %zu for %" PRIu64 " numbers below %" PRIu64
                           " in %" PRIu64 " bits",
                           bytes, HEADER_BYTES + n_directory + code_bytes(set.n_bits) + PAD_BYTES, set.n_numbers,
                           set.universe, set.n_bits);
    set.code = set.directory + n_directory;
    enum status status = check_directory(&set);
    if (status)
        return status;
    *out = set;
    return STATUS_OK;
}

unsigned elias_fano_decode(const struct elias_fano *set, uint64_t number, uint64_t out[ELIAS_FANO_BLOCK])
{
    assert(number < set->n_blocks);
    struct block block = block_of(set, number);
    unsigned n = 0;
    /* The high parts first, and then, in a loop of its own that needs no branch, the low parts. */
    for (uint64_t done = 0; done < block.shape.high_bits && n < block.count; done += 64) {
        uint64_t word = load_bits(set->code, block.offset + done);
        if (block.shape.high_bits - done < 64)
            word &= low_mask((unsigned)(block.shape.high_bits - done));
        for (; word && n < block.count; word &= word - 1)
            out[n++] = done + (unsigned)__builtin_ctzll(word);
    }
    for (; n < block.count; n++) /* only where the bytes are damaged */
        out[n] = block.shape.high_bits - 1;
    if (block.shape.low == 0) {
        for (unsigned i = 0; i < n; i++)
            out[i] += block.base;
        return n;
    }
    uint64_t at = block.offset + block.shape.high_bits, mask = low_mask(block.shape.low);
    for (unsigned i = 0; i < n; i++, at += block.shape.low)
        out[i] = block.base + ((out[i] - i) << block.shape.low | (load_bits(set->code, at) & mask));
    return n;
}

enum status elias_fano_validate(const struct elias_fano *set)
{
    uint64_t numbers[ELIAS_FANO_BLOCK];
    for (uint64_t b = 0; b < set->n_blocks; b++) {
        struct block block = block_of(set, b);
        uint64_t n_set = 0;
        for (uint64_t done = 0; done < block.shape.high_bits; done += 64) {
            uint64_t left = block.shape.high_bits - done;
            n_set += (unsigned)__builtin_popcountll(load_bits(set->code, block.offset + done) &
                                                    low_mask(left < 64 ? (unsigned)left : 64));
        }
        unsigned n = elias_fano_decode(set, b, numbers);
        bool ascending = n_set == n && numbers[0] == block.base && numbers[n - 1] - block.base < block.range;
        for (unsigned i = 1; i < n; i++)
            ascending &= numbers[i - 1] < numbers[i];
        if (!ascending)
            return status_fail(STATUS_CORRUPT, "Elias-Fano set: the numbers of block %" PRIu64 " are not ascending", b);
    }
    return STATUS_OK;
}

/* Place in the high part of block where set bit number i is; the end of the high part if the bytes are damaged. */
static uint64_t select_high(const struct elias_fano *set, const struct block *block, unsigned i)
{
    for (uint64_t done = 0; done < block->shape.high_bits; done += 64) {
        uint64_t word = load_bits(set->code, block->offset + done);
        unsigned n = (unsigned)__builtin_popcountll(word);
        if (i < n)
            return done + bits_select(word, i);
        i -= n;
    }
    return block->shape.high_bits;
}

static uint64_t low_part(const struct elias_fano *set, const struct block *block, unsigned i)
{
    return load_bits(set->code, block->offset + block->shape.high_bits + (uint64_t)i * block->shape.low) &
           low_mask(block->shape.low);
}

uint64_t elias_fano_select(const struct elias_fano *set, uint64_t i)
{
    assert(i < set->n_numbers);
    struct block block = block_of(set, i / ELIAS_FANO_BLOCK);
    unsigned within = i % ELIAS_FANO_BLOCK;
    uint64_t high = select_high(set, &block, within);
    if (block.shape.low == 0)
        return block.base + high;
    return block.base + ((high - within) << block.shape.low | low_part(set, &block, within));
}

/* How many numbers of a dense block are below base + relative, which is below base + range. */
static unsigned rank_dense(const struct elias_fano *set, const struct block *block, uint64_t relative)
{
    unsigned rank = 0;
    for (uint64_t done = 0; done < relative; done += 64) {
        uint64_t left = relative - done;
        rank += (unsigned)__builtin_popcountll(load_bits(set->code, block->offset + done) &
                                               low_mask(left < 64 ? (unsigned)left : 64));
    }
    return rank < block->count ? rank : block->count;
}

/*
 * The same in a sparse block: the numbers with the same high part h are the set bits after clear bit number h - 1;
 * they are walked one by one, one or two on average.
 */
static unsigned rank_sparse(const struct elias_fano *set, const struct block *block, uint64_t relative)
{
    uint64_t high = relative >> block->shape.low, low = relative & low_mask(block->shape.low);
    uint64_t at = 0; /* after that clear bit */
    for (uint64_t done = 0, clear = high; clear && done < block->shape.high_bits; done += 64) {
        uint64_t word = ~load_bits(set->code, block->offset + done);
        unsigned n = (unsigned)__builtin_popcountll(word);
        if (clear <= n) {
            at = done + bits_select(word, (unsigned)clear - 1) + 1;
            break;
        }
        clear -= n;
        at = block->shape.high_bits;
    }
    uint64_t rank = at - high; /* set bits before `at`; damaged bytes may make it anything */
    for (; rank < block->count && at < block->shape.high_bits; at++, rank++) {
        if (!(load_bits(set->code, block->offset + at) & 1) || low_part(set, block, (unsigned)rank) >= low)
            break;
    }
    return rank < block->count ? (unsigned)rank : block->count;
}

/* Position of the first number that is not below x; the count if there is none. */
static uint64_t lower_bound(const struct elias_fano *set, uint64_t x)
{
    if (set->n_blocks == 0 || x <= base_of(set, 0))
        return 0;
    if (x >= set->universe)
        return set->n_numbers;
    uint64_t first = 0, end = set->n_blocks; /* base of first <= x, base of end > x */
    while (end - first > 1) {
        uint64_t middle = first + (end - first) / 2;
        if (base_of(set, middle) <= x)
            first = middle;
        else
            end = middle;
    }
    struct block block = block_of(set, first);
    unsigned rank =
        block.shape.low ? rank_sparse(set, &block, x - block.base) : rank_dense(set, &block, x - block.base);
    return first * ELIAS_FANO_BLOCK + rank;
}

bool elias_fano_find(const struct elias_fano *set, uint64_t x, uint64_t *position)
{
    uint64_t at = lower_bound(set, x);
    if (at == set->n_numbers || elias_fano_select(set, at) != x)
        return false;
    *position = at;
    return true;
}
