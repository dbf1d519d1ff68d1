/* training_neural: neural networks as one of the kinds that a run trains (training_model.h). */
#include "base/memory.h"
#include "learn/neural_trainer.h"
#include "neural/neural_file.h"
#include "neural/neural_value.h"
#include "study/training_model.h"

#include <stdlib.h>

struct neural_state {
    struct neural *neural;
    struct neural_trainer *trainer;
    struct neural_evaluator *evaluator;
};

static void free_state(void *state)
{
    struct neural_state *own = state;
    neural_trainer_free(own->trainer);
    neural_evaluator_free(own->evaluator);
    neural_free(own->neural);
    free(own);
}

static enum status create(struct training_model *model, const struct train_plan *plan)
{
    const struct neural_settings *settings = &plan->neural_trainer;
    struct neural_state *own = memory_allocate(1, sizeof *own);
    if (!own)
        return STATUS_NO_MEMORY;
    enum status status = neural_create(&own->neural, &plan->neural);
    if (status)
        goto fail;
    neural_initialise(own->neural, settings->deviation, settings->seed);
    status = neural_evaluator_create(&own->evaluator, own->neural, settings->threads);
    if (status)
        goto fail;
    status = neural_trainer_create(&own->trainer, own->neural, settings);
    if (status)
        goto fail;
    model->state = own;
    model->grid = &own->neural->grid;
    model->function = neural_value_function(own->evaluator);
    return STATUS_OK;
fail:
    free_state(own);
    return status;
}

static enum status run(void *state, struct workers *workers, uint64_t until, trainer_watch watch, void *context)
{
    return neural_trainer_run(((struct neural_state *)state)->trainer, workers, until, watch, context);
}

static enum status join(void *state, const struct cluster *cluster)
{
    return neural_trainer_join(((struct neural_state *)state)->trainer, cluster);
}

static struct trainer_totals totals(const void *state)
{
    return neural_trainer_totals(((const struct neural_state *)state)->trainer);
}

static enum status save(const void *state, struct block_writer *writer)
{
    return neural_trainer_save(((const struct neural_state *)state)->trainer, writer);
}

static enum status load(void *state, const struct block_reader *reader)
{
    return neural_trainer_load(((struct neural_state *)state)->trainer, reader);
}

static enum status write(const void *state, const char *path, const struct network_history *history)
{
    return neural_save(((const struct neural_state *)state)->neural, path, history);
}

const struct training_kind training_neural = {
    .create = create,
    .free = free_state,
    .run = run,
    .join = join,
    .totals = totals,
    .save = save,
    .load = load,
    .write = write,
};
