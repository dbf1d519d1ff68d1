/* The pool of threads: each item once, failures and their messages, signals. */
#include "scratch.h"

#include "base/workers.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>

struct tally {
    unsigned calls[WORKERS_MAX]; /* plain on purpose: each worker has its own, and the pool must order them */
    pthread_t caller;
    atomic_uint inside;
    uint64_t n_done;
    unsigned char *item_calls;
    atomic_uint_fast64_t started;
    uint64_t fail_at;
};

static enum status count_call(void *context, unsigned worker)
{
    struct tally *tally = context;
    tally->calls[worker]++;
    if ((worker == 0) != (pthread_equal(pthread_self(), tally->caller) != 0))
        return status_fail(STATUS_INVALID, "worker 0 is not the caller");
    return STATUS_OK;
}

static void test_each_worker_runs_once(void **state)
{
    (void)state;
    static const unsigned sizes[] = {1, 2, 3, 8};
    for (int k = 0; k < 4; k++) {
        struct workers *workers;
        struct tally tally = {.caller = pthread_self()};
        assert_ok(workers_create(&workers, sizes[k]));
        assert_int_equal(workers_count(workers), sizes[k]);
        for (unsigned run = 1; run <= 300; run++) {
            assert_ok(workers_run(workers, count_call, &tally));
            for (unsigned i = 0; i < sizes[k]; i++)
                assert_int_equal(tally.calls[i], run);
        }
        assert_int_equal(tally.calls[sizes[k]], 0);
        workers_free(workers);
    }
}

static enum status fail_on_two(void *context, unsigned worker)
{
    (void)context;
    return worker == 2 ? status_fail(STATUS_CORRUPT, "worker %u found a bad block", worker) : STATUS_OK;
}

static void test_failure_and_message_come_back(void **state)
{
    (void)state;
    struct workers *workers;
    struct tally tally = {.caller = pthread_self()};
    assert_ok(workers_create(&workers, 4));
    status_fail(STATUS_IO, "an old message");
    assert_int_equal(workers_run(workers, fail_on_two, NULL), STATUS_CORRUPT);
    assert_string_equal(status_message(), "worker 2 found a bad block");
    assert_ok(workers_run(workers, count_call, &tally)); /* the failure is forgotten */
    workers_free(workers);
}

/* Waits until all threads are inside: hangs until the test's time limit if the pool does not run them together. */
static enum status meet(void *context, unsigned worker)
{
    (void)worker;
    struct tally *tally = context;
    atomic_fetch_add(&tally->inside, 1);
    while (atomic_load(&tally->inside) < 3)
        sched_yield();
    return STATUS_OK;
}

static void test_workers_run_together(void **state)
{
    (void)state;
    struct workers *workers;
    struct tally tally = {0};
    assert_ok(workers_create(&workers, 3));
    assert_ok(workers_run(workers, meet, &tally));
    workers_free(workers);
}

static enum status mark_item(void *context, unsigned worker, uint64_t item)
{
    struct tally *tally = context;
    (void)worker;
    tally->item_calls[item]++;
    return STATUS_OK;
}

static void test_each_item_is_done_once(void **state)
{
    (void)state;
    enum { MOST = 20000 };
    struct workers *workers;
    struct tally tally = {.item_calls = calloc(MOST, 1)};
    assert_ok(workers_create(&workers, 4));
    static const uint64_t sizes[] = {0, 1, 3, 1000, MOST};
    for (int k = 0; k < 5; k++) {
        memset(tally.item_calls, 0, MOST);
        assert_ok(workers_for(workers, sizes[k], mark_item, &tally));
        for (uint64_t i = 0; i < MOST; i++)
            assert_int_equal(tally.item_calls[i], i < sizes[k]);
    }
    workers_free(workers);
    free(tally.item_calls);
}

static enum status fail_at_item(void *context, unsigned worker, uint64_t item)
{
    struct tally *tally = context;
    (void)worker;
    atomic_fetch_add(&tally->started, 1);
    if (item == tally->fail_at)
        return status_fail(STATUS_INVALID, "item %llu is wrong", (unsigned long long)item);
    return STATUS_OK;
}

static void test_items_stop_early(void **state)
{
    (void)state;
    struct workers *workers;
    struct tally tally = {.fail_at = 100};
    assert_ok(workers_create(&workers, 3));
    assert_int_equal(workers_for(workers, UINT64_C(1) << 60, fail_at_item, &tally), STATUS_INVALID);
    assert_string_equal(status_message(), "item 100 is wrong");
    assert_true(atomic_load(&tally.started) > 100);
    workers_free(workers);
}

static enum status note_mask(void *context, unsigned worker)
{
    sigset_t blocked;
    pthread_sigmask(SIG_SETMASK, NULL, &blocked);
    ((bool *)context)[worker] = sigismember(&blocked, SIGINT);
    return STATUS_OK;
}

static void test_signals_go_to_the_caller(void **state)
{
    (void)state;
    struct workers *workers;
    bool blocked[3];
    assert_ok(workers_create(&workers, 3));
    assert_ok(workers_run(workers, note_mask, blocked));
    assert_false(blocked[0]);
    assert_true(blocked[1] && blocked[2]);
    workers_free(workers);
}

static void test_sizes(void **state)
{
    (void)state;
    struct workers *workers;
    assert_int_equal(workers_create(&workers, WORKERS_MAX + 1), STATUS_USAGE);
    assert_null(workers);
    assert_message("1025 threads are too many");
    assert_ok(workers_create(&workers, 0));
    assert_int_equal(workers_count(workers), workers_available());
    assert_true(workers_available() >= 1);
    workers_free(workers); /* without ever running */
    workers_free(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_each_worker_runs_once),
        cmocka_unit_test(test_failure_and_message_come_back),
        cmocka_unit_test(test_workers_run_together),
        cmocka_unit_test(test_each_item_is_done_once),
        cmocka_unit_test(test_items_stop_early),
        cmocka_unit_test(test_signals_go_to_the_caller),
        cmocka_unit_test(test_sizes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
