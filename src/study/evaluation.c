#include "study/evaluation.h"

#include "base/memory.h"
#include "base/signals.h"
#include "search/player.h"
#include "study/match.h"

#include <stdatomic.h>
#include <stdlib.h>

struct evaluation {
    struct player player;
    uint64_t seed;
    struct game_result *results;
    evaluation_watch watch;
    void *context;
    _Atomic uint64_t n_finished;
};

static enum status play_item(void *context, unsigned worker, uint64_t item)
{
    struct evaluation *evaluation = context;
    bool finished;
    if (worker == 0 && evaluation->watch &&
        !evaluation->watch(evaluation->context, atomic_load(&evaluation->n_finished)))
        return status_fail(STATUS_INTERRUPTED, "interrupted");
    enum status status =
        match_play_game(&evaluation->player, evaluation->seed, item, &evaluation->results[item], NULL, &finished);
    if (!status && !finished)
        return status_fail(STATUS_INTERRUPTED, "interrupted");
    atomic_fetch_add(&evaluation->n_finished, 1);
    return status;
}

enum status evaluation_play(struct summary *summary, const struct network *network, unsigned depth, uint64_t n_games,
                            uint64_t seed, struct workers *workers, evaluation_watch watch, void *context)
{
    struct evaluation evaluation = {
        .player = {.kind = PLAYER_SEARCH,
                   .grid = &network->grid,
                   .function = network_value_function(network),
                   .depth = depth},
        .seed = seed,
        .watch = watch,
        .context = context,
    };
    *summary = (struct summary){0};
    if (n_games == 0)
        return STATUS_OK;
    evaluation.results = memory_allocate(n_games, sizeof *evaluation.results);
    if (!evaluation.results)
        return STATUS_NO_MEMORY;
    enum status status = workers_for(workers, n_games, play_item, &evaluation);
    if (!status)
        status = summary_compute(summary, evaluation.results, n_games);
    free(evaluation.results);
    return status;
}
