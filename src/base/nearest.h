/*
 * nearest: the name that a misspelt word probably meant, for error messages. Any thread may call these.
 */
#ifndef AFTERSTATE_BASE_NEAREST_H
#define AFTERSTATE_BASE_NEAREST_H

#include <stddef.h>

/* Words and names longer than this are never near anything. */
enum { NEAREST_MAX_LENGTH = 63 };

/*
 * The number of single-character insertions, deletions, replacements and swaps of neighbours that turn a into b (no
 * place edited twice), letters compared without case. Both at most NEAREST_MAX_LENGTH long.
 */
unsigned nearest_distance(const char *a, const char *b);

/*
 * The one of names[0 .. n-1] that is nearest to `word`: within a third of the word's length (at least one) edits, the
 * first of equals; else the only name that starts with `word`; else NULL. NULL names are skipped. The result is one of
 * the pointers given.
 */
const char *nearest_name(const char *word, const char *const *names, size_t n);

/*
 * The same for names inside an array of structs: `first` is the address of the first struct's name pointer, `stride`
 * the size of the struct, n may be 0. Equal names count as one.
 *
 *     nearest_name_in(word, &keys[0].name, sizeof keys[0], n_keys)
 */
const char *nearest_name_in(const char *word, const char *const *first, size_t stride, size_t n);

#endif
