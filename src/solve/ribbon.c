/*
 * Retrieval by linear equations over two elements. Each value bit has a row of m unknown bits, the slots. A key's hash
 * gives a place to start and 64 coefficients (the first is 1), and the slots are to be such that the bits under the
 * coefficients, added up, give the key's value. As all equations are ribbons of 64 neighbouring slots, elimination
 * works within a narrow band: an equation takes the slot of its first coefficient, or, if that is taken, has the
 * equation there added to it and continues to the right, where it ends up in a free slot or at 0 = something.
 *
 * Bumped (Dillinger, Huebschle-Schneider, Sanders, Walzer 2022): there are fewer slots than keys, and the keys that do
 * not fit go to a next, much smaller layer of the same kind. To know later which keys went, they are grouped in buckets
 * of 128 starts, and each bucket has a threshold of two bits: keys that start below it are bumped. A bucket's keys are
 * added from right to left in three groups, because those at its left compete with what flows over from the bucket
 * before; a group that does not fit as a whole is taken out again (elimination changes no equation that has its slot,
 * so taking out is freeing slots) and bumped, with those left of it. The overload keeps nearly all slots in use:
 *
 * 2 bits a slot and 2 bits of threshold for each 128 slots are 2.016 bits a key, and that is nearly all.
 *
 * The last layer has more slots than keys and bumps nothing; where it cannot be solved it grows. Sizes in bits a key,
 * header and padding included, random values:
 *
 *     keys     100   1,000   10,000   48,000   2 million   48 million
 *     bits    5.76    2.37     2.07     2.03       2.017        2.0165
 *
 * Thresholds of 20 and 52 with 60 slots for 64 keys are one of eight settings tried with 2 million random keys; all of
 * them took 2.0168 to 2.0199 bits, this one 2.0169.
 */
#include "solve/ribbon.h"

#include "base/memory.h"

#include <assert.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum {
    HEADER_BYTES = 16,
    LAYER_HEADER_BYTES = 8,
    FIRST_ITEMS = 1024,
    LAST_LAYER_KEYS = 1000, /* from here on a layer with spare slots is smaller than two without */
    BUCKETS_A_BYTE = 4,
    PAD_BYTES = 16, /* zeros at the end: the pair of words after any other can be loaded */
    TOP_BYTE = 56,
    VALUE_BITS = 2,
    SLOTS_FOR_64 = 60, /* 64 keys get as many slots: 1 - 4/64 */
};

/* Keys of a bucket that start below the threshold are bumped: none, the left part, a larger one, all. */
static const uint8_t threshold_starts[4] = {0, 20, 52, RIBBON_BUCKET};

#define HASH_BITS  (~UINT64_C(3))
#define VALUE_MASK UINT64_C(3)
#define HASH_STEP  UINT64_C(0x9e3779b97f4a7c14)

/* ---- Hashes ----------------------------------------------------------------------------------------------------- */

/*
 * A hash is 62 random bits above two zeros, where an item has its value: sorting items sorts by start. The steps are
 * one-to-one on 62 bits (the multiplication as any by an odd number, the shift because its top bits stay), so distinct
 * keys have distinct hashes in each layer, and two that are equal are the same key.
 */
static inline uint64_t mix(uint64_t hash)
{
    hash = ((hash ^ hash >> 30) & HASH_BITS) * UINT64_C(0xbf58476d1ce4e5b9);
    hash = ((hash ^ hash >> 27) & HASH_BITS) * UINT64_C(0x94d049bb133111eb);
    return (hash ^ hash >> 31) & HASH_BITS;
}

static inline uint64_t hash_of_key(uint64_t key)
{
    return mix((key << VALUE_BITS) + HASH_STEP);
}

/* The hash that a key has in the next layer. */
static inline uint64_t next_hash(uint64_t hash)
{
    return mix(hash + HASH_STEP);
}

static inline uint64_t start_of(uint64_t hash, uint64_t n_starts)
{
    return (uint64_t)((unsigned __int128)hash * n_starts >> 64);
}

/* Both halves of a product: the high bits of the hash, which are alike among neighbours, reach none of the low ones. */
static inline uint64_t coefficients_of(uint64_t hash)
{
    unsigned __int128 product = (unsigned __int128)hash * UINT64_C(0xa0761d6478bd642f);
    return ((uint64_t)product ^ (uint64_t)(product >> 64)) | 1;
}

/* ---- Builder ---------------------------------------------------------------------------------------------------- */

enum status ribbon_builder_reserve(struct ribbon_builder *builder, size_t n)
{
    if (n <= builder->capacity)
        return STATUS_OK;
    uint64_t *grown = memory_resize(builder->items, n, sizeof *grown);
    if (!grown)
        return STATUS_NO_MEMORY;
    builder->items = grown;
    builder->capacity = n;
    return STATUS_OK;
}

enum status ribbon_builder_add(struct ribbon_builder *builder, uint64_t key, unsigned value)
{
    assert(value < RIBBON_VALUES);
    if (builder->n_items == builder->capacity) {
        enum status status = ribbon_builder_reserve(builder, builder->capacity ? builder->capacity * 2 : FIRST_ITEMS);
        if (status)
            return status;
    }
    builder->items[builder->n_items++] = hash_of_key(key) | value;
    return STATUS_OK;
}

void ribbon_builder_free(struct ribbon_builder *builder)
{
    if (!builder)
        return;
    free(builder->items);
    memset(builder, 0, sizeof *builder);
}

static void sort_by_insertion(uint64_t *items, size_t n)
{
    for (size_t i = 1; i < n; i++) {
        uint64_t item = items[i];
        size_t at = i;
        for (; at > 0 && items[at - 1] > item; at--)
            items[at] = items[at - 1];
        items[at] = item;
    }
}

/* In place, by the byte at `shift` and then by the bytes below it; hashes are random, so pieces shrink fast. */
static void sort_items(uint64_t *items, size_t n, unsigned shift)
{
    enum { DIGITS = 256, SMALL = 32 };
    if (n <= SMALL) {
        sort_by_insertion(items, n);
        return;
    }
    size_t next[DIGITS] = {0}, end[DIGITS];
    for (size_t i = 0; i < n; i++)
        next[items[i] >> shift & (DIGITS - 1)]++;
    for (size_t d = 0, sum = 0; d < DIGITS; d++) {
        sum += next[d];
        end[d] = sum;
        next[d] = sum - next[d];
    }
    for (unsigned d = 0; d < DIGITS; d++) {
        while (next[d] < end[d]) { /* a cycle of exchanges ends where it began */
            uint64_t item = items[next[d]];
            for (unsigned to; (to = item >> shift & (DIGITS - 1)) != d;) {
                uint64_t held = items[next[to]];
                items[next[to]++] = item;
                item = held;
            }
            items[next[d]++] = item;
        }
    }
    for (size_t d = 0, from = 0; shift && d < DIGITS; from = end[d++])
        sort_items(items + from, end[d] - from, shift - 8);
}

/* The equations of a layer, each in the slot of its first coefficient; a free slot has none (0). */
struct band {
    uint64_t *coefficients;
    uint8_t *values;
};

enum placed { PLACED, REDUNDANT, CONTRADICTION };

/* Eliminates an equation into the band; *slot is where it went if PLACED. */
static inline enum placed place(struct band *band, uint64_t hash, unsigned value, uint64_t n_starts, uint64_t *slot)
{
    uint64_t at = start_of(hash, n_starts), coefficients = coefficients_of(hash);
    for (;;) {
        uint64_t there = band->coefficients[at];
        if (there == 0) {
            band->coefficients[at] = coefficients;
            band->values[at] = (uint8_t)value;
            *slot = at;
            return PLACED;
        }
        coefficients ^= there;
        value ^= band->values[at];
        if (coefficients == 0)
            return value ? CONTRADICTION : REDUNDANT;
        unsigned step = (unsigned)__builtin_ctzll(coefficients);
        coefficients >>= step;
        at += step;
    }
}

/* Places items[0 .. n-1], all or none; slots has room for n. */
static bool place_group(struct band *band, const uint64_t *items, size_t n, uint64_t n_starts, uint64_t *slots)
{
    size_t n_slots = 0;
    for (size_t i = 0; i < n; i++) {
        uint64_t slot;
        switch (place(band, items[i] & HASH_BITS, items[i] & VALUE_MASK, n_starts, &slot)) {
        case PLACED:
            slots[n_slots++] = slot;
            break;
        case REDUNDANT:
            break;
        case CONTRADICTION:
            while (n_slots)
                band->coefficients[slots[--n_slots]] = 0;
            return false;
        }
    }
    return true;
}

/* Solves the band from the right into interleaved words, `out` of slots / 64 pairs. Free slots become 0. */
static void solve_band(const struct band *band, uint64_t n_slots, uint8_t *out)
{
    uint64_t low = 0, high = 0; /* the solved bits from the present slot on */
    for (uint64_t at = n_slots; at-- > 0;) {
        uint64_t coefficients = band->coefficients[at] & ~UINT64_C(1);
        unsigned value = band->coefficients[at] ? band->values[at] : 0;
        low <<= 1;
        high <<= 1;
        if (band->coefficients[at]) {
            low |= (value ^ (unsigned)__builtin_parityll(low & coefficients)) & 1;
            high |= ((value >> 1) ^ (unsigned)__builtin_parityll(high & coefficients)) & 1;
        }
        if (at % 64 == 0) {
            bytes_store_u64(out + at / 64 * 16, low);
            bytes_store_u64(out + at / 64 * 16 + 8, high);
        }
    }
}

/* ---- Layers ----------------------------------------------------------------------------------------------------- */

/* The layers solved so far, one after the other in the order of the file. */
struct output {
    uint8_t *data;
    size_t bytes, capacity;
    unsigned n_layers;
    uint64_t n_slots[RIBBON_MAX_LAYERS];
};

static uint64_t starts_of(uint64_t n_slots)
{
    return n_slots - RIBBON_WIDTH + 1;
}

static uint64_t buckets_of(uint64_t n_slots)
{
    return (starts_of(n_slots) + RIBBON_BUCKET - 1) / RIBBON_BUCKET;
}

static size_t slot_bytes(uint64_t n_slots)
{
    return (size_t)(n_slots / 64 * 16);
}

static size_t threshold_bytes(uint64_t n_slots)
{
    return (size_t)((buckets_of(n_slots) + 31) / 32 * 8);
}

static uint8_t *output_room(struct output *output, size_t bytes)
{
    uint8_t *grown = memory_resize(output->data, output->bytes + bytes, 1);
    if (!grown)
        return NULL;
    output->data = grown;
    memset(grown + output->bytes, 0, bytes);
    output->bytes += bytes;
    return grown + output->bytes - bytes;
}

static enum status band_create(struct band *band, uint64_t n_slots)
{
    band->coefficients = memory_allocate(n_slots, sizeof *band->coefficients);
    band->values = band->coefficients ? memory_allocate(n_slots, 1) : NULL;
    return band->values ? STATUS_OK : STATUS_NO_MEMORY;
}

static void band_free(struct band *band)
{
    free(band->coefficients);
    free(band->values);
}

/*
 * Puts the sorted items of one bucket into the band, in three groups from the right, until one does not fit; returns
 * the number of the threshold (threshold_starts). n_bumped items at the front of the bucket are left.
 */
static unsigned fill_bucket(struct band *band, const uint64_t *items, size_t n, uint64_t first_start, uint64_t n_starts,
                            uint64_t *slots, size_t *n_bumped)
{
    size_t end = n;
    for (unsigned threshold = 3; threshold > 0; threshold--) {
        size_t begin = end;
        uint64_t group_start = first_start + threshold_starts[threshold - 1];
        while (begin > 0 && start_of(items[begin - 1] & HASH_BITS, n_starts) >= group_start)
            begin--;
        if (!place_group(band, items + begin, end - begin, n_starts, slots)) {
            *n_bumped = end;
            return threshold;
        }
        end = begin;
    }
    *n_bumped = 0;
    return 0;
}

/* Whether two of the sorted items have the same hash: the same key, or keys that hash alike. */
static bool have_twins(const uint64_t *items, size_t n)
{
    for (size_t i = 1; i < n; i++) {
        if (items[i - 1] >> VALUE_BITS == items[i] >> VALUE_BITS)
            return true;
    }
    return false;
}

static enum status twins_found(void)
{
    return status_fail(STATUS_USAGE, "ribbon map: two keys are equal, expected distinct ones");
}

/* Fills one overloaded layer with the sorted items; the bumped ones are moved to the front, *n_items of them. */
static enum status build_layer(struct output *output, uint64_t *items, size_t *n_items)
{
    uint64_t n_slots = ((uint64_t)*n_items * SLOTS_FOR_64 / 64 + 63) / 64 * 64;
    uint64_t n_starts = starts_of(n_slots), n_buckets = buckets_of(n_slots);
    size_t n_bumped = 0, at = 0, slots_capacity = 0;
    uint64_t *slots = NULL;
    struct band band = {0};
    enum status status = band_create(&band, n_slots);
    uint8_t *room = status ? NULL : output_room(output, threshold_bytes(n_slots) + slot_bytes(n_slots));
    if (!room)
        status = STATUS_NO_MEMORY;
    for (uint64_t b = 0; !status && b < n_buckets; b++) {
        size_t end = at, left;
        while (end < *n_items && start_of(items[end] & HASH_BITS, n_starts) < (b + 1) * RIBBON_BUCKET)
            end++;
        if (end - at > slots_capacity) {
            slots_capacity = 2 * (end - at);
            free(slots);
            slots = memory_allocate(slots_capacity, sizeof *slots);
            if (!slots) {
                status = STATUS_NO_MEMORY;
                break;
            }
        }
        if (have_twins(items + at, end - at)) {
            status = twins_found();
            break;
        }
        unsigned threshold = fill_bucket(&band, items + at, end - at, b * RIBBON_BUCKET, n_starts, slots, &left);
        room[b / BUCKETS_A_BYTE] |= (uint8_t)(threshold << b % BUCKETS_A_BYTE * VALUE_BITS);
        for (size_t i = 0; i < left; i++)
            items[n_bumped++] = next_hash(items[at + i] & HASH_BITS) | (items[at + i] & VALUE_MASK);
        at = end;
    }
    if (!status) {
        solve_band(&band, n_slots, room + threshold_bytes(n_slots));
        output->n_slots[output->n_layers++] = n_slots;
        *n_items = n_bumped;
    }
    free(slots);
    band_free(&band);
    return status;
}

/* The last layer: at least as many slots as items, and more until it can be solved. */
static enum status build_last_layer(struct output *output, const uint64_t *items, size_t n_items)
{
    if (have_twins(items, n_items))
        return twins_found();
    uint64_t *slots = memory_allocate(n_items, sizeof *slots);
    enum status status = slots ? STATUS_OK : STATUS_NO_MEMORY;
    for (uint64_t n_slots = n_items ? (n_items + 63) / 64 * 64 : 64; !status; n_slots += 64) {
        struct band band = {0};
        status = band_create(&band, n_slots);
        bool solved = !status && place_group(&band, items, n_items, starts_of(n_slots), slots);
        if (solved) {
            uint8_t *room = output_room(output, slot_bytes(n_slots));
            if (room)
                solve_band(&band, n_slots, room);
            else
                status = STATUS_NO_MEMORY;
            output->n_slots[output->n_layers++] = n_slots;
        }
        band_free(&band);
        if (solved)
            break;
    }
    free(slots);
    return status;
}

static enum status assemble(const struct output *output, uint64_t n_keys, uint8_t **data, size_t *bytes)
{
    size_t header = HEADER_BYTES + output->n_layers * (size_t)LAYER_HEADER_BYTES;
    *bytes = header + output->bytes + PAD_BYTES;
    *data = memory_allocate(*bytes, 1);
    if (!*data)
        return STATUS_NO_MEMORY;
    bytes_store_u64(*data, n_keys);
    bytes_store_u64(*data + 8, output->n_layers);
    for (unsigned layer = 0; layer < output->n_layers; layer++)
        bytes_store_u64(*data + HEADER_BYTES + LAYER_HEADER_BYTES * layer, output->n_slots[layer]);
    if (output->bytes)
        memcpy(*data + header, output->data, output->bytes);
    return STATUS_OK;
}

enum status ribbon_builder_finish(struct ribbon_builder *builder, uint8_t **data, size_t *bytes)
{
    struct output output = {0};
    size_t n_left = builder->n_items;
    enum status status = STATUS_OK;
    *data = NULL;
    *bytes = 0;
    for (bool last = n_left == 0; !status && !last;) {
        sort_items(builder->items, n_left, TOP_BYTE);
        last = n_left <= LAST_LAYER_KEYS || output.n_layers == RIBBON_MAX_LAYERS - 1;
        status =
            last ? build_last_layer(&output, builder->items, n_left) : build_layer(&output, builder->items, &n_left);
    }
    if (!status)
        status = assemble(&output, builder->n_items, data, bytes);
    free(output.data);
    ribbon_builder_free(builder);
    return status;
}

/* ---- Reader ----------------------------------------------------------------------------------------------------- */

enum status ribbon_open(struct ribbon *out, const void *data, size_t bytes)
{
    const uint8_t *from = data;
    struct ribbon ribbon = {0};
    memset(out, 0, sizeof *out);
    if (bytes < HEADER_BYTES + PAD_BYTES)
        return status_fail(STATUS_CORRUPT, "ribbon map: %zu bytes, expected at least %d", bytes,
                           HEADER_BYTES + PAD_BYTES);
    ribbon.n_keys = bytes_load_u64(from);
    uint64_t n_layers = bytes_load_u64(from + 8);
    if (n_layers > RIBBON_MAX_LAYERS || (n_layers == 0) != (ribbon.n_keys == 0) ||
        bytes < HEADER_BYTES + PAD_BYTES + n_layers * LAYER_HEADER_BYTES)
        return status_fail(STATUS_CORRUPT, "ribbon map: %" PRIu64 " keys in %" PRIu64 " layers in %zu bytes",
                           ribbon.n_keys, n_layers, bytes);
    ribbon.n_layers = (unsigned)n_layers;
    size_t at = HEADER_BYTES + ribbon.n_layers * (size_t)LAYER_HEADER_BYTES;
    for (unsigned i = 0; i < ribbon.n_layers; i++) {
        struct ribbon_layer *layer = &ribbon.layers[i];
        bool last = i + 1 == ribbon.n_layers;
        size_t left = bytes - PAD_BYTES - at;
        uint64_t n_slots = bytes_load_u64(from + HEADER_BYTES + LAYER_HEADER_BYTES * i);
        if (n_slots == 0 || n_slots % 64 != 0 || n_slots / 4 > left)
            return status_fail(STATUS_CORRUPT, "ribbon map: layer %u has %" PRIu64 " slots with %zu bytes left", i,
                               n_slots, left);
        size_t n_thresholds = last ? 0 : threshold_bytes(n_slots);
        if (n_thresholds + slot_bytes(n_slots) > left)
            return status_fail(STATUS_CORRUPT, "ribbon map: layer %u needs %zu bytes, %zu are left", i,
                               n_thresholds + slot_bytes(n_slots), left);
        layer->n_starts = starts_of(n_slots);
        layer->thresholds = last ? NULL : from + at;
        layer->slots = from + at + n_thresholds;
        at += n_thresholds + slot_bytes(n_slots);
    }
    if (at + PAD_BYTES != bytes)
        return status_fail(STATUS_CORRUPT, "ribbon map: %zu bytes, expected %zu", bytes, at + PAD_BYTES);
    *out = ribbon;
    return STATUS_OK;
}

/* The bits under the coefficients from slot `start` on, added up, for both bits of the value. */
static inline unsigned value_at(const struct ribbon_layer *layer, uint64_t start, uint64_t coefficients)
{
    const uint8_t *pair = layer->slots + start / 64 * 16;
    unsigned shift = start % 64;
    uint64_t low = bytes_load_u64(pair) >> shift | bytes_load_u64(pair + 16) << 1 << (63 - shift);
    uint64_t high = bytes_load_u64(pair + 8) >> shift | bytes_load_u64(pair + 24) << 1 << (63 - shift);
    return (unsigned)__builtin_parityll(low & coefficients) | (unsigned)__builtin_parityll(high & coefficients) << 1;
}

static inline bool is_bumped(const struct ribbon_layer *layer, uint64_t start)
{
    if (!layer->thresholds)
        return false;
    uint64_t bucket = start / RIBBON_BUCKET;
    unsigned threshold = layer->thresholds[bucket / BUCKETS_A_BYTE] >> bucket % BUCKETS_A_BYTE * 2 & 3;
    return start % RIBBON_BUCKET < threshold_starts[threshold];
}

static inline unsigned find_by_hash(const struct ribbon *ribbon, uint64_t hash)
{
    for (unsigned i = 0;; i++) {
        const struct ribbon_layer *layer = &ribbon->layers[i];
        uint64_t start = start_of(hash, layer->n_starts);
        if (!is_bumped(layer, start))
            return value_at(layer, start, coefficients_of(hash));
        hash = next_hash(hash);
    }
}

unsigned ribbon_find(const struct ribbon *ribbon, uint64_t key)
{
    return ribbon->n_keys ? find_by_hash(ribbon, hash_of_key(key)) : 0;
}

void ribbon_find_batch(const struct ribbon *ribbon, const uint64_t *keys, size_t n, uint8_t *values)
{
    enum { GROUP = 32 };
    uint64_t hashes[GROUP];
    if (ribbon->n_keys == 0) {
        memset(values, 0, n);
        return;
    }
    const struct ribbon_layer *layer = &ribbon->layers[0];
    for (size_t first = 0; first < n; first += GROUP) {
        size_t count = n - first < GROUP ? n - first : GROUP;
        for (size_t i = 0; i < count; i++) {
            hashes[i] = hash_of_key(keys[first + i]);
            __builtin_prefetch(layer->slots + start_of(hashes[i], layer->n_starts) / 64 * 16);
        }
        for (size_t i = 0; i < count; i++)
            values[first + i] = (uint8_t)find_by_hash(ribbon, hashes[i]);
    }
}
