/*
 * half_weights: a copy of a network's weights in 16 bits, packed for the products of neural/bf16.h.
 *
 * The weights that learning changes stay floats; this copy is packed again after every step. It serves the forward pass
 * and, transposed, the backward pass. The first layer, which is no product, and narrow layers and those of odd width
 * are computed in floats.
 */
#ifndef AFTERSTATE_NEURAL_HALF_WEIGHTS_H
#define AFTERSTATE_NEURAL_HALF_WEIGHTS_H

#include "base/status.h"
#include "neural/bf16.h"
#include "neural/model.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct half_weights;

/* Allocates the copy, with `backward` also the transposed one; half_weights_pack() fills it. Borrows the network.
   STATUS_NO_MEMORY; *out is then NULL. */
enum status half_weights_create(struct half_weights **out, const struct neural *neural, bool backward);
void half_weights_free(struct half_weights *half); /* NULL is fine */
/* Bytes that the copy of a network takes. */
size_t half_weights_bytes(const struct neural *neural, bool backward);

/* Packs part number `part` of `n_parts` from the present weights. Threads may pack different parts at once. */
void half_weights_pack(struct half_weights *half, unsigned part, unsigned n_parts);

/* Whether a layer is computed in 16 bits. */
bool half_weights_has(const struct neural *neural, unsigned layer);

/* The right matrix of one tap of a filter: weights[in][out], or transposed. */
const uint32_t *half_weights_forward(const struct half_weights *half, unsigned layer, unsigned filter, unsigned tap);
const uint32_t *half_weights_backward(const struct half_weights *half, unsigned layer, unsigned filter, unsigned tap);

#endif
