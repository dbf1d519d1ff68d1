/* tuples: the selection of tuples, after Oka and Matsuzaki (2016): the list of commands, and what they share. */
#include "cli/frame/verbs.h"

#include "base/memory.h"
#include "base/parse.h"
#include "cli/tuples/tuples_parts.h"

#include <stdlib.h>
#include <string.h>

enum { PAGE_COLUMNS = 80, GAP = 2 };

void tuples_draw_sets(const struct grid *grid, const struct drawn_set *sets, size_t n)
{
    size_t width = grid->cols;
    for (size_t i = 0; i < n; i++)
        width = strlen(sets[i].caption) > width ? strlen(sets[i].caption) : width;
    size_t on_line = (PAGE_COLUMNS + GAP) / (width + GAP);
    for (size_t first = 0; first < n; first += on_line) {
        size_t end = first + on_line < n ? first + on_line : n;
        for (int row = -1; row < grid->rows; row++) {
            for (size_t i = first; i < end; i++) {
                char drawing[TUPLE_SET_DRAW_BYTES], cell[TUPLES_CAPTION_BYTES];
                tuple_set_draw(grid, sets[i].set, drawing);
                if (row < 0)
                    snprintf(cell, sizeof cell, "%s", sets[i].caption);
                else
                    snprintf(cell, sizeof cell, "%.*s", grid->cols, drawing + row * (grid->cols + 1));
                if (i + 1 < end)
                    printf("%-*s", (int)width + GAP, cell);
                else
                    puts(cell); /* no blanks at the end of a line */
            }
        }
        putchar('\n');
    }
}

enum status tuples_set_pair(struct recipe *recipe, const char *section, const char *const keys[2], const char *option,
                            const char *text, char separator, const char *form)
{
    char *copy = memory_copy_text(text), *parts[2];
    if (!copy)
        return STATUS_NO_MEMORY;
    enum status status = STATUS_OK;
    if (!parse_split(copy, separator, parts, 2))
        status = status_fail(STATUS_USAGE, "%s '%s': expected %s", option, text, form);
    for (int i = 0; i < 2 && !status; i++)
        status = recipe_set_text(recipe, section, keys[i], parts[i], option);
    free(copy);
    return status;
}

enum status tuples_set_board(struct recipe *recipe, const char *section, const char *board)
{
    static const char *const keys[] = {"rows", "cols"};
    return board ? tuples_set_pair(recipe, section, keys, "--board", board, 'x', "RxC such as 3x4") : STATUS_OK;
}

void tuples_print_recipe(FILE *out, const struct grid *grid, const struct shape *shape, unsigned n_values,
                         const char *vse)
{
    fprintf(out, "[board]\nrows = %d\ncols = %d\n[network]\n", grid->rows, grid->cols);
    for (unsigned i = 0; i < shape->n_tuples; i++) {
        char cells[32];
        fprintf(out, "tuple = %s\n", tuple_list(&shape->tuples[i], cells));
    }
    if (n_values)
        fprintf(out, "values = %u\n", n_values);
    if (*vse)
        fprintf(out, "vse = %s\n", vse);
}

static const struct command *const parts[] = {&tuples_list_command, &tuples_campaign_command, &tuples_merge_command,
                                              &tuples_rank_command, &tuples_pick_command,     &tuples_grow_command};

const struct command verb_tuples = {
    .name = "tuples",
    .heading = "Learn",
    .summary = "choose tuples: list, campaign, merge, rank, pick, grow",
    .description = "Which cells should a network look at? List tuples, try them in networks, rank them, and make a "
                   "recipe of the best.",
    .parts = parts,
    .n_parts = sizeof parts / sizeof *parts,
};
