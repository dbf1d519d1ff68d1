/*
 * The fast search against plain expectimax, written as the papers define it: the same values (to float rounding) and
 * the same choice, on positions of real games, with and without a table, on one thread and on two; and the same once
 * more level by level, as value functions that want large batches are searched.
 */
#include "network_sample.h"
#include "neural_sample.h"

#include "game/game.h"
#include "game/simple_value.h"
#include "search/plain_expectimax.h"
#include "search/player.h"

#include <math.h>

enum { POSITIONS = ORACLE_BOARDS / 300, LONG_POSITIONS = 1000000 };

static bool is_long; /* test_search long: the table on a million positions */

static bool nearly(float a, float b)
{
    return fabsf(a - b) <= 2e-6F * (1 + fabsf(a) + fabsf(b));
}

/* Fills boards[] with positions of games: half of them random play, half greedy by the function. */
static void positions_of_games(const struct grid *grid, const struct value_function *function, struct board *boards,
                               unsigned n)
{
    struct player greedy = {.kind = PLAYER_SEARCH, .grid = grid, .function = *function, .search.depth = 1};
    struct player random = {.kind = PLAYER_RANDOM, .grid = grid};
    struct searcher *searcher;
    assert_ok(player_create_searcher(&searcher, &greedy));
    for (uint64_t index = 0; n > 0; index++) {
        struct game game = game_begin(grid, 5, index);
        struct rng rng = random_stream(6, index);
        enum direction direction;
        while ((direction = player_choose(index % 2 ? &greedy : &random, searcher, game.board, &rng)) !=
               DIRECTION_COUNT) {
            if (n > 0 && random_bits(&rng) % 4 == 0)
                boards[--n] = game.board;
            game_play(&game, direction, NULL);
        }
    }
    searcher_free(searcher);
}

static void assert_same_result(const struct search_result *fast, const struct search_result *plain)
{
    assert_int_equal(fast->legal, plain->legal);
    for (unsigned d = 0; d < DIRECTION_COUNT; d++) {
        assert_int_equal(isnan(fast->value[d]), !(plain->legal >> d & 1));
        if (plain->legal >> d & 1 && !nearly(fast->value[d], plain->value[d]))
            fail_msg("direction %u: %.9g instead of %.9g", d, (double)fast->value[d], (double)plain->value[d]);
        assert_int_equal(fast->depth[d], plain->depth[d]);
    }
    /* Where rounding turns a tie the other way, the chosen move is as good. */
    if (fast->best != plain->best)
        assert_true(plain->legal && nearly(plain->value[fast->best], plain->value[plain->best]));
}

static void assert_identical(const struct search_result *a, const struct search_result *b)
{
    assert_true(a->legal == b->legal && a->best == b->best);
    assert_memory_equal(a->depth, b->depth, sizeof a->depth);
    for (unsigned d = 0; d < DIRECTION_COUNT; d++)
        assert_true(a->value[d] == b->value[d] || (isnan(a->value[d]) && isnan(b->value[d])));
}

/* Every 16th position level by level: small batches, a table, threads, and all positions together. */
static void check_batches(const struct grid *grid, const struct value_function *function, const struct board *boards,
                          unsigned n, unsigned depth)
{
    struct value_function batched[] = {*function, *function, *function};
    const struct search_settings variants[] = {
        {.depth = depth},
        {.depth = depth, .table_bytes = 1 << 14},
        {.depth = depth, .table_bytes = 1 << 22, .n_threads = 2},
    };
    enum { N = sizeof variants / sizeof *variants, STEP = 16 };
    struct board *some = calloc(n / STEP + 1, sizeof *some);
    struct search_result *together = calloc(n / STEP + 1, sizeof *together);
    struct searcher *searchers[N];
    assert_true(some && together);
    for (unsigned v = 0; v < N; v++) {
        batched[v].batch = (size_t[]){4096, 7, 100}[v];
        assert_ok(searcher_create(&searchers[v], grid, &batched[v], &variants[v]));
    }
    unsigned n_some = 0;
    for (unsigned i = 0; i < n; i += STEP)
        some[n_some++] = boards[i];
    searcher_search_many(searchers[0], some, n_some, together);
    for (unsigned i = 0; i < n_some; i++) {
        struct search_result plain = plain_expectimax(grid, function, some[i], depth);
        assert_same_result(&together[i], &plain);
        for (unsigned v = 0; v < N; v++) {
            struct search_result alone = searcher_search(searchers[v], some[i]);
            assert_identical(&alone, &together[i]);
        }
    }
    for (unsigned v = 0; v < N; v++)
        searcher_free(searchers[v]);
    free(some);
    free(together);
}

/* One board size and value function, depths 1..max_depth: plain, without a table, with a tiny one, two threads. */
static void check_depths(const struct grid *grid, const struct value_function *function, const struct board *boards,
                         unsigned n, unsigned max_depth)
{
    for (unsigned depth = 1; depth <= max_depth; depth++) {
        const struct search_settings variants[] = {
            {.depth = depth},
            {.depth = depth, .table_bytes = 1 << 14}, /* small: entries are replaced all the time */
            {.depth = depth, .table_bytes = 1 << 22, .n_threads = 2},
        };
        enum { N = sizeof variants / sizeof *variants };
        struct searcher *searchers[N];
        for (unsigned v = 0; v < N; v++)
            assert_ok(searcher_create(&searchers[v], grid, function, &variants[v]));
        for (unsigned i = 0; i < n; i++) {
            struct search_result plain = plain_expectimax(grid, function, boards[i], depth);
            struct search_result first = searcher_search(searchers[0], boards[i]);
            assert_same_result(&first, &plain);
            for (unsigned v = 1; v < N; v++) {
                struct search_result other = searcher_search(searchers[v], boards[i]);
                assert_identical(&other, &first);
            }
        }
        for (unsigned v = 0; v < N; v++)
            searcher_free(searchers[v]);
        check_batches(grid, function, boards, n, depth);
    }
}

static const struct sample sample4x4 = {4, 4, "0 1 2 3/0 1 4 5/5 6 9 10", "plain 16", "0 512", false, 0};

static void test_4x4(void **state)
{
    (void)state;
    struct network *network = sample_network(&sample4x4, 3);
    struct value_function function = network_value_function(network);
    struct board *boards = calloc(POSITIONS, sizeof *boards);
    assert_non_null(boards);
    positions_of_games(&network->grid, &function, boards, POSITIONS);
    check_depths(&network->grid, &function, boards, POSITIONS, 3);
    free(boards);
    network_free(network);
}

/* Tiles beyond 32768, made and present: the family's quick way must hand over. */
static void test_large_tiles(void **state)
{
    (void)state;
    struct network *network =
        sample_network(&(struct sample){4, 4, "0 1 2/0 1 4 5", "plain 18", "0 32768", true, 1}, 4);
    struct value_function function = network_value_function(network);
    struct board boards[200];
    struct rng rng = random_stream(9, 0);
    for (unsigned i = 0; i < 200; i++) {
        boards[i] = (struct board){0};
        for (unsigned cell = 0; cell < 16; cell++)
            if (random_below(&rng, 4))
                boards[i] = board_set(boards[i], cell,
                                      random_below(&rng, 2) ? 14 + (unsigned)random_below(&rng, 4)
                                                            : 1 + (unsigned)random_below(&rng, 4));
    }
    check_depths(&network->grid, &function, boards, 200, 2);
    check_depths(&network->grid, &function, boards, 20, 3);
    network_free(network);
}

static void check_size(unsigned rows, unsigned cols, unsigned n, unsigned depth)
{
    struct grid grid;
    struct simple_value *simple;
    assert_ok(grid_create(&grid, rows, cols));
    assert_ok(simple_value_create(&simple, &grid));
    struct value_function function = simple_value_function(simple);
    struct board *boards = calloc(n, sizeof *boards);
    assert_non_null(boards);
    positions_of_games(&grid, &function, boards, n);
    check_depths(&grid, &function, boards, n, depth);
    free(boards);
    simple_value_free(simple);
    grid_free(&grid);
}

static void test_other_sizes(void **state)
{
    (void)state;
    check_size(2, 2, 50, 8);
    check_size(3, 3, POSITIONS / 20 + 10, 4);
    check_size(2, 5, POSITIONS / 50 + 10, 3);
    check_size(1, 6, 50, 5);
    check_size(3, 5, 5, 2);
}

/* A value function without symmetry: nothing may be turned. */
static float lopsided(const void *context, struct board after)
{
    (void)context;
    float value = 0;
    for (unsigned cell = 0; cell < 9; cell++)
        value += (float)(cell * cell * board_get(after, cell));
    return value;
}

static void lopsided_batch(const void *context, const struct board *after, size_t n, float *out)
{
    for (size_t i = 0; i < n; i++)
        out[i] = lopsided(context, after[i]);
}

static void test_without_symmetry(void **state)
{
    (void)state;
    struct grid grid;
    assert_ok(grid_create(&grid, 3, 3));
    struct value_function function = {.values = lopsided_batch};
    struct board boards[100];
    positions_of_games(&grid, &function, boards, 100);
    check_depths(&grid, &function, boards, 100, 4);
    grid_free(&grid);
}

/* Neural networks, symmetric and not. */
static void check_neural(unsigned rows, unsigned cols, const char *model, enum neural_play play, unsigned n,
                         unsigned depth)
{
    struct neural *neural = neural_sample(rows, cols, model, play, 1);
    struct neural_evaluator *evaluator;
    struct board boards[32];
    assert_ok(neural_evaluator_create(&evaluator, neural, 2));
    struct value_function function = neural_value_function(evaluator);
    assert_true(function.batch > 1);
    positions_of_games(&neural->grid, &function, boards, n);
    check_depths(&neural->grid, &function, boards, n, depth);
    neural_evaluator_free(evaluator);
    neural_free(neural);
}

static void test_neural(void **state)
{
    (void)state;
    check_neural(3, 3, "2x2 4 fc 5", NEURAL_PLAY_SIMPLE, 32, 3);
    check_neural(3, 3, "2x2 4 fc 5", NEURAL_PLAY_MAX, 16, 3);
    check_neural(4, 4, "fc 6", NEURAL_PLAY_AVE, 8, 2);
    check_neural(4, 4, "dual 3 3 fc 4", NEURAL_PLAY_SIMPLE, 4, 2);
    check_neural(2, 4, "fc 3 4", NEURAL_PLAY_MIN, 16, 3);
}

/* ---- pruning ----------------------------------------------------------------------------------------------------- */

/* Pruning by its definition: after a spawn that is reached with less than `prune`, one ply only. */
static float pruned_value(const struct grid *grid, const struct value_function *function, struct board board,
                          unsigned depth, float chance, float prune)
{
    struct moves moves = grid_moves(grid, board);
    float best = -INFINITY;
    for (unsigned d = 0; d < DIRECTION_COUNT; d++) {
        if (!(moves.legal >> d & 1))
            continue;
        float value = value_of(function, moves.after[d]);
        if (depth > 1 && chance >= prune) {
            double sum = 0;
            unsigned n_empty = 0;
            for (unsigned cell = 0; cell < grid->n_cells; cell++)
                n_empty += board_get(moves.after[d], cell) == 0;
            for (unsigned cell = 0; cell < grid->n_cells; cell++)
                for (unsigned tile = 1; tile <= 2 && board_get(moves.after[d], cell) == 0; tile++) {
                    float below = chance * (tile == 1 ? 0.9F : 0.1F) / (float)n_empty;
                    sum += (tile == 1 ? 0.9 : 0.1) *
                           pruned_value(grid, function, board_set(moves.after[d], cell, tile), depth - 1, below, prune);
                }
            value = (float)(sum / n_empty);
        }
        value += (float)moves.reward[d];
        best = value > best ? value : best;
    }
    return moves.legal ? best : 0;
}

static void test_prune(void **state)
{
    (void)state;
    struct grid grid;
    struct simple_value *simple;
    assert_ok(grid_create(&grid, 3, 3));
    assert_ok(simple_value_create(&simple, &grid));
    struct value_function function = simple_value_function(simple);
    enum { N = 20 + POSITIONS / 50 };
    struct board boards[N];
    positions_of_games(&grid, &function, boards, N);
    float whole[N], expected[N];
    for (unsigned i = 0; i < N; i++)
        whole[i] = pruned_value(&grid, &function, boards[i], 4, 1, 0);
    const double limits[] = {0.3, 0.05, 0.011, 0.0007};
    unsigned n_changed = 0;
    for (unsigned l = 0; l < sizeof limits / sizeof *limits; l++) {
        for (unsigned i = 0; i < N; i++) {
            expected[i] = pruned_value(&grid, &function, boards[i], 4, 1, (float)limits[l]);
            n_changed += !nearly(expected[i], whole[i]);
        }
        for (unsigned way = 0; way < 4; way++) {
            unsigned threads = 1 + way % 2;
            struct search_settings settings = {
                .depth = 4, .prune = limits[l], .table_bytes = threads * 100000, .n_threads = threads};
            struct searcher *searcher;
            function.batch = way < 2 ? 0 : 256;
            assert_ok(searcher_create(&searcher, &grid, &function, &settings));
            for (unsigned i = 0; i < N; i++) {
                struct search_result result = searcher_search(searcher, boards[i]);
                assert_true(result.best != DIRECTION_COUNT && nearly(result.value[result.best], expected[i]));
            }
            searcher_free(searcher);
        }
    }
    assert_true(n_changed > N); /* it did prune */
    simple_value_free(simple);
    grid_free(&grid);
}

/* ---- margins ----------------------------------------------------------------------------------------------------- */

/* A move after a spawn, as the definition of margins sees it. */
struct reply {
    unsigned spawn;
    struct board after;
    float reward, value; /* value: with the reward */
    bool searched;
};

enum { MAX_REPLIES = 9 * 2 * DIRECTION_COUNT, MAX_SPAWNS = 2 * 9 };

struct selection {
    const struct grid *grid;
    const struct value_function *function;
    float prune, margin;
};

static float selective_value(const struct selection *selection, struct board after, unsigned plies, float chance);

static unsigned list_replies(const struct selection *selection, struct board after, unsigned tile,
                             struct reply replies[MAX_REPLIES], unsigned n)
{
    for (unsigned cell = 0; cell < selection->grid->n_cells; cell++) {
        if (board_get(after, cell) != 0)
            continue;
        struct moves moves = grid_moves(selection->grid, board_set(after, cell, tile));
        for (unsigned d = 0; d < DIRECTION_COUNT; d++)
            if (moves.legal >> d & 1) {
                float reward = (float)moves.reward[d];
                replies[n++] = (struct reply){.spawn = 2 * cell + tile - 1,
                                              .after = moves.after[d],
                                              .reward = reward,
                                              .value = reward + value_of(selection->function, moves.after[d])};
            }
    }
    return n;
}

static void find_best(const struct reply *replies, unsigned n, float best[MAX_SPAWNS])
{
    for (unsigned i = 0; i < MAX_SPAWNS; i++)
        best[i] = -INFINITY;
    for (unsigned i = 0; i < n; i++)
        best[replies[i].spawn] = fmaxf(best[replies[i].spawn], replies[i].value);
}

/* One round: searches every board that some spawn has within the margin, for all spawns that lead to it. Whether there
   was one. */
static bool search_round(const struct selection *selection, struct reply *replies, unsigned n, unsigned plies,
                         float chance)
{
    float best[MAX_SPAWNS];
    bool wanted[MAX_REPLIES], any = false;
    find_best(replies, n, best);
    for (unsigned i = 0; i < n; i++)
        any |= wanted[i] = !replies[i].searched && replies[i].value >= best[replies[i].spawn] - selection->margin;
    for (unsigned i = 0; i < n; i++) {
        float value =
            wanted[i] && !replies[i].searched ? selective_value(selection, replies[i].after, plies, chance) : 0;
        for (unsigned j = 0; wanted[i] && !replies[i].searched && j < n; j++)
            if (j != i && board_equal(replies[j].after, replies[i].after)) {
                replies[j].value = replies[j].reward + value;
                replies[j].searched = true;
            }
        if (wanted[i] && !replies[i].searched) {
            replies[i].value = replies[i].reward + value;
            replies[i].searched = true;
        }
    }
    return any;
}

/* The value of an afterstate by the definition: spawns of one kind together where pruning distinguishes them. */
static float selective_value(const struct selection *selection, struct board after, unsigned plies, float chance)
{
    unsigned n_empty = 0;
    double sum = 0;
    for (unsigned cell = 0; cell < selection->grid->n_cells; cell++)
        n_empty += board_get(after, cell) == 0;
    for (unsigned group = 0; group < (selection->prune > 0 ? 2 : 1); group++) {
        struct reply replies[MAX_REPLIES];
        float best[MAX_SPAWNS], below = 1;
        unsigned n = list_replies(selection, after, 1 + group, replies, 0), left = plies - 1;
        if (selection->prune > 0) {
            below = chance * (group == 0 ? 0.9F : 0.1F) / (float)n_empty;
            left = below < selection->prune ? 0 : left;
        } else {
            n = list_replies(selection, after, 2, replies, n);
        }
        while (left > 0 && search_round(selection, replies, n, left, below))
            continue;
        find_best(replies, n, best);
        for (unsigned spawn = 0; spawn < MAX_SPAWNS; spawn++)
            if (best[spawn] > -INFINITY)
                sum += (spawn % 2 ? 0.1 : 0.9) * best[spawn];
    }
    return (float)(sum / n_empty);
}

/* Every move of the root by the definition, with one thread and two, with a table and without; and fewer leaves. */
static void test_margin(void **state)
{
    (void)state;
    struct grid grid;
    struct simple_value *simple;
    assert_ok(grid_create(&grid, 3, 3));
    assert_ok(simple_value_create(&simple, &grid));
    struct value_function function = simple_value_function(simple);
    enum { N = 10 + POSITIONS / 100, DEPTH = 4 };
    struct board boards[N];
    positions_of_games(&grid, &function, boards, N);
    const float margins[] = {0.001F, 40, 400, 100000}, prunes[] = {0, 0.011F};
    uint64_t n_leaves[4] = {0};
    unsigned n_changed = 0;
    for (unsigned c = 0; c < 16; c++) {
        struct selection selection = {&grid, &function, prunes[c / 4 % 2], margins[c % 4]};
        struct search_settings settings = {.depth = DEPTH,
                                           .prune = selection.prune,
                                           .margin = selection.margin,
                                           .table_bytes = c / 8 * 100000,
                                           .n_threads = 1 + c / 8};
        struct searcher *searcher;
        assert_ok(searcher_create(&searcher, &grid, &function, &settings));
        for (unsigned i = 0; i < N; i++) {
            struct moves moves = grid_moves(&grid, boards[i]);
            struct search_result result = searcher_search(searcher, boards[i]);
            struct search_result whole = plain_expectimax(&grid, &function, boards[i], DEPTH);
            assert_int_equal(result.legal, moves.legal);
            for (unsigned d = 0; d < DIRECTION_COUNT; d++)
                if (moves.legal >> d & 1) {
                    float value = (float)moves.reward[d] + selective_value(&selection, moves.after[d], DEPTH - 1, 1);
                    assert_true(nearly(result.value[d], value) && result.depth[d] == DEPTH);
                    n_changed += !nearly(value, whole.value[d]) && selection.prune == 0;
                    if (selection.prune == 0 && c % 4 == 3) /* no move is worse by that */
                        assert_true(nearly(result.value[d], whole.value[d]));
                }
            n_leaves[c % 4] += c < 4 ? result.n_leaves : 0;
        }
        searcher_free(searcher);
    }
    assert_true(n_changed > N);
    assert_true(n_leaves[0] < n_leaves[1] && n_leaves[1] < n_leaves[2] && n_leaves[2] < n_leaves[3]);
    simple_value_free(simple);
    grid_free(&grid);
}

/* ---- the table, on many positions -------------------------------------------------------------------------------- */

/* Whole games on 3x3 at three plies, with one table kept from move to move and game to game, and without. */
static void test_table(void **state)
{
    (void)state;
    struct network *network = sample_network(&(struct sample){3, 3, "0 1 2 3/0 1 3 4", "plain 11", "1", false, 0}, 7);
    struct value_function function = network_value_function(network);
    struct searcher *with, *without;
    assert_ok(searcher_create(&with, &network->grid, &function,
                              &(struct search_settings){.depth = 3, .table_bytes = 1 << 20}));
    assert_ok(searcher_create(&without, &network->grid, &function, &(struct search_settings){.depth = 3}));
    unsigned wanted = is_long ? LONG_POSITIONS : 10 * POSITIONS, n = 0;
    uint64_t leaves_with = 0, leaves_without = 0;
    for (uint64_t index = 0; n < wanted; index++) {
        struct game game = game_begin(&network->grid, 11, index);
        for (; n < wanted; n++) {
            struct search_result a = searcher_search(with, game.board), b = searcher_search(without, game.board);
            assert_identical(&a, &b);
            leaves_with += a.n_leaves;
            leaves_without += b.n_leaves;
            if (a.best == DIRECTION_COUNT)
                break;
            game_play(&game, a.best, NULL);
        }
    }
    assert_true(leaves_with < leaves_without); /* it did find something */
    searcher_free(with);
    searcher_free(without);
    network_free(network);
}

int main(int argc, char **argv)
{
    is_long = argc > 1 && strcmp(argv[1], "long") == 0;
    if (is_long)
        cmocka_set_test_filter("test_table");
#ifdef __SANITIZE_THREAD__ /* the others take half a minute there and have no threads that this one has not */
    else
        cmocka_set_test_filter("test_4x4");
#endif
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_4x4),         cmocka_unit_test(test_large_tiles),
        cmocka_unit_test(test_other_sizes), cmocka_unit_test(test_without_symmetry),
        cmocka_unit_test(test_neural),      cmocka_unit_test(test_prune),
        cmocka_unit_test(test_margin),      cmocka_unit_test(test_table),
    };
    return cmocka_run_group_tests_name("search", tests, NULL, NULL);
}
