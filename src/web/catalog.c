/* catalog: what the server has to offer: boards with their evaluators, and solved tables. */
#include "web/catalog.h"

#include "base/map_guard.h"
#include "game/notation.h"
#include "study/hint_answer.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* The next evaluator of that size from `first` on; NULL: there is none. */
static const struct web_board *next_board(const struct catalog *catalog, size_t first, unsigned rows, unsigned cols)
{
    for (size_t i = first; i < catalog->n_boards; i++)
        if (catalog->boards[i].grid->rows == rows && catalog->boards[i].grid->cols == cols)
            return &catalog->boards[i];
    return NULL;
}

const struct web_board *catalog_board_of(const struct catalog *catalog, unsigned rows, unsigned cols,
                                         const char *evaluator)
{
    const struct web_board *board = next_board(catalog, 0, rows, cols);
    while (board && strcmp(board->evaluator, evaluator) != 0)
        board = next_board(catalog, (size_t)(board - catalog->boards) + 1, rows, cols);
    return board;
}

enum status catalog_add_board(struct catalog *catalog, const struct web_board *board)
{
    if (catalog->n_boards == CATALOG_MAX_BOARDS)
        return status_fail(STATUS_USAGE, "more than %d boards", CATALOG_MAX_BOARDS);
    char *name = catalog->names[catalog->n_boards];
    const char *slash = strrchr(board->evaluator, '/');
    snprintf(name, CATALOG_NAME_BYTES, "%s", slash ? slash + 1 : board->evaluator);
    web_clean_text(name);
    if (catalog_board_of(catalog, board->grid->rows, board->grid->cols, name))
        return status_fail(STATUS_USAGE, "two evaluators of %ux%u boards are called %s, expected another name for each",
                           board->grid->rows, board->grid->cols, name);
    catalog->boards[catalog->n_boards] = *board;
    catalog->boards[catalog->n_boards++].evaluator = name;
    return STATUS_OK;
}

/* The size, and what differs from the usual rules. */
static void write_id(char id[CATALOG_ID_BYTES], const struct table_summary *summary)
{
    int used = snprintf(id, CATALOG_ID_BYTES, "%ux%u", summary->rows, summary->cols);
    if (summary->variant != VARIANT_NORMAL)
        used += snprintf(id + used, (size_t)(CATALOG_ID_BYTES - used), "-%s", solve_variant_names[summary->variant]);
    if (summary->goal)
        used += snprintf(id + used, (size_t)(CATALOG_ID_BYTES - used), "-tile%u", 1u << summary->goal);
    if (summary->walls.cells && walls_name(summary->walls.cells))
        used += snprintf(id + used, (size_t)(CATALOG_ID_BYTES - used), "-%s", walls_name(summary->walls.cells));
    else if (summary->walls.cells)
        used += snprintf(id + used, (size_t)(CATALOG_ID_BYTES - used), "-walls%x", summary->walls.cells);
    if (summary->walls.at)
        used += snprintf(id + used, (size_t)(CATALOG_ID_BYTES - used), "-at%x", summary->walls.at);
    if (summary->chance_of_4 != TABLE_USUAL_CHANCE_OF_4)
        snprintf(id + used, (size_t)(CATALOG_ID_BYTES - used), "-four%.10g", summary->chance_of_4);
}

enum status catalog_add_table(struct catalog *catalog, const struct table *table)
{
    const struct table_summary *summary = table_summary(table);
    struct web_table entry = {.table = table, .queries = {.main = summary->variant}};
    write_id(entry.id, summary);
    const struct web_table *other = catalog_table(catalog, entry.id);
    if (other)
        return status_fail(STATUS_USAGE, "%s and %s are both tables of %s", table_directory(other->table),
                           table_directory(table), entry.id);
    if (catalog->n_tables == CATALOG_MAX_TABLES)
        return status_fail(STATUS_USAGE, "more than %d tables", CATALOG_MAX_TABLES);
    entry.has_values = summary->backward_done && summary->store == STORE_VALUES;
    if (entry.has_values) {
        enum status status = query_add_table(&entry.queries, table, summary->variant);
        if (status)
            return status;
    }
    catalog->tables[catalog->n_tables++] = entry;
    return STATUS_OK;
}

const struct web_board *catalog_board(const struct catalog *catalog, unsigned rows, unsigned cols)
{
    return next_board(catalog, 0, rows, cols);
}

const struct web_table *catalog_table(const struct catalog *catalog, const char *id)
{
    for (size_t i = 0; i < catalog->n_tables; i++)
        if (strcmp(catalog->tables[i].id, id) == 0)
            return &catalog->tables[i];
    return NULL;
}

const struct web_table *catalog_exact_table(const struct catalog *catalog, unsigned rows, unsigned cols)
{
    char id[CATALOG_ID_BYTES];
    snprintf(id, sizeof id, "%ux%u", rows, cols);
    const struct web_table *table = catalog_table(catalog, id);
    return table && table->has_values ? table : NULL;
}

/* "4x4, 3x3" */
static const char *list_sizes(const struct catalog *catalog, char *out, size_t bytes)
{
    size_t used = 0;
    out[0] = 0;
    for (size_t i = 0; i < catalog->n_boards && used < bytes; i++) {
        const struct grid *grid = catalog->boards[i].grid;
        if (catalog_board(catalog, grid->rows, grid->cols) == &catalog->boards[i])
            used += (size_t)snprintf(out + used, bytes - used, "%s%ux%u", i ? ", " : "", grid->rows, grid->cols);
    }
    return out;
}

static enum http_code board_by_cells(const struct catalog *catalog, size_t n_cells, const struct web_board **board)
{
    char sizes[200];
    *board = NULL;
    for (size_t i = 0; i < catalog->n_boards; i++) {
        const struct grid *grid = catalog->boards[i].grid;
        if (grid->n_cells != n_cells || catalog_board(catalog, grid->rows, grid->cols) != &catalog->boards[i])
            continue;
        if (*board)
            return web_fail(HTTP_BAD_REQUEST, "a board of %zu cells may be %ux%u or %ux%u: say rows and cols", n_cells,
                            (*board)->grid->rows, (*board)->grid->cols, grid->rows, grid->cols);
        *board = &catalog->boards[i];
    }
    if (!*board)
        return web_fail(HTTP_BAD_REQUEST, "a board of %zu digits, expected one of %s", n_cells,
                        list_sizes(catalog, sizes, sizeof sizes));
    return HTTP_FINE;
}

static enum http_code board_by_size(const struct catalog *catalog, int64_t rows, int64_t cols,
                                    const struct web_board **board)
{
    char sizes[200];
    *board = catalog_board(catalog, (unsigned)rows, (unsigned)cols);
    if (!*board)
        return web_fail(HTTP_BAD_REQUEST, "boards of %ux%u are not offered here, only %s", (unsigned)rows,
                        (unsigned)cols, list_sizes(catalog, sizes, sizeof sizes));
    return HTTP_FINE;
}

/* Takes `judge` if it is there, the name of another evaluator of the same boards. */
static enum http_code take_evaluator(const struct catalog *catalog, struct target *target,
                                     const struct web_board **board)
{
    const char *name = target_take(target, "judge");
    const struct grid *grid = (*board)->grid;
    if (!name)
        return HTTP_FINE;
    *board = catalog_board_of(catalog, grid->rows, grid->cols, name);
    return *board ? HTTP_FINE
                  : web_fail(HTTP_BAD_REQUEST, "no '%s' evaluates boards of %ux%u here", name, grid->rows, grid->cols);
}

enum http_code catalog_take_board(const struct catalog *catalog, struct target *target, const struct web_board **board,
                                  struct board *position)
{
    int64_t rows = 0, cols = 0;
    const char *text = target_take(target, "board");
    enum http_code code = target_take_integer(target, "rows", 1, BOARD_MAX_SIDE, &rows);
    if (!code)
        code = target_take_integer(target, "cols", 1, BOARD_MAX_SIDE, &cols);
    if (code)
        return code;
    if (!text)
        return web_fail(HTTP_BAD_REQUEST, "the parameter 'board' is missing");
    if ((rows == 0) != (cols == 0))
        return web_fail(HTTP_BAD_REQUEST, "'rows' and 'cols' go together");
    code = rows ? board_by_size(catalog, rows, cols, board) : board_by_cells(catalog, strlen(text), board);
    if (!code)
        code = take_evaluator(catalog, target, board);
    if (code)
        return code;
    if (notation_parse((*board)->grid, text, position))
        return HTTP_BAD_REQUEST;
    if (position->cells == 0)
        return web_fail(HTTP_BAD_REQUEST, "a board without tiles; a game begins with two");
    return HTTP_FINE;
}

struct guarded_query {
    const struct web_table *table;
    struct board position;
    struct query_answer *answer;
};

static enum status run_query(void *context)
{
    const struct guarded_query *query = context;
    return query_board(&query->table->queries, query->position, query->answer);
}

enum status catalog_query(const struct web_table *table, struct board position, struct query_answer *answer)
{
    struct guarded_query query = {.table = table, .position = position, .answer = answer};
    return map_guard_run(run_query, &query, table->id);
}

void catalog_add_answer_json(struct json *json, const struct web_table *table, const struct query_answer *answer,
                             bool rewards)
{
    enum solve_variant variant = table->queries.main;
    double value[DIRECTION_COUNT], reward[DIRECTION_COUNT], loss[DIRECTION_COUNT];
    bool any = false;
    for (unsigned d = 0; d < DIRECTION_COUNT; d++) {
        const struct query_move *move = &answer->moves[d];
        any |= move->legal;
        value[d] = move->legal ? move->value[variant] : NAN;
        reward[d] = move->legal ? move->reward : NAN;
        loss[d] = move->legal ? move->loss : NAN;
    }
    json_add_real(json, "value", answer->value[variant]);
    json_add_text(json, "best", any ? direction_name(answer->best) : NULL);
    json_add_directions(json, "moves", value);
    if (rewards)
        json_add_directions(json, "rewards", reward);
    json_add_directions(json, "losses", loss);
}
