#include "cli/keyboard.h"

#include <errno.h>
#include <poll.h>
#include <unistd.h>

struct keyboard keyboard_open(void)
{
    struct keyboard keyboard = {0};
    if (isatty(STDIN_FILENO) && tcgetattr(STDIN_FILENO, &keyboard.before) == 0) {
        struct termios raw = keyboard.before;
        raw.c_lflag &= ~(tcflag_t)(ICANON | ECHO); /* ISIG stays: Ctrl-C is a signal */
        keyboard.raw = tcsetattr(STDIN_FILENO, TCSANOW, &raw) == 0;
    }
    return keyboard;
}

void keyboard_close(struct keyboard *keyboard)
{
    if (keyboard->raw)
        tcsetattr(STDIN_FILENO, TCSANOW, &keyboard->before);
    keyboard->raw = false;
}

static int read_byte(void)
{
    unsigned char byte;
    return read(STDIN_FILENO, &byte, 1) == 1 ? byte : -1;
}

/* Whether another byte comes at once: tells the Escape key from an arrow's sequence. */
static bool more_soon(void)
{
    struct pollfd input = {.fd = STDIN_FILENO, .events = POLLIN};
    return poll(&input, 1, 30) > 0;
}

int keyboard_read(void)
{
    int byte = read_byte();
    if (byte < 0)
        return KEY_END; /* end of input, or a signal ended the wait */
    if (byte != 27 || !more_soon())
        return byte;
    int bracket = read_byte();
    if (bracket != '[' && bracket != 'O')
        return byte;
    switch (read_byte()) {
    case 'A':
        return KEY_UP;
    case 'B':
        return KEY_DOWN;
    case 'C':
        return KEY_RIGHT;
    case 'D':
        return KEY_LEFT;
    default:
        return 0;
    }
}
