/*
 * api: the public functions over the modules. Each one checks its arguments, which the modules take for granted, and
 * then makes one call. The public types are the inner ones under another name: a board is copied field by field, which
 * compilers turn into nothing, and the opaque structs hold the inner ones.
 */
#include <afterstate/afterstate.h>

#include "api/api_parts.h"
#include "base/memory.h"
#include "base/random.h"
#include "base/status.h"
#include "game/game.h"
#include "game/notation.h"

#include <stdlib.h>
#include <string.h>

_Static_assert((int)AS_OK == STATUS_OK && (int)AS_USAGE == STATUS_USAGE && (int)AS_NO_MEMORY == STATUS_NO_MEMORY &&
                   (int)AS_IO == STATUS_IO && (int)AS_CORRUPT == STATUS_CORRUPT && (int)AS_INVALID == STATUS_INVALID &&
                   (int)AS_INTERRUPTED == STATUS_INTERRUPTED,
               "the public codes are the inner ones");
_Static_assert((int)AS_UP == DIRECTION_UP && (int)AS_RIGHT == DIRECTION_RIGHT && (int)AS_DOWN == DIRECTION_DOWN &&
                   (int)AS_LEFT == DIRECTION_LEFT && (int)AS_DIRECTIONS == DIRECTION_COUNT,
               "the public directions are the inner ones");
_Static_assert((int)AS_MAX_CELLS == BOARD_MAX_CELLS && (int)AS_MAX_SIDE == BOARD_MAX_SIDE &&
                   (int)AS_MAX_VALUE == BOARD_MAX_VALUE && (int)AS_DIGITS_BYTES == NOTATION_DIGITS_BYTES &&
                   (int)AS_NUMBERS_BYTES == NOTATION_NUMBERS_BYTES,
               "the public limits are the inner ones");

struct as_game {
    struct game game;
};

/* grid_holds() with the loop kept for the boards that have tiles beyond 32768. */
static bool holds(const struct as_grid *grid, struct as_board board)
{
    if (board.high == 0)
        return (board.cells & ~(grid->grid.used * 15)) == 0;
    return grid_holds(&grid->grid, api_board_in(board));
}

enum status api_check_board(const struct as_grid *grid, struct as_board board, const char *function)
{
    if (!grid)
        return status_fail(STATUS_USAGE, "%s: the grid is NULL", function);
    if (!holds(grid, board))
        return status_fail(STATUS_INVALID, "%s: cells %016llx with high %08x are not a %ux%u board", function,
                           (unsigned long long)board.cells, (unsigned)board.high, grid->grid.rows, grid->grid.cols);
    return STATUS_OK;
}

enum status api_take_settings(void *to, size_t to_bytes, const void *from, const char *function)
{
    size_t size = *(const size_t *)from;
    const unsigned char *bytes = from;
    if (size < sizeof size || size > API_MAX_SETTINGS_BYTES)
        return status_fail(STATUS_USAGE,
                           "%s: the size of the settings is %zu; expected their sizeof in the first field", function,
                           size);
    for (size_t i = to_bytes; i < size; i++)
        if (bytes[i])
            return status_fail(STATUS_USAGE,
                               "%s: byte %zu of the settings is set, of which this version (%s) knows %zu", function, i,
                               AFTERSTATE_VERSION, to_bytes);
    memset(to, 0, to_bytes);
    memcpy(to, from, size < to_bytes ? size : to_bytes);
    return STATUS_OK;
}

static bool check_direction(unsigned direction, const char *function)
{
    if (direction < DIRECTION_COUNT)
        return true;
    status_fail(STATUS_USAGE, "%s: direction %u; expected 0 (up), 1 (right), 2 (down) or 3 (left)", function,
                direction);
    return false;
}

/* The number of a cell, or -1 with a message. */
static int find_cell(const struct as_grid *grid, unsigned row, unsigned col, const char *function)
{
    if (row < grid->grid.rows && col < grid->grid.cols)
        return (int)(row * grid->grid.cols + col);
    status_fail(STATUS_USAGE, "%s: row %u, column %u is not on a %ux%u board (they count from 0)", function, row, col,
                grid->grid.rows, grid->grid.cols);
    return -1;
}

const char *as_version(void)
{
    return AFTERSTATE_VERSION;
}

const char *as_last_error(void)
{
    return status_message();
}

uint32_t as_face(unsigned value)
{
    return value <= AS_MAX_VALUE ? notation_face(value) : 0;
}

/* ---- grids ------------------------------------------------------------------------------------------------------ */

enum as_status as_grid_create(struct as_grid **out, unsigned rows, unsigned cols)
{
    if (!out)
        return api_fail_null("as_grid_create");
    struct as_grid *grid = *out = memory_allocate(1, sizeof *grid);
    if (!grid)
        return AS_NO_MEMORY;
    enum status status = grid_create(&grid->grid, rows, cols);
    if (status) {
        as_grid_free(grid);
        *out = NULL;
    }
    return (enum as_status)status;
}

void as_grid_free(struct as_grid *grid)
{
    if (!grid)
        return;
    grid_free(&grid->grid);
    free(grid);
}

int as_grid_rows(const struct as_grid *grid)
{
    if (grid)
        return grid->grid.rows;
    api_fail_null("as_grid_rows");
    return -1;
}

int as_grid_cols(const struct as_grid *grid)
{
    if (grid)
        return grid->grid.cols;
    api_fail_null("as_grid_cols");
    return -1;
}

/* ---- boards ----------------------------------------------------------------------------------------------------- */

int as_board_fits(const struct as_grid *grid, struct as_board board)
{
    if (grid)
        return holds(grid, board);
    api_fail_null("as_board_fits");
    return -1;
}

int as_board_get(const struct as_grid *grid, struct as_board board, unsigned row, unsigned col)
{
    if (api_check_board(grid, board, "as_board_get"))
        return -1;
    int cell = find_cell(grid, row, col, "as_board_get");
    return cell < 0 ? -1 : (int)board_get(api_board_in(board), (unsigned)cell);
}

enum as_status as_board_set(const struct as_grid *grid, struct as_board *board, unsigned row, unsigned col,
                            unsigned value)
{
    if (!board)
        return api_fail_null("as_board_set");
    enum status status = api_check_board(grid, *board, "as_board_set");
    if (status)
        return (enum as_status)status;
    int cell = find_cell(grid, row, col, "as_board_set");
    if (cell < 0)
        return AS_USAGE;
    if (value > AS_MAX_VALUE)
        return (enum as_status)status_fail(STATUS_USAGE, "as_board_set: value %u; expected 0 to %d", value,
                                           AS_MAX_VALUE);
    *board = api_board_out(board_set(api_board_in(*board), (unsigned)cell, value));
    return AS_OK;
}

enum as_status as_board_parse(const struct as_grid *grid, const char *text, struct as_board *board)
{
    if (!grid || !text || !board)
        return api_fail_null("as_board_parse");
    struct board read;
    enum status status = notation_parse(&grid->grid, text, &read);
    if (status)
        return (enum as_status)status;
    *board = api_board_out(read);
    return AS_OK;
}

typedef char *(*notation_writer)(const struct grid *grid, struct board board, char *out);

/* Writes to a buffer of our own first: only what fits reaches the caller's. */
static enum as_status write_board(const struct as_grid *grid, struct as_board board, char *out, size_t out_bytes,
                                  notation_writer write, const char *function)
{
    if (!out)
        return api_fail_null(function);
    enum status status = api_check_board(grid, board, function);
    if (status)
        return (enum as_status)status;
    char text[NOTATION_NUMBERS_BYTES];
    size_t bytes = strlen(write(&grid->grid, api_board_in(board), text)) + 1;
    if (bytes > out_bytes)
        return (enum as_status)status_fail(STATUS_USAGE, "%s: room for %zu bytes; this board needs %zu", function,
                                           out_bytes, bytes);
    memcpy(out, text, bytes);
    return AS_OK;
}

enum as_status as_board_digits(const struct as_grid *grid, struct as_board board, char *out, size_t out_bytes)
{
    return write_board(grid, board, out, out_bytes, notation_digits, "as_board_digits");
}

enum as_status as_board_numbers(const struct as_grid *grid, struct as_board board, char *out, size_t out_bytes)
{
    return write_board(grid, board, out, out_bytes, notation_numbers, "as_board_numbers");
}

int as_board_age(const struct as_grid *grid, struct as_board board)
{
    return api_check_board(grid, board, "as_board_age") ? -1 : (int)board_age(api_board_in(board));
}

enum as_status as_board_canonical(const struct as_grid *grid, struct as_board board, struct as_board *out)
{
    if (!out)
        return api_fail_null("as_board_canonical");
    enum status status = api_check_board(grid, board, "as_board_canonical");
    if (status)
        return (enum as_status)status;
    *out = api_board_out(grid_canonical(&grid->grid, api_board_in(board)));
    return AS_OK;
}

/* ---- the rules -------------------------------------------------------------------------------------------------- */

int as_move(const struct as_grid *grid, struct as_board board, unsigned direction, struct as_board *after,
            uint32_t *reward)
{
    if (!after) {
        api_fail_null("as_move");
        return -1;
    }
    if (api_check_board(grid, board, "as_move") || !check_direction(direction, "as_move"))
        return -1;
    uint32_t points;
    struct board moved = grid_move(&grid->grid, api_board_in(board), direction, &points);
    if (reward)
        *reward = points;
    *after = api_board_out(moved);
    return !board_equal(moved, api_board_in(board));
}

int as_legal_moves(const struct as_grid *grid, struct as_board board)
{
    return api_check_board(grid, board, "as_legal_moves") ? -1
                                                          : (int)grid_moves(&grid->grid, api_board_in(board)).legal;
}

int as_is_terminal(const struct as_grid *grid, struct as_board board)
{
    return api_check_board(grid, board, "as_is_terminal") ? -1 : grid_is_terminal(&grid->grid, api_board_in(board));
}

enum as_status as_spawn(const struct as_grid *grid, struct as_board *board, struct as_random *random, unsigned *cell,
                        unsigned *value)
{
    if (!board || !random)
        return api_fail_null("as_spawn");
    enum status status = api_check_board(grid, *board, "as_spawn");
    if (status)
        return (enum as_status)status;
    if (!grid_has_empty(&grid->grid, api_board_in(*board)))
        return (enum as_status)status_fail(STATUS_INVALID, "as_spawn: no cell is empty");
    struct spawn spawn = spawn_draw(api_board_in(*board), grid->grid.used, &random->rng);
    *board = api_board_out(spawn_apply(api_board_in(*board), spawn));
    if (cell)
        *cell = spawn.cell;
    if (value)
        *value = spawn.value;
    return AS_OK;
}

/* ---- random numbers --------------------------------------------------------------------------------------------- */

enum as_status as_random_create(struct as_random **out, uint64_t seed, uint64_t stream)
{
    if (!out)
        return api_fail_null("as_random_create");
    struct as_random *random = *out = memory_allocate(1, sizeof *random);
    if (!random)
        return AS_NO_MEMORY;
    random->rng = random_stream(seed, stream);
    return AS_OK;
}

void as_random_free(struct as_random *random)
{
    free(random);
}

uint64_t as_random_below(struct as_random *random, uint64_t bound)
{
    if (random && bound)
        return random_below(&random->rng, bound);
    status_fail(STATUS_USAGE, "as_random_below: %s", random ? "bound 0; expected 1 or more" : "an argument is NULL");
    return 0;
}

/* ---- games ------------------------------------------------------------------------------------------------------ */

enum as_status as_game_begin(struct as_game **out, const struct as_grid *grid, uint64_t seed, uint64_t index)
{
    if (out)
        *out = NULL;
    if (!out || !grid)
        return api_fail_null("as_game_begin");
    struct as_game *game = *out = memory_allocate(1, sizeof *game);
    if (!game)
        return AS_NO_MEMORY;
    game->game = game_begin(&grid->grid, seed, index);
    return AS_OK;
}

void as_game_free(struct as_game *game)
{
    free(game);
}

int as_game_play(struct as_game *game, unsigned direction)
{
    if (!game) {
        api_fail_null("as_game_play");
        return -1;
    }
    return check_direction(direction, "as_game_play") ? game_play(&game->game, direction, NULL) : -1;
}

struct as_board as_game_board(const struct as_game *game)
{
    if (game)
        return api_board_out(game->game.board);
    api_fail_null("as_game_board");
    return (struct as_board){0};
}

uint64_t as_game_score(const struct as_game *game)
{
    if (game)
        return game->game.score;
    api_fail_null("as_game_score");
    return 0;
}

uint32_t as_game_moves(const struct as_game *game)
{
    if (game)
        return game->game.n_moves;
    api_fail_null("as_game_moves");
    return 0;
}

int as_game_is_over(const struct as_game *game)
{
    if (game)
        return game_is_over(&game->game);
    api_fail_null("as_game_is_over");
    return -1;
}
