/* Signals: the first one sets the flag, the second one ends the process, an ignored one stays ignored. */
#include "scratch.h"

#include "base/signals.h"

#include <signal.h>
#include <sys/wait.h>

static void test_first_signal_sets_the_flag(void **state)
{
    (void)state;
    assert_ok(signals_catch_interrupt());
    assert_false(signals_interrupted());
    assert_false(*signals_flag());
    raise(SIGTERM);
    assert_true(signals_interrupted());
    assert_true(*signals_flag());
    assert_ok(signals_catch_interrupt());
    assert_false(signals_interrupted());
    raise(SIGINT);
    assert_true(signals_interrupted());
    signals_restore();
    assert_false(signals_interrupted());
    struct sigaction present;
    sigaction(SIGINT, NULL, &present);
    assert_true(present.sa_handler == SIG_DFL);
}

/* A child gets two signals: its exit must be by the second one, at once. */
static int signal_that_ends(int first, int second)
{
    pid_t child = fork();
    if (child == 0) {
        if (signals_catch_interrupt() != STATUS_OK)
            _exit(3);
        raise(first);
        if (!signals_interrupted())
            _exit(4);
        raise(second);
        _exit(5);
    }
    int result;
    assert_int_equal(waitpid(child, &result, 0), child);
    return WIFSIGNALED(result) ? WTERMSIG(result) : -WEXITSTATUS(result);
}

static void test_second_signal_ends(void **state)
{
    (void)state;
    assert_int_equal(signal_that_ends(SIGINT, SIGINT), SIGINT);
    assert_int_equal(signal_that_ends(SIGTERM, SIGTERM), SIGTERM);
    assert_int_equal(signal_that_ends(SIGINT, SIGTERM), SIGTERM);
    assert_int_equal(signal_that_ends(SIGTERM, SIGINT), SIGINT);
}

static void test_ignored_stays_ignored(void **state)
{
    (void)state;
    signal(SIGINT, SIG_IGN);
    assert_ok(signals_catch_interrupt());
    raise(SIGINT);
    assert_false(signals_interrupted());
    raise(SIGTERM);
    assert_true(signals_interrupted());
    raise(SIGINT);
    signals_restore();
    signal(SIGINT, SIG_DFL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_first_signal_sets_the_flag),
        cmocka_unit_test(test_second_signal_ends),
        cmocka_unit_test(test_ignored_stays_ignored),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
