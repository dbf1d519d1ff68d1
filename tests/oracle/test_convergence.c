/*
 * Learning against the exact truth: on 2x2 and 2x3 every state can be solved by brute force, and the learned player can
 * be followed through every state too, so its expected score is known without a single sampled game.
 */
#include "oracle.h"

#include "learn/trainer.h"
#include "ntuple/network_value.h"

#include <math.h>
#include <stdlib.h>

enum { MEMO_PLACES = 1 << 18 };

/* Expected score from a state, by the best move or by the network's. */
struct memo {
    uint64_t key[MEMO_PLACES]; /* cells + 1; 0 is free */
    double value[MEMO_PLACES];
    const struct grid *grid;
    const struct network *network; /* NULL: optimal play */
    size_t n_states;
};

static double *memo_place(struct memo *memo, struct board board, bool *known)
{
    uint64_t hash = board.cells;
    for (size_t i = random_splitmix(&hash) % MEMO_PLACES;; i = (i + 1) % MEMO_PLACES) {
        *known = memo->key[i] == board.cells + 1;
        if (*known || memo->key[i] == 0) {
            memo->key[i] = board.cells + 1;
            return &memo->value[i];
        }
    }
}

static double state_value(struct memo *memo, struct board board);

static double after_value(struct memo *memo, struct board after)
{
    double sum = 0;
    unsigned n_empty = 0;
    for (unsigned cell = 0; cell < memo->grid->n_cells; cell++)
        if (board_get(after, cell) == 0) {
            n_empty++;
            sum +=
                0.9 * state_value(memo, board_set(after, cell, 1)) + 0.1 * state_value(memo, board_set(after, cell, 2));
        }
    return sum / n_empty;
}

static double state_value(struct memo *memo, struct board board)
{
    bool known;
    double value = *memo_place(memo, board, &known);
    if (known)
        return value;
    struct moves moves = grid_moves(memo->grid, board);
    double best = 0, best_learned = -INFINITY;
    for (unsigned d = 0; d < DIRECTION_COUNT; d++) {
        if (!(moves.legal >> d & 1))
            continue;
        if (memo->network) {
            double learned = (double)moves.reward[d] + (double)network_value(memo->network, moves.after[d]);
            if (learned > best_learned) {
                best_learned = learned;
                best = d;
            }
        } else {
            best = fmax(best, moves.reward[d] + after_value(memo, moves.after[d]));
        }
    }
    if (memo->network && moves.legal)
        best = moves.reward[(unsigned)best] + after_value(memo, moves.after[(unsigned)best]);
    memo->n_states++;
    return *memo_place(memo, board, &known) = best;
}

/* The mean over all starts: two spawned tiles. */
static double expected_score(const struct grid *grid, const struct network *network)
{
    struct memo *memo = calloc(1, sizeof *memo);
    assert_non_null(memo);
    memo->grid = grid;
    memo->network = network;
    double sum = 0;
    for (unsigned cell = 0; cell < grid->n_cells; cell++)
        for (unsigned value = 1; value <= 2; value++)
            sum += (value == 1 ? 0.9 : 0.1) * after_value(memo, board_set((struct board){0}, cell, value));
    assert_true(memo->n_states < MEMO_PLACES / 2);
    free(memo);
    return sum / grid->n_cells;
}

static void check_board(unsigned rows, unsigned cols, const char *tuple, double known_score, float optimistic,
                        uint64_t actions, unsigned threads)
{
    struct grid grid;
    struct network_spec spec = {.rows = (uint8_t)rows, .cols = (uint8_t)cols};
    struct network *network;
    assert_int_equal(grid_create(&grid, rows, cols), STATUS_OK);
    double optimum = expected_score(&grid, NULL);
    assert_true(fabs(optimum / known_score - 1) < 1e-7);
    assert_int_equal(shape_add_tuple(&spec.shape, &grid, tuple), STATUS_OK);
    assert_int_equal(encoding_plain(&spec.encoding, grid.max_value + 1u), STATUS_OK);
    assert_int_equal(stages_parse(&spec.stages, "1"), STATUS_OK);
    spec.initial = optimistic / (float)grid.n_symmetries;
    assert_int_equal(network_create(&network, &spec), STATUS_OK);

    struct trainer_settings settings = {.seed = 1, .threads = threads, .interleave = 4};
    settings.learn.n_phases = 2; /* TC finds the values, TD with a falling rate takes the noise out of them */
    settings.learn.phases[0] = (struct learn_phase){.rule = RULE_TC, .rate = {.n_points = 1, .value = {0.35f}}};
    settings.learn.phases[1] = (struct learn_phase){
        .start_action = actions / 2,
        .rule = RULE_TD,
        .rate = {.n_points = 2, .linear = true, .action = {actions / 2, actions}, .value = {0.05f, 0.001f}}};
    settings.start.new_game = 1;
    struct trainer *trainer;
    struct workers *workers;
    assert_int_equal(workers_create(&workers, threads), STATUS_OK);
    assert_int_equal(trainer_create(&trainer, network, &settings), STATUS_OK);
    assert_int_equal(trainer_run(trainer, workers, actions, NULL, NULL), STATUS_OK);
    double learned = expected_score(&grid, network);
    print_message("%ux%u: optimum %.6f, learned %.6f, %.3f%% below\n", rows, cols, optimum, learned,
                  100 * (1 - learned / optimum));
    assert_true(learned <= optimum * (1 + 1e-9));
    assert_true(learned >= optimum * 0.995);
    trainer_free(trainer);
    workers_free(workers);
    network_free(network);
    grid_free(&grid);
}

static void test_2x2(void **state)
{
    (void)state;
    check_board(2, 2, "0 1 2 3", 66.964149, 200, 1000000, 1);
}

static void test_2x3(void **state)
{
    (void)state;
    check_board(2, 3, "0 1 2 3 4 5", 480.258272, 500, 60000000, 1);
}

/* Sixteen threads on a fresh network at the full rate: nothing diverges, and the result is as good. */
static void test_many_threads(void **state)
{
    (void)state;
    check_board(2, 2, "0 1 2 3", 66.964149, 200, 3000000, 16);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_2x2),
        cmocka_unit_test(test_2x3),
        cmocka_unit_test(test_many_threads),
    };
    return cmocka_run_group_tests_name("convergence", tests, NULL, NULL);
}
