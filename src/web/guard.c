/* guard: which requests are answered. */
#include "web/guard.h"

#include <arpa/inet.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

enum { HOST_BYTES = 256 };

bool guard_is_loopback(const char *host)
{
    struct in_addr address;
    if (strcasecmp(host, "localhost") == 0 || strcmp(host, "::1") == 0)
        return true;
    return inet_pton(AF_INET, host, &address) == 1 && ntohl(address.s_addr) >> 24 == 127;
}

enum status guard_check_token(const char *token)
{
    size_t bytes = strspn(token, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_");
    if (token[bytes] == '\0' && bytes >= GUARD_TOKEN_MIN_BYTES && bytes <= GUARD_TOKEN_MAX_BYTES)
        return STATUS_OK;
    return status_fail(STATUS_USAGE, "the token is not %d to %d letters, digits, '-' and '_'", GUARD_TOKEN_MIN_BYTES,
                       GUARD_TOKEN_MAX_BYTES);
}

/* Takes as long for a text that differs at once as for one that differs at its end. */
static bool is_token(const struct guard *guard, const char *text, size_t bytes)
{
    size_t wanted = strlen(guard->token);
    unsigned different = bytes != wanted;
    for (size_t i = 0; i < bytes; i++)
        different |= (unsigned char)text[i] ^ (unsigned char)guard->token[i % wanted];
    return different == 0;
}

static bool has_bearer(const struct guard *guard, const char *authorization)
{
    static const char scheme[] = "Bearer ";
    if (!authorization || strncasecmp(authorization, scheme, sizeof scheme - 1) != 0)
        return false;
    const char *text = authorization + sizeof scheme - 1;
    return is_token(guard, text, strlen(text));
}

/* Among "a=1; afterstate_token=..; b=2". */
static bool has_cookie(const struct guard *guard, const char *cookies)
{
    static const char name[] = GUARD_COOKIE "=";
    for (const char *at = cookies; at && *at;) {
        at += strspn(at, "; ");
        size_t bytes = strcspn(at, ";");
        if (bytes >= sizeof name - 1 && strncmp(at, name, sizeof name - 1) == 0 &&
            is_token(guard, at + sizeof name - 1, bytes - (sizeof name - 1)))
            return true;
        at += bytes;
    }
    return false;
}

enum http_code guard_admit(const struct guard *guard, const struct guard_headers *headers, const char *parameter,
                           bool *by_parameter)
{
    *by_parameter = guard->token && parameter && is_token(guard, parameter, strlen(parameter));
    if (!guard->token || *by_parameter || has_bearer(guard, headers->authorization) ||
        has_cookie(guard, headers->cookie))
        return HTTP_FINE;
    return web_fail(HTTP_UNAUTHORIZED, "this server needs its token: open the address that it printed when it started");
}

struct guard guard_for(const char *host, const char *token)
{
    struct guard guard = {.host = host, .token = token};
    guard.any_address = strcmp(host, "0.0.0.0") == 0 || strcmp(host, "::") == 0;
    if (guard.any_address && gethostname(guard.host_name, sizeof guard.host_name - 1) != 0)
        guard.host_name[0] = 0;
    return guard;
}

/* The name without port and brackets; false if it is not of the form NAME, NAME:PORT or [ADDRESS]:PORT. */
static bool split_host(const char *header, char name[HOST_BYTES])
{
    const char *end;
    if (header[0] == '[') {
        end = strchr(++header, ']');
        if (!end)
            return false;
    } else {
        end = header + strcspn(header, ":");
    }
    size_t bytes = (size_t)(end - header);
    if (bytes == 0 || bytes >= HOST_BYTES)
        return false;
    memcpy(name, header, bytes);
    name[bytes] = 0;
    end += *end == ']';
    return *end == 0 || (*end == ':' && strspn(end + 1, "0123456789") == strlen(end + 1));
}

static bool is_address(const char *name)
{
    struct in6_addr address;
    return inet_pton(AF_INET, name, &address) == 1 || inet_pton(AF_INET6, name, &address) == 1;
}

static bool is_ours(const struct guard *guard, const char *name)
{
    if (strcasecmp(name, "localhost") == 0 || strcmp(name, "127.0.0.1") == 0 || strcmp(name, "::1") == 0)
        return true;
    if (guard->any_address)
        return is_address(name) || (guard->host_name[0] && strcasecmp(name, guard->host_name) == 0);
    return strcasecmp(name, guard->host) == 0;
}

enum http_code guard_check(const struct guard *guard, const struct guard_headers *headers, bool page)
{
    char name[HOST_BYTES], own[HOST_BYTES + 16];
    const char *site = headers->fetch_site;
    if (!headers->host)
        return web_fail(HTTP_BAD_REQUEST, "the Host header is missing");
    if (!split_host(headers->host, name) || !is_ours(guard, name))
        return web_fail(HTTP_FORBIDDEN, "the Host header names '%.80s', which is not this server", headers->host);
    if (headers->origin) {
        snprintf(own, sizeof own, "http://%s", headers->host);
        if (strcasecmp(headers->origin, own) != 0)
            return web_fail(HTTP_FORBIDDEN, "requests from '%.80s' are refused", headers->origin);
    }
    if (!site || strcmp(site, "same-origin") == 0 || strcmp(site, "none") == 0)
        return HTTP_FINE;
    if (page && headers->fetch_mode && strcmp(headers->fetch_mode, "navigate") == 0)
        return HTTP_FINE; /* a link to the page, on whatever site it stands */
    return web_fail(HTTP_FORBIDDEN, "requests from other web pages are refused");
}
