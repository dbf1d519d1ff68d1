/* Networks made ready for play against the plain ones they were made of: every value to the last bit. */
#include "network_sample.h"

#include "ntuple/play_network.h"

#include <float.h>
#include <math.h>

struct kind {
    struct sample sample;
    bool unseen_mean;
    unsigned n_touched_of_8; /* weights */
};

static const struct kind kinds[] = {
    {{4, 4, "0 1 2 4 5/0 1 2/5 6 9 10/0 1 4 5/2 6", "plain 16", "1", false, 0}, true, 6},
    {{4, 4, "0 1 2 4 5/0 1 2/5 6 9 10/0 1 4 5/2 6", "plain 16", "0 64 1024", true, 0}, true, 3},
    {{4, 4, "0 1 2 3/0 1 4 5/1 2/5 6 9 10/0 4 8 12", "plain 16", "bits 3", true, 0}, true, 5},
    {{4, 4, "0 1 2 3/0 1 4 5/1 2/5 6 9 10", "plain 16", "0 2048", true, 0}, false, 4},
    {{4, 4, "0 1 2 3/12 13 14 15/0 4 8 12/5", "plain 16", "0 2048", false, 0}, true, 1}, /* images of one another */
    {{3, 3, "0 1 2 3 4/0 3 6/4", "plain 16", "0 64", true, 0}, true, 7},
};

/* Whole numbers; one touched weight in 16 is nothing but touched, as files may bring it. */
static struct network *make_network(const struct kind *kind)
{
    struct network *network = sample_network(&kind->sample, 1 << 30);
    struct rng rng = random_stream(3, (uint64_t)kind->n_touched_of_8);
    network->spec.unseen_mean = kind->unseen_mean;
    for (uint64_t i = 0; i < network->n_weights; i++) {
        float weight = 4 * ((float)random_below(&rng, 10000) - 3000);
        bool touched = random_below(&rng, 8) < kind->n_touched_of_8, faint = random_below(&rng, 16) == 0;
        network->weights[i] = !touched ? 0 : faint || weight == 0 ? nextafterf(0, INFINITY) : weight;
    }
    return network;
}

/* Half of the boards are sparse, so that tables meet the same places again. */
static struct board random_board(const struct grid *grid, struct rng *rng)
{
    struct board board = {0};
    unsigned n_values = random_below(rng, 2) ? 3 : grid->max_value + 1U;
    for (unsigned cell = 0; cell < grid->n_cells; cell++)
        board = board_set(board, cell, (unsigned)random_below(rng, n_values));
    return board;
}

static void test_same_values(void **state)
{
    (void)state;
    enum { BATCH = 37 };
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        struct network *plain = make_network(&kinds[k]), *given = make_network(&kinds[k]);
        struct play_network *play;
        assert_ok(play_network_create(&play, given));
        assert_non_null(play);
        struct value_function function = play_network_function(play);
        struct rng rng = random_stream(4, k);
        for (unsigned round = 0; round < 200; round++) {
            struct board boards[BATCH];
            float values[BATCH];
            for (unsigned i = 0; i < BATCH; i++)
                boards[i] = random_board(&plain->grid, &rng);
            value_of_batch(&function, boards, BATCH, values);
            for (unsigned i = 0; i < BATCH; i++) {
                float value = network_value_plain(plain, boards[i]);
                if (fabsf(value) < FLT_MIN) /* nothing but faint weights */
                    value = 0;
                assert_true(values[i] == value && value_of(&function, boards[i]) == value);
            }
        }
        play_network_free(play);
        network_free(plain);
    }
}

/* A network of another kind stays what it is. */
static void assert_left_alone(struct network *network, uint64_t place, float weight)
{
    struct play_network *play;
    network->weights[place] = weight;
    assert_ok(play_network_create(&play, network));
    assert_null(play);
    assert_true(network->weights[place] == weight || isnan(weight));
    network_free(network);
}

static void test_others_are_left_alone(void **state)
{
    (void)state;
    static const struct sample others[] = {
        {4, 4, "0 1 2/0 1", "plain 18", "1", false, 0},
        {4, 4, "0 1 2/0 1", "1-7 8-17", "1", false, 0},
        {2, 3, "0 1 2/0 1", "plain 16", "1", false, 0},
        {4, 4, "0 1 2/0 1", "plain 16", "1", false, 2},
        {4, 4, "0/1/5/0 1/0 2/0 3/0 4/0 5/0 6/0 7/0 8/0 9/0 10/0 11/0 12/0 13", "plain 16", "1", false, 0},
    };
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        assert_left_alone(sample_network(&others[i], 1 << 30), 5, 12);
    struct network *network = make_network(&kinds[2]);
    const uint64_t last = network->n_weights - 1;
    assert_left_alone(network, last, 0.5F);
    assert_left_alone(make_network(&kinds[2]), 0, NAN);
    assert_left_alone(make_network(&kinds[2]), 0, -INFINITY);
    assert_left_alone(make_network(&kinds[2]), last, 1 << 21); /* eight of them pass the sum that a word holds */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_same_values),
        cmocka_unit_test(test_others_are_left_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
