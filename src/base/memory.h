/*
 * memory: checked allocation, and big zeroed blocks on huge pages.
 *
 * Tables of a network are read at random, so nearly every read misses the TLB on 4 KiB pages; 2 MiB pages make one TLB
 * entry cover 512 times as much. Small arrays are allocated by memory_allocate() and freed by free(); tables by
 * memory_block_allocate().
 *
 * Every function may be called from any thread at any time.
 */
#ifndef AFTERSTATE_BASE_MEMORY_H
#define AFTERSTATE_BASE_MEMORY_H

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Zeroed room for `count` items of `size` bytes; the caller frees it. A product of 0 gives a pointer that may be freed
 * and not read. NULL, with a message, where the product overflows or there is no memory: the caller returns
 * STATUS_NO_MEMORY.
 */
void *memory_allocate(size_t count, size_t size);

/*
 * `old` (from here or NULL) grown or shrunk to `count` items of `size` bytes, as realloc does; new room is not zeroed.
 * NULL with a message on failure, and then `old` is still valid and still the caller's.
 */
void *memory_resize(void *old, size_t count, size_t size);

/*
 * Makes room for n items of `size` bytes in an array with room for *room (0: NULL), which at least doubles, from
 * `least` on. The array, perhaps moved; NULL with a message on failure, and then the array and *room are as they were.
 */
void *memory_grow(void *array, size_t n, size_t *room, size_t least, size_t size);

/* A copy of `text` that the caller frees; NULL with a message if there is no memory. */
char *memory_copy_text(const char *text);

struct memory_block {
    void *data;   /* aligned to 2 MiB; NULL if bytes is 0 */
    size_t bytes; /* the size requested; its mapping is rounded up to 2 MiB */
};

/*
 * A zeroed block of `bytes` (any number, 0 gives an empty block) in *out. Pages are taken when first touched, huge ones
 * where the kernel grants them. On STATUS_NO_MEMORY *out is zeroed.
 */
enum status memory_block_allocate(struct memory_block *out, size_t bytes);

/* Gives the block back and zeroes *block. NULL and a zeroed struct are fine. */
void memory_block_free(struct memory_block *block);

/*
 * How many bytes could be allocated now without swapping: MemAvailable of Linux, limited by the room that is left in
 * the memory cgroup of this process if it is in one. Elsewhere, free pages by sysconf(). An estimate: other processes
 * take their part. 0 only if nothing could be found out.
 */
size_t memory_available_bytes(void);

/* STATUS_NO_MEMORY, with both figures, if `bytes` more are not available; `what` begins the message. */
enum status memory_check(uint64_t bytes, const char *what);

#endif
