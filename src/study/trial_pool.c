#include "study/trial_pool.h"

#include "base/clock.h"
#include "base/memory.h"
#include "base/number_text.h"
#include "base/progress.h"
#include "base/signals.h"
#include "base/workers.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

enum { CHECKPOINT_SECONDS = 600, NOTE_BYTES = 64 };

struct shared {
    const struct trial_pool *pool;
    struct trial_pool_totals *totals;
    pthread_mutex_t lock;     /* of finish() and the totals */
    _Atomic uint64_t next;    /* trial to be taken */
    _Atomic uint64_t *games;  /* [worker]: of the trial it is at */
    _Atomic uint64_t n_games; /* of finished trials */
    _Atomic uint64_t n_done;
    _Atomic bool stop;
    struct progress progress;
};

/* One thread's trial. */
struct watched {
    struct shared *shared;
    unsigned worker;
    double deadline; /* clock_seconds(); 0 none */
};

static void show_progress(struct shared *shared, unsigned n_workers)
{
    char note[NOTE_BYTES];
    uint64_t n_games = atomic_load(&shared->n_games);
    for (unsigned i = 0; i < n_workers; i++)
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
    if (watched->worker == 0) /* the bar belongs to one thread */
        show_progress(shared, shared->totals->n_threads);
    if (watched->deadline > 0 && clock_seconds() >= watched->deadline)
        return false;
    return !signals_interrupted() && !atomic_load_explicit(&shared->stop, memory_order_relaxed);
}

static enum status count_finished(struct shared *shared, unsigned worker, uint64_t i, const struct trial_result *result)
{
    pthread_mutex_lock(&shared->lock);
    struct trial_pool_totals *totals = shared->totals;
    totals->n_finished++;
    totals->actions += result->actions;
    totals->busy_seconds += result->seconds;
    enum status status = shared->pool->finish(shared->pool->context, i, result);
    pthread_mutex_unlock(&shared->lock);
    atomic_store(&shared->games[worker], 0);
    atomic_fetch_add(&shared->n_games, result->games);
    atomic_fetch_add(&shared->n_done, 1);
    return status;
}

static enum status run_one(struct shared *shared, unsigned worker, uint64_t i)
{
    const struct trial_pool *pool = shared->pool;
    struct trial trial;
    struct trial_result result;
    char checkpoint[PATH_MAX] = "";
    enum status status = pool->prepare(pool->context, i, &trial, checkpoint);
    if (status)
        return status;
    struct watched watched = {.shared = shared, .worker = worker};
    if (pool->trial_seconds > 0)
        watched.deadline = clock_seconds() + pool->trial_seconds;
    const struct trial_hooks hooks = {.watch = watch,
                                      .context = &watched,
                                      .checkpoint_path = *checkpoint ? checkpoint : NULL,
                                      .checkpoint_seconds = CHECKPOINT_SECONDS,
                                      .keep_seconds = pool->keep_seconds};
    status = trial_run(&trial, &hooks, &result);
    bool out_of_time =
        status == STATUS_INTERRUPTED && watched.deadline > 0 && !signals_interrupted() && !atomic_load(&shared->stop);
    return status && !out_of_time ? status : count_finished(shared, worker, i, &result);
}

static enum status work(void *context, unsigned worker)
{
    struct shared *shared = context;
    while (!signals_interrupted() && !atomic_load(&shared->stop)) {
        uint64_t i = atomic_fetch_add(&shared->next, 1);
        if (i >= shared->pool->n_trials)
            return STATUS_OK;
        enum status status = run_one(shared, worker, i);
        if (status == STATUS_INTERRUPTED)
            return STATUS_OK; /* by a signal, or because another thread failed and says why */
        if (status) {
            atomic_store(&shared->stop, true);
            return status;
        }
    }
    return STATUS_OK;
}

static enum status check_memory(const struct trial_pool *pool, unsigned n_threads)
{
    struct trial trial;
    struct network_spec spec;
    uint64_t bytes, available = memory_available_bytes();
    char checkpoint[PATH_MAX] = "", needed[NUMBER_TEXT_BYTES], there[NUMBER_TEXT_BYTES];
    enum status status = pool->prepare(pool->context, 0, &trial, checkpoint);
    if (!status)
        status = trial_spec(&trial, &spec, &bytes);
    if (status || available == 0 || bytes * n_threads <= available)
        return status;
    return status_fail(STATUS_NO_MEMORY,
                       "%u threads need %s of memory, a network each, and %s are free; %llu thread%s would fit (fewer "
                       "tuples, smaller ones or fewer cell values need less)",
                       n_threads, number_text_bytes(needed, (double)(bytes * n_threads)),
                       number_text_bytes(there, (double)available), (unsigned long long)(available / bytes),
                       available / bytes == 1 ? "" : "s");
}

enum status trial_pool_run(const struct trial_pool *pool, struct trial_pool_totals *totals)
{
    unsigned n_threads = pool->n_threads ? pool->n_threads : workers_available();
    if (n_threads > pool->n_trials)
        n_threads = (unsigned)pool->n_trials;
    *totals = (struct trial_pool_totals){.n_threads = n_threads};
    if (pool->n_trials == 0)
        return STATUS_OK;
    struct shared shared = {.pool = pool, .totals = totals};
    struct workers *workers = NULL;
    enum status status = check_memory(pool, n_threads);
    if (!status) {
        shared.games = memory_allocate(n_threads, sizeof *shared.games);
        status = shared.games ? workers_create(&workers, n_threads) : STATUS_NO_MEMORY;
    }
    if (!status && pthread_mutex_init(&shared.lock, NULL) != 0)
        status = status_fail(STATUS_NO_MEMORY, "no memory for a lock");
    if (!status) {
        double start = clock_seconds();
        progress_begin(&shared.progress, pool->report->stream, pool->report->mode, pool->title, "games",
                       pool->total_games);
        status = workers_run(workers, work, &shared);
        show_progress(&shared, n_threads);
        progress_end(&shared.progress, NULL);
        totals->seconds = clock_seconds() - start;
        totals->interrupted = signals_interrupted();
        pthread_mutex_destroy(&shared.lock);
    }
    workers_free(workers);
    free(shared.games);
    return status;
}
