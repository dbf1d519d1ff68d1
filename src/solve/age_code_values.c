/* age_code_values: the values of one age as bytes, in groups with a width of their own. */
#include "solve/age_code.h"

#include "base/bytes.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    GROUP_ENTRY_BYTES = 16, /* of a group of values: smallest, width and offset */
    MAX_VALUE_WIDTH = CODE_VALUE_BITS + CODE_MAX_FRACTION_BITS,
};

struct value_writing {
    const struct solve_rules *rules;
    const void *values;
    uint64_t n;
    unsigned fraction_bits;
    uint64_t *base;  /* of each group: the smallest */
    uint8_t *width;  /* bits of the others above it */
    uint64_t *first; /* first word */
    uint64_t *words;
};

static uint64_t quantise(const struct value_writing *writing, uint64_t i)
{
    return (uint64_t)llrint(solve_value_at(writing->rules, writing->values, i) *
                            (double)(UINT64_C(1) << writing->fraction_bits));
}

static uint64_t group_size(uint64_t n, uint64_t group)
{
    uint64_t left = n - group * CODE_VALUE_GROUP;
    return left < CODE_VALUE_GROUP ? left : CODE_VALUE_GROUP;
}

static enum status measure_group(void *context, unsigned worker, uint64_t group)
{
    struct value_writing *writing = context;
    uint64_t least = UINT64_MAX, most = 0, first = group * CODE_VALUE_GROUP;
    (void)worker;
    for (uint64_t i = 0; i < group_size(writing->n, group); i++) {
        uint64_t q = quantise(writing, first + i);
        least = q < least ? q : least;
        most = q > most ? q : most;
    }
    writing->base[group] = least;
    writing->width[group] = (uint8_t)(most > least ? 64 - __builtin_clzll(most - least) : 0);
    /* Not our mistake where it fails: resume.table may hold any numbers, NaN and negative ones too. */
    if (most >> (CODE_VALUE_BITS + writing->fraction_bits))
        return status_fail(STATUS_CORRUPT, "a value is not between 0 and 2^%d, which no game reaches", CODE_VALUE_BITS);
    return STATUS_OK;
}

static enum status pack_group(void *context, unsigned worker, uint64_t group)
{
    struct value_writing *writing = context;
    uint64_t *words = writing->words + writing->first[group];
    unsigned width = writing->width[group];
    (void)worker;
    for (uint64_t i = 0, bit = 0; width && i < group_size(writing->n, group); i++, bit += width) {
        uint64_t above = quantise(writing, group * CODE_VALUE_GROUP + i) - writing->base[group];
        words[bit / 64] |= above << bit % 64;
        if (bit % 64 + width > 64)
            words[bit / 64 + 1] |= above >> (64 - bit % 64);
    }
    return STATUS_OK;
}

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "packed values are written as they lie in memory");

static enum status pack_values(struct workers *workers, struct value_writing *writing, uint32_t age,
                               struct code_bytes *out)
{
    uint64_t n_groups = (writing->n + CODE_VALUE_GROUP - 1) / CODE_VALUE_GROUP, n_words = 0;
    enum status status = workers_for(workers, n_groups, measure_group, writing);
    if (status)
        return status;
    for (uint64_t i = 0; i < n_groups; i++) {
        writing->first[i] = n_words;
        n_words += (writing->width[i] * group_size(writing->n, i) + 63) / 64;
    }
    size_t bytes = CODE_HEADER_BYTES + n_groups * GROUP_ENTRY_BYTES + n_words * 8;
    uint8_t *data = memory_allocate(bytes, 1);
    if (!data)
        return STATUS_NO_MEMORY;
    bytes_store_u32(data, age);
    bytes_store_u32(data + 4, writing->fraction_bits);
    bytes_store_u64(data + 8, writing->n);
    for (uint64_t i = 0; i < n_groups; i++) {
        uint8_t *entry = data + CODE_HEADER_BYTES + i * GROUP_ENTRY_BYTES;
        bytes_store_u64(entry, writing->base[i]);
        bytes_store_u64(entry + 8, writing->first[i] | (uint64_t)writing->width[i] << 56);
    }
    writing->words =
        (uint64_t *)(data + CODE_HEADER_BYTES + n_groups * GROUP_ENTRY_BYTES); /* malloc aligns, 16s add up */
    *out = (struct code_bytes){data, bytes};
    return workers_for(workers, n_groups, pack_group, writing);
}

enum status value_code_write(struct workers *workers, uint32_t age, const struct solve_rules *rules, const void *values,
                             uint64_t n, unsigned fraction_bits, struct code_bytes *out)
{
    *out = (struct code_bytes){0};
    assert(fraction_bits <= CODE_MAX_FRACTION_BITS);
    uint64_t n_groups = (n + CODE_VALUE_GROUP - 1) / CODE_VALUE_GROUP;
    struct value_writing writing = {.rules = rules, .values = values, .n = n, .fraction_bits = fraction_bits};
    writing.base = memory_allocate(n_groups, sizeof *writing.base);
    writing.width = memory_allocate(n_groups, sizeof *writing.width);
    writing.first = memory_allocate(n_groups, sizeof *writing.first);
    enum status status = STATUS_NO_MEMORY;
    if (writing.base && writing.width && writing.first)
        status = pack_values(workers, &writing, age, out);
    free(writing.base);
    free(writing.width);
    free(writing.first);
    return status;
}

enum status value_code_join(const struct code_bytes *parts, unsigned n_parts, struct code_bytes *out)
{
    uint64_t n = 0, n_words = 0;
    size_t bytes = CODE_HEADER_BYTES, groups_bytes = 0;
    for (unsigned i = 0; i < n_parts; i++) {
        uint64_t here = bytes_load_u64(parts[i].data + 8);
        assert(n % CODE_VALUE_GROUP == 0 || here == 0);
        n += here;
        groups_bytes += (here + CODE_VALUE_GROUP - 1) / CODE_VALUE_GROUP * GROUP_ENTRY_BYTES;
        bytes += parts[i].bytes - CODE_HEADER_BYTES;
    }
    uint8_t *data = memory_allocate(bytes, 1);
    *out = (struct code_bytes){data, data ? bytes : 0};
    if (!data)
        return STATUS_NO_MEMORY;
    uint8_t *entry = data + CODE_HEADER_BYTES;
    memcpy(data, parts[0].data, 8);
    bytes_store_u64(data + 8, n);
    for (unsigned i = 0; i < n_parts; i++) {
        const uint8_t *from = parts[i].data + CODE_HEADER_BYTES;
        uint64_t here = bytes_load_u64(parts[i].data + 8);
        uint64_t n_groups = (here + CODE_VALUE_GROUP - 1) / CODE_VALUE_GROUP;
        for (uint64_t k = 0; k < n_groups; k++, entry += GROUP_ENTRY_BYTES, from += GROUP_ENTRY_BYTES) {
            memcpy(entry, from, 8);
            bytes_store_u64(entry + 8, bytes_load_u64(from + 8) + n_words); /* the width above is not touched */
        }
        size_t words_bytes = parts[i].bytes - CODE_HEADER_BYTES - n_groups * GROUP_ENTRY_BYTES;
        memcpy(data + CODE_HEADER_BYTES + groups_bytes + 8 * n_words, from, words_bytes);
        n_words += words_bytes / 8;
    }
    return STATUS_OK;
}

enum status value_code_open(struct value_code *out, const void *data, size_t bytes)
{
    *out = (struct value_code){0};
    if (bytes < CODE_HEADER_BYTES)
        return status_fail(STATUS_CORRUPT, "the values of an age have %zu bytes, their header alone has %d", bytes,
                           CODE_HEADER_BYTES);
    uint32_t age = bytes_load_u32(data), fraction_bits = bytes_load_u32((const uint8_t *)data + 4);
    uint64_t n = bytes_load_u64((const uint8_t *)data + 8);
    uint64_t n_groups = n / CODE_VALUE_GROUP + (n % CODE_VALUE_GROUP != 0);
    if (fraction_bits > CODE_MAX_FRACTION_BITS || n_groups > (bytes - CODE_HEADER_BYTES) / GROUP_ENTRY_BYTES)
        return status_fail(STATUS_CORRUPT, "age %u promises %llu values of %u fraction bits in %zu bytes", age,
                           (unsigned long long)n, fraction_bits, bytes);
    const uint8_t *groups = (const uint8_t *)data + CODE_HEADER_BYTES;
    uint64_t words = 0;
    for (uint64_t i = 0; i < n_groups; i++) {
        uint64_t packed = bytes_load_u64(groups + i * GROUP_ENTRY_BYTES + 8), width = packed >> 56;
        if (width > MAX_VALUE_WIDTH || (packed & (UINT64_MAX >> 8)) != words)
            return status_fail(STATUS_CORRUPT, "the values of age %u are damaged at group %llu", age,
                               (unsigned long long)i);
        words += (width * group_size(n, i) + 63) / 64;
    }
    size_t left = bytes - CODE_HEADER_BYTES - n_groups * GROUP_ENTRY_BYTES;
    if (left % 8 || words != left / 8)
        return status_fail(STATUS_CORRUPT, "the values of age %u have %zu bytes, expected %llu", age, left,
                           (unsigned long long)words * 8);
    *out = (struct value_code){age, fraction_bits, n, groups, groups + n_groups * GROUP_ENTRY_BYTES, words};
    return STATUS_OK;
}

double value_code_get(const struct value_code *code, uint64_t position)
{
    assert(position < code->n_values);
    const uint8_t *entry = code->groups + position / CODE_VALUE_GROUP * GROUP_ENTRY_BYTES;
    uint64_t base = bytes_load_u64(entry), packed = bytes_load_u64(entry + 8);
    unsigned width = (unsigned)(packed >> 56);
    uint64_t above = 0;
    if (width) {
        uint64_t bit = position % CODE_VALUE_GROUP * width;
        const uint8_t *word = code->words + 8 * ((packed & (UINT64_MAX >> 8)) + bit / 64);
        above = bytes_load_u64(word) >> bit % 64;
        if (bit % 64 + width > 64)
            above |= bytes_load_u64(word + 8) << (64 - bit % 64);
        above &= (UINT64_C(1) << width) - 1;
    }
    return (double)(base + above) / (double)(UINT64_C(1) << code->fraction_bits);
}
