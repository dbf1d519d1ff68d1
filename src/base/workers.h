/*
 * workers: a pool of threads that stays alive between jobs, so that a phase of a few hundred microseconds (one age of a
 * small solve) is worth spreading.
 *
 * The calling thread is worker 0 and works too. One thread at a time uses a pool, and a job must not run another job on
 * the same pool. Everything the caller wrote before a run is visible to the job, and everything the job wrote is
 * visible to the caller after it. Workers other than 0 have all signals blocked, so a Ctrl-C arrives at the caller.
 */
#ifndef AFTERSTATE_BASE_WORKERS_H
#define AFTERSTATE_BASE_WORKERS_H

#include "base/status.h"

#include <stdint.h>

enum { WORKERS_MAX = 1024 };

struct workers;

/* What each worker (0 .. workers_count()-1) does; `context` is shared by all. */
typedef enum status (*workers_job)(void *context, unsigned worker);

/* What is done to each item. */
typedef enum status (*workers_item_job)(void *context, unsigned worker, uint64_t item);

/* Number of processors this process may run on (its affinity), at least 1. */
unsigned workers_available(void);

/*
 * A pool of n_threads, the caller included; 0 means workers_available(). STATUS_USAGE beyond WORKERS_MAX, STATUS_IO or
 * STATUS_NO_MEMORY if threads cannot be had; *out is then NULL and no thread is left.
 */
enum status workers_create(struct workers **out, unsigned n_threads);

unsigned workers_count(const struct workers *workers);

/*
 * Runs job once on each worker and waits for all. If jobs fail, returns the status of the one that failed first and
 * leaves its message in the calling thread.
 */
enum status workers_run(struct workers *workers, workers_job job, void *context);

/*
 * Runs job on each item of 0 .. n_items-1 once (n_items at most 2^63), each taken by the next free worker, and waits.
 * After a failure no new item is started, and the first failure is returned as by workers_run(). An item should take
 * microseconds at least: taking one costs an atomic increment that all share.
 */
enum status workers_for(struct workers *workers, uint64_t n_items, workers_item_job job, void *context);

/* Ends the threads and frees the pool. NULL is fine. Not from within a job. */
void workers_free(struct workers *workers);

#endif
