/* grid: the rules for every board of r rows and c columns, sides 1..6, at most 16 cells. */
#include "game/grid.h"

#include "base/bits.h"
#include "base/memory.h"
#include "game/board4x4.h"
#include "game/line.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef __SSSE3__
#include <immintrin.h>
#endif

enum { FIVE_BITS = 20, FIVE_LINES = 1 << FIVE_BITS };

/* ---- lines ------------------------------------------------------------------------------------------------------ */

/* Which cell is number k of line `line`, counted in the sense in which the direction moves to the start. */
static unsigned line_cell(const struct grid *grid, enum direction direction, unsigned line, unsigned k)
{
    switch (direction) {
    case DIRECTION_UP:
        return k * grid->cols + line;
    case DIRECTION_DOWN:
        return (grid->rows - 1u - k) * grid->cols + line;
    case DIRECTION_LEFT:
        return line * grid->cols + k;
    default:
        return line * grid->cols + (grid->cols - 1u - k);
    }
}

static bool is_vertical(enum direction direction)
{
    return direction == DIRECTION_UP || direction == DIRECTION_DOWN;
}

struct board grid_move_exact(const struct grid *grid, struct board board, enum direction direction, uint32_t *reward)
{
    unsigned n_lines = is_vertical(direction) ? grid->cols : grid->rows;
    unsigned length = is_vertical(direction) ? grid->rows : grid->cols;
    *reward = 0;
    for (unsigned line = 0; line < n_lines; line++) {
        uint8_t values[BOARD_MAX_CELLS]; /* 6 would do; gcc cannot see that under sanitizers, and warns */
        for (unsigned k = 0; k < length; k++)
            values[k] = (uint8_t)board_get(board, line_cell(grid, direction, line, k));
        *reward += line_move_to_start(values, length);
        for (unsigned k = 0; k < length; k++)
            board = board_set(board, line_cell(grid, direction, line, k), values[k]);
    }
    return board;
}

/*
 * The entry of a line of five: 20 bits moved to the start, 20 bits moved to the end, then the reward in fours (at most
 * two merges to 65536, so 2 * 2^14 in 24 bits is ample).
 */
static uint64_t five_entry(unsigned line)
{
    uint64_t moved[2] = {0, 0};
    uint32_t reward = 0;
    for (unsigned to_end = 0; to_end < 2; to_end++) {
        uint8_t values[5];
        for (unsigned i = 0; i < 5; i++)
            values[to_end ? 4 - i : i] = line >> 4 * i & 15;
        reward = line_move_to_start(values, 5);
        for (unsigned i = 0; i < 5; i++) {
            uint64_t value = values[to_end ? 4 - i : i];
            moved[to_end] |= (value < 15 ? value : 15) << 4 * i;
        }
    }
    return (uint64_t)(reward / 4) << 2 * FIVE_BITS | moved[1] << FIVE_BITS | moved[0];
}

/* Both moves of one line of 1..5 nibbles. Returns the reward. */
static inline uint32_t move_line(const struct grid *grid, unsigned length, uint64_t line, uint64_t *start,
                                 uint64_t *end)
{
    if (length == 5) {
        uint64_t entry = grid->five_table[line];
        *start = entry & (FIVE_LINES - 1);
        *end = entry >> FIVE_BITS & (FIVE_LINES - 1);
        return (uint32_t)(entry >> 2 * FIVE_BITS) * 4;
    }
    uint64_t entry = row_table[line];
    *start = row_entry_start(entry);
    *end = row_entry_end(entry) >> 4 * (4 - length);
    return row_entry_reward(entry);
}

/* Both moves of all rows (or all columns) by the tables. Exact under the conditions of board4x4.h. */
static inline uint32_t move_lines(const struct grid *grid, bool vertical, uint64_t cells, uint64_t *start,
                                  uint64_t *end)
{
    unsigned n_lines = vertical ? grid->cols : grid->rows;
    unsigned length = vertical ? grid->rows : grid->cols;
    uint32_t reward = 0;
    *start = *end = 0;
    for (unsigned i = 0; i < n_lines; i++) {
        uint64_t line_start, line_end;
        if (vertical) {
            uint64_t mask = grid->column_mask << 4 * i;
            reward += move_line(grid, length, bits_extract(cells, mask), &line_start, &line_end);
            *start |= bits_deposit(line_start, mask);
            *end |= bits_deposit(line_end, mask);
        } else {
            unsigned shift = 4 * length * i;
            uint64_t line = cells >> shift & ((UINT64_C(1) << 4 * length) - 1);
            reward += move_line(grid, length, line, &line_start, &line_end);
            *start |= line_start << shift;
            *end |= line_end << shift;
        }
    }
    return reward;
}

static bool tables_reach(const struct grid *grid, bool vertical)
{
    return (vertical ? grid->rows : grid->cols) <= 5;
}

struct board grid_move(const struct grid *grid, struct board board, enum direction direction, uint32_t *reward)
{
    if (grid_is_4x4(grid))
        return board4x4_move(board, direction, reward);
    bool vertical = is_vertical(direction);
    if (board.high == 0 && tables_reach(grid, vertical)) {
        uint64_t start, end;
        *reward = move_lines(grid, vertical, board.cells, &start, &end);
        if (*reward < BOARD4X4_EXTENDED_REWARD)
            return (struct board){
                .cells = direction == DIRECTION_UP || direction == DIRECTION_LEFT ? start : end,
            };
    }
    return grid_move_exact(grid, board, direction, reward);
}

/* Both moves along one axis, exact: towards[0] to the start (up or left), towards[1] to the end. */
static inline void axis_moves(const struct grid *grid, struct board board, bool vertical, enum direction to_start,
                              enum direction to_end, struct moves *moves)
{
    if (board.high == 0 && tables_reach(grid, vertical)) {
        uint32_t reward =
            move_lines(grid, vertical, board.cells, &moves->after[to_start].cells, &moves->after[to_end].cells);
        moves->after[to_start].high = moves->after[to_end].high = 0;
        moves->reward[to_start] = moves->reward[to_end] = reward;
        if (reward < BOARD4X4_EXTENDED_REWARD)
            return;
    }
    moves->after[to_start] = grid_move_exact(grid, board, to_start, &moves->reward[to_start]);
    moves->after[to_end] = grid_move_exact(grid, board, to_end, &moves->reward[to_end]);
}

struct moves grid_moves(const struct grid *grid, struct board board)
{
    if (grid_is_4x4(grid))
        return board4x4_moves(board);
    struct moves moves;
    axis_moves(grid, board, false, DIRECTION_LEFT, DIRECTION_RIGHT, &moves);
    axis_moves(grid, board, true, DIRECTION_UP, DIRECTION_DOWN, &moves);
    moves.legal = 0;
    for (unsigned d = 0; d < DIRECTION_COUNT; d++)
        moves.legal |= (unsigned)!board_equal(moves.after[d], board) << d;
    return moves;
}

bool grid_is_terminal(const struct grid *grid, struct board board)
{
    if (grid_is_4x4(grid) && board.cells)
        return board4x4_is_terminal(board);
    return grid_moves(grid, board).legal == 0;
}

/* ---- symmetries ------------------------------------------------------------------------------------------------- */

/*
 * Symmetry number s: bit 0 mirrors left and right, bit 1 top and bottom, bit 2 (square boards) transposes first. Cell i
 * of the image takes its value from the cell returned.
 */
static unsigned symmetry_source(const struct grid *grid, unsigned symmetry, unsigned cell)
{
    unsigned row = cell / grid->cols, col = cell % grid->cols;
    if (symmetry & 1)
        col = grid->cols - 1u - col;
    if (symmetry & 2)
        row = grid->rows - 1u - row;
    return symmetry & 4 ? col * grid->cols + row : row * grid->cols + col;
}

static struct board image_exact(const struct grid *grid, struct board board, unsigned symmetry)
{
    struct board image = {0};
    for (unsigned cell = 0; cell < grid->n_cells; cell++)
        image = board_set(image, cell, board_get(board, grid->symmetry[symmetry][cell]));
    return image;
}

#ifdef __SSSE3__
/* The 16 nibbles of x as 16 bytes, cell 0 first. */
static inline __m128i spread_nibbles(uint64_t x)
{
    __m128i low = _mm_cvtsi64_si128((long long)(x & UINT64_C(0x0f0f0f0f0f0f0f0f)));
    __m128i high = _mm_cvtsi64_si128((long long)(x >> 4 & UINT64_C(0x0f0f0f0f0f0f0f0f)));
    return _mm_unpacklo_epi8(low, high);
}

static inline uint64_t gather_nibbles(__m128i bytes)
{
    __m128i pairs = _mm_maddubs_epi16(bytes, _mm_set1_epi16(0x1001)); /* even cell + 16 * odd cell */
    return (uint64_t)_mm_cvtsi128_si64(_mm_packus_epi16(pairs, pairs));
}

/* Cells outside the grid are zero on every board, and symmetry[] maps them to themselves, so 16 bytes always fit. */
static inline uint64_t image_low(const struct grid *grid, uint64_t cells, unsigned symmetry)
{
    __m128i source = _mm_loadu_si128((const __m128i *)grid->symmetry[symmetry]);
    return gather_nibbles(_mm_shuffle_epi8(spread_nibbles(cells), source));
}
#else
static inline uint64_t image_low(const struct grid *grid, uint64_t cells, unsigned symmetry)
{
    uint64_t image = 0;
    for (unsigned cell = 0; cell < grid->n_cells; cell++)
        image |= (cells >> 4 * grid->symmetry[symmetry][cell] & 15) << 4 * cell;
    return image;
}
#endif

struct board grid_image(const struct grid *grid, struct board board, unsigned symmetry)
{
    if (board.high)
        return image_exact(grid, board, symmetry);
    return (struct board){.cells = image_low(grid, board.cells, symmetry)};
}

struct board grid_canonical(const struct grid *grid, struct board board)
{
    if (board.high == 0 && grid_is_4x4(grid))
        return (struct board){.cells = board4x4_canonical_low(board.cells)};
    struct board best = board;
    for (unsigned s = 1; s < grid->n_symmetries; s++) {
        struct board image = grid_image(grid, board, s);
        best = board_less(image, best) ? image : best;
    }
    return best;
}

enum direction grid_image_direction(enum direction direction, unsigned symmetry)
{
    static const uint8_t transposed[DIRECTION_COUNT] = {DIRECTION_LEFT, DIRECTION_DOWN, DIRECTION_RIGHT, DIRECTION_UP};
    unsigned d = symmetry & 4 ? transposed[direction] : direction;
    if (symmetry & 1 && !is_vertical(d))
        d ^= DIRECTION_LEFT ^ DIRECTION_RIGHT;
    if (symmetry & 2 && is_vertical(d))
        d ^= DIRECTION_UP ^ DIRECTION_DOWN;
    return d;
}

/* ---- the slow ways of board4x4.h -------------------------------------------------------------------------------- */

/* What the exact functions need of a 4x4 grid: sizes only. */
static const struct grid grid4x4 = {.rows = 4, .cols = 4, .n_cells = 16, .n_symmetries = 8, .max_value = 17};

struct board board4x4_move_exact(struct board board, enum direction direction, uint32_t *reward)
{
    return grid_move_exact(&grid4x4, board, direction, reward);
}

struct moves board4x4_moves_exact(struct board board)
{
    struct moves moves = {.legal = 0};
    for (unsigned d = 0; d < DIRECTION_COUNT; d++) {
        moves.after[d] = grid_move_exact(&grid4x4, board, d, &moves.reward[d]);
        moves.legal |= (unsigned)!board_equal(moves.after[d], board) << d;
    }
    return moves;
}

bool board4x4_is_terminal_exact(struct board board)
{
    return board4x4_moves_exact(board).legal == 0;
}

/* ---- creating and checking -------------------------------------------------------------------------------------- */

enum status grid_check_size(unsigned rows, unsigned cols)
{
    if (rows < 1 || rows > BOARD_MAX_SIDE || cols < 1 || cols > BOARD_MAX_SIDE || rows * cols > BOARD_MAX_CELLS)
        return status_fail(STATUS_INVALID,
                           "a board of %ux%u: sides are 1 to 6 and at most 16 cells, for example 4x4 or 3x5", rows,
                           cols);
    return STATUS_OK;
}

enum status grid_create(struct grid *grid, unsigned rows, unsigned cols)
{
    *grid = (struct grid){0};
    enum status status = grid_check_size(rows, cols);
    if (status)
        return status;
    grid->rows = (uint8_t)rows;
    grid->cols = (uint8_t)cols;
    grid->n_cells = (uint8_t)(rows * cols);
    grid->n_symmetries = rows == cols ? 8 : 4;
    grid->max_value = (uint8_t)(grid->n_cells + 1);
    for (unsigned cell = 0; cell < grid->n_cells; cell++)
        grid->used |= UINT64_C(1) << 4 * cell;
    for (unsigned row = 0; row < rows; row++)
        grid->column_mask |= UINT64_C(15) << 4 * cols * row;
    for (unsigned s = 0; s < GRID_MAX_SYMMETRIES; s++)
        for (unsigned cell = 0; cell < BOARD_MAX_CELLS; cell++)
            grid->symmetry[s][cell] =
                (uint8_t)(s < grid->n_symmetries && cell < grid->n_cells ? symmetry_source(grid, s, cell) : cell);
    if (rows == 5 || cols == 5) {
        grid->five_table = memory_allocate(FIVE_LINES, sizeof *grid->five_table);
        if (!grid->five_table)
            return STATUS_NO_MEMORY;
        for (unsigned line = 0; line < FIVE_LINES; line++)
            grid->five_table[line] = five_entry(line);
    }
    return STATUS_OK;
}

void grid_free(struct grid *grid)
{
    if (!grid)
        return;
    free(grid->five_table);
    *grid = (struct grid){0};
}

enum status grid_parse_size(const char *text, unsigned *rows, unsigned *cols)
{
    bool shaped =
        strlen(text) == 3 && text[1] == 'x' && text[0] >= '1' && text[0] <= '6' && text[2] >= '1' && text[2] <= '6';
    *rows = shaped ? (unsigned)(text[0] - '0') : 0;
    *cols = shaped ? (unsigned)(text[2] - '0') : 0;
    if (!shaped || *rows * *cols > BOARD_MAX_CELLS)
        return status_fail(
            STATUS_INVALID,
            "'%s' is not a board size: write ROWSxCOLUMNS, sides 1 to 6, at most 16 cells, for example 3x4", text);
    return STATUS_OK;
}

bool grid_holds(const struct grid *grid, struct board board)
{
    if (grid->n_cells < BOARD_MAX_CELLS && (board.cells >> 4 * grid->n_cells || board.high >> 2 * grid->n_cells))
        return false;
    for (unsigned cell = 0; cell < grid->n_cells; cell++) {
        unsigned low = board.cells >> 4 * cell & 15, high = board.high >> 2 * cell & 3;
        if ((high && low != 15) || low + high > BOARD_MAX_VALUE)
            return false;
    }
    return true;
}

struct board grid_start(const struct grid *grid, struct rng *rng)
{
    struct board board = {0};
    for (unsigned i = 0; i < 2 && grid_has_empty(grid, board); i++)
        board = spawn_apply(board, spawn_draw(board, grid->used, rng));
    return board;
}

const char *direction_name(enum direction direction)
{
    static const char *const names[] = {"up", "right", "down", "left"};
    return direction < DIRECTION_COUNT ? names[direction] : "none";
}
