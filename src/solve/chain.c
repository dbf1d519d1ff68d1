/* chain: the best moves late in the real game of 4x4, from tables with walls and caps. */
#include "solve/chain.h"

#include "base/memory.h"
#include "solve/endgame.h"

#include <math.h>
#include <stdlib.h>

enum { CORNER = 0x0037 };

/*
 * The least chance of the target at which a table chooses the move; below it the search does. With a small target the
 * search is better once the table's best chance is poor. With a large one the table chooses even at small chances,
 * where the search finds no way at all.
 */
static const double least_chance_near = 0.9, least_chance_far = 0.1;
enum { FAR_TARGET = 10 }; /* 1024 */

struct link {
    struct table *table;
    struct walls walls;
    unsigned goal;
    double least_chance;
};

struct chain {
    unsigned n_links;
    struct link links[CHAIN_MAX_TABLES];
};

size_t chain_n_tables(const struct chain *chain)
{
    return chain->n_links;
}

const struct table *chain_table(const struct chain *chain, size_t i)
{
    return chain->links[i].table;
}

void chain_close(struct chain *chain)
{
    for (unsigned i = 0; chain && i < chain->n_links; i++)
        table_close(chain->links[i].table);
    free(chain);
}

bool chain_serves(const struct table_summary *summary)
{
    return summary->rows == 4 && summary->cols == 4 && summary->walls.at && summary->walls.caps &&
           summary->walls.cells == CORNER && summary->variant == VARIANT_NORMAL && summary->store == STORE_VALUES &&
           summary->backward_done && summary->chance_of_4 == TABLE_USUAL_CHANCE_OF_4;
}

static enum status add_table(void *context, const char *directory)
{
    struct chain *chain = context;
    struct table *table;
    enum status status = table_open(&table, directory);
    if (status)
        return status;
    const struct table_summary *summary = table_summary(table);
    const bool serves = chain_serves(summary);
    if (serves && chain->n_links == CHAIN_MAX_TABLES)
        status = status_fail(STATUS_USAGE, "%s: more than %d tables of chains", directory, CHAIN_MAX_TABLES);
    if (status || !serves) {
        table_close(table);
        return status;
    }
    const double least = summary->goal >= FAR_TARGET ? least_chance_far : least_chance_near;
    chain->links[chain->n_links++] = (struct link){table, summary->walls, summary->goal, least};
    return STATUS_OK;
}

/* Far targets before near ones. */
static int compare_links(const void *a, const void *b)
{
    const struct link *x = a, *y = b;
    return (int)y->goal - (int)x->goal;
}

enum status chain_open(struct chain **out, const char *path)
{
    *out = NULL;
    struct chain *chain = memory_allocate(1, sizeof *chain);
    if (!chain)
        return STATUS_NO_MEMORY;
    enum status status = endgame_each(path, add_table, chain);
    if (status || chain->n_links == 0) {
        chain_close(chain);
        return status;
    }
    qsort(chain->links, chain->n_links, sizeof *chain->links, compare_links);
    *out = chain;
    return STATUS_OK;
}

enum status chain_checksum(const struct chain *chain, uint64_t *checksum)
{
    enum status status = STATUS_OK;
    *checksum = 0;
    for (unsigned i = 0; !status && i < chain->n_links; i++)
        status = endgame_add_checksum(chain->links[i].table, checksum);
    return status;
}

/* ---- one board --------------------------------------------------------------------------------------------------- */

/* The neighbours right of and below a cell; 16 where there is none. */
static void list_neighbours(unsigned cell, unsigned next[2])
{
    next[0] = cell % 4 < 3 ? cell + 1 : BOARD_MAX_CELLS;
    next[1] = cell < 12 ? cell + 4 : BOARD_MAX_CELLS;
}

/* Whether two neighbouring cells, one of them a wall at least, are in order: two walls differ, and a wall is larger
   than a free cell. `edge` gets the wall's cell in that case. */
static bool pair_in_order(uint16_t walls, struct board image, unsigned a, unsigned b, uint16_t *edge)
{
    const unsigned first = board_get(image, a), second = board_get(image, b);
    const bool first_is_wall = walls >> a & 1;
    if (first_is_wall && walls >> b & 1)
        return first != second;
    *edge |= (uint16_t)(1u << (first_is_wall ? a : b));
    return first_is_wall ? first > second : second > first;
}

/*
 * Whether the walls are in order: none empty, neighbours as above, and of those next to free cells one is the smallest
 * alone. *least becomes its value: two equal ones ought to merge before the chain grows.
 */
static bool walls_in_order(uint16_t walls, struct board image, unsigned *least)
{
    uint16_t edge = 0;
    unsigned n_least = 0;
    for (unsigned cell = 0; cell < BOARD_MAX_CELLS; cell++) {
        unsigned next[2];
        list_neighbours(cell, next);
        if (walls >> cell & 1 && board_get(image, cell) == 0)
            return false;
        for (unsigned i = 0; i < 2; i++) {
            if (next[i] < BOARD_MAX_CELLS && (walls >> cell | walls >> next[i]) & 1 &&
                !pair_in_order(walls, image, cell, next[i], &edge))
                return false;
        }
    }
    *least = BOARD_MAX_VALUE + 1;
    for (; edge; edge &= (uint16_t)(edge - 1)) {
        const unsigned value = board_get(image, (unsigned)__builtin_ctz(edge));
        n_least = value < *least ? 1 : n_least + (value == *least);
        *least = value < *least ? value : *least;
    }
    return n_least == 1;
}

/* Whether the tiles on the free cells are within the caps, each of them made smaller by some exponents. */
static bool free_in_order(const struct link *link, struct board image, unsigned less)
{
    for (unsigned cell = 0; cell < BOARD_MAX_CELLS; cell++) {
        if (!(link->walls.cells >> cell & 1) && board_get(image, cell) + less > walls_cap(link->walls, cell))
            return false;
    }
    return true;
}

static bool fits(const struct link *link, struct board image)
{
    unsigned least;
    if (!walls_in_order(link->walls.cells, image, &least))
        return false;
    /* The second row falls too, so that its smallest tile is next to the place of the target. */
    return board_get(image, 4) > board_get(image, 5) &&
           free_in_order(link, image, least < link->goal - 1 ? link->goal - 1 - least : 0);
}

/* The chances of the moves of an image that fits, by directions of the board. */
static bool find_chances(const struct link *link, struct board image, unsigned symmetry, struct chain_answer *answer)
{
    const struct board inside = {.cells = image.cells & table_layout(link->table)->free_bits * 15};
    const struct moves moves = table_moves(link->table, inside);
    *answer = (struct chain_answer){.best = DIRECTION_COUNT, .table = link->table};
    for (enum direction d = 0; d < DIRECTION_COUNT; d++) {
        const enum direction inner = grid_image_direction(d, symmetry);
        double *chance = &answer->chance[d];
        *chance = NAN;
        if (!(moves.legal >> inner & 1))
            continue;
        if (board_max_value(moves.after[inner]) >= link->goal)
            *chance = 1;
        else if (table_value(link->table, moves.after[inner], chance) != STATUS_OK)
            *chance = NAN; /* no game of the table reaches it */
        if (!isnan(*chance) && (answer->best == DIRECTION_COUNT || *chance > answer->chance[answer->best]))
            answer->best = d;
    }
    return answer->best != DIRECTION_COUNT && answer->chance[answer->best] >= link->least_chance;
}

bool chain_choose(const struct chain *chain, struct board board, struct chain_answer *answer)
{
    for (unsigned i = 0; i < chain->n_links; i++) {
        const struct link *link = &chain->links[i];
        const struct grid *grid = table_grid(link->table);
        struct chain_answer found;
        bool any = false;
        for (unsigned s = 0; s < grid->n_symmetries; s++) {
            const struct board image = grid_image(grid, board, s);
            if (!fits(link, image) || !find_chances(link, image, s, &found))
                continue;
            if (!any || found.chance[found.best] > answer->chance[answer->best])
                *answer = found;
            any = true;
        }
        if (any)
            return true;
    }
    return false;
}
