/*
 * grid: the rules for every board of r rows and c columns, sides 1..6, at most 16 cells.
 *
 * A grid is a small constant description made once by grid_create(): size, symmetries, masks, line tables. Boards do
 * not carry their size; the functions here take the grid beside the board. On 4x4 they go straight to board4x4.h;
 * elsewhere lines of up to four cells use the same row table, lines of five a table of their own (8 MiB, made with the
 * grid), and lines of six, or any board that tables cannot hold, the rule itself (line.h).
 *
 * A grid never changes after grid_create(), so threads may share it.
 */
#ifndef AFTERSTATE_GAME_GRID_H
#define AFTERSTATE_GAME_GRID_H

#include "base/status.h"
#include "game/board.h"
#include "game/spawn.h"

#include <stdbool.h>
#include <stdint.h>

enum { GRID_MAX_SYMMETRIES = 8 };

struct grid {
    uint8_t rows, cols, n_cells;
    uint8_t n_symmetries; /* 8 on square boards, else 4 (1xN boards count mirror images twice: their 4 are 2 and 2) */
    uint8_t max_value;    /* n_cells + 1: the largest tile the rules can reach, filling the board with 4s in order */
    uint64_t used;        /* low bit of the nibble of each cell */
    /* Image s of a board has in cell i what the board has in cell symmetry[s][i]; symmetry 0 is the identity. */
    uint8_t symmetry[GRID_MAX_SYMMETRIES][BOARD_MAX_CELLS];
    uint64_t column_mask; /* the nibbles of column 0 */
    uint64_t
        *five_table; /* row_table's entries for lines of five cells, or NULL: start, end (20 bits each), reward/4 */
};

/* Fills *grid. STATUS_INVALID when a side is not 1..6 or the board has more than 16 cells. Free with grid_free(). */
enum status grid_create(struct grid *grid, unsigned rows, unsigned cols);
void grid_free(struct grid *grid); /* NULL is fine */

/* Whether grid_create() takes this size: STATUS_OK, or STATUS_INVALID with its message. Costs nothing. */
enum status grid_check_size(unsigned rows, unsigned cols);

/* Reads "4x4", "3x5" .. into *rows and *cols; STATUS_INVALID unless it is a size that grid_create() takes. */
enum status grid_parse_size(const char *text, unsigned *rows, unsigned *cols);

static inline bool grid_is_4x4(const struct grid *grid)
{
    return grid->rows == 4 && grid->cols == 4;
}

/* The board after moving, and the reward; the same board and 0 if the move is illegal. */
struct board grid_move(const struct grid *grid, struct board board, enum direction direction, uint32_t *reward);
struct moves grid_moves(const struct grid *grid, struct board board);
/* The same by the rule alone, no tables: the way for tiles beyond 32768 and for lines of six. */
struct board grid_move_exact(const struct grid *grid, struct board board, enum direction direction, uint32_t *reward);

/* Whether no direction is legal. A board without tiles is terminal. */
bool grid_is_terminal(const struct grid *grid, struct board board);

/* Image `symmetry` (below n_symmetries) of the board. */
struct board grid_image(const struct grid *grid, struct board board, unsigned symmetry);
/* The smallest image, as board_less() orders them. */
struct board grid_canonical(const struct grid *grid, struct board board);

/* Whether some cell is empty, and so a spawn possible. */
static inline bool grid_has_empty(const struct grid *grid, struct board board)
{
    return (grid->used & ~board_occupied_bits(board.cells)) != 0;
}

/* Whether the cells could be a board of this grid: nothing outside it, `high` only over 15s, no value beyond
   BOARD_MAX_VALUE. (Reachability in a real game is another question; see notation.h.) */
bool grid_holds(const struct grid *grid, struct board board);

/* A new game's board: two spawned tiles (one on the 1x1 board). */
struct board grid_start(const struct grid *grid, struct rng *rng);

/* The direction that takes the place of `direction` on image `symmetry`: moving then turning is turning then moving. */
enum direction grid_image_direction(enum direction direction, unsigned symmetry);

const char *direction_name(enum direction direction); /* "up", "right", "down", "left" */

#endif
