/*
 * A handler may only make async-signal-safe calls, and endwin() is none. So the bytes that end ncurses' screen are
 * computed beforehand, and the handler writes them, sets the modes back (tcsetattr is safe), restores the disposition
 * that was there before the guard, and raises the signal again.
 *
 * SIGINT and SIGTERM are caught by base/signals, whose handler removes itself after the first one. The guard's handler
 * runs before it: it passes the first signal on and is called again for the second.
 */
#include "cli/play/terminal_guard.h"

#include "base/signals.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

enum { FAREWELL_MAX = 512 };

static const int deadly[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGABRT, SIGSEGV, SIGBUS, SIGFPE, SIGILL};
enum { N_DEADLY = sizeof deadly / sizeof *deadly };

/* A signal handler has no argument of ours, so this has to be static. Written before the handlers are set. */
static struct {
    int fd;
    struct termios modes;
    char farewell[FAREWELL_MAX];
    size_t farewell_bytes;
    struct sigaction before[N_DEADLY];
} guard;

static int index_of(int number)
{
    for (int i = 0; i < N_DEADLY; i++)
        if (deadly[i] == number)
            return i;
    return 0; /* does not happen: the handler is set for these only */
}

static void on_deadly(int number);

static void set_handler(int number)
{
    struct sigaction action = {.sa_handler = on_deadly};
    sigemptyset(&action.sa_mask);
    sigaction(number, &action, NULL);
}

static void on_deadly(int number)
{
    int error = errno;
    const struct sigaction *before = &guard.before[index_of(number)];
    bool polite = (number == SIGINT || number == SIGTERM) && before->sa_handler != SIG_DFL && !signals_interrupted();
    if (polite) {
        before->sa_handler(number);
        set_handler(SIGINT); /* base/signals has set the default for both */
        set_handler(SIGTERM);
        errno = error;
        return;
    }
    for (size_t done = 0; done < guard.farewell_bytes;) {
        ssize_t n = write(guard.fd, guard.farewell + done, guard.farewell_bytes - done);
        if (n <= 0)
            break;
        done += (size_t)n;
    }
    tcsetattr(guard.fd, TCSANOW, &guard.modes);
    struct sigaction last = number == SIGINT || number == SIGTERM ? (struct sigaction){.sa_handler = SIG_DFL} : *before;
    sigaction(number, &last, NULL);
    raise(number); /* delivered when this handler returns */
}

void terminal_guard_remember(int fd)
{
    guard.fd = fd;
    tcgetattr(fd, &guard.modes);
}

void terminal_guard_open(const char *farewell, size_t bytes)
{
    guard.farewell_bytes = bytes < FAREWELL_MAX ? bytes : FAREWELL_MAX;
    memcpy(guard.farewell, farewell, guard.farewell_bytes);
    for (int i = 0; i < N_DEADLY; i++)
        if (sigaction(deadly[i], NULL, &guard.before[i]) == 0 && guard.before[i].sa_handler != SIG_IGN)
            set_handler(deadly[i]);
}

void terminal_guard_close(void)
{
    for (int i = 0; i < N_DEADLY; i++) {
        bool used_up = (deadly[i] == SIGINT || deadly[i] == SIGTERM) && signals_interrupted();
        struct sigaction normal = {.sa_handler = SIG_DFL};
        sigaction(deadly[i], used_up && guard.before[i].sa_handler != SIG_IGN ? &normal : &guard.before[i], NULL);
    }
}
