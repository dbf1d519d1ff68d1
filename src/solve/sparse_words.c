/* sparse_words: packs a piece of a bitmap in few bytes, to send it to another rank. */
#include "solve/sparse_words.h"

#include <string.h>

enum { GROUP = 64 };

static size_t group_size(size_t n_words, size_t first)
{
    return n_words - first < GROUP ? n_words - first : GROUP;
}

/* Bit i: word i, or byte i of a word, is not 0. */
static uint64_t mask_of_words(const uint64_t *words, size_t n)
{
    uint64_t mask = 0;
    for (size_t i = 0; i < n; i++)
        mask |= (uint64_t)(words[i] != 0) << i;
    return mask;
}

static uint8_t mask_of_bytes(uint64_t word)
{
    const uint64_t low = UINT64_MAX / 255; /* 1 in each byte */
    uint64_t any = word | (word >> 4 & 15 * low);
    any |= any >> 2 & 3 * low;
    any = (any | any >> 1) & low;
    return (uint8_t)(any * UINT64_C(0x0102040810204080) >> 56);
}

size_t sparse_words_measure(const uint64_t *words, size_t n_words, uint32_t *n_bits)
{
    size_t bytes = 8;
    *n_bits = 0;
    for (size_t g = 0; g < n_words; g += GROUP) {
        uint64_t mask = mask_of_words(words + g, group_size(n_words, g));
        bytes += mask ? 8 : 0;
        for (; mask; mask &= mask - 1) {
            uint64_t word = words[g + (unsigned)__builtin_ctzll(mask)];
            bytes += 1 + (unsigned)__builtin_popcount(mask_of_bytes(word));
            *n_bits += (uint32_t)__builtin_popcountll(word);
        }
    }
    return bytes;
}

uint8_t *sparse_words_write(const uint64_t *words, size_t n_words, uint8_t *out)
{
    uint64_t groups = 0;
    uint8_t *groups_at = out;
    out += sizeof groups;
    for (size_t g = 0; g < n_words; g += GROUP) {
        uint64_t mask = mask_of_words(words + g, group_size(n_words, g));
        if (!mask)
            continue;
        groups |= UINT64_C(1) << g / GROUP;
        memcpy(out, &mask, sizeof mask);
        out += sizeof mask;
        for (; mask; mask &= mask - 1) {
            uint64_t word = words[g + (unsigned)__builtin_ctzll(mask)];
            uint8_t bytes = mask_of_bytes(word);
            *out++ = bytes;
            for (unsigned left = bytes; left; left &= left - 1)
                *out++ = (uint8_t)(word >> 8 * (unsigned)__builtin_ctz(left));
        }
    }
    memcpy(groups_at, &groups, sizeof groups);
    return out;
}

void sparse_words_add(const uint8_t *code, uint64_t *words)
{
    uint64_t groups, mask;
    memcpy(&groups, code, sizeof groups);
    code += sizeof groups;
    for (; groups; groups &= groups - 1) {
        uint64_t *group = words + (size_t)GROUP * (unsigned)__builtin_ctzll(groups);
        memcpy(&mask, code, sizeof mask);
        code += sizeof mask;
        for (; mask; mask &= mask - 1) {
            uint64_t word = 0;
            for (unsigned left = *code++; left; left &= left - 1)
                word |= (uint64_t)*code++ << 8 * (unsigned)__builtin_ctz(left);
            group[__builtin_ctzll(mask)] |= word;
        }
    }
}
