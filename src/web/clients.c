/* clients: the open connections, and for how long each has been in its present state. */
#include "web/clients.h"

#include "base/clock.h"
#include "base/memory.h"

#include <assert.h>
#include <stdlib.h>
#include <sys/socket.h>

void clients_begin(struct clients *clients)
{
    clients->first = NULL;
    clients->n_open = 0;
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
    clients->n_open++;
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
    clients->n_open -= !client->shut;
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

/* A socket is closed only after its client has left, so with the lock held it is still this one's. */
static void shut_client(struct clients *clients, struct client *client)
{
    if (client->shut)
        return;
    client->shut = true;
    clients->n_open--;
    shutdown(client->socket, SHUT_RDWR);
}

void clients_make_room(struct clients *clients, unsigned most)
{
    pthread_mutex_lock(&clients->lock);
    struct client *oldest = NULL;
    for (struct client *client = clients->first; clients->n_open > most && client; client = client->next)
        if (!client->asking && !client->shut && (!oldest || client->since < oldest->since))
            oldest = client;
    if (oldest)
        shut_client(clients, oldest);
    pthread_mutex_unlock(&clients->lock);
}

void clients_sweep(struct clients *clients, double now)
{
    pthread_mutex_lock(&clients->lock);
    for (struct client *client = clients->first; client; client = client->next)
        if (now - client->since > (client->asking ? CLIENTS_ANSWER_SECONDS : CLIENTS_ARRIVE_SECONDS))
            shut_client(clients, client);
    pthread_mutex_unlock(&clients->lock);
}
