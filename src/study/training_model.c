#include "study/training_model.h"

#include "neural/neural_file.h"
#include "ntuple/network_value.h"
#include "packed/network_file.h"

#include <stdio.h>
#include <string.h>

static enum status create_neural(struct training_model *model, const struct train_plan *plan)
{
    enum status status = neural_create(&model->neural, &plan->neural);
    if (status)
        return status;
    neural_initialise(model->neural, plan->neural_trainer.deviation, plan->neural_trainer.seed);
    status = neural_evaluator_create(&model->evaluator, model->neural, plan->neural_trainer.threads);
    return status ? status : neural_trainer_create(&model->neural_trainer, model->neural, &plan->neural_trainer);
}

enum status training_model_create(struct training_model *model, const struct train_plan *plan)
{
    *model = (struct training_model){0};
    enum status status;
    if (plan->is_neural) {
        status = create_neural(model, plan);
    } else {
        status = network_plan(&model->network, &plan->network);
        if (!status)
            status = trainer_create(&model->trainer, model->network, &plan->trainer);
    }
    if (status)
        training_model_free(model);
    return status;
}

void training_model_free(struct training_model *model)
{
    trainer_free(model->trainer);
    network_free(model->network);
    neural_trainer_free(model->neural_trainer);
    neural_evaluator_free(model->evaluator);
    neural_free(model->neural);
    *model = (struct training_model){0};
}

const struct grid *training_model_grid(const struct training_model *model)
{
    return model->neural ? &model->neural->grid : &model->network->grid;
}

struct value_function training_model_function(const struct training_model *model)
{
    return model->neural ? neural_value_function(model->evaluator) : network_value_function(model->network);
}

double training_model_touched(const struct training_model *model)
{
    return model->neural ? 1 : (double)network_count_touched(model->network) / (double)model->network->n_weights;
}

enum status training_model_run(struct training_model *model, struct workers *workers, uint64_t until,
                               trainer_watch watch, void *context)
{
    if (model->neural)
        return neural_trainer_run(model->neural_trainer, workers, until, watch, context);
    return trainer_run(model->trainer, workers, until, watch, context);
}

enum status training_model_join(struct training_model *model, const struct cluster *cluster)
{
    return model->neural ? neural_trainer_join(model->neural_trainer, cluster) : trainer_join(model->trainer, cluster);
}

void training_model_exchange_average(struct training_model *model)
{
    if (model->trainer)
        trainer_exchange_average(model->trainer);
}

struct trainer_totals training_model_totals(const struct training_model *model)
{
    return model->neural ? neural_trainer_totals(model->neural_trainer) : trainer_totals(model->trainer);
}

enum status training_model_save(const struct training_model *model, struct block_writer *writer)
{
    return model->neural ? neural_trainer_save(model->neural_trainer, writer) : trainer_save(model->trainer, writer);
}

enum status training_model_load(struct training_model *model, const struct block_reader *reader)
{
    return model->neural ? neural_trainer_load(model->neural_trainer, reader) : trainer_load(model->trainer, reader);
}

enum status training_model_load_changed(struct training_model *model, const struct block_reader *reader,
                                        const struct train_plan *was)
{
    struct training_model old;
    enum status status = training_model_create(&old, was);
    if (status)
        return status;
    status = training_model_load(&old, reader);
    if (!status)
        status = trainer_change(model->trainer, old.trainer);
    training_model_free(&old);
    return status;
}

/* Copies the stages that both have, or only `wanted`. Returns how many. */
static unsigned take_stages(struct network *network, const struct network *from, const struct board *wanted)
{
    unsigned n_taken = 0;
    for (unsigned to = 0; to < network->spec.stages.n_stages; to++)
        for (unsigned stage = 0; stage < from->spec.stages.n_stages; stage++) {
            struct board tiles = stages_first_tiles(&network->spec.stages, to);
            if (!board_equal(tiles, stages_first_tiles(&from->spec.stages, stage)) ||
                (wanted && !board_equal(tiles, *wanted)))
                continue;
            network_put_weights(network, to * network->n_stage_weights, network->n_stage_weights,
                                from->weights + stage * network->n_stage_weights);
            n_taken++;
        }
    return n_taken;
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
                           "stage '%s': expected the tiles that it begins with, such as 0, 16384 or "
                           "16384+8192",
                           text);
    *tiles = stages_first_tiles(&stages, 1);
    return STATUS_OK;
}

enum status training_model_take_weights(struct training_model *model, const char *path, const char *stage)
{
    struct board tiles;
    if (model->neural)
        return status_fail(STATUS_INVALID, "only n-tuple networks take over weights; this run learns a neural one");
    enum status status = stage ? parse_stage(stage, &tiles) : STATUS_OK;
    struct network *from = NULL;
    if (!status)
        status = network_load(&from, path, NULL, NULL);
    if (status)
        return status;
    const char *difference = network_find_difference(&model->network->spec, &from->spec);
    if (difference)
        status = status_fail(STATUS_INVALID, "%s: its weights mean nothing in this run: %s", path, difference);
    else if (take_stages(model->network, from, stage ? &tiles : NULL) == 0)
        status = status_fail(STATUS_INVALID, "%s: none of its stages begins with the same tiles as one of this run%s%s",
                             path, stage ? " and as stage " : "", stage ? stage : "");
    else
        trainer_restart_average(model->trainer);
    network_free(from);
    return status;
}

enum status training_model_write(const struct training_model *model, const char *path,
                                 const struct network_history *history)
{
    if (model->neural)
        return neural_save(model->neural, path, history);
    return network_save(model->network, path, history, NETWORK_FLOAT32, NULL);
}
