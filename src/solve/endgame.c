/* endgame: exact chances late in the real game of 4x4, from tables with walls. */
#include "solve/endgame.h"

#include "base/checksum.h"
#include "base/file.h"
#include "base/memory.h"
#include "solve/table.h"

#include <dirent.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct cover {
    struct table *table;
    unsigned goal;         /* exponent */
    uint64_t free_nibbles; /* all bits of the nibbles of its free cells */
    uint8_t
        image[1 << BOARD_MAX_CELLS]; /* [cells of large tiles]: 1 + the symmetry that puts them on the walls; 0: none */
};

struct endgame {
    unsigned n_covers;
    struct cover *covers[ENDGAME_MAX_TABLES];
};

size_t endgame_n_tables(const struct endgame *endgame)
{
    return endgame->n_covers;
}

const struct table *endgame_table(const struct endgame *endgame, size_t i)
{
    return endgame->covers[i]->table;
}

void endgame_close(struct endgame *endgame)
{
    for (unsigned i = 0; endgame && i < endgame->n_covers; i++) {
        table_close(endgame->covers[i]->table);
        free(endgame->covers[i]);
    }
    free(endgame);
}

/* Fills cover->image: where the images of the walls stand. */
static void find_images(struct cover *cover, uint16_t walls)
{
    const struct grid *grid = table_grid(cover->table);
    for (unsigned s = 0; s < grid->n_symmetries; s++) {
        unsigned cells = 0;
        for (unsigned cell = 0; cell < grid->n_cells; cell++)
            cells |= (unsigned)(walls >> cell & 1) << grid->symmetry[s][cell];
        if (!cover->image[cells])
            cover->image[cells] = (uint8_t)(s + 1);
    }
}

bool endgame_serves(const struct table_summary *summary)
{
    return summary->rows == 4 && summary->cols == 4 && summary->walls.cells && !summary->walls.at &&
           summary->variant == VARIANT_NORMAL && summary->store == STORE_VALUES && summary->backward_done &&
           summary->chance_of_4 == TABLE_USUAL_CHANCE_OF_4;
}

/* Adds the table of a directory if it is an endgame table. */
static enum status add_table(void *context, const char *directory)
{
    struct endgame *endgame = context;
    struct table *table;
    enum status status = table_open(&table, directory);
    if (status)
        return status;
    const struct table_summary *summary = table_summary(table);
    bool serves = endgame_serves(summary);
    struct cover *cover = serves ? memory_allocate(1, sizeof *cover) : NULL;
    if (serves && endgame->n_covers == ENDGAME_MAX_TABLES)
        status = status_fail(STATUS_USAGE, "%s: more than %d endgame tables", directory, ENDGAME_MAX_TABLES);
    else if (serves && !cover)
        status = STATUS_NO_MEMORY;
    if (status || !serves) {
        table_close(table);
        free(cover);
        return status;
    }
    *cover = (struct cover){.table = table, .goal = summary->goal, .free_nibbles = table_layout(table)->free_bits * 15};
    find_images(cover, summary->walls.cells);
    endgame->covers[endgame->n_covers++] = cover;
    return STATUS_OK;
}

enum status endgame_each(const char *path, enum status (*function)(void *context, const char *directory), void *context)
{
    struct dirent **entries;
    char directory[PATH_MAX];
    enum status status = STATUS_OK;
    if (table_index_exists(path))
        return function(context, path);
    int n = scandir(path, &entries, NULL, alphasort);
    if (n < 0)
        return status_fail_errno(STATUS_IO, "%s: cannot read the folder", path);
    for (int i = 0; i < n; i++) {
        bool fits = entries[i]->d_name[0] != '.' &&
                    snprintf(directory, sizeof directory, "%s/%s", path, entries[i]->d_name) < (int)sizeof directory;
        if (fits && !status && table_index_exists(directory))
            status = function(context, directory);
        free(entries[i]);
    }
    free(entries);
    return status;
}

enum status endgame_open(struct endgame **out, const char *path)
{
    *out = NULL;
    struct endgame *endgame = memory_allocate(1, sizeof *endgame);
    if (!endgame)
        return STATUS_NO_MEMORY;
    enum status status = endgame_each(path, add_table, endgame);
    if (!status && endgame->n_covers == 0)
        status = status_fail(STATUS_INVALID,
                             "%s: no finished table of 4x4 with walls and values, target anywhere; 'afterstate endgame "
                             "build' makes such tables",
                             path);
    if (status) {
        endgame_close(endgame);
        return status;
    }
    *out = endgame;
    return STATUS_OK;
}

enum status endgame_add_checksum(const struct table *table, uint64_t *checksum)
{
    struct file_map map;
    char *path = file_path(table_directory(table), "index.table");
    enum status status = path ? file_map_open(&map, path) : STATUS_NO_MEMORY;
    if (!status) {
        *checksum = *checksum * UINT64_C(0x9e3779b97f4a7c15) + checksum_of(map.data, map.bytes);
        file_map_close(&map);
    }
    free(path);
    return status;
}

enum status endgame_checksum(const struct endgame *endgame, uint64_t *checksum)
{
    enum status status = STATUS_OK;
    *checksum = 0;
    for (unsigned i = 0; !status && i < endgame->n_covers; i++)
        status = endgame_add_checksum(endgame->covers[i]->table, checksum);
    return status;
}

/* ---- one board --------------------------------------------------------------------------------------------------- */

/* Bit i: byte i of `bytes` (each below 128) is at least `least`. */
static inline unsigned bytes_at_least(uint64_t bytes, unsigned least)
{
    uint64_t above = bytes + (0x80 - least) * UINT64_C(0x0101010101010101);
    return (unsigned)((above >> 7 & UINT64_C(0x0101010101010101)) * UINT64_C(0x0102040810204080) >> 56);
}

/* Spreads 8 bits to the even ones of 16. */
static inline unsigned spread(unsigned bits)
{
    bits = (bits | bits << 4) & 0x0f0f;
    bits = (bits | bits << 2) & 0x3333;
    return (bits | bits << 1) & 0x5555;
}

/* Bit i: cell i holds a tile of at least `goal` (exponents up to 15; 65536 counts as 32768). */
static inline unsigned large_cells(struct board board, unsigned goal)
{
    const uint64_t low = UINT64_C(0x0f0f0f0f0f0f0f0f);
    return spread(bytes_at_least(board.cells & low, goal)) | spread(bytes_at_least(board.cells >> 4 & low, goal)) << 1;
}

/* Whether the tiles on these cells all differ. */
static bool all_differ(struct board board, unsigned cells)
{
    unsigned seen = 0;
    for (; cells; cells &= cells - 1) {
        unsigned bit = 1u << board_get(board, (unsigned)__builtin_ctz(cells));
        if (seen & bit)
            return false;
        seen |= bit;
    }
    return true;
}

bool endgame_chance(const struct endgame *endgame, struct board after, float *chance)
{
    for (unsigned i = 0; i < endgame->n_covers; i++) {
        const struct cover *cover = endgame->covers[i];
        unsigned cells = large_cells(after, cover->goal), image = cover->image[cells];
        if (!image || !all_differ(after, cells))
            continue;
        struct board inside = {.cells =
                                   grid_image(table_grid(cover->table), after, image - 1).cells & cover->free_nibbles};
        double value;
        if (table_value(cover->table, inside, &value) != STATUS_OK)
            continue; /* no game of the table reaches it */
        *chance = (float)value;
        return true;
    }
    return false;
}

enum status endgame_query(const struct endgame *endgame, struct board board, struct query_answer *answer,
                          unsigned *goal)
{
    enum status status = STATUS_INVALID;
    for (unsigned i = 0; status == STATUS_INVALID && i < endgame->n_covers; i++) {
        const struct cover *cover = endgame->covers[i];
        const struct query_tables tables = {.of = {[VARIANT_NORMAL] = cover->table}, .main = VARIANT_NORMAL};
        unsigned cells = large_cells(board, cover->goal);
        if (!cover->image[cells] || !all_differ(board, cells))
            continue;
        status = query_board(&tables, board, answer);
        *goal = cover->goal;
    }
    return status;
}
