/* The steps on sixteen boards at once against those on single boards, on random numbers and every length. */
#include "scratch.h"

#include "base/random.h"
#include "game/grid.h"
#include "solve/lanes.h"
#include "solve/layout_create.h"

enum { N = 40, ROOM = N + LANES, AGE = 60, ROUNDS = 200 };

static void test_list_bits(void **state)
{
    (void)state;
    struct rng rng = random_stream(1, 1);
    for (int i = 0; i < ROUNDS; i++) {
        uint16_t plain[64] = {0}, fast[64] = {0};
        uint64_t bits = random_bits(&rng);
        bits &= i % 3 == 0 ? UINT64_MAX : random_bits(&rng) & random_bits(&rng);
        unsigned n = lanes_list_bits_plain(bits, 640, plain);
        assert_int_equal(lanes_list_bits(bits, 640, fast), n);
        assert_memory_equal(fast, plain, n * sizeof *fast);
    }
    uint16_t all[64];
    assert_int_equal(lanes_list_bits(UINT64_MAX, 65472, all), 64);
    assert_int_equal(all[63], 65535);
}

static void test_moves_by_part(void **state)
{
    uint32_t codes[1000];
    uint8_t turn[LAYOUT_COSETS];
    (void)state;
    struct rng rng = random_stream(1, 2);
    for (int i = 0; i < 1000; i++)
        codes[i] = (uint32_t)random_bits(&rng);
    for (int i = 0; i < LAYOUT_COSETS; i++)
        turn[i] = (uint8_t)random_below(&rng, 8);
    for (unsigned n = 0; n <= N; n++) {
        for (unsigned flags = 0; flags < 4; flags++) {
            const bool always = flags & 1, goal = flags & 2;
            uint16_t slot[ROOM], plain[ROOM], fast[ROOM], plain_movable[8] = {0}, fast_movable[8] = {0};
            for (unsigned i = 0; i < ROOM; i++)
                slot[i] = i < n ? (uint16_t)random_below(&rng, 1000) : UINT16_MAX; /* beyond the end: never read */
            unsigned n_plain = lanes_move_by_part_plain(slot, n, codes, turn, always, goal, plain, plain_movable);
            assert_int_equal(lanes_move_by_part(slot, n, codes, turn, always, goal, fast, fast_movable), n_plain);
            assert_memory_equal(fast, plain, n_plain * sizeof *fast);
            assert_memory_equal(fast_movable, plain_movable, sizeof fast_movable);
        }
    }
}

static void test_legal(void **state)
{
    struct rng rng = random_stream(1, 5);
    (void)state;
    for (unsigned n = 0; n <= N; n++) {
        for (unsigned goal = 0; goal < 2; goal++) {
            uint64_t sums[2 * ROOM], moved[2][2 * ROOM];
            uint16_t which[2][2 * ROOM], movable[2][8] = {{0}};
            for (unsigned i = 0; i < 2 * ROOM;
                 i++) /* legal or not, with a reward or not; beyond the end: never legal */
                sums[i] = random_bits(&rng) >> 16 | random_below(&rng, 2) * random_below(&rng, 4096) << 48 |
                          random_below(&rng, 4) << 60;
            unsigned n_plain = lanes_legal_plain(sums, n, goal, moved[0], which[0], movable[0]);
            assert_int_equal(lanes_legal(sums, n, goal, moved[1], which[1], movable[1]), n_plain);
            assert_memory_equal(moved[0], moved[1], n_plain * sizeof **moved);
            assert_memory_equal(which[0], which[1], n_plain * sizeof **which);
            assert_memory_equal(movable[0], movable[1], sizeof *movable);
            assert_int_equal(lanes_legal(sums, n, goal, moved[1], NULL, movable[1]), n_plain);
        }
    }
}

/* A set of every second number of an age of 4x3, with values. */
struct fixture {
    struct grid grid;
    struct layout *layout;
    struct workers *workers;
    struct age_set set;
    double *doubles;
    uint32_t *fixed;
};

static void fixture_create(struct fixture *f)
{
    *f = (struct fixture){0};
    assert_ok(grid_create(&f->grid, 4, 3));
    assert_ok(workers_create(&f->workers, 1));
    assert_ok(layout_create(&f->layout, &f->grid, AGE, 0, (struct walls){0}));
    assert_ok(age_set_begin(&f->set, f->layout, AGE, f->workers));
    for (uint64_t w = 0; w < f->set.frame->n_words; w++)
        f->set.words[w] = UINT64_C(0x5555555555555555) * (1 + w % 3);
    assert_ok(age_set_rank(&f->set, f->workers));
    f->doubles = malloc(f->set.count * sizeof *f->doubles);
    f->fixed = malloc(f->set.count * sizeof *f->fixed);
    assert_true(f->doubles && f->fixed);
    for (uint64_t i = 0; i < f->set.count; i++) {
        f->doubles[i] = (double)i / 7;
        f->fixed[i] = UINT32_MAX - (uint32_t)i; /* beyond 2^31 too: they are unsigned */
    }
}

static void fixture_free(struct fixture *f)
{
    free(f->doubles);
    free(f->fixed);
    age_set_free(&f->set);
    layout_free(f->layout);
    workers_free(f->workers);
    grid_free(&f->grid);
}

/* The keys of a random board of the age, as moves give them. */
static uint64_t random_moved(const struct fixture *f, struct rng *rng)
{
    for (;;) {
        struct board board;
        if (!age_frame_board(f->set.frame, random_below(rng, 64 * f->set.frame->n_words), &board))
            continue;
        return bits_extract(board.cells, f->layout->part[0].mask) |
               bits_extract(board.cells, f->layout->part[1].mask) << 24 | random_below(rng, 4096) << 48 |
               UINT64_C(1) << 60;
    }
}

static void test_values_of_moves(void **state)
{
    struct fixture f;
    (void)state;
    fixture_create(&f);
    struct rng rng = random_stream(1, 3);
    for (unsigned n = 0; n <= N; n++) {
        uint64_t moved[ROOM] = {0};
        uint32_t word[2][ROOM], slot[2][ROOM], position[2][ROOM];
        double value[2][ROOM];
        for (unsigned i = 0; i < n; i++)
            moved[i] = random_moved(&f, &rng);
        lanes_join_plain(f.set.frame, moved, n, word[0], slot[0]);
        lanes_join(f.set.frame, moved, n, word[1], slot[1]);
        assert_memory_equal(word[0], word[1], n * sizeof **word);
        assert_memory_equal(slot[0], slot[1], n * sizeof **slot);
        lanes_positions_plain(&f.set, word[0], slot[0], n, position[0]);
        lanes_positions(&f.set, word[0], slot[0], n, position[1]);
        assert_memory_equal(position[0], position[1], n * sizeof **position);
        lanes_values_plain(f.doubles, position[0], moved, 4, n, value[0], VALUES_DOUBLE);
        lanes_values(f.doubles, position[0], moved, 4, n, value[1], VALUES_DOUBLE);
        assert_memory_equal(value[0], value[1], n * sizeof **value);
        lanes_values_plain(f.fixed, position[0], moved, 4 * 65536.0, n, value[0], VALUES_FIXED);
        lanes_values(f.fixed, position[0], moved, 4 * 65536.0, n, value[1], VALUES_FIXED);
        assert_memory_equal(value[0], value[1], n * sizeof **value);
    }
    fixture_free(&f);
}

static void test_values_by_part(void **state)
{
    struct fixture f;
    (void)state;
    fixture_create(&f);
    struct rng rng = random_stream(1, 4);
    enum { N_CODES = 100 };
    uint32_t codes[N_CODES];
    uint64_t n_slots = 64 * (f.set.frame->n_words - 10) < 4000 ? 64 * (f.set.frame->n_words - 10) : 4000;
    for (int i = 0; i < N_CODES; i++)
        codes[i] = (uint32_t)(random_below(&rng, n_slots) << LAYOUT_COSET_BITS | random_below(&rng, LAYOUT_COSETS) |
                              (i % 3 ? 0 : random_below(&rng, 1 << LAYOUT_REWARD_BITS)) << LAYOUT_REWARD_SHIFT |
                              random_below(&rng, 2) << LAYOUT_CODE_CHANGED_BIT);
    for (unsigned n = 0; n <= N; n++) {
        struct lanes_by_part by_part = {.set = &f.set,
                                        .codes = codes,
                                        .turn = f.layout->turn + LAYOUT_COSETS,
                                        .row_word = n % 5,
                                        .first_reward = n,
                                        .always = n % 2,
                                        .goal = n / 2 % 2,
                                        .certain = 1000,
                                        .illegal = -1};
        uint16_t slot[ROOM];
        double plain[ROOM], fast[ROOM];
        for (unsigned i = 0; i < ROOM; i++)
            slot[i] = (uint16_t)random_below(&rng, N_CODES);
        by_part.values = f.doubles;
        by_part.unit = 4;
        lanes_value_by_part_plain(&by_part, slot, n, plain, VALUES_DOUBLE);
        lanes_value_by_part(&by_part, slot, n, fast, VALUES_DOUBLE);
        assert_memory_equal(plain, fast, n * sizeof *plain);
        by_part.values = f.fixed;
        by_part.unit = 4 * 65536.0;
        lanes_value_by_part_plain(&by_part, slot, n, plain, VALUES_FIXED);
        lanes_value_by_part(&by_part, slot, n, fast, VALUES_FIXED);
        assert_memory_equal(plain, fast, n * sizeof *plain);
    }
    fixture_free(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_list_bits),       cmocka_unit_test(test_moves_by_part),  cmocka_unit_test(test_legal),
        cmocka_unit_test(test_values_of_moves), cmocka_unit_test(test_values_by_part),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
