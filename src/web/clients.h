/*
 * clients: the open connections, and for how long each has been in its present state. The HTTP library closes a
 * connection on which nothing happens; one that sends a byte now and then would stay for ever and, with enough of its
 * kind, keep all others out. So the headers of a request must arrive, and the request must be answered, within a time
 * of their own; and when connections become scarce, the one that has waited longest without a request is closed.
 *
 * Any thread may call these.
 */
#ifndef AFTERSTATE_WEB_CLIENTS_H
#define AFTERSTATE_WEB_CLIENTS_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

enum { CLIENTS_ARRIVE_SECONDS = 10, CLIENTS_ANSWER_SECONDS = 900 };

struct client {
    int socket;
    bool asking; /* the headers of its request have arrived and it is not answered yet */
    bool shut;   /* to be closed */
    double since;
    struct client *before, *next;
};

struct clients {
    pthread_mutex_t lock;
    struct client *first;
    unsigned n_open; /* that are not shut */
};

void clients_begin(struct clients *clients);
void clients_end(struct clients *clients); /* all of them have left */

/* A new connection; NULL without memory. */
struct client *clients_enter(struct clients *clients, int socket);
/* The connection is going to be closed; `client` may be NULL. */
void clients_leave(struct clients *clients, struct client *client);
/* Its request has arrived, or is answered. `client` may be NULL. */
void clients_mark(struct clients *clients, struct client *client, bool asking);
/* How many wait for an answer. */
unsigned clients_asking(struct clients *clients);
/* Shuts down the one that has been without a request for longest, if more than `most` are open. */
void clients_make_room(struct clients *clients, unsigned most);
/* Shuts down the sockets of those that are over their time at `now` (clock_seconds()). */
void clients_sweep(struct clients *clients, double now);

#endif
