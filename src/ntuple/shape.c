/* shape: the cells of tuples, and the named sets of tuples that papers use. */
#include "ntuple/shape.h"

#include "base/nearest.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

/* Parts that several names share. The cells are those of the papers; docs/RESULTS.md has their results. */
#define TUPLES_4X6  "0 1 2 3 4 5/4 5 6 7 8 9/0 1 2 4 5 6/4 5 6 8 9 10"
#define TUPLES_4233 TUPLES_4X6 "/8 9 10 11 12 13"
#define TUPLES_422  "/0 1 2 3/4 5 6 7/0 1 4 5/1 2 5 6/5 6 9 10"
#define TUPLES_8X6A "0 1 2 4 5 6/4 5 6 7 8 9/0 1 2 3 4 5/2 3 4 5 6 9"
#define TUPLES_8X6B TUPLES_8X6A "/0 1 2 5 9 10"
#define TUPLES_8X6C TUPLES_8X6B "/3 4 5 6 7 8"
#define TUPLES_8X6D TUPLES_8X6C "/1 3 4 5 6 7"
#define TUPLES_8X6  TUPLES_8X6D "/0 1 4 8 9 10"

static const struct named_shape names[] = {
    {"4x6", "Wu, Yeh and others 2014: two lines and a half, two rectangles", 4, 4, TUPLES_4X6, "plain 16"},
    {"8x6", "Matsuzaki 2016, Guei 2022: the eight best 6-tuples of a selection", 4, 4, TUPLES_8X6, "plain 16"},
    {"nt6-m", "another name of 8x6, as Terauchi and Matsuzaki call it", 4, 4, TUPLES_8X6, "plain 18"},
    {"8x6-first4", "the first four tuples of 8x6", 4, 4, TUPLES_8X6A, "plain 16"},
    {"8x6-first5", "the first five tuples of 8x6", 4, 4, TUPLES_8X6B, "plain 16"},
    {"8x6-first6", "the first six tuples of 8x6", 4, 4, TUPLES_8X6C, "plain 16"},
    {"8x6-first7", "the first seven tuples of 8x6", 4, 4, TUPLES_8X6D, "plain 16"},
    {"42-33", "Jaskowski 2017: 4x6 and the bottom line and a half", 4, 4, TUPLES_4233, "plain 16"},
    {"42-33-4-22", "Jaskowski 2017: 42-33 with redundant lines and squares", 4, 4, TUPLES_4233 TUPLES_422, "plain 16"},
    {"42-33-4-22-3", "Jaskowski 2017: and redundant lines of three; his best", 4, 4,
     TUPLES_4233 TUPLES_422 "/0 1 2/4 5 6", "plain 16"},
    {"421-43", "Jaskowski 2017: five 7-tuples", 4, 4,
     "0 1 2 3 4 5 6/4 5 6 7 8 9 10/8 9 10 11 12 13 14/0 1 2 3 4 5 8/4 5 6 7 8 9 12", "plain 16"},
    {"szubert", "Szubert, Jaskowski 2014: two lines, two rectangles", 4, 4, "0 1 2 3/4 5 6 7/0 1 2 4 5 6/4 5 6 8 9 10",
     "plain 16"},
    {"nt6", "Terauchi, Matsuzaki: nine 6-tuples", 4, 4,
     "0 1 2 4 5 6/4 5 6 8 9 10/0 1 2 3 6 7/4 5 6 7 10 11/8 9 10 11 14 15/0 1 2 3 7 11/4 5 6 7 11 15/3 6 7 9 10 11/"
     "7 10 11 13 14 15",
     "plain 18"},
    {"nt7", "Terauchi, Matsuzaki: eight 7-tuples, for 2-VSE", 4, 4,
     "0 1 2 3 5 6 7/4 5 6 7 9 10 11/8 9 10 11 13 14 15/0 1 2 3 6 7 11/4 5 6 7 10 11 15/0 1 2 3 7 11 15/7 9 10 11 13 14 "
     "15/3 5 6 7 9 10 11",
     "1-9 10-17"},
    {"nt8", "Terauchi, Matsuzaki: five 8-tuples, for 3-VSE", 4, 4,
     "0 1 2 3 4 5 6 7/4 5 6 7 8 9 10 11/0 1 2 3 6 7 11 15/2 3 5 6 7 9 10 11/6 7 9 10 11 13 14 15", "1-7 8-13 14-17"},
    {"nt9", "Terauchi, Matsuzaki: seven 9-tuples, for 4-VSE", 4, 4,
     "0 1 2 4 5 6 8 9 10/4 5 6 8 9 10 12 13 14/0 1 2 3 4 5 6 7 11/4 5 6 7 8 9 10 11 15/0 1 2 3 5 6 7 11 15/0 1 2 3 5 6 "
     "7 10 11/4 5 6 7 9 10 11 14 15",
     "1-5 6-9 10-13 14-17"},
    {"6-01", "Oka, Matsuzaki: the single tuple <6-01>", 4, 4, "0 1 2 3 4 5", "plain 16"},
    {"6-04", "Oka, Matsuzaki: the single tuple <6-04>", 4, 4, "0 1 2 4 5 6", "plain 16"},
    {"6-08", "Oka, Matsuzaki: the single tuple <6-08>", 4, 4, "0 1 2 3 4 8", "plain 16"},
    {"7-096", "Oka, Matsuzaki: the single tuple <7-096>", 4, 4, "0 1 2 3 4 8 12", "plain 16"},
    {"mnt6", "Terauchi, Matsuzaki: two 6-tuples of 3x3", 3, 3, "0 1 2 3 4 5/0 1 2 3 4 6", "plain 11"},
    {"mnt4", "Terauchi, Matsuzaki: three 4-tuples of 3x3", 3, 3, "0 1 2 3/3 4 5 6/0 1 3 4", "plain 11"},
};

enum { N_NAMES = sizeof names / sizeof *names, TUPLE_TEXT_BYTES = 64 };

const struct named_shape *shape_names(size_t *n_names)
{
    *n_names = N_NAMES;
    return names;
}

enum status shape_from_name(struct shape *shape, const struct grid *grid, const char *name)
{
    const struct named_shape *named = NULL;
    for (size_t i = 0; i < N_NAMES && !named; i++)
        if (strcasecmp(names[i].name, name) == 0)
            named = &names[i];
    if (!named) {
        const char *near = nearest_name_in(name, &names[0].name, sizeof names[0], N_NAMES);
        if (near)
            return status_fail(STATUS_INVALID, "unknown shape '%s'; did you mean '%s'?", name, near);
        return status_fail(STATUS_INVALID, "unknown shape '%s'; 'afterstate net list' shows them all", name);
    }
    if (named->rows != grid->rows || named->cols != grid->cols)
        return status_fail(STATUS_INVALID, "shape '%s' is for boards of %dx%d, this one has %dx%d", named->name,
                           named->rows, named->cols, grid->rows, grid->cols);
    *shape = (struct shape){0};
    for (const char *from = named->tuples; from;) {
        const char *end = strchr(from, '/');
        char text[TUPLE_TEXT_BYTES];
        snprintf(text, sizeof text, "%.*s", end ? (int)(end - from) : (int)strlen(from), from);
        enum status status = shape_add_tuple(shape, grid, text);
        if (status)
            return status;
        from = end ? end + 1 : NULL;
    }
    return STATUS_OK;
}

/* Both parsers set bit i of *cells for cell i. */

static enum status parse_list(const struct grid *grid, const char *text, uint32_t *cells)
{
    *cells = 0;
    for (const char *at = text; *at;) {
        if (isspace((unsigned char)*at) || *at == ',') {
            at++;
            continue;
        }
        unsigned cell = 0;
        int length = 0;
        for (; isdigit((unsigned char)at[length]) && length < 3; length++)
            cell = 10 * cell + (unsigned)(at[length] - '0');
        if (length == 0)
            return status_fail(STATUS_INVALID,
                               "tuple '%s': '%c' is neither part of a list of cells (\"0 1 4 5\") nor of a drawing "
                               "(\"xx../xx../..../....\")",
                               text, *at);
        if (cell >= grid->n_cells)
            return status_fail(STATUS_INVALID, "tuple '%s': no cell %u, the board of %dx%d has cells 0 to %d", text,
                               cell, grid->rows, grid->cols, grid->n_cells - 1);
        if (*cells >> cell & 1)
            return status_fail(STATUS_INVALID, "tuple '%s' names cell %u twice", text, cell);
        *cells |= UINT32_C(1) << cell;
        at += length;
    }
    return STATUS_OK;
}

static enum status parse_drawing(const struct grid *grid, const char *text, uint32_t *cells)
{
    unsigned row = 0, col = 0;
    *cells = 0;
    for (const char *at = text;; at++) {
        if (isspace((unsigned char)*at))
            continue;
        if (*at == '/' || *at == '\0') {
            if (col != grid->cols || row >= grid->rows)
                return status_fail(STATUS_INVALID, "tuple '%s': row %u has %u cells; the board is %dx%d", text, row + 1,
                                   col, grid->rows, grid->cols);
            row++;
            col = 0;
            if (*at)
                continue;
            break;
        }
        if (*at != 'x' && *at != 'X' && *at != '.')
            return status_fail(STATUS_INVALID, "tuple '%s': '%c' in a drawing, expected 'x', '.' or '/'", text, *at);
        if (row < grid->rows && col < grid->cols && *at != '.')
            *cells |= UINT32_C(1) << (row * grid->cols + col);
        col++;
    }
    if (row != grid->rows)
        return status_fail(STATUS_INVALID, "tuple '%s' has %u rows; the board is %dx%d", text, row, grid->rows,
                           grid->cols);
    return STATUS_OK;
}

static bool same_tuple(const struct tuple *a, const struct tuple *b)
{
    return a->n_cells == b->n_cells && memcmp(a->cells, b->cells, a->n_cells) == 0;
}

enum status shape_add_tuple(struct shape *shape, const struct grid *grid, const char *text)
{
    uint32_t cells = 0;
    enum status status = strpbrk(text, "xX./") ? parse_drawing(grid, text, &cells) : parse_list(grid, text, &cells);
    if (status)
        return status;
    int n_cells = __builtin_popcount(cells);
    if (n_cells < 1 || n_cells > TUPLE_MAX_CELLS)
        return status_fail(STATUS_INVALID, "tuple '%s' has %d cells, expected 1 to %d", text, n_cells, TUPLE_MAX_CELLS);
    if (shape->n_tuples == SHAPE_MAX_TUPLES)
        return status_fail(STATUS_INVALID, "tuple '%s' is one too many: a network has at most %d", text,
                           SHAPE_MAX_TUPLES);
    struct tuple tuple = {0};
    for (; cells; cells &= cells - 1)
        tuple.cells[tuple.n_cells++] = (uint8_t)__builtin_ctz(cells);
    for (unsigned i = 0; i < shape->n_tuples; i++)
        if (same_tuple(&shape->tuples[i], &tuple))
            return status_fail(STATUS_INVALID, "tuple '%s' is the same as number %u", text, i + 1);
    shape->tuples[shape->n_tuples++] = tuple;
    return STATUS_OK;
}

bool tuple_contains(const struct grid *grid, const struct tuple *whole, unsigned symmetry, const struct tuple *part)
{
    uint32_t image = 0;
    for (unsigned i = 0; i < whole->n_cells; i++)
        image |= UINT32_C(1) << grid->symmetry[symmetry][whole->cells[i]];
    for (unsigned i = 0; i < part->n_cells; i++)
        if (!(image >> part->cells[i] & 1))
            return false;
    return true;
}

char *tuple_draw(const struct grid *grid, const struct tuple *tuple, char *out)
{
    char *to = out;
    unsigned next = 0;
    for (unsigned cell = 0; cell < grid->n_cells; cell++) {
        if (cell > 0 && cell % grid->cols == 0)
            *to++ = '/';
        bool inside = next < tuple->n_cells && tuple->cells[next] == cell;
        next += inside;
        *to++ = inside ? 'x' : '.';
    }
    *to = '\0';
    return out;
}

char *tuple_list(const struct tuple *tuple, char *out)
{
    char *to = out;
    *to = '\0';
    for (unsigned i = 0; i < tuple->n_cells; i++)
        to += sprintf(to, i ? " %d" : "%d", tuple->cells[i]);
    return out;
}
