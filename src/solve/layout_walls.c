/* layout_walls: what boards with walls need when a layout is created; private to layout_create. */
#include "solve/layout_walls.h"

#include "game/line.h"
#include "solve/layout_axes.h"

#include <assert.h>

/* ---- parts of boards with walls ---------------------------------------------------------------------------------- */

/* The symmetries that keep the walls: bit s for number s. */
static unsigned walled_symmetries(const struct layout *layout)
{
    unsigned kept = 0;
    for (unsigned s = 0; s < layout->grid->n_symmetries; s++)
        kept |= (unsigned)walls_keep(layout->grid, layout->walls, s) << s;
    return kept;
}

/* Whether some symmetries are a group: symmetry a of image b of a board is an image by another one of them. */
static bool is_group(const struct grid *grid, unsigned symmetries)
{
    for (unsigned a = 0; a < grid->n_symmetries; a++) {
        for (unsigned b = 0; b < grid->n_symmetries; b++) {
            if (!(symmetries >> a & symmetries >> b & 1))
                continue;
            bool found = false;
            for (unsigned c = 0; c < grid->n_symmetries && !found; c++) {
                found = symmetries >> c & 1;
                for (unsigned i = 0; i < grid->n_cells; i++)
                    found &= grid->symmetry[b][grid->symmetry[a][i]] == grid->symmetry[c][i];
            }
            if (!found)
                return false;
        }
    }
    return true;
}

/* How many axes move each part by itself, if this is the first one. */
static unsigned count_by_part_axes(const struct layout *layout, uint64_t first)
{
    const struct grid *grid = layout->grid;
    unsigned n = 0;
    for (unsigned axis = 0; axis < 2; axis++) {
        bool by_part = true;
        for (unsigned i = 0; i < (axis == 0 ? grid->rows : grid->cols); i++) {
            uint64_t line = 0;
            for (unsigned k = 0; k < (axis == 0 ? grid->cols : grid->rows); k++)
                line |= layout_nibble(axis == 0 ? i * grid->cols + k : k * grid->cols + i);
            line &= layout->free_bits * 15;
            by_part &= !(line & first) || !(line & ~first);
        }
        n += by_part;
    }
    return n;
}

/* Whether a split is better than the best so far: by more such axes, then by near halves, the smaller part first. */
static bool is_better_split(const struct layout *layout, uint64_t first, uint64_t best)
{
    if (!best)
        return true;
    unsigned by_part = count_by_part_axes(layout, first), best_by_part = count_by_part_axes(layout, best);
    unsigned half = layout_cells_in(layout->free_bits * 15) / 2, n = layout_cells_in(first),
             n_best = layout_cells_in(best);
    if (by_part != best_by_part)
        return by_part > best_by_part;
    return n <= half && (n_best > half || n > n_best);
}

/* The best split by unions of orbits of these symmetries; 0 if a part would have too many cells. */
static uint64_t split_by_orbits(const struct layout *layout, unsigned symmetries)
{
    const struct grid *grid = layout->grid;
    uint64_t orbits[BOARD_MAX_CELLS], seen = 0, best = 0;
    unsigned n_orbits = 0, n_free = layout_cells_in(layout->free_bits * 15);
    for (unsigned cell = 0; cell < grid->n_cells; cell++) {
        if (seen & layout_nibble(cell) || !(layout->free_bits * 15 & layout_nibble(cell)))
            continue;
        uint64_t orbit = 0;
        for (unsigned s = 0; s < grid->n_symmetries; s++)
            orbit |= symmetries >> s & 1 ? layout_nibble(grid->symmetry[s][cell]) : 0;
        seen |= orbits[n_orbits++] = orbit;
    }
    for (unsigned choice = 1; choice < 1u << n_orbits; choice++) {
        uint64_t mask = 0;
        for (unsigned i = 0; i < n_orbits; i++)
            mask |= choice >> i & 1 ? orbits[i] : 0;
        if (layout_cells_in(mask) <= LAYOUT_MAX_PART_CELLS && n_free - layout_cells_in(mask) <= LAYOUT_MAX_PART_CELLS &&
            is_better_split(layout, mask, best))
            best = mask;
    }
    return best;
}

uint64_t layout_choose_walled_part(const struct layout *layout, unsigned *symmetries)
{
    const unsigned kept = walled_symmetries(layout);
    uint64_t best = 0;
    *symmetries = 0;
    for (unsigned some = 1; some <= kept; some += 2) { /* the identity is number 0 */
        if ((some & ~kept) || __builtin_popcount(some) < __builtin_popcount(*symmetries) ||
            !is_group(layout->grid, some))
            continue;
        uint64_t first = split_by_orbits(layout, some);
        if (!first ||
            (__builtin_popcount(some) == __builtin_popcount(*symmetries) && !is_better_split(layout, first, best)))
            continue;
        best = first;
        *symmetries = some;
    }
    return best;
}

/* ---- lines with walls -------------------------------------------------------------------------------------------- */

/* A line with its walls, as the rule of a move takes it. Walls are all different and larger than the goal, so that the
   rule itself says where they would go. */
struct walled_line {
    unsigned n;
    uint8_t values[LAYOUT_MAX_PART_CELLS];
    bool wall[LAYOUT_MAX_PART_CELLS], counts[LAYOUT_MAX_PART_CELLS]; /* whether the goal counts in a cell */
    unsigned cap[LAYOUT_MAX_PART_CELLS];
};

static struct walled_line read_walled_line(const struct layout *layout, unsigned axis, unsigned number, uint32_t values,
                                           bool to_end)
{
    const unsigned cols = layout->grid->cols;
    struct walled_line line = {.n = layout->line_cells[axis]};
    assert(line.n <= WALLS_MAX_SIDE); /* tells gcc's sanitizer builds, too, that the room is enough */
    for (unsigned i = 0; i < line.n; i++) {
        const unsigned place = to_end ? line.n - 1 - i : i;
        const unsigned cell = axis == 0 ? number * cols + i : i * cols + number;
        line.wall[place] = layout->walls.cells >> cell & 1;
        line.counts[place] = !layout->walls.at || layout->walls.at >> cell & 1;
        line.cap[place] = walls_cap(layout->walls, cell);
        line.values[place] = (uint8_t)(line.wall[place] ? BOARD_MAX_VALUE + 1 + place : values >> 4 * i & 15);
    }
    return line;
}

/* What a move towards line->values[0] does; `values` become what is left there, 0 where walls are. */
static void move_walled_line(const struct layout *layout, struct walled_line *line, bool *blocked, bool *makes_goal)
{
    struct walled_line before = *line;
    line_move_to_start(line->values, line->n);
    *blocked = *makes_goal = false;
    for (unsigned i = 0; i < line->n; i++) {
        *blocked |= line->wall[i] && line->values[i] != before.values[i];
        if (line->values[i] != layout->goal) {
            *blocked |= !line->wall[i] && line->values[i] > line->cap[i];
            continue;
        }
        *makes_goal = true;
        *blocked |= !line->counts[i];
    }
    for (unsigned i = 0; i < line->n; i++)
        line->values[i] = *blocked ? before.values[i] : line->values[i];
    for (unsigned i = 0; i < line->n; i++)
        line->values[i] = line->wall[i] ? 0 : line->values[i];
    *makes_goal &= !*blocked;
}

static uint64_t walled_entry(const struct layout *layout, unsigned axis, unsigned number, uint32_t values)
{
    uint64_t entry = 0;
    for (unsigned end = 0; end < 2; end++) {
        struct walled_line line = read_walled_line(layout, axis, number, values, end == 1);
        bool blocked, makes_goal;
        move_walled_line(layout, &line, &blocked, &makes_goal);
        for (unsigned i = 0; i < line.n; i++)
            entry |= (uint64_t)(line.values[end ? line.n - 1 - i : i] & 15) << (24 * end + 4 * i);
        entry |= (uint64_t)makes_goal << (WALLED_ENTRY_GOAL_BIT + end);
        entry |= (uint64_t)blocked << (WALLED_ENTRY_BLOCKED_BIT + end);
    }
    return entry;
}

enum status layout_create_walled_lines(struct layout *layout)
{
    const unsigned n_lines[2] = {layout->grid->rows, layout->grid->cols};
    layout->line_cells[0] = layout->grid->cols;
    layout->line_cells[1] = layout->grid->rows;
    for (unsigned axis = 0; axis < 2; axis++) {
        for (unsigned i = 0; i < n_lines[axis]; i++) {
            const uint32_t n_keys = UINT32_C(1) << 4 * layout->line_cells[axis];
            uint64_t *table = layout->walled_line[axis][i] = memory_allocate(n_keys, sizeof *table);
            if (!table)
                return STATUS_NO_MEMORY;
            for (uint32_t key = 0; key < n_keys; key = layout_next_key(key, layout->max_value))
                table[key] = walled_entry(layout, axis, i, key);
        }
    }
    return STATUS_OK;
}
