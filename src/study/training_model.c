/* training_model: what a run trains, an n-tuple or a neural network with its trainer. */
#include "study/training_model.h"

enum status training_model_create(struct training_model *model, const struct train_plan *plan)
{
    *model = (struct training_model){.kind = plan->is_neural ? &training_neural : &training_ntuple};
    enum status status = model->kind->create(model, plan);
    if (status)
        *model = (struct training_model){0};
    return status;
}

void training_model_free(struct training_model *model)
{
    if (model->state)
        model->kind->free(model->state);
    *model = (struct training_model){0};
}

enum status training_model_run(struct training_model *model, struct workers *workers, uint64_t until,
                               trainer_watch watch, void *context)
{
    return model->kind->run(model->state, workers, until, watch, context);
}

enum status training_model_join(struct training_model *model, const struct cluster *cluster)
{
    return model->kind->join(model->state, cluster);
}

void training_model_exchange_average(struct training_model *model)
{
    if (model->kind->exchange_average)
        model->kind->exchange_average(model->state);
}

struct trainer_totals training_model_totals(const struct training_model *model)
{
    return model->kind->totals(model->state);
}

double training_model_touched(const struct training_model *model)
{
    return model->kind->touched ? model->kind->touched(model->state) : 1;
}

struct training_effort training_model_effort(const struct training_model *model)
{
    return model->kind->effort ? model->kind->effort(model->state) : (struct training_effort){0};
}

void training_model_begin_line(struct training_model *model)
{
    if (model->kind->begin_line)
        model->kind->begin_line(model->state);
}

enum status training_model_save(const struct training_model *model, struct block_writer *writer)
{
    return model->kind->save(model->state, writer);
}

enum status training_model_load(struct training_model *model, const struct block_reader *reader,
                                const struct train_plan *was)
{
    struct training_model old;
    if (!was)
        return model->kind->load(model->state, reader);
    if (!model->kind->change)
        return status_fail(STATUS_INVALID, "the run of a neural network cannot change its starts");
    enum status status = training_model_create(&old, was);
    if (status)
        return status;
    status = old.kind->load(old.state, reader);
    if (!status)
        status = model->kind->change(model->state, old.state);
    training_model_free(&old);
    return status;
}

enum status training_model_take_weights(struct training_model *model, const char *path, const char *stage)
{
    if (!model->kind->take_weights)
        return status_fail(STATUS_INVALID, "this kind of network cannot start from another one's weights");
    return model->kind->take_weights(model->state, path, stage);
}

enum status training_model_write(const struct training_model *model, const char *path,
                                 const struct network_history *history)
{
    return model->kind->write(model->state, path, history);
}
