/*
 * guard: who may talk to the server. A browser lets any web page send requests to 127.0.0.1, so being local is no
 * protection by itself. Two doors:
 *
 * - Host. A page elsewhere may point its own name at 127.0.0.1 (DNS rebinding) and would then be "same origin" with us;
 *   but its requests carry that name. Only our own address and the names of the local machine are answered.
 * - Origin and Sec-Fetch-Site, which browsers set and scripts cannot. What comes from another origin is refused, but
 *   for following a link to the page itself. Programs that are no browsers send neither header.
 *
 * Ports are not compared: a forwarded port (ssh -L) is a different one, and rebinding needs a name.
 */
#ifndef AFTERSTATE_WEB_GUARD_H
#define AFTERSTATE_WEB_GUARD_H

#include "web/web_error.h"

#include <stdbool.h>

struct guard {
    const char *host;    /* what the server was told to listen on */
    bool any_address;    /* that is 0.0.0.0 or ::, so any address may be ours */
    char host_name[256]; /* of this machine, "" unless any_address */
};

/* Headers as they came, NULL where missing. */
struct guard_headers {
    const char *host, *origin, *fetch_site, *fetch_mode;
};

/* `host` is borrowed. */
struct guard guard_for(const char *host);

/* HTTP_FORBIDDEN, or HTTP_BAD_REQUEST without a Host. `page`: a file of the page is asked for, not the API. */
enum http_code guard_check(const struct guard *guard, const struct guard_headers *headers, bool page);

#endif
