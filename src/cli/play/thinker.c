/* thinker: a search on a thread of its own, so that keys are handled and the window is redrawn during it. */
#include "cli/play/thinker.h"

#include "base/clock.h"
#include "base/memory.h"
#include "base/signals.h"

#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum thinker_state { THINKER_IDLE, THINKER_BUSY, THINKER_DONE, THINKER_ENDING };

struct thinker {
    struct searcher *searcher;
    pthread_t thread;
    pthread_mutex_t lock;   /* of the three below */
    pthread_cond_t changed; /* the state */
    enum thinker_state state;
    struct board board;
    struct thought thought;
    atomic_bool cancel;
    atomic_uint depth, n_done, n_parts; /* shown only: they need not fit together */
};

static void watch_search(void *context, unsigned depth, unsigned n_done, unsigned n_parts)
{
    struct thinker *thinker = context;
    atomic_store_explicit(&thinker->depth, depth, memory_order_relaxed);
    atomic_store_explicit(&thinker->n_done, n_done, memory_order_relaxed);
    atomic_store_explicit(&thinker->n_parts, n_parts, memory_order_relaxed);
}

static void *think(void *context)
{
    struct thinker *thinker = context;
    pthread_mutex_lock(&thinker->lock);
    for (;;) {
        while (thinker->state == THINKER_IDLE || thinker->state == THINKER_DONE)
            pthread_cond_wait(&thinker->changed, &thinker->lock);
        if (thinker->state == THINKER_ENDING)
            break;
        struct board board = thinker->board;
        pthread_mutex_unlock(&thinker->lock);
        double start = clock_seconds();
        struct search_result result = searcher_search(thinker->searcher, board);
        pthread_mutex_lock(&thinker->lock);
        thinker->thought = (struct thought){.result = result, .milliseconds = 1e3 * (clock_seconds() - start)};
        if (thinker->state == THINKER_BUSY)
            thinker->state = THINKER_DONE;
        pthread_cond_broadcast(&thinker->changed);
    }
    pthread_mutex_unlock(&thinker->lock);
    return NULL;
}

/* On a monotonic clock, so that setting the time does not lengthen a wait. */
static int init_condition(pthread_cond_t *condition)
{
    pthread_condattr_t attributes;
    int error = pthread_condattr_init(&attributes);
    if (error)
        return error;
    error = pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    if (!error)
        error = pthread_cond_init(condition, &attributes);
    pthread_condattr_destroy(&attributes);
    return error;
}

enum status thinker_create(struct thinker **out, const struct player *player)
{
    *out = NULL;
    struct thinker *thinker = memory_allocate(1, sizeof *thinker);
    if (!thinker)
        return STATUS_NO_MEMORY;
    struct player thinking = *player;
    thinking.search.cancel = &thinker->cancel;
    thinking.search.watch = watch_search;
    thinking.search.watch_context = thinker;
    enum status status = player_create_searcher(&thinker->searcher, &thinking);
    if (!status) {
        pthread_mutex_init(&thinker->lock, NULL); /* with default attributes it cannot fail */
        errno = init_condition(&thinker->changed);
        if (errno == 0)
            errno = signals_start_thread(&thinker->thread, think, thinker);
        if (errno != 0)
            status = status_fail_errno(STATUS_IO, "cannot start a thread to think");
    }
    if (status) {
        searcher_free(thinker->searcher);
        free(thinker);
        return status;
    }
    *out = thinker;
    return STATUS_OK;
}

/* Cancels a running search. Called with the lock held. */
static void end_search(struct thinker *thinker)
{
    atomic_store(&thinker->cancel, true);
    while (thinker->state == THINKER_BUSY)
        pthread_cond_wait(&thinker->changed, &thinker->lock);
    atomic_store(&thinker->cancel, false);
    thinker->state = THINKER_IDLE;
}

void thinker_free(struct thinker *thinker)
{
    if (!thinker)
        return;
    pthread_mutex_lock(&thinker->lock);
    end_search(thinker);
    thinker->state = THINKER_ENDING;
    pthread_cond_broadcast(&thinker->changed);
    pthread_mutex_unlock(&thinker->lock);
    pthread_join(thinker->thread, NULL);
    pthread_cond_destroy(&thinker->changed);
    pthread_mutex_destroy(&thinker->lock);
    searcher_free(thinker->searcher);
    free(thinker);
}

void thinker_drop(struct thinker *thinker)
{
    pthread_mutex_lock(&thinker->lock);
    end_search(thinker);
    pthread_mutex_unlock(&thinker->lock);
}

void thinker_start(struct thinker *thinker, struct board board)
{
    pthread_mutex_lock(&thinker->lock);
    end_search(thinker);
    atomic_store_explicit(&thinker->depth, 0, memory_order_relaxed);
    thinker->board = board;
    thinker->state = THINKER_BUSY;
    pthread_cond_broadcast(&thinker->changed);
    pthread_mutex_unlock(&thinker->lock);
}

bool thinker_answer(struct thinker *thinker, unsigned wait_ms, struct thought *thought)
{
    uint64_t until_ns = clock_nanoseconds() + wait_ms * UINT64_C(1000000);
    struct timespec until = {.tv_sec = (time_t)(until_ns / 1000000000), .tv_nsec = (long)(until_ns % 1000000000)};
    pthread_mutex_lock(&thinker->lock);
    while (wait_ms && thinker->state == THINKER_BUSY)
        if (pthread_cond_timedwait(&thinker->changed, &thinker->lock, &until) != 0)
            break;
    bool done = thinker->state == THINKER_DONE;
    if (done)
        *thought = thinker->thought;
    pthread_mutex_unlock(&thinker->lock);
    return done;
}

struct thinker_progress thinker_progress(const struct thinker *thinker)
{
    unsigned n_parts = atomic_load_explicit(&thinker->n_parts, memory_order_relaxed);
    unsigned n_done = atomic_load_explicit(&thinker->n_done, memory_order_relaxed);
    return (struct thinker_progress){.depth = atomic_load_explicit(&thinker->depth, memory_order_relaxed),
                                     .fraction = n_parts && n_done < n_parts ? (double)n_done / n_parts : 0};
}
