/*
 * signals: stops long jobs. The first SIGINT (Ctrl-C), SIGTERM or SIGUSR1 sets a flag that long jobs poll; they write a
 * checkpoint and return STATUS_INTERRUPTED. The second one ends the process at once, as if nothing had been caught.
 */
#ifndef AFTERSTATE_BASE_SIGNALS_H
#define AFTERSTATE_BASE_SIGNALS_H

#include "base/status.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

/*
 * Starts to catch SIGINT, SIGTERM and SIGUSR1 (which batch systems send before the time is up) and clears the flag. A
 * signal that the process was started to ignore (nohup, a background job) stays ignored. A system call that waits is
 * ended with EINTR, so that a prompt sees the flag too. Call it from one thread, before workers start. STATUS_IO if the
 * system refuses.
 */
enum status signals_catch_interrupt(void);

/* Whether the user asked to stop. Any thread; costs one load. */
bool signals_interrupted(void);

/* As if a signal had come: for a signal to another process of the job. Any thread. */
void signals_request_stop(void);

/* The flag itself, for what takes a flag to be stopped by (a search). Lives as long as the process. */
const atomic_bool *signals_flag(void);

/* Back to the default disposition of these signals, flag cleared. Call it from one thread. */
void signals_restore(void);

/* pthread_create() of a thread that has all signals blocked, so that a Ctrl-C arrives at the caller. */
int signals_start_thread(pthread_t *thread, void *(*run)(void *), void *context);

#endif
