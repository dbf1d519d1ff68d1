/* training_neural: neural networks as one of the kinds that a run trains (training_model.h). */
#include "base/memory.h"
#include "learn/neural_trainer.h"
#include "neural/neural_file.h"
#include "neural/neural_value.h"
#include "study/evaluator_choice.h"
#include "study/training_model.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

struct neural_state {
    struct neural *neural;
    struct neural_trainer *trainer;
    struct neural_evaluator *evaluator;
    struct evaluator_choice teacher;
};

static void free_state(void *state)
{
    struct neural_state *own = state;
    neural_trainer_free(own->trainer);
    neural_evaluator_free(own->evaluator);
    neural_free(own->neural);
    evaluator_choice_close(&own->teacher);
    free(own);
}

/* Loads the teacher of a run. */
static enum status hire_teacher(struct neural_state *own, const struct train_plan *plan)
{
    char board[8];
    struct evaluator_request request = {.net = plan->teacher, .board = board, .form = LOAD_COMPACT};
    if (plan->neural_trainer.teach == 0)
        return STATUS_OK;
    snprintf(board, sizeof board, "%ux%u", plan->neural.rows, plan->neural.cols);
    enum status status = evaluator_choice_open(&own->teacher, &request);
    if (status)
        return status_context(status, "neural.teacher");
    neural_trainer_teach(own->trainer, &own->teacher.evaluator.function, plan->neural_trainer.teach);
    return STATUS_OK;
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
    neural_initialise(own->neural, settings->initial, settings->deviation, settings->seed);
    status = neural_evaluator_create(&own->evaluator, own->neural, settings->threads);
    if (status)
        goto fail;
    status = neural_trainer_create(&own->trainer, own->neural, settings);
    if (status)
        goto fail;
    status = hire_teacher(own, plan);
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

static void exchange_average(void *state)
{
    neural_trainer_exchange_average(((struct neural_state *)state)->trainer);
}

static struct training_effort effort(const void *state)
{
    const struct neural_state *own = state;
    struct neural_effort effort = neural_trainer_effort(own->trainer);
    double scale = own->neural->spec.scale, n = (double)effort.n_losses;
    return (struct training_effort){.loss = scale * sqrt(effort.loss_sum / n),
                                    .loss_before = scale * sqrt(effort.loss_before),
                                    .gradient_norm = effort.norm_sum / n,
                                    .evaluate_seconds = effort.evaluate_seconds,
                                    .learn_seconds = effort.learn_seconds};
}

static void begin_line(void *state)
{
    neural_trainer_begin_line(((struct neural_state *)state)->trainer);
}

/* The output layer gives the same points in this run's scale. */
static void take_parameters(struct neural *to, const struct neural *from)
{
    const struct neural_layer *last = &to->layers[to->n_layers - 1];
    float factor = (float)(from->spec.scale / to->spec.scale);
    memcpy(to->parameters, from->parameters, to->n_parameters * sizeof *to->parameters);
    for (size_t i = last->weights; i < to->n_parameters; i++)
        to->parameters[i] *= factor;
}

static enum status take_weights(void *state, const char *path, const char *stage)
{
    struct neural_state *own = state;
    struct neural *from;
    struct stat info;
    if (stage)
        return status_fail(STATUS_INVALID, "--stage %s: a neural network has no stages", stage);
    if (stat(path, &info) == 0 && !neural_file_is(path)) /* neural_load() says what else is wrong */
        return status_fail(STATUS_INVALID, "%s is no neural network, and this run learns one", path);
    enum status status = neural_load(&from, path, NULL);
    if (status)
        return status;
    const struct neural_spec *a = &from->spec, *b = &own->neural->spec;
    bool same =
        a->rows == b->rows && a->cols == b->cols && a->planes == b->planes && neural_same_layers(from, own->neural);
    if (same) {
        take_parameters(own->neural, from);
        neural_trainer_weights_changed(own->trainer);
    } else
        status = status_fail(STATUS_INVALID,
                             "%s is %s on %ux%u with %u planes, and this run learns %s on %ux%u with %u planes", path,
                             a->model, a->rows, a->cols, a->planes, b->model, b->rows, b->cols, b->planes);
    neural_free(from);
    return status;
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
    .take_weights = take_weights,
    .exchange_average = exchange_average,
    .effort = effort,
    .begin_line = begin_line,
};
