#include "cli/judge.h"

#include "cli/net_open.h"

#include <stdio.h>

enum status judge_open(struct judge *judge, const char *net, const char *board, const struct common_options *common)
{
    unsigned rows = 4, cols = 4;
    *judge = (struct judge){.name = net ? net : "simple"};
    enum status status = board ? grid_parse_size(board, &rows, &cols) : STATUS_OK;
    if (!status && net)
        status = net_open_any(&judge->file, net, common);
    if (status)
        return status;
    if (net) {
        const struct grid *grid = judge->file.grid;
        if (board && (grid->rows != rows || grid->cols != cols))
            return status_fail(STATUS_USAGE, "%s is a network for %ux%u boards, not for %s", net, grid->rows,
                               grid->cols, board);
        rows = grid->rows;
        cols = grid->cols;
        judge->function = judge->file.function;
    }
    snprintf(judge->size, sizeof judge->size, "%ux%u", rows, cols);
    status = grid_create(&judge->grid, rows, cols);
    if (!status && !net) {
        status = simple_value_create(&judge->simple, &judge->grid);
        if (!status)
            judge->function = simple_value_function(judge->simple);
    }
    return status;
}

void judge_close(struct judge *judge)
{
    simple_value_free(judge->simple);
    value_file_close(&judge->file);
    grid_free(&judge->grid);
    *judge = (struct judge){0};
}
