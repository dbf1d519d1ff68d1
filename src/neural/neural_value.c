#include "neural/neural_value.h"

#include "base/memory.h"
#include "base/workers.h"

#include <pthread.h>
#include <stdlib.h>

struct desk {
    struct neural_desk own;
    struct desk *next; /* free one */
};

struct neural_evaluator {
    const struct neural *neural;
    unsigned n_desks;
    struct desk *desks, *free_desks;
    pthread_mutex_t mutex;
    pthread_cond_t freed;
};

/* ---- desks ------------------------------------------------------------------------------------------------------ */

enum status neural_desk_create(struct neural_desk *desk, const struct neural *neural, size_t max_boards, bool backward)
{
    *desk = (struct neural_desk){.neural = neural};
    desk->images = memory_allocate(max_boards, sizeof *desk->images);
    desk->outputs = memory_allocate(max_boards, sizeof *desk->outputs);
    enum status status = desk->images && desk->outputs
                             ? neural_workspace_create(&desk->workspace, neural, max_boards, backward)
                             : STATUS_NO_MEMORY;
    if (status)
        neural_desk_free(desk);
    return status;
}

void neural_desk_free(struct neural_desk *desk)
{
    neural_workspace_free(desk->workspace);
    free(desk->images);
    free(desk->outputs);
    *desk = (struct neural_desk){0};
}

static void evaluate_part(struct neural_desk *desk, const struct board *after, size_t n, float *out)
{
    const struct neural *neural = desk->neural;
    unsigned n_images = neural_images(neural);
    for (size_t i = 0; i < n * n_images && n_images > 1; i++)
        desk->images[i] = grid_image(&neural->grid, after[i / n_images], (unsigned)(i % n_images));
    neural_forward(desk->workspace, n_images > 1 ? desk->images : after, n * n_images, desk->outputs);
    for (size_t i = 0; i < n; i++)
        out[i] = neural_combine(neural, desk->outputs + i * n_images);
}

void neural_desk_values(struct neural_desk *desk, const struct board *after, size_t n, float *out)
{
    size_t part = neural_workspace_boards(desk->workspace) / neural_images(desk->neural);
    for (size_t first = 0; first < n; first += part)
        evaluate_part(desk, after + first, n - first < part ? n - first : part, out + first);
}

/* ---- the evaluator ---------------------------------------------------------------------------------------------- */

enum status neural_evaluator_create(struct neural_evaluator **out, const struct neural *neural, unsigned n_threads)
{
    *out = NULL;
    struct neural_evaluator *evaluator = memory_allocate(1, sizeof *evaluator);
    if (!evaluator)
        return STATUS_NO_MEMORY;
    evaluator->neural = neural;
    evaluator->n_desks = n_threads ? n_threads : workers_available();
    pthread_mutex_init(&evaluator->mutex, NULL);
    pthread_cond_init(&evaluator->freed, NULL);
    evaluator->desks = memory_allocate(evaluator->n_desks, sizeof *evaluator->desks);
    enum status status = evaluator->desks ? STATUS_OK : STATUS_NO_MEMORY;
    for (unsigned i = 0; i < evaluator->n_desks && !status; i++) {
        status = neural_desk_create(&evaluator->desks[i].own, neural, NEURAL_BATCH_BOARDS, false);
        evaluator->desks[i].next = evaluator->free_desks;
        evaluator->free_desks = &evaluator->desks[i];
    }
    if (status)
        neural_evaluator_free(evaluator);
    else
        *out = evaluator;
    return status;
}

void neural_evaluator_free(struct neural_evaluator *evaluator)
{
    if (!evaluator)
        return;
    for (unsigned i = 0; evaluator->desks && i < evaluator->n_desks; i++)
        neural_desk_free(&evaluator->desks[i].own);
    free(evaluator->desks);
    pthread_cond_destroy(&evaluator->freed);
    pthread_mutex_destroy(&evaluator->mutex);
    free(evaluator);
}

static struct desk *take_desk(struct neural_evaluator *evaluator)
{
    pthread_mutex_lock(&evaluator->mutex);
    while (!evaluator->free_desks)
        pthread_cond_wait(&evaluator->freed, &evaluator->mutex);
    struct desk *desk = evaluator->free_desks;
    evaluator->free_desks = desk->next;
    pthread_mutex_unlock(&evaluator->mutex);
    return desk;
}

static void give_desk(struct neural_evaluator *evaluator, struct desk *desk)
{
    pthread_mutex_lock(&evaluator->mutex);
    desk->next = evaluator->free_desks;
    evaluator->free_desks = desk;
    pthread_cond_signal(&evaluator->freed);
    pthread_mutex_unlock(&evaluator->mutex);
}

void neural_evaluator_values(const struct neural_evaluator *evaluator, const struct board *after, size_t n, float *out)
{
    struct neural_evaluator *owner =
        (struct neural_evaluator *)evaluator; /* the free list is the evaluator's own affair */
    struct desk *desk = take_desk(owner);
    neural_desk_values(&desk->own, after, n, out);
    give_desk(owner, desk);
}

static void values(const void *context, const struct board *after, size_t n, float *out)
{
    neural_evaluator_values(context, after, n, out);
}

struct value_function neural_value_function(const struct neural_evaluator *evaluator)
{
    return (struct value_function){.context = evaluator,
                                   .values = values,
                                   .symmetric = evaluator->neural->spec.play != NEURAL_PLAY_SIMPLE,
                                   .batch = NEURAL_BATCH_BOARDS / neural_images(evaluator->neural)};
}
