/*
 * chooser: the interface of what values the moves of a board and chooses the best: a search, or a solved table. Code
 * that continues games from a board (study/outlook.h, study/expected_line.h) takes a chooser, so it works with either.
 */
#ifndef AFTERSTATE_SEARCH_CHOOSER_H
#define AFTERSTATE_SEARCH_CHOOSER_H

#include "base/status.h"
#include "game/board.h"
#include "search/search_result.h"

/* `choose` fills *result, whose best is DIRECTION_COUNT when no move is legal. Any failure ends the caller's work. */
struct chooser {
    enum status (*choose)(void *context, struct board board, struct search_result *result);
    void *context; /* borrowed */
};

static inline enum status chooser_choose(const struct chooser *chooser, struct board board,
                                         struct search_result *result)
{
    return chooser->choose(chooser->context, board, result);
}

#endif
