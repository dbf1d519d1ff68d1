/* The trainer as a whole, quickly: threads, starts, every rule, and its state written and read back. */
#include "scratch.h"

#include "learn/trainer_parts.h"
#include "ntuple/network_value.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static struct network *make_network(const char *stages, bool promote)
{
    struct network_spec spec = {.rows = 3, .cols = 3, .promote = promote, .initial = 5};
    struct network *network;
    struct grid grid;
    assert_ok(grid_create(&grid, 3, 3));
    assert_ok(shape_from_name(&spec.shape, &grid, "mnt4"));
    assert_ok(encoding_plain(&spec.encoding, 11));
    assert_ok(stages_parse(&spec.stages, stages));
    assert_ok(network_create(&network, &spec));
    grid_free(&grid);
    return network;
}

static struct trainer_settings make_settings(enum learn_rule rule, unsigned threads)
{
    struct trainer_settings settings = {.seed = 3, .threads = threads, .interleave = 2};
    settings.learn = (struct learn_settings){
        .n_phases = 1, .lambda = 0.5f, .horizon = 3, .delayed = true, .autostep_tau = 0.0001f, .autostep_initial = 1};
    settings.learn.phases[0].rule = rule;
    settings.learn.phases[0].rate = (struct schedule){.n_points = 1, .value = {rule == RULE_TC ? 1 : 0.05f}};
    settings.start = (struct start_settings){
        .new_game = 1, .restart = 1, .carousel = 1, .jump = 1, .doubled = 1, .restart_min_turns = 10, .ring = 20};
    settings.start.double_from = 4, settings.start.double_to = 8, settings.start.n_jumps = 2;
    settings.start.jumps[0] = (struct jump_start){.n_tiles = 2, .tiles = {7, 0}};
    settings.start.jumps[1] = (struct jump_start){.n_tiles = 2, .tiles = {6, 5}};
    return settings;
}

static void assert_weights(const struct network *network, const float *expected)
{
    size_t n = network->n_weights;
    float *room = malloc(n * sizeof *room);
    assert_memory_equal(network_get_weights(network, 0, n, room), expected, n * sizeof *room);
    free(room);
}

static void train(struct network *network, const struct trainer_settings *settings, uint64_t until,
                  struct trainer_totals *totals)
{
    struct workers *workers;
    struct trainer *trainer;
    assert_ok(workers_create(&workers, settings->threads));
    assert_ok(trainer_create(&trainer, network, settings));
    assert_ok(trainer_run(trainer, workers, until, NULL, NULL));
    *totals = trainer_totals(trainer);
    trainer_free(trainer);
    workers_free(workers);
    assert_ok(network_set_stride(network, 1)); /* bare weights, for whoever looks at them */
}

/* Many threads on one small fresh network, where they meet all the time: every rule stays finite and learns. */
static void test_threads(void **state)
{
    (void)state;
    for (unsigned rule = RULE_TD; rule <= RULE_AUTOSTEP; rule++) {
        struct network *network = make_network("0 64", true);
        struct trainer_settings settings = make_settings(rule, 4);
        struct trainer_totals totals;
        train(network, &settings, 400000, &totals);
        assert_true(totals.actions >= 400000 && totals.new_plays > 0 && totals.plays > totals.new_plays);
        for (uint64_t i = 0; i < network->n_weights; i++)
            assert_true(isfinite(network->weights[i]) && fabsf(network->weights[i]) < 1e6f);
        assert_true(totals.score_sum / (double)totals.new_plays > 300); /* random play: about 230 */
        network_free(network);
    }
}

/* Writes the trainer's state, frees it, and reads the state into a new one on the same network. */
static struct trainer *write_and_read(struct trainer *trainer, struct network *network,
                                      const struct trainer_settings *settings)
{
    struct block_writer *writer;
    struct block_reader *reader;
    const char *path = scratch_path("state");
    assert_ok(block_writer_open(&writer, path, "ASTESTST", 1));
    assert_ok(trainer_save(trainer, writer));
    assert_ok(block_writer_commit(writer));
    trainer_free(trainer);
    assert_ok(trainer_create(&trainer, network, settings));
    assert_ok(block_reader_open(&reader, path, "ASTESTST", 1));
    assert_ok(trainer_load(trainer, reader));
    block_reader_close(reader);
    return trainer;
}

/* Written in the middle and read into a new trainer, a run resumes bit for bit. */
static void test_state(void **state)
{
    (void)state;
    struct network *whole = make_network("0 64", false), *parts = make_network("0 64", false);
    struct trainer_settings settings = make_settings(RULE_TC, 1);
    struct trainer_totals totals;
    settings.learn.reset_every = 30000;
    train(whole, &settings, 100000, &totals);

    struct workers *workers;
    struct trainer *trainer;
    assert_ok(workers_create(&workers, 1));
    assert_ok(trainer_create(&trainer, parts, &settings));
    assert_ok(trainer_run(trainer, workers, 37000, NULL, NULL));
    trainer = write_and_read(trainer, parts, &settings);
    assert_ok(trainer_run(trainer, workers, 100000, NULL, NULL));
    struct trainer_totals resumed = trainer_totals(trainer);
    assert_true(resumed.actions == totals.actions && resumed.plays == totals.plays);
    assert_weights(parts, whole->weights);
    trainer_free(trainer);
    workers_free(workers);
    network_free(whole);
    network_free(parts);
}

/* Samples of the average: the first at 50000, then at each multiple of 20000. */
enum { AVERAGE_EVERY = 20000, AVERAGE_FROM = 50000, AVERAGE_UNTIL = 100000 };
static const uint64_t sampled_at[] = {AVERAGE_FROM, 60000, 80000, AVERAGE_UNTIL};

/* The weights at the end, and their means from runs that end at each sample. A weight that is touched at sample k only
   stands for the samples before it as well. */
static void average_by_hand(const struct trainer_settings *settings, float *last, float *means)
{
    struct trainer_totals totals;
    for (unsigned k = 0; k < sizeof sampled_at / sizeof *sampled_at; k++) {
        struct network *sample = make_network("0 64", false);
        train(sample, settings, sampled_at[k], &totals);
        for (uint64_t i = 0; i < sample->n_weights; i++) {
            bool first = k == 0 || last[i] == sample->spec.initial;
            means[i] = first ? sample->weights[i] : (means[i] * (float)k + sample->weights[i]) / (float)(k + 1);
            last[i] = sample->weights[i];
        }
        network_free(sample);
    }
}

static void assert_average(enum learn_rule rule, struct workers *workers)
{
    struct trainer_settings settings = make_settings(rule, 1);
    struct network *network = make_network("0 64", false), *parts = make_network("0 64", false);
    size_t n = network->n_weights, bytes = n * sizeof(float);
    float *last = calloc(n, sizeof *last), *means = calloc(n, sizeof *means), *room = calloc(n, sizeof *room);
    struct trainer *trainer;
    assert_true(last && means && room);
    average_by_hand(&settings, last, means);
    settings.learn.average_every = AVERAGE_EVERY;
    settings.learn.average_from = AVERAGE_FROM;
    assert_ok(trainer_create(&trainer, network, &settings));
    assert_ok(trainer_run(trainer, workers, AVERAGE_FROM - 1000, NULL, NULL));
    memmove(room, network_get_weights(network, 0, n, room), bytes);
    trainer_exchange_average(trainer); /* no sample yet: nothing happens */
    assert_weights(network, room);
    assert_ok(trainer_run(trainer, workers, AVERAGE_UNTIL, NULL, NULL));
    assert_weights(network, last); /* learning is the same as without */
    trainer_exchange_average(trainer);
    memmove(room, network_get_weights(network, 0, n, room), bytes);
    for (size_t i = 0; i < n; i++)
        assert_true(fabsf(room[i] - means[i]) <= 1e-4f * (1 + fabsf(means[i])));
    trainer_exchange_average(trainer);
    assert_weights(network, last);
    trainer_free(trainer);

    /* Stopped between two samples and read back, the result is the same. */
    assert_ok(trainer_create(&trainer, parts, &settings));
    assert_ok(trainer_run(trainer, workers, 71000, NULL, NULL));
    trainer = write_and_read(trainer, parts, &settings);
    assert_ok(trainer_run(trainer, workers, AVERAGE_UNTIL, NULL, NULL));
    trainer_exchange_average(trainer);
    assert_weights(parts, room);
    trainer_free(trainer);
    network_free(network);
    network_free(parts);
    free(last);
    free(means);
    free(room);
}

static void test_average(void **state)
{
    (void)state;
    struct workers *workers;
    assert_ok(workers_create(&workers, 1));
    assert_average(RULE_TD, workers); /* which learns in the network's own memory */
    assert_average(RULE_TC, workers);
    workers_free(workers);
}

/* A play from turn s to e is followed by one from turn (s + e) / 2 of its record; a short one by a new game. */
static void test_restart(void **state)
{
    (void)state;
    struct grid grid;
    struct starts starts;
    struct start_settings settings = {.restart = 1, .restart_plays = 4, .restart_min_turns = 10};
    struct board states[100];
    struct play_origin origin;
    struct rng rng = random_stream(1, 1);
    assert_ok(grid_create(&grid, 3, 3));
    assert_ok(starts_create(&starts, &grid, &settings, 1));
    for (unsigned i = 0; i < 100; i++)
        states[i] = (struct board){.cells = i + 1};
    starts_first(&starts, &rng, &origin);
    assert_true(origin.fresh && origin.first_turn == 0 && origin.n_plays == 1);
    assert_int_equal(starts_next(&starts, &rng, states, 60, &origin).cells, 30 + 1); /* turns 0 to 60 */
    assert_true(!origin.fresh && origin.first_turn == 30);
    assert_int_equal(starts_next(&starts, &rng, states, 21, &origin).cells, 10 + 1); /* turns 30 to 51: 40 */
    assert_int_equal(origin.first_turn, 40);
    starts_next(&starts, &rng, states, 10, &origin); /* too short */
    assert_true(origin.fresh && origin.first_turn == 0 && origin.n_plays == 1);
    for (unsigned play = 2; play <= 4; play++) {
        starts_next(&starts, &rng, states, 50, &origin);
        assert_true(!origin.fresh && origin.n_plays == play);
    }
    starts_next(&starts, &rng, states, 50, &origin); /* four plays are all */
    assert_true(origin.fresh);
    starts_free(&starts);
    grid_free(&grid);
}

/* The carousel goes stage by stage and back to a new game where nothing is remembered; the ring keeps the last. */
static void test_carousel(void **state)
{
    (void)state;
    struct grid grid;
    struct starts starts;
    struct start_settings settings = {.carousel = 1, .ring = 2};
    struct play_origin origin;
    struct rng rng = random_stream(1, 2);
    assert_ok(grid_create(&grid, 3, 3));
    assert_ok(starts_create(&starts, &grid, &settings, 4));
    for (unsigned cell = 0; cell < 3; cell++) /* of three, the ring of two keeps the last */
        starts_see_stage(&starts, 1, board_set((struct board){0}, cell, 8));
    starts_see_stage(&starts, 2, board_set((struct board){0}, 4, 9));
    for (unsigned round = 0; round < 20; round++) {
        starts_first(&starts, &rng, &origin);
        assert_true(origin.fresh);
        struct board first = starts_first(&starts, &rng, &origin);
        assert_true(!origin.fresh && (board_get(first, 1) == 8 || board_get(first, 2) == 8));
        assert_int_equal(__builtin_popcountll(board_occupied_bits(first.cells)), 2); /* and a spawned tile */
        struct board second = starts_first(&starts, &rng, &origin);
        assert_true(!origin.fresh && board_get(second, 4) == 9);
    } /* stage 3 is empty: the next is a new game again */
    settings.carousel_first = 2;
    for (unsigned round = 0; round < 3; round++) /* and now never */
        assert_true(board_get(starts_first(&starts, &rng, &origin), 4) == 9 && !origin.fresh);
    settings.carousel_first = 3;
    for (unsigned round = 0; round < 2; round++) { /* nothing is remembered where its rounds begin */
        starts_first(&starts, &rng, &origin);
        assert_true(origin.fresh);
    }
    starts_see_stage(&starts, 3, board_set((struct board){0}, 5, 9));
    assert_true(board_get(starts_first(&starts, &rng, &origin), 5) == 9 && !origin.fresh);
    starts_free(&starts);
    grid_free(&grid);
}

/* Two 16384s lead from stage 6 to stage 8 at once: the carousel remembers where stage 8 begins, and starts there. */
static void test_carousel_skipped_stage(void **state)
{
    (void)state;
    struct grid grid;
    struct starts starts;
    struct stages stages;
    struct start_settings settings = {.carousel = 1, .ring = 4};
    struct play_origin origin;
    struct rng rng = random_stream(1, 3);
    assert_ok(grid_create(&grid, 4, 4));
    assert_ok(stages_parse(&stages, "bits 4"));
    assert_ok(starts_create(&starts, &grid, &settings, stages.n_stages));
    struct board after = board_set((struct board){0}, 0, 12);
    unsigned before = 0, stage = stages_of(&stages, after);
    for (unsigned sum = 2; sum <= 8; sum++) { /* the afterstates of a play, each 4096 more: 4096, 8192, .. 32768 */
        starts_see_move(&starts, before, stage, after);
        before = stage;
        after = (struct board){0};
        if (sum == 8)
            after = board_set(after, 0, 15);
        else
            for (unsigned bit = 0; bit < 3; bit++)
                if (sum >> bit & 1)
                    after = board_set(after, bit, 12 + bit);
        stage = stages_of(&stages, after);
    }
    struct board twice = board_set(board_set((struct board){0}, 0, 14), 1, 14);
    assert_int_equal(stages_of(&stages, twice), 6);
    assert_int_equal(stage, 8);
    starts_see_move(&starts, stages_of(&stages, twice), stage, after);
    starts_see_move(&starts, 7, 6, twice); /* to a lower stage: nothing begins */
    assert_int_equal(starts.n_seen[6], 1);
    assert_int_equal(starts.n_seen[8], 1);
    for (unsigned i = 0; i < 8; i++) /* a new game, then stages 1 to 7 */
        starts_first(&starts, &rng, &origin);
    assert_int_equal(board_max_value(starts_first(&starts, &rng, &origin)), 15);
    starts_free(&starts);
    grid_free(&grid);
}

/*
 * A run resumes with more stages: cells of stages that were there are taken over whole, new ones are untouched and
 * promote from the stage before, and both continue learning. Without promotion a part takes the cells of the stage it
 * was part of, and every board keeps its value. With it a board may meet weights untouched in its stage and the one
 * before.
 */
static void test_change(void **state)
{
    (void)state;
    for (unsigned promote = 0; promote < 2; promote++) {
        struct network *before = make_network("0 64", promote), *after = make_network("0 16 64 128", promote);
        struct network *other = make_network("0 64", promote);
        struct trainer_settings settings = make_settings(RULE_TC, 2), changed = make_settings(RULE_TC, 1);
        struct trainer *old, *new, *unlike;
        struct workers *workers, *one;
        changed.start = (struct start_settings){.new_game = 1};
        assert_ok(workers_create(&workers, 2));
        assert_ok(workers_create(&one, 1));
        assert_ok(trainer_create(&old, before, &settings));
        assert_ok(trainer_run(old, workers, 300000, NULL, NULL));
        assert_ok(trainer_create(&new, after, &changed));
        assert_ok(trainer_change(new, old));
        struct trainer_totals was = trainer_totals(old), is = trainer_totals(new);
        assert_memory_equal(&was, &is, sizeof was);
        static const uint8_t from[] = {0, 0, 1, 1};
        size_t bytes = before->n_stage_weights * before->stride * sizeof(float);
        for (unsigned stage = 0; stage < 4; stage++) {
            bool taken = !promote || stage == 0 || stage == 2;
            assert_int_equal(
                memcmp(network_stage_cells(after, stage), network_stage_cells(before, from[stage]), bytes) == 0, taken);
            for (uint64_t i = 0; !taken && i < after->n_stage_weights; i++)
                assert_true(network_stage_cells(after, stage)[after->stride * i] == after->spec.initial);
        }
        struct rng rng = random_stream(1, 9);
        for (unsigned i = 0; i < 2000; i++) {
            struct board board = {0};
            for (unsigned cell = 0; cell < 9; cell++)
                board = board_set(board, cell, (unsigned)random_below(&rng, 9));
            if (!promote || stages_of(&after->spec.stages, board) < 2)
                assert_true(network_value(before, board) == network_value(after, board));
        }
        assert_ok(trainer_run(new, one, is.actions + 100000, NULL, NULL));
        assert_true(network_count_touched(after) > network_count_touched(before));
        struct trainer_settings td = make_settings(RULE_TD, 1);
        assert_ok(trainer_create(&unlike, other, &td));
        assert_int_equal(trainer_change(unlike, old), STATUS_INVALID);
        trainer_free(old), trainer_free(new), trainer_free(unlike);
        workers_free(workers), workers_free(one);
        network_free(before), network_free(after), network_free(other);
    }
}

/* A doubled start is a board of the play before that may be doubled, each as likely; without one, a new game. */
static void test_double(void **state)
{
    (void)state;
    struct grid grid;
    struct starts starts;
    struct start_settings settings = {.doubled = 1, .double_from = 14, .double_to = 17};
    struct board states[40];
    unsigned drawn[40] = {0};
    struct play_origin origin;
    struct rng rng = random_stream(1, 3);
    assert_ok(grid_create(&grid, 4, 4));
    assert_ok(starts_create(&starts, &grid, &settings, 1));
    for (unsigned i = 0; i < 40; i++) { /* largest tiles 13 to 17; cell 5 identifies the board */
        states[i] = board_set(board_set((struct board){0}, 3, 13 + i / 8), 5, 1 + i % 8);
        states[i] = board_set(states[i], 6, i % 8 ? 0 : 9);
    }
    starts_first(&starts, &rng, &origin);
    assert_true(origin.fresh); /* no play before it */
    for (unsigned round = 0; round < 2400; round++) {
        struct board board = starts_next(&starts, &rng, states, 40, &origin);
        unsigned which = (board_get(board, 3) - 14) * 8 + board_get(board, 5) - 2;
        assert_true(!origin.fresh && origin.kind == START_DOUBLE && origin.first_turn == 0 && which < 40);
        assert_int_equal(board_get(board, 6), which % 8 ? 0 : 10);
        drawn[which]++;
    }
    for (unsigned i = 0; i < 40; i++) /* 14 to 16 may be doubled: 24 boards, 100 each */
        assert_true(i / 8 < 1 || i / 8 > 3 ? drawn[i] == 0 : drawn[i] > 50 && drawn[i] < 150);
    starts_next(&starts, &rng, states, 8, &origin); /* a play that did not come so far */
    assert_true(origin.fresh);
    starts_next(&starts, &rng, states + 32, 8, &origin); /* one whose boards are all too large */
    assert_true(origin.fresh);
    struct board board; /* for the carousel: only boards whose play reached the tile that doubling gives */
    unsigned n_drawn = 0;
    for (unsigned round = 0; round < 100; round++) {
        assert_false(starts_draw_doubled(&starts, &rng, states + 8, 8, &board)); /* it stayed at 14 */
        if (!starts_draw_doubled(&starts, &rng, states + 8, 16, &board))         /* 14, then 15 */
            continue;
        assert_int_equal(board_get(board, 3), 15);
        n_drawn++;
    }
    assert_true(n_drawn > 20 && n_drawn < 80);
    starts_free(&starts);
    grid_free(&grid);
}

/* The carousel remembers doubled boards (which have no 2) beside the afterstates with which a stage began. */
static void test_carousel_double(void **state)
{
    (void)state;
    unsigned without_two[2] = {0};
    for (unsigned doubled = 0; doubled < 2; doubled++) {
        struct network *network = make_network("0 64 256", true);
        struct trainer_settings settings = make_settings(RULE_TC, 1);
        struct workers *workers;
        struct trainer *trainer;
        settings.start = (struct start_settings){
            .new_game = 1, .carousel = 1, .ring = 50, .carousel_double = doubled, .double_from = 7, .double_to = 8};
        assert_ok(workers_create(&workers, 1));
        assert_ok(trainer_create(&trainer, network, &settings));
        assert_ok(trainer_run(trainer, workers, 100000, NULL, NULL));
        const struct starts *starts = &trainer->workers[0].starts;
        assert_true(starts->n_seen[1] > 0 && starts->n_seen[2] > settings.start.ring);
        for (uint32_t i = 0; i < settings.start.ring; i++) {
            struct board board = starts->ring[2 * settings.start.ring + i];
            bool two = false;
            for (unsigned cell = 0; cell < 9; cell++)
                two |= board_get(board, cell) == 1;
            without_two[doubled] += !two;
            assert_true(board_max_value(board) >= 8 && grid_has_empty(&network->grid, board));
        }
        trainer_free(trainer);
        workers_free(workers);
        network_free(network);
    }
    assert_true(without_two[1] > without_two[0] + 10);
}

static void test_settings(void **state)
{
    (void)state;
    struct network *network = make_network("1", false);
    struct trainer *trainer;
    struct trainer_settings good = make_settings(RULE_TC, 1), bad = good;
    bad.learn.n_phases = 0;
    assert_int_equal(trainer_create(&trainer, network, &bad), STATUS_INVALID);
    bad = good;
    bad.start = (struct start_settings){0};
    assert_int_equal(trainer_create(&trainer, network, &bad), STATUS_INVALID);
    bad = good;
    bad.learn.n_phases = 2;
    bad.learn.phases[1] = bad.learn.phases[0];
    bad.learn.phases[1].rule = RULE_AUTOSTEP;
    assert_int_equal(trainer_create(&trainer, network, &bad), STATUS_INVALID);
    bad = good;
    bad.start.double_to = bad.start.double_from;
    assert_int_equal(trainer_create(&trainer, network, &bad), STATUS_INVALID);
    bad = good;
    bad.interleave = 17;
    assert_int_equal(trainer_create(&trainer, network, &bad), STATUS_INVALID);
    assert_null(trainer);
    struct trainer_totals totals;
    good.start =
        (struct start_settings){.doubled = 1, .double_from = 1, .double_to = 10}; /* alone: new games between */
    train(network, &good, 20000, &totals);
    assert_true(totals.new_plays > 0 && totals.plays > totals.new_plays);
    network_free(network);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_threads),
        cmocka_unit_test(test_state),
        cmocka_unit_test(test_restart),
        cmocka_unit_test(test_carousel),
        cmocka_unit_test(test_carousel_skipped_stage),
        cmocka_unit_test(test_change),
        cmocka_unit_test(test_double),
        cmocka_unit_test(test_carousel_double),
        cmocka_unit_test(test_settings),
        cmocka_unit_test(test_average),
    };
#ifdef __SANITIZE_THREAD__ /* the others take most of a minute there and have no threads that this one has not */
    cmocka_set_test_filter("test_threads");
#endif
    return cmocka_run_group_tests_name("trainer", tests, scratch_setup, scratch_teardown);
}
