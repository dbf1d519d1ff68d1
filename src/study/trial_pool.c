/* trial_pool: many trials in parallel, one thread each, until all are done, the time is over or a signal stops them. */
#include "study/trial_pool.h"

#include "base/clock.h"
#include "base/cluster_loop.h"
#include "base/memory.h"
#include "base/number_text.h"
#include "base/progress.h"
#include "base/signals.h"
#include "base/workers.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { CHECKPOINT_SECONDS = 600, NOTE_BYTES = 64 };

/* What rank 0 sends to the others about a pool. */
struct call {
    bool more;          /* false: there are no more pools */
    struct trial trial; /* the first, for its memory */
    double trial_seconds, keep_seconds;
};

/* A trial as it is handed out. */
struct order {
    struct trial trial;
    char checkpoint[PATH_MAX];
};

/* What the threads of a rank share. */
struct shared {
    const struct trial_pool *pool; /* NULL on ranks that serve */
    struct trial_pool_totals *totals;
    struct call call;
    unsigned n_threads;       /* of this rank */
    bool first;               /* rank 0 */
    _Atomic uint64_t *games;  /* [worker]: of the trial it is at */
    _Atomic uint64_t n_games; /* of finished trials */
    _Atomic uint64_t n_done;
    struct progress progress;
};

/* One thread's trial. */
struct watched {
    struct shared *shared;
    struct cluster_loop *loop;
    unsigned worker;
    double deadline; /* clock_seconds(); 0 none */
};

static void show_progress(struct shared *shared)
{
    char note[NOTE_BYTES];
    uint64_t n_games = atomic_load(&shared->n_games);
    for (unsigned i = 0; i < shared->n_threads; i++)
        n_games += atomic_load_explicit(&shared->games[i], memory_order_relaxed);
    snprintf(note, sizeof note, "%llu of %llu trained", (unsigned long long)atomic_load(&shared->n_done),
             (unsigned long long)shared->pool->n_trials);
    progress_update(&shared->progress, (double)n_games, note);
}

static bool watch(void *context, uint64_t n_games)
{
    struct watched *watched = context;
    struct shared *shared = watched->shared;
    atomic_store_explicit(&shared->games[watched->worker], n_games, memory_order_relaxed);
    if (watched->worker == 0 && shared->first) /* the bar belongs to one thread */
        show_progress(shared);
    if (watched->deadline > 0 && clock_seconds() >= watched->deadline)
        return false;
    return !cluster_loop_stopped(watched->loop);
}

/* Rank 0 describes a trial for the rank that gets it. */
static enum status describe(void *context, uint64_t i, void *bytes)
{
    const struct shared *shared = context;
    struct order *order = bytes;
    return shared->pool->prepare(shared->pool->context, i, &order->trial, order->checkpoint);
}

/* Rank 0 takes the result of a trial. */
static enum status collect(void *context, uint64_t i, const void *bytes, size_t n_bytes)
{
    struct shared *shared = context;
    struct trial_pool_totals *totals = shared->totals;
    struct trial_result result;
    (void)n_bytes;
    memcpy(&result, bytes, sizeof result);
    totals->n_finished++;
    totals->actions += result.actions;
    totals->busy_seconds += result.seconds;
    atomic_fetch_add(&shared->n_games, result.games);
    atomic_fetch_add(&shared->n_done, 1);
    return shared->pool->finish(shared->pool->context, i, &result);
}

/* Whether checkpoints can be kept: a rank may not see the directory of the job. */
static bool can_keep(const struct order *order)
{
    char folder[PATH_MAX];
    memcpy(folder, order->checkpoint, sizeof folder);
    char *slash = strrchr(folder, '/');
    if (!*folder || !slash)
        return *folder;
    *slash = '\0';
    return access(folder, W_OK) == 0;
}

static enum status run_one(struct shared *shared, struct cluster_loop *loop, unsigned worker, struct cluster_item *item)
{
    struct order *order = item->bytes;
    struct trial_result result;
    struct watched watched = {.shared = shared, .loop = loop, .worker = worker};
    if (shared->call.trial_seconds > 0)
        watched.deadline = clock_seconds() + shared->call.trial_seconds;
    const struct trial_hooks hooks = {.watch = watch,
                                      .context = &watched,
                                      .checkpoint_path = can_keep(order) ? order->checkpoint : NULL,
                                      .checkpoint_seconds = CHECKPOINT_SECONDS,
                                      .keep_seconds = shared->call.keep_seconds};
    enum status status = trial_run(&order->trial, &hooks, &result);
    bool out_of_time = status == STATUS_INTERRUPTED && watched.deadline > 0 && !cluster_loop_stopped(loop);
    atomic_store(&shared->games[worker], 0);
    if (!status || out_of_time)
        return cluster_loop_give(loop, item, &result, sizeof result);
    free(item->bytes);
    return status == STATUS_INTERRUPTED ? STATUS_OK : status; /* a signal, or a failure elsewhere that says why */
}

static enum status work(void *context, unsigned worker, struct cluster_loop *loop)
{
    struct cluster_item item;
    enum status status = STATUS_OK;
    while (!status && cluster_loop_take(loop, &item))
        status = run_one(context, loop, worker, &item);
    return status;
}

static enum status check_memory(const struct trial *trial, unsigned n_threads)
{
    struct network_spec spec;
    uint64_t bytes, available = memory_available_bytes();
    char needed[NUMBER_TEXT_BYTES], there[NUMBER_TEXT_BYTES];
    enum status status = trial_spec(trial, &spec, &bytes);
    if (status || available == 0 || bytes * n_threads <= available)
        return status;
    return status_fail(STATUS_NO_MEMORY,
                       "%u threads need %s of memory, a network each, and %s are free; %llu thread%s would fit (fewer "
                       "tuples, smaller ones or fewer cell values need less)",
                       n_threads, number_text_bytes(needed, (double)(bytes * n_threads)),
                       number_text_bytes(there, (double)available), (unsigned long long)(available / bytes),
                       available / bytes == 1 ? "" : "s");
}

/* The part of every rank in one pool; what rank 0 does besides is in shared->pool. */
static enum status run_pool(struct shared *shared, const struct cluster *cluster)
{
    struct workers *workers = NULL;
    uint64_t n_threads = shared->n_threads;
    shared->first = cluster_is_first(cluster);
    enum status status = check_memory(&shared->call.trial, shared->n_threads);
    if (!status) {
        shared->games = memory_allocate(shared->n_threads, sizeof *shared->games);
        status = shared->games ? workers_create(&workers, shared->n_threads) : STATUS_NO_MEMORY;
    }
    status = cluster_agree(cluster, status);
    if (!status) {
        const struct cluster_work loop = {.n_items = shared->pool ? shared->pool->n_trials : 0,
                                          .item_bytes = sizeof(struct order),
                                          .describe = describe,
                                          .job = work,
                                          .collect = collect,
                                          .context = shared};
        cluster_sum(cluster, &n_threads, 1);
        if (shared->totals)
            shared->totals->n_threads = (unsigned)n_threads;
        status = cluster_loop_run(cluster, workers, &loop);
    }
    workers_free(workers);
    return status == STATUS_INTERRUPTED ? STATUS_OK : status;
}

enum status trial_pool_run(const struct trial_pool *pool, struct trial_pool_totals *totals)
{
    unsigned n_threads = pool->n_threads ? pool->n_threads : workers_available();
    if (n_threads > pool->n_trials)
        n_threads = (unsigned)pool->n_trials;
    *totals = (struct trial_pool_totals){.n_threads = n_threads};
    if (pool->n_trials == 0)
        return STATUS_OK;
    struct shared shared = {.pool = pool, .totals = totals, .n_threads = n_threads};
    char checkpoint[PATH_MAX] = "";
    shared.call = (struct call){.more = true, .trial_seconds = pool->trial_seconds, .keep_seconds = pool->keep_seconds};
    enum status status = pool->prepare(pool->context, 0, &shared.call.trial, checkpoint);
    if (status)
        return status;
    cluster_broadcast(pool->cluster, &shared.call, sizeof shared.call);
    double start = clock_seconds();
    progress_begin(&shared.progress, pool->report->stream, pool->report->mode, pool->title, "games", pool->total_games);
    status = run_pool(&shared, pool->cluster);
    if (shared.games)
        show_progress(&shared);
    progress_end(&shared.progress, NULL);
    totals->seconds = clock_seconds() - start;
    totals->interrupted = signals_interrupted();
    free(shared.games);
    return status;
}

enum status trial_pool_serve(const struct cluster *cluster, unsigned n_threads)
{
    enum status status = STATUS_OK;
    for (;;) {
        struct shared shared = {.n_threads = n_threads ? n_threads : workers_available()};
        cluster_broadcast(cluster, &shared.call, sizeof shared.call);
        if (!shared.call.more)
            return cluster_follow(cluster, status);
        status = run_pool(&shared, cluster); /* rank 0 knows it too, and decides */
        free(shared.games);
    }
}

enum status trial_pool_dismiss(const struct cluster *cluster, enum status status)
{
    struct call call = {.more = false};
    cluster_broadcast(cluster, &call, sizeof call);
    return cluster_follow(cluster, status);
}
