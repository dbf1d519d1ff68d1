/*
 * The trainer against the algorithms of Jaskowski 2018 written down line by line: plain nested arrays, one cell at a
 * time, no prefetch, no stored indices. After a thousand games and more the weights must be the same to the last bit.
 * The only thing shared with the trainer is the order of floating-point additions that lookup.h promises.
 */
#include "oracle.h"

#include "learn/trainer.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_GAMES = 3, MAX_PLAY = 4096, N_STAGES = 2, N_TABLES = 3, TABLE = 11 * 11 * 11 * 11 };

static const unsigned tuples[N_TABLES][4] = {{0, 1, 2, 3}, {3, 4, 5, 6}, {0, 1, 3, 4}}; /* mNT4 */

/* V, E and A (or Autostep's alpha, h, v) of the paper, one array for each. */
struct plain_network {
    float v[N_STAGES][N_TABLES][TABLE], e[N_STAGES][N_TABLES][TABLE], a[N_STAGES][N_TABLES][TABLE];
    float z[N_STAGES][N_TABLES][TABLE];
    unsigned n_stages;
    bool promote, unseen_mean;
    float initial;
};

struct plain_game {
    struct rng rng;
    struct board s;
    int t; /* afterstates so far */
    struct board after[MAX_PLAY];
    uint32_t reward[MAX_PLAY];
    float delta[MAX_PLAY];
};

struct case_settings {
    const char *name;
    enum learn_rule rule;
    float rate, lambda;
    unsigned horizon;
    bool delayed, backward, promote, unseen_mean;
    unsigned n_stages, interleave;
    float initial;
    struct exploration explore;
};

static struct plain_network net;
static struct grid grid;

static unsigned stage_of(struct board board)
{
    return net.n_stages == 2 && board_max_value(board) >= 7 ? 1 : 0;
}

static unsigned index_of(unsigned table, struct board image)
{
    unsigned index = 0, place = 1;
    for (unsigned j = 0; j < 4; j++, place *= 11)
        index += board_get(image, tuples[table][j]) * place;
    return index;
}

static float evaluate(struct board after)
{
    unsigned stage = stage_of(after);
    float sum[8] = {0};
    unsigned n_seen = 0;
    for (unsigned i = 0; i < N_TABLES; i++)
        for (unsigned s = 0; s < 8; s++) {
            unsigned index = index_of(i, grid_image(&grid, after, s));
            if (net.promote && stage > 0 && net.v[stage][i][index] == net.initial)
                net.v[stage][i][index] = net.v[stage - 1][i][index];
            sum[s] += net.v[stage][i][index];
            n_seen += net.v[stage][i][index] != 0;
        }
    float value = ((sum[0] + sum[1]) + (sum[2] + sum[3])) + ((sum[4] + sum[5]) + (sum[6] + sum[7]));
    if (!net.unseen_mean)
        return value;
    return n_seen > 0 ? value * ((float)(N_TABLES * 8) / (float)n_seen) : 0;
}

/* The value of an afterstate that was played; its unseen weights take their share of it. */
static float evaluate_played(struct board after)
{
    unsigned stage = stage_of(after);
    float value = evaluate(after);
    for (unsigned i = 0; i < N_TABLES && net.unseen_mean; i++)
        for (unsigned s = 0; s < 8; s++) {
            float *v = &net.v[stage][i][index_of(i, grid_image(&grid, after, s))];
            *v = *v == 0 ? value / (N_TABLES * 8) : *v;
        }
    return value;
}

static void plain_update(const struct case_settings *c, struct board after, float delta, float decay)
{
    const float m = N_TABLES * 8;
    unsigned stage = stage_of(after);
    float sum = 0;
    for (unsigned i = 0; i < N_TABLES; i++)
        for (unsigned s = 0; s < 8; s++) {
            unsigned index = index_of(i, grid_image(&grid, after, s));
            float *v = &net.v[stage][i][index], *e = &net.e[stage][i][index], *a = &net.a[stage][i][index];
            float *z = &net.z[stage][i][index];
            if (c->rule == RULE_TD)
                *v += c->rate / m * decay * delta;
            if (c->rule == RULE_TC) {
                float alpha = *a != 0 ? fabsf(*e) / *a : 1;
                *v += c->rate / m * decay * delta * alpha;
                *e += delta;
                *a += fabsf(delta);
            }
            if (c->rule == RULE_AUTOSTEP) { /* e: step size, a: trace, z: normaliser */
                float gain = delta * *a, decayed = *z + 0.0001f * *e * (fabsf(gain) - *z);
                *z = fabsf(gain) > decayed ? fabsf(gain) : decayed;
                if (*z != 0)
                    *e *= expf(c->rate * gain / *z);
                sum += *e;
            }
        }
    float over = sum > 1 ? sum : 1;
    for (unsigned i = 0; i < N_TABLES && c->rule == RULE_AUTOSTEP; i++)
        for (unsigned s = 0; s < 8; s++) {
            unsigned index = index_of(i, grid_image(&grid, after, s));
            float *v = &net.v[stage][i][index], *e = &net.e[stage][i][index], *a = &net.a[stage][i][index];
            *e /= over;
            *v += *e * delta;
            *a = *a * (1 - *e) + *e * delta;
        }
}

static float power(float lambda, int k)
{
    float result = 1;
    while (k-- > 0)
        result *= lambda;
    return result;
}

/* Sum of delta[from + k] lambda^k for k = 0 .. n. */
static float decayed_sum(const struct plain_game *game, const struct case_settings *c, int from, int n)
{
    float sum = 0;
    for (int k = 0; k <= n; k++)
        sum += game->delta[from + k] * power(c->lambda, k);
    return sum;
}

/* Algorithms 1 to 4: the update with delta_t; afterstates count from 1. */
static void td_update(struct plain_game *game, const struct case_settings *c, float delta)
{
    int t = game->t, h = (int)c->horizon;
    game->delta[t] = delta;
    if (c->delayed) {
        if (t > h)
            plain_update(c, game->after[t - h], decayed_sum(game, c, t - h, h), 1);
        return;
    }
    for (int k = t; k >= (t - h > 1 ? t - h : 1); k--)
        plain_update(c, game->after[k], delta, power(c->lambda, t - k));
}

/* The last afterstate is worth `aim`: 0 at the end of a play, the best move where another one was made. */
static void finish_play(struct plain_game *game, const struct case_settings *c, float aim)
{
    int t = game->t, h = (int)c->horizon;
    if (c->backward) {
        for (int k = t; k >= 1; k--) {
            plain_update(c, game->after[k], aim - evaluate_played(game->after[k]), 1);
            aim = (float)game->reward[k] + (1 - c->lambda) * evaluate(game->after[k]) + c->lambda * aim;
        }
        return;
    }
    if (t == 0)
        return;
    td_update(game, c, aim - evaluate_played(game->after[t]));
    for (int back = h - 1; back >= 0 && c->delayed; back--)
        if (t - back >= 1)
            plain_update(c, game->after[t - back], decayed_sum(game, c, t - back, back), 1);
}

static void begin_play(struct plain_game *game)
{
    random_unit(&game->rng); /* the draw that chooses the kind of start */
    game->s = grid_start(&grid, &game->rng);
    game->t = 0;
}

/* The direction that is taken: the best, any legal one, or one drawn by its value. */
static int explore(struct plain_game *game, const struct exploration *e, const float *values, int best)
{
    if (e->epsilon > 0 && random_unit(&game->rng) < (double)e->epsilon) {
        int d = -1;
        unsigned n_legal = 0;
        for (unsigned i = 0; i < DIRECTION_COUNT; i++)
            n_legal += !isnan(values[i]);
        for (int left = (int)random_below(&game->rng, n_legal); left >= 0; left -= !isnan(values[d]))
            d++;
        return d;
    }
    if (!(e->temperature > 0))
        return best;
    double sum = 0, below = 0;
    int d = -1;
    for (unsigned i = 0; i < DIRECTION_COUNT; i++)
        sum += isnan(values[i]) ? 0 : exp((double)(values[i] - values[best]) / (double)e->temperature);
    double draw = random_unit(&game->rng) * sum;
    for (int i = 0; i < DIRECTION_COUNT && (d < 0 || draw >= below); i++)
        if (!isnan(values[i])) {
            d = i;
            below += exp((double)(values[i] - values[best]) / (double)e->temperature);
        }
    return d;
}

/* One move, or the end of a play. Returns whether it was a move. */
static bool plain_step(struct plain_game *game, const struct case_settings *c)
{
    struct moves moves = grid_moves(&grid, game->s);
    if (!moves.legal) {
        finish_play(game, c, 0);
        begin_play(game);
        return false;
    }
    int best = -1;
    float values[DIRECTION_COUNT];
    for (int d = 0; d < DIRECTION_COUNT; d++) {
        values[d] = NAN;
        if (moves.legal >> d & 1) {
            values[d] = (float)moves.reward[d] + evaluate(moves.after[d]);
            if (best < 0 || values[d] > values[best])
                best = d;
        }
    }
    int made = explore(game, &c->explore, values, best);
    if (c->explore.aim_best && made != best) {
        finish_play(game, c, values[best]);
        game->t = 0;
    } else if (game->t > 0 && !c->backward) {
        td_update(game, c, values[made] - evaluate_played(game->after[game->t]));
    }
    game->t++;
    assert_true(game->t < MAX_PLAY);
    game->after[game->t] = moves.after[made];
    game->reward[game->t] = moves.reward[made];
    game->s = spawn_apply(moves.after[made], spawn_draw(moves.after[made], grid.used, &game->rng));
    return true;
}

static void reset_plain(const struct case_settings *c)
{
    net.n_stages = c->n_stages;
    net.promote = c->promote;
    net.unseen_mean = c->unseen_mean;
    net.initial = c->initial;
    for (unsigned i = 0; i < N_STAGES * N_TABLES * TABLE; i++) {
        (&net.v[0][0][0])[i] = c->initial;
        (&net.e[0][0][0])[i] = c->rule == RULE_AUTOSTEP ? 1.0f / (N_TABLES * 8) : 0; /* each look-up its share */
        (&net.a[0][0][0])[i] = (&net.z[0][0][0])[i] = 0;
    }
}

static struct network *make_network(const struct case_settings *c)
{
    struct network_spec spec = {
        .rows = 3, .cols = 3, .promote = c->promote, .unseen_mean = c->unseen_mean, .initial = c->initial};
    struct network *network;
    assert_int_equal(shape_from_name(&spec.shape, &grid, "mnt4"), STATUS_OK);
    assert_int_equal(encoding_plain(&spec.encoding, 11), STATUS_OK);
    assert_int_equal(stages_parse(&spec.stages, c->n_stages == 2 ? "0 128" : "1"), STATUS_OK);
    assert_int_equal(network_create(&network, &spec), STATUS_OK);
    return network;
}

static struct trainer_settings make_settings(const struct case_settings *c)
{
    struct trainer_settings settings = {.seed = 11, .threads = 1, .interleave = c->interleave};
    settings.learn = (struct learn_settings){.n_phases = 1,
                                             .lambda = c->lambda,
                                             .horizon = c->horizon,
                                             .delayed = c->delayed,
                                             .backward = c->backward,
                                             .explore = c->explore,
                                             .autostep_tau = 0.0001f,
                                             .autostep_initial = 1};
    settings.learn.phases[0].rule = c->rule;
    settings.learn.phases[0].rate = (struct schedule){.n_points = 1, .value = {c->rate}};
    settings.start = (struct start_settings){.new_game = 1};
    return settings;
}

static void compare_weights(const struct case_settings *c, const struct network *network)
{
    unsigned touched = 0;
    for (unsigned stage = 0; stage < c->n_stages; stage++)
        for (unsigned i = 0; i < N_TABLES; i++)
            for (unsigned k = 0; k < TABLE; k++) {
                float got = network->cells[network->stride * (stage * network->n_stage_weights + i * TABLE + k)];
                touched += got != c->initial;
                if (memcmp(&got, &net.v[stage][i][k], sizeof got) != 0)
                    fail_msg("%s: stage %u table %u weight %u is %.9g, the algorithm gives %.9g", c->name, stage, i, k,
                             (double)got, (double)net.v[stage][i][k]);
            }
    assert_true(touched > 5000); /* something was learned at all */
}

static void check_case(const struct case_settings *c)
{
    struct network *network = make_network(c);
    struct trainer_settings settings = make_settings(c);
    struct trainer *trainer;
    struct workers *workers;
    assert_int_equal(workers_create(&workers, 1), STATUS_OK);
    assert_int_equal(trainer_create(&trainer, network, &settings), STATUS_OK);
    /* A thousand games are about 200,000 actions here; stopping on the way must not matter. */
    assert_int_equal(trainer_run(trainer, workers, 50001, NULL, NULL), STATUS_OK);
    assert_int_equal(trainer_run(trainer, workers, 250000, NULL, NULL), STATUS_OK);
    struct trainer_totals totals = trainer_totals(trainer);
    assert_true(totals.plays >= 1000);

    static struct plain_game games[MAX_GAMES];
    reset_plain(c);
    for (unsigned i = 0; i < c->interleave; i++) {
        games[i].rng = random_stream(settings.seed, i);
        begin_play(&games[i]);
    }
    uint64_t actions = 0, plays = 0;
    for (unsigned i = 0; actions < totals.actions || plays < totals.plays; i = (i + 1) % c->interleave) {
        bool moved = plain_step(&games[i], c);
        actions += moved;
        plays += !moved;
    }
    assert_int_equal(actions, totals.actions);
    assert_int_equal(plays, totals.plays);
    compare_weights(c, network);
    trainer_free(trainer);
    network_free(network);
    workers_free(workers);
}

static void test_rules(void **state)
{
    (void)state;
    static const struct case_settings cases[] = {
        {.name = "TD(0)", .rule = RULE_TD, .rate = 0.5f, .n_stages = 1, .interleave = 1},
        {.name = "TC(0.5), epsilon 0.05, two games in flight",
         .rule = RULE_TC,
         .rate = 1,
         .lambda = 0.5f,
         .horizon = 3,
         .delayed = true,
         .n_stages = 1,
         .interleave = 2,
         .explore = {.epsilon = 0.05f}},
        {.name = "delayed TC(0.5), epsilon 0.02, softmax of 20 points, aims at the best move",
         .rule = RULE_TC,
         .rate = 1,
         .lambda = 0.5f,
         .horizon = 3,
         .delayed = true,
         .n_stages = 1,
         .interleave = 1,
         .explore = {.epsilon = 0.02f, .temperature = 20, .aim_best = true}},
        {.name = "TC(0.5), softmax of 10 points, backward",
         .rule = RULE_TC,
         .rate = 1,
         .lambda = 0.5f,
         .backward = true,
         .n_stages = 1,
         .interleave = 1,
         .explore = {.temperature = 10}},
        {.name = "TD(0.5)",
         .rule = RULE_TD,
         .rate = 0.1f,
         .lambda = 0.5f,
         .horizon = 3,
         .n_stages = 1,
         .interleave = 1},
        {.name = "delayed TD(0.5)",
         .rule = RULE_TD,
         .rate = 0.1f,
         .lambda = 0.5f,
         .horizon = 3,
         .delayed = true,
         .n_stages = 1,
         .interleave = 1},
        {.name = "TC(0), optimistic", .rule = RULE_TC, .rate = 1, .n_stages = 1, .interleave = 1, .initial = 50},
        {.name = "TC(0.5)", .rule = RULE_TC, .rate = 1, .lambda = 0.5f, .horizon = 3, .n_stages = 1, .interleave = 1},
        {.name = "delayed TC(0.5), three games in flight",
         .rule = RULE_TC,
         .rate = 1,
         .lambda = 0.5f,
         .horizon = 3,
         .delayed = true,
         .n_stages = 1,
         .interleave = 3},
        {.name = "delayed TC(0.5), two stages, promotion",
         .rule = RULE_TC,
         .rate = 1,
         .lambda = 0.5f,
         .horizon = 3,
         .delayed = true,
         .promote = true,
         .n_stages = 2,
         .interleave = 1},
        {.name = "delayed TC(0.5), two stages, promotion, unseen weights as the mean",
         .rule = RULE_TC,
         .rate = 1,
         .lambda = 0.5f,
         .horizon = 3,
         .delayed = true,
         .promote = true,
         .unseen_mean = true,
         .n_stages = 2,
         .interleave = 1},
        {.name = "TD backward, unseen weights as the mean",
         .rule = RULE_TD,
         .rate = 0.1f,
         .backward = true,
         .unseen_mean = true,
         .n_stages = 1,
         .interleave = 2},
        {.name = "TC backward, optimistic",
         .rule = RULE_TC,
         .rate = 0.5f,
         .backward = true,
         .n_stages = 1,
         .interleave = 2,
         .initial = 50},
        {.name = "TD(0.5) backward, two stages",
         .rule = RULE_TD,
         .rate = 0.1f,
         .lambda = 0.5f,
         .backward = true,
         .n_stages = 2,
         .interleave = 1},
        {.name = "Autostep", .rule = RULE_AUTOSTEP, .rate = 0.01f, .n_stages = 1, .interleave = 1},
    };
    for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++)
        check_case(&cases[i]);
}

/* Table II in small: delayed and standard TC(0.5) end with the same strength, within their noise. */
static void test_delayed_is_as_strong(void **state)
{
    (void)state;
    double mean[2];
    for (unsigned delayed = 0; delayed < 2; delayed++) {
        struct case_settings c = {.rule = RULE_TC,
                                  .rate = 1,
                                  .lambda = 0.5f,
                                  .horizon = 3,
                                  .delayed = delayed,
                                  .n_stages = 1,
                                  .interleave = 1};
        struct network *network = make_network(&c);
        struct trainer_settings settings = make_settings(&c);
        struct trainer *trainer;
        struct workers *workers;
        assert_int_equal(workers_create(&workers, 1), STATUS_OK);
        assert_int_equal(trainer_create(&trainer, network, &settings), STATUS_OK);
        assert_int_equal(trainer_run(trainer, workers, 1000000, NULL, NULL), STATUS_OK);
        struct trainer_totals before = trainer_totals(trainer);
        assert_int_equal(trainer_run(trainer, workers, 2000000, NULL, NULL), STATUS_OK);
        struct trainer_totals after = trainer_totals(trainer);
        mean[delayed] = (after.score_sum - before.score_sum) / (double)(after.new_plays - before.new_plays);
        trainer_free(trainer);
        network_free(network);
        workers_free(workers);
    }
    if (fabs(mean[0] / mean[1] - 1) > 0.15) /* runs of this length differ by a few per cent from seed to seed */
        fail_msg("standard %.0f, delayed %.0f", mean[0], mean[1]);
}

static int set_up(void **state)
{
    (void)state;
    return grid_create(&grid, 3, 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_rules), cmocka_unit_test(test_delayed_is_as_strong)};
    return cmocka_run_group_tests_name("learning", tests, set_up, NULL);
}
