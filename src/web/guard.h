/*
 * guard: which requests are answered. A browser lets any web page send requests to 127.0.0.1, so being local is no
 * protection by itself. Three checks:
 *
 * - Host. A page elsewhere may point its own name at 127.0.0.1 (DNS rebinding) and would then be "same origin" with us;
 *   but its requests carry that name. Only our own address and the names of the local machine are answered.
 * - Origin and Sec-Fetch-Site, which browsers set and scripts cannot. What comes from another origin is refused, but
 *   for following a link to the page itself. Programs that are no browsers send neither header.
 * - A token, where the server has one: in a header "Authorization: Bearer TOKEN", in the cookie that the server sets,
 *   or in the parameter "token" of the target, which sets the cookie. Compared in a time that does not depend on
 *   where the texts differ.
 *
 * Ports are not compared: a forwarded port (ssh -L) is a different one, and rebinding needs a name.
 */
#ifndef AFTERSTATE_WEB_GUARD_H
#define AFTERSTATE_WEB_GUARD_H

#include "web/web_error.h"

#include <stdbool.h>

enum { GUARD_TOKEN_MIN_BYTES = 8, GUARD_TOKEN_MAX_BYTES = 128 };

#define GUARD_COOKIE "afterstate_token"

struct guard {
    const char *host;    /* the address that the server listens on */
    const char *token;   /* NULL: none is needed */
    bool any_address;    /* that is 0.0.0.0 or ::, so any address may be ours */
    char host_name[256]; /* of this machine, "" unless any_address */
};

/* Headers as they came, NULL where missing. */
struct guard_headers {
    const char *host, *origin, *fetch_site, *fetch_mode;
    const char *authorization, *cookie;
};

/* Both are borrowed; `token` may be NULL. */
struct guard guard_for(const char *host, const char *token);

/* Whether only this machine can reach a server on `host`: 127.x.x.x, ::1 or localhost. */
bool guard_is_loopback(const char *host);

/* STATUS_USAGE unless it is 8 to 128 letters, digits, '-' and '_', which go into a header and an address as they
   are. */
enum status guard_check_token(const char *token);

/*
 * Whether a request has the token; true where none is needed. `parameter` is the one of its target, NULL for none.
 * *by_parameter: it was that one, so the answer should set the cookie. HTTP_UNAUTHORIZED.
 */
enum http_code guard_admit(const struct guard *guard, const struct guard_headers *headers, const char *parameter,
                           bool *by_parameter);

/* HTTP_FORBIDDEN, or HTTP_BAD_REQUEST without a Host. `page`: the request is for a file of the page, not for the
   API. */
enum http_code guard_check(const struct guard *guard, const struct guard_headers *headers, bool page);

#endif
