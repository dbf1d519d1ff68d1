/* The server over real sockets: golden answers, statuses, headers. */
#include "web_client.h"

#include "game/notation.h"
#include "game/record.h"
#include "search/searcher.h"
#include "solve/query.h"

#include <sys/stat.h>

static const struct server_settings usual = {.n_threads = 2, .max_waiting = 64, .max_depth = 5, .max_ms = 2000};

static struct web_fixture fixture;
static struct web_client client;

static int open_server(const struct server_settings *settings)
{
    web_fixture_open(&fixture, settings);
    client = web_connect(server_port(fixture.server));
    return 0;
}

static int setup(void **state)
{
    (void)state;
    scratch_setup(NULL);
    return open_server(&usual);
}

static int teardown(void **state)
{
    (void)state;
    if (client.socket >= 0)
        web_disconnect(&client);
    web_fixture_close(&fixture);
    memset(&fixture, 0, sizeof fixture);
    return scratch_teardown(NULL);
}

/* A GET whose status must be `code`; the body, which the test frees. */
static char *get(const char *target, int code)
{
    struct web_reply reply = web_get(&client, target);
    if (reply.code != code)
        fail_msg("%s: status %d, expected %d: %s", target, reply.code, code, reply.body);
    return reply.body;
}

static void check_get(const char *target, int code, const char *expected)
{
    char *body = get(target, code);
    if (!strstr(body, expected))
        fail_msg("%s answers %s\nexpected in it %s", target, body, expected);
    free(body);
}

/* Takes "ms":.. out, which differs from time to time. */
static void mask_time(char *text)
{
    char *at = strstr(text, "\"ms\":");
    assert_non_null(at);
    at += 5;
    memmove(at, at + strcspn(at, ","), strlen(at + strcspn(at, ",")) + 1);
}

/* ---- answers ----------------------------------------------------------------------------------------------------- */

static void test_health(void **state)
{
    (void)state;
    char *body = get("/api/health", 200);
    assert_string_equal(
        body,
        "{\"version\":1,\"program\":\"afterstate\",\"release\":\"" AFTERSTATE_VERSION "\",\"boards\":["
        "{\"size\":\"4x4\",\"rows\":4,\"cols\":4,\"judge\":\"simple\",\"network\":false,\"table\":null},"
        "{\"size\":\"3x3\",\"rows\":3,\"cols\":3,\"judge\":\"simple\",\"network\":false,\"table\":null},"
        "{\"size\":\"2x2\",\"rows\":2,\"cols\":2,\"judge\":\"simple\",\"network\":false,\"table\":\"2x2\"}],"
        "\"tables\":1,\"runs\":false,\"limits\":{\"max_depth\":5,\"max_ms\":2000,\"depth_ms\":10000,\"threads\":2,"
        "\"waiting\":64,\"reviews\":8,\"record_bytes\":16777216,\"json_bytes\":1048576},"
        "\"searches\":{\"running\":0,\"waiting\":0,\"reviews\":0}}");
    free(body);
}

static void test_hint_golden(void **state)
{
    (void)state;
    char *body = get("/api/hint?board=1200&depth=2", 200);
    mask_time(body);
    assert_string_equal(
        body, "{\"version\":1,\"board\":\"1200\",\"rows\":2,\"cols\":2,\"judge\":\"simple\",\"best\":\"down\","
              "\"moves\":{\"down\":80982.203125,\"up\":null,\"right\":null,\"left\":null},\"rewards\":{\"up\":"
              "null,\"right\":null,\"down\":0,\"left\":null},\"depths\":{\"up\":null,\"right\":null,\"down\":2"
              ",\"left\":null},\"depth\":2,\"ms\":,\"over\":false,\"exact\":{\"table\":\"2x2\",\"value\":64.00"
              "6103515625,\"best\":\"down\",\"moves\":{\"up\":null,\"right\":null,\"down\":64.006103515625,\"l"
              "eft\":null},\"losses\":{\"up\":null,\"right\":null,\"down\":0,\"left\":null}},\"exact_missing\""
              ":null}");
    free(body);
}

/* All values are those of a searcher of our own, to the last bit, whatever was requested before. */
static void test_hint_values(void **state)
{
    (void)state;
    struct rng rng = random_stream(8, 8);
    for (unsigned i = 0; i < 60; i++) {
        const struct grid *grid = &fixture.grids[i % 2];
        struct value_function function = simple_value_function(fixture.simple[i % 2]);
        struct search_settings settings = {.depth = 1 + i % 3, .n_threads = 1};
        char digits[NOTATION_DIGITS_BYTES], target[128];
        struct board board = {0};
        struct searcher *searcher;
        for (unsigned cell = 0; cell < grid->n_cells; cell++)
            board = board_set(board, cell, random_below(&rng, 3) ? (unsigned)random_below(&rng, grid->max_value) : 0);
        board = board_set(board, 0, 1);
        snprintf(target, sizeof target, "/api/hint?board=%s&depth=%u", notation_digits(grid, board, digits),
                 settings.depth);
        char *body = get(target, 200);
        cJSON *json = cJSON_Parse(body), *moves = cJSON_GetObjectItem(json, "moves");
        assert_ok(searcher_create(&searcher, grid, &function, &settings));
        struct search_result result = searcher_search(searcher, board);
        for (unsigned d = 0; d < DIRECTION_COUNT; d++) {
            const cJSON *value = cJSON_GetObjectItem(moves, direction_name(d));
            assert_int_equal(cJSON_IsNumber(value), result.legal >> d & 1);
            if (cJSON_IsNumber(value))
                assert_true(value->valuedouble == (double)result.value[d]);
        }
        const cJSON *best = cJSON_GetObjectItem(json, "best");
        assert_true(result.legal ? strcmp(best->valuestring, direction_name(result.best)) == 0 : cJSON_IsNull(best));
        searcher_free(searcher);
        cJSON_Delete(json);
        free(body);
    }
}

static void test_hint_exact(void **state)
{
    (void)state;
    struct query_tables tables = {.main = VARIANT_NORMAL};
    struct query_answer answer;
    struct board board;
    assert_ok(query_add_table(&tables, fixture.table, VARIANT_NORMAL));
    assert_ok(notation_parse(&fixture.grids[2], "1002", &board));
    assert_ok(query_board(&tables, board, &answer));
    char *body = get("/api/hint?board=1002&ms=5", 200);
    cJSON *json = cJSON_Parse(body), *exact = cJSON_GetObjectItem(json, "exact");
    for (unsigned d = 0; d < DIRECTION_COUNT; d++) {
        const cJSON *value = cJSON_GetObjectItem(cJSON_GetObjectItem(exact, "moves"), direction_name(d));
        const cJSON *loss = cJSON_GetObjectItem(cJSON_GetObjectItem(exact, "losses"), direction_name(d));
        assert_int_equal(cJSON_IsNumber(value), answer.moves[d].legal);
        if (answer.moves[d].legal) {
            assert_true(value->valuedouble == answer.moves[d].value[VARIANT_NORMAL]);
            assert_true(loss->valuedouble == answer.moves[d].loss);
        }
    }
    cJSON_Delete(json);
    free(body);
    check_get("/api/hint?board=3333", 200, "\"exact\":null,\"exact_missing\":\"no game on the 2x2 board reaches 3333");
    check_get("/api/hint?board=1221&depth=1", 200, "\"best\":null");
    check_get("/api/hint?board=1221&depth=1", 200, "\"over\":true");
    check_get("/api/hint?rows=2&cols=2&board=2+4+/+0+2&depth=1", 200, "\"board\":\"1201\"");
}

static void test_wrong_questions(void **state)
{
    (void)state;
    static const struct {
        const char *target;
        int code;
        const char *error;
    } cases[] = {
        {"/api/hint", 400, "'board' is missing"},
        {"/api/hint?board=", 400, "expected one of 4x4, 3x3, 2x2"},
        {"/api/hint?board=12345", 400, "a board of 5 digits"},
        {"/api/hint?board=12z4", 400, "error"},
        {"/api/hint?board=0000", 400, "without tiles"},
        {"/api/hint?board=9999", 400, "cannot arise"},
        {"/api/hint?board=1200&depth=0", 400, "expected a whole number from 1 to 5"},
        {"/api/hint?board=1200&depth=6", 400, "expected a whole number from 1 to 5"},
        {"/api/hint?board=1200&depth=99999999999999999999", 400, "expected a whole number"},
        {"/api/hint?board=1200&ms=2001", 400, "from 1 to 2000"},
        {"/api/hint?board=1200&dpeth=2", 400, "unknown parameter 'dpeth'"},
        {"/api/hint?board=1200&board=1200", 400, "given twice"},
        {"/api/hint?board=12%00", 400, "not allowed"},
        {"/api/hint?board=12%f", 400, "two hexadecimal digits"},
        {"/api/hint?board=%ff%fe%80%c0", 400, "error"},
        {"/api/hint?board=1200&rows=2", 400, "go together"},
        {"/api/hint?board=1200&rows=2&cols=3", 400, "not offered"},
        {"/api/health?x=1", 400, "unknown parameter 'x'"},
        {"/api/nothing", 404, "no such route"},
        {"/api", 404, "no such route"},
        {"/api/runs", 404, "without --runs"},
        {"/api/runs/x", 404, "no run 'x'"},
        {"/api/table/9x9", 404, "no table '9x9'"},
        {"/api/table/2x2/query?board=3333", 404, "no game on the 2x2 board reaches"},
        {"/api/table/2x2/query", 400, "'board' is missing"},
        {"/api/table/2x2/other", 404, "no such route"},
        {"/nothing.html", 404, "no file"},
        {"/../CMakeLists.txt", 404, "no such file"},
        {"/%2e%2e/x", 404, "no such file"},
        {"//index.html", 404, "no such file"},
        {"/a%2fb", 400, "not allowed"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        check_get(cases[i].target, cases[i].code, cases[i].error);
        check_get(cases[i].target, cases[i].code, "{\"version\":1,\"error\":\"");
    }
    char target[2600] = "/api/hint?board=";
    memset(target + 16, '1', 2100);
    check_get(target, 414, "a target of more than 2000 bytes");
}

static void test_tables(void **state)
{
    (void)state;
    const struct table_summary *summary = table_summary(fixture.table);
    char expected[256];
    snprintf(expected, sizeof expected, "\"states\":%llu,\"terminal_states\":%llu,\"afterstates\":%llu",
             (unsigned long long)summary->n_states, (unsigned long long)summary->n_terminal,
             (unsigned long long)summary->n_afterstates);
    check_get("/api/tables", 200, "{\"version\":1,\"count\":1,\"tables\":[{\"id\":\"2x2\",\"rows\":2,\"cols\":2,");
    check_get("/api/table/2x2", 200, expected);
    check_get("/api/table/2x2/query?board=1002", 200, "{\"version\":1,\"table\":\"2x2\",\"board\":\"1002\",\"age\":6,");
    struct web_reply reply = web_get(&client, "/api/table/2x2/ages");
    for (unsigned i = 0; reply.code == 202 && i < 3000; i++) { /* seconds, under the slowest sanitizer */
        assert_non_null(strstr(reply.body, "\"ready\":false,\"done\":"));
        free(reply.body);
        usleep(10000);
        reply = web_get(&client, "/api/table/2x2/ages");
    }
    assert_int_equal(reply.code, 200);
    assert_non_null(strstr(reply.body, "\"ready\":true"));
    cJSON *json = cJSON_Parse(reply.body), *columns = cJSON_GetObjectItem(json, "columns");
    double n_states = 0;
    const cJSON *item;
    cJSON_ArrayForEach(item, cJSON_GetObjectItem(columns, "states")) n_states += item->valuedouble;
    assert_true(n_states == (double)summary->n_states);
    assert_int_equal(cJSON_GetArraySize(cJSON_GetObjectItem(columns, "mean_gap")), (int)table_n_ages(fixture.table));
    cJSON_Delete(json);
    free(reply.body);
}

static struct table *goal_table;

static int setup_goal(void **state)
{
    (void)state;
    scratch_setup(NULL);
    web_fixture_open(&fixture, NULL);
    goal_table = solved_board_by((struct board_rules){4, 0.5}, 2, 2, VARIANT_NORMAL, STORE_VALUES);
    assert_ok(catalog_add_table(fixture.catalog, goal_table));
    struct server_settings settings = usual;
    settings.host = "127.0.0.1";
    settings.catalog = fixture.catalog;
    assert_ok(server_start(&fixture.server, &settings));
    client = web_connect(server_port(fixture.server));
    return 0;
}

static int teardown_goal(void **state)
{
    int failed = teardown(state);
    table_close(goal_table);
    return failed;
}

/* A table with a goal beside the one of scores: a name of its own, its rules, and hints by the other. */
static void test_goal_table(void **state)
{
    (void)state;
    check_get("/api/tables", 200, "\"count\":2");
    check_get("/api/table/2x2", 200, "\"variant\":\"normal\",\"objective\":\"score\",\"four_chance\":0.1,");
    check_get("/api/table/2x2-tile16-four0.5", 200,
              "\"variant\":\"normal\",\"objective\":\"tile:16\",\"four_chance\":0.5,");
    check_get("/api/table/2x2-tile16-four0.5/query?board=1002", 200,
              "\"variant\":\"normal\",\"objective\":\"tile:16\",\"four_chance\":0.5,\"value\":0.");
    check_get("/api/table/2x2-tile16-four0.5/query?board=4002", 404, "the board already has a 16");
    check_get("/api/hint?board=1002&depth=1", 200, "\"exact\":{\"table\":\"2x2\",");
    assert_int_equal(catalog_add_table(fixture.catalog, goal_table), STATUS_USAGE);
    assert_message("are both tables of 2x2-tile16-four0.5");
}

/* ---- the page and headers ---------------------------------------------------------------------------------------- */

static void check_header(const struct web_reply *reply, const char *name, const char *expected)
{
    char value[512];
    assert_true(web_header(reply, name, value, sizeof value));
    if (!strstr(value, expected))
        fail_msg("%s is \"%s\", expected \"%s\" in it", name, value, expected);
}

static void test_page(void **state)
{
    (void)state;
    char tag[64], text[256];
    struct web_reply reply = web_get(&client, "/");
    assert_int_equal(reply.code, 200);
    check_header(&reply, "Content-Type", "text/html");
    check_header(&reply, "Content-Security-Policy", "default-src 'none'; script-src 'self'");
    check_header(&reply, "X-Content-Type-Options", "nosniff");
    check_header(&reply, "Referrer-Policy", "no-referrer");
    check_header(&reply, "Cache-Control", "no-cache");
    assert_true(web_header(&reply, "ETag", tag, sizeof tag));
    size_t bytes = reply.bytes;
    free(reply.body);

    snprintf(text, sizeof text, "GET / HTTP/1.1\r\nHost: localhost\r\nIf-None-Match: %s\r\n\r\n", tag);
    reply = web_exchange(&client, text);
    assert_int_equal(reply.code, 304);
    free(reply.body);

    reply = web_exchange(&client, "HEAD /index.html HTTP/1.1\r\nHost: localhost\r\n\r\n");
    assert_int_equal(reply.code, 200);
    snprintf(text, sizeof text, "%zu", bytes);
    check_header(&reply, "Content-Length", text);
    free(reply.body);

    reply = web_exchange(&client, "DELETE / HTTP/1.1\r\nHost: localhost\r\n\r\n");
    assert_int_equal(reply.code, 405);
    check_header(&reply, "Allow", "GET, HEAD");
    free(reply.body);
    reply = web_exchange(&client, "GET /api/review HTTP/1.1\r\nHost: localhost\r\n\r\n");
    assert_int_equal(reply.code, 405);
    check_header(&reply, "Allow", "POST");
    free(reply.body);
}

static void test_page_directory(void **state)
{
    teardown(state);
    scratch_setup(NULL);
    struct server_settings settings = usual;
    char folder[PATH_MAX];
    strcpy(folder, scratch_folder);
    scratch_write("index.html", "mine", 4);
    scratch_write(".secret", "no", 2);
    settings.page_directory = folder;
    open_server(&settings);
    check_get("/", 200, "mine");
    scratch_write("index.html", "changed", 7);
    check_get("/", 200, "changed");
    check_get("/.secret", 404, "no such file");
    check_get("/style.css", 404, "no file");
}

static void check_request(const char *headers, const char *target, int code)
{
    char text[512];
    struct web_client other = web_connect(server_port(fixture.server));
    snprintf(text, sizeof text, "GET %s HTTP/1.1\r\n%s\r\n", target, headers);
    struct web_reply reply = web_exchange(&other, text);
    if (reply.code != code)
        fail_msg("%s with %s: status %d, expected %d", target, headers, reply.code, code);
    free(reply.body);
    web_disconnect(&other);
}

static void test_strangers(void **state)
{
    (void)state;
    check_request("Host: 127.0.0.1:2048\r\n", "/api/health", 200);
    check_request("Host: LOCALHOST\r\n", "/api/health", 200);
    check_request("Host: [::1]:80\r\n", "/api/health", 200);
    check_request("Host: evil.example\r\n", "/api/health", 403);
    check_request("Host: evil.example\r\n", "/", 403);
    check_request("Host: 192.168.0.1\r\n", "/", 403);
    check_request("Host: localhost:12x\r\n", "/", 403);
    check_request("", "/api/health", 400);
    check_request("Host: localhost\r\nOrigin: http://localhost\r\n", "/api/health", 200);
    check_request("Host: localhost\r\nOrigin: http://evil.example\r\n", "/api/health", 403);
    check_request("Host: localhost\r\nOrigin: null\r\n", "/api/health", 403);
    check_request("Host: localhost\r\nSec-Fetch-Site: cross-site\r\n", "/api/health", 403);
    check_request("Host: localhost\r\nSec-Fetch-Site: same-site\r\n", "/api/health", 403);
    check_request("Host: localhost\r\nSec-Fetch-Site: same-origin\r\n", "/api/health", 200);
    check_request("Host: localhost\r\nSec-Fetch-Site: cross-site\r\nSec-Fetch-Mode: navigate\r\n", "/", 200);
    check_request("Host: localhost\r\nSec-Fetch-Site: cross-site\r\nSec-Fetch-Mode: navigate\r\n", "/api/health", 403);
}

/* ---- reviews ----------------------------------------------------------------------------------------------------- */

static const char small_game[] = "{\"rows\":2,\"cols\":2,\"start\":\"1100\",\"moves\":[[\"left\",3,2],[\"up\",2,4]]}";

static void test_review_golden(void **state)
{
    (void)state;
    struct web_reply reply = web_post(&client, "/api/review?depth=1", small_game, strlen(small_game));
    assert_int_equal(reply.code, 200);
    check_header(&reply, "Content-Type", "application/x-ndjson");
    assert_string_equal(
        reply.body, "{\"version\":1,\"rows\":2,\"cols\":2,\"judge\":\"simple\",\"depth\":1,\"player\":\"\",\"game\":"
                    "0,\"games\":1,\"moves\":2,\"from\":0,\"n\":2,\"score\":4,\"start\":\"1100\",\"table\":\"2x2\"}"
                    "\n"
                    "{\"move\":0,\"board\":\"1100\",\"direction\":\"left\",\"spawn\":{\"cell\":3,\"tile\":2},\"score"
                    "\":4,\"values\":{\"up\":null,\"right\":81204,\"down\":81200,\"left\":81204},\"best\":\"right\","
                    "\"loss\":0,\"exact_loss\":0,\"loss_share\":0,\"accuracy\":1}"
                    "\n"
                    "{\"move\":1,\"board\":\"2001\",\"direction\":\"up\",\"spawn\":{\"cell\":2,\"tile\":4},\"score\""
                    ":4,\"values\":{\"up\":80800,\"right\":80800,\"down\":80800,\"left\":80800},\"best\":\"up\",\"lo"
                    "ss\":0,\"exact_loss\":0,\"loss_share\":0,\"accuracy\":1}"
                    "\n"
                    "{\"end\":true,\"moves\":2,\"final\":\"2120\",\"total_loss\":0,\"total_exact_loss\":0,\"qua"
                    "lity\":{\"best_moves\":2,\"best_share\":1,\"accuracy\":1,\"median_loss\":0,\"worst_loss\":0,"
                    "\"worst_share\":0,\"mistakes\":0,\"blunders\":0,\"mistake_limit\":0.001,"
                    "\"blunder_limit\":0.01}}"
                    "\n");
    static const char steps[] = "{\"rows\":2,\"cols\":2,\"start\":\"1100\",\"steps\":\"0f48\"}";
    struct web_reply same = web_post(&client, "/api/review?depth=1", steps, strlen(steps));
    assert_string_equal(same.body, reply.body);
    free(same.body);
    free(reply.body);
}

static void check_post(const char *target, const char *body, int code, const char *expected)
{
    struct web_reply reply = web_post(&client, target, body, strlen(body));
    if (reply.code != code || !strstr(reply.body, expected))
        fail_msg("%s %s: status %d, expected %d: %s", target, body, reply.code, code, reply.body);
    free(reply.body);
}

static void test_wrong_reviews(void **state)
{
    (void)state;
    check_post("/api/review", "", 400, "neither a game record nor a JSON object");
    check_post("/api/review", "[1,2,3]", 400, "neither");
    check_post("/api/review", "{", 400, "neither");
    check_post("/api/review", "ASRECORDxxxxxxxxxxxxxxx", 400, "error");
    check_post("/api/review", "{\"rows\":2}", 400, "needs \\\"rows\\\" and \\\"cols\\\"");
    check_post("/api/review", "{\"rows\":2.5,\"cols\":2}", 400, "needs");
    check_post("/api/review", "{\"rows\":2,\"cols\":1e99}", 400, "needs");
    check_post("/api/review", "{\"rows\":2,\"cols\":3,\"start\":\"110000\",\"moves\":[]}", 400, "not offered");
    check_post("/api/review", "{\"rows\":2,\"cols\":2,\"start\":\"1100\"}", 400, "needs a");
    check_post("/api/review", "{\"rows\":2,\"cols\":2,\"start\":\"110\",\"moves\":[]}", 400, "error");
    check_post("/api/review", "{\"rows\":2,\"cols\":2,\"start\":\"1100\",\"moves\":[[\"up\",3,2]]}", 400, "not legal");
    check_post("/api/review", "{\"rows\":2,\"cols\":2,\"start\":\"1100\",\"moves\":[[\"left\",0,2]]}", 400,
               "not empty");
    check_post("/api/review", "{\"rows\":2,\"cols\":2,\"start\":\"1100\",\"moves\":[[\"left\",3,3]]}", 400, "move 0");
    check_post("/api/review", "{\"rows\":2,\"cols\":2,\"start\":\"1100\",\"moves\":[[\"left\"]]}", 400, "move 0");
    check_post("/api/review", "{\"rows\":2,\"cols\":2,\"start\":\"1100\",\"steps\":\"0f4\"}", 400, "two hexadecimal");
    check_post("/api/review", "{\"rows\":2,\"cols\":2,\"start\":\"1100\",\"steps\":\"ff\"}", 400, "not legal");
    check_post("/api/review?from=3", small_game, 400, "'from' is 3, and the game has 2 moves");
    check_post("/api/review?game=1", small_game, 400, "no game 1");
    web_disconnect(&client); /* what is refused before its body ends the connection */
    client = web_connect(server_port(fixture.server));
    struct web_reply reply =
        web_exchange(&client, "POST /api/review HTTP/1.1\r\nHost: localhost\r\nContent-Length: 99999999999\r\n\r\n");
    assert_int_equal(reply.code, 413);
    free(reply.body);
    web_disconnect(&client);
    client = web_connect(server_port(fixture.server));
    char *large = calloc(1, 2 << 20);
    memset(large, ' ', (2 << 20) - 1);
    check_post("/api/review", large, 413, "more than 1048576 bytes");
    free(large);
}

/* A long game from a record file, sent whole, by parts, and as a record again. */
static void test_review_record(void **state)
{
    (void)state;
    struct game game = game_begin(&fixture.grids[1], 3, 0);
    struct game_record record = {0};
    struct record_writer *writer;
    struct rng rng = random_stream(1, 2);
    game_record_begin(&record, &game, 3, 0);
    while (!game_is_over(&game)) {
        struct spawn spawn;
        enum direction direction = (enum direction)random_below(&rng, 4);
        if (game_play(&game, direction, &spawn))
            assert_ok(game_record_add(&record, &game, direction, spawn));
    }
    assert_ok(record_writer_open(&writer, scratch_path("game.rec"), &fixture.grids[1], "caf\xe9"));
    assert_ok(record_writer_add(writer, &record));
    assert_ok(record_writer_add(writer, &record));
    assert_ok(record_writer_commit(writer));
    size_t bytes;
    char *file = scratch_read("game.rec", &bytes);
    struct web_reply reply = web_post(&client, "/api/review?depth=1&game=1", file, bytes);
    assert_int_equal(reply.code, 200);
    unsigned n_lines = 0;
    double total = 0;
    for (char *line = strtok(reply.body, "\n"); line; line = strtok(NULL, "\n"), n_lines++) {
        cJSON *json = cJSON_Parse(line);
        assert_non_null(json);
        if (n_lines == 0) {
            assert_int_equal(cJSON_GetObjectItem(json, "moves")->valueint, (int)record.n_moves);
            assert_int_equal(cJSON_GetObjectItem(json, "score")->valueint, (int)record.score);
            assert_string_equal(cJSON_GetObjectItem(json, "player")->valuestring, "caf?");
        } else if (n_lines <= record.n_moves) {
            assert_int_equal(cJSON_GetObjectItem(json, "move")->valueint, (int)n_lines - 1);
            total += cJSON_GetObjectItem(json, "loss")->valuedouble;
        } else {
            assert_true(cJSON_IsTrue(cJSON_GetObjectItem(json, "end")));
            assert_true(cJSON_GetObjectItem(json, "total_loss")->valuedouble == total);
        }
        cJSON_Delete(json);
    }
    assert_int_equal(n_lines, record.n_moves + 2);
    free(reply.body);

    reply = web_post(&client, "/api/review?depth=1&from=5&n=2", file, bytes);
    assert_non_null(strstr(reply.body, "\n{\"move\":5,"));
    assert_non_null(strstr(reply.body, "\n{\"move\":6,"));
    assert_null(strstr(reply.body, "\n{\"move\":7,"));
    free(reply.body);
    free(file);
    game_record_free(&record);

    reply = web_post(&client, "/api/record", small_game, strlen(small_game));
    assert_int_equal(reply.code, 200);
    struct record_reader *reader;
    bool found;
    assert_ok(record_reader_open_memory(&reader, reply.body, reply.bytes, "the answer"));
    assert_ok(record_reader_next(reader, &record, &found));
    assert_true(found);
    assert_ok(game_record_check(&fixture.grids[2], &record));
    assert_int_equal(record.n_moves, 2);
    game_record_free(&record);
    record_reader_close(reader);
    free(reply.body);
}

/* ---- runs -------------------------------------------------------------------------------------------------------- */

static void test_runs(void **state)
{
    teardown(state);
    scratch_setup(NULL);
    struct server_settings settings = usual;
    char folder[PATH_MAX];
    strcpy(folder, scratch_folder);
    assert_int_equal(mkdir(scratch_path("one"), 0777), 0);
    assert_int_equal(mkdir(scratch_path("empty"), 0777), 0);
    assert_int_equal(mkdir(scratch_path("odd name"), 0777), 0);
    static const char log[] = "actions,eval_mean\n10,1.5\n20,\n30,2.5\n40"; /* the last line is being written */
    static const char recipe[] = "[board]\nrows = 3\ncols = 3\n[network]\nshape = 4x3\ntuple = 0 1\ntuple = 2 3\n"
                                 "[learn]\nrule = tc\n[train]\nactions = 1e6\n";
    scratch_write("one/log.csv", log, strlen(log));
    scratch_write("odd name/log.csv", log, strlen(log));
    scratch_write("one/recipe.ini", recipe, strlen(recipe));
    settings.runs = folder;
    open_server(&settings);
    char *body = get("/api/runs", 200);
    assert_string_equal(body, "{\"version\":1,\"runs\":[{\"name\":\"one\",\"recipe\":{\"board\":\"3x3\","
                              "\"network\":\"4x3\",\"rule\":\"tc\",\"actions\":\"1e6\"},\"rows\":3,"
                              "\"last\":{\"actions\":30,\"eval_mean\":2.5}}],\"count\":1}");
    free(body);
    body = get("/api/runs/one", 200);
    assert_string_equal(body,
                        "{\"version\":1,\"name\":\"one\",\"from\":0,\"rows\":3,\"columns\":{"
                        "\"actions\":[10,20,30],\"eval_mean\":[1.5,null,2.5]},\"recipe\":{"
                        "\"board\":{\"rows\":\"3\",\"cols\":\"3\"},\"network\":{\"shape\":\"4x3\","
                        "\"tuple\":[\"0 1\",\"2 3\"]},\"learn\":{\"rule\":\"tc\"},\"train\":{\"actions\":\"1e6\"}}}");
    free(body);
    static const char neural[] = "[board]\nrows = 4\ncols = 4\n[network]\nshape =\n[learn]\nrule = tc\n"
                                 "[neural]\nmodel = CNN22\n[train]\nactions = 67e6\n";
    scratch_write("one/recipe.ini", neural, strlen(neural));
    check_get("/api/runs", 200, "\"network\":\"CNN22\",\"rule\":\"adam\",\"actions\":\"67e6\"");
    check_get("/api/runs/one?from=2", 200, "\"columns\":{\"actions\":[30],\"eval_mean\":[2.5]},\"recipe\":null");
    check_get("/api/runs/one?from=99", 200, "\"from\":3,\"rows\":3,\"columns\":{\"actions\":[]");
    check_get("/api/runs/one?from=-1", 400, "from 0 to");
    check_get("/api/runs/empty", 404, "no run 'empty'");
    check_get("/api/runs/odd%20name", 404, "no run");
    check_get("/api/runs/%2e%2e", 404, "no run");
    check_get("/api/runs/..%5c", 404, "no run");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_health, setup, teardown),
        cmocka_unit_test_setup_teardown(test_hint_golden, setup, teardown),
        cmocka_unit_test_setup_teardown(test_hint_values, setup, teardown),
        cmocka_unit_test_setup_teardown(test_hint_exact, setup, teardown),
        cmocka_unit_test_setup_teardown(test_wrong_questions, setup, teardown),
        cmocka_unit_test_setup_teardown(test_tables, setup, teardown),
        cmocka_unit_test_setup_teardown(test_goal_table, setup_goal, teardown_goal),
        cmocka_unit_test_setup_teardown(test_page, setup, teardown),
        cmocka_unit_test_setup_teardown(test_page_directory, setup, teardown),
        cmocka_unit_test_setup_teardown(test_strangers, setup, teardown),
        cmocka_unit_test_setup_teardown(test_review_golden, setup, teardown),
        cmocka_unit_test_setup_teardown(test_wrong_reviews, setup, teardown),
        cmocka_unit_test_setup_teardown(test_review_record, setup, teardown),
        cmocka_unit_test_setup_teardown(test_runs, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
