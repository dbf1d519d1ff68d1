/* plain_expectimax: the search as the papers define it and as simply as it can be written. */
#include "search/plain_expectimax.h"

#include <math.h>

static float best_value(const struct grid *grid, const struct value_function *function, struct board board,
                        unsigned depth);

/* The expectation over all spawns on an afterstate, with `depth` plies to go below them. */
static float chance_value(const struct grid *grid, const struct value_function *function, struct board after,
                          unsigned depth)
{
    double sum = 0;
    unsigned n_empty = 0;
    for (unsigned cell = 0; cell < grid->n_cells; cell++) {
        if (board_get(after, cell) != 0)
            continue;
        n_empty++;
        sum += 0.9 * best_value(grid, function, board_set(after, cell, 1), depth);
        sum += 0.1 * best_value(grid, function, board_set(after, cell, 2), depth);
    }
    return (float)(sum / n_empty);
}

static float move_value(const struct grid *grid, const struct value_function *function, struct board after,
                        uint32_t reward, unsigned depth)
{
    return (float)reward + (depth == 1 ? value_of(function, after) : chance_value(grid, function, after, depth - 1));
}

static float best_value(const struct grid *grid, const struct value_function *function, struct board board,
                        unsigned depth)
{
    struct moves moves = grid_moves(grid, board);
    float best = -INFINITY;
    for (unsigned d = 0; d < DIRECTION_COUNT; d++)
        if (moves.legal >> d & 1) {
            float value = move_value(grid, function, moves.after[d], moves.reward[d], depth);
            best = value > best ? value : best;
        }
    return moves.legal ? best : 0;
}

struct search_result plain_expectimax(const struct grid *grid, const struct value_function *function,
                                      struct board board, unsigned depth)
{
    struct moves moves = grid_moves(grid, board);
    struct search_result result = search_result_begin(&moves);
    for (unsigned d = 0; d < DIRECTION_COUNT; d++)
        if (moves.legal >> d & 1) {
            result.value[d] = move_value(grid, function, moves.after[d], moves.reward[d], depth);
            result.depth[d] = depth;
        }
    search_result_rank(&result);
    return result;
}
