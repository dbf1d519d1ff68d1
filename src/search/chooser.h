/*
 * chooser: whatever values the moves of a board and names the best: a search, or a solved table where there is one.
 * What plays games on from a board (study/outlook.h, study/expected_line.h) takes one and need not know which it is.
 */
#ifndef AFTERSTATE_SEARCH_CHOOSER_H
#define AFTERSTATE_SEARCH_CHOOSER_H

#include "base/status.h"
#include "search/searcher.h"

/* `choose` fills *result, whose best is DIRECTION_COUNT when no move is legal. Any failure ends the caller's work. */
struct chooser {
    enum status (*choose)(void *context, struct board board, struct search_result *result);
    void *context; /* borrowed */
};

/* The search itself, with the limits that it has. STATUS_INTERRUPTED where a search was cancelled. */
struct chooser chooser_from_searcher(struct searcher *searcher);

static inline enum status chooser_choose(const struct chooser *chooser, struct board board,
                                         struct search_result *result)
{
    return chooser->choose(chooser->context, board, result);
}

#endif
