/* Network files of both kinds behind one interface, also through the public API, which opens them the same way. */
#include "network_sample.h"
#include "neural_sample.h"

#include "neural/neural_file.h"
#include "neural/neural_value.h"
#include "ntuple/network_value.h"
#include "packed/network_file.h"
#include "study/evaluator.h"
#include "study/match.h"

#include <afterstate/afterstate.h>

#include <math.h>

static struct board some_board(const struct grid *grid, struct rng *rng)
{
    struct board board = {0};
    for (unsigned cell = 1; cell < grid->n_cells; cell++)
        board = board_set(board, cell, (unsigned)random_below(rng, 6));
    return board;
}

/* What a file gives is what the network that was saved gives, in the compact and in the fast form, where they suit. */
static void check_values(const char *name, const struct value_function *function, unsigned rows, unsigned cols,
                         bool compact, bool fast)
{
    struct evaluator evaluator;
    struct as_network *network;
    struct rng rng = random_stream(1, 0);
    unsigned found_rows, found_cols;
    assert_ok(evaluator_load(&evaluator, scratch_path(name), LOAD_COMPACT, NULL));
    assert_true((evaluator.function.values != function->values) == compact);
    assert_ok(evaluator_read_size(scratch_path(name), &found_rows, &found_cols));
    assert_int_equal(as_network_open(&network, scratch_path(name)), AS_OK);
    assert_true(evaluator.grid->rows == rows && evaluator.grid->cols == cols && found_rows == rows &&
                found_cols == cols);
    assert_true(as_network_rows(network) == (int)rows && as_network_cols(network) == (int)cols);
    assert_true(evaluator.function.symmetric == function->symmetric && evaluator.function.batch == function->batch);
    for (unsigned i = 0; i < 50; i++) {
        struct board board = some_board(evaluator.grid, &rng);
        float expected = value_of(function, board), value;
        assert_true(value_of(&evaluator.function, board) == expected);
        assert_int_equal(as_network_value(network, (struct as_board){.cells = board.cells, .high = board.high}, &value),
                         AS_OK);
        assert_true(value == expected);
    }
    evaluator_free(&evaluator);
    assert_ok(evaluator_load(&evaluator, scratch_path(name), LOAD_FAST, NULL));
    assert_true((evaluator.function.values != function->values) == fast);
    for (unsigned i = 0; i < 50; i++) {
        struct board board = some_board(evaluator.grid, &rng);
        assert_true(value_of(&evaluator.function, board) == value_of(function, board));
    }
    as_network_free(network);
    evaluator_free(&evaluator);
    evaluator_free(&evaluator);
}

static void test_both_kinds(void **state)
{
    (void)state;
    struct network *ntuple = sample_network(&(struct sample){3, 4, "0 1 2/0 1 4", "plain 8", "1", false, 0}, 2);
    struct value_function function = network_value_function(ntuple);
    assert_ok(network_save(ntuple, scratch_path("ntuple.net"), NULL, NETWORK_FLOAT32, NULL));
    check_values("ntuple.net", &function, 3, 4, false, false);
    network_free(ntuple);
    ntuple = sample_network(&(struct sample){4, 4, "0 1 2/0 1/5", "plain 16", "0 32", true, 0}, 2);
    for (uint64_t i = 0; i < ntuple->n_weights; i++)
        ntuple->weights[i] = roundf(ntuple->weights[i]);
    function = network_value_function(ntuple);
    assert_ok(network_save(ntuple, scratch_path("whole.net"), NULL, NETWORK_FLOAT32, NULL));
    check_values("whole.net", &function, 4, 4, false, true);
    assert_ok(network_save_packed(ntuple, scratch_path("steps.net"), NULL,
                                  &(struct network_packing){.precision = NETWORK_STEPS, .step = 1}, NULL));
    check_values("steps.net", &function, 4, 4, true, true);
    network_free(ntuple);
    for (unsigned play = 0; play < NEURAL_PLAYS; play++) {
        struct neural *neural = neural_sample(2, 4, "2x2 3 fc 4", (enum neural_play)play, play);
        struct neural_evaluator *evaluator;
        assert_ok(neural_evaluator_create(&evaluator, neural, 1));
        function = neural_value_function(evaluator);
        assert_ok(neural_save(neural, scratch_path("neural.net"), NULL));
        check_values("neural.net", &function, 2, 4, false, false);
        neural_evaluator_free(evaluator);
        neural_free(neural);
    }
}

static void test_wrong(void **state)
{
    (void)state;
    struct evaluator evaluator;
    unsigned rows, cols;
    size_t bytes;
    assert_int_equal(evaluator_load(&evaluator, scratch_path("none.net"), LOAD_COMPACT, NULL), STATUS_IO);
    assert_null(evaluator.grid);
    assert_int_equal(evaluator_read_size(scratch_path("none.net"), &rows, &cols), STATUS_IO);
    struct neural *neural = neural_sample(2, 4, "fc 3", NEURAL_PLAY_AVE, 1);
    assert_ok(neural_save(neural, scratch_path("whole.net"), NULL));
    neural_free(neural);
    char *data = scratch_read("whole.net", &bytes);
    scratch_write("cut.net", data, bytes / 2);
    assert_int_equal(evaluator_load(&evaluator, scratch_path("cut.net"), LOAD_COMPACT, NULL), STATUS_CORRUPT);
    assert_true(!evaluator.grid && !evaluator.owned);
    scratch_write("text.net", "no network", 10);
    assert_int_equal(evaluator_load(&evaluator, scratch_path("text.net"), LOAD_COMPACT, NULL), STATUS_CORRUPT);
    free(data);
}

/* A match of a neural network: the same games one by one, on any number of threads, in batches of any size. */
static void test_match(void **state)
{
    (void)state;
    enum { GAMES = 40 };
    struct neural *neural = neural_sample(3, 3, "2x2 4 fc 5", NEURAL_PLAY_SIMPLE, 3);
    struct neural_evaluator *evaluator;
    assert_ok(neural_evaluator_create(&evaluator, neural, 2));
    for (unsigned depth = 1; depth <= 2; depth++) {
        struct player player = {.kind = PLAYER_SEARCH,
                                .grid = &neural->grid,
                                .function = neural_value_function(evaluator),
                                .search.depth = depth};
        struct searcher *searcher;
        struct game_result alone[GAMES];
        struct match games = {.player = &player, .seed = 5, .n_games = GAMES, .results = alone};
        assert_ok(player_create_searcher(&searcher, &player));
        for (size_t i = 0; i < GAMES; i++) {
            bool finished;
            assert_ok(match_play_game(&games, searcher, i, NULL, &finished));
            assert_true(finished);
        }
        searcher_free(searcher);
        for (unsigned threads = 1; threads <= 2; threads++) {
            struct game_result results[GAMES];
            struct match match = {.player = &player, .seed = 5, .n_games = GAMES, .results = results};
            struct workers *workers;
            size_t n_finished;
            assert_ok(workers_create(&workers, threads));
            assert_ok(match_play(&match, workers, NULL, &n_finished));
            workers_free(workers);
            for (size_t i = 0; i < GAMES; i++)
                assert_true(results[i].score == alone[i].score && results[i].n_moves == alone[i].n_moves);
        }
    }
    neural_evaluator_free(evaluator);
    neural_free(neural);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_both_kinds),
        cmocka_unit_test(test_wrong),
        cmocka_unit_test(test_match),
    };
    return cmocka_run_group_tests_name("evaluator", tests, scratch_setup, scratch_teardown);
}
