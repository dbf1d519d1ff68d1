/* layout_create: makes the layout of a board (layout.h). */
#include "solve/layout_create.h"

#include "solve/layout_axes.h"
#include "solve/layout_walls.h"

#include "game/line.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* The symmetries that keep both parts, as permutations of cells; group[0] is the identity. */
struct symmetry_group {
    unsigned n;
    uint8_t cell[GRID_MAX_SYMMETRIES][BOARD_MAX_CELLS];
    uint8_t product[GRID_MAX_SYMMETRIES][GRID_MAX_SYMMETRIES];
    uint8_t inverse[GRID_MAX_SYMMETRIES];
};

/* What a content of a part looks like under each symmetry: cell i of the image has cell source[g][i] of the part. */
struct part_symmetry {
    uint8_t source[GRID_MAX_SYMMETRIES][LAYOUT_MAX_PART_CELLS];
};

/* ---- the split in two parts -------------------------------------------------------------------------------------- */

/* Cells in the orbit of a cell under all symmetries, as nibbles. */
static uint64_t orbit_of(const struct grid *grid, unsigned cell)
{
    uint64_t orbit = 0;
    for (unsigned s = 0; s < grid->n_symmetries; s++)
        orbit |= layout_nibble(grid->symmetry[s][cell]);
    return orbit;
}

/*
 * The first part: as near to half of the cells as unions of orbits allow, but never more than half if it can be helped,
 * because long rows are good for locality. Returns 0 if a part would have more than LAYOUT_MAX_PART_CELLS cells.
 */
static uint64_t choose_first_part(const struct grid *grid)
{
    uint64_t orbits[BOARD_MAX_CELLS], seen = 0, best = 0;
    unsigned n_orbits = 0;
    for (unsigned cell = 0; cell < grid->n_cells; cell++) {
        if (seen & layout_nibble(cell))
            continue;
        orbits[n_orbits++] = orbit_of(grid, cell);
        seen |= orbits[n_orbits - 1];
    }
    for (unsigned choice = 1; choice < 1u << n_orbits; choice++) {
        uint64_t mask = 0;
        for (unsigned i = 0; i < n_orbits; i++)
            mask |= choice >> i & 1 ? orbits[i] : 0;
        unsigned first = layout_cells_in(mask), second = grid->n_cells - first;
        if (first > LAYOUT_MAX_PART_CELLS || second > LAYOUT_MAX_PART_CELLS)
            continue;
        bool better =
            !best || (first <= second && (layout_cells_in(best) > grid->n_cells / 2 || first > layout_cells_in(best)));
        best = better ? mask : best;
    }
    return best;
}

/* Half of the cells, split across the longer side: the first rows or the first columns. */
static uint64_t first_half(const struct grid *grid)
{
    uint64_t mask = 0;
    for (unsigned cell = 0; cell < grid->n_cells; cell++) {
        bool first =
            grid->rows > grid->cols ? cell / grid->cols < grid->rows / 2u : cell % grid->cols < grid->cols / 2u;
        mask |= first ? layout_nibble(cell) : 0;
    }
    return mask;
}

static bool maps_to_itself(const uint8_t *permutation, unsigned n_cells, uint64_t mask)
{
    for (unsigned cell = 0; cell < n_cells; cell++) {
        if (!(mask & layout_nibble(cell)) != !(mask & layout_nibble(permutation[cell])))
            return false;
    }
    return true;
}

static unsigned group_find(const struct symmetry_group *group, const uint8_t *permutation)
{
    unsigned g = 0;
    while (g < group->n && memcmp(group->cell[g], permutation, BOARD_MAX_CELLS) != 0)
        g++;
    return g;
}

/* The distinct symmetries among `wanted` (bit s for number s) that map `mask` to itself, with their products. */
static void group_fill(struct symmetry_group *group, const struct grid *grid, unsigned wanted, uint64_t mask)
{
    group->n = 0;
    for (unsigned s = 0; s < grid->n_symmetries; s++) {
        if (wanted >> s & 1 && maps_to_itself(grid->symmetry[s], grid->n_cells, mask) &&
            group_find(group, grid->symmetry[s]) == group->n)
            memcpy(group->cell[group->n++], grid->symmetry[s], BOARD_MAX_CELLS);
    }
    for (unsigned g = 0; g < group->n; g++) {
        for (unsigned h = 0; h < group->n; h++) {
            /* g of (h of x) has in cell i what (h of x) has in g[i], which is what x has in h[g[i]]. */
            uint8_t both[BOARD_MAX_CELLS];
            for (unsigned i = 0; i < BOARD_MAX_CELLS; i++)
                both[i] = group->cell[h][group->cell[g][i]];
            group->product[g][h] = (uint8_t)group_find(group, both);
            if (group->product[g][h] == 0)
                group->inverse[g] = (uint8_t)h;
        }
    }
}

static void part_symmetry_fill(struct part_symmetry *symmetry, const struct symmetry_group *group,
                               const struct layout_part *part)
{
    uint8_t cells[LAYOUT_MAX_PART_CELLS], position[BOARD_MAX_CELLS] = {0};
    unsigned n = 0;
    memset(symmetry, 0, sizeof *symmetry);
    for (unsigned cell = 0; cell < BOARD_MAX_CELLS; cell++) {
        if (part->mask & layout_nibble(cell)) {
            position[cell] = (uint8_t)n;
            cells[n++] = (uint8_t)cell;
        }
    }
    for (unsigned g = 0; g < group->n; g++)
        for (unsigned i = 0; i < n; i++)
            symmetry->source[g][i] = position[group->cell[g][cells[i]]];
}

static uint32_t key_image(const struct part_symmetry *symmetry, unsigned g, uint32_t key, unsigned n_cells)
{
    uint32_t image = 0;
    for (unsigned i = 0; i < n_cells; i++)
        image |= (key >> 4 * symmetry->source[g][i] & 15) << 4 * i;
    return image;
}

/* ---- cosets and turns -------------------------------------------------------------------------------------------- */

/* Bit set of the elements g * s for s of the stabiliser. */
static unsigned coset_elements(const struct symmetry_group *group, unsigned g, unsigned stabiliser)
{
    unsigned elements = 0;
    for (unsigned s = 0; s < group->n; s++)
        elements |= stabiliser >> s & 1 ? 1u << group->product[g][s] : 0;
    return elements;
}

/* The number of the coset g * stabiliser, by its smallest element; a new one if it is met for the first time. */
static unsigned coset_number(struct layout *layout, const struct symmetry_group *group, unsigned g, unsigned stabiliser)
{
    unsigned least = (unsigned)__builtin_ctz(coset_elements(group, g, stabiliser));
    for (unsigned i = 0; i < layout->n_cosets; i++) {
        if (layout->coset_turn[i] == least && layout->coset_stabiliser[i] == stabiliser)
            return i;
    }
    /* At most 35: the ten subgroups of the symmetries of a square have 8 + 5*4 + 3*2 + 1 cosets. */
    assert(layout->n_cosets < LAYOUT_COSETS);
    layout->coset_turn[layout->n_cosets] = (uint8_t)least;
    layout->coset_stabiliser[layout->n_cosets] = (uint8_t)stabiliser;
    return layout->n_cosets++;
}

/*
 * turn[a, b]: the boards (g1 r1, g2 r2) and (r1, t r2) are images of each other for t = s1 g1^-1 g2 s2 with any s1, s2
 * that leave r1, r2 as they are. The smallest such t is the one.
 */
static void fill_turns(struct layout *layout, const struct symmetry_group *group)
{
    for (unsigned a = 0; a < layout->n_cosets; a++) {
        for (unsigned b = 0; b < layout->n_cosets; b++) {
            unsigned between = group->product[group->inverse[layout->coset_turn[a]]][layout->coset_turn[b]];
            unsigned best = GRID_MAX_SYMMETRIES;
            for (unsigned s = 0; s < group->n; s++) {
                if (!(layout->coset_stabiliser[a] >> s & 1))
                    continue;
                unsigned least = (unsigned)__builtin_ctz(
                    coset_elements(group, group->product[s][between], layout->coset_stabiliser[b]));
                best = least < best ? least : best;
            }
            layout->turn[a * LAYOUT_COSETS + b] = (uint8_t)best;
        }
    }
}

/* ---- the classes of a part --------------------------------------------------------------------------------------- */

static uint32_t key_half_sum(uint32_t key)
{
    uint32_t sum = 0;
    for (; key; key >>= 4)
        sum += (UINT32_C(1) << (key & 15)) >> 1;
    return sum;
}

struct found_class {
    uint32_t key;
    uint16_t sum; /* half sums are below 2^15 + .. : six tiles of 2^13 */
    uint8_t coset;
    bool plain; /* no symmetry but the identity keeps it */
};

static int compare_classes(const void *a, const void *b)
{
    const struct found_class *x = a, *y = b;
    if (x->sum != y->sum)
        return x->sum < y->sum ? -1 : 1;
    if (x->plain != y->plain)
        return x->plain ? 1 : -1;
    return x->key < y->key ? -1 : x->key > y->key;
}

/* The caps of a part's cells as a key, 15 where there is none. */
static uint32_t caps_key(const struct layout *layout, const struct layout_part *part)
{
    uint32_t key = 0;
    unsigned n = 0;
    for (unsigned cell = 0; cell < BOARD_MAX_CELLS; cell++) {
        const unsigned cap = walls_cap(layout->walls, cell);
        if (part->mask & layout_nibble(cell))
            key |= (cap < 15 ? cap : 15) << 4 * n++;
    }
    return key;
}

static bool is_within(uint32_t key, uint32_t caps)
{
    for (; key; key >>= 4, caps >>= 4) {
        if ((key & 15) > (caps & 15))
            return false;
    }
    return true;
}

static enum status collect_classes(struct layout *layout, const struct symmetry_group *group,
                                   const struct part_symmetry *symmetry, const struct layout_part *part,
                                   struct found_class **out, size_t *n_out)
{
    size_t n = 0, capacity = 0;
    struct found_class *classes = NULL;
    const uint32_t limit = UINT32_C(1) << 4 * part->n_cells, half_age = layout->max_age / 2;
    const uint32_t caps = caps_key(layout, part);
    for (uint32_t key = 0; key < limit; key = layout_next_key(key, layout->max_value)) {
        unsigned stabiliser = 0;
        bool least = true;
        for (unsigned g = 0; g < group->n && least; g++) {
            uint32_t image = key_image(symmetry, g, key, part->n_cells);
            least = image >= key;
            stabiliser |= image == key ? 1u << g : 0;
        }
        if (!least || key_half_sum(key) > half_age || !is_within(key, caps))
            continue;
        struct found_class *grown = memory_grow(classes, n + 1, &capacity, 1024, sizeof *grown);
        if (!grown) {
            free(classes);
            return STATUS_NO_MEMORY;
        }
        classes = grown;
        classes[n++] = (struct found_class){key, (uint16_t)key_half_sum(key),
                                            (uint8_t)coset_number(layout, group, 0, stabiliser), stabiliser == 1};
    }
    qsort(classes, n, sizeof *classes, compare_classes);
    *out = classes;
    *n_out = n;
    return STATUS_OK;
}

/* Writes the entries of all images of class number c (counted within its sum). */
static void enter_images(struct layout *layout, const struct symmetry_group *group,
                         const struct part_symmetry *symmetry, struct layout_part *part, uint32_t *entry,
                         const struct found_class *class, uint32_t sum_number, uint32_t c)
{
    unsigned stabiliser = layout->coset_stabiliser[class->coset];
    for (unsigned g = 0; g < group->n; g++) {
        uint32_t image = key_image(symmetry, g, class->key, part->n_cells);
        entry[image] =
            sum_number << LAYOUT_SUM_SHIFT | c << LAYOUT_COSET_BITS | coset_number(layout, group, g, stabiliser);
    }
}

static enum status index_classes(struct layout *layout, const struct symmetry_group *group,
                                 const struct part_symmetry *symmetry, struct layout_part *part,
                                 const struct found_class *classes, size_t n)
{
    size_t n_keys = (size_t)1 << 4 * part->n_cells;
    part->max_sum = classes[n - 1].sum;
    part->sum = memory_allocate(LAYOUT_MAX_SUMS, sizeof *part->sum);
    part->first_class = memory_allocate(LAYOUT_MAX_SUMS + 1, sizeof *part->first_class);
    part->sum_number = memory_allocate(part->max_sum + 1u, sizeof *part->sum_number);
    part->class_key = memory_allocate(n, sizeof *part->class_key);
    part->class_coset = memory_allocate(n, sizeof *part->class_coset);
    part->n_symmetric = memory_allocate(LAYOUT_MAX_SUMS, sizeof *part->n_symmetric);
    enum status status = memory_block_allocate(&part->entries, n_keys * sizeof(uint32_t));
    if (!part->sum || !part->first_class || !part->sum_number || !part->class_key || !part->class_coset ||
        !part->n_symmetric || status)
        return STATUS_NO_MEMORY;
    uint32_t *entry = part->entries.data;
    memset(entry, 0xff, n_keys * sizeof *entry);
    memset(part->sum_number, 0xff, (part->max_sum + 1u) * sizeof *part->sum_number);
    for (size_t i = 0; i < n; i++) {
        if (i == 0 || classes[i].sum != classes[i - 1].sum) {
            assert(part->n_sums < LAYOUT_MAX_SUMS); /* 5282 for six cells of up to 8192: counted */
            part->sum[part->n_sums] = classes[i].sum;
            part->sum_number[classes[i].sum] = (uint16_t)part->n_sums;
            part->first_class[part->n_sums++] = (uint32_t)i;
        }
        uint32_t c = (uint32_t)i - part->first_class[part->n_sums - 1];
        assert(c < 1u << LAYOUT_CLASS_BITS); /* at most 4620 contents of six cells have one sum: counted */
        part->class_key[i] = classes[i].key;
        part->class_coset[i] = classes[i].coset;
        part->n_symmetric[part->n_sums - 1] += !classes[i].plain;
        enter_images(layout, group, symmetry, part, entry, &classes[i], part->n_sums - 1, c);
    }
    part->first_class[part->n_sums] = (uint32_t)n;
    part->entry = entry;
    return STATUS_OK;
}

static enum status part_create(struct layout *layout, const struct symmetry_group *group,
                               const struct part_symmetry *symmetry, struct layout_part *part)
{
    struct found_class *classes;
    size_t n;
    enum status status = collect_classes(layout, group, symmetry, part, &classes, &n);
    if (status)
        return status;
    status = index_classes(layout, group, symmetry, part, classes, n);
    free(classes);
    return status;
}

/* What each slot of a row means, for all classes of the second part and all turns. */
static enum status slots_create(struct layout *layout, const struct part_symmetry *symmetry)
{
    const struct layout_part *part = &layout->part[1];
    size_t n_slots = (size_t)part->first_class[part->n_sums] << layout->group_shift;
    enum status status =
        memory_block_allocate(&layout->slots, n_slots * (sizeof *layout->slot_cells + sizeof *layout->slot_coset));
    if (status)
        return status;
    layout->slot_cells = layout->slots.data;
    layout->slot_coset = (uint8_t *)(layout->slot_cells + n_slots);
    for (size_t slot = 0; slot < n_slots; slot++) {
        uint32_t class = (uint32_t)(slot >> layout->group_shift);
        unsigned turn = (unsigned)slot & (layout->n_group - 1);
        uint32_t key = key_image(symmetry, turn, part->class_key[class], part->n_cells);
        layout->slot_cells[slot] = bits_deposit(key, part->mask);
        layout->slot_coset[slot] = (uint8_t)layout_entry_coset(part->entry[key]);
    }
    return STATUS_OK;
}

/* ---- line tables ------------------------------------------------------------------------------------------------- */

static uint64_t line_entry(uint32_t line, unsigned n_cells, unsigned goal)
{
    assert(n_cells <= LAYOUT_MAX_PART_CELLS); /* tells gcc's sanitizer builds, too, that the room is enough */
    uint8_t to_start[LAYOUT_MAX_PART_CELLS], to_end[LAYOUT_MAX_PART_CELLS];
    for (unsigned i = 0; i < n_cells; i++)
        to_start[i] = to_end[n_cells - 1 - i] = (uint8_t)(line >> 4 * i & 15);
    uint64_t reward = line_move_to_start(to_start, n_cells);
    line_move_to_start(to_end, n_cells);
    uint64_t start = 0, end = 0;
    if (goal)
        reward = memchr(to_start, (int)goal, n_cells) ? 4 : 0;
    for (unsigned i = 0; i < n_cells; i++) {
        /* A merge beyond max_value cannot happen on a board of an age up to max_age: whatever is written is unused. */
        start |= (uint64_t)(to_start[i] & 15) << 4 * i;
        end |= (uint64_t)(to_end[n_cells - 1 - i] & 15) << 4 * i;
    }
    return start | end << 24 | reward / 4 << 48;
}

static enum status lines_create(struct layout *layout)
{
    layout->line_cells[0] = layout->grid->cols;
    layout->line_cells[1] = layout->grid->rows;
    for (unsigned i = 0; i < 2; i++) {
        if (i == 1 && layout->line_cells[0] == layout->line_cells[1]) {
            layout->line_table[1] = layout->line_table[0];
            break;
        }
        uint32_t n_lines = UINT32_C(1) << 4 * layout->line_cells[i];
        uint64_t *table = layout->line_table[i] = memory_allocate(n_lines, sizeof **layout->line_table);
        if (!table)
            return STATUS_NO_MEMORY;
        for (uint32_t line = 0; line < n_lines; line = layout_next_key(line, layout->max_value))
            table[line] = line_entry(line, layout->line_cells[i], layout->goal);
    }
    return STATUS_OK;
}

/* ---- creating ---------------------------------------------------------------------------------------------------- */

static enum status fill_layout(struct layout *layout)
{
    const struct grid *grid = layout->grid;
    const uint64_t all = layout->free_bits * 15;
    uint64_t first;
    struct symmetry_group group;
    struct part_symmetry symmetry[2];
    layout->n_extra = 1;
    if (layout->walls.cells) {
        unsigned wanted;
        first = layout_choose_walled_part(layout, &wanted);
        group_fill(&group, grid, wanted, first);
    } else {
        struct symmetry_group whole;
        first = choose_first_part(grid);
        if (!first)
            first = first_half(grid);
        group_fill(&group, grid, UINT8_MAX, first);
        group_fill(&whole, grid, UINT8_MAX, all);
        layout->n_extra = whole.n / group.n;
        assert(layout->n_extra <= 2);
    }
    layout->n_group = group.n;
    layout->group_shift = (unsigned)__builtin_ctz(group.n);
    layout->col_mask = grid->column_mask;
    layout->part[0].mask = first;
    layout->part[1].mask = all & ~first;
    for (unsigned i = 0; i < 2; i++) {
        layout->part[i].n_cells = layout_cells_in(layout->part[i].mask);
        part_symmetry_fill(&symmetry[i], &group, &layout->part[i]);
    }
    enum status status = part_create(layout, &group, &symmetry[0], &layout->part[0]);
    bool alike = layout->part[0].n_cells == layout->part[1].n_cells &&
                 memcmp(&symmetry[0], &symmetry[1], sizeof symmetry[0]) == 0 &&
                 caps_key(layout, &layout->part[0]) == caps_key(layout, &layout->part[1]);
    if (!status && alike) { /* 4x3, 2x4: half the memory, and half the cache */
        uint64_t mask = layout->part[1].mask;
        layout->part[1] = layout->part[0];
        layout->part[1].mask = mask;
        layout->part[1].entries = (struct memory_block){0};
    } else if (!status) {
        status = part_create(layout, &group, &symmetry[1], &layout->part[1]);
    }
    if (!status)
        status = slots_create(layout, &symmetry[1]);
    if (!status)
        status = layout->walls.cells ? layout_create_walled_lines(layout) : lines_create(layout);
    if (!status)
        fill_turns(layout, &group);
    return status ? status : layout_create_axes(layout);
}

enum status layout_create(struct layout **out, const struct grid *grid, uint32_t max_age, unsigned goal,
                          struct walls walls)
{
    *out = NULL;
    if (walls_check(grid, walls, goal) != STATUS_OK)
        return STATUS_USAGE;
    if (walls_free_cells(walls, grid->n_cells) > LAYOUT_MAX_CELLS)
        return status_fail(STATUS_INVALID, "a board of %ux%u has %u cells; boards of at most %d cells can be solved",
                           grid->rows, grid->cols, grid->n_cells, LAYOUT_MAX_CELLS);
    struct layout *layout = memory_allocate(1, sizeof *layout);
    if (!layout)
        return STATUS_NO_MEMORY;
    uint32_t largest = walls_last_age(walls, grid->n_cells, goal);
    layout->grid = grid;
    layout->walls = walls;
    layout->free_bits = walls_free_bits(walls, grid);
    layout->max_age = max_age == 0 || max_age > largest ? largest : max_age;
    unsigned from_age = 31 - (unsigned)__builtin_clz(layout->max_age | 2);
    layout->max_value = from_age < grid->max_value ? from_age : grid->max_value;
    layout->goal = goal;
    if (goal && goal <= layout->max_value)
        layout->max_value = goal - 1;
    enum status status = fill_layout(layout);
    if (status) {
        layout_free(layout);
        return status;
    }
    *out = layout;
    return STATUS_OK;
}

static void part_free(struct layout_part *part)
{
    free(part->sum);
    free(part->first_class);
    free(part->sum_number);
    free(part->class_key);
    free(part->class_coset);
    free(part->n_symmetric);
    memory_block_free(&part->entries);
}

void layout_free(struct layout *layout)
{
    if (!layout)
        return;
    if (layout->part[1].sum != layout->part[0].sum)
        part_free(&layout->part[1]);
    part_free(&layout->part[0]);
    memory_block_free(&layout->slots);
    layout_free_axes(layout);
    if (layout->line_table[1] != layout->line_table[0])
        free(layout->line_table[1]);
    free(layout->line_table[0]);
    for (unsigned axis = 0; axis < 2; axis++) {
        for (unsigned i = 0; i < WALLS_MAX_SIDE; i++)
            free(layout->walled_line[axis][i]);
    }
    free(layout);
}

uint64_t layout_bytes(const struct layout *layout)
{
    uint64_t bytes = layout->slots.bytes + layout->part[0].entries.bytes + layout->part[1].entries.bytes;
    for (unsigned i = 0; i < 2; i++) {
        unsigned n_tables = !layout->walls.cells ? 1 : i == 0 ? layout->grid->rows : layout->grid->cols;
        bytes += n_tables * (sizeof(uint64_t) << 4 * layout->line_cells[i]);
    }
    return bytes + layout_axes_bytes(layout);
}
