/*
 * Malformed requests over loopback, by a generator with a seed: WEB_FUZZ_REQUESTS of them, each either answered with a
 * sensible status or ended by the server, none of which may crash it, hang it or make it leak (the build with
 * AddressSanitizer sees to that at the end).
 *
 * Two kinds. In the first the HTTP is right and its content is not: such requests are sent in rows over one connection
 * (pipelined, the bytes cut at random places), and exactly as many answers must come back. In the second the HTTP
 * itself is broken, or the client behaves badly: one connection each, read until the server closes, or left at once.
 */
#include "web_client.h"

#include "base/random.h"

#include <ctype.h>
#include <pthread.h>

#ifndef WEB_FUZZ_REQUESTS
#define WEB_FUZZ_REQUESTS 20000
#endif

enum { ROW = 24, N_CLIENTS = 4, TEXT_BYTES = 1 << 16 };

static struct web_fixture fixture;

static const char *const targets[] = {
    "/",
    "/index.html",
    "/style.css",
    "/api/health",
    "/api/hint?board=1200&depth=1",
    "/api/hint?board=123000000&depth=1",
    "/api/hint?board=1230000000000010&depth=2",
    "/api/hint?board=1230000000000010&ms=1",
    "/api/hint?rows=2&cols=2&board=2+4+/+0+2&depth=1",
    "/api/runs",
    "/api/runs/one?from=3",
    "/api/tables",
    "/api/table/2x2",
    "/api/table/2x2/ages",
    "/api/table/2x2/query?board=1002",
};

static const char *const bodies[] = {
    "{\"rows\":2,\"cols\":2,\"start\":\"1100\",\"moves\":[[\"left\",3,2],[\"up\",2,4]]}",
    "{\"rows\":2,\"cols\":2,\"start\":\"1100\",\"steps\":\"0f48\"}",
    "{\"rows\":3,\"cols\":3,\"start\":\"110000000\",\"moves\":[],\"player\":\"\xc3\xa9\"}",
    "ASRECORD\1\0\0\0\0\0\0\0",
    "",
};

static const char *const pieces[] = {
    "%00",
    "%ff%fe",
    "%c0%80",
    "\xff\xfe",
    "%",
    "%zz",
    "99999999999999999999",
    "-1",
    "1e400",
    "0x10",
    "/../..",
    "&",
    "&&&",
    "=",
    "?",
    "//",
    "board=",
    "&depth=5",
    "&depth=999999999",
    "&ms=0",
    "&ms=-5",
    "&from=18446744073709551616",
    "+",
    "#",
    "'",
    "\"",
    "<script>",
    "\\",
    "{",
    "}",
    "[[[[[[[[[[[[[[[[",
    "null",
    "NaN",
    "\xed\xa0\x80",
    "%2e%2e%2f",
    "hhhhhhhhhhhhhhhh",
    "0000000000000000",
    "\t",
    ";",
    "nan",
    "1_0",
    "\x7f",
    "\x80",
};

#define PICK(rng, list) ((list)[random_below(rng, sizeof(list) / sizeof *(list))])

/* One to four mutations of a text of at most `room` bytes: insert a piece, change, drop or double some bytes. `blanks`:
   blanks and control bytes may stay, which would break a request line. */
static size_t mutate(struct rng *rng, char *text, size_t bytes, size_t room, bool blanks)
{
    for (uint64_t n = 1 + random_below(rng, 4); n > 0; n--) {
        size_t at = (size_t)random_below(rng, bytes + 1);
        size_t span = (size_t)random_below(rng, 1 + (bytes - at < 8 ? bytes - at : 8));
        const char *piece = PICK(rng, pieces);
        switch (random_below(rng, 5)) {
        case 0:
            if (bytes + strlen(piece) < room) {
                memmove(text + at + strlen(piece), text + at, bytes - at);
                memcpy(text + at, piece, strlen(piece));
                bytes += strlen(piece);
            }
            break;
        case 1:
            memmove(text + at, text + at + span, bytes - at - span);
            bytes -= span;
            break;
        case 2:
            if (at < bytes)
                text[at] = (char)random_below(rng, 256);
            break;
        case 3:
            if (bytes + span < room) {
                memmove(text + at + span, text + at, bytes - at);
                bytes += span;
            }
            break;
        default:
            bytes = random_below(rng, 4) ? bytes : at;
            break;
        }
    }
    for (size_t i = 0; !blanks && i < bytes; i++)
        if ((unsigned char)text[i] <= ' ')
            text[i] = 'x';
    return bytes;
}

/* ---- right HTTP, wrong content ----------------------------------------------------------------------------------- */

static size_t write_request(struct rng *rng, char *out, bool *head)
{
    char text[4096];
    if (random_below(rng, 8) == 0) {
        const char *body = PICK(rng, bodies);
        size_t bytes = strlen(body), n;
        memcpy(text, body, bytes);
        bytes = mutate(rng, text, bytes, sizeof text, true);
        n = (size_t)sprintf(out, "POST /api/%s?depth=1 HTTP/1.1\r\nHost: localhost\r\nContent-Length: %zu\r\n\r\n",
                            random_below(rng, 4) ? "review" : "record", bytes);
        memcpy(out + n, text, bytes);
        *head = false;
        return n + bytes;
    }
    const char *target = PICK(rng, targets);
    size_t bytes = strlen(target);
    memcpy(text, target, bytes);
    bytes = mutate(rng, text + 1, bytes - 1, sizeof text - 1, false) + 1; /* the '/' stays: else it is another form */
    *head = random_below(rng, 16) == 0;
    size_t n = (size_t)sprintf(out, "%s ", *head ? "HEAD" : random_below(rng, 16) ? "GET" : "PUT");
    memcpy(out + n, text, bytes);
    n += bytes;
    static const char *const odd_headers[] = {"",
                                              "X-Odd: \xff\xfe\r\n",
                                              "If-None-Match: \"\r\n",
                                              "If-None-Match: *\r\n",
                                              "Origin: \x80\r\n",
                                              "Sec-Fetch-Site: ?\r\n",
                                              "Cookie: a=b; c\r\n",
                                              "Accept: */*;q=1e99\r\n"};
    n += (size_t)sprintf(out + n, " HTTP/1.1\r\nHost: localhost\r\n%s\r\n", PICK(rng, odd_headers));
    return n;
}

static bool is_expected_code(int code)
{
    static const int codes[] = {200, 202, 304, 400, 403, 404, 405, 413, 414, 429};
    for (size_t i = 0; i < sizeof codes / sizeof *codes; i++)
        if (codes[i] == code)
            return true;
    return false;
}

/* An error is one JSON object that says so; what is fine is not looked into. */
static void check_reply(const struct web_reply *reply, bool head)
{
    char type[64];
    if (!is_expected_code(reply->code))
        fail_msg("status %d: %s", reply->code, reply->body);
    web_header(reply, "Content-Type", type, sizeof type);
    if (head || reply->code == 304 || strcmp(type, "application/json") != 0)
        return;
    cJSON *json = cJSON_Parse(reply->body);
    if (!json)
        fail_msg("status %d, not JSON: %s", reply->code, reply->body);
    assert_int_equal(cJSON_HasObjectItem(json, "error"), reply->code >= 400);
    cJSON_Delete(json);
}

/* Sends in pieces cut anywhere. */
static bool send_in_pieces(struct rng *rng, struct web_client *client, const char *data, size_t bytes)
{
    for (size_t sent = 0; sent < bytes;) {
        size_t n = random_below(rng, 4) ? bytes - sent : 1 + (size_t)random_below(rng, bytes - sent);
        if (!web_send(client, data + sent, n))
            return false;
        sent += n;
    }
    return true;
}

/* A row of requests; how many were answered. An early refusal of a body ends the connection, and with it the row. */
static unsigned send_row(struct rng *rng, char *text)
{
    bool heads[ROW];
    size_t bytes = 0;
    unsigned n_answered = 0;
    for (unsigned i = 0; i < ROW; i++)
        bytes += write_request(rng, text + bytes, &heads[i]);
    struct web_client client = web_connect(server_port(fixture.server));
    bool closed = !send_in_pieces(rng, &client, text, bytes);
    while (!closed && n_answered < ROW) {
        struct web_reply reply;
        char connection[32];
        bool head = heads[n_answered];
        if (!web_receive(&client, &reply, head))
            fail_msg("the connection ended after %u of %d requests:\n%.*s", n_answered, ROW, (int)bytes, text);
        check_reply(&reply, head);
        n_answered++;
        web_header(&reply, "Connection", connection, sizeof connection);
        closed = strcasecmp(connection, "close") == 0;
        free(reply.body);
    }
    web_disconnect(&client);
    return n_answered;
}

/* ---- wrong HTTP, bad manners ------------------------------------------------------------------------------------- */

static size_t break_request(struct rng *rng, char *text)
{
    static const char *const whole[] = {
        "GET /api/health HTTP/1.1\r\nHost: localhost\r\n\r\n",
        "GET /api/hint?board=1200&depth=1 HTTP/1.1\r\nHost: localhost\r\n\r\n",
        "GET /api/hint?board=1230000000000010&ms=2000 HTTP/1.1\r\nHost: localhost\r\n\r\n",
        "POST /api/review HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10\r\n\r\n{\"rows\":2}",
        "POST /api/review HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000\r\n\r\n{\"rows\":2}",
        "POST /api/review HTTP/1.1\r\nHost: localhost\r\nContent-Length: -1\r\n\r\n{}",
        "POST /api/review HTTP/1.1\r\nHost: localhost\r\nContent-Length: 99999999999999999999999\r\n\r\n{}",
        "POST /api/review HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n",
        "POST /api/review HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n",
        "POST /api/review HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\nffffffffffffffff\r\n{",
        "GET / HTTP/9.9\r\nHost: localhost\r\n\r\n",
        "GET /\r\n\r\n",
        "\r\n\r\n\r\n",
        "GET http://localhost/api/health HTTP/1.1\r\nHost: localhost\r\n\r\n",
        "OPTIONS * HTTP/1.1\r\nHost: localhost\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: localhost\r\nHost: evil.example\r\n\r\n",
        "GET / HTTP/1.1\r\n Folded: x\r\nHost: localhost\r\n\r\n",
        "GET / HTTP/1.1\r\nNo colon here\r\n\r\n",
        "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
    };
    const char *request = PICK(rng, whole);
    size_t bytes = strlen(request);
    memcpy(text, request, bytes);
    if (random_below(rng, 64) == 0) { /* a header, or a target, without end */
        size_t long_bytes = 1000 + (size_t)random_below(rng, TEXT_BYTES - 2000);
        bytes = (size_t)sprintf(text, random_below(rng, 2) ? "GET / HTTP/1.1\r\nX: " : "GET /");
        memset(text + bytes, 'a', long_bytes);
        return bytes + long_bytes;
    }
    return random_below(rng, 3) ? mutate(rng, text, bytes, TEXT_BYTES, true) : bytes;
}

static void send_broken(struct rng *rng, char *text)
{
    struct web_client client = web_connect(server_port(fixture.server));
    size_t bytes = break_request(rng, text);
    bool sent = send_in_pieces(rng, &client, text, bytes);
    struct linger now = {.l_onoff = 1};
    switch (random_below(rng, 4)) {
    case 0: /* gone at once, with a reset */
        setsockopt(client.socket, SOL_SOCKET, SO_LINGER, &now, sizeof now);
        break;
    case 1: /* gone at once */
        break;
    default: /* half open, and reading until the server has had enough */
        shutdown(client.socket, SHUT_WR);
        while (sent && web_fill(&client)) {
        }
        if (client.bytes)
            assert_int_equal(strncmp(client.data, "HTTP/1.", client.bytes < 7 ? client.bytes : 7), 0);
    }
    web_disconnect(&client);
}

/* ---- all --------------------------------------------------------------------------------------------------------- */

struct fuzz_client {
    unsigned index;
    uint64_t n_answered, n_broken;
};

/* A failed check in a thread that is not cmocka's ends the whole process: as good a failure as any. */
static void *run_client(void *context)
{
    struct fuzz_client *client = context;
    struct rng rng = random_stream(2048, client->index);
    char *text = malloc(ROW * TEXT_BYTES);
    while (client->n_answered + client->n_broken < WEB_FUZZ_REQUESTS / N_CLIENTS) {
        if (random_below(&rng, 4) == 0) {
            for (unsigned i = 0; i < ROW / 2; i++, client->n_broken++)
                send_broken(&rng, text);
        } else {
            client->n_answered += send_row(&rng, text);
        }
    }
    free(text);
    return NULL;
}

static void test_malformed_requests(void **state)
{
    (void)state;
    struct server_settings settings = {.n_threads = 2, .max_waiting = 16, .max_depth = 2, .max_ms = 5};
    struct fuzz_client clients[N_CLIENTS] = {0};
    pthread_t threads[N_CLIENTS];
    web_fixture_open(&fixture, &settings);
    for (unsigned i = 0; i < N_CLIENTS; i++) {
        clients[i].index = i;
        assert_int_equal(pthread_create(&threads[i], NULL, run_client, &clients[i]), 0);
    }
    uint64_t n_answered = 0, n_broken = 0;
    for (unsigned i = 0; i < N_CLIENTS; i++) {
        pthread_join(threads[i], NULL);
        n_answered += clients[i].n_answered;
        n_broken += clients[i].n_broken;
    }
    struct web_client last = web_connect(server_port(fixture.server));
    struct web_reply reply = web_get(&last, "/api/hint?board=1200&depth=1"); /* and it still works */
    assert_int_equal(reply.code, 200);
    free(reply.body);
    web_disconnect(&last);
    web_fixture_close(&fixture);
    assert_true(n_answered + n_broken >= WEB_FUZZ_REQUESTS);
    print_message("%llu answered, %llu with broken HTTP\n", (unsigned long long)n_answered,
                  (unsigned long long)n_broken);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_malformed_requests, scratch_setup, scratch_teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
