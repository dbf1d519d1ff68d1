/* The server when it has much to do: a full line, clients that leave, stopping. */
#include "web_client.h"

#include "base/clock.h"
#include "web/job_pool.h"

#include <pthread.h>

static struct web_fixture fixture;
static struct web_client client; /* of light requests */

static void open_server(const struct server_settings *settings)
{
    web_fixture_open(&fixture, settings);
    client = web_connect(server_port(fixture.server));
}

static int teardown(void **state)
{
    web_disconnect(&client);
    web_fixture_close(&fixture);
    memset(&fixture, 0, sizeof fixture);
    return scratch_teardown(state);
}

/* Two seconds of search. */
static const char long_search[] = "GET /api/hint?board=1000000000000001&ms=2000 HTTP/1.1\r\nHost: localhost\r\n\r\n";

static struct job_counts counts(void)
{
    struct job_counts now;
    struct web_reply reply = web_get(&client, "/api/health");
    cJSON *json = cJSON_Parse(reply.body), *searches = cJSON_GetObjectItem(json, "searches");
    now.n_running = (unsigned)cJSON_GetObjectItem(searches, "running")->valueint;
    now.n_waiting = (unsigned)cJSON_GetObjectItem(searches, "waiting")->valueint;
    cJSON_Delete(json);
    free(reply.body);
    return now;
}

static void wait_for(unsigned n_running, unsigned n_waiting)
{
    struct job_counts now = counts();
    for (unsigned i = 0; i < 6000 && (now.n_running != n_running || now.n_waiting != n_waiting); i++) {
        usleep(5000);
        now = counts();
    }
    assert_int_equal(now.n_running, n_running);
    assert_int_equal(now.n_waiting, n_waiting);
}

/* One thread, one place in line: the third search is refused, light requests are still answered, and a client that
 * leaves makes room. */
static void test_full_line(void **state)
{
    (void)state;
    struct server_settings settings = {.n_threads = 1, .max_waiting = 1, .max_depth = 5, .max_ms = 60000};
    open_server(&settings);
    static const char endless[] = "GET /api/hint?board=1000000000000001&ms=60000 HTTP/1.1\r\nHost: localhost\r\n\r\n";
    struct web_client first = web_connect(server_port(fixture.server));
    struct web_client second = web_connect(server_port(fixture.server));
    assert_true(web_send(&first, endless, strlen(endless)));
    wait_for(1, 0);
    assert_true(web_send(&second, endless, strlen(endless)));
    wait_for(1, 1);
    struct web_reply reply = web_get(&client, "/api/hint?board=1200&depth=1");
    assert_int_equal(reply.code, 429);
    char seconds[16];
    assert_true(web_header(&reply, "Retry-After", seconds, sizeof seconds));
    assert_string_equal(seconds, "1");
    free(reply.body);
    web_disconnect(&second); /* the one that waits leaves the line, */
    wait_for(1, 0);
    web_disconnect(&first); /* the one that runs ends long before its minute */
    wait_for(0, 0);
    reply = web_get(&client, "/api/hint?board=1200&depth=1");
    assert_int_equal(reply.code, 200);
    free(reply.body);
}

static void *stop_server(void *context)
{
    (void)context;
    server_stop(fixture.server);
    return NULL;
}

/* Searches run and wait, a review is being read: stopping ends them all, and waiting clients get an answer. */
static void test_stop_while_busy(void **state)
{
    (void)state;
    enum { N = 12 };
    struct server_settings settings = {.n_threads = 2, .max_waiting = 64, .max_depth = 5, .max_ms = 2000};
    open_server(&settings);
    struct web_client busy[N];
    for (unsigned i = 0; i < N; i++) {
        busy[i] = web_connect(server_port(fixture.server));
        assert_true(web_send(&busy[i], long_search, strlen(long_search)));
    }
    wait_for(2, N - 2);
    pthread_t thread;
    double start = clock_seconds();
    assert_int_equal(pthread_create(&thread, NULL, stop_server, NULL), 0);
    unsigned n_told = 0;
    for (unsigned i = 0; i < N; i++) {
        struct web_reply reply;
        if (web_receive(&busy[i], &reply, false)) {
            assert_int_equal(reply.code, 503);
            n_told++;
            free(reply.body);
        }
        web_disconnect(&busy[i]);
    }
    pthread_join(thread, NULL);
    fixture.server = NULL;
    assert_int_equal(n_told, N);
    print_message("stopped in %.3f s, %u of %d answered\n", clock_seconds() - start, n_told, N);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_full_line, scratch_setup, teardown),
        cmocka_unit_test_setup_teardown(test_stop_while_busy, scratch_setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
