/*
 * cluster_loop: hands out a list of work to the ranks of a cluster, by messages.
 *
 * A rank requests items for its idle workers and its queue. Rank 0 answers with items while there are any, and with
 * END otherwise. Results flow back as they come.
 *
 *     rank r -> 0   ASK n, RESULT, REPORT, FAIL (a job failed), SIGNAL (Ctrl-C was pressed here), LEFT (its
 *                   workers are done and all its results are sent)
 *     0 -> rank r   ITEM, END (no more items), STOP (give up what is under way), BYE (all ranks have left)
 *
 * A rank leaves the loop only after BYE, the last message that rank 0 sends it, so no message of one loop is ever read
 * by the next. A message may wait a millisecond for the main thread to poll; queued items hide that.
 */
#include "base/cluster_loop.h"

#include "base/memory.h"
#include "base/signals.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { MESSAGE_BYTES = 1024, POLL_NANOSECONDS = 1000000 };

enum message_kind { ASK, RESULT, REPORT, FAIL, SIGNAL, LEFT, ITEM, END, STOP, BYE };

struct header {
    uint32_t kind;
    uint32_t status;
    uint64_t number; /* of the item; ASK: how many; STOP: 1 if because of a signal */
};

struct queued {
    struct queued *next;
    struct header header;
    size_t n_bytes;
    uint8_t *bytes;
};

struct queue {
    struct queued *first, **end;
    uint64_t length;
};

struct cluster_loop {
    const struct cluster *cluster; /* NULL or larger than one process */
    const struct cluster_work *work;
    struct workers *workers;
    atomic_bool stop;

    pthread_mutex_t collecting; /* describe() and collect() */
    uint64_t n_collected;

    pthread_mutex_t lock;   /* all below */
    pthread_cond_t arrived; /* for workers: items, or the end of them */
    pthread_cond_t wake;    /* for the main thread */
    uint64_t next;          /* rank 0: item to be handed out next */
    struct queue items;     /* other ranks: not begun yet */
    uint64_t n_asked;       /* .. and on their way */
    unsigned n_waiting;     /* workers without an item */
    bool ended;             /* no more items will come */
    struct queue results;   /* other ranks: to be sent */
    bool pool_done;
    bool failed_elsewhere; /* its message already names its rank */
    enum status failure;   /* the first; an interruption gives way to anything worse */
    char message[MESSAGE_BYTES];

    /* Of the main thread alone. */
    bool sent_failure, sent_signal, sent_left, sent_stop;
    unsigned n_left; /* rank 0: ranks that have left */
};

/* ---- queues ----------------------------------------------------------------------------------------------------- */

static void queue_init(struct queue *queue)
{
    *queue = (struct queue){.end = &queue->first};
}

static enum status queue_add(struct queue *queue, struct header header, const void *bytes, size_t n_bytes)
{
    struct queued *entry = memory_allocate(1, sizeof *entry + n_bytes);
    if (!entry)
        return STATUS_NO_MEMORY;
    *entry = (struct queued){.header = header, .n_bytes = n_bytes, .bytes = (uint8_t *)(entry + 1)};
    if (n_bytes)
        memcpy(entry->bytes, bytes, n_bytes);
    *queue->end = entry;
    queue->end = &entry->next;
    queue->length++;
    return STATUS_OK;
}

static struct queued *queue_take(struct queue *queue)
{
    struct queued *entry = queue->first;
    if (!entry)
        return NULL;
    queue->first = entry->next;
    if (!queue->first)
        queue->end = &queue->first;
    queue->length--;
    return entry;
}

static void queue_clear(struct queue *queue)
{
    for (struct queued *entry; (entry = queue_take(queue));)
        free(entry);
}

/* ---- for jobs --------------------------------------------------------------------------------------------------- */

bool cluster_loop_stopped(const struct cluster_loop *loop)
{
    return signals_interrupted() || atomic_load_explicit(&loop->stop, memory_order_relaxed);
}

/* With the lock held: remembers the first failure and stops the loop. */
static void note_failure(struct cluster_loop *loop, enum status status, const char *message, bool elsewhere)
{
    if (loop->failure == STATUS_OK || (loop->failure == STATUS_INTERRUPTED && status != STATUS_INTERRUPTED)) {
        loop->failure = status;
        loop->failed_elsewhere = elsewhere;
        size_t length = strnlen(message, MESSAGE_BYTES - 1);
        memcpy(loop->message, message, length);
        loop->message[length] = '\0';
    }
    atomic_store_explicit(&loop->stop, true, memory_order_relaxed);
    pthread_cond_broadcast(&loop->arrived);
    pthread_cond_signal(&loop->wake);
}

static enum status describe_item(struct cluster_loop *loop, uint64_t number, void *bytes)
{
    const struct cluster_work *work = loop->work;
    if (!work->describe || !work->item_bytes)
        return STATUS_OK;
    pthread_mutex_lock(&loop->collecting);
    enum status status = work->describe(work->context, number, bytes);
    pthread_mutex_unlock(&loop->collecting);
    return status;
}

/* An item of rank 0's own list. */
static bool take_own(struct cluster_loop *loop, struct cluster_item *item)
{
    pthread_mutex_lock(&loop->lock);
    bool there = loop->next < loop->work->n_items;
    item->number = loop->next;
    loop->next += there;
    pthread_mutex_unlock(&loop->lock);
    if (!there || !loop->work->item_bytes)
        return there;
    item->bytes = memory_allocate(1, loop->work->item_bytes);
    item->n_bytes = loop->work->item_bytes;
    enum status status = item->bytes ? describe_item(loop, item->number, item->bytes) : STATUS_NO_MEMORY;
    if (!status)
        return true;
    pthread_mutex_lock(&loop->lock);
    note_failure(loop, status, status_message(), false);
    pthread_mutex_unlock(&loop->lock);
    free(item->bytes);
    *item = (struct cluster_item){0};
    return false;
}

/* An item that rank 0 has sent. */
static bool take_sent(struct cluster_loop *loop, struct cluster_item *item)
{
    pthread_mutex_lock(&loop->lock);
    struct queued *entry;
    while (!(entry = queue_take(&loop->items)) && !loop->ended && !cluster_loop_stopped(loop)) {
        loop->n_waiting++;
        pthread_cond_signal(&loop->wake);
        pthread_cond_wait(&loop->arrived, &loop->lock);
        loop->n_waiting--;
    }
    pthread_mutex_unlock(&loop->lock);
    if (!entry)
        return false;
    *item = (struct cluster_item){.number = entry->header.number, .n_bytes = entry->n_bytes};
    if (entry->n_bytes) { /* the description moves to the front of its own allocation */
        memmove(entry, entry->bytes, entry->n_bytes);
        item->bytes = entry;
    } else {
        free(entry);
    }
    return true;
}

bool cluster_loop_take(struct cluster_loop *loop, struct cluster_item *item)
{
    *item = (struct cluster_item){0};
    if (cluster_loop_stopped(loop))
        return false;
    return cluster_is_first(loop->cluster) ? take_own(loop, item) : take_sent(loop, item);
}

static enum status collect(struct cluster_loop *loop, uint64_t number, bool finished, const void *bytes, size_t n_bytes)
{
    const struct cluster_work *work = loop->work;
    pthread_mutex_lock(&loop->collecting);
    enum status status = work->collect ? work->collect(work->context, number, bytes, n_bytes) : STATUS_OK;
    loop->n_collected += finished;
    pthread_mutex_unlock(&loop->collecting);
    return status;
}

static enum status pass_result(struct cluster_loop *loop, uint64_t number, bool finished, const void *bytes,
                               size_t n_bytes)
{
    if (cluster_is_first(loop->cluster))
        return collect(loop, number, finished, bytes, n_bytes);
    struct header header = {.kind = finished ? RESULT : REPORT, .number = number};
    pthread_mutex_lock(&loop->lock);
    enum status status = queue_add(&loop->results, header, bytes, n_bytes);
    pthread_cond_signal(&loop->wake);
    pthread_mutex_unlock(&loop->lock);
    return status;
}

enum status cluster_loop_report(struct cluster_loop *loop, uint64_t number, const void *bytes, size_t n_bytes)
{
    return pass_result(loop, number, false, bytes, n_bytes);
}

enum status cluster_loop_give(struct cluster_loop *loop, struct cluster_item *item, const void *bytes, size_t n_bytes)
{
    uint64_t number = item->number;
    free(item->bytes);
    *item = (struct cluster_item){0};
    return pass_result(loop, number, true, bytes, n_bytes);
}

/* ---- the pool --------------------------------------------------------------------------------------------------- */

static enum status run_job(void *context, unsigned worker)
{
    struct cluster_loop *loop = context;
    enum status status = loop->work->job(loop->work->context, worker, loop);
    if (status) {
        pthread_mutex_lock(&loop->lock);
        note_failure(loop, status, status_message(), false);
        pthread_mutex_unlock(&loop->lock);
    }
    return status;
}

static void *run_pool(void *context)
{
    struct cluster_loop *loop = context;
    workers_run(loop->workers, run_job, loop); /* what failed is noted already */
    pthread_mutex_lock(&loop->lock);
    loop->pool_done = true;
    pthread_cond_signal(&loop->wake);
    pthread_mutex_unlock(&loop->lock);
    return NULL;
}

/* ---- the main thread -------------------------------------------------------------------------------------------- */

static enum status send_message(const struct cluster_loop *loop, unsigned to, struct header header, const void *bytes,
                                size_t n_bytes)
{
    uint8_t small[sizeof header + MESSAGE_BYTES];
    uint8_t *message = n_bytes <= MESSAGE_BYTES ? small : memory_allocate(1, sizeof header + n_bytes);
    if (!message)
        return STATUS_NO_MEMORY;
    memcpy(message, &header, sizeof header);
    if (n_bytes)
        memcpy(message + sizeof header, bytes, n_bytes);
    enum status status = loop->cluster->send(loop->cluster->context, to, message, sizeof header + n_bytes);
    if (message != small)
        free(message);
    return status;
}

static enum status send_to_all(const struct cluster_loop *loop, struct header header)
{
    enum status status = STATUS_OK;
    for (unsigned r = 1; r < loop->cluster->size && !status; r++)
        status = send_message(loop, r, header, NULL, 0);
    return status;
}

/* Rank 0 answers a request. */
static enum status answer(struct cluster_loop *loop, unsigned to, uint64_t n_wanted)
{
    size_t bytes = loop->work->describe ? loop->work->item_bytes : 0;
    void *description = bytes ? memory_allocate(1, bytes) : NULL;
    enum status status = bytes && !description ? STATUS_NO_MEMORY : STATUS_OK;
    for (; n_wanted && !status && !cluster_loop_stopped(loop); n_wanted--) {
        pthread_mutex_lock(&loop->lock);
        uint64_t number = loop->next;
        loop->next += number < loop->work->n_items;
        pthread_mutex_unlock(&loop->lock);
        if (number == loop->work->n_items)
            break;
        status = describe_item(loop, number, description);
        if (!status)
            status = send_message(loop, to, (struct header){.kind = ITEM, .number = number}, description, bytes);
    }
    free(description);
    return n_wanted && !status ? send_message(loop, to, (struct header){.kind = END}, NULL, 0) : status;
}

static void note_message(struct cluster_loop *loop, const struct header *header, const char *text, size_t n_bytes)
{
    char message[MESSAGE_BYTES] = "";
    memcpy(message, text, n_bytes < MESSAGE_BYTES ? n_bytes : MESSAGE_BYTES - 1);
    pthread_mutex_lock(&loop->lock);
    note_failure(loop, (enum status)header->status, message, true);
    pthread_mutex_unlock(&loop->lock);
}

/* What rank 0 does with a message. */
static enum status handle_at_first(struct cluster_loop *loop, unsigned from, const struct header *header,
                                   const uint8_t *bytes, size_t n_bytes)
{
    switch (header->kind) {
    case ASK:
        return answer(loop, from, header->number);
    case RESULT:
    case REPORT:
        return collect(loop, header->number, header->kind == RESULT, bytes, n_bytes);
    case FAIL:
        note_message(loop, header, (const char *)bytes, n_bytes);
        return STATUS_OK;
    case SIGNAL:
        signals_request_stop();
        return STATUS_OK;
    default: /* LEFT */
        loop->n_left++;
        return STATUS_OK;
    }
}

/* What the other ranks do with a message. */
static enum status handle_at_other(struct cluster_loop *loop, const struct header *header, const uint8_t *bytes,
                                   size_t n_bytes, bool *bye)
{
    enum status status = STATUS_OK;
    if (header->kind == STOP && header->number)
        signals_request_stop();
    pthread_mutex_lock(&loop->lock);
    if (header->kind == ITEM) {
        loop->n_asked--;
        status = queue_add(&loop->items, *header, bytes, n_bytes);
    } else if (header->kind == BYE) {
        *bye = true;
    } else {
        loop->ended = true;
        if (header->kind == STOP)
            atomic_store_explicit(&loop->stop, true, memory_order_relaxed);
    }
    pthread_cond_broadcast(&loop->arrived);
    pthread_mutex_unlock(&loop->lock);
    return status;
}

static enum status handle_messages(struct cluster_loop *loop, bool *any, bool *bye)
{
    const struct cluster *cluster = loop->cluster;
    enum status status = STATUS_OK;
    *any = false;
    while (!status && !*bye) {
        struct cluster_message message;
        struct header header;
        bool arrived;
        status = cluster->receive(cluster->context, &message, &arrived);
        if (status || !arrived)
            break;
        *any = true;
        memcpy(&header, message.bytes, sizeof header);
        const uint8_t *bytes = (const uint8_t *)message.bytes + sizeof header;
        size_t n_bytes = message.n_bytes - sizeof header;
        status = cluster->rank == 0 ? handle_at_first(loop, message.from, &header, bytes, n_bytes)
                                    : handle_at_other(loop, &header, bytes, n_bytes, bye);
        free(message.bytes);
    }
    return status;
}

/* Rank 0: sends STOP to the others, once, if the loop has to stop. */
static enum status pass_stop_on(struct cluster_loop *loop)
{
    if (loop->sent_stop || !cluster_loop_stopped(loop))
        return STATUS_OK;
    loop->sent_stop = true;
    return send_to_all(loop, (struct header){.kind = STOP, .number = signals_interrupted()});
}

/* Other ranks: sends what was queued since the last call. */
static enum status send_news(struct cluster_loop *loop)
{
    enum status status = STATUS_OK;
    pthread_mutex_lock(&loop->lock);
    uint64_t wanted = loop->work->n_ahead + loop->n_waiting, have = loop->items.length + loop->n_asked;
    uint64_t n_ask = loop->ended || wanted <= have ? 0 : wanted - have;
    loop->n_asked += n_ask;
    enum status failure = loop->sent_failure ? STATUS_OK : loop->failure;
    if (failure)
        status_fail(failure, "%s", loop->message);
    bool leaving = loop->pool_done;
    struct queued *entry;
    while (!status && (entry = queue_take(&loop->results))) {
        pthread_mutex_unlock(&loop->lock);
        status = send_message(loop, 0, entry->header, entry->bytes, entry->n_bytes);
        free(entry);
        pthread_mutex_lock(&loop->lock);
    }
    pthread_mutex_unlock(&loop->lock);
    if (!status && n_ask)
        status = send_message(loop, 0, (struct header){.kind = ASK, .number = n_ask}, NULL, 0);
    if (!status && signals_interrupted() && !loop->sent_signal) {
        loop->sent_signal = true;
        status = send_message(loop, 0, (struct header){.kind = SIGNAL}, NULL, 0);
    }
    if (!status && failure) {
        loop->sent_failure = true;
        cluster_name_rank(loop->cluster, failure);
        status = send_message(loop, 0, (struct header){.kind = FAIL, .status = failure}, status_message(),
                              strlen(status_message()));
    }
    if (!status && leaving && !loop->sent_left) {
        loop->sent_left = true;
        status = send_message(loop, 0, (struct header){.kind = LEFT}, NULL, 0);
    }
    return status;
}

/* Waits until a worker signals, a millisecond at most: messages of other ranks wake no thread. */
static void doze(struct cluster_loop *loop)
{
    struct timespec until;
    clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_nsec += POLL_NANOSECONDS;
    if (until.tv_nsec >= 1000000000) {
        until.tv_nsec -= 1000000000;
        until.tv_sec++;
    }
    pthread_mutex_lock(&loop->lock);
    pthread_cond_timedwait(&loop->wake, &loop->lock, &until);
    if (cluster_loop_stopped(loop)) /* a signal wakes no worker */
        pthread_cond_broadcast(&loop->arrived);
    pthread_mutex_unlock(&loop->lock);
}

static bool is_pool_done(struct cluster_loop *loop)
{
    pthread_mutex_lock(&loop->lock);
    bool done = loop->pool_done;
    pthread_mutex_unlock(&loop->lock);
    return done;
}

/* Carries messages until all ranks are done. */
static void carry_messages(struct cluster_loop *loop)
{
    bool bye = false, any = false, first = loop->cluster->rank == 0;
    while (!bye) {
        enum status status = first ? pass_stop_on(loop) : send_news(loop);
        if (!status)
            status = handle_messages(loop, &any, &bye);
        if (status) {
            pthread_mutex_lock(&loop->lock);
            note_failure(loop, status, status_message(), false);
            pthread_mutex_unlock(&loop->lock);
        }
        if (first && loop->n_left == loop->cluster->size - 1 && is_pool_done(loop)) {
            if (send_to_all(loop, (struct header){.kind = BYE}) == STATUS_OK)
                bye = true;
        } else if (!any && !bye) {
            doze(loop);
        }
    }
}

static enum status run_with_others(struct cluster_loop *loop)
{
    pthread_t pool;
    int error = signals_start_thread(&pool, run_pool, loop);
    enum status status = error ? status_fail(STATUS_IO, "cannot start a thread") : STATUS_OK;
    status = cluster_agree(loop->cluster, status);
    if (!status)
        carry_messages(loop);
    else
        atomic_store(&loop->stop, true);
    if (!error) {
        if (status) { /* another rank could not start: its pool has nothing to do */
            pthread_mutex_lock(&loop->lock);
            loop->ended = true;
            pthread_cond_broadcast(&loop->arrived);
            pthread_mutex_unlock(&loop->lock);
        }
        pthread_join(pool, NULL);
    }
    return status;
}

static enum status final_status(const struct cluster_loop *loop)
{
    if (loop->failure && loop->failure != STATUS_INTERRUPTED) {
        status_fail(loop->failure, "%s", loop->message);
        return loop->failed_elsewhere ? loop->failure : cluster_name_rank(loop->cluster, loop->failure);
    }
    if (loop->n_collected < loop->work->n_items)
        return status_fail(STATUS_INTERRUPTED, "interrupted");
    return STATUS_OK;
}

enum status cluster_loop_run(const struct cluster *cluster, struct workers *workers, const struct cluster_work *work)
{
    bool alone = cluster_size(cluster) == 1;
    struct cluster_loop loop = {.cluster = alone ? NULL : cluster, .work = work, .workers = workers};
    pthread_condattr_t monotonic;
    queue_init(&loop.items);
    queue_init(&loop.results);
    pthread_condattr_init(&monotonic);
    pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
    pthread_mutex_init(&loop.collecting, NULL);
    pthread_mutex_init(&loop.lock, NULL);
    pthread_cond_init(&loop.arrived, NULL);
    pthread_cond_init(&loop.wake, &monotonic);
    enum status status = STATUS_OK;
    if (alone)
        workers_run(workers, run_job, &loop);
    else
        status = run_with_others(&loop);
    if (!status && cluster_is_first(cluster))
        status = final_status(&loop);
    queue_clear(&loop.items);
    queue_clear(&loop.results);
    pthread_cond_destroy(&loop.wake);
    pthread_cond_destroy(&loop.arrived);
    pthread_mutex_destroy(&loop.lock);
    pthread_mutex_destroy(&loop.collecting);
    pthread_condattr_destroy(&monotonic);
    return cluster_follow(cluster, status);
}
