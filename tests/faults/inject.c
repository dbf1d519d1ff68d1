/*
 * inject: makes one system call or allocation of a program fail, for tests/faults/run. Loaded by LD_PRELOAD; the
 * program itself knows nothing of it.
 *
 *   INJECT_KIND   allocate, open, read, write, sync, rename, close, map or thread
 *   INJECT_NTH    which call of this kind fails, counting from 1; with INJECT_ON=1 that one and all after it
 *   INJECT_FIRED  a file that is created when a call was made to fail
 *
 * Standard streams are left alone: the message about the fault has to arrive somewhere.
 */
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

enum kind { ALLOCATE, OPEN, READ, WRITE, SYNC, RENAME, CLOSE, MAP, THREAD, N_KINDS };
static const char *const names[N_KINDS] = {"allocate", "open",  "read", "write", "sync",
                                           "rename",   "close", "map",  "thread"};

static int wanted = -1; /* set before main() */
static unsigned long nth;
static bool goes_on;
static const char *fired;
static atomic_ulong n_calls;

__attribute__((constructor)) static void arm(void)
{
    const char *kind = getenv("INJECT_KIND"), *number = getenv("INJECT_NTH"), *on = getenv("INJECT_ON");
    fired = getenv("INJECT_FIRED");
    nth = number ? strtoul(number, NULL, 10) : 0;
    goes_on = on && on[0] == '1';
    for (int i = 0; kind && nth && i < N_KINDS; i++)
        if (strcmp(kind, names[i]) == 0)
            wanted = i;
}

/* Whether this call has to fail. */
static bool fails(enum kind kind)
{
    if ((int)kind != wanted)
        return false;
    unsigned long number = atomic_fetch_add(&n_calls, 1) + 1;
    if (number != nth && !(goes_on && number > nth))
        return false;
    if (fired)
        syscall(SYS_close, (int)syscall(SYS_openat, AT_FDCWD, fired, O_WRONLY | O_CREAT, 0600));
    return true;
}

static int fail_with(int number)
{
    errno = number;
    return -1;
}

static void *no_memory(void)
{
    errno = ENOMEM;
    return NULL;
}

/* ---- allocations: under these names glibc keeps its own */

extern void *__libc_malloc(size_t bytes);
extern void *__libc_calloc(size_t n, size_t bytes);
extern void *__libc_realloc(void *old, size_t bytes);
extern void *__libc_memalign(size_t alignment, size_t bytes);

void *malloc(size_t bytes)
{
    return fails(ALLOCATE) ? no_memory() : __libc_malloc(bytes);
}

void *calloc(size_t n, size_t bytes)
{
    return fails(ALLOCATE) ? no_memory() : __libc_calloc(n, bytes);
}

void *realloc(void *old, size_t bytes)
{
    return fails(ALLOCATE) ? no_memory() : __libc_realloc(old, bytes);
}

void *aligned_alloc(size_t alignment, size_t bytes)
{
    return fails(ALLOCATE) ? no_memory() : __libc_memalign(alignment, bytes);
}

int posix_memalign(void **out, size_t alignment, size_t bytes)
{
    *out = fails(ALLOCATE) ? NULL : __libc_memalign(alignment, bytes);
    return *out ? 0 : ENOMEM;
}

/* ---- files */

static mode_t mode_of(int flags, va_list arguments)
{
    return flags & (O_CREAT | O_TMPFILE) ? (mode_t)va_arg(arguments, int) : 0;
}

int open(const char *path, int flags, ...)
{
    va_list arguments;
    va_start(arguments, flags);
    mode_t mode = mode_of(flags, arguments);
    va_end(arguments);
    return fails(OPEN) ? fail_with(EMFILE) : (int)syscall(SYS_openat, AT_FDCWD, path, flags, mode);
}

int openat(int folder, const char *path, int flags, ...)
{
    va_list arguments;
    va_start(arguments, flags);
    mode_t mode = mode_of(flags, arguments);
    va_end(arguments);
    return fails(OPEN) ? fail_with(EMFILE) : (int)syscall(SYS_openat, folder, path, flags, mode);
}

#define NEXT(type, name) ((type)dlsym(RTLD_NEXT, name))

FILE *fopen(const char *path, const char *mode)
{
    if (fails(OPEN)) {
        errno = EMFILE;
        return NULL;
    }
    return NEXT(FILE * (*)(const char *, const char *), "fopen")(path, mode);
}

DIR *opendir(const char *path)
{
    if (fails(OPEN)) {
        errno = EMFILE;
        return NULL;
    }
    return NEXT(DIR * (*)(const char *), "opendir")(path);
}

ssize_t read(int descriptor, void *data, size_t bytes)
{
    return descriptor > 2 && fails(READ) ? fail_with(EIO) : syscall(SYS_read, descriptor, data, bytes);
}

ssize_t pread(int descriptor, void *data, size_t bytes, off_t at)
{
    return fails(READ) ? fail_with(EIO) : syscall(SYS_pread64, descriptor, data, bytes, at);
}

ssize_t write(int descriptor, const void *data, size_t bytes)
{
    return descriptor > 2 && fails(WRITE) ? fail_with(ENOSPC) : syscall(SYS_write, descriptor, data, bytes);
}

int ftruncate(int descriptor, off_t bytes)
{
    return fails(WRITE) ? fail_with(EIO) : (int)syscall(SYS_ftruncate, descriptor, bytes);
}

int fsync(int descriptor)
{
    return fails(SYNC) ? fail_with(EIO) : (int)syscall(SYS_fsync, descriptor);
}

int rename(const char *from, const char *to)
{
    return fails(RENAME) ? fail_with(EIO) : (int)syscall(SYS_renameat, AT_FDCWD, from, AT_FDCWD, to);
}

int close(int descriptor)
{
    int result = (int)syscall(SYS_close, descriptor); /* also where it fails: so does a network file system */
    return descriptor > 2 && fails(CLOSE) ? fail_with(EIO) : result;
}

void *mmap(void *address, size_t bytes, int protection, int flags, int descriptor, off_t at)
{
    if (fails(MAP)) {
        errno = ENOMEM;
        return MAP_FAILED;
    }
    return (void *)syscall(SYS_mmap, address, bytes, protection, flags, descriptor, at);
}

int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*run)(void *), void *context)
{
    if (fails(THREAD))
        return EAGAIN;
    return NEXT(int (*)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *),
                "pthread_create")(thread, attributes, run, context);
}
