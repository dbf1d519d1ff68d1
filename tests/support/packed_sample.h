/*
 * packed_sample: networks with integer weights that suit the forms for play, and networks that do not, for the tests of
 * both forms.
 */
#ifndef AFTERSTATE_TESTS_PACKED_SAMPLE_H
#define AFTERSTATE_TESTS_PACKED_SAMPLE_H

#include "network_sample.h"

#include "packed/packed_network.h"

#include <float.h>
#include <math.h>

struct packed_kind {
    struct sample sample;
    bool unseen_mean;
    unsigned n_touched_of_64; /* weights */
};

/* Tables of five cells and more are large in the compact form. */
static const struct packed_kind packed_kinds[] = {
    {{4, 4, "0 1 2 4 5/0 1 2/5 6 9 10/0 1 4 5/2 6", "plain 16", "1", false, 0}, true, 40},
    {{4, 4, "0 1 2 4 5/0 1 2/5 6 9 10/0 1 4 5/2 6", "plain 16", "0 64 1024", true, 0}, true, 3},
    {{4, 4, "0 1 2 3 7/1 2", "plain 16", "0 4096 4096+2048", true, 0}, false, 9},
    {{4, 4, "0 1 2 3/0 1 4 5/1 2/5 6 9 10/0 4 8 12", "plain 16", "bits 3", true, 0}, true, 30},
    {{4, 4, "0 1 2 3/12 13 14 15/0 4 8 12/5", "plain 16", "0 2048", false, 0}, true, 8}, /* images of one another */
    {{4, 4, "0 1 2 4 5 6", "plain 16", "0 512", false, 0}, true, 1},
    {{4, 4, "0 1 2 3 4/4 5 6 7 8/0 1 2/3", "plain 16", "0 256 2048", false, 0}, false, 8},
    {{3, 3, "0 1 2 3 4/0 3 6/4", "plain 16", "0 64", true, 0}, true, 60},
};
enum { PACKED_KINDS = sizeof packed_kinds / sizeof *packed_kinds, PACKED_SMALL_KIND = 3 };

static const struct sample packed_others[] = {
    {4, 4, "0 1 2/0 1", "plain 18", "1", false, 0},
    {4, 4, "0 1 2/0 1", "1-7 8-17", "1", false, 0},
    {2, 3, "0 1 2/0 1", "plain 16", "1", false, 0},
    {4, 4, "0 1 2/0 1", "plain 16", "1", false, 2},
    {4, 4, "0/1/5/0 1/0 2/0 3/0 4/0 5/0 6/0 7/0 8/0 9/0 10/0 11/0 12/0 13", "plain 16", "1", false, 0},
};
enum { PACKED_OTHERS = sizeof packed_others / sizeof *packed_others };

/* Multiples of 4, each stage touched in places of its own; one touched weight in 16 is the smallest number, as files
   have a touched 0. Whole groups of 32 stay untouched in some stages; of the largest network most, or packing it would
   be most of the test. */
static inline struct network *packed_sample(const struct packed_kind *kind)
{
    struct network *network = sample_network(&kind->sample, 1 << 30);
    struct rng rng = random_stream(3, kind->n_touched_of_64);
    network->spec.unseen_mean = kind->unseen_mean;
    bool empty = false;
    for (uint64_t i = 0; i < network->n_weights; i++) {
        if (i % 32 == 0)
            empty = random_below(&rng, 3) == 0 || (network->n_weights > 1 << 24 && (i >> 18) % 8 != 0);
        if (empty || random_below(&rng, 64) >= kind->n_touched_of_64)
            continue;
        float weight = 4 * ((float)random_below(&rng, 10000) - 3000);
        network->weights[i] = weight == 0 || random_below(&rng, 16) == 0 ? nextafterf(0, INFINITY) : weight;
    }
    return network;
}

/* Half of the boards are sparse, so that tables meet the same weights again. */
static inline struct board packed_board(const struct grid *grid, struct rng *rng)
{
    struct board board = {0};
    unsigned n_values = random_below(rng, 2) ? 3 : grid->max_value + 1U;
    for (unsigned cell = 0; cell < grid->n_cells; cell++)
        board = board_set(board, cell, (unsigned)random_below(rng, n_values));
    if (random_below(rng, 2)) /* any stage of a sparse board */
        board = board_set(board, 0, (unsigned)random_below(rng, grid->max_value + 1U));
    return board;
}

/* The packed form of sample number k has the values of the plain network, in batches and one by one. */
static inline void packed_check_values(const struct network *plain, const struct packed_network *packed, size_t k)
{
    enum { BATCH = 37 };
    struct value_function function = packed_network_function(packed);
    struct rng rng = random_stream(4, k);
    assert_int_equal(packed_network_grid(packed)->n_cells, plain->grid.n_cells);
    for (unsigned round = 0; round < 200; round++) {
        struct board boards[BATCH];
        float values[BATCH];
        for (unsigned i = 0; i < BATCH; i++)
            boards[i] = packed_board(&plain->grid, &rng);
        value_of_batch(&function, boards, BATCH, values);
        for (unsigned i = 0; i < BATCH; i++) {
            float value = network_value_plain(plain, boards[i]);
            if (fabsf(value) < FLT_MIN) /* only touched zeros */
                value = 0;
            assert_true(values[i] == value && value_of(&function, boards[i]) == value);
        }
    }
}

#endif
