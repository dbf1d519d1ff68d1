/*
 * api_exact: exact evaluation of a player, also of one that is a function of the caller.
 */
#include <afterstate/afterstate.h>

#include "api/api_parts.h"
#include "api/cell_words.h"
#include "base/memory.h"
#include "base/workers.h"
#include "solve/solver.h"
#include "study/exact_policy.h"

#include <stdlib.h>

enum { VALUE_BITS = 16 }; /* of a stored value's fraction */

enum as_status as_solve(const char *directory, const struct as_solve_settings *settings)
{
    static const char function[] = "as_solve";
    struct as_solve_settings taken;
    struct workers *workers = NULL;
    struct solve_report report;
    if (!directory || !settings)
        return api_fail_null(function);
    enum status status = api_take_settings(&taken, sizeof taken, settings, function);
    if (status)
        return (enum as_status)status;
    if (taken.threads > WORKERS_MAX || (taken.goal && (taken.goal < 3 || taken.goal > BOARD_MAX_VALUE)))
        status = status_fail(STATUS_USAGE, "%s: %u threads, goal %u; expected at most %d, and 0 or 3 to %d", function,
                             taken.threads, taken.goal, WORKERS_MAX, BOARD_MAX_VALUE);
    if (status)
        return (enum as_status)status;
    status = grid_check_size(taken.rows, taken.cols);
    if (status)
        return (enum as_status)status;
    status = workers_create(&workers, taken.threads ? taken.threads : 1);
    if (status)
        return (enum as_status)status;
    struct solve_settings inner = {.rows = taken.rows,
                                   .cols = taken.cols,
                                   .directory = directory,
                                   .store = STORE_VALUES,
                                   .fraction_bits = VALUE_BITS,
                                   .chance_of_4 = TABLE_USUAL_CHANCE_OF_4,
                                   .goal = taken.goal,
                                   .checkpoint_every = 1,
                                   .memory_bytes = memory_available_bytes(),
                                   .progress_mode = PROGRESS_QUIET};
    status = solve_run(&inner, workers, &report);
    workers_free(workers);
    return (enum as_status)status;
}

/* What the callbacks of an evaluation need. */
struct player {
    const struct as_exact_settings *settings;
    const struct grid *grid;
    uint8_t *cells;  /* room for the boards of one call, which grows */
    size_t capacity; /* boards */
};

static enum status call_player(void *context, const uint64_t *cells, size_t n, double *share)
{
    struct player *player = context;
    const unsigned n_cells = player->grid->n_cells;
    if (n > player->capacity) {
        uint8_t *room = memory_resize(player->cells, n, n_cells);
        if (!room)
            return STATUS_NO_MEMORY;
        player->cells = room;
        player->capacity = n;
    }
    for (size_t i = 0; i < n; i++)
        cell_words_write(n_cells, (struct board){.cells = cells[i]}, player->cells + i * n_cells);
    if (player->settings->function(player->settings->context, player->cells, n, share))
        return status_fail(STATUS_INTERRUPTED, "as_exact: the player failed");
    return STATUS_OK;
}

static bool poll_player(void *context)
{
    const struct as_exact_settings *settings = ((struct player *)context)->settings;
    return settings->poll && settings->poll(settings->context);
}

static enum status make_policy(struct policy *policy, const struct as_table *table,
                               const struct as_exact_settings *settings, struct player *player)
{
    static const enum policy_kind kinds[] = {[AS_PLAYER_RANDOM] = POLICY_RANDOM,
                                             [AS_PLAYER_GREEDY] = POLICY_GREEDY_SCORE,
                                             [AS_PLAYER_OPTIMAL] = POLICY_OPTIMAL,
                                             [AS_PLAYER_NETWORK] = POLICY_VALUE,
                                             [AS_PLAYER_FUNCTION] = POLICY_FUNCTION};
    if ((unsigned)settings->player > AS_PLAYER_FUNCTION)
        return status_fail(STATUS_USAGE, "as_exact: player %u; expected 0 to %d", (unsigned)settings->player,
                           AS_PLAYER_FUNCTION);
    if (settings->threads > WORKERS_MAX)
        return status_fail(STATUS_USAGE, "as_exact: %u threads; expected at most %d", settings->threads, WORKERS_MAX);
    *policy = (struct policy){.kind = kinds[settings->player],
                              .choose = call_player,
                              .context = player,
                              .by_image = !settings->symmetric,
                              .stop = poll_player};
    const struct as_network *network = settings->network;
    if (settings->player == AS_PLAYER_FUNCTION && !settings->function)
        return status_fail(STATUS_USAGE, "as_exact: the function is NULL");
    if (settings->player != AS_PLAYER_NETWORK)
        return STATUS_OK;
    if (!network)
        return status_fail(STATUS_USAGE, "as_exact: the network is NULL");
    if (network->grid.grid.rows != table->grid.grid.rows || network->grid.grid.cols != table->grid.grid.cols)
        return status_fail(STATUS_INVALID, "as_exact: the network is for %ux%u boards, the table for %ux%u",
                           network->grid.grid.rows, network->grid.grid.cols, table->grid.grid.rows,
                           table->grid.grid.cols);
    policy->function = network->evaluator.function;
    return STATUS_OK;
}

static void result_out(const struct exact_result *found, struct as_exact_result *result, struct as_exact_age *ages)
{
    *result = (struct as_exact_result){.score = found->score,
                                       .optimum = found->optimum,
                                       .forward_score = found->forward_score,
                                       .loss = found->loss,
                                       .moves = found->moves,
                                       .optimal_moves = found->optimal_moves,
                                       .tied_moves = found->tied_moves};
    for (size_t i = 0; ages && i < found->n_ages; i++)
        ages[i] = (struct as_exact_age){.age = found->ages[i].age,
                                        .visits = found->ages[i].visits,
                                        .optimal = found->ages[i].optimal,
                                        .tied = found->ages[i].tied,
                                        .loss = found->ages[i].loss};
}

enum as_status as_exact(const struct as_table *table, const struct as_exact_settings *settings,
                        struct as_exact_result *result, struct as_exact_age *ages)
{
    if (!table || !settings || !result)
        return api_fail_null("as_exact");
    struct as_exact_settings taken;
    struct player player = {.settings = &taken, .grid = &table->grid.grid};
    struct policy policy;
    struct workers *workers = NULL;
    struct exact_result found;
    enum status status = api_take_settings(&taken, sizeof taken, settings, "as_exact");
    if (status)
        goto done;
    status = make_policy(&policy, table, &taken, &player);
    if (status)
        goto done;
    status = workers_create(&workers, taken.threads ? taken.threads : 1);
    if (status)
        goto done;
    status = exact_evaluate(table->table, &policy, workers, NULL, NULL, &found);
    if (status)
        goto done;
    result_out(&found, result, ages);
    exact_result_free(&found);
done:
    workers_free(workers);
    free(player.cells);
    return (enum as_status)status;
}
