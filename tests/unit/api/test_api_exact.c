/* Exact evaluation through the public API: a function of the caller against the players that the library knows. */
#include "scratch.h"

#include <afterstate/afterstate.h>

#include <math.h>

static struct as_table *table;
static const struct as_grid *grid;

/* How a player function behaves, and how often it was called. */
struct player {
    bool greedy; /* the largest reward, else every legal direction alike */
    int fail_at; /* the call that fails; 0: none */
    int wrong;   /* 1: shares of illegal directions, 2: they sum to less than 1, 3: NaN */
    int n_calls, n_polls, stop_at_poll;
};

static int choose(void *context, const uint8_t *cells, size_t n, double *share)
{
    struct player *player = context;
    if (++player->n_calls == player->fail_at)
        return 1;
    for (size_t i = 0; i < n; i++) {
        uint32_t rewards[4], best = 0;
        uint8_t legal[4];
        unsigned n_best = 0;
        assert_int_equal(as_moves_many(grid, cells + 6 * i, 1, NULL, rewards, legal), AS_OK);
        for (unsigned d = 0; d < 4; d++)
            best = legal[d] && player->greedy && rewards[d] > best ? rewards[d] : best;
        for (unsigned d = 0; d < 4; d++)
            n_best += legal[d] && (!player->greedy || rewards[d] == best);
        assert_true(n_best > 0);
        for (unsigned d = 0; d < 4; d++)
            share[4 * i + d] = legal[d] && (!player->greedy || rewards[d] == best) ? 1.0 / n_best : 0;
        if (player->wrong == 1 && !(legal[0] && legal[1] && legal[2] && legal[3]))
            share[4 * i] = share[4 * i + 1] = share[4 * i + 2] = share[4 * i + 3] = 0.25;
        if (player->wrong == 2)
            share[4 * i] *= 0.5, share[4 * i + 1] *= 0.5, share[4 * i + 2] *= 0.5, share[4 * i + 3] *= 0.5;
        if (player->wrong == 3)
            share[4 * i] = NAN;
    }
    return 0;
}

static int poll_player(void *context)
{
    struct player *player = context;
    return ++player->n_polls == player->stop_at_poll;
}

static enum as_status evaluate(struct player *player, int symmetric, unsigned threads, struct as_exact_result *result)
{
    const struct as_exact_settings settings = {.size = sizeof settings,
                                               .player = AS_PLAYER_FUNCTION,
                                               .function = choose,
                                               .context = player,
                                               .symmetric = symmetric,
                                               .threads = threads,
                                               .poll = poll_player};
    return as_exact(table, &settings, result, NULL);
}

static struct as_exact_result evaluate_known(enum as_player player)
{
    struct as_exact_result result;
    const struct as_exact_settings settings = {.size = sizeof settings, .player = player};
    assert_int_equal(as_exact(table, &settings, &result, NULL), AS_OK);
    return result;
}

static void test_functions_equal_known_players(void **state)
{
    (void)state;
    for (int greedy = 0; greedy < 2; greedy++) {
        struct as_exact_result known = evaluate_known(greedy ? AS_PLAYER_GREEDY : AS_PLAYER_RANDOM);
        for (int symmetric = 0; symmetric < 2; symmetric++) {
            for (unsigned threads = 1; threads <= 2; threads++) {
                struct player player = {.greedy = greedy};
                struct as_exact_result result;
                assert_int_equal(evaluate(&player, symmetric, threads, &result), AS_OK);
                assert_true(fabs(result.score - known.score) < 1e-9);
                assert_true(fabs(result.forward_score - known.score) < 1e-9);
                assert_true(fabs(result.loss - known.loss) < 1e-9);
                assert_true(fabs(result.moves - known.moves) < 1e-9);
                assert_true(fabs(result.optimal_moves - known.optimal_moves) < 1e-9);
                assert_true(player.n_calls > 0 && player.n_polls > 0);
            }
        }
    }
}

static void test_ages(void **state)
{
    (void)state;
    struct as_table_info info;
    struct as_exact_age ages[1000];
    struct as_exact_result result;
    const struct as_exact_settings settings = {.size = sizeof settings, .player = AS_PLAYER_OPTIMAL};
    assert_int_equal(as_table_get_info(table, &info), AS_OK);
    assert_true(info.n_ages <= 1000);
    assert_int_equal(as_exact(table, &settings, &result, ages), AS_OK);
    double visits = 0;
    for (size_t i = 0; i < info.n_ages; i++)
        visits += ages[i].visits;
    assert_true(fabs(visits - result.moves) < 1e-9);
    assert_true(fabs(result.score - info.expected_score) < 1e-3);
}

static void test_failures(void **state)
{
    (void)state;
    struct as_exact_result result;
    for (int wrong = 1; wrong <= 3; wrong++) {
        struct player player = {.wrong = wrong};
        assert_int_equal(evaluate(&player, 1, 1, &result), AS_INVALID);
        assert_non_null(strstr(as_last_error(), "probabilities"));
    }
    for (int at = 1; at < 40; at += 9) { /* in both passes */
        struct player player = {.fail_at = at};
        assert_int_equal(evaluate(&player, 1, 1, &result), AS_INTERRUPTED);
        assert_int_equal(player.n_calls, at);
    }
    struct player stopped = {.stop_at_poll = 5};
    assert_int_equal(evaluate(&stopped, 1, 2, &result), AS_INTERRUPTED);
    struct as_exact_settings settings = {.size = sizeof settings, .player = AS_PLAYER_FUNCTION};
    assert_int_equal(as_exact(table, &settings, &result, NULL), AS_USAGE);
    settings.player = AS_PLAYER_NETWORK;
    assert_int_equal(as_exact(table, &settings, &result, NULL), AS_USAGE);
    settings.player = (enum as_player)5;
    assert_int_equal(as_exact(table, &settings, &result, NULL), AS_USAGE);
    settings = (struct as_exact_settings){.size = sizeof settings, .threads = 1025};
    assert_int_equal(as_exact(table, &settings, &result, NULL), AS_USAGE);
    assert_int_equal(as_exact(NULL, &settings, &result, NULL), AS_USAGE);
    assert_int_equal(as_exact(table, NULL, &result, NULL), AS_USAGE);
    struct as_solve_settings solve = {.size = sizeof solve, .rows = 2, .cols = 2, .goal = 2};
    assert_int_equal(as_solve(scratch_path("never"), &solve), AS_USAGE);
    solve = (struct as_solve_settings){.size = sizeof solve, .rows = 9, .cols = 2};
    assert_int_equal(as_solve(scratch_path("never"), &solve), AS_INVALID);
    assert_int_equal(as_solve(NULL, &solve), AS_USAGE);
}

static int set_up(void **state)
{
    int failed = scratch_setup(state);
    const struct as_solve_settings settings = {.size = sizeof settings, .rows = 2, .cols = 3};
    assert_int_equal(as_solve(scratch_path("2x3"), &settings), AS_OK);
    assert_int_equal(as_table_open(&table, scratch_path("2x3")), AS_OK);
    grid = as_table_grid(table);
    return failed;
}

static int tear_down(void **state)
{
    as_table_free(table);
    return scratch_teardown(state);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_functions_equal_known_players),
        cmocka_unit_test(test_ages),
        cmocka_unit_test(test_failures),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
