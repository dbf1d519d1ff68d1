/*
 * api_arrays: boards in the caller's arrays, a byte a cell.
 *
 * Cells to nibbles and back is a fold of words: eight bytes of one nibble each become 32 bits in three steps, for all
 * cells at once, some two nanoseconds a board. Boards with a tile beyond 32768 go cell by cell.
 */
#include <afterstate/afterstate.h>

#include "api/api_parts.h"
#include "api/cell_words.h"

#include <string.h>

static enum status fail_board(const struct grid *grid, const uint8_t *cells, size_t number, const char *function)
{
    for (unsigned cell = 0; cell < grid->n_cells; cell++)
        if (cells[cell] > BOARD_MAX_VALUE)
            return status_fail(STATUS_INVALID, "%s: board %zu has the value %u in row %u, column %u; expected 0 to %d",
                               function, number, cells[cell], cell / grid->cols, cell % grid->cols, BOARD_MAX_VALUE);
    return status_fail(STATUS_INVALID, "%s: board %zu is not a %ux%u board", function, number, grid->rows, grid->cols);
}

enum status api_read_cells(const struct grid *grid, const uint8_t *cells, size_t n, size_t first, struct board *out,
                           const char *function)
{
    for (size_t i = 0; i < n; i++)
        if (!cell_words_read(grid->n_cells, cells + i * grid->n_cells, &out[i]))
            return fail_board(grid, cells + i * grid->n_cells, first + i, function);
    return STATUS_OK;
}

enum status api_check_cells(const struct grid *grid, const uint8_t *cells, size_t n, const char *function)
{
    uint8_t largest = 0;
    for (size_t i = 0; i < n * grid->n_cells; i++) /* the compiler makes vectors of this */
        largest = cells[i] > largest ? cells[i] : largest;
    struct board board;
    for (size_t i = 0; i < n && largest > BOARD_MAX_VALUE; i++) {
        enum status status = api_read_cells(grid, cells + i * grid->n_cells, 1, i, &board, function);
        if (status)
            return status;
    }
    return STATUS_OK;
}

void api_write_cells(const struct grid *grid, struct board board, uint8_t *out)
{
    cell_words_write(grid->n_cells, board, out);
}

enum as_status as_boards_from_cells(const struct as_grid *grid, const uint8_t *cells, size_t n, struct as_board *boards)
{
    if (!grid || (n && (!cells || !boards)))
        return api_fail_null("as_boards_from_cells");
    enum status status = api_check_cells(&grid->grid, cells, n, "as_boards_from_cells");
    for (size_t i = 0; i < n && !status; i++) {
        struct board board;
        cell_words_read(grid->grid.n_cells, cells + i * grid->grid.n_cells, &board);
        boards[i] = api_board_out(board);
    }
    return (enum as_status)status;
}

enum as_status as_boards_to_cells(const struct as_grid *grid, const struct as_board *boards, size_t n, uint8_t *cells)
{
    if (!grid || (n && (!cells || !boards)))
        return api_fail_null("as_boards_to_cells");
    enum status status = STATUS_OK;
    for (size_t i = 0; i < n && !status; i++)
        status = api_check_board(grid, boards[i], "as_boards_to_cells");
    for (size_t i = 0; i < n && !status; i++)
        cell_words_write(grid->grid.n_cells, api_board_in(boards[i]), cells + i * grid->grid.n_cells);
    return (enum as_status)status;
}

enum as_status as_moves_many(const struct as_grid *grid, const uint8_t *cells, size_t n, uint8_t *after,
                             uint32_t *rewards, uint8_t *legal)
{
    if (!grid || (n && !cells))
        return api_fail_null("as_moves_many");
    const unsigned n_cells = grid->grid.n_cells;
    enum status status = api_check_cells(&grid->grid, cells, n, "as_moves_many");
    for (size_t i = 0; i < n && !status; i++) {
        struct board board;
        cell_words_read(n_cells, cells + i * n_cells, &board);
        struct moves moves = grid_moves(&grid->grid, board);
        for (unsigned d = 0; d < DIRECTION_COUNT; d++) {
            size_t number = DIRECTION_COUNT * i + d;
            bool is_legal = moves.legal >> d & 1;
            if (after)
                cell_words_write(n_cells, is_legal ? moves.after[d] : board, after + number * n_cells);
            if (rewards)
                rewards[number] = is_legal ? moves.reward[d] : 0;
            if (legal)
                legal[number] = is_legal;
        }
    }
    return (enum as_status)status;
}

enum as_status as_spawn_many(const struct as_grid *grid, uint8_t *cells, size_t n, struct as_random *random)
{
    if (!grid || !random || (n && !cells))
        return api_fail_null("as_spawn_many");
    const unsigned n_cells = grid->grid.n_cells;
    enum status status = api_check_cells(&grid->grid, cells, n, "as_spawn_many");
    for (size_t i = 0; i < n && !status; i++)
        if (!memchr(cells + i * n_cells, 0, n_cells))
            status = status_fail(STATUS_INVALID, "as_spawn_many: no cell of board %zu is empty", i);
    for (size_t i = 0; i < n && !status; i++) {
        struct board board;
        cell_words_read(n_cells, cells + i * n_cells, &board);
        struct spawn spawn = spawn_draw(board, grid->grid.used, &random->rng);
        cells[i * n_cells + spawn.cell] = spawn.value;
    }
    return (enum as_status)status;
}

enum as_status as_canonical_many(const struct as_grid *grid, const uint8_t *cells, size_t n, uint8_t *out)
{
    if (!grid || (n && (!cells || !out)))
        return api_fail_null("as_canonical_many");
    const unsigned n_cells = grid->grid.n_cells;
    enum status status = api_check_cells(&grid->grid, cells, n, "as_canonical_many");
    for (size_t i = 0; i < n && !status; i++) {
        struct board board;
        cell_words_read(n_cells, cells + i * n_cells, &board);
        cell_words_write(n_cells, grid_canonical(&grid->grid, board), out + i * n_cells);
    }
    return (enum as_status)status;
}
