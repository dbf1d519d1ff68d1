/*
 * web_client: a server on a free port with a few small boards, and a plain HTTP client over loopback sockets, for the
 * tests of src/web.
 */
#ifndef AFTERSTATE_TESTS_WEB_CLIENT_H
#define AFTERSTATE_TESTS_WEB_CLIENT_H

#include "scratch.h"
#include "solved_board.h"

#include "game/simple_value.h"
#include "web/server.h"

#include <arpa/inet.h>
#include <cjson/cJSON.h>
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <strings.h>
#include <sys/socket.h>
#include <unistd.h>

/* ---- a server ---------------------------------------------------------------------------------------------------- */

enum { WEB_BOARDS = 3 };

struct web_fixture {
    struct grid grids[WEB_BOARDS];
    struct simple_value *simple[WEB_BOARDS];
    struct table *table; /* of 2x2 */
    struct catalog *catalog;
    struct server *server;
};

/* 4x4, 3x3 and 2x2 by the simple value, 2x2 also solved. Needs a scratch folder. */
static inline void web_fixture_open(struct web_fixture *fixture, const struct server_settings *wanted)
{
    static const unsigned sizes[WEB_BOARDS][2] = {{4, 4}, {3, 3}, {2, 2}};
    fixture->catalog = calloc(1, sizeof *fixture->catalog);
    assert_non_null(fixture->catalog);
    for (unsigned i = 0; i < WEB_BOARDS; i++) {
        assert_ok(grid_create(&fixture->grids[i], sizes[i][0], sizes[i][1]));
        assert_ok(simple_value_create(&fixture->simple[i], &fixture->grids[i]));
        struct web_board board = {
            .grid = &fixture->grids[i], .function = simple_value_function(fixture->simple[i]), .evaluator = "simple"};
        assert_ok(catalog_add_board(fixture->catalog, &board));
    }
    fixture->table = solved_board(2, 2, VARIANT_NORMAL, STORE_VALUES);
    assert_ok(catalog_add_table(fixture->catalog, fixture->table));
    if (!wanted)
        return; /* no server */
    struct server_settings settings = *wanted;
    if (!settings.host)
        settings.host = "127.0.0.1";
    settings.catalog = fixture->catalog;
    assert_ok(server_start(&fixture->server, &settings));
}

static inline void web_fixture_close(struct web_fixture *fixture)
{
    server_stop(fixture->server);
    table_close(fixture->table);
    for (unsigned i = 0; i < WEB_BOARDS; i++) {
        simple_value_free(fixture->simple[i]);
        grid_free(&fixture->grids[i]);
    }
    free(fixture->catalog);
}

/* ---- a client ---------------------------------------------------------------------------------------------------- */

struct web_client {
    int socket;
    char *data; /* what has come and is not read yet */
    size_t bytes, capacity;
};

/* Headers and body of one answer. */
struct web_reply {
    int code;
    char headers[4096];
    char *body; /* NUL after it; the test frees it */
    size_t bytes;
};

/* From the address 127.0.0.`from`: all of 127.0.0.0/8 is this machine. */
static inline struct web_client web_connect_from(unsigned from, unsigned port)
{
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port)}, source = address;
    struct timeval patience = {.tv_sec = 60};
    struct web_client client = {.socket = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)};
    int one = 1;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    source.sin_addr.s_addr = htonl((INADDR_LOOPBACK & ~255u) + from);
    source.sin_port = 0;
    assert_true(client.socket >= 0);
    setsockopt(client.socket, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    setsockopt(client.socket, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience);
    setsockopt(client.socket, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
    assert_int_equal(bind(client.socket, (struct sockaddr *)&source, sizeof source), 0);
    assert_int_equal(connect(client.socket, (struct sockaddr *)&address, sizeof address), 0);
    return client;
}

static inline struct web_client web_connect(unsigned port)
{
    return web_connect_from(1, port);
}

static inline void web_disconnect(struct web_client *client)
{
    close(client->socket);
    free(client->data);
    *client = (struct web_client){.socket = -1};
}

/* False if the server has closed. */
static inline bool web_send(struct web_client *client, const void *data, size_t bytes)
{
    for (size_t sent = 0; sent < bytes;) {
        ssize_t n = send(client->socket, (const char *)data + sent, bytes - sent, MSG_NOSIGNAL);
        if (n <= 0)
            return false;
        sent += (size_t)n;
    }
    return true;
}

/* Reads some more. False at the end, or after an error. */
static inline bool web_fill(struct web_client *client)
{
    if (client->capacity - client->bytes < 16384) {
        client->capacity = client->capacity * 2 + 32768;
        client->data = realloc(client->data, client->capacity);
        assert_non_null(client->data);
    }
    ssize_t n = recv(client->socket, client->data + client->bytes, client->capacity - client->bytes - 1, 0);
    if (n <= 0)
        return false;
    client->bytes += (size_t)n;
    client->data[client->bytes] = 0;
    return true;
}

static inline void web_drop(struct web_client *client, size_t n)
{
    client->bytes -= n;
    memmove(client->data, client->data + n, client->bytes + 1);
}

/* A header's value in *out ("" if it is not there). */
static inline bool web_header(const struct web_reply *reply, const char *name, char *out, size_t room)
{
    size_t length = strlen(name);
    out[0] = 0;
    for (const char *line = reply->headers; (line = strstr(line, "\r\n")); line += 2)
        if (strncasecmp(line + 2, name, length) == 0 && line[2 + length] == ':') {
            const char *value = line + 3 + length;
            value += strspn(value, " ");
            snprintf(out, room, "%.*s", (int)strcspn(value, "\r"), value);
            return true;
        }
    return false;
}

static inline bool web_keep(struct web_reply *reply, const char *data, size_t bytes)
{
    reply->body = realloc(reply->body, reply->bytes + bytes + 1);
    assert_non_null(reply->body);
    if (bytes)
        memcpy(reply->body + reply->bytes, data, bytes);
    reply->bytes += bytes;
    reply->body[reply->bytes] = 0;
    return true;
}

static inline bool web_need(struct web_client *client, size_t bytes)
{
    while (client->bytes < bytes)
        if (!web_fill(client))
            return false;
    return true;
}

static inline bool web_receive_chunks(struct web_client *client, struct web_reply *reply)
{
    for (;;) {
        char *end;
        while (!client->bytes || !(end = strstr(client->data, "\r\n")))
            if (!web_fill(client))
                return false;
        size_t bytes = strtoul(client->data, NULL, 16);
        web_drop(client, (size_t)(end - client->data) + 2);
        if (!web_need(client, bytes + 2))
            return false;
        web_keep(reply, client->data, bytes);
        web_drop(client, bytes + 2);
        if (bytes == 0)
            return true;
    }
}

/* Reads one answer; `head` if there is no body whatever the headers say. False if the connection ended before. */
static inline bool web_receive(struct web_client *client, struct web_reply *reply, bool head)
{
    char value[64], *end;
    *reply = (struct web_reply){0};
    while (!client->bytes || !(end = strstr(client->data, "\r\n\r\n")))
        if (!web_fill(client))
            return false;
    size_t bytes = (size_t)(end - client->data) + 4;
    assert_true(bytes < sizeof reply->headers);
    memcpy(reply->headers, client->data, bytes);
    assert_int_equal(strncmp(reply->headers, "HTTP/1.", 7), 0);
    reply->code = atoi(reply->headers + 9);
    web_drop(client, bytes);
    web_keep(reply, "", 0);
    if (reply->code == 100) { /* "continue": the answer itself is still to come */
        free(reply->body);
        return web_receive(client, reply, head);
    }
    if (head || reply->code == 304)
        return true;
    if (web_header(reply, "Transfer-Encoding", value, sizeof value))
        return web_receive_chunks(client, reply);
    if (!web_header(reply, "Content-Length", value, sizeof value))
        fail_msg("an answer without a length:\n%s", reply->headers);
    bytes = strtoul(value, NULL, 10);
    if (!web_need(client, bytes))
        return false;
    web_keep(reply, client->data, bytes);
    if (bytes)
        web_drop(client, bytes);
    return true;
}

/* Sends a request whose text is given whole, and reads the answer. */
static inline struct web_reply web_exchange(struct web_client *client, const char *text)
{
    struct web_reply reply;
    assert_true(web_send(client, text, strlen(text)));
    if (!web_receive(client, &reply, strncmp(text, "HEAD ", 5) == 0))
        fail_msg("no answer to: %s", text);
    return reply;
}

static inline struct web_reply web_get(struct web_client *client, const char *target)
{
    char text[4096];
    snprintf(text, sizeof text, "GET %s HTTP/1.1\r\nHost: localhost\r\n\r\n", target);
    return web_exchange(client, text);
}

static inline struct web_reply web_post(struct web_client *client, const char *target, const void *body, size_t bytes)
{
    char text[512];
    struct web_reply reply;
    snprintf(text, sizeof text, "POST %s HTTP/1.1\r\nHost: localhost\r\nContent-Length: %zu\r\n\r\n", target, bytes);
    assert_true(web_send(client, text, strlen(text)));
    assert_true(web_send(client, body, bytes));
    assert_true(web_receive(client, &reply, false));
    return reply;
}

#endif
