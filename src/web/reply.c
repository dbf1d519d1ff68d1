/* reply: answers on their way: the headers that every one of them has, JSON, errors, files of the page. */
#include "web/reply.h"

#include "web/guard.h"
#include "web/page.h"
#include "web/service.h"

#include <microhttpd.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char retry_seconds[] = "1";

static const char *const fixed_headers[][2] = {
    {"Content-Security-Policy", "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
                                "connect-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; "
                                "frame-ancestors 'none'"},
    {"X-Content-Type-Options", "nosniff"},
    {"Referrer-Policy", "no-referrer"},
    {"Cross-Origin-Resource-Policy", "same-origin"},
    {"Cross-Origin-Opener-Policy", "same-origin"},
    {"X-Frame-Options", "DENY"},
};

static bool add_header(struct MHD_Response *response, const char *name, const char *value)
{
    return MHD_add_response_header(response, name, value) == MHD_YES;
}

static bool add_headers(struct MHD_Response *response, const struct reply *reply, enum http_code code)
{
    bool added = true;
    for (size_t i = 0; added && i < sizeof fixed_headers / sizeof *fixed_headers; i++)
        added = add_header(response, fixed_headers[i][0], fixed_headers[i][1]);
    if (added && (code == HTTP_TOO_MANY || code == HTTP_UNAVAILABLE || code == HTTP_ACCEPTED))
        added = add_header(response, "Retry-After", retry_seconds);
    if (added && code == HTTP_BAD_METHOD)
        added = add_header(response, "Allow", reply->allow);
    if (added && reply->closes)
        added = add_header(response, "Connection", "close");
    if (added && code == HTTP_UNAUTHORIZED)
        added = add_header(response, "WWW-Authenticate", "Bearer");
    if (added && reply->token) {
        char cookie[GUARD_TOKEN_MAX_BYTES + 96];
        snprintf(cookie, sizeof cookie, GUARD_COOKIE "=%s; HttpOnly; SameSite=Strict; Path=/", reply->token);
        added = add_header(response, "Set-Cookie", cookie);
    }
    return added;
}

bool reply_send(const struct reply *reply, enum http_code code, struct MHD_Response *response, const char *type,
                const char *cache)
{
    if (!response)
        return false;
    bool queued = add_header(response, "Content-Type", type) && add_header(response, "Cache-Control", cache) &&
                  add_headers(response, reply, code) &&
                  MHD_queue_response(reply->connection, code, response) == MHD_YES;
    MHD_destroy_response(response);
    return queued;
}

bool reply_json(const struct reply *reply, enum http_code code, char *text)
{
    if (!text)
        return false;
    struct MHD_Response *response = MHD_create_response_from_buffer(strlen(text), text, MHD_RESPMEM_MUST_FREE);
    if (!response)
        free(text);
    return reply_send(reply, code, response, "application/json", "no-store");
}

bool reply_message(const struct reply *reply, enum http_code code, char *message)
{
    char *text = message ? service_error_text(message) : NULL;
    free(message);
    return reply_json(reply, code, text);
}

bool reply_page(const struct reply *reply, const struct target *target, const char *directory)
{
    struct page_content content;
    enum http_code code = page_find(target, directory, &content);
    if (code)
        return reply_json(reply, code, service_error_text(status_message()));
    const char *known = MHD_lookup_connection_value(reply->connection, MHD_HEADER_KIND, "If-None-Match");
    bool same = known && (strstr(known, content.tag) || strcmp(known, "*") == 0);
    struct MHD_Response *response =
        same ? MHD_create_response_from_buffer(0, NULL, MHD_RESPMEM_PERSISTENT)
             : MHD_create_response_from_buffer(content.bytes, (void *)(uintptr_t)content.data,
                                               content.owned ? MHD_RESPMEM_MUST_COPY : MHD_RESPMEM_PERSISTENT);
    free(content.owned);
    if (response && !add_header(response, "ETag", content.tag)) {
        MHD_destroy_response(response);
        response = NULL;
    }
    return reply_send(reply, same ? HTTP_NOT_MODIFIED : HTTP_OK, response, content.type, "no-cache");
}
