/*
 * job_pool: a few threads that search, and the short queue of their jobs.
 *
 * Quick jobs are taken before the others, so that a hint of milliseconds does not wait for a dozen searches of half a
 * second; after JOB_POOL_QUICK_IN_A_ROW of them one of the others has its turn. Within each kind jobs are taken in the
 * order they came. The queue is bounded: a job that finds it full is refused at once instead of waiting for minutes. A
 * job may name a socket: a thread of the pool polls the sockets of all present jobs, and when the other side has closed
 * its end the job is cancelled: removed from the queue, or stopped through its cancel flag. So nothing is computed for
 * a client that has gone.
 *
 * A job belongs to the pool from job_pool_submit() until its `finished` is called, once, whatever happened, from a
 * thread of the pool (or from job_pool_stop()). After that call the pool does not touch it any more, so `finished` may
 * free it or submit it again.
 */
#ifndef AFTERSTATE_WEB_JOB_POOL_H
#define AFTERSTATE_WEB_JOB_POOL_H

#include "base/status.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

enum { JOB_POOL_MAX_THREADS = 256, JOB_POOL_QUICK_IN_A_ROW = 8 };

struct job {
    /* Does the work on thread `worker` (0 .. threads-1). *cancel becomes true when the answer is not wanted any
       more. */
    void (*run)(struct job *job, unsigned worker, const atomic_bool *cancel);
    void (*finished)(struct job *job);
    int socket;     /* -1 for none; must stay open until `finished` */
    bool quick;     /* takes milliseconds */
    bool cancelled; /* for `finished`: run() was not called, or was stopped */
    /* Private. */
    uint64_t number;
    struct job *next;
};

struct job_pool;

struct job_counts {
    unsigned n_running, n_waiting;
};

/* n_threads 1 .. JOB_POOL_MAX_THREADS. STATUS_IO or STATUS_NO_MEMORY; *out is then NULL. */
enum status job_pool_create(struct job_pool **out, unsigned n_threads, unsigned max_waiting);

/*
 * Queues a job. False, and the job is still the caller's, if max_waiting are waiting or the pool is stopping. `patient`
 * jobs are taken however many wait: the caller bounds their number. Any thread.
 */
bool job_pool_submit(struct job_pool *pool, struct job *job, bool patient);

struct job_counts job_pool_counts(struct job_pool *pool);

/* How many threads run jobs. Fixed. */
unsigned job_pool_threads(const struct job_pool *pool);

/* The flag that run() of this worker gets: for callers that need it beforehand. */
const atomic_bool *job_pool_cancel_flag(const struct job_pool *pool, unsigned worker);

bool job_pool_is_stopping(struct job_pool *pool);

/* Cancels all jobs, waits until each is finished, takes no more. May be called once; the pool is freed after it. */
void job_pool_stop(struct job_pool *pool);
void job_pool_free(struct job_pool *pool); /* NULL is fine; stops it first if it still runs */

#endif
