/*
 * inject: makes one system call or allocation of a program fail, for tests/faults/run, or writes down what it does to
 * files, for tests/faults/power. Loaded by LD_PRELOAD; the program itself knows nothing of it.
 *
 *   INJECT_KIND    allocate, open, read, write, sync, rename, close, map or thread
 *   INJECT_NTH     which call of this kind fails, counting from 1; with INJECT_ON=1 that one and all after it
 *   INJECT_FIRED   a file that is created when a call was made to fail
 *   INJECT_RECORD  a file that gets a line for each change of a file or folder:
 *
 *     open DESCRIPTOR PATH          a file or folder that may be written or synced; "create" if it is new
 *     write DESCRIPTOR OFFSET N     and N bytes after the line
 *     truncate DESCRIPTOR N
 *     sync DESCRIPTOR
 *     close DESCRIPTOR
 *     rename FROM<tab>TO
 *     unlink PATH
 *     mkdir PATH
 *
 * Standard streams are unchanged: the message about the fault has to arrive somewhere.
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
#include <sys/stat.h>
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

static int record = -1; /* descriptor of INJECT_RECORD */
static pthread_mutex_t recording = PTHREAD_MUTEX_INITIALIZER;

/* Adds a line, and data after it. Errors would spoil the test silently, so they end it. */
static void record_line(const void *data, size_t bytes, const char *format, ...) __attribute__((format(printf, 3, 4)));
static void record_line(const void *data, size_t bytes, const char *format, ...)
{
    char line[2 * 4096 + 64];
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    if (length < 0 || length >= (int)sizeof line || syscall(SYS_write, record, line, (size_t)length) != length ||
        (bytes && syscall(SYS_write, record, data, bytes) != (ssize_t)bytes))
        _exit(99);
}

/* Calls that change files are made under a lock, so that the lines have their order. */
static void begin_change(void)
{
    if (record >= 0)
        pthread_mutex_lock(&recording);
}

static void end_change(void)
{
    if (record >= 0)
        pthread_mutex_unlock(&recording);
}

__attribute__((constructor)) static void arm(void)
{
    const char *path = getenv("INJECT_RECORD");
    if (path)
        record = (int)syscall(SYS_openat, AT_FDCWD, path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
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

/* For allocate.c: its allocations are those of a program under AddressSanitizer. */
bool inject_fails_allocation(void)
{
    return fails(ALLOCATE);
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

static int open_at(int folder, const char *path, int flags, mode_t mode)
{
    struct stat info;
    if (fails(OPEN))
        return fail_with(EMFILE);
    begin_change();
    bool is_new = flags & O_CREAT && fstatat(folder, path, &info, 0) != 0;
    int descriptor = (int)syscall(SYS_openat, folder, path, flags, mode);
    if (record >= 0 && descriptor >= 0 && (flags & (O_WRONLY | O_RDWR | O_DIRECTORY)))
        record_line(NULL, 0, "%s %d %s\n", is_new ? "create" : "open", descriptor, path);
    end_change();
    return descriptor;
}

int open(const char *path, int flags, ...)
{
    va_list arguments;
    va_start(arguments, flags);
    mode_t mode = mode_of(flags, arguments);
    va_end(arguments);
    return open_at(AT_FDCWD, path, flags, mode);
}

int openat(int folder, const char *path, int flags, ...)
{
    va_list arguments;
    va_start(arguments, flags);
    mode_t mode = mode_of(flags, arguments);
    va_end(arguments);
    return open_at(folder, path, flags, mode);
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
    if (descriptor > 2 && fails(WRITE))
        return fail_with(ENOSPC);
    if (record < 0 || descriptor <= 2)
        return syscall(SYS_write, descriptor, data, bytes);
    begin_change();
    ssize_t written = syscall(SYS_write, descriptor, data, bytes);
    if (written > 0)
        record_line(data, (size_t)written, "write %d %lld %lld\n", descriptor,
                    (long long)syscall(SYS_lseek, descriptor, 0, SEEK_CUR) - written, (long long)written);
    end_change();
    return written;
}

int ftruncate(int descriptor, off_t bytes)
{
    if (fails(WRITE))
        return fail_with(EIO);
    begin_change();
    int result = (int)syscall(SYS_ftruncate, descriptor, bytes);
    if (record >= 0 && result == 0)
        record_line(NULL, 0, "truncate %d %lld\n", descriptor, (long long)bytes);
    end_change();
    return result;
}

int fsync(int descriptor)
{
    if (fails(SYNC))
        return fail_with(EIO);
    begin_change();
    int result = (int)syscall(SYS_fsync, descriptor);
    if (record >= 0 && result == 0)
        record_line(NULL, 0, "sync %d\n", descriptor);
    end_change();
    return result;
}

int rename(const char *from, const char *to)
{
    if (fails(RENAME))
        return fail_with(EIO);
    begin_change();
    int result = (int)syscall(SYS_renameat, AT_FDCWD, from, AT_FDCWD, to);
    if (record >= 0 && result == 0)
        record_line(NULL, 0, "rename %s\t%s\n", from, to);
    end_change();
    return result;
}

int unlink(const char *path)
{
    begin_change();
    int result = (int)syscall(SYS_unlinkat, AT_FDCWD, path, 0);
    if (record >= 0 && result == 0)
        record_line(NULL, 0, "unlink %s\n", path);
    end_change();
    return result;
}

int mkdir(const char *path, mode_t mode)
{
    begin_change();
    int result = (int)syscall(SYS_mkdirat, AT_FDCWD, path, mode);
    if (record >= 0 && result == 0)
        record_line(NULL, 0, "mkdir %s\n", path);
    end_change();
    return result;
}

int close(int descriptor)
{
    begin_change();
    int result = (int)syscall(SYS_close, descriptor); /* also where it fails: so does a network file system */
    if (record >= 0 && result == 0)
        record_line(NULL, 0, "close %d\n", descriptor);
    end_change();
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
