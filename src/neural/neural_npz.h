/*
 * neural_npz: exports a network's weights to Python and imports them, as named arrays in a .npz file (npz.h):
 * "conv1.weight" of shape (height, width, in, out), "fc1.weight" of shape (in, out), "fc1.bias" of shape (out), ..
 * (model.h lists them). The file has only the weights, not the model, board, symmetries or scale.
 */
#ifndef AFTERSTATE_NEURAL_NEURAL_NPZ_H
#define AFTERSTATE_NEURAL_NEURAL_NPZ_H

#include "base/status.h"
#include "neural/model.h"

/* Writes the weights. STATUS_IO, STATUS_NO_MEMORY. */
enum status neural_export_npz(const struct neural *neural, const char *path);

/*
 * Replaces all weights. STATUS_INVALID if an array is missing, has another shape, is not known to the model or has a
 * number that is not finite; otherwise fails as npz_read(). On failure the network is unchanged.
 */
enum status neural_import_npz(struct neural *neural, const char *path);

#endif
