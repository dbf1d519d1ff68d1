/* What tables with walls need beside the others: their moves, and boards of the real game in and out. */
#include "solve/table.h"

struct moves table_moves(const struct table *table, struct board board)
{
    if (!table_summary(table)->walls.cells)
        return grid_moves(table_grid(table), board);
    struct moves moves = {.legal = 0};
    struct word_moves words = layout_board_moves(table_layout(table), board.cells);
    for (unsigned d = 0; d < DIRECTION_COUNT; d++) {
        moves.after[d] = (struct board){.cells = words.after[d]};
        moves.legal |= (unsigned)(words.after[d] != board.cells) << d;
    }
    return moves;
}

enum status table_enter(const struct table *table, struct board board, struct board *inside, unsigned *symmetry)
{
    const struct table_summary *summary = table_summary(table);
    *inside = board;
    *symmetry = 0;
    return summary->walls.cells ? walls_fit(summary->walls, table_grid(table), summary->goal, board, inside, symmetry)
                                : STATUS_OK;
}

struct board table_leave(const struct table *table, struct board inside)
{
    const struct table_summary *summary = table_summary(table);
    return summary->walls.cells ? walls_fill(summary->walls, table_grid(table), summary->goal, inside) : inside;
}
