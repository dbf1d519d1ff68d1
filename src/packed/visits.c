/* visits: counts how often play reads each weight. */
#include "packed/visits.h"

#include "base/progress.h"
#include "base/signals.h"
#include "game/game.h"
#include "ntuple/lookup.h"

#include <math.h>
#include <stdatomic.h>

struct counting {
    const struct network *network;
    const struct visits_games *games;
    uint64_t seed;
    uint16_t *counts;
    struct progress progress;
    atomic_uint_fast64_t n_done; /* games */
};

/* Atomic, because small counts must not depend on timing. */
static void count_one(uint16_t *count)
{
    if (__atomic_load_n(count, __ATOMIC_RELAXED) < VISITS_MAX)
        __atomic_fetch_add(count, 1, __ATOMIC_RELAXED);
}

static void count_board(const struct counting *counting, unsigned stage, const uint32_t *index)
{
    const struct network *network = counting->network;
    uint64_t first = stage * network->n_stage_weights;
    bool promote = network->spec.promote && stage > 0;
    for (unsigned i = 0; i < network->n_lookups; i++) {
        uint64_t place = first + index[i];
        if (promote && network->weights[place] == network->spec.initial)
            place -= network->n_stage_weights;
        count_one(&counting->counts[place]);
    }
}

static enum status count_game(void *context, unsigned worker, uint64_t item)
{
    struct counting *counting = context;
    const struct network *network = counting->network;
    uint32_t index[NETWORK_MAX_LOOKUPS];
    const struct visits_games *games = counting->games;
    struct game game = game_begin(&network->grid, counting->seed, item);
    if (games->starts)
        game.board = games->starts[item % games->n_starts];
    while (!games->until || board_max_value(game.board) < games->until) {
        if (signals_interrupted())
            return status_fail(STATUS_INTERRUPTED, "stopped while visits were counted; nothing was written");
        struct moves moves = grid_moves(&network->grid, game.board);
        unsigned best = DIRECTION_COUNT;
        float best_value = 0;
        for (unsigned d = 0; d < DIRECTION_COUNT; d++) {
            if (board_equal(moves.after[d], game.board))
                continue;
            unsigned stage = stages_of(&network->spec.stages, moves.after[d]), n_seen;
            lookup_indices(network, moves.after[d], stage, index);
            float value = (float)moves.reward[d] + lookup_value(network, stage, index, false, &n_seen);
            count_board(counting, stage, index);
            if (best == DIRECTION_COUNT || value > best_value) {
                best = d;
                best_value = value;
            }
        }
        if (best == DIRECTION_COUNT)
            break;
        game_continue(&game, moves.after[best], moves.reward[best]);
    }
    uint64_t n_done = atomic_fetch_add(&counting->n_done, 1) + 1;
    if (worker == 0)
        progress_update(&counting->progress, (double)n_done, NULL);
    return STATUS_OK;
}

enum status visits_count(const struct network *network, const struct visits_games *games, uint64_t n_games,
                         uint64_t seed, struct workers *workers, FILE *progress, uint16_t *counts)
{
    struct counting counting = {.network = network, .games = games, .seed = seed, .counts = counts};
    progress_begin(&counting.progress, progress, progress ? PROGRESS_AUTO : PROGRESS_QUIET, "visits", "games",
                   (double)n_games);
    enum status status = workers_for(workers, n_games, count_game, &counting);
    progress_end(&counting.progress, NULL);
    return status;
}

static unsigned coarseness(unsigned visits)
{
    return visits >= 128 ? 1 : visits >= 32 ? 2 : visits >= 8 ? 4 : visits >= 1 ? 16 : 32;
}

/* From the first stage on: a weight may be compared with that of the stage before, which must be rounded by then. */
void visits_round(struct network *network, const uint16_t *counts, float step)
{
    float initial = network->spec.initial;
    uint64_t n_first = network->spec.promote ? network->n_stage_weights : network->n_weights;
    for (uint64_t i = 0; i < network->n_weights; i++) {
        float *weight = &network->weights[i];
        if (*weight == initial)
            continue;
        double coarse = (double)step * coarseness(counts[i]), rounded = coarse * rint((double)*weight / coarse);
        float before = i < n_first ? initial : weight[-(int64_t)network->n_stage_weights];
        if (before != initial && fabs((double)*weight - (double)before) <= coarse * VISITS_LEAN)
            *weight = initial;
        else
            *weight = (float)rounded == initial ? nextafterf(initial, INFINITY) : (float)rounded;
    }
}

/* The mean of the touched weights that are kept; 0 if there are none. */
static float mean_of_kept(const float *weights, const uint16_t *counts, uint32_t n, float initial, unsigned least)
{
    double sum = 0;
    uint64_t n_kept = 0;
    for (uint32_t i = 0; i < n; i++)
        if (weights[i] != initial && counts[i] >= least) {
            sum += weights[i];
            n_kept++;
        }
    return n_kept ? (float)(sum / (double)n_kept) : 0;
}

uint64_t visits_drop(struct network *network, const uint16_t *counts, unsigned least)
{
    uint64_t n_dropped = 0;
    float initial = network->spec.initial;
    for (unsigned stage = 0; stage < network->spec.stages.n_stages; stage++)
        for (unsigned t = 0; t < network->n_tables; t++) {
            const struct network_table *table = &network->tables[t];
            uint64_t first = stage * network->n_stage_weights + table->offset;
            float *weights = network->weights + first;
            bool untouched_is_fine = initial == 0 || (network->spec.promote && stage > 0);
            float instead =
                untouched_is_fine ? initial : mean_of_kept(weights, counts + first, table->n_weights, initial, least);
            for (uint32_t i = 0; i < table->n_weights; i++)
                if (weights[i] != initial && counts[first + i] < least) {
                    weights[i] = instead;
                    n_dropped++;
                }
        }
    return n_dropped;
}
