/*
 * Any bytes as the codes of a solved table: the first byte says which, an Elias-Fano set or a ribbon map. What opens is
 * asked everything: no call may leave the bytes, and what a valid set says must agree with itself.
 */
#include "solve/elias_fano.h"
#include "solve/ribbon.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_BLOCKS = 1000 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n_bytes);

static void ask_set(const uint8_t *data, size_t n_bytes)
{
    struct elias_fano set;
    uint64_t numbers[ELIAS_FANO_BLOCK], position;
    if (elias_fano_open(&set, data, n_bytes))
        return;
    uint64_t n_blocks = elias_fano_n_blocks(&set);
    bool valid = n_blocks <= MAX_BLOCKS && elias_fano_validate(&set) == STATUS_OK;
    for (uint64_t b = 0; b < n_blocks && b < MAX_BLOCKS; b++) {
        unsigned n = elias_fano_decode(&set, b, numbers);
        for (unsigned i = 0; i < n; i += 17) {
            uint64_t selected = elias_fano_select(&set, b * ELIAS_FANO_BLOCK + i);
            bool found = elias_fano_find(&set, numbers[i], &position);
            if (valid && (selected != numbers[i] || !found || position != b * ELIAS_FANO_BLOCK + i))
                abort();
            if (elias_fano_find(&set, numbers[i] + 1, &position) && position >= elias_fano_count(&set))
                abort();
        }
    }
}

static void ask_map(const uint8_t *data, size_t n_bytes)
{
    struct ribbon map;
    uint64_t keys[100];
    uint8_t values[100];
    if (ribbon_open(&map, data, n_bytes))
        return;
    for (unsigned i = 0; i < 100; i++)
        keys[i] = i * UINT64_C(0x123456789abcd);
    ribbon_find_batch(&map, keys, 100, values);
    for (unsigned i = 0; i < 100; i++) {
        if (values[i] >= RIBBON_VALUES || ribbon_find(&map, keys[i]) != values[i])
            abort();
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n_bytes)
{
    if (n_bytes == 0)
        return 0;
    uint8_t *copy = malloc(n_bytes > 1 ? n_bytes - 1 : 1); /* of its own, so that the sanitizer sees the end */
    if (!copy)
        abort();
    memcpy(copy, data + 1, n_bytes - 1);
    if (data[0] & 1)
        ask_set(copy, n_bytes - 1);
    else
        ask_map(copy, n_bytes - 1);
    free(copy);
    return 0;
}
