/* signals: stops long jobs. */
#include "base/signals.h"

#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>

/* A signal handler has no argument of ours, so the flag has to be a global. An atomic and not volatile sig_atomic_t,
   because workers on other threads read it; lock-free atomics are allowed in handlers. */
static atomic_bool interrupted;
_Static_assert(ATOMIC_BOOL_LOCK_FREE == 2, "the handler may only touch a lock-free atomic");

static const int caught_signals[] = {SIGINT, SIGTERM, SIGUSR1};
enum { N_SIGNALS = sizeof caught_signals / sizeof *caught_signals };

/* Ignored signals stay ignored, all others get the default again; only async-signal-safe calls. */
static void restore_default(void)
{
    for (int i = 0; i < N_SIGNALS; i++) {
        struct sigaction present;
        if (sigaction(caught_signals[i], NULL, &present) == 0 && present.sa_handler != SIG_IGN) {
            struct sigaction normal = {.sa_handler = SIG_DFL};
            sigemptyset(&normal.sa_mask);
            sigaction(caught_signals[i], &normal, NULL);
        }
    }
}

/* When this returns these signals have their default action: the next one of either kind ends the process. */
static void note_interrupt(int number)
{
    (void)number;
    atomic_store(&interrupted, true);
    restore_default();
}

enum status signals_catch_interrupt(void)
{
    atomic_store(&interrupted, false);
    struct sigaction action = {.sa_handler = note_interrupt};
    sigemptyset(&action.sa_mask);
    for (int i = 0; i < N_SIGNALS; i++)
        sigaddset(&action.sa_mask, caught_signals[i]);
    for (int i = 0; i < N_SIGNALS; i++) {
        struct sigaction present;
        if (sigaction(caught_signals[i], NULL, &present) != 0)
            return status_fail_errno(STATUS_IO, "cannot read the disposition of signal %d", caught_signals[i]);
        if (present.sa_handler != SIG_IGN && sigaction(caught_signals[i], &action, NULL) != 0)
            return status_fail_errno(STATUS_IO, "cannot catch signal %d", caught_signals[i]);
    }
    return STATUS_OK;
}

bool signals_interrupted(void)
{
    return atomic_load_explicit(&interrupted, memory_order_relaxed);
}

void signals_request_stop(void)
{
    atomic_store(&interrupted, true);
}

const atomic_bool *signals_flag(void)
{
    return &interrupted;
}

void signals_restore(void)
{
    restore_default();
    atomic_store(&interrupted, false);
}

int signals_start_thread(pthread_t *thread, void *(*run)(void *), void *context)
{
    sigset_t all, before;
    sigfillset(&all);
    /* These come from the thread's own instructions: blocked, they would end the process past any handler. */
    static const int own_faults[] = {SIGBUS, SIGSEGV, SIGFPE, SIGILL};
    for (size_t i = 0; i < sizeof own_faults / sizeof *own_faults; i++)
        sigdelset(&all, own_faults[i]);
    /* New threads inherit the mask; setting it around the creation leaves no gap in which one takes a signal. */
    pthread_sigmask(SIG_SETMASK, &all, &before);
    int error = pthread_create(thread, NULL, run, context);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return error;
}
