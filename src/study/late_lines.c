/* late_lines: late games of 4x4 by tables of chains, and by a search of lines where no table covers the board. */
#include "study/late_lines.h"

#include "search/line_search.h"

#include <math.h>

static bool takes(const void *context, struct board board)
{
    (void)context;
    return board_max_value(board) >= LATE_LINES_TILE;
}

static enum status open_memory(const void *context, void **memory)
{
    const struct late_lines *lines = context;
    struct line_search *search;
    enum status status = line_search_create(&search, lines->grid);
    *memory = search;
    return status;
}

static void close_memory(void *memory)
{
    line_search_free(memory);
}

/* The chances of a table as values. */
static void take_chances(const struct chain_answer *answer, struct search_result *result)
{
    for (unsigned d = 0; d < DIRECTION_COUNT; d++) {
        if (!isnan(answer->chance[d])) {
            result->value[d] = (float)answer->chance[d];
            result->depth[d] = 1;
            result->n_leaves++;
        }
    }
    search_result_rank(result);
}

/* The plies of a search of lines where a network searches `depth`; 0 (by time alone) as it is. */
static unsigned plies_for(const struct search_settings *settings)
{
    const unsigned plies = settings->depth ? settings->depth + LATE_LINES_MORE_PLIES : 0;
    return settings->milliseconds > 0 || plies <= LATE_LINES_MAX_PLIES ? plies : LATE_LINES_MAX_PLIES;
}

static void search(const void *context, void *memory, struct board board, const struct search_settings *settings,
                   struct search_result *result)
{
    const struct late_lines *lines = context;
    struct chain_answer answer;
    if (chain_choose(lines->chain, board, &answer))
        take_chances(&answer, result);
    else
        line_search_run(memory, board, plies_for(settings), settings, result);
}

void late_lines_begin(struct late_lines *lines, const struct grid *grid, const struct chain *chain)
{
    *lines = (struct late_lines){
        .chain = chain,
        .grid = grid,
        .specialist = {.context = lines, .takes = takes, .open = open_memory, .close = close_memory, .search = search}};
}
