/*
 * trainer_state: the checkpoint of an n-tuple trainer: the weights, what the rule keeps beside them, and one block of
 * numbers (state_walk.h) with the totals and every game: its generator, the afterstates that still learn, its record.
 * Indices and candidates are computed again after loading.
 */
#include "base/memory.h"
#include "learn/cell_blocks.h"
#include "learn/state_walk.h"
#include "learn/trainer_parts.h"

#include <stdlib.h>

enum {
    KIND_WEIGHTS = 0x1004,
    KIND_STATE = 0x5401,
    KIND_KEPT = 0x5402,
};

static void walk_atomic(struct state_walk *walk, _Atomic uint64_t *number)
{
    uint64_t plain = atomic_load(number);
    state_walk_number(walk, &plain);
    atomic_store(number, plain);
}

static void walk_learner(struct state_walk *walk, struct trainer *trainer, struct learner *learner)
{
    const struct network *network = trainer->target.network;
    const struct grid *grid = &network->grid;
    struct live_game *game = &learner->game;
    unsigned horizon = trainer->settings.learn.horizon;
    state_walk_rng(walk, &game->rng);
    state_walk_board(walk, grid, &game->board);
    state_walk_origin(walk, &game->origin);
    state_walk_number(walk, &game->score);
    state_walk_u32(walk, &game->n_moves, STATE_MAX_MOVES);
    state_walk_u32(walk, &learner->newest, horizon);
    state_walk_u32(walk, &learner->n_visited, horizon + 1);
    for (unsigned i = 0; i <= horizon; i++) {
        state_walk_board(walk, grid, &learner->visited[i].after);
        state_walk_u32(walk, &learner->visited[i].stage, network->spec.stages.n_stages - 1u);
        state_walk_float(walk, &learner->visited[i].error);
    }
    state_walk_record(walk, grid, &trainer->settings.start, game);
    if (!walk->status)
        walk->status = learner_reserve_moves(learner, &trainer->target, game->n_moves);
    for (uint32_t i = 0; i < game->n_moves && learner->moves && !walk->status; i++) {
        state_walk_board(walk, grid, &learner->moves[i].after);
        state_walk_u32(walk, &learner->moves[i].reward, UINT32_MAX);
    }
}

static void walk_starts(struct state_walk *walk, struct starts *starts)
{
    state_walk_u32(walk, &starts->next_stage, starts->n_stages);
    for (unsigned stage = 0; stage < starts->n_stages && starts->ring; stage++) {
        state_walk_u32(walk, &starts->n_seen[stage], UINT32_MAX);
        for (unsigned i = 0; i < starts->settings->ring; i++)
            state_walk_board(walk, starts->grid, &starts->ring[(size_t)stage * starts->settings->ring + i]);
    }
}

static void walk_worker(struct state_walk *walk, struct trainer *trainer, struct trainer_worker *worker)
{
    walk_atomic(walk, &worker->plays);
    walk_atomic(walk, &worker->new_plays);
    walk_atomic(walk, &worker->score_sum);
    for (unsigned value = 0; value <= BOARD_MAX_VALUE; value++)
        walk_atomic(walk, &worker->reached[value]);
    walk_starts(walk, &worker->starts);
    for (unsigned i = 0; i < trainer->settings.interleave && !walk->status; i++)
        walk_learner(walk, trainer, &worker->learners[i]);
}

/* A saved worker beyond the present number of threads: worker 0 takes its totals, its games are discarded. */
static void walk_discarded(struct state_walk *walk, struct trainer *trainer)
{
    struct network *network = trainer->target.network;
    struct trainer_worker *extra = memory_allocate(1, sizeof *extra);
    walk->status =
        extra ? starts_create(&extra->starts, &network->grid, &trainer->settings.start, network->spec.stages.n_stages)
              : STATUS_NO_MEMORY;
    if (!walk->status)
        walk_worker(walk, trainer, extra);
    if (!walk->status)
        trainer_add_totals(&trainer->workers[0], extra);
    for (unsigned i = 0; extra && i < TRAINER_MAX_INTERLEAVE; i++)
        learner_free(&extra->learners[i]);
    if (extra)
        starts_free(&extra->starts);
    free(extra);
}

static void walk_trainer(struct state_walk *walk, struct trainer *trainer)
{
    const uint64_t shape[] = {trainer->settings.interleave, trainer->settings.learn.horizon,
                              trainer->target.network->stride, trainer->target.network->n_weights};
    uint32_t saved_threads = trainer->settings.threads;
    state_walk_u32(walk, &saved_threads, WORKERS_MAX);
    state_walk_same(walk, shape, sizeof shape / sizeof *shape, "interleave, horizon, rule or network");
    walk_atomic(walk, &trainer->actions);
    state_walk_number(walk, &trainer->n_resets);
    /* A resumed run may have another number of threads: new ones keep the games that they began. */
    for (unsigned w = 0; w < saved_threads && !walk->status; w++) {
        if (w < trainer->settings.threads)
            walk_worker(walk, trainer, &trainer->workers[w]);
        else
            walk_discarded(walk, trainer);
    }
}

static struct cell_column column_of_weights(const struct network *network)
{
    return (struct cell_column){.first = network->cells,
                                .width = 1,
                                .stride = network->stride,
                                .n_cells = network->n_weights,
                                .n_chunk = 4 << 20,
                                .kind = KIND_WEIGHTS,
                                .name = "the weights",
                                .untouched = &network->spec.initial};
}

/* What the rule keeps beside each weight; nothing for TD. */
static struct cell_column column_of_kept(const struct network *network)
{
    return (struct cell_column){.first = network->cells + 1,
                                .width = network->stride - 1,
                                .stride = network->stride,
                                .n_cells = network->stride > 1 ? network->n_weights : 0,
                                .n_chunk = 2 << 20,
                                .kind = KIND_KEPT,
                                .name = "what the rule keeps"};
}

enum status trainer_save(const struct trainer *trainer, struct block_writer *writer)
{
    const struct network *network = trainer->target.network;
    struct cell_column weights = column_of_weights(network), kept = column_of_kept(network);
    struct state_walk walk = {.reading = false};
    enum status status = cell_blocks_save(&weights, writer);
    if (status)
        return status;
    walk_trainer(&walk, (struct trainer *)trainer); /* writing changes nothing */
    status = state_walk_write(&walk, writer, KIND_STATE);
    if (status)
        return status;
    status = cell_blocks_save(&kept, writer);
    if (status || !trainer->settings.learn.average_every)
        return status;
    return weight_average_save(&trainer->average, network, writer);
}

enum status trainer_load(struct trainer *trainer, const struct block_reader *reader)
{
    const struct network *network = trainer->target.network;
    struct cell_column weights = column_of_weights(network), kept = column_of_kept(network);
    struct state_walk walk;
    enum status status = cell_blocks_load(&weights, reader);
    if (status)
        return status;
    status = state_walk_read(&walk, reader, KIND_STATE);
    if (status)
        return status;
    walk_trainer(&walk, trainer);
    status = state_walk_end(&walk, reader);
    if (status)
        return status;
    status = cell_blocks_load(&kept, reader);
    if (status)
        return status;
    trainer_restart_average(trainer);
    if (trainer->settings.learn.average_every)
        status = weight_average_load(&trainer->average, network, reader, trainer->average.turn);
    if (status)
        return status;
    for (unsigned w = 0; w < trainer->settings.threads; w++)
        for (unsigned i = 0; i < trainer->settings.interleave; i++)
            learner_restore(&trainer->workers[w].learners[i], &trainer->target);
    return STATUS_OK;
}
