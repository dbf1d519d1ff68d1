/*
 * keyboard: single key presses. On a terminal keys arrive without Enter; from a file or a pipe every character is a
 * key, so a game can be scripted.
 */
#ifndef AFTERSTATE_CLI_KEYBOARD_H
#define AFTERSTATE_CLI_KEYBOARD_H

#include <stdbool.h>
#include <termios.h>

enum key { KEY_UP = 0x100, KEY_RIGHT, KEY_DOWN, KEY_LEFT, KEY_END /* no more input, or interrupted */ };

struct keyboard {
    bool raw; /* the terminal's mode was changed and is to be put back */
    struct termios before;
};

/* Reads standard input. Always end with keyboard_close(), which puts the terminal back. */
struct keyboard keyboard_open(void);
void keyboard_close(struct keyboard *keyboard);

/* The next key: a character, or one of enum key. Waits. */
int keyboard_read(void);

#endif
