/* What the server makes of a request before any socket is involved: targets, hosts and origins, names, texts. */
#include "scratch.h"

#include "web/clients.h"
#include "web/guard.h"
#include "web/page.h"
#include "web/routes.h"
#include "web/target.h"

#include <sys/socket.h>

static struct target target;

static void check_target(const char *text, enum http_code code, const char *message)
{
    enum http_code got = target_parse(&target, text);
    if (got != code)
        fail_msg("%s: %d, expected %d (%s)", text, got, code, status_message());
    if (message)
        assert_message(message);
}

static void test_targets(void **state)
{
    (void)state;
    check_target("/", HTTP_FINE, NULL);
    assert_int_equal(target.n_segments, 0);
    check_target("/api/hint?board=1+2%2f&x&y=a=b&", HTTP_FINE, NULL);
    assert_int_equal(target.n_segments, 2);
    assert_true(target_segment_is(&target, 0, "api"));
    assert_true(target_segment_is(&target, 1, "hint"));
    assert_false(target_segment_is(&target, 2, ""));
    assert_string_equal(target_take(&target, "board"), "1 2/");
    assert_string_equal(target_take(&target, "x"), "");
    assert_null(target_take(&target, "z"));
    assert_int_equal(target_finish(&target), HTTP_BAD_REQUEST);
    assert_message("unknown parameter 'y'");
    assert_string_equal(target_take(&target, "y"), "a=b");
    assert_int_equal(target_finish(&target), HTTP_FINE);
    check_target("/a+b/", HTTP_FINE, NULL);
    assert_true(target_segment_is(&target, 0, "a+b"));
    assert_true(target_segment_is(&target, 1, ""));

    check_target("", HTTP_BAD_REQUEST, "begin with '/'");
    check_target("*", HTTP_BAD_REQUEST, "begin with '/'");
    check_target("/%", HTTP_BAD_REQUEST, "hexadecimal");
    check_target("/%4", HTTP_BAD_REQUEST, "hexadecimal");
    check_target("/%00", HTTP_BAD_REQUEST, "%00");
    check_target("/%2F", HTTP_BAD_REQUEST, "%2F");
    check_target("/?=1", HTTP_BAD_REQUEST, "without a name");
    check_target("/?a=1&%61=2", HTTP_BAD_REQUEST, "'a' is given twice");
    check_target("/1/2/3/4/5/6/7/8/9", HTTP_BAD_REQUEST, "more than 8 parts");
    check_target("/?a&b&c&d&e&f&g&h&i&j&k&l&m&n&o&p&q", HTTP_BAD_REQUEST, "more than 16");
    char text[TARGET_MAX_BYTES + 2];
    memset(text, '/', sizeof text);
    text[1] = '?';
    text[TARGET_MAX_BYTES] = 0;
    check_target(text, HTTP_FINE, NULL);
    text[TARGET_MAX_BYTES] = '/';
    text[TARGET_MAX_BYTES + 1] = 0;
    check_target(text, HTTP_TARGET_TOO_LONG, "2001 bytes");
}

static void test_integers(void **state)
{
    (void)state;
    int64_t number = 7;
    check_target("/?n=5&e=1e3&bad=2x&big=9223372036854775808&low=0", HTTP_FINE, NULL);
    assert_int_equal(target_take_integer(&target, "absent", 1, 5, &number), HTTP_FINE);
    assert_int_equal(number, 7);
    assert_int_equal(target_take_integer(&target, "n", 1, 5, &number), HTTP_FINE);
    assert_int_equal(number, 5);
    assert_int_equal(target_take_integer(&target, "e", 1, 1000, &number), HTTP_FINE);
    assert_int_equal(number, 1000);
    assert_int_equal(target_take_integer(&target, "bad", 1, 5, &number), HTTP_BAD_REQUEST);
    assert_message("parameter 'bad' is '2x', expected a whole number from 1 to 5");
    assert_int_equal(target_take_integer(&target, "big", 1, INT64_MAX, &number), HTTP_BAD_REQUEST);
    assert_int_equal(target_take_integer(&target, "low", 1, 5, &number), HTTP_BAD_REQUEST);
    assert_int_equal(number, 1000);
}

static enum http_code ask(const char *listening, const char *host)
{
    struct guard guard = guard_for(listening, NULL);
    struct guard_headers headers = {.host = host};
    return guard_check(&guard, &headers, false);
}

static void test_hosts(void **state)
{
    (void)state;
    char own[256];
    assert_int_equal(ask("127.0.0.1", "127.0.0.1:2048"), HTTP_FINE);
    assert_int_equal(ask("127.0.0.1", "localhost:1"), HTTP_FINE);
    assert_int_equal(ask("127.0.0.1", "[::1]"), HTTP_FINE);
    assert_int_equal(ask("127.0.0.1", "[::1"), HTTP_FORBIDDEN);
    assert_int_equal(ask("127.0.0.1", "[::1]x"), HTTP_FORBIDDEN);
    assert_int_equal(ask("127.0.0.1", "localhost.evil.example"), HTTP_FORBIDDEN);
    assert_int_equal(ask("127.0.0.1", "127.0.0.1.evil.example"), HTTP_FORBIDDEN);
    assert_int_equal(ask("127.0.0.1", "10.0.0.1"), HTTP_FORBIDDEN);
    assert_int_equal(ask("127.0.0.1", ""), HTTP_FORBIDDEN);
    assert_int_equal(ask("127.0.0.1", ":80"), HTTP_FORBIDDEN);
    assert_int_equal(ask("127.0.0.1", "localhost:80:90"), HTTP_FORBIDDEN);
    assert_int_equal(ask("127.0.0.1", NULL), HTTP_BAD_REQUEST);
    assert_int_equal(ask("10.0.0.1", "10.0.0.1:80"), HTTP_FINE);
    assert_int_equal(ask("lab.example", "LAB.example"), HTTP_FINE);
    assert_int_equal(ask("0.0.0.0", "10.0.0.1:80"), HTTP_FINE); /* an address cannot be pointed at us by a name */
    assert_int_equal(ask("0.0.0.0", "[fe80::1]:80"), HTTP_FINE);
    assert_int_equal(ask("0.0.0.0", "evil.example"), HTTP_FORBIDDEN);
    assert_int_equal(gethostname(own, sizeof own), 0);
    assert_int_equal(ask("0.0.0.0", own), HTTP_FINE);
}

static enum http_code ask_from(const char *origin, const char *site, const char *mode, bool page)
{
    struct guard guard = guard_for("127.0.0.1", NULL);
    struct guard_headers headers = {.host = "localhost:2048", .origin = origin, .fetch_site = site, .fetch_mode = mode};
    return guard_check(&guard, &headers, page);
}

static void test_origins(void **state)
{
    (void)state;
    assert_int_equal(ask_from("http://localhost:2048", NULL, NULL, false), HTTP_FINE);
    assert_int_equal(ask_from("http://localhost:2049", NULL, NULL, false), HTTP_FORBIDDEN);
    assert_int_equal(ask_from("https://localhost:2048", NULL, NULL, false), HTTP_FORBIDDEN);
    assert_int_equal(ask_from("null", NULL, NULL, false), HTTP_FORBIDDEN);
    assert_int_equal(ask_from(NULL, "none", NULL, false), HTTP_FINE);
    assert_int_equal(ask_from(NULL, "same-origin", NULL, false), HTTP_FINE);
    assert_int_equal(ask_from(NULL, "same-site", NULL, false), HTTP_FORBIDDEN);
    assert_int_equal(ask_from(NULL, "cross-site", "navigate", true), HTTP_FINE);
    assert_int_equal(ask_from(NULL, "cross-site", "navigate", false), HTTP_FORBIDDEN);
    assert_int_equal(ask_from(NULL, "cross-site", "no-cors", true), HTTP_FORBIDDEN);
    assert_int_equal(ask_from("http://evil.example", "cross-site", "navigate", true), HTTP_FORBIDDEN);
}

static void test_names(void **state)
{
    (void)state;
    char name[140];
    assert_true(page_is_safe_name("index.html"));
    assert_true(page_is_safe_name("a-b_C.1"));
    assert_false(page_is_safe_name(""));
    assert_false(page_is_safe_name("."));
    assert_false(page_is_safe_name(".."));
    assert_false(page_is_safe_name(".hidden"));
    assert_false(page_is_safe_name("a/b"));
    assert_false(page_is_safe_name("a b"));
    assert_false(page_is_safe_name("a\xff"));
    memset(name, 'a', sizeof name);
    name[128] = 0;
    assert_true(page_is_safe_name(name));
    name[128] = 'a';
    name[129] = 0;
    assert_false(page_is_safe_name(name));
}

static void test_built_in_page(void **state)
{
    (void)state;
    struct page_content index, named;
    check_target("/", HTTP_FINE, NULL);
    assert_int_equal(page_find(&target, NULL, &index), HTTP_FINE);
    check_target("/index.html", HTTP_FINE, NULL);
    assert_int_equal(page_find(&target, NULL, &named), HTTP_FINE);
    assert_ptr_equal(index.data, named.data);
    assert_string_equal(index.tag, named.tag);
    assert_int_equal(index.tag[0], '"');
    assert_string_equal(index.type, "text/html; charset=utf-8");
    size_t total = 0;
    for (const struct page_file *file = page_files; file->name; file++)
        total += (size_t)(file->end - file->begin);
    assert_true(total >= index.bytes && total < 200000); /* the page is to stay small */
}

static void check_clean(const char *text, const char *expected)
{
    char copy[64];
    snprintf(copy, sizeof copy, "%s", text);
    web_clean_text(copy);
    assert_string_equal(copy, expected);
}

static void test_clean_text(void **state)
{
    (void)state;
    check_clean("plain \xc3\xa9 \xe2\x82\xac \xf0\x9f\x98\x80", "plain \xc3\xa9 \xe2\x82\xac \xf0\x9f\x98\x80");
    check_clean("\xff\xfe", "??");
    check_clean("\xc3", "?");
    check_clean("\xc3(", "?(");
    check_clean("\xe2\x82", "??");
    check_clean("\xc0\x80", "??");           /* overlong */
    check_clean("\xe0\x80\x80", "???");      /* overlong */
    check_clean("\xed\xa0\x80", "???");      /* half of a surrogate pair */
    check_clean("\xf4\x90\x80\x80", "????"); /* beyond the last character */
    check_clean("a\tb\x7f\n", "a?b??");
    char *error = service_error_text("odd \xff \"quoted\"");
    assert_string_equal(error, "{\"version\":1,\"error\":\"odd ? \\\"quoted\\\"\"}");
    free(error);
}

static void test_routes(void **state)
{
    (void)state;
    static const struct {
        const char *path, *pattern;
    } known[] = {
        {"/", ""},
        {"/x/y", ""},
        {"/api/health", "api/health"},
        {"/api/hint", "api/hint"},
        {"/api/review", "api/review"},
        {"/api/record", "api/record"},
        {"/api/runs", "api/runs"},
        {"/api/runs/a", "api/runs/*"},
        {"/api/tables", "api/tables"},
        {"/api/table/a", "api/table/*"},
        {"/api/table//ages", "api/table/*/ages"},
        {"/api/table/a/query", "api/table/*/query"},
    };
    static const char *const unknown[] = {"/api",         "/api/",         "/api/table",     "/api/health/",
                                          "/api/healthy", "/api/health/x", "/api/table/a/b", "/api/runs/a/b"};
    const struct route *route;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        check_target(known[i].path, HTTP_FINE, NULL);
        assert_int_equal(route_find(&target, &route), HTTP_FINE);
        assert_string_equal(route->pattern, known[i].pattern);
    }
    for (size_t i = 0; i < sizeof unknown / sizeof *unknown; i++) {
        check_target(unknown[i], HTTP_FINE, NULL);
        assert_int_equal(route_find(&target, &route), HTTP_NOT_FOUND);
    }
}

/* The socket of a client that is over its time is shut down; the others stay. */
static void test_slow_clients(void **state)
{
    (void)state;
    struct clients clients;
    int slow[2], asking[2];
    char byte;
    assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, slow), 0);
    assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, asking), 0);
    clients_begin(&clients);
    struct client *first = clients_enter(&clients, slow[0]), *second = clients_enter(&clients, asking[0]);
    clients_mark(&clients, second, true);
    clients_sweep(&clients, first->since + CLIENTS_ARRIVE_SECONDS - 1);
    assert_int_equal(recv(slow[1], &byte, 1, MSG_DONTWAIT), -1); /* nothing has come, and it is open */
    clients_sweep(&clients, first->since + CLIENTS_ARRIVE_SECONDS + 1);
    assert_int_equal(recv(slow[1], &byte, 1, MSG_DONTWAIT), 0); /* closed */
    assert_int_equal(recv(asking[1], &byte, 1, MSG_DONTWAIT), -1);
    clients_sweep(&clients, second->since + CLIENTS_ANSWER_SECONDS + 1);
    assert_int_equal(recv(asking[1], &byte, 1, MSG_DONTWAIT), 0);
    clients_leave(&clients, first);
    clients_leave(&clients, second);
    clients_end(&clients);
    for (unsigned i = 0; i < 2; i++) {
        close(slow[i]);
        close(asking[i]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_targets),    cmocka_unit_test(test_integers), cmocka_unit_test(test_hosts),
        cmocka_unit_test(test_origins),    cmocka_unit_test(test_names),    cmocka_unit_test(test_built_in_page),
        cmocka_unit_test(test_clean_text), cmocka_unit_test(test_routes),   cmocka_unit_test(test_slow_clients),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
