/* evaluation: measures the strength of a value function during a training run. */
#include "study/evaluation.h"

#include "base/memory.h"
#include "search/player.h"
#include "study/match.h"

#include <stdlib.h>

enum status evaluation_play(const struct evaluation *evaluation, struct workers *workers, struct summary *summary)
{
    struct player player = {.kind = PLAYER_SEARCH,
                            .grid = evaluation->grid,
                            .function = evaluation->function,
                            .search.depth = evaluation->depth};
    struct match match = {.player = &player,
                          .seed = evaluation->seed,
                          .n_games = evaluation->n_games,
                          .watch = evaluation->watch,
                          .watch_context = evaluation->context,
                          .cluster = evaluation->cluster};
    size_t n_finished;
    *summary = (struct summary){0};
    if (match.n_games == 0)
        return STATUS_OK;
    match.results = memory_allocate(match.n_games, sizeof *match.results);
    if (!match.results)
        return STATUS_NO_MEMORY;
    enum status status = match_play(&match, workers, NULL, &n_finished);
    if (!status)
        status = summary_compute(summary, match.results, n_finished);
    free(match.results);
    return status;
}
