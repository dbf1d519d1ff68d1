/* The streams of games and the expected line: what they say is what a search of our own says. */
#include "searcher_chooser.h"
#include "web_client.h"

#include "game/notation.h"
#include "game/record.h"
#include "search/searcher.h"
#include "study/outlook.h"

static const struct server_settings usual = {.n_threads = 2, .max_waiting = 64, .max_depth = 5, .max_ms = 2000};

static struct web_fixture fixture;
static struct web_client client;

static int setup(void **state)
{
    (void)state;
    scratch_setup(NULL);
    web_fixture_open(&fixture, &usual);
    client = web_connect(server_port(fixture.server));
    return 0;
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

static char *get(const char *target, int code)
{
    struct web_reply reply = web_get(&client, target);
    if (reply.code != code)
        fail_msg("%s: status %d, expected %d: %s", target, reply.code, code, reply.body);
    return reply.body;
}

/* The lines of an answer as an array of objects; frees the answer. */
static cJSON *lines_of(char *body)
{
    cJSON *lines = cJSON_CreateArray();
    for (char *line = strtok(body, "\n"); line; line = strtok(NULL, "\n")) {
        cJSON *object = cJSON_Parse(line);
        assert_non_null(object);
        cJSON_AddItemToArray(lines, object);
    }
    free(body);
    return lines;
}

static const cJSON *last_of(const cJSON *lines)
{
    return cJSON_GetArrayItem(lines, cJSON_GetArraySize(lines) - 1);
}

static const char *text_of(const cJSON *object, const char *name)
{
    const char *text = cJSON_GetStringValue(cJSON_GetObjectItem(object, name));
    assert_non_null(text);
    return text;
}

static double number_of(const cJSON *object, const char *name)
{
    const cJSON *item = cJSON_GetObjectItem(object, name);
    assert_true(cJSON_IsNumber(item));
    return item->valuedouble;
}

static struct searcher *searcher_of(unsigned board, unsigned depth)
{
    struct value_function function = simple_value_function(fixture.simple[board]);
    struct search_settings settings = {.depth = depth, .n_threads = 1};
    struct searcher *searcher;
    assert_ok(searcher_create(&searcher, &fixture.grids[board], &function, &settings));
    return searcher;
}

/* Every move of a watched game is the best by a search of our own, and every line says where the game stands. */
static void test_watch(void **state)
{
    (void)state;
    const struct grid *grid = &fixture.grids[0];
    char digits[NOTATION_DIGITS_BYTES];
    cJSON *lines = lines_of(get("/api/watch?board=1200000000000010&depth=1&seed=5&moves=60", 200));
    struct searcher *searcher = searcher_of(0, 1);
    struct game game = {.grid = grid, .rng = random_stream(5, 0)};
    assert_ok(notation_parse(grid, text_of(cJSON_GetArrayItem(lines, 0), "board"), &game.board));
    for (int i = 1; i < cJSON_GetArraySize(lines) - 1; i++) {
        const cJSON *line = cJSON_GetArrayItem(lines, i);
        const char *steps = text_of(line, "steps");
        assert_true(*steps);
        for (struct search_result result; *steps; steps += 2) {
            struct spawn spawn;
            unsigned step;
            assert_int_equal(sscanf(steps, "%2x", &step), 1);
            result = searcher_search(searcher, game.board);
            notation_digits(grid, game.board, digits);
            assert_true(game_play(&game, result.best, &spawn));
            assert_int_equal(step, (unsigned)result.best | (unsigned)spawn.cell << 2 | (spawn.value - 1u) << 6);
        }
        assert_string_equal(text_of(line, "board"), digits); /* of the last move, whose values are sent */
        assert_string_equal(text_of(line, "last"), notation_digits(grid, game.board, digits));
        assert_true(number_of(line, "moves") == game.n_moves && number_of(line, "score") == (double)game.score);
    }
    assert_int_equal(game.n_moves, 60);
    assert_true(cJSON_IsTrue(cJSON_GetObjectItem(last_of(lines), "end")));
    assert_true(cJSON_IsFalse(cJSON_GetObjectItem(last_of(lines), "over")));
    searcher_free(searcher);
    cJSON_Delete(lines);
}

/* On a board that is solved the table chooses; the game is played to its end. */
static void test_watch_solved(void **state)
{
    (void)state;
    cJSON *lines = lines_of(get("/api/watch?board=1200&seed=2", 200));
    assert_string_equal(text_of(cJSON_GetArrayItem(lines, 0), "table"), "2x2");
    assert_true(cJSON_IsTrue(cJSON_GetObjectItem(last_of(lines), "over")));
    struct board last;
    assert_ok(notation_parse(&fixture.grids[2],
                             text_of(cJSON_GetArrayItem(lines, cJSON_GetArraySize(lines) - 2), "last"), &last));
    assert_true(grid_is_terminal(&fixture.grids[2], last));
    cJSON_Delete(lines);
}

static void test_outlook(void **state)
{
    (void)state;
    const struct grid *grid = &fixture.grids[1];
    cJSON *lines = lines_of(get("/api/outlook?board=123001000&games=20&seed=9", 200));
    struct searcher *searcher = searcher_of(1, 1);
    struct chooser chooser = chooser_from_searcher(searcher);
    struct board board;
    assert_ok(notation_parse(grid, "123001000", &board));
    struct outlook outlook = outlook_begin(grid, board, 9);
    assert_ok(outlook_run(&outlook, &chooser, 20, 1e9));
    const cJSON *end = last_of(lines), *tile = cJSON_GetObjectItem(cJSON_GetObjectItem(end, "tiles"), "64");
    struct share share = outlook_share(&outlook, 6);
    assert_true(cJSON_IsTrue(cJSON_GetObjectItem(end, "end")) && number_of(end, "games") == 20);
    assert_true(number_of(end, "points") == outlook.points / 20);
    assert_true(cJSON_GetArrayItem(tile, 0)->valuedouble == share.rate &&
                cJSON_GetArrayItem(tile, 1)->valuedouble == share.low &&
                cJSON_GetArrayItem(tile, 2)->valuedouble == share.high);
    searcher_free(searcher);
    cJSON_Delete(lines);
}

static void test_line(void **state)
{
    (void)state;
    char *body = get("/api/line?board=123001000&depth=2", 200);
    cJSON *json = cJSON_Parse(body), *line = cJSON_GetObjectItem(json, "line");
    struct searcher *searcher = searcher_of(1, 2);
    struct board board;
    assert_int_equal(cJSON_GetArraySize(line), 6);
    for (int i = 0; i < 6; i++) {
        const cJSON *move = cJSON_GetArrayItem(line, i);
        assert_ok(notation_parse(&fixture.grids[1], text_of(move, "board"), &board));
        assert_string_equal(text_of(move, "direction"), direction_name(searcher_search(searcher, board).best));
    }
    searcher_free(searcher);
    cJSON_Delete(json);
    free(body);
}

static void test_wrong_questions(void **state)
{
    (void)state;
    static const char *const targets[] = {
        "/api/watch",
        "/api/watch?board=1200&moves=0",
        "/api/watch?board=1200&games=3",
        "/api/watch?board=1200&seed=-1",
        "/api/outlook?board=1200&games=1001",
        "/api/outlook?board=1200&depth=9",
        "/api/outlook?board=12",
        "/api/line?board=1200&seed=1",
    };
    for (size_t i = 0; i < sizeof targets / sizeof *targets; i++)
        free(get(targets[i], 400));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_watch, setup, teardown),
        cmocka_unit_test_setup_teardown(test_watch_solved, setup, teardown),
        cmocka_unit_test_setup_teardown(test_outlook, setup, teardown),
        cmocka_unit_test_setup_teardown(test_line, setup, teardown),
        cmocka_unit_test_setup_teardown(test_wrong_questions, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
