#include "web/clients.h"

#include "base/clock.h"
#include "base/memory.h"

#include <assert.h>
#include <stdlib.h>
#include <sys/socket.h>

void clients_begin(struct clients *clients)
{
    clients->first = NULL;
    pthread_mutex_init(&clients->lock, NULL);
}

void clients_end(struct clients *clients)
{
    assert(!clients->first);
    pthread_mutex_destroy(&clients->lock);
}

struct client *clients_enter(struct clients *clients, int socket)
{
    struct client *client = memory_allocate(1, sizeof *client);
    if (!client)
        return NULL;
    client->socket = socket;
    client->since = clock_seconds();
    pthread_mutex_lock(&clients->lock);
    client->next = clients->first;
    if (client->next)
        client->next->before = client;
    clients->first = client;
    pthread_mutex_unlock(&clients->lock);
    return client;
}

void clients_leave(struct clients *clients, struct client *client)
{
    if (!client)
        return;
    pthread_mutex_lock(&clients->lock);
    if (client->before)
        client->before->next = client->next;
    else
        clients->first = client->next;
    if (client->next)
        client->next->before = client->before;
    pthread_mutex_unlock(&clients->lock);
    free(client);
}

void clients_mark(struct clients *clients, struct client *client, bool asking)
{
    if (!client)
        return;
    pthread_mutex_lock(&clients->lock);
    client->asking = asking;
    client->since = clock_seconds();
    pthread_mutex_unlock(&clients->lock);
}

unsigned clients_asking(struct clients *clients)
{
    unsigned n = 0;
    pthread_mutex_lock(&clients->lock);
    for (const struct client *client = clients->first; client; client = client->next)
        n += client->asking;
    pthread_mutex_unlock(&clients->lock);
    return n;
}

void clients_sweep(struct clients *clients, double now)
{
    pthread_mutex_lock(&clients->lock); /* a socket is closed only after its client has left */
    for (struct client *client = clients->first; client; client = client->next)
        if (now - client->since > (client->asking ? CLIENTS_ANSWER_SECONDS : CLIENTS_ARRIVE_SECONDS))
            shutdown(client->socket, SHUT_RDWR);
    pthread_mutex_unlock(&clients->lock);
}
