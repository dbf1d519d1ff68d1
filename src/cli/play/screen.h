/*
 * screen: a game in the whole terminal window, by ncurses: coloured tiles where the terminal has 256 or 8 colours,
 * boxes where it has none or NO_COLOR is set; sizes by screen_layout. One at a time, used by the main thread.
 */
#ifndef AFTERSTATE_CLI_SCREEN_H
#define AFTERSTATE_CLI_SCREEN_H

#include "base/status.h"
#include "cli/play/thinker.h"
#include "game/grid.h"

#include <stdbool.h>

struct screen;

/* What is to be seen. */
struct screen_view {
    const struct grid *grid;
    struct board board;
    uint64_t score;
    uint32_t n_moves;
    double moves_per_second; /* 0: not shown */
    const char *title;
    const char *message;           /* "" for none */
    const char *keys;              /* groups of "key: what it does", separated by two blanks */
    const struct thought *thought; /* NULL: there is none */
    struct thinker_progress thinking;
    bool hints; /* whether a thought is to be shown */
};

/* Keys that are no characters. */
enum screen_key {
    SCREEN_KEY_NONE = -1,
    SCREEN_KEY_UP = 0x100,
    SCREEN_KEY_RIGHT,
    SCREEN_KEY_DOWN,
    SCREEN_KEY_LEFT,
    SCREEN_KEY_OTHER, /* some other key without a character */
    SCREEN_KEY_RESIZE,
    SCREEN_KEY_END /* the terminal is gone */
};

/* Whether standard output is a terminal that ncurses can draw in, by `TERM`. */
bool screen_possible(void);

/*
 * Takes the terminal, with colours where it has them and they are wanted. Keys come from standard input, or from the
 * terminal itself where that is something else. *out is NULL, and nothing changed, if ncurses does not know this
 * terminal or there is nothing to read keys from. Closing restores the terminal; so does a fatal signal.
 */
enum status screen_open(struct screen **out, bool colours);
void screen_close(struct screen *screen); /* NULL is fine */

void screen_draw(struct screen *screen, const struct screen_view *view);

/* The next key, waiting for at most wait_ms; a signal may end the wait earlier. */
int screen_read_key(struct screen *screen, unsigned wait_ms);

#endif
