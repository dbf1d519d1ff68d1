#include "cli/screen.h"

#include "game/notation.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { TILE_WIDTH = 8, TILE_HEIGHT = 3 };

/* 256-colour codes of background and text for each value: warm and darker as tiles grow, cool beyond 2048. */
static const struct {
    unsigned char back, text;
} tile_colours[BOARD_MAX_VALUE + 1] = {
    {236, 240}, {254, 238}, {230, 238}, {222, 236}, {215, 234}, {209, 234}, {203, 231}, {197, 231}, {227, 236},
    {221, 236}, {220, 236}, {214, 16},  {118, 16},  {48, 16},   {45, 16},   {33, 231},  {129, 231}, {201, 231},
};

struct screen screen_for(FILE *out)
{
    const char *terminal = getenv("TERM");
    bool smart = isatty(fileno(out)) && terminal && strcmp(terminal, "dumb") != 0;
    return (struct screen){.out = out, .colour = smart && !getenv("NO_COLOR"), .redraw = smart};
}

/* Writes the face of a tile centred in `width`. */
static void put_face(FILE *out, unsigned value, int width)
{
    char face[16] = "";
    if (value)
        snprintf(face, sizeof face, "%u", notation_face(value));
    int length = (int)strlen(face), left = (width - length + 1) / 2;
    fprintf(out, "%*s%s%*s", left, "", face, width - length - left, "");
}

static unsigned draw_tiles(FILE *out, const struct grid *grid, struct board board)
{
    for (unsigned row = 0; row < grid->rows; row++)
        for (unsigned line = 0; line < TILE_HEIGHT; line++) {
            for (unsigned col = 0; col < grid->cols; col++) {
                unsigned value = board_get(board, row * grid->cols + col);
                fprintf(out, "\033[1;48;5;%d;38;5;%dm", tile_colours[value].back, tile_colours[value].text);
                put_face(out, line == TILE_HEIGHT / 2 ? value : 0, TILE_WIDTH);
            }
            fprintf(out, "\033[0m\n");
        }
    return grid->rows * TILE_HEIGHT;
}

static void draw_rule(FILE *out, unsigned cols)
{
    for (unsigned col = 0; col < cols; col++)
        fprintf(out, "+--------");
    fprintf(out, "+\n");
}

static unsigned draw_boxes(FILE *out, const struct grid *grid, struct board board)
{
    for (unsigned row = 0; row < grid->rows; row++) {
        draw_rule(out, grid->cols);
        for (unsigned col = 0; col < grid->cols; col++) {
            fprintf(out, "|");
            put_face(out, board_get(board, row * grid->cols + col), TILE_WIDTH);
        }
        fprintf(out, "|\n");
    }
    draw_rule(out, grid->cols);
    return 2 * grid->rows + 1;
}

void screen_draw(struct screen *screen, const struct grid *grid, struct board board, const char *caption)
{
    FILE *out = screen->out;
    if (screen->redraw && screen->n_lines)
        fprintf(out, "\033[%uA\033[J", screen->n_lines); /* up to where the last drawing began; clear below */
    screen->n_lines = screen->colour ? draw_tiles(out, grid, board) : draw_boxes(out, grid, board);
    for (const char *p = caption; p; p = strchr(p, '\n') ? strchr(p, '\n') + 1 : NULL)
        screen->n_lines++;
    fprintf(out, "%s\n", caption);
    fflush(out);
}
