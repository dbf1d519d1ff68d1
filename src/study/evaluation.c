#include "study/evaluation.h"

#include "base/memory.h"
#include "search/player.h"
#include "study/match.h"

#include <stdlib.h>

enum status evaluation_play(struct summary *summary, const struct grid *grid, struct value_function function,
                            unsigned depth, uint64_t n_games, uint64_t seed, struct workers *workers,
                            evaluation_watch watch, void *context)
{
    struct player player = {.kind = PLAYER_SEARCH, .grid = grid, .function = function, .search.depth = depth};
    struct match match = {
        .player = &player, .seed = seed, .n_games = n_games, .watch = watch, .watch_context = context};
    size_t n_finished;
    *summary = (struct summary){0};
    if (n_games == 0)
        return STATUS_OK;
    match.results = memory_allocate(n_games, sizeof *match.results);
    if (!match.results)
        return STATUS_NO_MEMORY;
    enum status status = match_play(&match, workers, NULL, &n_finished);
    if (!status)
        status = summary_compute(summary, match.results, n_finished);
    free(match.results);
    return status;
}
