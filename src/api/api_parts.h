/*
 * api_parts: what the files of the API share: the opaque types from the inside, and the checks of arguments.
 */
#ifndef AFTERSTATE_API_PARTS_H
#define AFTERSTATE_API_PARTS_H

#include <afterstate/afterstate.h>

#include "base/random.h"
#include "base/status.h"
#include "game/grid.h"
#include "solve/table.h"
#include "study/evaluator.h"
#include "study/late_choice.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

struct as_grid {
    struct grid grid;
};

struct as_random {
    struct rng rng;
};

struct as_network {
    struct evaluator evaluator;
    struct as_grid grid;     /* a copy of the network's, which owns what it points to */
    struct late_choice late; /* zeroed: none */
    struct network *weights; /* AS_NETWORK_WEIGHTS: the evaluator's own; else NULL */
};

struct as_table {
    struct table *table;
    struct as_grid grid; /* a copy of the table's, which owns what it points to */
};

static inline enum as_status api_fail_null(const char *function)
{
    return (enum as_status)status_fail(STATUS_USAGE, "%s: an argument is NULL", function);
}

static inline struct board api_board_in(struct as_board board)
{
    return (struct board){.cells = board.cells, .high = board.high};
}

static inline struct as_board api_board_out(struct board board)
{
    return (struct as_board){.cells = board.cells, .high = board.high};
}

/*
 * Copies a struct that begins with its size into *to, ours, of to_bytes: fields that the caller's version does not have
 * become 0. STATUS_USAGE if the size is none, or a field that we do not know is set.
 */
enum { API_MAX_SETTINGS_BYTES = 1 << 16 };
enum status api_take_settings(void *to, size_t to_bytes, const void *from, const char *function);

/*
 * Converts boards (arrays.h) from cells; STATUS_INVALID with the number of the first that is none of the grid.
 * `first` is the number of cells[0]'s board in messages.
 */
enum status api_read_cells(const struct grid *grid, const uint8_t *cells, size_t n, size_t first, struct board *out,
                           const char *function);
/* Whether all of them are boards of the grid; fails likewise. */
enum status api_check_cells(const struct grid *grid, const uint8_t *cells, size_t n, const char *function);
/* Writes a board as cells. */
void api_write_cells(const struct grid *grid, struct board board, uint8_t *out);

/* The check that every function on a board begins with: STATUS_USAGE without a grid, STATUS_INVALID if not its
   board. */
enum status api_check_board(const struct as_grid *grid, struct as_board board, const char *function);

#endif
