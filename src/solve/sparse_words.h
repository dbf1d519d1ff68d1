/*
 * sparse_words: a piece of a bitmap as bytes to send to another rank: small where few bits are set, never much larger
 * than the bitmap. Masks say which groups of 64 words, which words of a group and which bytes of a word are not 0, and
 * those bytes follow:
 *
 *     mask of groups | for each group: mask of words | for each word: mask of bytes, 8 bits | its bytes
 *
 * A lone bit of an empty region takes two bytes and its share of the masks, as Elias-Fano codes do, at a fraction of
 * their time. The bytes come from ranks of the same job and are not checked.
 */
#ifndef AFTERSTATE_SOLVE_SPARSE_WORDS_H
#define AFTERSTATE_SOLVE_SPARSE_WORDS_H

#include <stddef.h>
#include <stdint.h>

enum { SPARSE_PIECE_WORDS = 4096, SPARSE_MAX_BYTES = 8 + 64 * 8 + 9 * SPARSE_PIECE_WORDS };

/* Bytes of the code of words[0 .. n_words-1], n_words at most SPARSE_PIECE_WORDS, and in *n_bits how many are set. */
size_t sparse_words_measure(const uint64_t *words, size_t n_words, uint32_t *n_bits);

/* Writes the code; returns its end. */
uint8_t *sparse_words_write(const uint64_t *words, size_t n_words, uint8_t *out);

/* Sets the bits of a code in words, beside those that are set already. */
void sparse_words_add(const uint8_t *code, uint64_t *words);

#endif
