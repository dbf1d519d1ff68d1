/*
 * screen: a board drawn in the terminal, as coloured tiles where the terminal has colours, as plain boxes elsewhere.
 */
#ifndef AFTERSTATE_CLI_SCREEN_H
#define AFTERSTATE_CLI_SCREEN_H

#include "game/grid.h"

#include <stdbool.h>
#include <stdio.h>

struct screen {
    FILE *out;
    bool colour;      /* 256-colour escape codes */
    bool redraw;      /* a drawing replaces the one before it */
    unsigned n_lines; /* of the last drawing */
};

/* How to draw on `out`: tiles and redrawing on a terminal (colours unless NO_COLOR is set or TERM is dumb), boxes one
   after the other otherwise. */
struct screen screen_for(FILE *out);

/* Draws the board and below it `caption` (one or more lines, no newline at its end). */
void screen_draw(struct screen *screen, const struct grid *grid, struct board board, const char *caption);

#endif
