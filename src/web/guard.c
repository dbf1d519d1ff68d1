#include "web/guard.h"

#include <arpa/inet.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

enum { HOST_BYTES = 256 };

struct guard guard_for(const char *host)
{
    struct guard guard = {.host = host};
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
