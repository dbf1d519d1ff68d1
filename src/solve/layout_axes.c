/*
 * What moves and spawns do to each slot of the second part, computed once for all rows (struct layout_axis, struct
 * layout_growth). It takes some 25 bytes a slot: 200 MB for all of 4x3, of which a pass uses the slots of one sum, some
 * 100 kB, at a time.
 */
#include "solve/layout_axes.h"

#include <assert.h>
#include <stdlib.h>

static size_t n_slots_of(const struct layout *layout)
{
    const struct layout_part *second = &layout->part[1];
    return (size_t)second->first_class[second->n_sums] << layout->group_shift;
}

static uint32_t code_of(const struct layout *layout, uint32_t entry)
{
    assert(layout_entry_class(entry) << layout->group_shift < 1u << LAYOUT_SLOT_BITS || entry == UINT32_MAX);
    uint32_t slot = layout_entry_class(entry) << layout->group_shift & ((1u << LAYOUT_SLOT_BITS) - 1);
    return slot << LAYOUT_COSET_BITS | layout_entry_coset(entry);
}

/* ---- the lines of an axis ---------------------------------------------------------------------------------------- */

struct line_cells {
    unsigned n;
    unsigned cell[LAYOUT_MAX_PART_CELLS], place[LAYOUT_MAX_PART_CELLS]; /* on the board, and in the line */
};

static unsigned n_lines_of(const struct grid *grid, unsigned axis)
{
    return axis == 0 ? grid->rows : grid->cols;
}

/* The free cells of a line. */
static struct line_cells line_of(const struct layout *layout, unsigned axis, unsigned number)
{
    const struct grid *grid = layout->grid;
    struct line_cells line = {.n = 0};
    assert(layout->line_cells[axis] <= LAYOUT_MAX_PART_CELLS);
    for (unsigned i = 0; i < layout->line_cells[axis]; i++) {
        unsigned cell = axis == 0 ? number * grid->cols + i : i * grid->cols + number;
        if (layout->free_bits >> 4 * cell & 1) {
            line.place[line.n] = i;
            line.cell[line.n++] = cell;
        }
    }
    return line;
}

static unsigned part_of(const struct layout *layout, unsigned cell)
{
    return layout->part[1].mask >> 4 * cell & 1;
}

/* The position of a cell among those of its part: which nibble of the part's key it is. */
static unsigned position_in_part(const struct layout *layout, unsigned cell)
{
    uint64_t below = layout->part[part_of(layout, cell)].mask & ((UINT64_C(1) << 4 * cell) - 1);
    return (unsigned)__builtin_popcountll(below) / 4;
}

static bool is_by_part(const struct layout *layout, unsigned axis)
{
    for (unsigned number = 0; number < n_lines_of(layout->grid, axis); number++) {
        struct line_cells line = line_of(layout, axis, number);
        for (unsigned i = 1; i < line.n; i++) {
            if (part_of(layout, line.cell[i]) != part_of(layout, line.cell[0]))
                return false;
        }
    }
    return true;
}

/* The nibbles of a line's free cells in its own order, put where they belong in the keys of both parts. */
static uint64_t keys_of_line(const struct layout *layout, const struct line_cells *line, uint64_t values)
{
    uint64_t keys = 0;
    for (unsigned i = 0; i < line->n; i++) {
        unsigned shift = 24 * part_of(layout, line->cell[i]) + 4 * position_in_part(layout, line->cell[i]);
        keys |= (values >> 4 * i & 15) << shift;
    }
    return keys;
}

/* The free cells' nibbles of a line, close together, from and to their places in the line. */
static uint64_t close_up(const struct line_cells *line, uint64_t spread)
{
    uint64_t values = 0;
    for (unsigned i = 0; i < line->n; i++)
        values |= (spread >> 4 * line->place[i] & 15) << 4 * i;
    return values;
}

static uint64_t spread_out(const struct line_cells *line, uint64_t values)
{
    uint64_t spread = 0;
    for (unsigned i = 0; i < line->n; i++)
        spread |= (values >> 4 * i & 15) << 4 * line->place[i];
    return spread;
}

/* What a line's move to an end adds to a sum beside its keys. */
static uint64_t line_flags(const struct layout *layout, uint64_t entry, unsigned end)
{
    if (!layout->walls.cells)
        return (uint64_t)line_entry_reward(entry) / 4 << 48;
    return (uint64_t)walled_entry_makes_goal(entry, end) << 48 | (uint64_t)walled_entry_is_blocked(entry, end)
                                                                     << LINE_MOVES_BLOCKED_BIT;
}

static enum status create_line(struct layout *layout, unsigned axis, unsigned number)
{
    struct layout_axis *to = &layout->axis[axis];
    const uint64_t *table = layout->walls.cells ? layout->walled_line[axis][number] : layout->line_table[axis];
    struct line_cells line = line_of(layout, axis, number);
    uint64_t all = keys_of_line(layout, &line, UINT64_MAX);
    uint32_t first = to->first_mask[number] = (uint32_t)all & 0xffffff;
    uint32_t second = to->second_mask[number] = (uint32_t)(all >> 24);
    unsigned bits = to->second_bits[number] = (unsigned)__builtin_popcount(second);
    struct line_moves *moves = to->lines[number] = memory_allocate((size_t)1 << 4 * line.n, sizeof *moves);
    if (!moves)
        return STATUS_NO_MEMORY;
    const uint32_t limit = UINT32_C(1) << 4 * line.n;
    for (uint32_t values = 0; values < limit; values = layout_next_key(values, layout->max_value)) {
        uint64_t entry = table[spread_out(&line, values)], keys = keys_of_line(layout, &line, values);
        size_t index = bits_extract(keys & 0xffffff, first) << bits | bits_extract(keys >> 24, second);
        uint64_t start = close_up(&line, line_entry_start(entry)), end = close_up(&line, line_entry_end(entry));
        moves[index].to_start = keys_of_line(layout, &line, start) | line_flags(layout, entry, 0) |
                                (uint64_t)(start != values) << LINE_MOVES_CHANGED_BIT;
        moves[index].to_end = keys_of_line(layout, &line, end) | line_flags(layout, entry, 1) |
                              (uint64_t)(end != values) << LINE_MOVES_CHANGED_BIT;
    }
    return STATUS_OK;
}

/* ---- slots ------------------------------------------------------------------------------------------------------- */

static enum status create_crossing(struct layout *layout, unsigned axis)
{
    struct layout_axis *to = &layout->axis[axis];
    const size_t n_slots = n_slots_of(layout);
    to->n_lines = n_lines_of(layout->grid, axis);
    assert(to->n_lines <= LAYOUT_MAX_LINES);
    for (unsigned i = 0; i < to->n_lines; i++) {
        if (create_line(layout, axis, i) != STATUS_OK)
            return STATUS_NO_MEMORY;
    }
    to->slot_lines = memory_allocate(n_slots, sizeof *to->slot_lines);
    if (!to->slot_lines)
        return STATUS_NO_MEMORY;
    for (size_t slot = 0; slot < n_slots; slot++) {
        uint64_t key = bits_extract(layout->slot_cells[slot], layout->part[1].mask);
        for (unsigned i = 0; i < to->n_lines; i++)
            to->slot_lines[slot] |= bits_extract(key, to->second_mask[i]) << 16 * i;
    }
    return STATUS_OK;
}

static enum status create_by_part(struct layout *layout, unsigned axis)
{
    static const enum direction directions[2][2] = {{DIRECTION_LEFT, DIRECTION_RIGHT}, {DIRECTION_UP, DIRECTION_DOWN}};
    struct layout_axis *to = &layout->axis[axis];
    const size_t n_slots = n_slots_of(layout);
    to->by_part = true;
    for (unsigned end = 0; end < 2; end++)
        to->slot_moved[end] = memory_allocate(n_slots, sizeof *to->slot_moved[end]);
    if (!to->slot_moved[0] || !to->slot_moved[1])
        return STATUS_NO_MEMORY;
    for (size_t slot = 0; slot < n_slots; slot++) {
        uint64_t cells = layout->slot_cells[slot];
        struct word_moves moves = layout_part_moves(layout, cells, 1);
        for (unsigned end = 0; end < 2; end++) {
            const enum direction direction = directions[axis][end];
            uint64_t after = moves.after[direction];
            uint32_t reward = moves.reward[direction] / 4;
            assert(reward < 1u << LAYOUT_REWARD_BITS); /* no more than a quarter of the tiles: 4095 */
            to->slot_moved[end][slot] = code_of(layout, layout_entry(layout, 1, after)) |
                                        reward << LAYOUT_REWARD_SHIFT |
                                        (moves.blocked >> direction & 1) << LAYOUT_CODE_BLOCKED_BIT |
                                        (uint32_t)(after != cells) << LAYOUT_CODE_CHANGED_BIT;
        }
    }
    return STATUS_OK;
}

static enum status create_growth(struct layout *layout)
{
    struct layout_growth *growth = &layout->growth;
    const size_t n_slots = n_slots_of(layout);
    const uint64_t mask = layout->part[1].mask, used = mask & BOARD_LOW_BITS;
    growth->first = memory_allocate(n_slots + 1, sizeof *growth->first);
    if (!growth->first)
        return STATUS_NO_MEMORY;
    uint64_t n = 0;
    for (size_t slot = 0; slot < n_slots; slot++) {
        growth->first[slot] = (uint32_t)n;
        n += (unsigned)__builtin_popcountll(used & ~board_occupied_bits(layout->slot_cells[slot]));
    }
    assert(n <= UINT32_MAX); /* six cells for each of 8 million slots at most */
    growth->first[n_slots] = (uint32_t)n;
    for (unsigned v = 0; v < 2; v++) {
        growth->code[v] = memory_allocate(n, sizeof *growth->code[v]);
        if (!growth->code[v])
            return STATUS_NO_MEMORY;
        uint32_t *code = growth->code[v];
        for (size_t slot = 0; slot < n_slots; slot++) {
            uint64_t cells = layout->slot_cells[slot];
            for (uint64_t empty = used & ~board_occupied_bits(cells); empty; empty &= empty - 1) /* codes of ages
                beyond max_age are never used */
                *code++ = code_of(layout, layout_entry(layout, 1, cells | (empty & -empty) << v));
        }
    }
    return STATUS_OK;
}

/* Which lines have all their free cells in one part. */
static void list_part_lines(struct layout *layout)
{
    for (unsigned axis = 0; axis < 2; axis++) {
        for (unsigned number = 0; number < n_lines_of(layout->grid, axis); number++) {
            struct line_cells line = line_of(layout, axis, number);
            unsigned n_second = 0;
            for (unsigned i = 0; i < line.n; i++)
                n_second += part_of(layout, line.cell[i]);
            if (line.n && (n_second == 0 || n_second == line.n))
                layout->part_lines[axis][n_second > 0] |= (uint8_t)(1u << number);
        }
    }
}

/* ---- all --------------------------------------------------------------------------------------------------------- */

enum status layout_create_axes(struct layout *layout)
{
    layout->by_rows = layout->n_extra == 1;
    for (unsigned axis = 0; axis < 2; axis++)
        layout->by_rows &= is_by_part(layout, axis) || (layout->line_cells[axis] <= LAYOUT_MAX_LINE_CELLS &&
                                                        n_lines_of(layout->grid, axis) <= LAYOUT_MAX_LINES);
    if (layout->walls.cells)
        list_part_lines(layout);
    if (!layout->by_rows)
        return STATUS_OK;
    for (unsigned axis = 0; axis < 2; axis++) {
        enum status status = is_by_part(layout, axis) ? create_by_part(layout, axis) : create_crossing(layout, axis);
        if (status)
            return status;
    }
    return create_growth(layout);
}

void layout_free_axes(struct layout *layout)
{
    for (unsigned axis = 0; axis < 2; axis++) {
        struct layout_axis *of = &layout->axis[axis];
        free(of->slot_moved[0]);
        free(of->slot_moved[1]);
        free(of->slot_lines);
        for (unsigned i = 0; i < LAYOUT_MAX_LINES; i++)
            free(of->lines[i]);
    }
    free(layout->growth.first);
    free(layout->growth.code[0]);
    free(layout->growth.code[1]);
}

uint64_t layout_axes_bytes(const struct layout *layout)
{
    if (!layout->by_rows)
        return 0;
    const size_t n_slots = n_slots_of(layout);
    uint64_t bytes = (n_slots + 1 + 2 * (uint64_t)layout->growth.first[n_slots]) * sizeof(uint32_t);
    for (unsigned axis = 0; axis < 2; axis++) {
        const struct layout_axis *of = &layout->axis[axis];
        bytes += n_slots * (of->by_part ? 2 * sizeof(uint32_t) : sizeof(uint64_t));
        for (unsigned i = 0; i < of->n_lines; i++)
            bytes += sizeof(struct line_moves) << 4 * line_of(layout, axis, i).n;
    }
    return bytes;
}
