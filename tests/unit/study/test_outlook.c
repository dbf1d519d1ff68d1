/* Outlooks against games counted one by one, however the work is cut. */
#include "scratch.h"
#include "searcher_chooser.h"

#include "game/notation.h"
#include "game/simple_value.h"
#include "study/outlook.h"

#include <math.h>

static struct grid grid;
static struct simple_value *simple;
static struct searcher *searcher;
static struct chooser chooser;

static int setup(void **state)
{
    (void)state;
    struct search_settings settings = {.depth = 1, .n_threads = 1};
    if (grid_create(&grid, 3, 3) || simple_value_create(&simple, &grid))
        return -1;
    struct value_function function = simple_value_function(simple);
    if (searcher_create(&searcher, &grid, &function, &settings))
        return -1;
    chooser = chooser_from_searcher(searcher);
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    searcher_free(searcher);
    simple_value_free(simple);
    grid_free(&grid);
    return 0;
}

static struct board board_of(const char *digits)
{
    struct board board;
    assert_ok(notation_parse(&grid, digits, &board));
    return board;
}

/* Each game by itself, played as `afterstate play` plays it. */
static void test_counts(void **state)
{
    (void)state;
    enum { N = 40, SEED = 7 };
    struct board start = board_of("123001000");
    uint64_t reached[BOARD_MAX_VALUE + 1] = {0}, moves = 0;
    double points = 0;
    for (unsigned i = 0; i < N; i++) {
        struct game game = {.grid = &grid, .board = start, .rng = random_stream(SEED, i)};
        while (!game_is_over(&game))
            game_play(&game, searcher_search(searcher, game.board).best, NULL);
        for (unsigned v = 0; v <= board_max_value(game.board); v++)
            reached[v]++;
        moves += game.n_moves;
        points += (double)game.score;
    }
    struct outlook whole = outlook_begin(&grid, start, SEED), pieces = whole;
    assert_ok(outlook_run(&whole, &chooser, N, 1e9));
    while (pieces.n_games < N)
        assert_ok(outlook_run(&pieces, &chooser, N, 0));
    assert_int_equal(whole.n_games, N);
    assert_int_equal(whole.n_moves, moves);
    assert_true(whole.points == points && pieces.points == points && pieces.squares == whole.squares);
    assert_memory_equal(whole.n_reached, reached, sizeof reached);
    assert_memory_equal(pieces.n_reached, reached, sizeof reached);
    struct share share = outlook_share(&whole, 6), expected = summary_share(reached[6], N);
    assert_true(share.rate == expected.rate && share.low == expected.low && share.high == expected.high);
}

static void test_json(void **state)
{
    (void)state;
    struct outlook outlook = outlook_begin(&grid, board_of("987000000"), 1);
    struct json json;
    char *text;
    json_begin(&json);
    outlook_add_json(&outlook, &json);
    assert_ok(json_print_compact(&json, &text));
    assert_string_equal(text, "{\"games\":0,\"moves\":null,\"points\":null,\"points_ci95\":null,\"tiles\":{}}");
    free(text);

    outlook.n_games = 4;
    outlook.n_moves = 10;
    outlook.points = 40;
    outlook.squares = 600;
    outlook.n_reached[10] = 1;
    json_begin(&json);
    outlook_add_json(&outlook, &json);
    assert_ok(json_print_compact(&json, &text));
    assert_non_null(strstr(text, "\"games\":4,\"moves\":2.5,\"points\":10,"));
    assert_non_null(strstr(text, "\"tiles\":{\"1024\":[0.25,")); /* 512 is there; 1024 is the largest of 3x3 */
    free(text);
}

static enum status refuse(void *context, struct board board, struct search_result *result)
{
    (void)context, (void)board, (void)result;
    return status_fail(STATUS_INTERRUPTED, "enough");
}

static void test_failure(void **state)
{
    (void)state;
    struct outlook outlook = outlook_begin(&grid, board_of("110000000"), 1);
    struct chooser refusing = {.choose = refuse};
    assert_int_equal(outlook_run(&outlook, &refusing, 1, 1), STATUS_INTERRUPTED);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_counts),
        cmocka_unit_test(test_json),
        cmocka_unit_test(test_failure),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
