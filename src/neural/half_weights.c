/* half_weights: a copy of a network's weights in 16 bits, packed for the products of neural/bf16.h. */
#include "neural/half_weights.h"

#include <stdlib.h>

enum { NARROWEST = 16 /* a register of sums */ };

struct half_weights {
    const struct neural *neural;
    bool backward;
    struct memory_block block;
    uint32_t *forward[NEURAL_MAX_LAYERS], *transposed[NEURAL_MAX_LAYERS];
};

bool half_weights_has(const struct neural *neural, unsigned layer)
{
    const struct neural_layer *shape = &neural->layers[layer];
    return layer > 0 && shape->in_width >= NARROWEST && shape->out_width >= NARROWEST && shape->in_width % 2 == 0 &&
           shape->out_width % 2 == 0;
}

static size_t forward_words(const struct neural_layer *layer)
{
    return bf16_right_words(layer->in_width / 2, layer->out_width);
}

static size_t transposed_words(const struct neural_layer *layer)
{
    return bf16_right_words(layer->out_width / 2, layer->in_width);
}

/* Places the matrices in `words`; NULL only counts. Returns the words of all. */
static size_t place(struct half_weights *half, uint32_t *words)
{
    size_t used = 0;
    for (unsigned i = 1; i < half->neural->n_layers; i++) {
        const struct neural_layer *layer = &half->neural->layers[i];
        size_t n = (size_t)layer->n_filters * layer->taps;
        if (!half_weights_has(half->neural, i))
            continue;
        half->forward[i] = words ? words + used : NULL;
        used += n * forward_words(layer);
        if (!half->backward)
            continue;
        half->transposed[i] = words ? words + used : NULL;
        used += n * transposed_words(layer);
    }
    return used;
}

size_t half_weights_bytes(const struct neural *neural, bool backward)
{
    struct half_weights half = {.neural = neural, .backward = backward};
    return place(&half, NULL) * sizeof(uint32_t);
}

enum status half_weights_create(struct half_weights **out, const struct neural *neural, bool backward)
{
    *out = NULL;
    struct half_weights *half = memory_allocate(1, sizeof *half);
    if (!half)
        return STATUS_NO_MEMORY;
    half->neural = neural;
    half->backward = backward;
    enum status status = memory_block_allocate(&half->block, half_weights_bytes(neural, backward));
    if (status) {
        free(half);
        return status;
    }
    place(half, half->block.data);
    *out = half;
    return STATUS_OK;
}

void half_weights_free(struct half_weights *half)
{
    if (!half)
        return;
    memory_block_free(&half->block);
    free(half);
}

void half_weights_pack(struct half_weights *half, unsigned part, unsigned n_parts)
{
    const struct neural *neural = half->neural;
    for (unsigned i = 1; i < neural->n_layers; i++) {
        const struct neural_layer *layer = &neural->layers[i];
        size_t in = layer->in_width, width = layer->out_width;
        for (unsigned k = 0; k < layer->n_filters * layer->taps && half_weights_has(neural, i); k++) {
            const float *weights = (const float *)neural->parameters + layer->weights + k * in * width;
            for (size_t panel = part; panel < bf16_panels(width); panel += n_parts)
                bf16_pack(weights, in, width, panel, half->forward[i] + k * forward_words(layer));
            for (size_t panel = part; panel < bf16_panels(in) && half->backward; panel += n_parts)
                bf16_pack_transposed(weights, in, width, panel, half->transposed[i] + k * transposed_words(layer));
        }
    }
}

const uint32_t *half_weights_forward(const struct half_weights *half, unsigned layer, unsigned filter, unsigned tap)
{
    const struct neural_layer *shape = &half->neural->layers[layer];
    return half->forward[layer] + ((size_t)filter * shape->taps + tap) * forward_words(shape);
}

const uint32_t *half_weights_backward(const struct half_weights *half, unsigned layer, unsigned filter, unsigned tap)
{
    const struct neural_layer *shape = &half->neural->layers[layer];
    return half->transposed[layer] + ((size_t)filter * shape->taps + tap) * transposed_words(shape);
}
