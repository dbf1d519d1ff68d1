/* blend: the mean of several networks with the same spec. */
#include "ntuple/blend.h"

#include <math.h>

/* From the first stage on, so that a weight may come from several stages before. */
static void resolve_promotion(struct network *network)
{
    uint64_t n = network->n_stage_weights;
    for (uint64_t i = n; i < network->n_weights && network->spec.promote; i++)
        if (network->weights[i] == network->spec.initial && network->weights[i - n] != network->spec.initial)
            network->weights[i] = network->weights[i - n];
}

/* From the last stage down, so that each is compared with a weight that is still resolved. */
static void undo_promotion(struct network *network)
{
    uint64_t n = network->n_stage_weights;
    for (uint64_t i = network->n_weights; i-- > n && network->spec.promote;)
        if (network->weights[i] != network->spec.initial && network->weights[i] == network->weights[i - n])
            network->weights[i] = network->spec.initial;
}

enum status blend_begin(struct blend *blend, struct network *first)
{
    *blend = (struct blend){.mean = first, .n_networks = 1};
    enum status status = memory_block_allocate(&blend->counts, first->n_weights);
    if (status) {
        blend_free(blend);
        return status;
    }
    uint8_t *counts = blend->counts.data;
    resolve_promotion(first);
    for (uint64_t i = 0; i < first->n_weights; i++)
        if (first->weights[i] != first->spec.initial)
            counts[i] = 1;
    return STATUS_OK;
}

enum status blend_add(struct blend *blend, struct network *next)
{
    const char *difference = network_find_stage_difference(&blend->mean->spec, &next->spec);
    if (!difference && blend->mean->spec.unseen_mean != next->spec.unseen_mean)
        difference = "untouched weights have another meaning (network.unseen)";
    if (difference)
        return status_fail(STATUS_INVALID, "there is no mean of these networks: %s", difference);
    if (blend->n_networks == BLEND_MAX)
        return status_fail(STATUS_INVALID, "more than %d networks", BLEND_MAX);
    blend->n_networks++;
    resolve_promotion(next);
    float initial = next->spec.initial;
    uint8_t *counts = blend->counts.data;
    for (uint64_t i = 0; i < next->n_weights; i++) {
        if (next->weights[i] == initial)
            continue;
        float *mean = &blend->mean->weights[i];
        float sum = counts[i]++ ? *mean + (next->weights[i] - *mean) / counts[i] : next->weights[i];
        *mean = sum == initial ? nextafterf(initial, INFINITY) : sum; /* touched stays touched */
    }
    return STATUS_OK;
}

struct network *blend_end(struct blend *blend)
{
    struct network *mean = blend->mean;
    undo_promotion(mean);
    blend->mean = NULL;
    blend_free(blend);
    return mean;
}

void blend_free(struct blend *blend)
{
    network_free(blend->mean);
    memory_block_free(&blend->counts);
    *blend = (struct blend){0};
}
