/* memory: checked allocation, and big zeroed blocks on huge pages. */
#include "base/memory.h"

#include "base/number_text.h"

#include <errno.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { HUGE_PAGE_BYTES = 2 << 20 };

static void fail_allocation(size_t count, size_t size)
{
    status_fail(STATUS_NO_MEMORY, "cannot allocate %s (%zu x %zu bytes); about %s are available",
                TEXT_OF_BYTES((double)count * (double)size), count, size, TEXT_OF_BYTES(memory_available_bytes()));
}

void *memory_allocate(size_t count, size_t size)
{
    /* 0 is allocated as 1 because calloc may return NULL for 0. calloc would check the product too, but sanitizers take
       an overflow there for a mistake of the program. */
    size_t bytes;
    void *room = NULL;
    if (!__builtin_mul_overflow(count, size, &bytes))
        room = calloc(bytes ? bytes : 1, 1);
    if (!room)
        fail_allocation(count, size);
    return room;
}

void *memory_resize(void *old, size_t count, size_t size)
{
    size_t bytes;
    void *room = NULL;
    if (!__builtin_mul_overflow(count, size, &bytes))
        room = realloc(old, bytes ? bytes : 1);
    if (!room)
        fail_allocation(count, size);
    return room;
}

void *memory_grow(void *array, size_t n, size_t *room, size_t least, size_t size)
{
    size_t wanted = *room ? *room : least;
    while (wanted < n)
        wanted *= 2;
    void *grown = wanted == *room ? array : memory_resize(array, wanted, size);
    if (grown)
        *room = wanted;
    return grown;
}

char *memory_copy_text(const char *text)
{
    size_t bytes = strlen(text) + 1;
    char *copy = memory_allocate(bytes, 1);
    return copy ? memcpy(copy, text, bytes) : NULL;
}

static size_t round_up_to_huge(size_t bytes)
{
    return (bytes + HUGE_PAGE_BYTES - 1) & ~(size_t)(HUGE_PAGE_BYTES - 1);
}

#ifdef __EMSCRIPTEN__ /* WebAssembly has one memory without pages, and mmap there cannot give back a part */

enum { BLOCK_ALIGNMENT = 64 };

static void *map_aligned(size_t bytes)
{
    void *data = aligned_alloc(BLOCK_ALIGNMENT, bytes);
    return data ? memset(data, 0, bytes) : NULL;
}

static void unmap(void *data, size_t bytes)
{
    (void)bytes;
    free(data);
}

#else

/* mmap aligns to 4 KiB only: map one huge page more than needed and give back what sticks out on both sides. */
static void *map_aligned(size_t bytes)
{
    size_t mapped_bytes = bytes + HUGE_PAGE_BYTES;
    char *mapped = mmap(NULL, mapped_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (mapped == MAP_FAILED)
        return NULL;
    size_t before = round_up_to_huge((uintptr_t)mapped) - (uintptr_t)mapped;
    size_t after = HUGE_PAGE_BYTES - before;
    /* Unmapping an end of one's own mapping can fail only if our sums are wrong; then it stays mapped, which is
       safe. */
    if (before)
        munmap(mapped, before);
    if (after)
        munmap(mapped + before + bytes, after);
    return mapped + before;
}

static void unmap(void *data, size_t bytes)
{
    munmap(data, bytes);
}

#endif

enum status memory_block_allocate(struct memory_block *out, size_t bytes)
{
    *out = (struct memory_block){0};
    if (bytes == 0)
        return STATUS_OK;
    void *data = bytes <= SIZE_MAX - 2 * (size_t)HUGE_PAGE_BYTES ? map_aligned(round_up_to_huge(bytes)) : NULL;
    if (!data) {
        fail_allocation(bytes, 1);
        return STATUS_NO_MEMORY;
    }
    *out = (struct memory_block){.data = data, .bytes = bytes};
#ifdef MADV_HUGEPAGE
    /* A block below one huge page would cost a whole one at the first touch and gain nothing. */
    if (bytes >= HUGE_PAGE_BYTES)
        madvise(data, round_up_to_huge(bytes), MADV_HUGEPAGE); /* refused: plain pages, which do as well */
#endif
    return STATUS_OK;
}

void memory_block_free(struct memory_block *block)
{
    if (!block)
        return;
    if (block->data)
        unmap(block->data, round_up_to_huge(block->bytes));
    *block = (struct memory_block){0};
}

/* The first number in a line of `path` that starts with `prefix` ("" for a file that is one number). */
static bool read_number(const char *path, const char *prefix, uint64_t *out)
{
    FILE *file = fopen(path, "re");
    if (!file)
        return false;
    char line[256];
    bool found = false;
    int errno_before = errno; /* a library never sets it to 0 for its caller */
    while (!found && fgets(line, sizeof line, file)) {
        if (strncmp(line, prefix, strlen(prefix)) != 0)
            continue;
        char *digits = line + strlen(prefix), *end;
        errno = 0;
        *out = strtoull(digits, &end, 10);
        found = end != digits && errno == 0; /* "max", no limit, has no digits */
    }
    fclose(file);
    errno = errno_before;
    return found;
}

/*
 * Lowers *room to what is left in the cgroup at `folder`, if it has a limit. Cached file pages count as used there, but
 * the inactive ones are dropped when memory is wanted, so they are not counted here.
 */
static void limit_by_cgroup(const char *folder, const char *limit_name, const char *usage_name, const char *cache_name,
                            uint64_t *room)
{
    char path[PATH_MAX + 64];
    uint64_t limit, usage, cached;
    snprintf(path, sizeof path, "%s/%s", folder, limit_name);
    if (!read_number(path, "", &limit))
        return;
    snprintf(path, sizeof path, "%s/%s", folder, usage_name);
    if (!read_number(path, "", &usage))
        usage = 0;
    snprintf(path, sizeof path, "%s/memory.stat", folder);
    if (!read_number(path, cache_name, &cached))
        cached = 0;
    usage -= cached < usage ? cached : usage;
    uint64_t left = usage < limit ? limit - usage : 0;
    if (left < *room)
        *room = left;
}

/* Each cgroup above the own one may have a tighter limit: reads all of them, up to the root. */
static void limit_by_cgroups_v2(uint64_t *room)
{
    FILE *file = fopen("/proc/self/cgroup", "re");
    if (!file)
        return;
    char line[PATH_MAX], folder[PATH_MAX + 32];
    while (fgets(line, sizeof line, file)) {
        if (strncmp(line, "0::/", 4) != 0)
            continue;
        line[strcspn(line, "\n")] = '\0';
        char *inside = line + 3;
        for (char *slash; (slash = strrchr(inside, '/')) != NULL; *slash = '\0') {
            snprintf(folder, sizeof folder, "/sys/fs/cgroup%s", inside);
            limit_by_cgroup(folder, "memory.max", "memory.current", "inactive_file", room);
        }
    }
    fclose(file);
    /* In a container the mounted root is the own group, whatever path the line above shows. */
    limit_by_cgroup("/sys/fs/cgroup", "memory.max", "memory.current", "inactive_file", room);
}

size_t memory_available_bytes(void)
{
    uint64_t room;
    if (read_number("/proc/meminfo", "MemAvailable:", &room)) {
        room *= 1024;
    } else {
#ifdef _SC_AVPHYS_PAGES
        long pages = sysconf(_SC_AVPHYS_PAGES), page_bytes = sysconf(_SC_PAGESIZE);
        room = pages > 0 && page_bytes > 0 ? (uint64_t)pages * (uint64_t)page_bytes : 0;
#else
        room = 0;
#endif
    }
    limit_by_cgroups_v2(&room);
    limit_by_cgroup("/sys/fs/cgroup/memory", "memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file",
                    &room);
    return room < SIZE_MAX ? (size_t)room : SIZE_MAX;
}

enum status memory_check(uint64_t bytes, const char *what)
{
    size_t available = memory_available_bytes();
    if (available != 0 && bytes > available)
        return status_fail(STATUS_NO_MEMORY, "%s needs %s of memory, %s are free", what, TEXT_OF_BYTES(bytes),
                           TEXT_OF_BYTES(available));
    return STATUS_OK;
}
