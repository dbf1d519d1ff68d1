/*
 * A board has at most 16 cells, so there are at most 65536 sets: each is tested for being its own canonical form. Of
 * two sets of the same size, the one that has the lowest cell in which they differ is lexicographically first.
 */
#include "ntuple/tuple_list.h"

#include "base/memory.h"

#include <stdio.h>
#include <stdlib.h>

/* Whether a is lexicographically before b; both have the same number of cells. */
static bool is_before(unsigned a, unsigned b)
{
    unsigned differ = a ^ b;
    return (a & differ & -differ) != 0;
}

static int compare(const void *a, const void *b)
{
    uint16_t x = *(const uint16_t *)a, y = *(const uint16_t *)b;
    return x == y ? 0 : is_before(x, y) ? -1 : 1;
}

/* The canonical image of a set. */
static uint16_t canonical_set(const struct grid *grid, uint16_t set)
{
    uint16_t best = set;
    for (unsigned s = 1; s < grid->n_symmetries; s++) {
        uint16_t image = 0;
        for (unsigned cell = 0; cell < grid->n_cells; cell++)
            image |= (uint16_t)((set >> grid->symmetry[s][cell] & 1) << cell);
        if (is_before(image, best))
            best = image;
    }
    return best;
}

bool tuple_set_connected(const struct grid *grid, uint16_t set)
{
    unsigned first_column = 0, last_column = 0;
    for (unsigned row = 0; row < grid->rows; row++) {
        first_column |= 1u << row * grid->cols;
        last_column |= 1u << (row * grid->cols + grid->cols - 1);
    }
    unsigned reached = set & -(unsigned)set, before;
    do { /* grow from the lowest cell by one side at a time */
        before = reached;
        reached |= reached << grid->cols | reached >> grid->cols;
        reached |= (before & ~last_column) << 1 | (before & ~first_column) >> 1;
        reached &= set;
    } while (reached != before);
    return reached == set;
}

enum status tuple_list_create(struct tuple_list *list, const struct grid *grid, unsigned n_cells, bool connected)
{
    *list = (struct tuple_list){0};
    if (n_cells < 1 || n_cells > grid->n_cells)
        return status_fail(STATUS_INVALID, "tuples of %u cells: a board of %ux%u has tuples of 1 to %u", n_cells,
                           grid->rows, grid->cols, grid->n_cells);
    uint32_t n_sets = UINT32_C(1) << grid->n_cells;
    list->n_cells = n_cells;
    for (int pass = 0; pass < 2; pass++) { /* count, then keep */
        list->n_tuples = 0;
        for (uint32_t set = 0; set < n_sets; set++) {
            if ((unsigned)__builtin_popcount(set) != n_cells ||
                (connected && !tuple_set_connected(grid, (uint16_t)set)))
                continue;
            if (canonical_set(grid, (uint16_t)set) != set)
                continue;
            if (pass == 1)
                list->tuples[list->n_tuples] = (uint16_t)set;
            list->n_tuples++;
        }
        if (pass == 0 && !(list->tuples = memory_allocate(list->n_tuples, sizeof *list->tuples))) {
            tuple_list_free(list);
            return STATUS_NO_MEMORY;
        }
    }
    qsort(list->tuples, list->n_tuples, sizeof *list->tuples, compare);
    return STATUS_OK;
}

void tuple_list_free(struct tuple_list *list)
{
    free(list->tuples);
    *list = (struct tuple_list){0};
}

size_t tuple_list_find(const struct tuple_list *list, const struct grid *grid, uint16_t set)
{
    uint16_t canonical = canonical_set(grid, set);
    if ((unsigned)__builtin_popcount(set) != list->n_cells || list->n_tuples == 0)
        return list->n_tuples;
    const uint16_t *found = bsearch(&canonical, list->tuples, list->n_tuples, sizeof *list->tuples, compare);
    return found ? (size_t)(found - list->tuples) : list->n_tuples;
}

char *tuple_set_list(uint16_t set, char *out)
{
    char *to = out;
    *to = '\0';
    for (unsigned cells = set; cells; cells &= cells - 1)
        to += sprintf(to, to == out ? "%d" : " %d", __builtin_ctz(cells));
    return out;
}

char *tuple_set_draw(const struct grid *grid, uint16_t set, char *out)
{
    char *to = out;
    for (unsigned cell = 0; cell < grid->n_cells; cell++) {
        if (cell > 0 && cell % grid->cols == 0)
            *to++ = '/';
        *to++ = set >> cell & 1 ? 'x' : '.';
    }
    *to = '\0';
    return out;
}

enum status tuple_set_add(struct shape *shape, const struct grid *grid, uint16_t set)
{
    char text[TUPLE_SET_LIST_BYTES];
    return shape_add_tuple(shape, grid, tuple_set_list(set, text));
}
