/* web_chooser: the chooser of a board: its solved table where there is one, otherwise search. */
#include "web/web_chooser.h"

static enum status choose_by_table(const struct web_chooser *chooser, struct board board, struct search_result *result)
{
    struct query_answer answer;
    enum status status = catalog_query(chooser->table, board, &answer);
    if (status)
        return status;
    struct moves moves = grid_moves(chooser->board->grid, board);
    *result = search_result_begin(&moves);
    for (unsigned d = 0; d < DIRECTION_COUNT; d++)
        if (answer.moves[d].legal) {
            result->value[d] = (float)answer.moves[d].value[chooser->table->queries.main];
            result->depth[d] = 1;
        }
    search_result_rank(result);
    result->best = answer.best; /* floats round: two moves may be equal that the table tells apart */
    return STATUS_OK;
}

static enum status choose(void *context, struct board board, struct search_result *result)
{
    const struct web_chooser *chooser = context;
    enum status status = chooser->table ? choose_by_table(chooser, board, result) : STATUS_INVALID;
    if (status == STATUS_INVALID) /* no table, or one that does not know the board */
        status =
            web_searchers_search(chooser->searchers, chooser->worker, chooser->board, board, chooser->limit, result);
    return status;
}

struct chooser web_chooser_chooser(struct web_chooser *chooser)
{
    return (struct chooser){.choose = choose, .context = chooser};
}
