#include "cli/judge.h"

#include "cli/net_open.h"

#include <stdio.h>

enum status judge_open(struct judge *judge, const char *net, const char *board, const struct common_options *common)
{
    unsigned rows = 4, cols = 4;
    *judge = (struct judge){.name = net ? net : "simple"};
    enum status status = board ? grid_parse_size(board, &rows, &cols) : STATUS_OK;
    if (!status && net)
        status = net_open(&judge->network, net, NULL, common);
    if (status)
        return status;
    if (judge->network) {
        const struct network_spec *spec = &judge->network->spec;
        if (board && (spec->rows != rows || spec->cols != cols))
            return status_fail(STATUS_USAGE, "%s is a network for %ux%u boards, not for %s", net, spec->rows,
                               spec->cols, board);
        rows = spec->rows;
        cols = spec->cols;
        judge->function = network_value_function(judge->network);
    }
    snprintf(judge->size, sizeof judge->size, "%ux%u", rows, cols);
    status = grid_create(&judge->grid, rows, cols);
    if (!status && !judge->network) {
        status = simple_value_create(&judge->simple, &judge->grid);
        if (!status)
            judge->function = simple_value_function(judge->simple);
    }
    return status;
}

void judge_close(struct judge *judge)
{
    simple_value_free(judge->simple);
    network_free(judge->network);
    grid_free(&judge->grid);
    *judge = (struct judge){0};
}
