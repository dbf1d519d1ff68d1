/* family: all afterstates that one turn can lead to from an afterstate: a tile appears and a move is made. */
#include "search/family.h"

#include "game/board4x4.h"

#include <math.h>

static inline void add_move(struct family *family, unsigned spawn, unsigned child, uint32_t reward)
{
    family->moves[family->n_moves++] =
        (struct family_move){.spawn = (uint8_t)spawn, .child = (uint8_t)child, .reward = reward};
}

static unsigned find_or_add(struct family *family, struct board board)
{
    for (unsigned i = 0; i < family->n_children; i++)
        if (board_equal(family->child[i], board))
            return i;
    family->child[family->n_children] = board;
    return family->n_children++;
}

static void make_plainly(struct family *family, const struct grid *grid, struct board after)
{
    for (unsigned cell = 0; cell < grid->n_cells; cell++)
        for (unsigned value = 1; value <= 2; value++) {
            if (board_get(after, cell) != 0 || !(family->tiles & value))
                continue;
            struct moves moves = grid_moves(grid, board_set(after, cell, value));
            for (unsigned d = 0; d < DIRECTION_COUNT; d++)
                if (moves.legal >> d & 1)
                    add_move(family, 2 * cell + value - 1, find_or_add(family, moves.after[d]), moves.reward[d]);
        }
}

/* One direction of moving: towards the start or the end of the lines. */
struct sweep {
    uint64_t moved;   /* all lines moved without a spawn */
    unsigned changed; /* bit i: line i moves */
    uint32_t line;    /* the last line with a tile in it that was moved, and the child it made */
    unsigned child;
};

/* A line with one tile more, and how many children and moves the family has so far: in registers, not memory. */
struct filled_line {
    bool columns; /* a constant of the caller */
    unsigned i;
    uint32_t filled; /* the line before it moves */
    uint32_t reward; /* of the whole board */
    unsigned spawn;
    unsigned n_children, n_moves;
};

/*
 * Adds what a sweep makes of a line, which it moved to `moved`. Lines are compared with the one before only: tiles of
 * one kind in neighbouring gaps mostly come out the same, others hardly ever do.
 */
static inline void sweep_line(struct family *family, struct sweep *sweep, struct filled_line *line, uint32_t moved)
{
    unsigned i = line->i;
    if (moved == line->filled && !(sweep->changed & ~(1u << i)))
        return;
    if (moved != sweep->line) {
        uint64_t board = (sweep->moved & ~(UINT64_C(0xffff) << 16 * i)) | (uint64_t)moved << 16 * i;
        family->child[line->n_children] = (struct board){.cells = line->columns ? board4x4_transpose(board) : board};
        sweep->line = moved;
        sweep->child = line->n_children++;
    }
    family->moves[line->n_moves++] =
        (struct family_move){.spawn = (uint8_t)line->spawn, .child = (uint8_t)sweep->child, .reward = line->reward};
}

/*
 * Left and right, or on the transposed board up and down; `columns` is a constant of the caller. False if tiles beyond
 * 32768 could come up.
 */
static inline bool make_lines(struct family *family, uint64_t board, bool columns)
{
    enum { NO_LINE = 0x10000 };
    uint64_t entry[4];
    struct sweep to_start = {0}, to_end = {0};
    struct filled_line at = {
        .columns = columns, .n_children = family->n_children, .n_moves = family->n_moves}; /* the current one */
    uint32_t reward = 0;
    for (unsigned i = 0; i < 4; i++) {
        uint64_t line = board >> 16 * i & 0xffff;
        entry[i] = row_table[line];
        reward += row_entry_reward(entry[i]);
        to_start.moved |= row_entry_start(entry[i]) << 16 * i;
        to_end.moved |= row_entry_end(entry[i]) << 16 * i;
        to_start.changed |= (unsigned)(row_entry_start(entry[i]) != line) << i;
        to_end.changed |= (unsigned)(row_entry_end(entry[i]) != line) << i;
    }
    if (__builtin_expect(reward >= BOARD4X4_EXTENDED_REWARD, 0))
        return false;
    for (unsigned i = 0; i < 4; i++) {
        uint32_t line = board >> 16 * i & 0xffff;
        uint32_t other_reward = reward - row_entry_reward(entry[i]);
        uint32_t gaps = ~(uint32_t)board_occupied_bits(line) & 0x1111;
        for (unsigned value = 1; value <= 2 && gaps; value++) {
            if (!(family->tiles & value))
                continue;
            to_start.line = to_end.line = NO_LINE;
            for (uint32_t left = gaps; left; left &= left - 1) {
                unsigned shift = (unsigned)__builtin_ctz(left), place = shift / 4;
                at.i = i;
                at.spawn = 2 * (columns ? 4 * place + i : 4 * i + place) + value - 1;
                at.filled = line | value << shift;
                uint64_t moved = row_table[at.filled];
                at.reward = other_reward + row_entry_reward(moved);
                sweep_line(family, &to_start, &at, (uint32_t)row_entry_start(moved));
                sweep_line(family, &to_end, &at, (uint32_t)row_entry_end(moved));
            }
        }
    }
    family->n_children = at.n_children;
    family->n_moves = at.n_moves;
    return true;
}

void family_make(struct family *family, const struct grid *grid, struct board after, unsigned tiles)
{
    family->n_children = family->n_moves = 0;
    family->tiles = tiles;
    family->empty = grid->used & ~board_occupied_bits(after.cells);
    family->n_empty = (unsigned)__builtin_popcountll(family->empty);
    if (grid_is_4x4(grid) && after.high == 0 && make_lines(family, after.cells, false) &&
        make_lines(family, board4x4_transpose(after.cells), true))
        return;
    family->n_children = family->n_moves = 0;
    make_plainly(family, grid, after);
}

static float move_value(const struct family *family, const struct family_move *move)
{
    return (float)move->reward + family->value[move->child];
}

/* best[spawn] = the best reward + value after it; minus infinity where no move is legal. */
static void find_best(const struct family *family, float best[2 * BOARD_MAX_CELLS])
{
    for (unsigned i = 0; i < 2 * BOARD_MAX_CELLS; i++)
        best[i] = -INFINITY;
    const struct family_move *end = family->moves + family->n_moves;
    for (const struct family_move *move = family->moves; move < end; move++) {
        float value = move_value(family, move);
        best[move->spawn] = value > best[move->spawn] ? value : best[move->spawn];
    }
}

double family_expectation(const struct family *family)
{
    static const double probability[2] = {0.9, 0.1};
    float best[2 * BOARD_MAX_CELLS];
    find_best(family, best);
    double sum = 0;
    for (uint64_t empty = family->empty; empty; empty &= empty - 1) {
        const float *of_cell = best + (unsigned)__builtin_ctzll(empty) / 4 * 2;
        for (unsigned i = 0; i < 2; i++)
            if (of_cell[i] > -INFINITY)
                sum += probability[i] * of_cell[i];
    }
    return sum / family->n_empty;
}

unsigned family_list_contenders(const struct family *family, float margin, const bool settled[FAMILY_MAX],
                                uint8_t list[FAMILY_MAX])
{
    float best[2 * BOARD_MAX_CELLS];
    bool listed[FAMILY_MAX] = {false};
    unsigned n = 0;
    find_best(family, best);
    const struct family_move *end = family->moves + family->n_moves;
    for (const struct family_move *move = family->moves; move < end; move++)
        if (!settled[move->child] && !listed[move->child] && move_value(family, move) >= best[move->spawn] - margin) {
            listed[move->child] = true;
            list[n++] = move->child;
        }
    return n;
}
