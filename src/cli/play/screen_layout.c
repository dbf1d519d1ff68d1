/* screen_layout: positions and sizes in a terminal window, computed without a terminal. */
#include "cli/play/screen_layout.h"

#include "game/notation.h"

#include <stdio.h>
#include <string.h>

enum {
    PANEL_MIN_BESIDE = 26, /* columns; a narrower panel is better below */
    PANEL_GAP = 2,         /* columns between board and panel */
    PANEL_MAX_COLUMNS = 60,
    MAX_HELP_LINES = 4,
};

static const struct {
    unsigned width, height;
} tile_sizes[TILE_SIZE_COUNT] = {{8, 3}, {6, 2}, {5, 1}, {2, 1}};

/* What has to go last comes first. */
static const enum panel_part by_importance[PANEL_COUNT] = {
    PANEL_SCORE, PANEL_MESSAGE, PANEL_BARS, PANEL_VALUE, PANEL_MOVES, PANEL_HELP, PANEL_TITLE,
};

static unsigned part_lines(enum panel_part part, unsigned help_lines)
{
    return part == PANEL_BARS ? DIRECTION_COUNT : part == PANEL_HELP ? help_lines : 1;
}

/* Fills in the panel of a layout whose board has its place; false if there is no room even for the score. */
static bool choose_panel(struct screen_layout *layout, unsigned help_width, bool whole)
{
    if (layout->panel_lines == 0 || layout->panel_columns == 0)
        return false;
    unsigned help = (help_width + layout->panel_columns - 1) / layout->panel_columns + 1; /* words do not fill lines */
    layout->help_lines = help < MAX_HELP_LINES ? help : MAX_HELP_LINES;
    layout->shown = 0;
    unsigned left = layout->panel_lines;
    for (unsigned i = 0; i < PANEL_COUNT; i++) {
        unsigned need = part_lines(by_importance[i], layout->help_lines);
        if (need > left) {
            if (whole)
                return false;
            continue;
        }
        layout->shown |= 1u << by_importance[i];
        left -= need;
    }
    return true;
}

/* Places a board of this tile size; false if the window has no room for it. */
static bool place_board(struct screen_layout *layout, enum tile_size tile, unsigned rows, unsigned cols,
                        unsigned window_lines, unsigned window_columns, bool beside)
{
    unsigned width = cols * tile_sizes[tile].width, height = rows * tile_sizes[tile].height;
    unsigned panel_column = beside ? width + PANEL_GAP : 0, panel_line = beside ? 0 : height;
    if (width > window_columns || height > window_lines)
        return false;
    if (beside && panel_column + PANEL_MIN_BESIDE > window_columns)
        return false;
    unsigned panel_columns = window_columns - panel_column;
    *layout = (struct screen_layout){
        .tile = tile,
        .tile_width = tile_sizes[tile].width,
        .tile_height = tile_sizes[tile].height,
        .beside = beside,
        .panel_line = panel_line,
        .panel_column = panel_column,
        .panel_lines = window_lines - panel_line,
        .panel_columns = panel_columns < PANEL_MAX_COLUMNS ? panel_columns : PANEL_MAX_COLUMNS,
    };
    return true;
}

struct screen_layout screen_layout_choose(unsigned rows, unsigned cols, unsigned window_lines, unsigned window_columns,
                                          unsigned help_width)
{
    struct screen_layout layout;
    for (unsigned whole = 2; whole-- > 0;)
        for (unsigned tile = 0; tile < TILE_SIZE_COUNT; tile++)
            for (unsigned beside = 2; beside-- > 0;)
                if (place_board(&layout, tile, rows, cols, window_lines, window_columns, beside) &&
                    choose_panel(&layout, help_width, whole))
                    return layout;
    return (struct screen_layout){.too_small = true,
                                  .least_lines = rows * tile_sizes[TILE_DIGIT].height + 1,
                                  .least_columns = cols * tile_sizes[TILE_DIGIT].width};
}

char *screen_face(unsigned value, unsigned width, char out[FACE_BYTES])
{
    static const char digits[] = ".123456789abcdefgh";
    _Static_assert(sizeof digits == BOARD_MAX_VALUE + 2, "a character for each value");
    if (value == 0 || width <= 2)
        snprintf(out, FACE_BYTES, "%c", digits[value]);
    else
        snprintf(out, FACE_BYTES, "%u", notation_face(value));
    if (strlen(out) >= width) /* thousands as players name these tiles: 16k, 32k, 65k, 131k */
        snprintf(out, FACE_BYTES, "%uk", notation_face(value) / 1000);
    return out;
}

void screen_bars(const struct search_result *result, unsigned width, unsigned filled[DIRECTION_COUNT])
{
    static const float least = 0.125F;
    float best = 0, worst = 0;
    bool any = false;
    for (unsigned d = 0; d < DIRECTION_COUNT; d++) {
        if (result->depth[d] == 0)
            continue;
        best = !any || result->value[d] > best ? result->value[d] : best;
        worst = !any || result->value[d] < worst ? result->value[d] : worst;
        any = true;
    }
    for (unsigned d = 0; d < DIRECTION_COUNT; d++) {
        filled[d] = 0;
        if (result->depth[d] == 0) /* not searched, so its value means nothing */
            continue;
        float share = best > worst ? (result->value[d] - worst) / (best - worst) : 1;
        unsigned columns = (unsigned)((least + (1 - least) * share) * (float)width + 0.5F);
        filled[d] = columns == 0 ? 1 : columns;
    }
}
