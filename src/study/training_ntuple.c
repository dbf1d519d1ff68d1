/* training_ntuple: n-tuple networks as one of the kinds that a run trains (training_model.h). */
#include "ntuple/network_value.h"
#include "packed/network_file.h"
#include "solve/endgame.h"
#include "study/bank.h"
#include "study/training_model.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool endgame_known(const void *context, struct board after, float *chance)
{
    return endgame_chance(context, after, chance);
}

static void endgame_free(void *context)
{
    endgame_close(context);
}

/* Opens the endgame tables of a plan; the trainer closes them. */
static enum status open_known(struct known_chances *known, const char *path)
{
    struct endgame *endgame;
    enum status status = endgame_open(&endgame, path);
    if (status)
        return status_context(status, "learn.endgame");
    *known = (struct known_chances){.context = endgame, .chance = endgame_known, .free = endgame_free};
    return STATUS_OK;
}

/* Reads the boards that plays may start from, those with a move; the trainer frees them. */
static enum status read_starts(struct start_bank *starts, const struct train_plan *plan, const struct grid *grid)
{
    struct bank bank;
    size_t n = 0;
    enum status status = bank_read(&bank, grid, plan->bank);
    for (size_t i = 0; !status && i < bank.n_boards; i++) {
        if (learn_has_goal(&plan->trainer.learn.goal, bank.boards[i]))
            status = status_fail(STATUS_INVALID, "%s: board %zu has made learn.until already", plan->bank, i + 1);
        else if (!grid_is_terminal(grid, bank.boards[i]))
            bank.boards[n++] = bank.boards[i];
    }
    if (!status && n == 0)
        status = status_fail(STATUS_INVALID, "%s: no board has a move", plan->bank);
    if (status) {
        bank_free(&bank);
        return status_context(status, "start.bank");
    }
    starts->boards = bank.boards;
    starts->n_boards = n;
    return STATUS_OK;
}

static enum status create(struct training_model *model, const struct train_plan *plan)
{
    struct network *network;
    struct trainer *trainer;
    struct trainer_settings settings = plan->trainer;
    struct known_chances *known = &settings.learn.goal.known;
    enum status status = network_plan(&network, &plan->network);
    if (status)
        return status;
    if (*plan->endgame)
        status = open_known(known, plan->endgame);
    if (status)
        goto done;
    if (*plan->bank)
        status = read_starts(&settings.start.bank, plan, &network->grid);
    if (status)
        goto done;
    status = trainer_create(&trainer, network, &settings);
done:
    if (status) {
        if (known->free)
            known->free(known->context);
        free(settings.start.bank.boards);
        network_free(network);
        return status;
    }
    model->state = trainer;
    model->grid = &network->grid;
    model->function = network_value_function(network);
    return STATUS_OK;
}

static void free_state(void *state)
{
    struct network *network = trainer_network(state);
    trainer_free(state);
    network_free(network);
}

static double touched(const void *state)
{
    const struct network *network = trainer_network(state);
    return (double)network_count_touched(network) / (double)network->n_weights;
}

static enum status run(void *state, struct workers *workers, uint64_t until, trainer_watch watch, void *context)
{
    return trainer_run(state, workers, until, watch, context);
}

static void exchange_average(void *state)
{
    trainer_exchange_average(state);
}

static enum status join(void *state, const struct cluster *cluster)
{
    return trainer_join(state, cluster);
}

static struct trainer_totals totals(const void *state)
{
    return trainer_totals(state);
}

static enum status save(const void *state, struct block_writer *writer)
{
    return trainer_save(state, writer);
}

static enum status load(void *state, const struct block_reader *reader)
{
    return trainer_load(state, reader);
}

static enum status change(void *state, const void *old)
{
    return trainer_change(state, old);
}

/* Copies the weights of the stages that both have, or only of `wanted`. Returns how many. */
static unsigned copy_stages(struct network *network, const struct network *from, const struct board *wanted)
{
    unsigned n_copied = 0;
    for (unsigned to = 0; to < network->spec.stages.n_stages; to++)
        for (unsigned stage = 0; stage < from->spec.stages.n_stages; stage++) {
            struct board tiles = stages_first_tiles(&network->spec.stages, to);
            if (!board_equal(tiles, stages_first_tiles(&from->spec.stages, stage)) ||
                (wanted && !board_equal(tiles, *wanted)))
                continue;
            network_put_weights(network, to * network->n_stage_weights, network->n_stage_weights,
                                from->weights + stage * network->n_stage_weights);
            n_copied++;
        }
    return n_copied;
}

/* The tiles of "16384+8192", as stages_first_tiles() gives them: those of the last stage of "0 16384+8192". */
static enum status parse_stage(const char *text, struct board *tiles)
{
    struct stages stages;
    char list[STAGES_TEXT_BYTES];
    if (strcmp(text, "0") == 0) {
        *tiles = (struct board){0};
        return STATUS_OK;
    }
    snprintf(list, sizeof list, "0 %s", text);
    enum status status =
        strchr(text, ' ') || strlen(text) + 3 > sizeof list ? STATUS_INVALID : stages_parse(&stages, list);
    if (status)
        return status_fail(STATUS_INVALID,
                           "stage '%s': expected the tiles that it begins with, such as 0, 16384 or 16384+8192", text);
    *tiles = stages_first_tiles(&stages, 1);
    return STATUS_OK;
}

static enum status take_weights(void *state, const char *path, const char *stage)
{
    struct network *network = trainer_network(state), *from;
    struct board tiles;
    enum status status = stage ? parse_stage(stage, &tiles) : STATUS_OK;
    if (status)
        return status;
    status = network_load(&from, path, NULL, NULL);
    if (status)
        return status;
    const char *difference = network_find_difference(&network->spec, &from->spec);
    if (difference)
        status = status_fail(STATUS_INVALID, "%s: its weights mean nothing in this run: %s", path, difference);
    else if (copy_stages(network, from, stage ? &tiles : NULL) == 0)
        status = status_fail(STATUS_INVALID, "%s: none of its stages begins with the same tiles as one of this run%s%s",
                             path, stage ? " and as stage " : "", stage ? stage : "");
    else
        trainer_restart_average(state);
    network_free(from);
    return status;
}

static enum status write(const void *state, const char *path, const struct network_history *history)
{
    return network_save(trainer_network(state), path, history, NETWORK_FLOAT32, NULL);
}

const struct training_kind training_ntuple = {
    .create = create,
    .free = free_state,
    .touched = touched,
    .run = run,
    .join = join,
    .exchange_average = exchange_average,
    .totals = totals,
    .save = save,
    .load = load,
    .change = change,
    .take_weights = take_weights,
    .write = write,
};
