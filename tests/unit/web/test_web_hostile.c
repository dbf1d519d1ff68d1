/* Attacks on the server that once worked, each refused: see docs/SECURITY.md. */
#include "web_client.h"

#include "base/clock.h"
#include "game/record.h"
#include "web/clients.h"
#include "web/game_upload.h"
#include "web/guard.h"
#include "web/job_pool.h"

#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <sys/stat.h>

#ifdef __SANITIZE_ADDRESS__
/* A caught fault jumps out of the work and loses what that had allocated (base/map_guard.h); test_truncated_table
   makes one. */
const char *__lsan_default_suppressions(void);
const char *__lsan_default_suppressions(void)
{
    return "leak:map_guard_run\n";
}
#endif

static struct web_fixture fixture;
static struct web_client client;
static const struct server_settings usual = {.n_threads = 2, .max_waiting = 64, .max_depth = 3, .max_ms = 2000};

static void open_server(const struct server_settings *settings)
{
    web_fixture_open(&fixture, settings);
    client = web_connect(server_port(fixture.server));
}

static int setup(void **state)
{
    memset(&fixture, 0, sizeof fixture);
    client.socket = -1;
    return scratch_setup(state);
}

static int teardown(void **state)
{
    if (client.socket >= 0)
        web_disconnect(&client);
    web_fixture_close(&fixture);
    return scratch_teardown(state);
}

static void check_get(const char *target, int code, const char *expected)
{
    struct web_reply reply = web_get(&client, target);
    if (reply.code != code || !strstr(reply.body, expected))
        fail_msg("%s: status %d, expected %d with %s: %s", target, reply.code, code, expected, reply.body);
    if (strstr(reply.body, scratch_folder))
        fail_msg("%s reveals where the server's files are: %s", target, reply.body);
    free(reply.body);
}

/* ---- requests ---------------------------------------------------------------------------------------------------- */

/* The status of the answer to these bytes on a connection of their own; 0 if it is closed without one. */
static int status_of(const char *text, size_t bytes)
{
    struct web_client other = web_connect(server_port(fixture.server));
    struct web_reply reply = {0};
    int code = web_send(&other, text, bytes) && web_receive(&other, &reply, false) ? reply.code : 0;
    free(reply.body);
    web_disconnect(&other);
    return code;
}

#define STATUS_OF(text) status_of(text, sizeof(text) - 1)

static void refuse(int code, const char *what)
{
    if (code != 0 && code != 400)
        fail_msg("%s: status %d", what, code);
}

static void test_ambiguous_headers(void **state)
{
    (void)state;
    open_server(&usual);
    assert_int_equal(STATUS_OF("GET /api/health HTTP/1.1\r\nHost: localhost\r\n\r\n"), 200);
    refuse(STATUS_OF("GET /api/health HTTP/1.1\r\nHost: localhost\r\nHost: localhost\r\n\r\n"), "two hosts");
    refuse(STATUS_OF("GET /api/health HTTP/1.1\r\nHost: localhost\r\nHost: evil.example\r\n\r\n"), "two hosts");
    refuse(STATUS_OF("GET /api/health HTTP/1.1\r\nHost : localhost\r\n\r\n"), "a space before the colon");
    refuse(STATUS_OF("GET /api/health HTTP/1.1\r\nHost: localhost\r\nX Y: z\r\n\r\n"), "a space in a name");
    refuse(STATUS_OF("GET /api/health HTTP/1.1\r\nHost\0: localhost\r\n\r\n"), "a NUL in a name");
    refuse(STATUS_OF("GET /api/health\0x HTTP/1.1\r\nHost: localhost\r\n\r\n"), "a NUL in the target");
    refuse(STATUS_OF("POST /api/review HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\n"
                     "Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n"),
           "two lengths");
    refuse(STATUS_OF("POST /api/review HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\n"
                     "Content-Length: 3\r\n\r\n{}"),
           "two lengths");
    check_get("/api/health", 200, "afterstate");
}

static void test_token(void **state)
{
    (void)state;
    struct server_settings settings = usual;
    settings.token = "short";
    struct server *server;
    settings.host = "127.0.0.1";
    assert_int_equal(server_start(&server, &settings), STATUS_USAGE);
    settings.token = "correct-horse_8";
    open_server(&settings);
    check_get("/api/health", 401, "needs its token");
    check_get("/", 401, "needs its token");
    check_get("/api/health?token=correct-horse_9", 401, "token");
    check_get("/api/health?token=correct-horse_", 401, "token");
    check_get("/api/health?token=", 401, "token");
    check_get("/api/health?token=correct-horse_8", 200, "afterstate");
    assert_int_equal(STATUS_OF("GET /api/health HTTP/1.1\r\nHost: localhost\r\n"
                               "Authorization: Bearer correct-horse_8\r\n\r\n"),
                     200);
    assert_int_equal(STATUS_OF("GET /api/health HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer \r\n\r\n"), 401);
    assert_int_equal(STATUS_OF("GET /api/health HTTP/1.1\r\nHost: localhost\r\n"
                               "Cookie: a=b; afterstate_token=correct-horse_8\r\n\r\n"),
                     200);
    assert_int_equal(STATUS_OF("GET /api/health HTTP/1.1\r\nHost: localhost\r\n"
                               "Cookie: xafterstate_token=correct-horse_8\r\n\r\n"),
                     401);
    struct web_reply reply = web_get(&client, "/?token=correct-horse_8");
    char cookie[128];
    assert_int_equal(reply.code, 200);
    assert_true(web_header(&reply, "Set-Cookie", cookie, sizeof cookie));
    assert_string_equal(cookie, "afterstate_token=correct-horse_8; HttpOnly; SameSite=Strict; Path=/");
    free(reply.body);
}

static void test_loopback(void **state)
{
    (void)state;
    static const char *const near[] = {"127.0.0.1", "127.1.2.3", "::1", "localhost"};
    static const char *const far[] = {"0.0.0.0", "::", "192.168.0.1", "example.org", "1.127.0.0", "127.evil.example"};
    for (size_t i = 0; i < sizeof near / sizeof *near; i++)
        assert_true(guard_is_loopback(near[i]));
    for (size_t i = 0; i < sizeof far / sizeof *far; i++)
        assert_false(guard_is_loopback(far[i]));
}

/* ---- files ------------------------------------------------------------------------------------------------------- */

/* A pipe or a link in place of a run's files, a link out of the page's folder. */
static void test_strange_files(void **state)
{
    (void)state;
    static const char log[] = "actions,eval_mean\n10,1.5\n";
    char runs[PATH_MAX], page[PATH_MAX], link[PATH_MAX];
    assert_int_equal(mkdir(scratch_path("outside"), 0777), 0);
    scratch_write("outside/log.csv", log, strlen(log));
    scratch_write("outside/secret.txt", "secret", 6);
    static const char *const folders[] = {"runs", "runs/good", "runs/pipe", "runs/link", "page"};
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++)
        assert_int_equal(mkdir(scratch_path(folders[i]), 0777), 0);
    scratch_write("runs/good/log.csv", log, strlen(log));
    assert_int_equal(mkfifo(scratch_path("runs/pipe/log.csv"), 0600), 0);
    assert_int_equal(mkfifo(scratch_path("runs/good/recipe.ini"), 0600), 0);
    strcpy(link, scratch_path("runs/link/log.csv"));
    assert_int_equal(symlink("../../outside/log.csv", link), 0);
    strcpy(link, scratch_path("runs/away"));
    assert_int_equal(symlink("../outside", link), 0);
    strcpy(link, scratch_path("page/secret.txt"));
    assert_int_equal(symlink("../outside/secret.txt", link), 0);
    scratch_write("page/index.html", "mine", 4);
    strcpy(runs, scratch_path("runs"));
    strcpy(page, scratch_path("page"));
    struct server_settings settings = usual;
    settings.runs = runs;
    settings.page_directory = page;
    open_server(&settings);
    check_get("/api/runs", 200, "\"count\":1");
    check_get("/api/runs/good", 200, "\"rows\":1");
    check_get("/api/runs/pipe", 404, "no run");
    check_get("/api/runs/link", 404, "no run");
    check_get("/api/runs/away", 404, "no run");
    check_get("/secret.txt", 404, "no file");
    check_get("/", 200, "mine");
}

/* A table whose file is truncated under the server's mapping: 503 with the reason, and the server lives. */
static void test_truncated_table(void **state)
{
    (void)state;
    open_server(&usual);
    check_get("/api/table/2x2/query?board=1100", 200, "\"best\"");
    check_get("/api/hint?board=1100&rows=2&cols=2&depth=1", 200, "\"exact\":{");
    char directory[PATH_MAX], path[2 * PATH_MAX];
    strcpy(directory, solved_board_directory(2, 2, VARIANT_NORMAL, STORE_VALUES));
    DIR *folder = opendir(directory);
    assert_non_null(folder);
    for (struct dirent *entry; (entry = readdir(folder)) != NULL;) {
        snprintf(path, sizeof path, "%s/%s", directory, entry->d_name);
        if (strstr(entry->d_name, ".table"))
            assert_int_equal(truncate(path, 0), 0);
    }
    closedir(folder);
    check_get("/api/table/2x2/query?board=1100", 503, "truncated");
    check_get("/api/table/2x2/query?board=1200", 503, "truncated");
    check_get("/api/hint?board=1100&rows=2&cols=2&depth=1", 200, "\"exact\":null");
    struct web_reply reply;
    do { /* it is computed on a thread of its own */
        reply = web_get(&client, "/api/table/2x2/ages");
        free(reply.body);
    } while (reply.code == 202);
    assert_int_equal(reply.code, 500);
    check_get("/api/health", 200, "afterstate");
}

/* Finding a game inside a record is work that is bounded by time. */
static void test_far_game(void **state)
{
    (void)state;
    web_fixture_open(&fixture, NULL);
    struct game game = game_begin(&fixture.grids[0], 1, 0);
    struct game_record record = {0};
    struct record_writer *writer;
    game_record_begin(&record, &game, 1, 0);
    assert_ok(record_writer_open(&writer, scratch_path("games.rec"), &fixture.grids[0], "a player"));
    for (unsigned i = 0; i < 1000; i++)
        assert_ok(record_writer_add(writer, &record));
    assert_ok(record_writer_commit(writer));
    size_t bytes;
    char *data = scratch_read("games.rec", &bytes);
    struct upload_source source = {.data = data, .bytes = bytes, .game = 999, .until = clock_seconds() + 60};
    struct game_upload upload;
    assert_int_equal(game_upload_read(&upload, fixture.catalog, &source), HTTP_FINE);
    game_upload_free(&upload);
    source.until = clock_seconds() - 1;
    assert_int_equal(game_upload_read(&upload, fixture.catalog, &source), HTTP_TOO_LARGE);
    assert_message("to be found in time");
    game_upload_free(&upload);
    game_record_free(&record);
    free(data);
}

/* ---- fairness ---------------------------------------------------------------------------------------------------- */

enum { N_HALF_OPEN = 300 }; /* the server has 256 places */

static struct web_client half_open[N_HALF_OPEN];
static atomic_bool half_open_end;

/* A byte more of each request now and then, so that none is idle for long. */
static void *feed_half_open(void *context)
{
    while (!atomic_load(&half_open_end)) {
        for (unsigned i = 0; i < N_HALF_OPEN; i++)
            (void)send(half_open[i].socket, "a", 1, MSG_NOSIGNAL | MSG_DONTWAIT);
        poll(NULL, 0, 500);
    }
    return context;
}

/* More half-open connections than the server has places for, none ever idle: others are answered while the newest of
   them still wait. */
static void test_half_open_connections(void **state)
{
    (void)state;
    static const char begin[] = "GET /api/health HTTP/1.1\r\nX: a", end[] = "\r\nHost: localhost\r\n\r\n";
    struct web_client *newest = &half_open[N_HALF_OPEN - 1];
    pthread_t feeder;
    open_server(&usual);
    for (unsigned i = 0; i < N_HALF_OPEN; i++) {
        half_open[i] = web_connect(server_port(fixture.server));
        assert_true(web_send(&half_open[i], begin, strlen(begin)));
    }
    assert_int_equal(pthread_create(&feeder, NULL, feed_half_open, NULL), 0);
    struct web_client other = web_connect(server_port(fixture.server));
    struct web_reply reply = web_get(&other, "/api/health");
    assert_int_equal(reply.code, 200);
    free(reply.body);
    web_disconnect(&other);
    atomic_store(&half_open_end, true);
    pthread_join(feeder, NULL);
    assert_true(web_send(newest, end, strlen(end)));
    assert_true(web_receive(newest, &reply, false));
    assert_int_equal(reply.code, 200);
    free(reply.body);
    for (unsigned i = 0; i < N_HALF_OPEN; i++)
        web_disconnect(&half_open[i]);
}

/* The status of the answer on this connection; 0 if the server closed it. */
static int health_of(struct web_client *asking)
{
    static const char request[] = "GET /api/health?token=correct-horse_8 HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n";
    struct web_reply reply = {0};
    int code = web_send(asking, request, strlen(request)) && web_receive(asking, &reply, false) ? reply.code : 0;
    free(reply.body);
    return code;
}

/* Where other machines may connect, one of them takes 64 connections at most, and others are let in meanwhile. */
static void test_connections_of_an_address(void **state)
{
    (void)state;
    enum { LIMIT = 64 };
    struct web_client held[LIMIT];
    struct server_settings settings = usual;
    settings.host = "0.0.0.0";
    settings.token = "correct-horse_8";
    web_fixture_open(&fixture, &settings);
    unsigned port = server_port(fixture.server);
    for (unsigned i = 0; i < LIMIT; i++) {
        held[i] = web_connect_from(2, port);
        assert_int_equal(health_of(&held[i]), 200);
    }
    struct web_client one_more = web_connect_from(2, port), other = web_connect_from(3, port);
    assert_int_equal(health_of(&one_more), 0);
    assert_int_equal(health_of(&other), 200);
    web_disconnect(&one_more);
    web_disconnect(&other);
    for (unsigned i = 0; i < LIMIT; i++) {
        assert_int_equal(health_of(&held[i]), 200);
        web_disconnect(&held[i]);
    }
}

/* Headers that take longer than their time: the server's tick ends the connection. */
static void test_slow_headers(void **state)
{
    (void)state;
    static const char begin[] = "GET /api/health HTTP/1.1\r\nX: a";
    open_server(&usual);
    check_get("/api/health", 200, "afterstate"); /* the server has both connections when it has answered on this */
    struct web_client slow = web_connect(server_port(fixture.server));
    assert_true(web_send(&slow, begin, strlen(begin)));
    struct web_client other = web_connect(server_port(fixture.server));
    struct web_reply reply = web_get(&other, "/api/health");
    assert_int_equal(reply.code, 200);
    free(reply.body);
    server_tick(fixture.server, clock_seconds() + CLIENTS_ARRIVE_SECONDS + 1);
    struct pollfd end = {.fd = slow.socket, .events = POLLIN};
    char byte;
    assert_int_equal(poll(&end, 1, 5000), 1); /* this thread has closed it; left to itself, the server waits longer */
    assert_int_equal(recv(slow.socket, &byte, 1, MSG_DONTWAIT), 0);
    web_disconnect(&slow);
    web_disconnect(&other);
}

struct noted_job {
    struct job job;
    char name;
};

static sem_t go, all_done;
static char order[64];
static unsigned n_ran;

static void run_noted(struct job *job, unsigned worker, const atomic_bool *cancel)
{
    (void)worker, (void)cancel;
    if (((struct noted_job *)job)->name == '0')
        sem_wait(&go);
    order[n_ran++] = ((struct noted_job *)job)->name;
}

static void finish_noted(struct job *job)
{
    if (((struct noted_job *)job)->name == 'z')
        sem_post(&all_done);
}

static void submit(struct job_pool *pool, struct noted_job *job, char name, bool quick)
{
    *job = (struct noted_job){.job = {.run = run_noted, .finished = finish_noted, .socket = -1, .quick = quick},
                              .name = name};
    assert_true(job_pool_submit(pool, &job->job, false));
}

/* Quick jobs overtake the others, and these have their turn all the same. */
static void test_quick_jobs_first(void **state)
{
    (void)state;
    struct job_pool *pool;
    static struct noted_job jobs[32];
    unsigned n = 0;
    sem_init(&go, 0, 0);
    sem_init(&all_done, 0, 0);
    assert_ok(job_pool_create(&pool, 1, 64));
    submit(pool, &jobs[n++], '0', false);
    while (job_pool_counts(pool).n_running == 0)
        usleep(1000);
    submit(pool, &jobs[n++], 'a', false);
    submit(pool, &jobs[n++], 'b', false);
    submit(pool, &jobs[n++], 'z', false);
    for (unsigned i = 0; i < JOB_POOL_QUICK_IN_A_ROW + 2; i++)
        submit(pool, &jobs[n++], '+', true);
    sem_post(&go);
    sem_wait(&all_done);
    order[n_ran] = '\0';
    assert_string_equal(order, "0++++++++a++bz");
    job_pool_free(pool);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_ambiguous_headers, setup, teardown),
        cmocka_unit_test_setup_teardown(test_token, setup, teardown),
        cmocka_unit_test(test_loopback),
        cmocka_unit_test_setup_teardown(test_strange_files, setup, teardown),
        cmocka_unit_test_setup_teardown(test_truncated_table, setup, teardown),
        cmocka_unit_test_setup_teardown(test_far_game, setup, teardown),
        cmocka_unit_test_setup_teardown(test_half_open_connections, setup, teardown),
        cmocka_unit_test_setup_teardown(test_connections_of_an_address, setup, teardown),
        cmocka_unit_test_setup_teardown(test_slow_headers, setup, teardown),
        cmocka_unit_test(test_quick_jobs_first),
    };
#ifdef __SANITIZE_THREAD__ /* its runtime does not survive the jump out of a handler of SIGBUS */
    cmocka_set_skip_filter("test_truncated_table");
#endif
    return cmocka_run_group_tests(tests, NULL, NULL);
}
