/* tuples list: every set of N cells up to symmetry. */
#include "base/memory.h"
#include "cli/tuples/tuples_parts.h"

#include <stdlib.h>

struct list_options {
    int64_t n_cells;
    const char *board;
    bool connected, drawn;
};

static enum status print_json(const struct grid *grid, const struct tuple_list *list)
{
    struct json json;
    json_begin(&json);
    json_add_unsigned(&json, "count", list->n_tuples);
    json_open_array(&json, "tuples");
    for (size_t i = 0; i < list->n_tuples; i++) {
        char text[TUPLE_SET_LIST_BYTES];
        json_open_object(&json, NULL);
        json_add_unsigned(&json, "number", i + 1);
        json_add_text(&json, "cells", tuple_set_list(list->tuples[i], text));
        json_add_text(&json, "drawing", tuple_set_draw(grid, list->tuples[i], text));
        json_add_flag(&json, "connected", tuple_set_connected(grid, list->tuples[i]));
        json_close(&json);
    }
    json_close(&json);
    return cli_print_json(&json);
}

static enum status draw(const struct grid *grid, const struct tuple_list *list)
{
    struct drawn_set *sets = memory_allocate(list->n_tuples, sizeof *sets);
    if (!sets)
        return STATUS_NO_MEMORY;
    for (size_t i = 0; i < list->n_tuples; i++) {
        sets[i].set = list->tuples[i];
        snprintf(sets[i].caption, sizeof sets[i].caption, "%zu", i + 1);
    }
    tuples_draw_sets(grid, sets, list->n_tuples);
    free(sets);
    return STATUS_OK;
}

static enum status print(const struct tuple_list *list)
{
    for (size_t i = 0; i < list->n_tuples; i++) {
        char text[TUPLE_SET_LIST_BYTES];
        printf("%4zu  %s\n", i + 1, tuple_set_list(list->tuples[i], text));
    }
    return STATUS_OK;
}

static const struct list_options list_defaults = {.n_cells = 6, .board = "4x4"};

#define IN(member) OPTION_FIELD(struct list_options, member)
static const struct option_spec list_option_rows[] = {
    {"cells", 'n', "N", IN(n_cells), "cells of a tuple", OPTION_RANGE(1, BOARD_MAX_CELLS)},
    {"board", 'b', "RxC", IN(board), "the board"},
    {"connected", 'c', NULL, IN(connected), "only tuples whose cells are connected by their sides"},
    {"draw", 'd', NULL, IN(drawn), "draw them as small boards"},
};
#undef IN

static const struct command_example list_examples[] = {
    {"--cells 6 --connected --draw", "the 68 connected 6-tuples of 4x4"},
    {"--cells 4 --board 3x3", "all 4-tuples of 3x3"},
};

static enum status run_list_command(struct cli_call *call)
{
    const struct list_options *options = call->options;
    unsigned rows, cols;
    struct grid grid = {0};
    struct tuple_list list = {0};
    enum status status = grid_parse_size(options->board, &rows, &cols);
    if (status)
        goto done;
    status = grid_create(&grid, rows, cols);
    if (status)
        goto done;
    status = tuple_list_create(&list, &grid, (unsigned)options->n_cells, options->connected);
    if (status)
        goto done;
    status = call->common.json ? print_json(&grid, &list) : options->drawn ? draw(&grid, &list) : print(&list);
done:
    tuple_list_free(&list);
    grid_free(&grid);
    return status;
}

const struct command tuples_list_command = {
    .name = "tuples list",
    .summary = "every tuple up to symmetry",
    .description = "Lists every set of N cells, of those that are turned or mirrored images of each other only the "
                   "first. The numbers are those that the other commands use.",
    COMMAND_OPTIONS(list_option_rows, struct list_options),
    .defaults = &list_defaults,
    COMMAND_EXAMPLES(list_examples),
    .run = run_list_command,
};
