/*
 * api_parts: what the files of the API share: the opaque types from the inside, and the checks of arguments.
 */
#ifndef AFTERSTATE_API_PARTS_H
#define AFTERSTATE_API_PARTS_H

#include <afterstate/afterstate.h>

#include "base/status.h"
#include "game/grid.h"

struct as_grid {
    struct grid grid;
};

static inline enum as_status api_fail_null(const char *function)
{
    return (enum as_status)status_fail(STATUS_USAGE, "%s: an argument is NULL", function);
}

static inline struct board api_board_in(struct as_board board)
{
    return (struct board){.cells = board.cells, .high = board.high};
}

/* The check that every function on a board begins with: STATUS_USAGE without a grid, STATUS_INVALID if not its board.
 */
enum status api_check_board(const struct as_grid *grid, struct as_board board, const char *function);

#endif
