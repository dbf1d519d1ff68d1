/*
 * Exact evaluation of policies against a recursion over boards that knows nothing of ages, sets or numbers, and against
 * games that are really played.
 */
#include "neural_sample.h"
#include "scratch.h"
#include "solved_board.h"

#include "search/player.h"
#include "study/exact_policy.h"
#include "study/match.h"

#include <math.h>

/* ---- the recursion ---------------------------------------------------------------------------------------------- */

/* What is expected from a state on. */
struct outlook {
    uint64_t cells; /* canonical where the policy treats images alike; 0 is a free place */
    double optimum, score, moves, optimal, loss;
};

enum { PLACES = 1 << 18 }; /* of the memory; 2x3 has 21,752 states up to symmetry, each with up to four images */

struct oracle {
    const struct grid *grid;
    const struct policy *policy;
    struct board_rules rules;
    struct outlook *memory;
};

/* A value that depends on the board's class only, and hardly ever is the same twice. */
static float scrambled_value(const void *context, struct board after)
{
    uint64_t state = grid_canonical(context, after).cells;
    return (float)(random_splitmix(&state) >> 40) / 65536;
}

static void scrambled_values(const void *context, const struct board *after, size_t n, float *out)
{
    for (size_t i = 0; i < n; i++)
        out[i] = scrambled_value(context, after[i]);
}

static struct value_function scrambled_function(const struct grid *grid)
{
    return (struct value_function){.context = grid, .values = scrambled_values, .symmetric = true};
}

/* A value that depends on how the board lies. */
static float turned_value(const void *context, struct board after)
{
    (void)context;
    uint64_t state = after.cells;
    return (float)(random_splitmix(&state) >> 40) / 65536;
}

static void turned_values(const void *context, const struct board *after, size_t n, float *out)
{
    for (size_t i = 0; i < n; i++)
        out[i] = turned_value(context, after[i]);
}

static struct value_function turned_function(void)
{
    return (struct value_function){.values = turned_values};
}

static struct outlook recurse(struct oracle *oracle, struct board board);

/* The mean over all spawns. */
static struct outlook after_move(struct oracle *oracle, struct board after)
{
    struct outlook mean = {0};
    unsigned n_empty = 0;
    for (unsigned cell = 0; cell < oracle->grid->n_cells; cell++)
        n_empty += board_get(after, cell) == 0;
    for (unsigned cell = 0; cell < oracle->grid->n_cells; cell++) {
        for (unsigned value = 1; value <= 2 && board_get(after, cell) == 0; value++) {
            double chance = value == 1 ? 1 - oracle->rules.chance_of_4 : oracle->rules.chance_of_4;
            if (chance == 0)
                continue;
            struct outlook next = recurse(oracle, board_set(after, cell, value));
            double probability = chance / n_empty;
            mean.optimum += probability * next.optimum;
            mean.score += probability * next.score;
            mean.moves += probability * next.moves;
            mean.optimal += probability * next.optimal;
            mean.loss += probability * next.loss;
        }
    }
    return mean;
}

/* The directions that a policy takes, by its definition. */
static unsigned choose(const struct oracle *oracle, struct board board, const struct moves *moves,
                       const double optimal_value[DIRECTION_COUNT])
{
    double key[DIRECTION_COUNT] = {0}, best = -INFINITY;
    unsigned choice = 0;
    if (oracle->policy->kind == POLICY_RANDOM)
        return moves->legal;
    if (oracle->policy->kind == POLICY_MOVES && moves->legal) {
        enum direction direction;
        assert_ok(table_move(oracle->policy->moves, board, &direction));
        return 1u << direction;
    }
    for (unsigned d = 0; d < DIRECTION_COUNT; d++) {
        if (!(moves->legal >> d & 1))
            continue;
        key[d] = oracle->policy->kind == POLICY_GREEDY_SCORE ? moves->reward[d]
                 : oracle->policy->kind == POLICY_VALUE
                     ? (float)moves->reward[d] + value_of(&oracle->policy->function, moves->after[d])
                     : optimal_value[d];
        best = fmax(best, key[d]);
    }
    for (unsigned d = 0; d < DIRECTION_COUNT; d++) {
        if (moves->legal >> d & 1 && key[d] == best && (!choice || oracle->policy->kind == POLICY_GREEDY_SCORE))
            choice |= 1u << d;
    }
    return choice;
}

static struct outlook recurse(struct oracle *oracle, struct board board)
{
    bool as_it_lies = oracle->policy->kind == POLICY_VALUE && !oracle->policy->function.symmetric;
    board = as_it_lies ? board : grid_canonical(oracle->grid, board);
    uint64_t state = board.cells;
    size_t place = random_splitmix(&state) % PLACES;
    while (oracle->memory[place].cells && oracle->memory[place].cells != board.cells)
        place = (place + 1) % PLACES;
    if (oracle->memory[place].cells)
        return oracle->memory[place];
    struct moves moves = grid_moves(oracle->grid, board);
    struct outlook next[DIRECTION_COUNT] = {0}, here = {.cells = board.cells};
    double optimal_value[DIRECTION_COUNT] = {0}, gain[DIRECTION_COUNT] = {0};
    for (unsigned d = 0; d < DIRECTION_COUNT; d++) {
        if (!(moves.legal >> d & 1))
            continue;
        bool won = oracle->rules.goal && board_max_value(moves.after[d]) >= oracle->rules.goal;
        gain[d] = oracle->rules.goal ? won : moves.reward[d];
        next[d] = won ? (struct outlook){0} : after_move(oracle, moves.after[d]);
        optimal_value[d] = gain[d] + next[d].optimum;
        here.optimum = fmax(here.optimum, optimal_value[d]);
    }
    unsigned choice = choose(oracle, board, &moves, optimal_value);
    for (unsigned d = 0; d < DIRECTION_COUNT; d++) {
        if (!(choice >> d & 1))
            continue;
        double share = 1.0 / __builtin_popcount(choice), lost = here.optimum - optimal_value[d];
        here.score += share * (gain[d] + next[d].score);
        here.moves += share * (1 + next[d].moves);
        here.optimal += share * ((lost < 1e-5) + next[d].optimal);
        here.loss += share * (lost + next[d].loss);
    }
    place = random_splitmix(&(uint64_t){board.cells}) % PLACES; /* the recursion filled other places */
    while (oracle->memory[place].cells)
        place = (place + 1) % PLACES;
    oracle->memory[place] = here;
    return here;
}

/* The mean over all starts. */
static struct outlook outlook_of_game(struct oracle *oracle)
{
    struct outlook mean = {0};
    unsigned n = oracle->grid->n_cells;
    oracle->memory = calloc(PLACES, sizeof *oracle->memory);
    assert_non_null(oracle->memory);
    for (unsigned i = 0; i < n; i++) {
        for (unsigned value = 1; value <= 2; value++) {
            double probability = (value == 1 ? 1 - oracle->rules.chance_of_4 : oracle->rules.chance_of_4) / n;
            if (probability == 0)
                continue;
            struct outlook from = after_move(oracle, board_set((struct board){0}, i, value));
            mean.optimum += probability * from.optimum;
            mean.score += probability * from.score;
            mean.moves += probability * from.moves;
            mean.optimal += probability * from.optimal;
            mean.loss += probability * from.loss;
        }
    }
    free(oracle->memory);
    return mean;
}

/* ----------------------------------------------------------------------------------------------------------------- */

static void assert_near(double got, double expected, double tolerance)
{
    if (!(fabs(got - expected) <= tolerance))
        fail_msg("%.12g, expected %.12g +- %g", got, expected, tolerance);
}

static void check_policy(const struct table *table, const struct policy *policy, unsigned n_threads)
{
    const struct table_summary *summary = table_summary(table);
    struct oracle oracle = {
        .grid = table_grid(table), .policy = policy, .rules = {summary->goal, summary->chance_of_4}};
    struct outlook expected = outlook_of_game(&oracle);
    struct exact_result result;
    struct workers *workers;
    assert_ok(workers_create(&workers, n_threads));
    assert_ok(exact_evaluate(table, policy, workers, NULL, NULL, &result));
    assert_near(result.optimum, expected.optimum, 1e-9 * expected.optimum);
    /* Chances are often equal, and which of the best is the first depends on the image and on rounding. */
    bool by_chances = policy->kind == POLICY_OPTIMAL && summary->goal;
    assert_near(result.score, expected.score, by_chances ? expected.moves * 0x1p-16 : 1e-9 * expected.score);
    assert_near(result.forward_score, result.score, 1e-9 * expected.score);
    assert_near(result.moves, by_chances ? result.moves : expected.moves, 1e-9 * expected.moves);
    assert_near(result.optimal_moves, by_chances ? result.moves : expected.optimal, 1e-9 * expected.moves);
    assert_near(result.loss, expected.loss, expected.moves * 0x1p-16); /* the stored values are rounded */
    assert_near(result.optimum - result.loss, result.score, expected.moves * 0x1p-16);
    double visits = 0, loss = 0;
    for (size_t i = 0; i < result.n_ages; i++) {
        assert_true(result.ages[i].visits <= 1 + 1e-12 && result.ages[i].optimal <= result.ages[i].visits + 1e-12);
        visits += result.ages[i].visits;
        loss += result.ages[i].loss;
    }
    assert_near(visits, result.moves, 1e-9 * result.moves);
    assert_near(loss, result.loss, 1e-9 * (1 + result.loss));
    exact_result_free(&result);
    workers_free(workers);
}

static void test_against_recursion(void **state)
{
    (void)state;
    static const unsigned sizes[][2] = {{2, 2}, {2, 3}, {3, 2}, {1, 4}, {1, 1}};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        struct table *table = solved_board(sizes[i][0], sizes[i][1], VARIANT_NORMAL, STORE_VALUES);
        struct table *moves = solved_board(sizes[i][0], sizes[i][1], VARIANT_NORMAL, STORE_MOVES);
        for (enum policy_kind kind = POLICY_RANDOM; kind <= POLICY_MOVES; kind++) {
            struct policy policy = {.kind = kind, .moves = moves};
            policy.function = scrambled_function(table_grid(table));
            check_policy(table, &policy, 1 + (unsigned)kind % 3);
        }
        table_close(table);
        table_close(moves);
    }
}

/* Chances of a tile in place of scores, and other chances of a 4: the players themselves are the same. */
static void test_other_rules_against_recursion(void **state)
{
    (void)state;
    static const unsigned sizes[][2] = {{2, 2}, {2, 3}, {3, 2}, {1, 4}};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        for (size_t k = 0; k < N_OTHER_RULES; k++) {
            struct table *table =
                solved_board_by(other_rules[k], sizes[i][0], sizes[i][1], VARIANT_NORMAL, STORE_VALUES);
            struct table *moves =
                solved_board_by(other_rules[k], sizes[i][0], sizes[i][1], VARIANT_NORMAL, STORE_MOVES);
            for (enum policy_kind kind = POLICY_RANDOM; kind <= POLICY_MOVES; kind++) {
                struct policy policy = {.kind = kind, .moves = moves};
                policy.function = scrambled_function(table_grid(table));
                check_policy(table, &policy, 1 + (unsigned)kind % 2);
            }
            struct policy turned = {.kind = POLICY_VALUE, .function = turned_function()};
            check_policy(table, &turned, 2);
            table_close(table);
            table_close(moves);
        }
    }
}

/* A player that depends on the image is measured on all real boards, not on one image of each. */
static void test_images_against_recursion(void **state)
{
    (void)state;
    static const unsigned sizes[][2] = {{2, 2}, {2, 3}, {3, 2}, {1, 4}, {1, 1}};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        struct table *table = solved_board(sizes[i][0], sizes[i][1], VARIANT_NORMAL, STORE_VALUES);
        struct policy policy = {.kind = POLICY_VALUE, .function = turned_function()};
        check_policy(table, &policy, 1 + (unsigned)i % 3);
        table_close(table);
    }
}

static void test_neural_networks_against_recursion(void **state)
{
    (void)state;
    static const struct {
        unsigned rows, cols;
        const char *model;
    } cases[] = {{2, 2, "2x2 4 fc 5"}, {2, 3, "2x2 4 fc 5"}, {2, 3, "fc 6"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct table *table = solved_board(cases[i].rows, cases[i].cols, VARIANT_NORMAL, STORE_VALUES);
        struct neural *neural = neural_sample(cases[i].rows, cases[i].cols, cases[i].model, NEURAL_PLAY_SIMPLE, 4 + i);
        struct neural_evaluator *evaluator;
        assert_ok(neural_evaluator_create(&evaluator, neural, 2));
        struct policy policy = {.kind = POLICY_VALUE, .function = neural_value_function(evaluator)};
        check_policy(table, &policy, 2);
        neural_evaluator_free(evaluator);
        neural_free(neural);
        table_close(table);
    }
}

/* For a player without ties that treats images alike, one image of each board gives the same as all of them. */
static void test_images_of_a_symmetric_player(void **state)
{
    (void)state;
    struct table *table = solved_board(2, 3, VARIANT_NORMAL, STORE_VALUES);
    struct policy policy = {.kind = POLICY_VALUE, .function = scrambled_function(table_grid(table))};
    struct exact_result by_class, by_image;
    struct workers *workers;
    assert_ok(workers_create(&workers, 2));
    assert_ok(exact_evaluate(table, &policy, workers, NULL, NULL, &by_class));
    policy.function.symmetric = false;
    assert_ok(exact_evaluate(table, &policy, workers, NULL, NULL, &by_image));
    assert_near(by_image.score, by_class.score, 1e-9 * by_class.score);
    assert_near(by_image.optimal_moves, by_class.optimal_moves, 1e-9 * by_class.moves);
    for (size_t i = 0; i < by_class.n_ages; i++) {
        assert_near(by_image.ages[i].visits, by_class.ages[i].visits, 1e-12);
        assert_near(by_image.ages[i].loss, by_class.ages[i].loss, 1e-9);
    }
    exact_result_free(&by_class);
    exact_result_free(&by_image);
    workers_free(workers);
    table_close(table);
}

static void test_optimal_play_reaches_the_optimum(void **state)
{
    (void)state;
    struct table *table = solved_board(2, 3, VARIANT_NORMAL, STORE_VALUES);
    struct table *moves = solved_board(2, 3, VARIANT_NORMAL, STORE_MOVES);
    struct policy policies[] = {{.kind = POLICY_OPTIMAL}, {.kind = POLICY_MOVES, .moves = moves}};
    struct workers *workers;
    assert_ok(workers_create(&workers, 2));
    for (int i = 0; i < 2; i++) {
        struct exact_result result;
        assert_ok(exact_evaluate(table, &policies[i], workers, NULL, NULL, &result));
        assert_near(result.optimum, 480.258272, 1e-6 * 480);
        assert_near(result.score, result.optimum, 1e-6); /* rounded values may order equals otherwise than exact ones */
        assert_near(result.optimal_moves, result.moves, 1e-9 * result.moves);
        exact_result_free(&result);
    }
    workers_free(workers);
    table_close(table);
    table_close(moves);
}

/* Games that are really played have that mean: within 4 standard errors. */
static void check_by_playing(const struct table *table, const struct policy *policy, const struct player *player)
{
    enum { GAMES = 20000 };
    struct exact_result result;
    struct workers *workers;
    struct game_result *results = calloc(GAMES, sizeof *results);
    size_t n;
    assert_non_null(results);
    assert_ok(workers_create(&workers, 1));
    assert_ok(exact_evaluate(table, policy, workers, NULL, NULL, &result));
    struct match match = {.player = player, .seed = 1, .n_games = GAMES, .results = results};
    assert_ok(match_play(&match, workers, NULL, &n));
    assert_int_equal(n, GAMES);
    double sum = 0, squares = 0, moves = 0;
    for (size_t i = 0; i < GAMES; i++) {
        sum += (double)results[i].score;
        squares += (double)results[i].score * (double)results[i].score;
        moves += results[i].n_moves;
    }
    double mean = sum / GAMES, error = sqrt((squares / GAMES - mean * mean) / GAMES);
    assert_near(mean, result.score, 4 * error);
    assert_near(moves / GAMES, result.moves, 0.03 * result.moves);
    exact_result_free(&result);
    workers_free(workers);
    free(results);
}

static void test_against_games(void **state)
{
    (void)state;
    struct table *table = solved_board(2, 3, VARIANT_NORMAL, STORE_VALUES);
    struct value_function function = scrambled_function(table_grid(table));
    struct policy random = {.kind = POLICY_RANDOM}, scrambled = {.kind = POLICY_VALUE, .function = function};
    struct player random_player = {.kind = PLAYER_RANDOM, .grid = table_grid(table)};
    struct player scrambled_player = {
        .kind = PLAYER_SEARCH, .grid = table_grid(table), .function = function, .search = {.depth = 1}};
    check_by_playing(table, &random, &random_player);
    check_by_playing(table, &scrambled, &scrambled_player);
    struct policy turned = {.kind = POLICY_VALUE, .function = turned_function()};
    struct player turned_player = scrambled_player;
    turned_player.function = turned.function;
    check_by_playing(table, &turned, &turned_player);
    table_close(table);
}

/* A function without an opinion: every choice is a tie, and the table says so. */
static void no_values(const void *context, const struct board *after, size_t n, float *out)
{
    (void)context, (void)after;
    memset(out, 0, n * sizeof *out);
}

static void test_ties_are_counted(void **state)
{
    (void)state;
    struct table *table = solved_board(2, 3, VARIANT_NORMAL, STORE_VALUES);
    struct policy undecided = {.kind = POLICY_VALUE, .function = {.values = no_values, .symmetric = true}};
    struct policy scrambled = {.kind = POLICY_VALUE, .function = scrambled_function(table_grid(table))};
    struct workers *workers;
    struct exact_result result;
    assert_ok(workers_create(&workers, 1));
    assert_ok(exact_evaluate(table, &undecided, workers, NULL, NULL, &result));
    assert_true(result.tied_moves > 0.2 * result.moves);
    exact_result_free(&result);
    assert_ok(exact_evaluate(table, &scrambled, workers, NULL, NULL, &result));
    assert_true(result.tied_moves < 1e-3 * result.moves);
    assert_ok(exact_write_csv(&result, scratch_path("ages.csv")));
    size_t bytes;
    char *csv = scratch_read("ages.csv", &bytes);
    assert_non_null(strstr(csv, "age,visits,optimal,tied,loss\n4,0.81,"));
    free(csv);
    exact_result_free(&result);
    workers_free(workers);
    table_close(table);
}

/* A function whose values depend on their batch, as a neural network's do in the last bits; here by much. */
static void fickle_values(const void *context, const struct board *after, size_t n, float *out)
{
    (void)context;
    for (size_t i = 0; i < n; i++)
        out[i] = (float)((after[i].cells * 31 + after[0].cells + n) % 97);
}

/* Both passes evaluate in the same batches, so both see the same player. */
static void test_batches_of_both_passes(void **state)
{
    (void)state;
    struct table *table = solved_board(2, 3, VARIANT_NORMAL, STORE_VALUES);
    struct policy fickle = {.kind = POLICY_VALUE, .function = {.values = fickle_values, .batch = 1000}};
    double score[2];
    for (unsigned threads = 1; threads <= 2; threads++) {
        struct workers *workers;
        struct exact_result result;
        assert_ok(workers_create(&workers, threads));
        assert_ok(exact_evaluate(table, &fickle, workers, NULL, NULL, &result));
        assert_near(result.forward_score, result.score, 1e-9 * result.score);
        score[threads - 1] = result.score;
        exact_result_free(&result);
        workers_free(workers);
    }
    assert_true(score[0] == score[1]);
    table_close(table);
}

static void test_unfit_tables_are_refused(void **state)
{
    (void)state;
    struct policy policy = {.kind = POLICY_RANDOM};
    struct workers *workers;
    struct exact_result result;
    assert_ok(workers_create(&workers, 1));
    struct table *table = solved_board(2, 2, VARIANT_OPTIMISTIC, STORE_VALUES);
    assert_int_equal(exact_evaluate(table, &policy, workers, NULL, NULL, &result), STATUS_INVALID);
    assert_message("optimistic");
    table_close(table);
    table = solved_board(2, 2, VARIANT_NORMAL, STORE_MOVES);
    assert_int_equal(exact_evaluate(table, &policy, workers, NULL, NULL, &result), STATUS_INVALID);
    assert_message("--store values");
    struct policy moves = {.kind = POLICY_MOVES, .moves = table};
    struct table *goal = solved_board_by((struct board_rules){4, 0.5}, 2, 2, VARIANT_NORMAL, STORE_VALUES);
    assert_int_equal(exact_evaluate(goal, &moves, workers, NULL, NULL, &result), STATUS_INVALID);
    assert_message("--objective score --four-chance 0.1");
    assert_message("--objective tile:16 --four-chance 0.5");
    table_close(goal);
    table_close(table);
    workers_free(workers);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_images_against_recursion),
        cmocka_unit_test(test_neural_networks_against_recursion),
        cmocka_unit_test(test_images_of_a_symmetric_player),
        cmocka_unit_test(test_against_recursion),
        cmocka_unit_test(test_other_rules_against_recursion),
        cmocka_unit_test(test_optimal_play_reaches_the_optimum),
        cmocka_unit_test(test_against_games),
        cmocka_unit_test(test_ties_are_counted),
        cmocka_unit_test(test_batches_of_both_passes),
        cmocka_unit_test(test_unfit_tables_are_refused),
    };
    return cmocka_run_group_tests(tests, scratch_setup, scratch_teardown);
}
