/*
 * Allocations of a program under AddressSanitizer made to fail by inject.so, whose own malloc() never gets there: the
 * sanitizer's comes first. The linker puts these functions in the place of the program's calls (--wrap); those of
 * libraries stay as they are. Without inject.so nothing fails.
 */
#include <dlfcn.h>
#include <errno.h>
#include <stdbool.h>
#include <stddef.h>

extern void *__real_malloc(size_t bytes);
extern void *__real_calloc(size_t n, size_t bytes);
extern void *__real_realloc(void *old, size_t bytes);
extern void *__real_aligned_alloc(size_t alignment, size_t bytes);
extern int __real_posix_memalign(void **out, size_t alignment, size_t bytes);

static bool (*inject_fails)(void); /* set before main() */

__attribute__((constructor)) static void find_inject(void)
{
    *(void **)&inject_fails = dlsym(RTLD_DEFAULT, "inject_fails_allocation");
}

static bool fails(void)
{
    if (!inject_fails || !inject_fails())
        return false;
    errno = ENOMEM;
    return true;
}

void *__wrap_malloc(size_t bytes)
{
    return fails() ? NULL : __real_malloc(bytes);
}

void *__wrap_calloc(size_t n, size_t bytes)
{
    return fails() ? NULL : __real_calloc(n, bytes);
}

void *__wrap_realloc(void *old, size_t bytes)
{
    return fails() ? NULL : __real_realloc(old, bytes);
}

void *__wrap_aligned_alloc(size_t alignment, size_t bytes)
{
    return fails() ? NULL : __real_aligned_alloc(alignment, bytes);
}

int __wrap_posix_memalign(void **out, size_t alignment, size_t bytes)
{
    return fails() ? ENOMEM : __real_posix_memalign(out, alignment, bytes);
}
