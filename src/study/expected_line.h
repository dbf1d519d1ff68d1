/*
 * expected_line: how a game probably continues: the best move, a typical new tile, the best move, and so on.
 *
 * No spawn is likely by itself: each empty cell has the same chance. The line takes a 2, which nine of ten new tiles
 * are, in the cell after which the board is worth most nearly the mean over all cells: neither luck nor bad luck. So
 * the line is typical for what the moves lead to, and the same every time.
 */
#ifndef AFTERSTATE_STUDY_EXPECTED_LINE_H
#define AFTERSTATE_STUDY_EXPECTED_LINE_H

#include "base/json.h"
#include "game/game.h"
#include "search/chooser.h"

enum { EXPECTED_LINE_MAX = 12 };

struct expected_line {
    unsigned n_moves;
    struct {
        struct board board; /* before the move */
        enum direction direction;
        uint32_t reward;
        struct spawn spawn;
    } moves[EXPECTED_LINE_MAX];
    struct board last; /* after the last spawn */
};

/*
 * At most n_moves (1 .. EXPECTED_LINE_MAX) from `board`, fewer where the game ends. `mover` chooses the moves, `quick`
 * values the boards after each possible spawn. Fails as they do.
 */
enum status expected_line_find(struct expected_line *line, const struct grid *grid, struct board board,
                               unsigned n_moves, const struct chooser *mover, const struct chooser *quick);

/* Adds "line", an array of {"board", "direction", "reward", "spawn": {"cell", "tile"}}, and "last", the last board. */
void expected_line_add_json(const struct expected_line *line, const struct grid *grid, struct json *json);

#endif
