/* neural_value: a neural network as a value function (game/value.h). */
#include "neural/neural_value.h"

#include "base/memory.h"
#include "base/workers.h"

#include <pthread.h>
#include <stdlib.h>

struct slot {
    struct neural_scratch scratch;
    struct slot *next; /* in the list of free ones */
};

struct neural_evaluator {
    const struct neural *neural;
    unsigned n_slots;
    struct slot *slots, *free_slots;
    pthread_mutex_t mutex;
    pthread_cond_t freed;
};

enum status neural_scratch_create(struct neural_scratch *scratch, const struct neural *neural,
                                  const struct half_weights *half, size_t max_boards, bool backward)
{
    *scratch = (struct neural_scratch){.neural = neural};
    scratch->images = memory_allocate(max_boards, sizeof *scratch->images);
    scratch->outputs = memory_allocate(max_boards, sizeof *scratch->outputs);
    enum status status = scratch->images && scratch->outputs
                             ? neural_workspace_create(&scratch->workspace, neural, half, max_boards, backward)
                             : STATUS_NO_MEMORY;
    if (status)
        neural_scratch_free(scratch);
    return status;
}

void neural_scratch_free(struct neural_scratch *scratch)
{
    neural_workspace_free(scratch->workspace);
    free(scratch->images);
    free(scratch->outputs);
    *scratch = (struct neural_scratch){0};
}

static void evaluate_pass(struct neural_scratch *scratch, const struct board *after, size_t n, float *out)
{
    const struct neural *neural = scratch->neural;
    unsigned n_images = neural_images(neural);
    for (size_t i = 0; i < n * n_images; i++)
        scratch->images[i] = n_images > 1 ? grid_image(&neural->grid, after[i / n_images], (unsigned)(i % n_images))
                                          : neural_view(neural, after[i]);
    neural_forward(scratch->workspace, scratch->images, n * n_images, scratch->outputs);
    for (size_t i = 0; i < n; i++)
        out[i] = neural_combine(neural, scratch->outputs + i * n_images);
}

void neural_scratch_values(struct neural_scratch *scratch, const struct board *after, size_t n, float *out)
{
    size_t pass = neural_workspace_boards(scratch->workspace) / neural_images(scratch->neural);
    for (size_t first = 0; first < n; first += pass)
        evaluate_pass(scratch, after + first, n - first < pass ? n - first : pass, out + first);
}

enum status neural_evaluator_create(struct neural_evaluator **out, const struct neural *neural, unsigned n_threads)
{
    *out = NULL;
    struct neural_evaluator *evaluator = memory_allocate(1, sizeof *evaluator);
    if (!evaluator)
        return STATUS_NO_MEMORY;
    evaluator->neural = neural;
    evaluator->n_slots = n_threads ? n_threads : workers_available();
    pthread_mutex_init(&evaluator->mutex, NULL);
    pthread_cond_init(&evaluator->freed, NULL);
    evaluator->slots = memory_allocate(evaluator->n_slots, sizeof *evaluator->slots);
    enum status status = evaluator->slots ? STATUS_OK : STATUS_NO_MEMORY;
    for (unsigned i = 0; i < evaluator->n_slots && !status; i++) {
        status = neural_scratch_create(&evaluator->slots[i].scratch, neural, NULL, NEURAL_BATCH_BOARDS, false);
        evaluator->slots[i].next = evaluator->free_slots;
        evaluator->free_slots = &evaluator->slots[i];
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
    for (unsigned i = 0; evaluator->slots && i < evaluator->n_slots; i++)
        neural_scratch_free(&evaluator->slots[i].scratch);
    free(evaluator->slots);
    pthread_cond_destroy(&evaluator->freed);
    pthread_mutex_destroy(&evaluator->mutex);
    free(evaluator);
}

static struct slot *take_slot(struct neural_evaluator *evaluator)
{
    pthread_mutex_lock(&evaluator->mutex);
    while (!evaluator->free_slots)
        pthread_cond_wait(&evaluator->freed, &evaluator->mutex);
    struct slot *slot = evaluator->free_slots;
    evaluator->free_slots = slot->next;
    pthread_mutex_unlock(&evaluator->mutex);
    return slot;
}

static void return_slot(struct neural_evaluator *evaluator, struct slot *slot)
{
    pthread_mutex_lock(&evaluator->mutex);
    slot->next = evaluator->free_slots;
    evaluator->free_slots = slot;
    pthread_cond_signal(&evaluator->freed);
    pthread_mutex_unlock(&evaluator->mutex);
}

static void values(const void *context, const struct board *after, size_t n, float *out)
{
    struct neural_evaluator *evaluator = (struct neural_evaluator *)context; /* only its list of slots changes */
    struct slot *slot = take_slot(evaluator);
    neural_scratch_values(&slot->scratch, after, n, out);
    return_slot(evaluator, slot);
}

struct value_function neural_value_function(const struct neural_evaluator *evaluator)
{
    return (struct value_function){.context = evaluator,
                                   .values = values,
                                   .symmetric = evaluator->neural->spec.play != NEURAL_PLAY_SIMPLE,
                                   .batch = NEURAL_BATCH_BOARDS / neural_images(evaluator->neural)};
}
