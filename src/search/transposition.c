/* transposition: values of afterstates that were searched before, for any number of threads without locks. */
#include "search/transposition.h"

#include <stdatomic.h>
#include <string.h>

struct transposition_entry {
    _Atomic uint64_t version;
    _Atomic uint64_t cells;
    _Atomic uint64_t high_and_chance;
    _Atomic uint64_t plies_and_value; /* plies in the high half; 0 in an empty entry */
};

enum { BUCKET = 2 };
_Static_assert(BUCKET * sizeof(struct transposition_entry) == 64, "a bucket is a cache line");

/* A key as an entry holds it. */
struct words {
    uint64_t cells, high_and_chance;
};

static struct words words_of(const struct transposition_key *key)
{
    uint32_t chance;
    memcpy(&chance, &key->chance, sizeof chance);
    return (struct words){.cells = key->board.cells, .high_and_chance = key->board.high | (uint64_t)chance << 32};
}

enum status transposition_create(struct transposition *table, size_t bytes)
{
    size_t bucket_bytes = BUCKET * sizeof(struct transposition_entry), n = 1;
    while (n <= bytes / bucket_bytes / 2)
        n *= 2;
    enum status status = memory_block_allocate(&table->block, n * bucket_bytes);
    table->entries = table->block.data;
    table->bucket_mask = n - 1;
    return status;
}

void transposition_free(struct transposition *table)
{
    if (!table)
        return;
    memory_block_free(&table->block);
    *table = (struct transposition){0};
}

void transposition_clear(struct transposition *table)
{
    memset(table->block.data, 0, table->block.bytes);
}

static struct transposition_entry *bucket_of(const struct transposition *table, const struct transposition_key *key)
{
    struct words words = words_of(key);
    uint64_t hash = (words.cells ^ words.high_and_chance * UINT64_C(0xc2b2ae3d27d4eb4f)) + key->plies;
    hash *= UINT64_C(0x9e3779b97f4a7c15);
    hash ^= hash >> 32;
    hash *= UINT64_C(0x9e3779b97f4a7c15);
    return table->entries + BUCKET * (hash >> 20 & table->bucket_mask);
}

bool transposition_find(const struct transposition *table, const struct transposition_key *key, float *value)
{
    struct transposition_entry *bucket = bucket_of(table, key);
    struct words words = words_of(key);
    for (unsigned i = 0; i < BUCKET; i++) {
        struct transposition_entry *entry = &bucket[i];
        uint64_t version = atomic_load_explicit(&entry->version, memory_order_acquire);
        uint64_t cells = atomic_load_explicit(&entry->cells, memory_order_acquire);
        uint64_t high = atomic_load_explicit(&entry->high_and_chance, memory_order_acquire);
        uint64_t found = atomic_load_explicit(&entry->plies_and_value, memory_order_acquire);
        if (cells != words.cells || high != words.high_and_chance || found >> 32 != key->plies || version & 1 ||
            atomic_load_explicit(&entry->version, memory_order_relaxed) != version)
            continue;
        uint32_t bits = (uint32_t)found;
        memcpy(value, &bits, sizeof *value);
        return true;
    }
    return false;
}

void transposition_store(struct transposition *table, const struct transposition_key *key, float value)
{
    struct transposition_entry *bucket = bucket_of(table, key);
    struct words words = words_of(key);
    /* The second entry is for whatever comes; the first keeps what cost more. */
    uint64_t held = atomic_load_explicit(&bucket[0].plies_and_value, memory_order_relaxed) >> 32;
    struct transposition_entry *entry = key->plies >= held ? &bucket[0] : &bucket[1];
    uint64_t version = atomic_load_explicit(&entry->version, memory_order_relaxed);
    if (version & 1 || !atomic_compare_exchange_strong_explicit(&entry->version, &version, version + 1,
                                                                memory_order_acquire, memory_order_relaxed))
        return;
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    /* Release stores: a reader that sees one of these words sees the odd version too. */
    atomic_store_explicit(&entry->cells, words.cells, memory_order_release);
    atomic_store_explicit(&entry->high_and_chance, words.high_and_chance, memory_order_release);
    atomic_store_explicit(&entry->plies_and_value, (uint64_t)key->plies << 32 | bits, memory_order_release);
    atomic_store_explicit(&entry->version, version + 2, memory_order_release);
}
