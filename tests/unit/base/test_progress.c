/* Progress: bars on a terminal, lines in a log. */
#include "scratch.h"

#include "base/progress.h"

#include <math.h>
#include <pty.h>
#include <sys/ioctl.h>

static double fake_time;

static double fake_clock(void)
{
    return fake_time;
}

static char *output;
static size_t output_bytes;

static FILE *begin(struct progress *progress, enum progress_mode mode, double total)
{
    FILE *stream = tmpfile();
    assert_non_null(stream);
    fake_time = 0;
    progress_begin(progress, stream, mode, "training", "moves", total);
    progress->now = fake_clock;
    progress->started = 0;
    return stream;
}

static const char *finish(FILE *stream)
{
    free(output);
    output_bytes = (size_t)ftell(stream);
    output = calloc(1, output_bytes + 1);
    rewind(stream);
    assert_int_equal(fread(output, 1, output_bytes, stream), output_bytes);
    fclose(stream);
    return output;
}

static int count(const char *text, char c)
{
    int n = 0;
    for (; *text; text++)
        n += *text == c;
    return n;
}

static void test_short_jobs_say_nothing_in_lines(void **state)
{
    (void)state;
    struct progress progress;
    FILE *stream = begin(&progress, PROGRESS_LINES, 100);
    for (int i = 0; i <= 100; i++) {
        fake_time = i * 0.019;
        progress_update(&progress, i, NULL);
    }
    progress_end(&progress, "done");
    assert_string_equal(finish(stream), "");
}

static void test_lines_are_rare_and_complete(void **state)
{
    (void)state;
    struct progress progress;
    FILE *stream = begin(&progress, PROGRESS_LINES, 100e6);
    for (int i = 0; i <= 400; i++) { /* 40 seconds at a million a second */
        fake_time = i * 0.1;
        progress_update(&progress, i * 1e5, "loss 3");
    }
    progress_end(&progress, "fine");
    finish(stream);
    assert_int_equal(count(output, '\n'), 5); /* at 2, 12, 22, 32 seconds, and the summary */
    assert_non_null(strstr(output, "training:   2%  1.00 M moves/s  2.0 s, 1m 38s left  loss 3\n"));
    assert_non_null(strstr(output, "training: 40.0 M moves in 40.0 s (1.00 M moves/s)  fine\n"));
    assert_null(strchr(output, '\r'));
}

static void test_rate_follows_a_change(void **state)
{
    (void)state;
    struct progress progress;
    FILE *stream = begin(&progress, PROGRESS_BAR, 0);
    double done = 0;
    for (int i = 1; i <= 4000; i++) { /* 200 s fast, 200 s slow */
        fake_time = i * 0.1;
        done += i <= 2000 ? 1000 : 10;
        progress_update(&progress, done, NULL);
    }
    assert_true(progress.rate > 99 && progress.rate < 200);
    finish(stream);
}

/* A job that measures between its units is not slower for it, neither in the first seconds nor later. */
static void test_waiting_does_not_count(void **state)
{
    (void)state;
    struct progress progress;
    FILE *stream = begin(&progress, PROGRESS_LINES, 100e3);
    double done = 0;
    for (int i = 1; i <= 2000; i++) { /* 20 s of work at 1000 a second, 60 s of waiting, and so on */
        fake_time = i * 0.1;
        if (i % 800 < 200)
            progress_update(&progress, done += 100, NULL);
        else
            progress_wait(&progress, "measuring");
    }
    progress_end(&progress, NULL);
    finish(stream);
    assert_int_equal(count(output, '\n'), 21);
    int n_exact = 0;
    for (const char *at = output; (at = strstr(at, "1.00 k moves/s")); at++)
        n_exact++;
    assert_int_equal(n_exact, 21);
    assert_non_null(strstr(output, "measuring\n"));
    assert_non_null(strstr(output, "training:  19%  1.00 k moves/s  1m 12s, 4m 50s left  measuring\n"));
}

static void test_unknown_total(void **state)
{
    (void)state;
    struct progress progress;
    FILE *stream = begin(&progress, PROGRESS_LINES, 0);
    fake_time = 4;
    progress_update(&progress, 2000, NULL);
    finish(stream);
    assert_string_equal(output, "training: 2.00 k moves  500 moves/s  4.0 s\n");
}

static void test_resumed_jobs_count_only_their_own(void **state)
{
    (void)state;
    struct progress progress;
    FILE *stream = begin(&progress, PROGRESS_LINES, 2000);
    progress_resume(&progress, 1000);
    fake_time = 5;
    progress_update(&progress, 1500, NULL);
    finish(stream);
    assert_string_equal(output, "training:  75%  100 moves/s  5.0 s, 5.0 s left\n");
}

static void test_quiet(void **state)
{
    (void)state;
    struct progress progress;
    progress_begin(&progress, NULL, PROGRESS_QUIET, "t", "u", 10);
    progress_update(&progress, 5, "x");
    progress_end(&progress, "y");
    struct progress lines;
    FILE *stream = begin(&lines, PROGRESS_AUTO, 1); /* a file is not a terminal */
    assert_int_equal(lines.mode, PROGRESS_LINES);
    fclose(stream);
}

static void test_bar_is_limited_and_cleared(void **state)
{
    (void)state;
    struct progress progress;
    FILE *stream = begin(&progress, PROGRESS_BAR, 1000);
    for (int i = 0; i <= 1000; i++) { /* one second, a thousand calls */
        fake_time = i * 0.001;
        progress_update(&progress, i, NULL);
    }
    progress_end(&progress, NULL);
    finish(stream);
    assert_in_range(count(output, '\r'), 9, 11); /* the last one clears */
    assert_non_null(strstr(output, "[####"));
    assert_non_null(strstr(output, "\r\033[Ktraining: 1.00 k moves in 1.0 s (1.00 k moves/s)\n"));
}

/* On real terminals of every width no redraw may reach the last column. */
static void test_bar_fits_the_terminal(void **state)
{
    (void)state;
    for (unsigned short columns = 1; columns <= 150; columns++) {
        int master, slave;
        struct winsize size = {.ws_row = 24, .ws_col = columns};
        assert_int_equal(openpty(&master, &slave, NULL, NULL, &size), 0);
        FILE *stream = fdopen(slave, "w");
        struct progress progress;
        fake_time = 0;
        progress_begin(&progress, stream, PROGRESS_AUTO, "training", "moves", 1e6);
        assert_int_equal(progress.mode, PROGRESS_BAR);
        progress.now = fake_clock;
        progress.started = 0;
        fake_time = 1;
        progress_update(&progress, 333333, "L\xc3\xb6sung \xe2\x82\xac");
        char shown[1024];
        ssize_t got = read(master, shown, sizeof shown - 1);
        assert_true(got > 0);
        shown[got] = '\0';
        char *clear = strstr(shown, "\033[K");
        assert_non_null(clear);
        assert_int_equal(shown[0], '\r');
        assert_true(clear - shown - 1 <= columns - 1);
        assert_true(clear[-1] == '\r' || ((unsigned char)clear[-1] & 0xc0) != 0xc0); /* no cut sequence */
        fclose(stream);
        close(master);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_short_jobs_say_nothing_in_lines),
        cmocka_unit_test(test_lines_are_rare_and_complete),
        cmocka_unit_test(test_rate_follows_a_change),
        cmocka_unit_test(test_waiting_does_not_count),
        cmocka_unit_test(test_unknown_total),
        cmocka_unit_test(test_resumed_jobs_count_only_their_own),
        cmocka_unit_test(test_quiet),
        cmocka_unit_test(test_bar_is_limited_and_cleared),
        cmocka_unit_test(test_bar_fits_the_terminal),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    free(output);
    return failed;
}
