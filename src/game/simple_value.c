/* simple_value: a hand-made value function, for playing before any network is trained. */
#include "game/simple_value.h"

#include "base/bits.h"
#include "base/memory.h"

#include <assert.h>
#include <stdlib.h>

/* The weights; found by hand and a coarse search over each (2-ply on 4x4, 400 games a point). */
static const float weight_alive = 20000; /* a line; keeps every value above 0 */
static const float weight_empty = 200;   /* an empty cell, counted in its row and in its column */
static const float weight_merge = 400;   /* two equal neighbours */
static const float weight_order = 7;     /* times the difference of exponent^3 of neighbours that break the order */

enum { LINE_CELLS = 4, LINE_TABLE = 65536 };

struct simple_value {
    const struct grid *grid;
    float line[BOARD_MAX_SIDE + 1][LINE_TABLE]; /* [length][cells], lengths 1..4 of this grid filled */
};

/* The worth of a line of n values. */
static float evaluate_line(const uint8_t *values, unsigned n)
{
    float worth = weight_alive, rising = 0, falling = 0;
    unsigned before = 0; /* the last tile seen; empty cells do not hinder a merge */
    for (unsigned i = 0; i < n; i++) {
        if (values[i] == 0) {
            worth += weight_empty;
            continue;
        }
        if (values[i] == before)
            worth += weight_merge;
        before = values[i];
    }
    for (unsigned i = 0; i + 1 < n; i++) {
        float a = (float)values[i] * values[i] * values[i], b = (float)values[i + 1] * values[i + 1] * values[i + 1];
        if (a > b)
            falling += a - b;
        else
            rising += b - a;
    }
    worth -= weight_order * (falling < rising ? falling : rising);
    return worth > 1 ? worth : 1;
}

static void fill_lines(struct simple_value *simple, unsigned length)
{
    for (unsigned cells = 0; cells < 1u << 4 * length; cells++) {
        uint8_t values[LINE_CELLS] = {0};
        for (unsigned i = 0; i < length; i++)
            values[i] = cells >> 4 * i & 15;
        simple->line[length][cells] = evaluate_line(values, length);
    }
}

/* One line of the board: by table up to four cells, else directly. Tiles beyond 32768 count as 32768. */
static float line_worth(const struct simple_value *simple, unsigned length, uint64_t cells)
{
    if (length <= LINE_CELLS)
        return simple->line[length][cells];
    assert(length <= BOARD_MAX_SIDE); /* tells gcc's sanitizer builds, too, that the room is enough */
    uint8_t values[BOARD_MAX_SIDE];
    for (unsigned i = 0; i < length; i++)
        values[i] = cells >> 4 * i & 15;
    return evaluate_line(values, length);
}

static float board_worth(const void *context, struct board after)
{
    const struct simple_value *simple = context;
    const struct grid *grid = simple->grid;
    float worth = 0;
    for (unsigned row = 0; row < grid->rows; row++) {
        uint64_t mask = (UINT64_C(1) << 4 * grid->cols) - 1;
        worth += line_worth(simple, grid->cols, after.cells >> 4 * grid->cols * row & mask);
    }
    for (unsigned col = 0; col < grid->cols; col++)
        worth += line_worth(simple, grid->rows, bits_extract(after.cells, grid->column_mask << 4 * col));
    return worth;
}

static void boards_worth(const void *context, const struct board *after, size_t n, float *out)
{
    for (size_t i = 0; i < n; i++)
        out[i] = board_worth(context, after[i]);
}

enum status simple_value_create(struct simple_value **out, const struct grid *grid)
{
    struct simple_value *simple = *out = memory_allocate(1, sizeof *simple);
    if (!simple)
        return STATUS_NO_MEMORY;
    simple->grid = grid;
    if (grid->rows <= LINE_CELLS)
        fill_lines(simple, grid->rows);
    if (grid->cols <= LINE_CELLS && grid->cols != grid->rows)
        fill_lines(simple, grid->cols);
    return STATUS_OK;
}

void simple_value_free(struct simple_value *simple)
{
    free(simple);
}

struct value_function simple_value_function(const struct simple_value *simple)
{
    return (struct value_function){.context = simple, .values = boards_worth, .symmetric = true};
}
