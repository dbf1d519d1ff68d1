/* tuples list: every set of N cells up to symmetry. */
#include "base/memory.h"
#include "cli/tuples/tuples_parts.h"

#include <stdlib.h>

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

static enum status print(const struct grid *grid, const struct tuple_list *list)
{
    (void)grid;
    for (size_t i = 0; i < list->n_tuples; i++) {
        char text[TUPLE_SET_LIST_BYTES];
        printf("%4zu  %s\n", i + 1, tuple_set_list(list->tuples[i], text));
    }
    return STATUS_OK;
}

int tuples_list_run(const struct cli_context *context, int argc, char **argv)
{
    int64_t n_cells = 6;
    const char *board = "4x4";
    bool connected = false, drawn = false;
    const struct option_spec specs[] = {
        option_integer("cells", 'n', "N", &n_cells, 1, BOARD_MAX_CELLS, "cells of a tuple"),
        option_text("board", 'b', "RxC", &board, "the board"),
        option_flag("connected", 'c', &connected, "only tuples whose cells hang together by their sides"),
        option_flag("draw", 'd', &drawn, "draw them as small boards"),
    };
    static const struct command_example examples[] = {
        {"--cells 6 --connected --draw", "the 68 connected 6-tuples of 4x4"},
        {"--cells 4 --board 3x3", "all 4-tuples of 3x3"},
    };
    const struct command_spec command = {
        .operands = "",
        .description = "Lists every set of N cells, of those that are turned or mirrored images of each other only the "
                       "first. The numbers are those that the other commands use.",
        .options = specs,
        .n_options = sizeof specs / sizeof *specs,
        .examples = examples,
        .n_examples = sizeof examples / sizeof *examples,
    };
    struct common_options common = context->common;
    int exit_code;
    if (!cli_begin(context, &command, &common, argc, argv, NULL, &exit_code))
        return exit_code;
    unsigned rows, cols;
    struct grid grid = {0};
    struct tuple_list list = {0};
    enum status status = grid_parse_size(board, &rows, &cols);
    if (!status)
        status = grid_create(&grid, rows, cols);
    if (!status)
        status = tuple_list_create(&list, &grid, (unsigned)n_cells, connected);
    if (!status)
        status = common.json ? print_json(&grid, &list) : drawn ? draw(&grid, &list) : print(&grid, &list);
    tuple_list_free(&list);
    grid_free(&grid);
    return status ? cli_fail(status) : EXIT_SUCCESS;
}
