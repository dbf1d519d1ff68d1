/* The log of games: what is written is read back, whatever a killed process left; anything else is refused. */
#include "scratch.h"

#include "study/game_log.h"

enum { GAMES = 10 };

static struct grid grid;
static struct game_result results[GAMES];
static bool finished[GAMES];

static const struct game_log_title title = {
    .grid = &grid, .seed = 7, .settings = "depth=1 checksum=00ff", .name = "some/net\nwork"};

static enum status open_log(struct game_log **log, const struct game_log_title *of)
{
    memset(results, 0, sizeof results);
    memset(finished, 0, sizeof finished);
    return game_log_open(log, scratch_path("log.csv"), of, results, finished, GAMES);
}

static void write_games(unsigned first, unsigned n)
{
    struct game_log *log;
    assert_ok(open_log(&log, &title));
    for (unsigned i = first; i < first + n; i++) {
        struct game_result result = {
            .score = 100 + 4 * i, .n_moves = i, .max_value = (uint8_t)(3 + i % 3), .seconds = 0.25};
        assert_ok(game_log_add(log, i, &result));
    }
    assert_ok(game_log_close(log));
}

static unsigned count_finished(void)
{
    unsigned n = 0;
    for (unsigned i = 0; i < GAMES; i++) {
        if (!finished[i])
            continue;
        n++;
        assert_true(results[i].score == 100 + 4 * i && results[i].n_moves == i && results[i].max_value == 3 + i % 3);
        assert_true(results[i].seconds == 0.25);
    }
    return n;
}

static void expect_games(unsigned n)
{
    struct game_log *log;
    assert_ok(open_log(&log, &title));
    assert_int_equal(count_finished(), n);
    assert_ok(game_log_close(log));
}

static void expect_refused(enum status expected, const char *message, const struct game_log_title *of)
{
    size_t before, after;
    char *old = scratch_read("log.csv", &before);
    struct game_log *log = (struct game_log *)1;
    assert_int_equal(open_log(&log, of), expected);
    assert_null(log);
    assert_message(message);
    char *now = scratch_read("log.csv", &after);
    assert_true(before == after && memcmp(old, now, before) == 0);
    free(old);
    free(now);
}

static void test_again(void **state)
{
    (void)state;
    remove(scratch_path("log.csv"));
    write_games(0, 0);
    expect_games(0);
    write_games(2, 3);
    expect_games(3);
    write_games(7, 5); /* 10 and 11 are beyond the ten that are wanted */
    expect_games(6);
    assert_true(finished[2] && finished[9] && !finished[5]);
    struct game_log_title renamed = title;
    renamed.name = "another/place";
    struct game_log *log;
    assert_ok(open_log(&log, &renamed));
    assert_int_equal(count_finished(), 6);
    struct game_log *second; /* two at a time would write games twice */
    assert_int_equal(open_log(&second, &title), STATUS_IO);
    assert_message("another process");
    assert_ok(game_log_close(log));
    assert_ok(game_log_close(NULL));
}

/* Cut anywhere, the log resumes after its last whole line. */
static void test_cut(void **state)
{
    (void)state;
    remove(scratch_path("log.csv"));
    write_games(0, 4);
    size_t bytes;
    char *text = scratch_read("log.csv", &bytes);
    for (size_t cut = 0; cut <= bytes; cut++) {
        unsigned lines = 0;
        for (size_t i = 0; i < cut; i++)
            lines += text[i] == '\n';
        scratch_write("log.csv", text, cut);
        expect_games(lines > 2 ? lines - 2 : 0);
        write_games(lines > 2 ? lines - 2 : 0, lines > 2 ? 6 - lines : 4);
        expect_games(4);
        size_t again;
        char *mended = scratch_read("log.csv", &again);
        assert_true(again == bytes && memcmp(text, mended, bytes) == 0);
        free(mended);
    }
    free(text);
}

static void test_refused(void **state)
{
    (void)state;
    remove(scratch_path("log.csv"));
    write_games(0, 1);
    struct game_log_title other = title;
    other.seed = 8;
    expect_refused(STATUS_USAGE, "seed=7 depth=1 checksum=00ff'); these are '# afterstate games 1: board=3x3 seed=8",
                   &other);
    other = title;
    other.settings = "depth=1 checksum=00fe";
    expect_refused(STATUS_USAGE, "holds other games", &other);
    scratch_write("log.csv", "a,b\n1,2\n", 8);
    expect_refused(STATUS_USAGE, "is no log of games", &title);
    scratch_write("log.csv", "precious", 8); /* no line at all, and not ours */
    expect_refused(STATUS_USAGE, "is no log of games", &title);
    static const struct {
        const char *line, *message;
    } damages[] = {
        {"5,7,100,3,8\n", "line 4 is damaged: too few"},
        {"5,7,100,3,8,0.1,9\n", "too many"},
        {"x,7,100,3,8,0.1\n", "the index"},
        {"5,8,100,3,8,0.1\n", "another seed"},
        {"5,7,-4,3,8,0.1\n", "no score"},
        {"5,7,102,3,8,0.1\n", "no score"},
        {"5,7,100,99999999999,8,0.1\n", "no number of moves"},
        {"5,7,100,3,9,0.1\n", "no tile"},
        {"5,7,100,3,2048,0.1\n", "no tile"},
        {"5,7,100,3,8,-1\n", "no time"},
        {"0,7,100,3,8,0.1\n", "stands there already"},
        {"\n", "too few"},
    };
    for (size_t i = 0; i < sizeof damages / sizeof *damages; i++) {
        remove(scratch_path("log.csv"));
        write_games(0, 1);
        FILE *file = fopen(scratch_path("log.csv"), "a");
        assert_non_null(file);
        fputs(damages[i].line, file);
        fputs("6,7,100,3,8,0.1\n", file);
        assert_int_equal(fclose(file), 0);
        expect_refused(STATUS_CORRUPT, damages[i].message, &title);
    }
    struct game_log *log;
    assert_int_equal(game_log_open(&log, scratch_path("no/where.csv"), &title, results, finished, GAMES), STATUS_IO);
    assert_int_equal(game_log_open(&log, scratch_folder, &title, results, finished, GAMES), STATUS_IO);
}

/* Games that are played for a tile have two more columns. */
static void test_ends(void **state)
{
    (void)state;
    struct game_log_title with_ends = title;
    with_ends.ends = true;
    struct game_log *log;
    struct game_result made = {.score = 64, .n_moves = 9, .max_value = 5, .made = true, .last = {.cells = 0x251}};
    struct game_result lost = {.score = 8, .n_moves = 3, .max_value = 3, .last = {.cells = 0x121321213}};
    remove(scratch_path("log.csv"));
    assert_ok(open_log(&log, &with_ends));
    assert_ok(game_log_add(log, 3, &made));
    assert_ok(game_log_add(log, 0, &lost));
    assert_ok(game_log_close(log));
    assert_ok(open_log(&log, &with_ends));
    assert_ok(game_log_close(log));
    assert_true(finished[0] && finished[3] && results[3].made && !results[0].made && results[3].score == 64);
    assert_true(board_equal(results[3].last, made.last) && board_equal(results[0].last, lost.last));
    static const struct {
        const char *line, *message;
    } damages[] = {
        {"5,7,100,3,8,0.1\n", "too few"},
        {"5,7,100,3,8,0.1,2,312000000\n", "neither 1 nor 0"},
        {"5,7,100,3,8,0.1,1,31200000\n", "no last board"},
        {"5,7,100,3,8,0.1,1,212000000\n", "no last board"},
        {"5,7,100,3,8,0.1,1,312000000,\n", "too many"},
    };
    for (size_t i = 0; i < sizeof damages / sizeof *damages; i++) {
        remove(scratch_path("log.csv"));
        assert_ok(open_log(&log, &with_ends));
        assert_ok(game_log_close(log));
        FILE *file = fopen(scratch_path("log.csv"), "a");
        assert_non_null(file);
        fputs(damages[i].line, file);
        assert_int_equal(fclose(file), 0);
        expect_refused(STATUS_CORRUPT, damages[i].message, &with_ends);
    }
}

static int setup(void **state)
{
    return grid_create(&grid, 3, 3) != STATUS_OK || scratch_setup(state);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_again),
        cmocka_unit_test(test_cut),
        cmocka_unit_test(test_refused),
        cmocka_unit_test(test_ends),
    };
    return cmocka_run_group_tests_name("game_log", tests, setup, scratch_teardown);
}
