/*
 * query: the exact value of each move of one board in a solved table, the best move, and what the others lose. Values
 * are expected scores, or chances where the tables have a goal (table.h). For tables with walls the boards are those of
 * the real game, in any of their images.
 */
#ifndef AFTERSTATE_SOLVE_QUERY_H
#define AFTERSTATE_SOLVE_QUERY_H

#include "base/status.h"
#include "game/grid.h"
#include "solve/table.h"

#include <stdbool.h>
#include <stdint.h>

struct query_move {
    bool legal;      /* by the rules of the table: not where a wall would move */
    bool moves_wall; /* not legal, but in the real game, where the wall is a tile that moves */
    uint32_t reward;
    double value[VARIANT_COUNT]; /* table_move_value() by the table of each variant; NaN without one */
    double loss;                 /* of that value against the best move, by the main table; 0 for the best */
};

struct query_answer {
    uint32_t age;                /* with walls the sum of the other tiles */
    enum direction best;         /* the first of the best; DIRECTION_COUNT if no move is legal */
    double value[VARIANT_COUNT]; /* of the state: that of its best move in each variant, 0 if it is terminal */
    struct query_move moves[DIRECTION_COUNT];
};

/*
 * The tables of one board size, by variant. `main` says which of them chooses the best move and measures losses; the
 * others may be NULL. All are borrowed.
 */
struct query_tables {
    const struct table *of[VARIANT_COUNT];
    enum solve_variant main;
};

/*
 * STATUS_INVALID if a table is not of `variant`, not yet solved, or, unless `main_table` is NULL, of another size, goal
 * or chance of a 4 than that one (the message names its directory).
 */
enum status query_check_variant(const struct table *table, enum solve_variant variant, const struct table *main_table);

/*
 * Puts a table in its place: STATUS_INVALID if it has another size, goal or chance of a 4 than the main table, or
 * another variant than `variant`, or no values (the message names its directory).
 */
enum status query_add_table(struct query_tables *tables, const struct table *table, enum solve_variant variant);

/*
 * Answers for a board on which it is the player's turn. STATUS_INVALID, with the reason, if no game can reach it or it
 * has the goal of the tables already; STATUS_CORRUPT or STATUS_USAGE as table_find().
 *
 * With walls the board need not arise in a game from a start: it is answered if the table has what its moves lead to,
 * and STATUS_INVALID if it has not, or if the large tiles do not stand on the walls.
 */
enum status query_board(const struct query_tables *tables, struct board board, struct query_answer *answer);

/*
 * The best direction by a finished table that was solved with --store moves; DIRECTION_COUNT if no move is legal. Such
 * a table does not know which boards a game can reach: STATUS_INVALID if no game reaches the board's age or the board
 * has the goal of the table already, but a board that only looks reachable gets some legal direction. STATUS_CORRUPT or
 * STATUS_USAGE as table_move().
 */
enum status query_move(const struct table *table, struct board board, enum direction *best);

#endif
