/*
 * clients: the open connections, and how long each has been at what it does. The HTTP library closes a connection on
 * which nothing happens; one that sends a byte now and then would stay for ever and, with enough of its kind, keep
 * everybody else out. So a request must have arrived, and must have been answered, within a time of its own.
 *
 * Any thread may call these.
 */
#ifndef AFTERSTATE_WEB_CLIENTS_H
#define AFTERSTATE_WEB_CLIENTS_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

enum { CLIENTS_ARRIVE_SECONDS = 30, CLIENTS_ANSWER_SECONDS = 900 };

struct client {
    int socket;
    bool asking; /* its request has arrived and is not answered yet */
    double since;
    struct client *before, *next;
};

struct clients {
    pthread_mutex_t lock;
    struct client *first;
};

void clients_begin(struct clients *clients);
void clients_end(struct clients *clients); /* all of them have left */

/* A new connection; NULL without memory. */
struct client *clients_enter(struct clients *clients, int socket);
/* The connection is going to be closed; `client` may be NULL. */
void clients_leave(struct clients *clients, struct client *client);
/* Its request has arrived, or is answered. `client` may be NULL. */
void clients_mark(struct clients *clients, struct client *client, bool asking);
/* How many have asked and are not answered yet. */
unsigned clients_asking(struct clients *clients);
/* Shuts down the sockets of those that are over their time at `now` (clock_seconds()). */
void clients_sweep(struct clients *clients, double now);

#endif
