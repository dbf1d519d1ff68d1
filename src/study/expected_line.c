/* expected_line: how a game probably continues: the best move, a typical new tile, the best move, and so on. */
#include "study/expected_line.h"

#include "game/notation.h"

#include <assert.h>
#include <math.h>

/* The value of the best move; 0 where the game is over. */
static enum status state_value(const struct chooser *quick, struct board board, double *value)
{
    struct search_result result;
    enum status status = chooser_choose(quick, board, &result);
    if (status)
        return status;
    *value = result.best == DIRECTION_COUNT ? 0 : (double)result.value[result.best];
    return STATUS_OK;
}

/* Finds the spawn of a 2 after which the value is nearest to the mean; the first of equals. */
static enum status typical_spawn(const struct grid *grid, struct board after, const struct chooser *quick,
                                 struct spawn *out)
{
    double value[BOARD_MAX_CELLS], sum = 0, nearest = INFINITY;
    struct spawn spawns[BOARD_MAX_CELLS];
    unsigned n = 0;
    for (unsigned cell = 0; cell < grid->n_cells; cell++) {
        if (board_get(after, cell) != 0)
            continue;
        spawns[n] = (struct spawn){.cell = (uint8_t)cell, .value = 1};
        enum status status = state_value(quick, spawn_apply(after, spawns[n]), &value[n]);
        if (status)
            return status;
        sum += value[n++];
    }
    for (unsigned i = 0; i < n; i++)
        if (fabs(value[i] - sum / n) < nearest) {
            nearest = fabs(value[i] - sum / n);
            *out = spawns[i];
        }
    return STATUS_OK;
}

enum status expected_line_find(struct expected_line *line, const struct grid *grid, struct board board,
                               unsigned n_moves, const struct chooser *mover, const struct chooser *quick)
{
    assert(n_moves >= 1 && n_moves <= EXPECTED_LINE_MAX);
    *line = (struct expected_line){.last = board};
    while (line->n_moves < n_moves) {
        struct search_result result;
        enum status status = chooser_choose(mover, line->last, &result);
        if (status || result.best == DIRECTION_COUNT)
            return status;
        uint32_t reward;
        struct spawn spawn = {0};
        struct board after = grid_move(grid, line->last, result.best, &reward);
        status = typical_spawn(grid, after, quick, &spawn);
        if (status)
            return status;
        line->moves[line->n_moves].board = line->last;
        line->moves[line->n_moves].direction = result.best;
        line->moves[line->n_moves].reward = reward;
        line->moves[line->n_moves++].spawn = spawn;
        line->last = spawn_apply(after, spawn);
    }
    return STATUS_OK;
}

void expected_line_add_json(const struct expected_line *line, const struct grid *grid, struct json *json)
{
    char digits[NOTATION_DIGITS_BYTES];
    json_open_array(json, "line");
    for (unsigned i = 0; i < line->n_moves; i++) {
        json_open_object(json, NULL);
        json_add_text(json, "board", notation_digits(grid, line->moves[i].board, digits));
        json_add_text(json, "direction", direction_name(line->moves[i].direction));
        json_add_unsigned(json, "reward", line->moves[i].reward);
        json_open_object(json, "spawn");
        json_add_unsigned(json, "cell", line->moves[i].spawn.cell);
        json_add_unsigned(json, "tile", notation_face(line->moves[i].spawn.value));
        json_close(json);
        json_close(json);
    }
    json_close(json);
    json_add_text(json, "last", notation_digits(grid, line->last, digits));
}
