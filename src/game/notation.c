/* notation: boards as people and files write them. */
#include "game/notation.h"

#include <stdio.h>
#include <string.h>

static const char digits[] = "0123456789abcdefgh";
_Static_assert(sizeof digits == BOARD_MAX_VALUE + 2, "one digit for each cell value");

/* A copy of at most 40 bytes of the input for messages, unprintable bytes as '?': input may be anything. */
struct excerpt {
    char text[44];
};

static struct excerpt excerpt_of(const char *text, size_t length)
{
    struct excerpt excerpt;
    size_t n = length < 40 ? length : 40;
    for (size_t i = 0; i < n; i++)
        excerpt.text[i] = text[i] >= ' ' && text[i] < 127 ? text[i] : '?';
    strcpy(excerpt.text + n, length > n ? "..." : "");
    return excerpt;
}

static enum status check_possible(const struct grid *grid, unsigned cell, unsigned value)
{
    if (value > grid->max_value)
        return status_fail(STATUS_INVALID,
                           "row %u, column %u: a tile of %u cannot arise on a %ux%u board (the largest is %u)",
                           cell / grid->cols + 1, cell % grid->cols + 1, notation_face(value), grid->rows, grid->cols,
                           notation_face(grid->max_value));
    return STATUS_OK;
}

static enum status parse_digits(const struct grid *grid, const char *text, size_t length, struct board *board)
{
    if (length != grid->n_cells)
        return status_fail(STATUS_INVALID,
                           "board '%s' has %zu digits; a %ux%u board has %u (or write numbers: \"2 4 0 8 / ...\")",
                           excerpt_of(text, length).text, length, grid->rows, grid->cols, grid->n_cells);
    for (unsigned cell = 0; cell < grid->n_cells; cell++) {
        char c = text[cell] >= 'A' && text[cell] <= 'H' ? (char)(text[cell] - 'A' + 'a') : text[cell];
        const char *found = memchr(digits, c, sizeof digits - 1);
        if (!found)
            return status_fail(STATUS_INVALID, "board '%s': character %u is '%s'; expected a digit 0-9 or a letter a-h",
                               excerpt_of(text, length).text, cell + 1, excerpt_of(text + cell, 1).text);
        enum status status = check_possible(grid, cell, (unsigned)(found - digits));
        if (status)
            return status;
        *board = board_set(*board, cell, (unsigned)(found - digits));
    }
    return STATUS_OK;
}

/* Reads one tile of the numbers form into *value. */
static enum status parse_tile(const char *word, size_t length, unsigned *value)
{
    if (length == 1 && (word[0] == '.' || word[0] == '0')) {
        *value = 0;
        return STATUS_OK;
    }
    uint32_t face = 0;
    for (size_t i = 0; i < length; i++) {
        if (word[i] < '0' || word[i] > '9' || i >= 6)
            return status_fail(STATUS_INVALID, "'%s' is not a tile; expected 0, 2, 4, .. 131072",
                               excerpt_of(word, length).text);
        face = face * 10 + (uint32_t)(word[i] - '0');
    }
    if (face < 2 || face > notation_face(BOARD_MAX_VALUE) || (face & (face - 1)) != 0)
        return status_fail(STATUS_INVALID, "'%s' is not a tile; expected 0, 2, 4, .. 131072",
                           excerpt_of(word, length).text);
    *value = (unsigned)__builtin_ctz(face);
    return STATUS_OK;
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == ',' || c == '[' || c == ']';
}

/* Whether a row ends here: a slash, or the brackets between two rows of "[[2,4],[0,0]]". */
static bool ends_row(const char *at)
{
    return *at == '/' || (*at == ']' && at[1 + strspn(at + 1, " \t\r\n,")] == '[');
}

/* How long the tile is that begins here; 0: none does. */
static size_t tile_length(const char *at)
{
    size_t length = 0;
    while (at[length] && !is_blank(at[length]) && at[length] != '/')
        length++;
    return length;
}

static enum status parse_numbers(const struct grid *grid, const char *text, struct board *board)
{
    unsigned cell = 0, row = 0;
    for (const char *p = text; *p;) {
        if (ends_row(p) && cell != ++row * grid->cols)
            return status_fail(STATUS_INVALID, "row %u does not have %u tiles (a %ux%u board is expected)", row,
                               grid->cols, grid->rows, grid->cols);
        size_t length = tile_length(p);
        if (length == 0) {
            p++;
            continue;
        }
        if (cell == grid->n_cells)
            return status_fail(STATUS_INVALID, "more than %u tiles; a %ux%u board has %u", grid->n_cells, grid->rows,
                               grid->cols, grid->n_cells);
        unsigned value = 0;
        enum status status = parse_tile(p, length, &value);
        if (!status)
            status = check_possible(grid, cell, value);
        if (status)
            return status;
        *board = board_set(*board, cell++, value);
        p += length;
    }
    if (cell != grid->n_cells || (row && row != grid->rows - 1u))
        return status_fail(STATUS_INVALID, "%u tile%s in %u row%s; a %ux%u board has %u in %u", cell,
                           cell == 1 ? "" : "s", row + 1, row == 0 ? "" : "s", grid->rows, grid->cols, grid->n_cells,
                           grid->rows);
    return STATUS_OK;
}

bool notation_guess_size(const char *text, unsigned *rows, unsigned *cols)
{
    unsigned n_tiles = 0, first_row = 0, n_rows = 1;
    const char *last = "";
    for (const char *at = text; *at;) {
        if (ends_row(at) && n_rows++ == 1)
            first_row = n_tiles;
        size_t length = tile_length(at);
        n_tiles += length > 0;
        last = length ? at : last;
        at += length ? length : 1;
    }
    size_t n_digits = strspn(last, "0123456789abcdefghABCDEFGH");
    *rows = *cols = 0;
    if (n_rows > 1) {
        *rows = n_rows;
        *cols = first_row;
    }
    for (unsigned side = 2; n_tiles == 1 && side <= 4; side++)
        if (n_digits == tile_length(last) && n_digits == (size_t)side * side)
            *rows = *cols = side;
    return *rows && grid_check_size(*rows, *cols) == STATUS_OK;
}

enum status notation_parse(const struct grid *grid, const char *text, struct board *board)
{
    *board = (struct board){0};
    size_t skip = strspn(text, " \t\r\n"), length = strlen(text + skip);
    text += skip;
    while (length && strchr(" \t\r\n", text[length - 1]))
        length--;
    if (length == 0)
        return status_fail(STATUS_INVALID, "an empty board text; expected %u digits or numbers", grid->n_cells);
    if (strcspn(text, " ,/\t\r\n[") >= length)
        return parse_digits(grid, text, length, board);
    return parse_numbers(grid, text, board);
}

char *notation_digits(const struct grid *grid, struct board board, char *out)
{
    for (unsigned cell = 0; cell < grid->n_cells; cell++)
        out[cell] = digits[board_get(board, cell)];
    out[grid->n_cells] = 0;
    return out;
}

char *notation_numbers(const struct grid *grid, struct board board, char *out)
{
    char *p = out;
    for (unsigned cell = 0; cell < grid->n_cells; cell++) {
        const char *before = cell == 0 ? "" : cell % grid->cols ? " " : " / ";
        p += snprintf(p, (size_t)(out + NOTATION_NUMBERS_BYTES - p), "%s%u", before,
                      notation_face(board_get(board, cell)));
    }
    return out;
}
