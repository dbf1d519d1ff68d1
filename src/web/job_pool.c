/*
 * One mutex guards the queues, what each thread runs, and the flags. Sockets are polled by one more thread, with the
 * mutex free; what it then finds closed it looks up again by the job's number, because the job may be gone by then and
 * its descriptor may belong to another connection.
 */
#include "web/job_pool.h"

#include "base/memory.h"
#include "base/signals.h"

#include <assert.h>
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { WATCH_MS = 50 }; /* a client's going away is seen within this */

struct pool_worker {
    struct job_pool *pool;
    pthread_t thread;
    bool started;
    struct job *job; /* that it runs; NULL for none */
    atomic_bool cancel;
};

struct job_queue {
    struct job *first, *last;
};

struct job_pool {
    pthread_mutex_t lock;
    pthread_cond_t work_came; /* for the workers */
    pthread_cond_t job_came;  /* for the watching thread */
    unsigned n_workers, max_waiting, n_waiting, n_running;
    struct job_queue queues[2]; /* by job->quick */
    unsigned n_quick_in_a_row;  /* taken since one of the others was */
    uint64_t n_numbers;
    bool stopping;
    pthread_t watch;
    bool watch_started;
    struct pollfd *polls; /* what the watching thread polls, and the job of each; room for `room` */
    uint64_t *numbers;
    size_t room;
    struct pool_worker workers[];
};

static void queue_append(struct job_pool *pool, struct job *job)
{
    struct job_queue *queue = &pool->queues[job->quick];
    job->next = NULL;
    if (queue->last)
        queue->last->next = job;
    else
        queue->first = job;
    queue->last = job;
    pool->n_waiting++;
}

/* Removes `job`, which follows `before` (NULL: it is the first) in its queue. */
static void queue_remove(struct job_pool *pool, struct job *before, struct job *job)
{
    struct job_queue *queue = &pool->queues[job->quick];
    if (before)
        before->next = job->next;
    else
        queue->first = job->next;
    if (queue->last == job)
        queue->last = before;
    job->next = NULL;
    pool->n_waiting--;
}

/* Takes the next job from its queue; NULL if none waits. */
static struct job *take_next(struct job_pool *pool)
{
    struct job *quick = pool->queues[true].first, *other = pool->queues[false].first;
    bool takes_quick = quick && (!other || pool->n_quick_in_a_row < JOB_POOL_QUICK_IN_A_ROW);
    struct job *job = takes_quick ? quick : other;
    pool->n_quick_in_a_row = takes_quick ? pool->n_quick_in_a_row + 1 : 0;
    if (job)
        queue_remove(pool, NULL, job);
    return job;
}

/* Cancels the job of that number. It is returned if it waited: the caller then finishes it, with the lock free. */
static struct job *cancel_number(struct job_pool *pool, uint64_t number)
{
    for (unsigned i = 0; i < pool->n_workers; i++)
        if (pool->workers[i].job && pool->workers[i].job->number == number) {
            pool->workers[i].job->cancelled = true;
            atomic_store_explicit(&pool->workers[i].cancel, true, memory_order_relaxed);
            return NULL;
        }
    for (unsigned q = 0; q < 2; q++)
        for (struct job *before = NULL, *job = pool->queues[q].first; job; before = job, job = job->next)
            if (job->number == number) {
                queue_remove(pool, before, job);
                job->cancelled = true;
                return job;
            }
    return NULL;
}

static void *work(void *context)
{
    struct pool_worker *worker = context;
    struct job_pool *pool = worker->pool;
    unsigned index = (unsigned)(worker - pool->workers);
    pthread_mutex_lock(&pool->lock);
    for (;;) {
        struct job *job = take_next(pool);
        if (!job && pool->stopping)
            break;
        if (!job) {
            pthread_cond_wait(&pool->work_came, &pool->lock);
            continue;
        }
        job->cancelled = pool->stopping;
        worker->job = job;
        pool->n_running++;
        atomic_store_explicit(&worker->cancel, pool->stopping, memory_order_relaxed);
        bool wanted = !pool->stopping;
        pthread_mutex_unlock(&pool->lock);
        if (wanted)
            job->run(job, index, &worker->cancel);
        pthread_mutex_lock(&pool->lock);
        worker->job = NULL;
        pool->n_running--;
        pthread_mutex_unlock(&pool->lock);
        job->finished(job);
        pthread_mutex_lock(&pool->lock);
    }
    pthread_mutex_unlock(&pool->lock);
    return NULL;
}

static void watch_job(struct job_pool *pool, const struct job *job, size_t *n)
{
    if (job->socket < 0 || *n == pool->room) /* without room it is watched next time */
        return;
    pool->polls[*n] = (struct pollfd){.fd = job->socket, .events = POLLRDHUP};
    pool->numbers[(*n)++] = job->number;
}

/* Room for all present jobs; what cannot be had is done without. */
static void reserve_polls(struct job_pool *pool)
{
    size_t need = pool->n_waiting + pool->n_running;
    if (need <= pool->room)
        return;
    struct pollfd *polls = memory_resize(pool->polls, need * 2, sizeof *polls);
    if (polls)
        pool->polls = polls;
    uint64_t *numbers = memory_resize(pool->numbers, need * 2, sizeof *numbers);
    if (numbers)
        pool->numbers = numbers;
    if (polls && numbers)
        pool->room = need * 2;
}

static void *watch(void *context)
{
    struct job_pool *pool = context;
    pthread_mutex_lock(&pool->lock);
    while (!pool->stopping) {
        if (pool->n_waiting == 0 && pool->n_running == 0) {
            pthread_cond_wait(&pool->job_came, &pool->lock);
            continue;
        }
        size_t n = 0;
        reserve_polls(pool);
        for (unsigned i = 0; i < pool->n_workers; i++)
            if (pool->workers[i].job)
                watch_job(pool, pool->workers[i].job, &n);
        for (unsigned q = 0; q < 2; q++)
            for (const struct job *job = pool->queues[q].first; job; job = job->next)
                watch_job(pool, job, &n);
        pthread_mutex_unlock(&pool->lock);
        int n_ready = poll(pool->polls, n, WATCH_MS);
        pthread_mutex_lock(&pool->lock);
        struct job *gone = NULL;
        bool any = false;
        for (size_t i = 0; n_ready > 0 && i < n; i++) {
            if (!(pool->polls[i].revents & (POLLRDHUP | POLLHUP | POLLERR)))
                continue;
            any = true;
            struct job *job = cancel_number(pool, pool->numbers[i]);
            if (job) {
                job->next = gone;
                gone = job;
            }
        }
        pthread_mutex_unlock(&pool->lock);
        for (struct job *next; gone; gone = next) {
            next = gone->next;
            gone->finished(gone);
        }
        if (any)
            poll(NULL, 0, WATCH_MS); /* a running job takes its time to stop, and its socket stays ready */
        pthread_mutex_lock(&pool->lock);
    }
    pthread_mutex_unlock(&pool->lock);
    return NULL;
}

enum status job_pool_create(struct job_pool **out, unsigned n_threads, unsigned max_waiting)
{
    assert(n_threads >= 1 && n_threads <= JOB_POOL_MAX_THREADS);
    *out = NULL;
    struct job_pool *pool = memory_allocate(1, sizeof *pool + n_threads * sizeof *pool->workers);
    if (!pool)
        return STATUS_NO_MEMORY;
    pool->n_workers = n_threads;
    pool->max_waiting = max_waiting;
    pthread_mutex_init(&pool->lock, NULL); /* these three cannot fail with default attributes on Linux */
    pthread_cond_init(&pool->work_came, NULL);
    pthread_cond_init(&pool->job_came, NULL);
    int error = signals_start_thread(&pool->watch, watch, pool);
    pool->watch_started = error == 0;
    for (unsigned i = 0; !error && i < n_threads; i++) {
        pool->workers[i].pool = pool;
        error = signals_start_thread(&pool->workers[i].thread, work, &pool->workers[i]);
        pool->workers[i].started = error == 0;
    }
    if (error) {
        job_pool_free(pool);
        return status_fail(STATUS_IO, "cannot start %u threads: %s", n_threads, strerror(error));
    }
    *out = pool;
    return STATUS_OK;
}

bool job_pool_submit(struct job_pool *pool, struct job *job, bool patient)
{
    pthread_mutex_lock(&pool->lock);
    bool taken = !pool->stopping && (patient || pool->n_waiting < pool->max_waiting);
    if (taken) {
        job->cancelled = false;
        job->number = pool->n_numbers++;
        queue_append(pool, job);
        pthread_cond_signal(&pool->work_came);
        pthread_cond_signal(&pool->job_came);
    }
    pthread_mutex_unlock(&pool->lock);
    return taken;
}

struct job_counts job_pool_counts(struct job_pool *pool)
{
    pthread_mutex_lock(&pool->lock);
    struct job_counts counts = {.n_running = pool->n_running, .n_waiting = pool->n_waiting};
    pthread_mutex_unlock(&pool->lock);
    return counts;
}

unsigned job_pool_threads(const struct job_pool *pool)
{
    return pool->n_workers;
}

const atomic_bool *job_pool_cancel_flag(const struct job_pool *pool, unsigned worker)
{
    return &pool->workers[worker].cancel;
}

bool job_pool_is_stopping(struct job_pool *pool)
{
    pthread_mutex_lock(&pool->lock);
    bool stopping = pool->stopping;
    pthread_mutex_unlock(&pool->lock);
    return stopping;
}

void job_pool_stop(struct job_pool *pool)
{
    pthread_mutex_lock(&pool->lock);
    pool->stopping = true; /* the workers finish what waits without running it */
    for (unsigned i = 0; i < pool->n_workers; i++) {
        if (pool->workers[i].job)
            pool->workers[i].job->cancelled = true;
        atomic_store_explicit(&pool->workers[i].cancel, true, memory_order_relaxed);
    }
    pthread_cond_broadcast(&pool->work_came);
    pthread_cond_broadcast(&pool->job_came);
    pthread_mutex_unlock(&pool->lock);
    for (unsigned i = 0; i < pool->n_workers; i++)
        if (pool->workers[i].started)
            pthread_join(pool->workers[i].thread, NULL);
    if (pool->watch_started)
        pthread_join(pool->watch, NULL);
    for (unsigned i = 0; i < pool->n_workers; i++)
        pool->workers[i].started = false;
    pool->watch_started = false;
}

void job_pool_free(struct job_pool *pool)
{
    if (!pool)
        return;
    job_pool_stop(pool);
    pthread_cond_destroy(&pool->job_came);
    pthread_cond_destroy(&pool->work_came);
    pthread_mutex_destroy(&pool->lock);
    free(pool->numbers);
    free(pool->polls);
    free(pool);
}
