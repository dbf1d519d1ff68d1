/*
 * terminal_guard: restores the terminal when a signal ends the process while ncurses is active: the second Ctrl-C (the
 * first is the polite stop of base/signals), a hang-up, a crash. Ordinary ends go through endwin().
 *
 * Uses the signal dispositions of the process: one guard at a time, opened and closed by the main thread.
 */
#ifndef AFTERSTATE_CLI_TERMINAL_GUARD_H
#define AFTERSTATE_CLI_TERMINAL_GUARD_H

#include <stddef.h>

/* Call it before ncurses changes anything: saves the modes of the terminal `fd`. */
void terminal_guard_remember(int fd);

/* From now on a deadly signal writes `farewell` (copied; at most a few hundred bytes) to the terminal and sets its
   modes back before it does what it would have done. */
void terminal_guard_open(const char *farewell, size_t bytes);

/* Puts all dispositions back. */
void terminal_guard_close(void);

#endif
