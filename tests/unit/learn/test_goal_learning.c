/* Learning to reach a tile: plays end there, known boards learn nothing and count what they are worth, the values come
   out right in both orders, and checkpoints resume bit for bit. */
#include "scratch.h"

#include "base/random.h"
#include "game/spawn.h"
#include "learn/start_recipe.h"
#include "learn/starts.h"
#include "learn/trainer.h"
#include "ntuple/network_value.h"

#include <math.h>
#include <stdatomic.h>

/* 2x3, where one look-up sees the whole board: the tile is 64, as good as made by 8s and more that add up to it. */
enum { ROWS = 2, COLS = 3, GOAL = 6, N_VALUES = 8 };
static const float prize = 100, share = 0.5F, known_chance = 0.4F;

/* The boards whose known chances were requested. */
struct known_record {
    atomic_uint n_asked, n_freed, largest;
    enum { NONE, SOME, ALL } which;
};

/* In every image alike: one 8 is missing, and one cell is empty. */
static bool is_known(struct board after)
{
    return board_large_sum(after, 3) == 56 && __builtin_popcountll(board_occupied_bits(after.cells)) == 5;
}

static bool record_chance(const void *context, struct board after, float *chance)
{
    struct known_record *record = (struct known_record *)(uintptr_t)context;
    unsigned value = board_max_value(after), largest = atomic_load(&record->largest);
    while (value > largest && !atomic_compare_exchange_weak(&record->largest, &largest, value)) {
    }
    atomic_fetch_add(&record->n_asked, 1);
    *chance = known_chance;
    return record->which == ALL || (record->which == SOME && is_known(after));
}

static void record_free(void *context)
{
    atomic_fetch_add(&((struct known_record *)context)->n_freed, 1);
}

static struct network *make_network(void)
{
    struct network_spec spec = {.rows = ROWS, .cols = COLS, .initial = 50};
    struct network *network;
    struct grid grid;
    assert_ok(grid_create(&grid, ROWS, COLS));
    assert_ok(shape_add_tuple(&spec.shape, &grid, "0 1 2 3 4 5"));
    assert_ok(encoding_plain(&spec.encoding, N_VALUES));
    assert_ok(stages_parse(&spec.stages, "1"));
    assert_ok(network_create(&network, &spec));
    grid_free(&grid);
    return network;
}

static struct trainer_settings make_settings(bool backward, float lambda, struct known_record *record)
{
    struct trainer_settings settings = {.seed = 3, .threads = 1, .interleave = 2};
    settings.learn = (struct learn_settings){.n_phases = 1,
                                             .lambda = lambda,
                                             .horizon = 3,
                                             .delayed = !backward,
                                             .backward = backward,
                                             .goal = {.tile = GOAL, .prize = prize, .share = share}};
    settings.learn.phases[0].rule = RULE_TC;
    settings.learn.phases[0].rate =
        (struct schedule){.n_points = 1, .value = {0.1F}};             /* backward, 1 forgets optimism */
    settings.start = (struct start_settings){.jump = 1, .n_jumps = 1}; /* 16 are missing */
    settings.start.jumps[0] = (struct jump_start){.n_tiles = 4, .tiles = {5, 4, 0, 0}, .places = {1, 2, 0, 0}};
    if (record)
        settings.learn.goal.known =
            (struct known_chances){.context = record, .chance = record_chance, .free = record_free};
    return settings;
}

static struct trainer_totals train(struct network *network, const struct trainer_settings *settings, uint64_t actions)
{
    struct workers *workers;
    struct trainer *trainer;
    assert_ok(workers_create(&workers, settings->threads));
    assert_ok(trainer_create(&trainer, network, settings));
    assert_ok(trainer_run(trainer, workers, actions, NULL, NULL));
    struct trainer_totals totals = trainer_totals(trainer);
    trainer_free(trainer);
    workers_free(workers);
    assert_ok(network_set_stride(network, 1)); /* bare weights */
    return totals;
}

/* ---- exact values ------------------------------------------------------------------------------------------------ */

enum { N_MEMO = 1 << 3 * ROWS * COLS };
static double memo[2][N_MEMO]; /* of afterstates: some_known, the cells in three bits each; 0: not computed */

static double value_of_afterstate(const struct grid *grid, struct board after, bool some_known);

/* The best move of a state; 0 if none is legal. */
static double value_of_state(const struct grid *grid, struct board board, bool some_known)
{
    struct moves moves = grid_moves(grid, board);
    double best = 0;
    for (unsigned d = 0; d < DIRECTION_COUNT; d++) {
        if (!(moves.legal >> d & 1))
            continue;
        double value = moves.reward[d] + value_of_afterstate(grid, moves.after[d], some_known);
        best = value > best ? value : best;
    }
    return best;
}

/* The play after a spawn, known or not. */
static double value_of_spawns(const struct grid *grid, struct board after, bool some_known)
{
    double sum = 0;
    unsigned n_empty = 0;
    for (unsigned cell = 0; cell < grid->n_cells; cell++) {
        if (board_get(after, cell))
            continue;
        n_empty++;
        sum += 0.9 * value_of_state(grid, board_set(after, cell, 1), some_known) +
               0.1 * value_of_state(grid, board_set(after, cell, 2), some_known);
    }
    return n_empty ? sum / n_empty : 0;
}

static double value_of_afterstate(const struct grid *grid, struct board after, bool some_known)
{
    if (board_large_sum(after, 3) >= 64)
        return (double)prize;
    if (some_known && is_known(after))
        return (double)(known_chance * share * prize);
    unsigned index = 0;
    for (unsigned cell = 0; cell < grid->n_cells; cell++)
        index = index << 3 | board_get(after, cell);
    double *value = &memo[some_known][index];
    if (*value == 0)
        *value = 1 + value_of_spawns(grid, after, some_known);
    return *value - 1;
}

/* The mean over many starts of the best first move, exact and as it was learned. */
static void compare_starts(const struct network *network, const struct start_settings *settings, bool some_known,
                           double *exact, double *learned)
{
    struct grid grid;
    struct starts starts;
    struct play_origin origin;
    struct value_function function = network_value_function(network);
    struct rng rng = random_stream(8, 0);
    enum { N = 200 };
    *exact = *learned = 0;
    assert_ok(grid_create(&grid, ROWS, COLS));
    assert_ok(starts_create(&starts, &grid, settings, 1));
    for (unsigned i = 0; i < N; i++) {
        struct board board = starts_first(&starts, &rng, &origin);
        struct moves moves = grid_moves(&grid, board);
        double best = 0;
        for (unsigned d = 0; d < DIRECTION_COUNT; d++) {
            double value = (double)moves.reward[d] + (double)value_of(&function, moves.after[d]);
            best = moves.legal >> d & 1 && value > best ? value : best;
        }
        *learned += best / N;
        *exact += value_of_state(&grid, board, some_known) / N;
    }
    starts_free(&starts);
    grid_free(&grid);
}

static void values_come_out_right_in_both_orders(void **state)
{
    (void)state;
    double without = 0;
    for (unsigned i = 0; i < 6; i++) {
        struct known_record record = {.which = i % 2 ? SOME : NONE};
        struct network *network = make_network();
        struct trainer_settings settings = make_settings(i / 2 > 0, i / 2 == 2 ? 0.5F : 0, &record);
        double exact, learned;
        train(network, &settings, 200000);
        compare_starts(network, &settings.start, record.which == SOME, &exact, &learned);
        if (fabs(learned - exact) > 0.1 * exact)
            fail_msg("order %u: %g, expected %g", i, learned, exact);
        assert_true(i % 2 == 0 || fabs(exact - without) > 2); /* the known boards matter */
        without = exact;
        assert_int_equal(record.n_freed, 1);
        network_free(network);
    }
}

static void plays_end_at_the_tile(void **state)
{
    (void)state;
    for (unsigned backward = 0; backward < 2; backward++) {
        struct known_record record = {.which = NONE};
        struct network *network = make_network(), *plain = make_network();
        struct trainer_settings settings = make_settings(backward, 0, &record);
        settings.start = (struct start_settings){.new_game = 1};
        struct trainer_totals totals = train(network, &settings, 50000);
        assert_true(record.n_asked > 50000);
        assert_int_equal(record.largest, GOAL - 1); /* no chances are requested where the tile is as good as made */
        assert_true(totals.reached[GOAL - 1] > 0);
        assert_int_equal(totals.reached[GOAL], 0); /* its parts stand, and the play has ended */
        settings = make_settings(backward, 0, NULL);
        settings.start = (struct start_settings){.new_game = 1};
        settings.learn.goal = (struct learn_goal){0};
        totals = train(plain, &settings, 50000);
        assert_true(totals.reached[GOAL] > 0);
        network_free(network);
        network_free(plain);
    }
}

static void known_boards_learn_nothing(void **state)
{
    (void)state;
    for (unsigned backward = 0; backward < 2; backward++) {
        struct known_record record = {.which = ALL};
        struct network *network = make_network(), *fresh = make_network(), *none = make_network();
        struct trainer_settings settings = make_settings(backward, 0, &record);
        train(network, &settings, 20000);
        size_t bytes = network->n_weights * sizeof *network->weights;
        assert_memory_equal(network->weights, fresh->weights, bytes);
        /* Known chances of no board at all change nothing. */
        record = (struct known_record){.which = NONE};
        train(network, &settings, 20000);
        settings = make_settings(backward, 0, NULL);
        train(none, &settings, 20000);
        assert_memory_equal(network->weights, none->weights, bytes);
        assert_memory_not_equal(network->weights, fresh->weights, bytes);
        network_free(network);
        network_free(fresh);
        network_free(none);
    }
}

static void checkpoints_resume_bit_for_bit(void **state)
{
    (void)state;
    for (unsigned i = 0; i < 3; i++) {
        struct known_record record = {.which = SOME};
        struct network *whole = make_network(), *parts = make_network();
        struct trainer_settings settings = make_settings(i == 1, i == 2 ? 0.5F : 0, &record);
        train(whole, &settings, 30000);
        struct workers *workers;
        struct trainer *trainer;
        struct block_writer *writer;
        struct block_reader *reader;
        assert_ok(workers_create(&workers, 1));
        assert_ok(trainer_create(&trainer, parts, &settings));
        for (uint64_t until = 7001; until < 30000; until += 7001) { /* anywhere in a play */
            assert_ok(trainer_run(trainer, workers, until, NULL, NULL));
            assert_ok(block_writer_open(&writer, scratch_path("state"), "ASTESTST", 1));
            assert_ok(trainer_save(trainer, writer));
            assert_ok(block_writer_commit(writer));
            trainer_free(trainer);
            assert_ok(trainer_create(&trainer, parts, &settings));
            assert_ok(block_reader_open(&reader, scratch_path("state"), "ASTESTST", 1));
            assert_ok(trainer_load(trainer, reader));
            block_reader_close(reader);
        }
        assert_ok(trainer_run(trainer, workers, 30000, NULL, NULL));
        trainer_free(trainer);
        workers_free(workers);
        assert_ok(network_set_stride(parts, 1));
        assert_memory_equal(parts->weights, whole->weights, whole->n_weights * sizeof *whole->weights);
        assert_int_equal(record.n_freed, 6);
        network_free(whole);
        network_free(parts);
    }
}

/* All threads request the known chances. */
static void threads_share_what_is_known(void **state)
{
    (void)state;
    for (unsigned backward = 0; backward < 2; backward++) {
        struct known_record record = {.which = SOME};
        struct network *network = make_network();
        struct trainer_settings settings = make_settings(backward, 0, &record);
        settings.threads = 4;
        struct trainer_totals totals = train(network, &settings, 40000);
        assert_true(totals.actions >= 40000 && totals.plays > 0);
        assert_int_equal(record.n_freed, 1);
        network_free(network);
    }
}

/* Tiles of jump starts on cells: there, and the others elsewhere. */
static void starts_stand_on_their_cells(void **state)
{
    (void)state;
    struct grid grid;
    struct start_settings settings = {.jump = 1};
    struct play_origin origin;
    assert_ok(grid_create(&grid, 3, 3));
    assert_ok(start_add_jump(&settings, &grid, "64@8 32@0 16 initial"));
    assert_memory_equal(settings.jumps[0].places, ((uint8_t[]){9, 1, 0, 0}), 4);
    struct starts starts;
    assert_ok(starts_create(&starts, &grid, &settings, 1));
    struct rng rng = random_stream(2, 0);
    unsigned seen = 0;
    for (unsigned i = 0; i < 200; i++) {
        struct board board = starts_first(&starts, &rng, &origin);
        assert_int_equal(board_get(board, 8), 6);
        assert_int_equal(board_get(board, 0), 5);
        assert_int_equal(__builtin_popcountll(board_occupied_bits(board.cells)), 4);
        assert_false(origin.fresh);
        for (unsigned cell = 0; cell < 9; cell++)
            seen |= (unsigned)(board_get(board, cell) == 4) << cell;
    }
    assert_int_equal(seen, 0xfe); /* the 16: anywhere else */
    starts_free(&starts);
    grid_free(&grid);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_come_out_right_in_both_orders), cmocka_unit_test(plays_end_at_the_tile),
        cmocka_unit_test(known_boards_learn_nothing),           cmocka_unit_test(checkpoints_resume_bit_for_bit),
        cmocka_unit_test(threads_share_what_is_known),          cmocka_unit_test(starts_stand_on_their_cells),
    };
#ifdef __SANITIZE_THREAD__ /* the others have no threads */
    cmocka_set_test_filter("threads_share_what_is_known");
#endif
    return cmocka_run_group_tests_name("goal learning", tests, scratch_setup, scratch_teardown);
}
