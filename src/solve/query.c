/* query: the exact value of each move of one board in a solved table, the best move, and what the others lose. */
#include "solve/query.h"

#include "game/notation.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

enum status query_check_variant(const struct table *table, enum solve_variant variant, const struct table *main_table)
{
    const struct table_summary *summary = table_summary(table);
    if (summary->variant != variant)
        return status_fail(STATUS_INVALID, "%s: holds the %s variant, expected the %s one", table_directory(table),
                           solve_variant_names[summary->variant], solve_variant_names[variant]);
    if (!summary->backward_done)
        return status_fail(STATUS_INVALID, "%s: has no values yet; the same solve command resumes",
                           table_directory(table));
    if (!main_table)
        return STATUS_OK;
    const struct table_summary *main_summary = table_summary(main_table);
    if (summary->rows != main_summary->rows || summary->cols != main_summary->cols)
        return status_fail(STATUS_INVALID, "%s: is of %ux%u boards, %s of %ux%u", table_directory(table), summary->rows,
                           summary->cols, table_directory(main_table), main_summary->rows, main_summary->cols);
    return table_check_same_rules(table, main_table);
}

enum status query_add_table(struct query_tables *tables, const struct table *table, enum solve_variant variant)
{
    enum status status = query_check_variant(table, variant, tables->of[tables->main]);
    if (status)
        return status;
    if (table_summary(table)->store != STORE_VALUES)
        return status_fail(STATUS_INVALID, "%s: has no values; it was solved with --store moves or none",
                           table_directory(table));
    tables->of[variant] = table;
    return STATUS_OK;
}

static enum status fail_unreachable(const struct table *table, struct board board)
{
    char digits[NOTATION_DIGITS_BYTES];
    return status_fail(STATUS_INVALID, "no game on the %ux%u board%s reaches %s (age %" PRIu32 ")",
                       table_summary(table)->rows, table_summary(table)->cols,
                       table_summary(table)->walls.cells ? " with walls" : "",
                       notation_digits(table_grid(table), board, digits), board_age(board));
}

static enum status check_reachable(const struct table *table, struct board board)
{
    bool reachable = false;
    enum status status = table_state_reachable(table, board, &reachable);
    return !status && !reachable ? fail_unreachable(table, board) : status;
}

enum status query_board(const struct query_tables *tables, struct board board, struct query_answer *answer)
{
    const struct table *main_table = tables->of[tables->main];
    const struct grid *grid = table_grid(main_table);
    struct board inside;
    unsigned symmetry;
    memset(answer, 0, sizeof *answer);
    enum status status = table_enter(main_table, board, &inside, &symmetry);
    if (!status && !table_summary(main_table)->walls.cells)
        status = check_reachable(main_table, inside);
    if (status)
        return status;
    const struct moves moves = table_moves(main_table, inside), real = grid_moves(grid, board);
    answer->age = board_age(inside);
    answer->best = DIRECTION_COUNT;
    for (unsigned variant = 0; variant < VARIANT_COUNT; variant++)
        answer->value[variant] = tables->of[variant] ? 0 : NAN;
    for (unsigned d = 0; d < DIRECTION_COUNT; d++) {
        struct query_move *move = &answer->moves[d];
        const enum direction turned = grid_image_direction(d, symmetry);
        move->legal = moves.legal >> turned & 1;
        move->moves_wall = !move->legal && real.legal >> d & 1;
        move->reward = move->legal ? real.reward[d] : 0;
        for (unsigned variant = 0; variant < VARIANT_COUNT; variant++) {
            move->value[variant] = NAN;
            if (move->legal && tables->of[variant])
                status =
                    table_move_value(tables->of[variant], moves.after[turned], move->reward, &move->value[variant]);
            if (status)
                return status;
            if (move->value[variant] > answer->value[variant])
                answer->value[variant] = move->value[variant];
        }
        if (move->legal && (answer->best == DIRECTION_COUNT ||
                            move->value[tables->main] > answer->moves[answer->best].value[tables->main]))
            answer->best = d;
    }
    for (unsigned d = 0; d < DIRECTION_COUNT; d++)
        answer->moves[d].loss = answer->value[tables->main] - answer->moves[d].value[tables->main];
    return STATUS_OK;
}

enum status query_move(const struct table *table, struct board board, enum direction *best)
{
    struct board inside;
    unsigned symmetry;
    enum direction found;
    enum status status = table_enter(table, board, &inside, &symmetry);
    if (status)
        return status;
    const struct table_age *age = table_age_of(table, board_age(inside));
    if (table_summary(table)->forward_done && (!age || age->n_states == 0) && !table_is_won(table, inside))
        return fail_unreachable(table, inside);
    status = table_move(table, inside, &found);
    *best = DIRECTION_COUNT;
    for (unsigned d = 0; d < DIRECTION_COUNT && !status; d++)
        *best = grid_image_direction(d, symmetry) == found ? d : *best;
    return status;
}
