/* blas: the functions of OpenBLAS and LAPACKE that this program calls, loaded when they are first needed. */
#include "base/blas.h"

#include "base/number_text.h"

#include <assert.h>
#include <dlfcn.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/mman.h>

/* The names under which Debian and most others install them: the version of the interface is part of the name. */
#define OPENBLAS_FILE "libopenblas.so.0"
#define LAPACKE_FILE  "liblapacke.so.3"

/*
 * Address space that must be free before OpenBLAS is loaded: its code and data take 40 MiB and its constructor maps
 * buffers of 32 MiB a processor and tries for ever where it gets none.
 */
enum { ROOM_MIB = 512 };

/* How calls are kept on one thread; see blas.h. */
enum scope_kind { SCOPE_NONE, SCOPE_OPENMP, SCOPE_LOCK };

/* The loaded libraries: a property of the process, as the dynamic linker's own list is. Written once, under the
   lock. */
static struct {
    pthread_mutex_t load_lock, call_lock;
    atomic_bool has_blas, has_lapack;
    struct blas functions;
    enum scope_kind scope;
    int (*get_max_threads)(void);
    void (*set_threads)(int n_threads);
} loaded = {.load_lock = PTHREAD_MUTEX_INITIALIZER, .call_lock = PTHREAD_MUTEX_INITIALIZER};

static enum status check_room(void)
{
    size_t bytes = (size_t)ROOM_MIB << 20;
    void *room = mmap(NULL, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (room == MAP_FAILED)
        return status_fail(STATUS_NO_MEMORY, "cannot load " OPENBLAS_FILE ": it needs %s of address space (ulimit -v)",
                           TEXT_OF_BYTES(bytes));
    munmap(room, bytes);
    return STATUS_OK;
}

static enum status open_library(void **library, const char *file, const char *package)
{
    *library = dlopen(file, RTLD_NOW | RTLD_LOCAL);
    if (*library)
        return STATUS_OK;
    const char *reason = dlerror();
    return status_fail(STATUS_IO, "neural networks and least squares need %s (Debian: %s): %s", file, package,
                       reason ? reason : "cannot be loaded");
}

/* POSIX lets a pointer from dlsym() be a function; ISO C has no cast for it, so the bytes are copied by a union. */
static bool find_function(void *library, const char *name, void *function)
{
    union {
        void *data;
        void (*code)(void);
    } symbol = {.data = dlsym(library, name)};
    *(void (**)(void))function = symbol.code;
    return symbol.data != NULL;
}

static void choose_scope(void *library)
{
    int (*get_parallel)(void);
    int parallel = find_function(library, "openblas_get_parallel", &get_parallel) ? get_parallel() : OPENBLAS_THREAD;
    if (parallel == OPENBLAS_SEQUENTIAL)
        loaded.scope = SCOPE_LOCK;
    else if (parallel == OPENBLAS_OPENMP && find_function(library, "omp_get_max_threads", &loaded.get_max_threads) &&
             find_function(library, "omp_set_num_threads", &loaded.set_threads))
        loaded.scope = SCOPE_OPENMP;
    else
        loaded.scope = SCOPE_NONE;
}

static enum status load_blas(void)
{
    void *library;
    enum status status = check_room();
    if (!status)
        status = open_library(&library, OPENBLAS_FILE, "libopenblas0-openmp");
    if (status)
        return status;
    struct blas *to = &loaded.functions;
    if (!find_function(library, "cblas_sgemm", &to->sgemm) || !find_function(library, "cblas_dgemm", &to->dgemm) ||
        !find_function(library, "cblas_dgemv", &to->dgemv) || !find_function(library, "cblas_dscal", &to->dscal) ||
        !find_function(library, "cblas_ddot", &to->ddot))
        return status_fail(STATUS_IO, OPENBLAS_FILE ": lacks a function of CBLAS");
    choose_scope(library);
    atomic_store_explicit(&loaded.has_blas, true, memory_order_release);
    return STATUS_OK;
}

static enum status load_lapack(void)
{
    void *library;
    enum status status = open_library(&library, LAPACKE_FILE, "liblapacke");
    if (status)
        return status;
    if (!find_function(library, "LAPACKE_dgesdd", &loaded.functions.dgesdd))
        return status_fail(STATUS_IO, LAPACKE_FILE ": lacks LAPACKE_dgesdd");
    atomic_store_explicit(&loaded.has_lapack, true, memory_order_release);
    return STATUS_OK;
}

enum status blas_load(enum blas_part part)
{
    enum status status = STATUS_OK;
    pthread_mutex_lock(&loaded.load_lock);
    if (!atomic_load(&loaded.has_blas))
        status = load_blas();
    if (!status && part == BLAS_AND_LAPACK && !atomic_load(&loaded.has_lapack))
        status = load_lapack();
    pthread_mutex_unlock(&loaded.load_lock);
    return status;
}

const struct blas *blas_functions(void)
{
    assert(atomic_load_explicit(&loaded.has_blas, memory_order_acquire));
    return &loaded.functions;
}

struct blas_scope blas_enter(void)
{
    struct blas_scope scope = {0};
    switch (loaded.scope) {
    case SCOPE_OPENMP:
        scope.n_threads_before = loaded.get_max_threads();
        loaded.set_threads(1);
        break;
    case SCOPE_LOCK:
        pthread_mutex_lock(&loaded.call_lock);
        break;
    case SCOPE_NONE:
        break;
    }
    return scope;
}

void blas_leave(struct blas_scope scope)
{
    switch (loaded.scope) {
    case SCOPE_OPENMP:
        loaded.set_threads(scope.n_threads_before);
        break;
    case SCOPE_LOCK:
        pthread_mutex_unlock(&loaded.call_lock);
        break;
    case SCOPE_NONE:
        break;
    }
}
