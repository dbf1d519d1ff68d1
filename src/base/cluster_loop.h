/*
 * cluster_loop: a list of independent pieces of work, handed out by rank 0 to the next rank that is free; each result
 * goes back to rank 0. For one process it is a shared counter.
 *
 * The main thread of each rank carries the messages and does nothing else while the loop runs; an extra thread takes
 * its place in the pool of workers. So a rank works on as many threads as its pool has, and an item may take any time
 * without keeping the others waiting.
 */
#ifndef AFTERSTATE_BASE_CLUSTER_LOOP_H
#define AFTERSTATE_BASE_CLUSTER_LOOP_H

#include "base/cluster.h"
#include "base/workers.h"

struct cluster_loop;

/* An item to be worked on. */
struct cluster_item {
    uint64_t number;
    size_t n_bytes;
    void *bytes; /* what `describe` wrote, NULL if nothing; freed by cluster_loop_give() */
};

struct cluster_work {
    uint64_t n_items;  /* of rank 0; the others need not know */
    unsigned n_ahead;  /* items that a rank queues beside those it works on; 0 for items of seconds or more */
    size_t item_bytes; /* of a description; the same on all ranks; 0: the number suffices */
    /* Rank 0 only, one thread at a time: writes the description of an item. Optional. */
    enum status (*describe)(void *context, uint64_t number, void *bytes);
    /*
     * What each worker does: takes items and gives them back until there are none left. Returns STATUS_INTERRUPTED or
     * STATUS_OK where it stops because cluster_loop_stopped().
     */
    enum status (*job)(void *context, unsigned worker, struct cluster_loop *loop);
    /*
     * Rank 0 only, one thread at a time: takes a result or report. Optional. `bytes` is valid during the call.
     * STATUS_INTERRUPTED stops the loop as a signal would, without a signal.
     */
    enum status (*collect)(void *context, uint64_t number, const void *bytes, size_t n_bytes);
    void *context;
};

/*
 * Collective: runs the job on all workers of all ranks until all items are done, a job or callback fails, or a signal
 * asks any rank to stop. The same status on every rank: the failure of the first job that failed, with the rank and
 * host in its message, or STATUS_INTERRUPTED if items are left because of a signal.
 */
enum status cluster_loop_run(const struct cluster *cluster, struct workers *workers, const struct cluster_work *work);

/*
 * For jobs, from any thread: the next item. Waits while one is on its way. False: there are no more, or the loop is to
 * stop.
 */
bool cluster_loop_take(struct cluster_loop *loop, struct cluster_item *item);

/* For jobs: something for collect() while an item is still under way; `number` is passed on as it is. */
enum status cluster_loop_report(struct cluster_loop *loop, uint64_t number, const void *bytes, size_t n_bytes);

/* For jobs: the item is done, and this is its result. The bytes are copied. */
enum status cluster_loop_give(struct cluster_loop *loop, struct cluster_item *item, const void *bytes, size_t n_bytes);

/* For jobs, from any thread: whether to stop early, because of a signal or of a failure elsewhere. Cheap. */
bool cluster_loop_stopped(const struct cluster_loop *loop);

#endif
