/*
 * 64 clients at once for two seconds (for thirty with the argument `long`): each sends requests over one connection
 * that lives, every answer must be the right one, and no request may be lost.
 */
#include "web_client.h"

#include "base/clock.h"
#include "base/random.h"
#include "game/game.h"
#include "game/notation.h"
#include "search/searcher.h"

#include <pthread.h>

enum { N_CLIENTS = 64, N_BOARDS = 200 };

static double seconds = 2;
static struct web_fixture fixture;

/* Boards and what must be answered. */
struct question {
    char target[96];
    char expected[160]; /* the member "moves" */
};
static struct question questions[N_BOARDS];

struct load_client {
    unsigned index;
    uint64_t n_answers, n_refused;
    char wrong[512]; /* the first wrong answer */
};

static void prepare_questions(void)
{
    for (unsigned i = 0; i < N_BOARDS; i++) {
        const struct grid *grid = &fixture.grids[i % 2];
        struct value_function function = simple_value_function(fixture.simple[i % 2]);
        struct search_settings settings = {.depth = 1 + i % 2, .n_threads = 1};
        struct game game = game_begin(grid, i, 0);
        struct searcher *searcher;
        char digits[NOTATION_DIGITS_BYTES], *at = questions[i].expected;
        for (unsigned k = 0; k < 40 && !game_is_over(&game); k++)
            game_play(&game, (enum direction)(k * 7 / 3 % DIRECTION_COUNT), NULL);
        snprintf(questions[i].target, sizeof questions[i].target, "/api/hint?board=%s&depth=%u",
                 notation_digits(grid, game.board, digits), settings.depth);
        assert_ok(searcher_create(&searcher, grid, &function, &settings));
        struct search_result result = searcher_search(searcher, game.board);
        searcher_free(searcher);
        struct json json;
        json_begin(&json);
        for (unsigned k = 0; k < DIRECTION_COUNT; k++)
            json_add_real(&json, direction_name(result.order[k]), (double)result.value[result.order[k]]);
        char *text;
        assert_ok(json_print_compact(&json, &text));
        assert_true((size_t)snprintf(at, sizeof questions[i].expected, "\"moves\":%s", text) <
                    sizeof questions[i].expected);
        free(text);
    }
}

/* Answers are checked here and reported later: a check of cmocka belongs to the main thread. */
static void *run_client(void *context)
{
    struct load_client *self = context;
    struct rng rng = random_stream(64, self->index);
    struct web_client client = web_connect(server_port(fixture.server));
    double end = clock_seconds() + seconds;
    while (clock_seconds() < end && !self->wrong[0]) {
        bool light = random_below(&rng, 8) == 0;
        const struct question *question = &questions[random_below(&rng, N_BOARDS)];
        struct web_reply reply = web_get(&client, light ? "/api/health" : question->target);
        if (reply.code == 429 && !light)
            self->n_refused++;
        else if (reply.code != 200 || !strstr(reply.body, light ? "\"program\":\"afterstate\"" : question->expected))
            snprintf(self->wrong, sizeof self->wrong, "%s: %d %.300s", question->target, reply.code, reply.body);
        self->n_answers++;
        free(reply.body);
    }
    web_disconnect(&client);
    return NULL;
}

static void test_many_clients(void **state)
{
    (void)state;
    struct server_settings settings = {.n_threads = 2, .max_waiting = N_CLIENTS, .max_depth = 3, .max_ms = 100};
    static struct load_client clients[N_CLIENTS];
    pthread_t threads[N_CLIENTS];
    uint64_t n_answers = 0;
    web_fixture_open(&fixture, &settings);
    prepare_questions();
    for (unsigned i = 0; i < N_CLIENTS; i++) {
        clients[i].index = i;
        assert_int_equal(pthread_create(&threads[i], NULL, run_client, &clients[i]), 0);
    }
    for (unsigned i = 0; i < N_CLIENTS; i++)
        pthread_join(threads[i], NULL);
    for (unsigned i = 0; i < N_CLIENTS; i++) {
        if (clients[i].wrong[0])
            fail_msg("client %u got a wrong answer: %s", i, clients[i].wrong);
        assert_int_equal(clients[i].n_refused, 0); /* a place in line for everybody */
        assert_true(clients[i].n_answers > 0);
        n_answers += clients[i].n_answers;
    }
    print_message("%llu answers to %d clients in %g s\n", (unsigned long long)n_answers, N_CLIENTS, seconds);
    web_fixture_close(&fixture);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_many_clients, scratch_setup, scratch_teardown),
    };
    if (argc > 1 && strcmp(argv[1], "long") == 0)
        seconds = 30;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
