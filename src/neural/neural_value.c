#include "neural/neural_value.h"

#include "base/memory.h"
#include "base/workers.h"

#include <pthread.h>
#include <stdlib.h>

struct desk {
    struct neural_desk own;
    struct desk *next; /* free one */
};

struct neural_judge {
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

static void judge_part(struct neural_desk *desk, const struct board *after, size_t n, float *out)
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
        judge_part(desk, after + first, n - first < part ? n - first : part, out + first);
}

/* ---- the judge -------------------------------------------------------------------------------------------------- */

enum status neural_judge_create(struct neural_judge **out, const struct neural *neural, unsigned n_threads)
{
    *out = NULL;
    struct neural_judge *judge = memory_allocate(1, sizeof *judge);
    if (!judge)
        return STATUS_NO_MEMORY;
    judge->neural = neural;
    judge->n_desks = n_threads ? n_threads : workers_available();
    pthread_mutex_init(&judge->mutex, NULL);
    pthread_cond_init(&judge->freed, NULL);
    judge->desks = memory_allocate(judge->n_desks, sizeof *judge->desks);
    enum status status = judge->desks ? STATUS_OK : STATUS_NO_MEMORY;
    for (unsigned i = 0; i < judge->n_desks && !status; i++) {
        status = neural_desk_create(&judge->desks[i].own, neural, NEURAL_JUDGE_BOARDS, false);
        judge->desks[i].next = judge->free_desks;
        judge->free_desks = &judge->desks[i];
    }
    if (status)
        neural_judge_free(judge);
    else
        *out = judge;
    return status;
}

void neural_judge_free(struct neural_judge *judge)
{
    if (!judge)
        return;
    for (unsigned i = 0; judge->desks && i < judge->n_desks; i++)
        neural_desk_free(&judge->desks[i].own);
    free(judge->desks);
    pthread_cond_destroy(&judge->freed);
    pthread_mutex_destroy(&judge->mutex);
    free(judge);
}

static struct desk *take_desk(struct neural_judge *judge)
{
    pthread_mutex_lock(&judge->mutex);
    while (!judge->free_desks)
        pthread_cond_wait(&judge->freed, &judge->mutex);
    struct desk *desk = judge->free_desks;
    judge->free_desks = desk->next;
    pthread_mutex_unlock(&judge->mutex);
    return desk;
}

static void give_desk(struct neural_judge *judge, struct desk *desk)
{
    pthread_mutex_lock(&judge->mutex);
    desk->next = judge->free_desks;
    judge->free_desks = desk;
    pthread_cond_signal(&judge->freed);
    pthread_mutex_unlock(&judge->mutex);
}

void neural_judge_values(const struct neural_judge *judge, const struct board *after, size_t n, float *out)
{
    struct neural_judge *owner = (struct neural_judge *)judge; /* the free list is the judge's own affair */
    struct desk *desk = take_desk(owner);
    neural_desk_values(&desk->own, after, n, out);
    give_desk(owner, desk);
}

static void values(const void *context, const struct board *after, size_t n, float *out)
{
    neural_judge_values(context, after, n, out);
}

struct value_function neural_value_function(const struct neural_judge *judge)
{
    return (struct value_function){.context = judge,
                                   .values = values,
                                   .symmetric = judge->neural->spec.play != NEURAL_PLAY_SIMPLE,
                                   .batch = NEURAL_JUDGE_BOARDS / neural_images(judge->neural)};
}
