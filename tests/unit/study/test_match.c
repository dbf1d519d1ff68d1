/* Many games: the same results and records on any number of threads, and a polite stop. */
#include "scratch.h"

#include "base/signals.h"
#include "game/simple_value.h"
#include "study/match.h"

#include <sched.h>
#include <signal.h>
#include <stdatomic.h>

enum { GAMES = 60 };

struct run {
    struct game_result results[GAMES];
    struct game_record records[GAMES];
    bool finished[GAMES];
    size_t n_finished;
};

static enum status run_match(struct run *run, const struct player *player, unsigned threads, uint64_t first_game,
                             size_t n_games)
{
    struct workers *workers;
    assert_ok(workers_create(&workers, threads));
    *run = (struct run){0};
    struct match match = {.player = player,
                          .seed = 77,
                          .first_game = first_game,
                          .n_games = n_games,
                          .results = run->results,
                          .records = run->records,
                          .finished = run->finished};
    enum status status = match_play(&match, workers, NULL, &run->n_finished);
    workers_free(workers);
    return status;
}

/* Game i of a match, by itself; its result replaces that in the match. */
static struct game_result play_alone(const struct match *match, struct searcher *searcher, size_t i)
{
    bool finished;
    assert_ok(match_play_game(match, searcher, i, NULL, &finished));
    assert_true(finished);
    return match->results[i];
}

static void free_run(struct run *run)
{
    for (size_t i = 0; i < GAMES; i++)
        game_record_free(&run->records[i]);
}

static void assert_same_game(const struct run *a, size_t i, const struct run *b, size_t j)
{
    assert_true(a->results[i].score == b->results[j].score);
    assert_int_equal(a->results[i].n_moves, b->results[j].n_moves);
    assert_int_equal(a->results[i].max_value, b->results[j].max_value);
    assert_int_equal(a->records[i].n_moves, b->records[j].n_moves);
    assert_true(a->records[i].index == b->records[j].index);
    assert_memory_equal(a->records[i].steps, b->records[j].steps, a->records[i].n_moves);
}

/* A value function in which threads wait for each other once: so all of them play, however short the games are. */
struct meeting {
    struct value_function inner;
    unsigned *generation;         /* of the run, so that a thread of a former one does not count */
    _Atomic unsigned *n_expected; /* threads still to come */
};

static float meeting_value(const void *context, struct board after)
{
    static _Thread_local unsigned last_generation;
    const struct meeting *meeting = context;
    if (last_generation != *meeting->generation) {
        last_generation = *meeting->generation;
        --*meeting->n_expected;
        while (*meeting->n_expected > 0)
            sched_yield();
    }
    return value_of(&meeting->inner, after);
}

static void meeting_values(const void *context, const struct board *after, size_t n, float *out)
{
    for (size_t i = 0; i < n; i++)
        out[i] = meeting_value(context, after[i]);
}

static void check_threads(const struct player *quick)
{
    static struct run alone, several;
    static unsigned generation;
    _Atomic unsigned n_expected = 1;
    struct meeting meeting = {.inner = quick->function, .generation = &generation, .n_expected = &n_expected};
    struct player waiting = *quick, *player = &waiting;
    waiting.function = (struct value_function){.context = &meeting, .values = meeting_values};
    generation++;
    assert_ok(run_match(&alone, player, 1, 0, GAMES));
    assert_int_equal(alone.n_finished, GAMES);
    for (size_t i = 0; i < GAMES; i++) {
        assert_true(alone.records[i].index == i && alone.records[i].seed == 77);
        assert_true(alone.records[i].score == alone.results[i].score && alone.results[i].score > 0);
        assert_ok(game_record_check(player->grid, &alone.records[i]));
    }
    for (unsigned threads = 2; threads <= 3; threads++) {
        generation++;
        n_expected = threads;
        assert_ok(run_match(&several, player, threads, 0, GAMES));
        assert_int_equal(several.n_finished, GAMES);
        for (size_t i = 0; i < GAMES; i++)
            assert_same_game(&alone, i, &several, i);
        free_run(&several);
    }
    /* A part of the games is the same part of the whole. */
    generation++;
    n_expected = 2;
    assert_ok(run_match(&several, player, 2, 20, 10));
    for (size_t i = 0; i < 10; i++)
        assert_same_game(&alone, 20 + i, &several, i);
    free_run(&several);
    free_run(&alone);
}

static void test_threads(void **state)
{
    (void)state;
    struct grid grid;
    struct simple_value *simple;
    assert_ok(grid_create(&grid, 3, 3));
    assert_ok(simple_value_create(&simple, &grid));
    check_threads(&(struct player){.kind = PLAYER_RANDOM, .grid = &grid});
    for (unsigned depth = 1; depth <= 2; depth++) /* 1-ply plays fleets of games, deeper players one game at a time */
        check_threads(&(struct player){
            .kind = PLAYER_SEARCH, .grid = &grid, .function = simple_value_function(simple), .search.depth = depth});
    for (unsigned depth = 1; depth <= 2; depth++) { /* fleets of as many games as fill a batch */
        struct player player = {
            .kind = PLAYER_SEARCH, .grid = &grid, .function = simple_value_function(simple), .search.depth = depth};
        player.function.batch = 600;
        check_threads(&player);
    }
    simple_value_free(simple);
    grid_free(&grid);
}

/* A value function that remembers its largest batch. */
struct counted {
    struct value_function inner;
    _Atomic size_t *largest;
};

static void counted_values(const void *context, const struct board *after, size_t n, float *out)
{
    const struct counted *counted = context;
    size_t largest = *counted->largest;
    while (n > largest && !atomic_compare_exchange_weak(counted->largest, &largest, n))
        continue;
    value_of_batch(&counted->inner, after, n, out);
}

/* A value function whose values depend on their batch, as those of a neural network do in the last bits: here by
   much. */
static void fickle_values(const void *context, const struct board *after, size_t n, float *out)
{
    const struct value_function *inner = context;
    value_of_batch(inner, after, n, out);
    for (size_t i = 0; i < n; i++)
        out[i] += (float)((after[i].cells * 31 + n) % 17);
}

/* Even then a match is the same on any number of threads. */
static void test_lanes(void **state)
{
    (void)state;
    enum { MANY = 400 };
    struct grid grid;
    struct simple_value *simple;
    assert_ok(grid_create(&grid, 3, 3));
    assert_ok(simple_value_create(&simple, &grid));
    struct value_function inner = simple_value_function(simple);
    for (unsigned depth = 1; depth <= 2; depth++) {
        struct player player = {.kind = PLAYER_SEARCH, .grid = &grid, .search.depth = depth};
        player.function =
            (struct value_function){.context = &inner, .values = fickle_values, .batch = depth == 1 ? 64 : 512};
        static struct game_result results[2][MANY];
        for (unsigned threads = 1; threads <= 3; threads++) {
            struct match match = {.player = &player, .seed = 7, .n_games = MANY, .results = results[threads > 1]};
            struct workers *workers;
            size_t n_finished;
            assert_ok(workers_create(&workers, threads));
            assert_ok(match_play(&match, workers, NULL, &n_finished));
            workers_free(workers);
            for (size_t i = 0; i < MANY && threads > 1; i++)
                assert_true(results[1][i].score == results[0][i].score &&
                            results[1][i].n_moves == results[0][i].n_moves);
        }
    }
    simple_value_free(simple);
    grid_free(&grid);
}

/* A fleet's games are those that match_play_game() plays one by one, evaluated in batches of the size that is
   wanted. */
static void check_fleet(const struct grid *grid, const struct simple_value *simple, size_t batch,
                        const struct search_settings *search)
{
    static struct run run;
    _Atomic size_t largest = 0;
    struct counted counted = {.inner = simple_value_function(simple), .largest = &largest};
    struct player player = {.kind = PLAYER_SEARCH, .grid = grid, .search = *search};
    player.function =
        (struct value_function){.context = &counted, .values = counted_values, .symmetric = true, .batch = batch};
    struct searcher *searcher;
    assert_ok(player_create_searcher(&searcher, &player));
    assert_ok(run_match(&run, &player, 2, 0, GAMES));
    if (batch == 0)
        assert_true(largest <= 32); /* eight games */
    else
        assert_true(largest <= batch && (largest > batch / 2 || largest > GAMES / 2)); /* four lanes */
    struct game_result results[GAMES];
    struct match match = {.player = &player, .seed = 77, .n_games = GAMES, .results = results};
    for (size_t i = 0; i < GAMES; i++) {
        const struct game_result alone = play_alone(&match, searcher, i);
        assert_true(alone.score == run.results[i].score && alone.n_moves == run.results[i].n_moves);
    }
    searcher_free(searcher);
    free_run(&run);
}

static void test_fleet(void **state)
{
    (void)state;
    struct grid grid;
    struct simple_value *simple;
    assert_ok(grid_create(&grid, 3, 4));
    assert_ok(simple_value_create(&simple, &grid));
    check_fleet(&grid, simple, 0, &(struct search_settings){.depth = 1});
    check_fleet(&grid, simple, 30, &(struct search_settings){.depth = 1});
    check_fleet(&grid, simple, 100000, &(struct search_settings){.depth = 1});
    check_fleet(&grid, simple, 64, &(struct search_settings){.depth = 1, .downgrade = 11});
    check_fleet(&grid, simple, 1000, &(struct search_settings){.depth = 2, .prune = 0.02});
    simple_value_free(simple);
    grid_free(&grid);
}

static bool stop_after_three(void *context, size_t n_finished)
{
    ++*(int *)context;
    return n_finished < 3;
}

/* A watch that has had enough stops the match: what is marked as finished is what it would have been. */
static void test_watch(void **state)
{
    (void)state;
    struct grid grid;
    struct simple_value *simple;
    struct workers *workers;
    assert_ok(grid_create(&grid, 3, 3));
    assert_ok(simple_value_create(&simple, &grid));
    assert_ok(workers_create(&workers, 1));
    for (unsigned depth = 1; depth <= 2; depth++) {
        struct player player = {
            .kind = PLAYER_SEARCH, .grid = &grid, .function = simple_value_function(simple), .search.depth = depth};
        struct game_result results[GAMES];
        bool marks[GAMES] = {0};
        int n_asked = 0;
        size_t n_finished, n_marked = 0, n_first = 0;
        struct match match = {.player = &player,
                              .seed = 77,
                              .n_games = GAMES,
                              .results = results,
                              .finished = marks,
                              .watch = stop_after_three,
                              .watch_context = &n_asked};
        assert_int_equal(match_play(&match, workers, NULL, &n_finished), STATUS_INTERRUPTED);
        while (marks[n_first])
            n_first++;
        assert_true(n_finished == n_first); /* the games before the first unfinished one */
        struct searcher *searcher;
        assert_ok(player_create_searcher(&searcher, &player));
        for (size_t i = 0; i < GAMES; i++) {
            if (!marks[i])
                continue;
            n_marked++;
            uint64_t score = results[i].score;
            assert_true(play_alone(&match, searcher, i).score == score);
        }
        searcher_free(searcher);
        assert_true(n_marked >= 3 && n_marked < GAMES / 2 && n_asked >= 3);
    }
    workers_free(workers);
    simple_value_free(simple);
    grid_free(&grid);
}

/* Counts games by the callback; fails at one of them. */
struct listener {
    unsigned n_heard[GAMES];
    size_t fail_at;
};

static enum status hear(void *context, size_t game)
{
    struct listener *listener = context;
    listener->n_heard[game]++;
    return game == listener->fail_at ? status_fail(STATUS_IO, "out of paper") : STATUS_OK;
}

/* Marked games are not played, the others reported once each and timed; a failure of the callback ends the match. */
static void test_marks(void **state)
{
    (void)state;
    struct grid grid;
    struct simple_value *simple;
    struct workers *workers;
    assert_ok(grid_create(&grid, 3, 3));
    assert_ok(simple_value_create(&simple, &grid));
    assert_ok(workers_create(&workers, 2));
    for (unsigned depth = 1; depth <= 2; depth++) {
        struct player player = {
            .kind = PLAYER_SEARCH, .grid = &grid, .function = simple_value_function(simple), .search.depth = depth};
        struct game_result results[GAMES] = {0};
        bool marks[GAMES] = {0};
        struct listener listener = {.fail_at = GAMES};
        static struct pace pace;
        pace = (struct pace){0};
        size_t n_finished;
        struct match match = {.player = &player,
                              .seed = 77,
                              .n_games = GAMES,
                              .results = results,
                              .finished = marks,
                              .pace = &pace,
                              .game_over = hear,
                              .game_over_context = &listener};
        for (size_t i = 0; i < GAMES; i += 3)
            marks[i] = true;
        assert_ok(match_play(&match, workers, NULL, &n_finished));
        assert_int_equal(n_finished, GAMES);
        uint64_t n_moves = 0;
        for (size_t i = 0; i < GAMES; i++) {
            assert_int_equal(listener.n_heard[i], i % 3 != 0);
            assert_true((results[i].n_moves > 0) == (i % 3 != 0) && (results[i].seconds > 0) == (i % 3 != 0));
            n_moves += results[i].n_moves;
        }
        uint64_t n_timed = pace_n_moves(&pace); /* every move, or those of one round in sixteen */
        assert_true(depth == 1 ? n_timed > n_moves / 32 && n_timed < n_moves / 8 : n_timed == n_moves);
        assert_true(pace_quantile(&pace, 0.99) > 0);
        memset(marks, 0, sizeof marks);
        listener.fail_at = 5;
        assert_int_equal(match_play(&match, workers, NULL, &n_finished), STATUS_IO);
        assert_message("out of paper");
        assert_true(n_finished < GAMES);
    }
    workers_free(workers);
    simple_value_free(simple);
    grid_free(&grid);
}

/* The tile, or the sum of tiles, is made by the last move of a game that says so, and by no move before or of another
   game. */
static void check_goal(const struct grid *grid, const struct game_result *result, const struct game_record *record,
                       uint32_t until)
{
    unsigned least = (unsigned)__builtin_ctz(until);
    struct replay replay = replay_begin(grid, record);
    while (replay.n_played < record->n_moves) {
        enum direction direction;
        struct board before = replay.board;
        uint32_t reward;
        assert_ok(replay_next(&replay, &direction, NULL));
        struct board after = grid_move(grid, before, direction, &reward);
        bool made = until == UINT32_C(1) << least
                        ? game_count_made(before, after, least) > 0
                        : board_large_sum(before, least) < until && board_large_sum(after, least) >= until;
        assert_true(made == (result->made && replay.n_played == record->n_moves));
    }
    assert_true(board_equal(replay.board, result->last));
    assert_true(result->made || grid_is_terminal(grid, result->last));
    assert_true(result->score == record->score && record->score == replay.score);
}

/* Games from given boards until tiles are made: fleets and single games, any number of threads. */
static void check_starts(uint32_t until)
{
    enum { LARGE = 8 };
    struct grid grid;
    struct simple_value *simple;
    assert_ok(grid_create(&grid, 3, 3));
    assert_ok(simple_value_create(&simple, &grid));
    struct board starts[7];
    struct rng rng = random_stream(1, 2);
    for (unsigned i = 0; i < 7; i++)
        starts[i] = board_set(grid_start(&grid, &rng), 8, i < 4 ? LARGE - 1 : LARGE);
    for (unsigned depth = 1; depth <= 2; depth++) {
        struct player player = {
            .kind = PLAYER_SEARCH, .grid = &grid, .function = simple_value_function(simple), .search.depth = depth};
        struct game_result results[2][GAMES];
        for (unsigned threads = 1; threads <= 2; threads++) {
            struct game_record records[GAMES] = {0};
            struct match match = {.player = &player,
                                  .seed = 5,
                                  .n_games = GAMES,
                                  .starts = starts,
                                  .n_starts = 7,
                                  .until = until,
                                  .results = results[threads - 1],
                                  .records = records};
            struct workers *workers;
            size_t n_finished, n_made = 0;
            assert_ok(workers_create(&workers, threads));
            assert_ok(match_play(&match, workers, NULL, &n_finished));
            workers_free(workers);
            assert_int_equal(n_finished, GAMES);
            for (size_t i = 0; i < GAMES; i++) {
                assert_true(board_equal(records[i].start, starts[i % 7]));
                check_goal(&grid, &match.results[i], &records[i], until);
                n_made += match.results[i].made;
                assert_true(match.results[i].score == results[0][i].score);
                assert_true(board_equal(match.results[i].last, results[0][i].last));
                game_record_free(&records[i]);
            }
            assert_true(n_made > 0 && n_made < GAMES);
        }
    }
    simple_value_free(simple);
    grid_free(&grid);
}

static void test_starts(void **state)
{
    (void)state;
    check_starts(256);
    check_starts(256 + 128);
}

static void test_nothing(void **state)
{
    (void)state;
    struct grid grid;
    static struct run run;
    assert_ok(grid_create(&grid, 3, 3));
    assert_ok(run_match(&run, &(struct player){.kind = PLAYER_RANDOM, .grid = &grid}, 2, 0, 0));
    assert_int_equal(run.n_finished, 0);
    grid_free(&grid);
}

/* Stopped in the middle: what is marked is finished games, each what it would have been. */
struct stopping {
    struct value_function inner;
    _Atomic unsigned *calls_left;
};

static float stopping_value(const void *context, struct board after)
{
    const struct stopping *stopping = context;
    if (--*stopping->calls_left == 0) {
        kill(getpid(), SIGINT); /* as Ctrl-C does: to the process, where the calling thread takes it */
        while (!signals_interrupted())
            sched_yield();
    }
    return value_of(&stopping->inner, after);
}

static void stopping_values(const void *context, const struct board *after, size_t n, float *out)
{
    for (size_t i = 0; i < n; i++)
        out[i] = stopping_value(context, after[i]);
}

static void test_stop(void **state)
{
    (void)state;
    struct grid grid;
    struct simple_value *simple;
    static struct run whole, run;
    assert_ok(grid_create(&grid, 3, 3));
    assert_ok(simple_value_create(&simple, &grid));
    struct player player = {
        .kind = PLAYER_SEARCH, .grid = &grid, .function = simple_value_function(simple), .search.depth = 1};
    assert_ok(run_match(&whole, &player, 1, 0, GAMES));
    _Atomic unsigned calls_left = 5000;
    struct stopping stopping = {.inner = player.function, .calls_left = &calls_left};
    player.function = (struct value_function){.context = &stopping, .values = stopping_values};
    for (unsigned threads = 1; threads <= 2; threads++) {
        calls_left = 5000;
        assert_ok(signals_catch_interrupt());
        assert_int_equal(run_match(&run, &player, threads, 0, GAMES), STATUS_INTERRUPTED);
        signals_restore();
        size_t n_finished = 0, n_first = 0;
        while (run.finished[n_first])
            n_first++;
        assert_true(run.n_finished == n_first && n_first < GAMES);
        for (size_t i = 0; i < GAMES; i++)
            if (run.finished[i]) {
                n_finished++;
                assert_same_game(&run, i, &whole, i);
            }
        assert_true(n_finished > 0);
        free_run(&run);
    }
    free_run(&whole);
    simple_value_free(simple);
    grid_free(&grid);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_threads), cmocka_unit_test(test_fleet), cmocka_unit_test(test_lanes),
        cmocka_unit_test(test_watch),   cmocka_unit_test(test_marks), cmocka_unit_test(test_starts),
        cmocka_unit_test(test_nothing), cmocka_unit_test(test_stop),
    };
#ifdef __SANITIZE_THREAD__ /* it takes long there and has no threads that test_fleet has not */
    cmocka_set_skip_filter("test_lanes");
#endif
    return cmocka_run_group_tests_name("match", tests, NULL, NULL);
}
