/* Visits: how often games read each weight, and what dropping and rounding the rare ones changes. */
#include "network_sample.h"

#include "game/game.h"
#include "packed/visits.h"

#include <math.h>

enum { GAMES = 20 };

static uint16_t *count(const struct network *network, unsigned n_threads)
{
    struct workers *workers;
    uint16_t *counts = calloc(network->n_weights, sizeof *counts);
    assert_ok(workers_create(&workers, n_threads));
    assert_ok(visits_count(network, &(struct visits_games){0}, GAMES, 3, workers, NULL, counts));
    workers_free(workers);
    return counts;
}

static const struct sample plain = {2, 3, "0 1 2/0 1", "plain 8", "1", false, 0};
static const struct sample staged = {2, 3, "0 1 2/0 1", "plain 8", "0 16", true, 0};
static const struct sample optimistic = {2, 3, "0 1 2/0 1", "plain 8", "1", false, 50};

static void test_threads_do_not_matter(void **state)
{
    (void)state;
    struct network *network = sample_network(&staged, 2);
    uint16_t *one = count(network, 1), *three = count(network, 3);
    assert_memory_equal(one, three, network->n_weights * sizeof *one);
    free(one);
    free(three);
    network_free(network);
}

/* Every legal afterstate of every turn counts each of its look-ups once. */
static void test_all_candidates_count(void **state)
{
    (void)state;
    struct network *network = sample_network(&plain, 2);
    uint16_t *counts = count(network, 1);
    uint64_t sum = 0, expected = 0;
    for (uint64_t i = 0; i < network->n_weights; i++)
        sum += counts[i];
    for (unsigned g = 0; g < GAMES; g++) {
        struct game game = game_begin(&network->grid, 3, g);
        for (;;) {
            struct moves moves = grid_moves(&network->grid, game.board);
            int best = -1;
            float best_value = 0;
            for (int d = 0; d < DIRECTION_COUNT; d++) {
                if (board_equal(moves.after[d], game.board))
                    continue;
                float value = (float)moves.reward[d] + network_value(network, moves.after[d]);
                expected += network->n_lookups;
                if (best < 0 || value > best_value) {
                    best = d;
                    best_value = value;
                }
            }
            if (best < 0)
                break;
            game_continue(&game, moves.after[best], moves.reward[best]);
        }
    }
    assert_int_equal(sum, expected);
    free(counts);
    network_free(network);
}

/* Through promotion the weight that is read counts, so dropping what is never read changes no value that was met. */
static void test_unread_weights_do_not_matter(void **state)
{
    (void)state;
    const struct sample *samples[] = {&plain, &staged, &optimistic};
    for (unsigned k = 0; k < 3; k++) {
        struct network *network = sample_network(samples[k], 2);
        uint64_t touched = network_count_touched(network);
        uint16_t *before = count(network, 1);
        uint64_t n_dropped = visits_drop(network, before, 1);
        assert_true(n_dropped > 0 && n_dropped < touched);
        uint16_t *after = count(network, 1);
        if (k != 1) /* with stages a dropped weight leads to the stage before, where it was never read */
            assert_memory_equal(before, after, network->n_weights * sizeof *before);
        free(before);
        free(after);
        network_free(network);
    }
}

static void test_what_dropped_means(void **state)
{
    (void)state;
    struct network *network = sample_network(&optimistic, 2);
    uint16_t *counts = calloc(network->n_weights, sizeof *counts);
    for (uint32_t i = 0; i < network->tables[0].n_weights; i++)
        network->weights[i] = 50;
    network->weights[3] = 10;
    network->weights[4] = 20;
    network->weights[5] = 1000;
    counts[3] = counts[4] = 2;
    counts[5] = 1;
    visits_drop(network, counts, 2);
    assert_true(network->weights[3] == 10 && network->weights[4] == 20 && network->weights[6] == 50);
    assert_true(network->weights[5] == 15); /* the mean of those that are kept */
    network_free(network);
    free(counts);
    network = sample_network(&staged, 1000000);
    network->weights[network->n_stage_weights + 5] = 7;
    counts = calloc(network->n_weights, sizeof *counts);
    visits_drop(network, counts, 1);
    assert_true(network->weights[network->n_stage_weights + 5] == 0);
    free(counts);
    network_free(network);
}

/* As evaluation sees them, all weights are wrong by half of their step at most, those that lean on the stage before
 * too.
 */
static void test_rounding(void **state)
{
    (void)state;
    struct network *network = sample_network(&staged, 2), *old = sample_network(&staged, 2);
    uint16_t *counts = calloc(network->n_weights, sizeof *counts);
    uint64_t n = network->n_stage_weights, n_leaning = 0;
    for (uint64_t i = 0; i < network->n_weights; i++)
        counts[i] = (uint16_t)(i % 3 == 0 ? 0 : i % 3 == 1 ? 10 : 200);
    for (uint64_t i = 0; i < n; i += 5) /* some of the second stage have hardly left the first */
        if (old->weights[i] != 0)
            network->weights[n + i] = old->weights[n + i] = old->weights[i] + 3;
    visits_round(network, counts, 2);
    for (uint64_t i = 0; i < network->n_weights; i++) {
        double step = counts[i] == 0 ? 64 : counts[i] == 10 ? 8 : 2;
        bool leans = i >= n && old->weights[i] != 0 && network->weights[i] == 0;
        float seen = leans ? network->weights[i - n] : network->weights[i];
        assert_int_equal(seen == 0, old->weights[i] == 0);
        assert_true(fabs((double)seen - (double)old->weights[i]) <= step * (leans ? VISITS_LEAN : 0.5));
        n_leaning += leans;
    }
    assert_true(n_leaning > 10);
    free(counts);
    network_free(network);
    network_free(old);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_threads_do_not_matter),
        cmocka_unit_test(test_all_candidates_count),
        cmocka_unit_test(test_unread_weights_do_not_matter),
        cmocka_unit_test(test_what_dropped_means),
        cmocka_unit_test(test_rounding),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
