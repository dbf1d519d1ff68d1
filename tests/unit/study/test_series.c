/* A series: the same on any number of threads, and the same whether it was stopped and resumed or not. */
#include "scratch.h"

#include "base/signals.h"
#include "game/simple_value.h"
#include "study/series.h"

#include <sched.h>
#include <signal.h>

enum { GAMES = 50 };

static struct grid grid;
static struct simple_value *simple;

/* The hand-made value, which presses Ctrl-C after so many calls. */
struct stopping {
    struct value_function inner;
    _Atomic int *calls_left; /* below 0: never */
};

static float stopping_value(const void *context, struct board after)
{
    const struct stopping *stopping = context;
    if (*stopping->calls_left >= 0 && --*stopping->calls_left == 0) {
        kill(getpid(), SIGINT);
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

static enum status play(struct series *series, unsigned depth, unsigned threads, const char *log, const char *record,
                        int stop_after)
{
    _Atomic int calls_left = stop_after;
    struct stopping stopping = {.inner = simple_value_function(simple), .calls_left = &calls_left};
    struct player player = {.kind = PLAYER_SEARCH,
                            .grid = &grid,
                            .function = {.context = &stopping, .values = stopping_values},
                            .search.depth = depth};
    struct series_settings settings = {.player = &player,
                                       .player_name = "simple",
                                       .seed = 5,
                                       .n_games = GAMES,
                                       .log_path = log,
                                       .player_identity = "simple",
                                       .record_path = record};
    struct workers *workers;
    assert_ok(workers_create(&workers, threads));
    assert_ok(signals_catch_interrupt());
    enum status status = series_play(series, &settings, workers, NULL);
    signals_restore();
    workers_free(workers);
    return status;
}

static void assert_same(const struct series *a, const struct series *b, size_t n)
{
    for (size_t i = 0; i < n; i++)
        assert_true(a->results[i].score == b->results[i].score && a->results[i].n_moves == b->results[i].n_moves &&
                    a->results[i].max_value == b->results[i].max_value);
}

static void test_threads(void **state)
{
    (void)state;
    for (unsigned depth = 1; depth <= 2; depth++) {
        struct series one, two;
        assert_ok(play(&one, depth, 1, NULL, NULL, -1));
        assert_ok(play(&two, depth, 2, NULL, NULL, -1));
        assert_true(one.n_finished == GAMES && two.n_finished == GAMES && one.n_moves_now == two.n_moves_now);
        assert_true(one.seconds_per_move > 0 && one.n_resumed == 0 && one.n_beyond == 0);
        assert_same(&one, &two, GAMES);
        series_free(&one);
        series_free(&two);
    }
}

static void test_resume(void **state)
{
    (void)state;
    char log[PATH_MAX];
    strcpy(log, scratch_path("series.csv"));
    for (unsigned depth = 1; depth <= 2; depth++) {
        struct series whole, part;
        unsigned n_stops = 0;
        size_t n_before = 0;
        remove(log);
        assert_ok(play(&whole, depth, 1, NULL, NULL, -1));
        /* Stopped again and again, each time later, until it comes through. */
        for (int stop_after = 3000;; stop_after *= 2) {
            enum status status = play(&part, depth, 1 + n_stops % 2, log, NULL, stop_after);
            assert_true(part.n_resumed >= n_before); /* what was finished stays finished */
            n_before = part.n_finished + part.n_beyond;
            assert_same(&whole, &part, part.n_finished);
            if (!status)
                break;
            assert_int_equal(status, STATUS_INTERRUPTED);
            assert_true(part.n_finished < GAMES);
            n_stops++;
            series_free(&part);
        }
        assert_true(n_stops >= 1 && part.n_resumed > 0 && part.n_finished == GAMES);
        struct summary a, b;
        assert_ok(summary_compute(&a, whole.results, GAMES));
        assert_ok(summary_compute(&b, part.results, GAMES));
        assert_true(a.mean == b.mean && a.ci95 == b.ci95 && a.median == b.median && a.n_moves == b.n_moves);
        series_free(&part);
        /* Once more: nothing is left to play. */
        assert_ok(play(&part, depth, 2, log, NULL, -1));
        assert_true(part.n_resumed == GAMES && part.n_moves_now == 0 && pace_n_moves(&part.pace) == 0);
        assert_same(&whole, &part, GAMES);
        series_free(&part);
        series_free(&whole);
    }
}

static void test_records(void **state)
{
    (void)state;
    char log[PATH_MAX], record[PATH_MAX];
    strcpy(log, scratch_path("recorded.csv"));
    strcpy(record, scratch_path("games.rec"));
    struct series series;
    assert_ok(play(&series, 1, 2, log, record, -1));
    struct record_reader *reader;
    struct game_record game = {0};
    assert_ok(record_reader_open(&reader, record));
    for (size_t i = 0; i < GAMES; i++) {
        bool found;
        assert_ok(record_reader_next(reader, &game, &found));
        assert_true(found && game.score == series.results[i].score && game.index == i);
        assert_ok(game_record_check(&grid, &game));
    }
    game_record_free(&game);
    record_reader_close(reader);
    series_free(&series);
    assert_int_equal(play(&series, 1, 2, log, record, -1), STATUS_USAGE);
    assert_message("not recorded");
    assert_null(series.results);
    assert_int_equal(play(&series, 2, 1, log, NULL, -1), STATUS_USAGE); /* another depth */
    assert_message("holds other games");
}

static int setup(void **state)
{
    return grid_create(&grid, 3, 3) != STATUS_OK || simple_value_create(&simple, &grid) != STATUS_OK ||
           scratch_setup(state);
}

static int teardown(void **state)
{
    simple_value_free(simple);
    grid_free(&grid);
    return scratch_teardown(state);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_threads),
        cmocka_unit_test(test_resume),
        cmocka_unit_test(test_records),
    };
    return cmocka_run_group_tests_name("series", tests, setup, teardown);
}
