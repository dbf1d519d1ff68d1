/*
 * screen_layout: positions and sizes in a terminal window, computed without a terminal.
 *
 * The window holds the board and a panel of lines about the game, beside the board where there is room, else below it.
 * Tiles come in four sizes; the largest one with which the whole panel fits is used, else the largest with which at
 * least the score does.
 *
 *   TILE_LARGE   8 x 3     TILE_MEDIUM  6 x 2     TILE_SMALL  5 x 1     TILE_DIGIT  2 x 1, one character a cell
 *
 * All functions are pure.
 */
#ifndef AFTERSTATE_CLI_SCREEN_LAYOUT_H
#define AFTERSTATE_CLI_SCREEN_LAYOUT_H

#include "search/search_result.h"

#include <stdbool.h>

enum tile_size { TILE_LARGE, TILE_MEDIUM, TILE_SMALL, TILE_DIGIT, TILE_SIZE_COUNT };

/* The lines of the panel from top to bottom; bits of screen_layout.shown. */
enum panel_part {
    PANEL_TITLE,   /* player and board */
    PANEL_SCORE,   /* score and largest tile */
    PANEL_MOVES,   /* moves and moves per second */
    PANEL_VALUE,   /* value of the position, depth and time of the search */
    PANEL_BARS,    /* a line for each direction */
    PANEL_MESSAGE, /* what was just said, or the state: paused, game over */
    PANEL_HELP,    /* the keys */
    PANEL_COUNT
};

struct screen_layout {
    bool too_small; /* then nothing below counts but these: the least window that would do */
    unsigned least_lines, least_columns;
    enum tile_size tile;
    unsigned tile_width, tile_height;
    bool beside; /* the panel is to the right of the board */
    unsigned panel_line, panel_column, panel_lines, panel_columns;
    unsigned shown;      /* bit p: part p of the panel is to be seen */
    unsigned help_lines; /* that may be used for the keys */
};

/* The layout of a board of rows x cols cells in a window; `help_width` is the length of the text of the keys. */
struct screen_layout screen_layout_choose(unsigned rows, unsigned cols, unsigned window_lines, unsigned window_columns,
                                          unsigned help_width);

enum { FACE_BYTES = 16 };

/*
 * Writes what a tile of 2^value shows in `width` columns (2 or more): its face, a shorter one ("16k") where that would
 * touch the next tile, one digit of the board notation in 2 columns; a dot for an empty cell. Returns out.
 */
char *screen_face(unsigned value, unsigned width, char out[FACE_BYTES]);

/*
 * How many of `width` columns the bar of each direction fills: the best all of them, the worst legal one an eighth,
 * those between in proportion; all of them where all are worth the same; 0 where there is no value.
 */
void screen_bars(const struct search_result *result, unsigned width, unsigned filled[DIRECTION_COUNT]);

#endif
