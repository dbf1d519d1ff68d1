/* Stages of boards against their definition, and the texts that name them. */
#include "scratch.h"

#include "base/random.h"
#include "ntuple/stages.h"

/* The rule as it is written: tiles from the largest down, each sets the largest bit at or below it that is not set. */
static unsigned plain_bits(unsigned n_bits, struct board board)
{
    unsigned stage = 0;
    for (unsigned value = BOARD_MAX_VALUE; value > 0; value--)
        for (unsigned cell = 0; cell < BOARD_MAX_CELLS; cell++) {
            if (board_get(board, cell) != value)
                continue;
            unsigned top = value > 15 ? 15 : value;
            for (unsigned exponent = top; exponent + n_bits >= 16; exponent--) {
                unsigned bit = 1U << (exponent + n_bits - 16);
                if (!(stage & bit)) {
                    stage |= bit;
                    break;
                }
            }
        }
    return stage;
}

static unsigned plain_thresholds(const struct stages *stages, struct board board)
{
    unsigned stage = 0;
    for (unsigned i = 0; i < stages->n_stages; i++)
        if (board_max_value(board) >= stages->threshold[i])
            stage = i;
    return stage;
}

/* The last set whose tiles make a number by bits that is not larger. */
static unsigned plain_sets(const struct stages *stages, struct board board)
{
    unsigned stage = 0;
    for (unsigned i = 0; i < stages->n_stages; i++)
        if (plain_bits(5, stages_first_tiles(stages, i)) <= plain_bits(5, board))
            stage = i;
    return stage;
}

static unsigned plain_stage(const struct stages *stages, struct board board)
{
    switch (stages->kind) {
    case STAGES_BITS:
        return plain_bits(stages->n_bits, board);
    case STAGES_SETS:
        return plain_sets(stages, board);
    default:
        return plain_thresholds(stages, board);
    }
}

static struct board random_board(struct rng *rng, unsigned n_tiles, unsigned smallest)
{
    struct board board = {0};
    for (unsigned i = 0; i < n_tiles; i++)
        board = board_set(board, (unsigned)random_below(rng, 16),
                          smallest + (unsigned)random_below(rng, BOARD_MAX_VALUE + 1 - smallest));
    return board;
}

static void test_against_the_rule(void **state)
{
    (void)state;
    static const char *const texts[] = {"bits 1",
                                        "bits 2",
                                        "bits 3",
                                        "bits 4",
                                        "bits 5",
                                        "0 32768",
                                        "0 16384 32768",
                                        "0 2 4 8 65536",
                                        "0 1024",
                                        "0 65536 131072",
                                        "0 131072",
                                        "0 8192 16384 32768 65536",
                                        "0 16384 16384+8192 16384+8192+4096 32768",
                                        "0 2048 32768+2048",
                                        "0 32768+16384"};
    struct rng rng = random_stream(1, 2);
    for (size_t t = 0; t < sizeof texts / sizeof *texts; t++) {
        struct stages stages;
        assert_ok(stages_parse(&stages, texts[t]));
        uint64_t seen = 0;
        for (int i = 0; i < 200000; i++) {
            struct board board = random_board(&rng, i % 17, 1 + (unsigned)(i / 17) % BOARD_MAX_VALUE);
            unsigned expected = plain_stage(&stages, board);
            assert_int_equal(stages_of(&stages, board), expected);
            assert_true(expected < stages.n_stages);
            seen |= UINT64_C(1) << expected;
        }
        assert_int_equal(seen, (UINT64_C(1) << stages.n_stages) - 1); /* every stage came up */
    }
}

static unsigned bits4(const char *values)
{
    struct stages stages;
    assert_ok(stages_parse(&stages, "bits 4"));
    struct board board = {0};
    for (unsigned cell = 0; values[cell]; cell++)
        board = board_set(board, cell, (unsigned)(values[cell] <= '9' ? values[cell] - '0' : values[cell] - 'a' + 10));
    return stages_of(&stages, board);
}

static void test_examples(void **state)
{
    (void)state;
    assert_int_equal(bits4("0b1234"), 0);
    assert_int_equal(bits4("0c"), 1);  /* 4096 */
    assert_int_equal(bits4("0d"), 2);  /* 8192 */
    assert_int_equal(bits4("cd"), 3);  /* both */
    assert_int_equal(bits4("e"), 4);   /* 16384 */
    assert_int_equal(bits4("f"), 8);   /* 32768 */
    assert_int_equal(bits4("g"), 8);   /* 65536 counts as 32768 */
    assert_int_equal(bits4("gf"), 12); /* and its duplicate as 16384 */
    assert_int_equal(bits4("cc"), 1);  /* below the lowest: ignored */
    assert_int_equal(bits4("dd"), 3);  /* the second 8192 counts as 4096 */
    assert_int_equal(bits4("ddd"), 3);
    assert_int_equal(bits4("ee"), 6);
    assert_int_equal(bits4("eed"), 7); /* 16384, its duplicate as 8192, and 8192 as 4096 */
    assert_int_equal(bits4("ffff"), 15);
}

static void test_parse(void **state)
{
    (void)state;
    static const char *const good[] = {"1",
                                       "0 32768",
                                       "0 16384 32768",
                                       "bits 1",
                                       "bits 5",
                                       "0 16384+8192",
                                       "0 16384 16384+8192+4096+2048 32768",
                                       "0 2 4 8 16 32 64 128 256 512 1024 2048 4096 8192 16384 32768 65536 131072"};
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        struct stages stages;
        char text[256];
        assert_ok(stages_parse(&stages, good[i]));
        assert_string_equal(stages_text(&stages, text), good[i]);
    }
    struct stages stages;
    assert_ok(stages_parse(&stages, "0, 32768"));
    assert_int_equal(stages.n_stages, 2);
    static const char *const wrong[] = {"",
                                        "0",
                                        "2",
                                        "0 3",
                                        "32768",
                                        "0 32768 16384",
                                        "bits 0",
                                        "bits 6",
                                        "bits",
                                        "bits four",
                                        "0 0 2",
                                        "0 262144",
                                        "bitsy",
                                        "-1",
                                        "0 32768 bits",
                                        "16384+8192",
                                        "0 8192+16384",
                                        "0 16384+8192 16384",
                                        "0 16384+16384",
                                        "0 65536+2",
                                        "0 4096+1024",
                                        "0 +",
                                        "0 8192+x"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        assert_int_equal(stages_parse(&stages, wrong[i]), STATUS_INVALID);
        assert_message("stages '");
    }
    char longer[400];
    memset(longer, '0', sizeof longer);
    longer[sizeof longer - 1] = '\0';
    assert_int_equal(stages_parse(&stages, longer), STATUS_INVALID);
}

/* The stages of one network in those of another. */
static void test_map(void **state)
{
    (void)state;
    static const struct {
        const char *old, *new;
        bool part; /* each new stage is part of one old stage */
        uint8_t part_of[8];
    } cases[] = {
        {"1", "bits 2", true, {0, 0, 0, 0}},
        {"bits 2", "bits 3", true, {0, 0, 1, 1, 2, 2, 3, 3}},
        {"bits 2", "bits 2", true, {0, 1, 2, 3}},
        {"bits 2", "0 16384 16384+8192 32768 32768+16384", true, {0, 1, 1, 2, 3}},
        {"bits 2", "0 16384 16384+8192 16384+8192+4096 32768", false, {0, 1, 1, 1, 2}}, /* 32768+16384 is lost */
        {"0 16384 16384+8192", "bits 2", false, {0, 1, 2, 2}},
        {"0 16384", "0 8192 16384 32768", true, {0, 0, 1, 1}},
        {"0 16384 32768", "0 32768", false, {0, 2}},
        {"0 1024", "bits 2", false, {0, 1, 1, 1}},
        {"0 65536", "bits 1", false, {0, 0}},
        {"0 8192", "0 4096 8192 8192+4096", true, {0, 0, 1, 1}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct stages old, new;
        uint8_t part_of[STAGES_MAX];
        assert_ok(stages_parse(&old, cases[i].old));
        assert_ok(stages_parse(&new, cases[i].new));
        assert_int_equal(stages_map(&old, &new, part_of), cases[i].part);
        assert_memory_equal(part_of, cases[i].part_of, new.n_stages);
        if (!cases[i].part)
            continue;
        struct rng rng = random_stream(3, i); /* then it is so for every board */
        for (int k = 0; k < 20000; k++) {
            struct board board = random_board(&rng, k % 17, 1 + (unsigned)(k / 17) % BOARD_MAX_VALUE);
            assert_int_equal(part_of[stages_of(&new, board)], stages_of(&old, board));
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_against_the_rule),
        cmocka_unit_test(test_examples),
        cmocka_unit_test(test_parse),
        cmocka_unit_test(test_map),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
