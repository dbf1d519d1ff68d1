/*
 * thread_cluster: a cluster whose ranks are threads of one process, so that the code above struct cluster can be tested
 * without MPI, and under ThreadSanitizer.
 */
#ifndef AFTERSTATE_TESTS_THREAD_CLUSTER_H
#define AFTERSTATE_TESTS_THREAD_CLUSTER_H

#include "base/cluster.h"
#include "base/signals.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { THREAD_CLUSTER_MAX = 8 };

struct thread_mail {
    struct thread_mail *next;
    struct cluster_message message;
};

struct thread_hub {
    unsigned size;
    pthread_barrier_t barrier;
    pthread_mutex_t lock; /* of the mail */
    struct thread_mail *mail[THREAD_CLUSTER_MAX];
    const void *pointer[THREAD_CLUSTER_MAX]; /* what each rank shows the others between two barriers */
    const struct cluster_parts *parts[THREAD_CLUSTER_MAX];
    uint64_t largest_exchange; /* bytes that one call moved out of a rank, at most */
};

struct thread_rank {
    struct thread_hub *hub;
    struct cluster cluster;
    void (*run)(const struct cluster *cluster, void *context);
    void *context;
};

static inline void thread_cluster_gather(void *context, const void *mine, void *all, size_t n_bytes)
{
    struct thread_rank *self = context;
    struct thread_hub *hub = self->hub;
    hub->pointer[self->cluster.rank] = mine;
    pthread_barrier_wait(&hub->barrier);
    for (unsigned r = 0; r < hub->size; r++)
        memcpy((char *)all + r * n_bytes, hub->pointer[r], n_bytes);
    pthread_barrier_wait(&hub->barrier);
}

static inline void thread_cluster_broadcast(void *context, void *data, size_t n_bytes, unsigned from)
{
    struct thread_rank *self = context;
    struct thread_hub *hub = self->hub;
    if (self->cluster.rank == from)
        hub->pointer[from] = data;
    pthread_barrier_wait(&hub->barrier);
    if (self->cluster.rank != from)
        memcpy(data, hub->pointer[from], n_bytes);
    pthread_barrier_wait(&hub->barrier);
}

static inline void thread_cluster_exchange(void *context, const void *out, const struct cluster_parts *send, void *in,
                                           const struct cluster_parts *receive)
{
    struct thread_rank *self = context;
    struct thread_hub *hub = self->hub;
    unsigned rank = self->cluster.rank;
    uint64_t total = 0;
    hub->pointer[rank] = out;
    hub->parts[rank] = send;
    pthread_barrier_wait(&hub->barrier);
    for (unsigned r = 0; r < hub->size; r++) {
        if (hub->parts[r]->n_bytes[rank] != receive->n_bytes[r])
            abort(); /* both ends must agree */
        if (receive->n_bytes[r])
            memmove((char *)in + receive->offset[r], (const char *)hub->pointer[r] + hub->parts[r]->offset[rank],
                    receive->n_bytes[r]);
        total += send->n_bytes[r];
    }
    pthread_mutex_lock(&hub->lock);
    hub->largest_exchange = total > hub->largest_exchange ? total : hub->largest_exchange;
    pthread_mutex_unlock(&hub->lock);
    pthread_barrier_wait(&hub->barrier);
}

static inline enum status thread_cluster_send(void *context, unsigned to, const void *bytes, size_t n_bytes)
{
    struct thread_rank *self = context;
    struct thread_mail *mail = calloc(1, sizeof *mail);
    mail->message = (struct cluster_message){.from = self->cluster.rank, .n_bytes = n_bytes, .bytes = malloc(n_bytes)};
    memcpy(mail->message.bytes, bytes, n_bytes);
    pthread_mutex_lock(&self->hub->lock);
    struct thread_mail **end = &self->hub->mail[to];
    while (*end)
        end = &(*end)->next;
    *end = mail;
    pthread_mutex_unlock(&self->hub->lock);
    return STATUS_OK;
}

static inline enum status thread_cluster_receive(void *context, struct cluster_message *message, bool *arrived)
{
    struct thread_rank *self = context;
    pthread_mutex_lock(&self->hub->lock);
    struct thread_mail *mail = self->hub->mail[self->cluster.rank];
    if (mail)
        self->hub->mail[self->cluster.rank] = mail->next;
    pthread_mutex_unlock(&self->hub->lock);
    *arrived = mail != NULL;
    if (mail)
        *message = mail->message;
    free(mail);
    return STATUS_OK;
}

static inline void *thread_cluster_main(void *context)
{
    struct thread_rank *self = context;
    self->run(&self->cluster, self->context);
    return NULL;
}

/* Runs `run` on `size` ranks at once and waits. Returns the most bytes that a single exchange moved out of a rank. */
static inline uint64_t thread_cluster_run(unsigned size, void (*run)(const struct cluster *cluster, void *context),
                                          void *context)
{
    struct thread_hub hub = {.size = size, .lock = PTHREAD_MUTEX_INITIALIZER};
    struct thread_rank ranks[THREAD_CLUSTER_MAX];
    pthread_t threads[THREAD_CLUSTER_MAX];
    pthread_barrier_init(&hub.barrier, NULL, size);
    for (unsigned r = 0; r < size; r++) {
        ranks[r] = (struct thread_rank){.hub = &hub, .run = run, .context = context};
        ranks[r].cluster = (struct cluster){.rank = r,
                                            .size = size,
                                            .context = &ranks[r],
                                            .gather = thread_cluster_gather,
                                            .broadcast = thread_cluster_broadcast,
                                            .exchange = thread_cluster_exchange,
                                            .send = thread_cluster_send,
                                            .receive = thread_cluster_receive};
        snprintf(ranks[r].cluster.host, sizeof ranks[r].cluster.host, "host%u", r);
    }
    for (unsigned r = 0; r < size; r++)
        if (pthread_create(&threads[r], NULL, thread_cluster_main, &ranks[r]) != 0)
            abort();
    for (unsigned r = 0; r < size; r++)
        pthread_join(threads[r], NULL);
    for (unsigned r = 0; r < size; r++)
        if (hub.mail[r])
            abort(); /* a message that was not received */
    pthread_barrier_destroy(&hub.barrier);
    return hub.largest_exchange;
}

#endif
