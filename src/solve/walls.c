/* walls: boards with locked tiles. */
#include "solve/walls.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Layouts of 4x4, by the corner that the large tiles gather in. */
static const struct {
    const char *name;
    uint16_t cells;
} named[] = {
    {"row", 0x000f},    /* # # # # */
    {"square", 0x0033}, /* # # . . / # # . . */
    {"rows", 0x003f},   /* # # # # / # # . . */
    {"block", 0x0077},  /* # # # . / # # # . */
    {"rows7", 0x007f},  /* # # # # / # # # . */
    {"block7", 0x0177}, /* # # # . / # # # . / # . . . */
    {"rows8", 0x00ff},  /* # # # # / # # # # */
    {"block8", 0x0377}, /* # # # . / # # # . / # # . . */
};

enum { N_NAMED = sizeof named / sizeof *named, LARGEST_FREE = 12, SMALLEST_GOAL = 3, LARGEST_GOAL = 15 };

const char *walls_name(uint16_t cells)
{
    for (size_t i = 0; i < N_NAMED; i++) {
        if (named[i].cells == cells)
            return named[i].name;
    }
    return NULL;
}

char *walls_text(uint16_t cells, char *text)
{
    size_t used = 0;
    text[0] = '\0';
    for (unsigned cell = 0; cell < BOARD_MAX_CELLS; cell++) {
        if (cells >> cell & 1)
            used += (size_t)snprintf(text + used, WALLS_TEXT_BYTES - used, "%s%u", used ? " " : "", cell);
    }
    return text;
}

char *walls_caps_text(uint64_t caps, char *text)
{
    size_t used = 0;
    text[0] = '\0';
    for (unsigned value = BOARD_MAX_VALUE; value > 0; value--) {
        bool begun = false;
        for (unsigned cell = 0; cell < BOARD_MAX_CELLS; cell++) {
            if ((caps >> 4 * cell & 15) != value)
                continue;
            const char *before = begun ? "," : used ? " " : "";
            used += (size_t)snprintf(text + used, WALLS_CAPS_TEXT_BYTES - used, "%s%u", before, cell);
            begun = true;
        }
        if (begun)
            used += (size_t)snprintf(text + used, WALLS_CAPS_TEXT_BYTES - used, ":%u", 1u << value);
    }
    return text;
}

/* One cell, or a range of cells, at *text, which moves on; false if there is none. */
static bool parse_range(const char **text, unsigned n_cells, uint16_t *cells)
{
    unsigned long bounds[2];
    for (unsigned i = 0; i < 2; i++) {
        char *end;
        if (!isdigit((unsigned char)**text))
            return false;
        bounds[i] = strtoul(*text, &end, 10);
        *text = end;
        if (i == 0 && *end != '-') {
            bounds[1] = bounds[0];
            break;
        }
        *text += i == 0;
    }
    if (bounds[0] > bounds[1] || bounds[1] >= n_cells)
        return false;
    for (unsigned long cell = bounds[0]; cell <= bounds[1]; cell++)
        *cells |= (uint16_t)(1u << cell);
    return true;
}

enum status walls_parse(const char *text, const struct grid *grid, uint16_t *cells)
{
    *cells = 0;
    for (size_t i = 0; i < N_NAMED; i++) {
        if (strcmp(text, named[i].name) != 0)
            continue;
        *cells = named[i].cells;
        return grid_is_4x4(grid)
                   ? STATUS_OK
                   : status_fail(STATUS_USAGE, "%s is a layout of 4x4, not of %ux%u: give a list of cells", text,
                                 grid->rows, grid->cols);
    }
    const char *at = text;
    while (*at) {
        if (*at == ' ' || *at == ',')
            at++;
        else if (!parse_range(&at, grid->n_cells, cells))
            break;
    }
    if (*at == '\0' && *cells)
        return STATUS_OK;
    return status_fail(STATUS_USAGE,
                       "'%s': expected row, square, rows, block, rows7, block7, rows8 or block8, or cells from 0 to %u "
                       "as in 0-3,4,5",
                       text, grid->n_cells - 1u);
}

/* The power of two at *text, which moves on; 0 if there is none. */
static unsigned parse_tile(const char **text)
{
    char *end;
    if (!isdigit((unsigned char)**text))
        return 0;
    const unsigned long tile = strtoul(*text, &end, 10);
    *text = end;
    return tile < 2 || tile > 1ul << BOARD_MAX_VALUE || (tile & (tile - 1)) ? 0 : (unsigned)__builtin_ctzl(tile);
}

/* One group of cells with their cap, "3,8:512", at *text, which moves on. */
static bool parse_group(const char **text, unsigned n_cells, uint64_t *caps)
{
    uint16_t cells = 0;
    while (parse_range(text, n_cells, &cells) && **text == ',')
        ++*text;
    if (!cells || *(*text)++ != ':')
        return false;
    const uint64_t value = parse_tile(text);
    for (unsigned cell = 0; cell < n_cells; cell++) {
        if (!(cells >> cell & 1))
            continue;
        if (*caps >> 4 * cell & 15)
            return false;
        *caps |= value << 4 * cell;
    }
    return value != 0;
}

enum status walls_parse_caps(const char *text, const struct grid *grid, uint64_t *caps)
{
    const char *at = text;
    *caps = 0;
    do {
        at += *at == ' ';
        if (!parse_group(&at, grid->n_cells, caps))
            return status_fail(STATUS_USAGE,
                               "'%s': expected cells and the largest tile on them, as in '3,8:512 10-15:128'", text);
    } while (*at == ' ');
    return *at ? status_fail(STATUS_USAGE, "'%s': '%s' is no cap", text, at) : STATUS_OK;
}

/* Caps stand on free cells and leave room for a 4 that appears. */
static enum status check_caps(const struct grid *grid, struct walls walls)
{
    for (unsigned cell = 0; cell < BOARD_MAX_CELLS; cell++) {
        const unsigned cap = walls.caps >> 4 * cell & 15;
        if (cap && (cell >= grid->n_cells || walls.cells >> cell & 1))
            return status_fail(STATUS_USAGE, "cell %u is not free and can have no cap", cell);
        if (cap == 1)
            return status_fail(STATUS_USAGE, "the cap of cell %u is 2, but 4s appear there", cell);
    }
    return STATUS_OK;
}

enum status walls_check(const struct grid *grid, struct walls walls, unsigned goal)
{
    if (!walls.cells)
        return walls.at || walls.caps ? status_fail(STATUS_USAGE, "cells of the target (--at) and caps go with walls")
                                      : STATUS_OK;
    const unsigned n_free = walls_free_cells(walls, grid->n_cells);
    if (n_free < 1 || n_free > LARGEST_FREE)
        return status_fail(STATUS_USAGE, "the walls leave %u free cells, expected 1 to %d", n_free, LARGEST_FREE);
    if (grid->rows > WALLS_MAX_SIDE || grid->cols > WALLS_MAX_SIDE)
        return status_fail(STATUS_USAGE, "boards with walls have sides of at most %d cells", WALLS_MAX_SIDE);
    if (goal < SMALLEST_GOAL || goal > LARGEST_GOAL)
        return status_fail(STATUS_USAGE, "a board with walls needs a target from %u to %u: --target 512",
                           1u << SMALLEST_GOAL, 1u << LARGEST_GOAL);
    if ((walls.at | walls.cells) >> grid->n_cells)
        return status_fail(STATUS_USAGE, "a board of %ux%u has no cell beyond %u", grid->rows, grid->cols,
                           grid->n_cells - 1u);
    if (walls.at & walls.cells)
        return status_fail(STATUS_USAGE, "the target cannot be made on a wall: --at names one");
    return check_caps(grid, walls);
}

static uint16_t image_cells(const struct grid *grid, uint16_t cells, unsigned symmetry)
{
    uint16_t image = 0;
    for (unsigned cell = 0; cell < grid->n_cells; cell++)
        image |= (uint16_t)((cells >> grid->symmetry[symmetry][cell] & 1u) << cell);
    return image;
}

bool walls_keep(const struct grid *grid, struct walls walls, unsigned symmetry)
{
    for (unsigned cell = 0; cell < grid->n_cells; cell++) {
        if ((walls.caps >> 4 * cell & 15) != (walls.caps >> 4 * grid->symmetry[symmetry][cell] & 15))
            return false;
    }
    return image_cells(grid, walls.cells, symmetry) == walls.cells && image_cells(grid, walls.at, symmetry) == walls.at;
}

bool walls_allow(struct walls walls, struct board board)
{
    for (unsigned cell = 0; cell < BOARD_MAX_CELLS; cell++) {
        if (board_get(board, cell) > walls_cap(walls, cell))
            return false;
    }
    return true;
}

uint64_t walls_free_bits(struct walls walls, const struct grid *grid)
{
    uint64_t bits = grid->used;
    for (unsigned cell = 0; cell < grid->n_cells; cell++)
        bits &= walls.cells >> cell & 1 ? ~(UINT64_C(1) << 4 * cell) : UINT64_MAX;
    return bits;
}

/* ---- ages -------------------------------------------------------------------------------------------------------- */

/* The largest age there is on a board of n cells: all cells filled with 4, 8, .. 2^(n+1). */
static uint32_t largest_age(unsigned n_cells)
{
    return (UINT32_C(1) << (n_cells + 2)) - 4;
}

uint32_t walls_first_age(struct walls walls, unsigned n_cells)
{
    if (!walls.cells)
        return n_cells == 1 ? 2 : 4;
    const unsigned n_free = walls_free_cells(walls, n_cells);
    return 2 * n_free < WALLS_FIRST_START ? 2 * n_free : WALLS_FIRST_START;
}

uint32_t walls_last_age(struct walls walls, unsigned n_cells, unsigned goal)
{
    if (!walls.cells)
        return largest_age(n_cells);
    if (!goal) /* walls_check() rejects that */
        return largest_age(walls_free_cells(walls, n_cells));
    uint32_t filled = 0;
    for (unsigned cell = 0; cell < n_cells; cell++) {
        if (!(walls.cells >> cell & 1))
            filled += UINT32_C(1) << (walls_cap(walls, cell) < goal ? walls_cap(walls, cell) : goal - 1);
    }
    const uint32_t most = largest_age(walls_free_cells(walls, n_cells));
    return filled < most ? filled : most;
}

/* ---- starts ------------------------------------------------------------------------------------------------------ */

struct start_search {
    uint64_t free_bits;
    bool appears[3]; /* by value: whether 2s, 4s appear */
    walls_start_function *function;
    void *context;
};

/* Fills the free cells of `left` in all ways that have half the sum `half`. */
static void fill_starts(const struct start_search *search, struct board board, uint64_t left, uint32_t half)
{
    if (half == 0) {
        search->function(search->context, board);
        return;
    }
    if (2 * (unsigned)__builtin_popcountll(left) < half)
        return;
    const uint64_t bit = left & -left;
    fill_starts(search, board, left ^ bit, half);
    for (unsigned value = 1; value <= 2 && value <= half; value++) {
        if (search->appears[value])
            fill_starts(search, (struct board){.cells = board.cells | bit * value}, left ^ bit, half - value);
    }
}

void walls_each_start(struct walls walls, const struct grid *grid, uint32_t age, double chance_of_4,
                      walls_start_function *function, void *context)
{
    const struct start_search search = {
        walls_free_bits(walls, grid), {false, chance_of_4<1, chance_of_4> 0}, function, context};
    if (walls.cells && age >= walls_first_age(walls, grid->n_cells) && age <= WALLS_LAST_START)
        fill_starts(&search, (struct board){0}, search.free_bits, age / 2);
}

bool walls_is_start(struct walls walls, const struct grid *grid, struct board board, double chance_of_4)
{
    const uint32_t age = board_age(board);
    for (unsigned cell = 0; cell < grid->n_cells; cell++) {
        unsigned value = board_get(board, cell);
        if (value > 2 || (value == 1 && chance_of_4 == 1) || (value == 2 && chance_of_4 == 0))
            return false;
    }
    return age >= walls_first_age(walls, grid->n_cells) && age <= WALLS_LAST_START;
}

/* ---- boards of the real game ------------------------------------------------------------------------------------- */

/* Whether the walls of an image hold large tiles, and no other cell does. */
static bool fits(struct walls walls, const struct grid *grid, unsigned goal, struct board image)
{
    for (unsigned cell = 0; cell < grid->n_cells; cell++) {
        if ((board_get(image, cell) >= goal) != (walls.cells >> cell & 1))
            return false;
    }
    return true;
}

/* Whether two neighbouring walls are alike, and would merge. */
static bool has_pair(struct walls walls, const struct grid *grid, struct board image)
{
    for (unsigned cell = 0; cell < grid->n_cells; cell++) {
        const bool right = (cell + 1) % grid->cols != 0, below = cell + grid->cols < grid->n_cells;
        const unsigned next[2] = {cell + 1, cell + grid->cols};
        for (unsigned i = 0; i < 2; i++) {
            if ((i == 0 ? right : below) && walls.cells >> cell & 1 && walls.cells >> next[i] & 1 &&
                board_get(image, cell) == board_get(image, next[i]))
                return true;
        }
    }
    return false;
}

enum status walls_fit(struct walls walls, const struct grid *grid, unsigned goal, struct board board,
                      struct board *free_cells, unsigned *symmetry)
{
    char text[WALLS_TEXT_BYTES];
    for (unsigned s = 0; s < grid->n_symmetries; s++) {
        struct board image = grid_image(grid, board, s);
        if (!fits(walls, grid, goal, image))
            continue;
        if (has_pair(walls, grid, image))
            return status_fail(STATUS_INVALID, "two neighbouring walls are equal tiles, which would merge; the table "
                                               "knows boards whose walls cannot");
        for (unsigned cell = 0; cell < grid->n_cells; cell++)
            image = walls.cells >> cell & 1 ? board_set(image, cell, 0) : image;
        *free_cells = image;
        *symmetry = s;
        return STATUS_OK;
    }
    return status_fail(STATUS_INVALID,
                       "the tiles of at least %u do not stand on the walls of this table, cells %s, in any of the "
                       "board's images",
                       1u << goal, walls_text(walls.cells, text));
}

struct board walls_fill(struct walls walls, const struct grid *grid, unsigned goal, struct board board)
{
    const unsigned n_walls = (unsigned)__builtin_popcount(walls.cells);
    const bool all_differ = goal + n_walls <= BOARD_MAX_VALUE + 1u;
    unsigned value = goal + n_walls + (goal + n_walls <= BOARD_MAX_VALUE); /* larger than the goal if possible */
    for (unsigned cell = 0; cell < grid->n_cells; cell++) {
        if (!(walls.cells >> cell & 1))
            continue;
        value--;
        /* Where there are not enough different tiles, two kinds of them, as the colours of a chessboard. */
        unsigned parity = (cell / grid->cols + cell % grid->cols) % 2;
        board = board_set(board, cell, all_differ ? value : goal + parity);
    }
    return board;
}
