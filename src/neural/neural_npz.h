/*
 * neural_npz: a network's weights to and from Python, as named arrays in a .npz file (npz.h): "conv1.weight" of shape
 * (height, width, in, out), "fc1.weight" of shape (in, out), "fc1.bias" of shape (out), .. (model.h lists them). Only
 * weights travel; what the network is (model, board, way of play, scale) is not in the file.
 */
#ifndef AFTERSTATE_NEURAL_NEURAL_NPZ_H
#define AFTERSTATE_NEURAL_NEURAL_NPZ_H

#include "base/status.h"
#include "neural/model.h"

/* Writes the weights. STATUS_IO, STATUS_NO_MEMORY. */
enum status neural_export_npz(const struct neural *neural, const char *path);

/*
 * Replaces all weights. STATUS_INVALID where an array is missing, has another shape, is not known to the model or holds
 * a number that is not finite; as npz_read() fails besides. The network is unchanged on failure.
 */
enum status neural_import_npz(struct neural *neural, const char *path);

#endif
