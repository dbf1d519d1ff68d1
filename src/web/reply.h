/*
 * reply: answers on their way: the headers that every one of them has, JSON, errors, files of the page. Each function
 * returns whether the answer was accepted; if not (there is no memory), the connection can only be closed.
 */
#ifndef AFTERSTATE_WEB_REPLY_H
#define AFTERSTATE_WEB_REPLY_H

#include "web/target.h"
#include "web/web_error.h"

#include <stdbool.h>

struct MHD_Connection;
struct MHD_Response;

/* To whom, and what is special about it. */
struct reply {
    struct MHD_Connection *connection;
    const char *allow; /* the methods of the route, for HTTP_BAD_METHOD */
    bool closes;       /* the connection ends after it */
    const char *token; /* that a cookie keeps from now on; NULL: none is set */
};

/* Sends a response and releases it; NULL, which is no memory, is fine. */
bool reply_send(const struct reply *reply, enum http_code code, struct MHD_Response *response, const char *type,
                const char *cache);

/* Sends JSON from malloc, which it takes over; NULL as above. */
bool reply_json(const struct reply *reply, enum http_code code, char *text);

/* Sends a message, from malloc, as an error. */
bool reply_message(const struct reply *reply, enum http_code code, char *message);

/* Sends a file of the page (page_find()), or HTTP_NOT_MODIFIED to a client that has it already. */
bool reply_page(const struct reply *reply, const struct target *target, const char *directory);

#endif
