/* workers: a pool of threads that stays alive between jobs. */
#include "base/workers.h"

#include "base/memory.h"
#include "base/signals.h"

#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { MESSAGE_BYTES = 1024 };

struct thread_start {
    struct workers *workers;
    unsigned worker;
};

struct workers {
    unsigned n_workers;
    unsigned n_threads; /* started: n_workers - 1 once the pool stands */
    pthread_t *threads;
    struct thread_start *starts;

    /* All below is guarded by the lock. */
    pthread_mutex_t lock;
    pthread_cond_t begin; /* generation or stop changed */
    pthread_cond_t done;  /* n_running reached 0 */
    uint64_t generation;  /* counts runs; a worker that has seen fewer has work to do */
    unsigned n_running;   /* threads still in the present run, worker 0 not counted */
    bool stop;
    workers_job job;
    void *context;
    enum status failure; /* the first of the present run */
    char message[MESSAGE_BYTES];
};

unsigned workers_available(void)
{
#ifdef __EMSCRIPTEN__ /* one thread, and no way to ask */
    return 1;
#else
#ifdef CPU_COUNT
    cpu_set_t allowed; /* covers 1024 processors; with more the call fails and all online ones are counted */
    if (sched_getaffinity(0, sizeof allowed, &allowed) == 0 && CPU_COUNT(&allowed) > 0)
        return (unsigned)CPU_COUNT(&allowed);
#endif
    long online = sysconf(_SC_NPROCESSORS_ONLN);
    return online < 1 ? 1 : online < WORKERS_MAX ? (unsigned)online : WORKERS_MAX;
#endif
}

/* A message belongs to its thread, so the failing worker itself copies it to where the caller can see it. */
static void note_failure(struct workers *workers, enum status status)
{
    if (!status || workers->failure)
        return;
    workers->failure = status;
    snprintf(workers->message, sizeof workers->message, "%s", status_message());
}

static void *thread_main(void *argument)
{
    const struct thread_start *start = argument;
    struct workers *workers = start->workers;
    uint64_t seen = 0;
    pthread_mutex_lock(&workers->lock);
    for (;;) {
        while (workers->generation == seen && !workers->stop)
            pthread_cond_wait(&workers->begin, &workers->lock);
        if (workers->stop)
            break;
        seen = workers->generation;
        workers_job job = workers->job;
        void *context = workers->context;
        pthread_mutex_unlock(&workers->lock);
        enum status status = job(context, start->worker);
        pthread_mutex_lock(&workers->lock);
        note_failure(workers, status);
        if (--workers->n_running == 0)
            pthread_cond_signal(&workers->done);
    }
    pthread_mutex_unlock(&workers->lock);
    return NULL;
}

static enum status start_threads(struct workers *workers)
{
    for (; workers->n_threads + 1 < workers->n_workers; workers->n_threads++) {
        unsigned i = workers->n_threads;
        workers->starts[i] = (struct thread_start){workers, i + 1};
        errno = signals_start_thread(&workers->threads[i], thread_main, &workers->starts[i]);
        if (errno)
            return status_fail_errno(STATUS_IO, "cannot start thread %u of %u; ask for fewer threads", i + 2,
                                     workers->n_workers);
    }
    return STATUS_OK;
}

enum status workers_create(struct workers **out, unsigned n_threads)
{
    *out = NULL;
    if (n_threads == 0)
        n_threads = workers_available();
    if (n_threads > WORKERS_MAX)
        return status_fail(STATUS_USAGE, "%u threads are too many, expected at most %d", n_threads, WORKERS_MAX);
    struct workers *workers = memory_allocate(1, sizeof *workers);
    if (!workers)
        return STATUS_NO_MEMORY;
    workers->n_workers = n_threads;
    /* With default attributes these three cannot fail on any system with futexes. */
    pthread_mutex_init(&workers->lock, NULL);
    pthread_cond_init(&workers->begin, NULL);
    pthread_cond_init(&workers->done, NULL);
    workers->threads = memory_allocate(n_threads, sizeof *workers->threads);
    workers->starts = memory_allocate(n_threads, sizeof *workers->starts);
    enum status status = workers->threads && workers->starts ? start_threads(workers) : STATUS_NO_MEMORY;
    if (status) {
        workers_free(workers);
        return status;
    }
    *out = workers;
    return STATUS_OK;
}

unsigned workers_count(const struct workers *workers)
{
    return workers->n_workers;
}

enum status workers_run(struct workers *workers, workers_job job, void *context)
{
    pthread_mutex_lock(&workers->lock);
    assert(workers->n_running == 0); /* one run at a time */
    workers->job = job;
    workers->context = context;
    workers->failure = STATUS_OK;
    workers->n_running = workers->n_threads;
    workers->generation++;
    pthread_cond_broadcast(&workers->begin);
    pthread_mutex_unlock(&workers->lock);

    enum status own = job(context, 0);

    pthread_mutex_lock(&workers->lock);
    note_failure(workers, own);
    while (workers->n_running > 0)
        pthread_cond_wait(&workers->done, &workers->lock);
    enum status failure = workers->failure;
    if (failure)
        status_fail(failure, "%s", workers->message);
    pthread_mutex_unlock(&workers->lock);
    return failure;
}

struct item_run {
    workers_item_job job;
    void *context;
    uint64_t n_items;
    _Atomic uint64_t next;
    atomic_bool failed;
};

static enum status take_items(void *argument, unsigned worker)
{
    struct item_run *run = argument;
    /* Relaxed is enough: the counter hands out numbers, the pool's lock orders the data. */
    while (!atomic_load_explicit(&run->failed, memory_order_relaxed)) {
        uint64_t item = atomic_fetch_add_explicit(&run->next, 1, memory_order_relaxed);
        if (item >= run->n_items)
            break;
        enum status status = run->job(run->context, worker, item);
        if (status) {
            atomic_store_explicit(&run->failed, true, memory_order_relaxed);
            return status;
        }
    }
    return STATUS_OK;
}

enum status workers_for(struct workers *workers, uint64_t n_items, workers_item_job job, void *context)
{
    struct item_run run = {.job = job, .context = context, .n_items = n_items};
    return workers_run(workers, take_items, &run);
}

void workers_free(struct workers *workers)
{
    if (!workers)
        return;
    pthread_mutex_lock(&workers->lock);
    workers->stop = true;
    pthread_cond_broadcast(&workers->begin);
    pthread_mutex_unlock(&workers->lock);
    for (unsigned i = 0; i < workers->n_threads; i++)
        pthread_join(workers->threads[i], NULL);
    pthread_cond_destroy(&workers->done);
    pthread_cond_destroy(&workers->begin);
    pthread_mutex_destroy(&workers->lock);
    free(workers->starts);
    free(workers->threads);
    free(workers);
}
