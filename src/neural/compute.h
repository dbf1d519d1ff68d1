/*
 * compute: values of a batch of boards, and the gradient of their weights.
 *
 * Equal windows are computed once. After a convolution a position sees a window of few cells (2x2, then 3x3), and equal
 * windows have equal vectors, at any position and on any board. So a level is a list of rows, one for each different
 * window in the batch, and in the last levels one for each different board:
 *
 *   boards -> rows of level 1 (by the planes of their taps) -> rows of level 2 (by the rows of their taps) -> .. ->
 * value
 *
 * The first layer needs no product: the input is one-hot, so a row is the sum of `taps` rows of weights. In the others
 * each tap is a matrix product (OpenBLAS), in one of two ways, whichever multiplies fewer rows: the different input
 * rows are multiplied once each, and the results added for each output row (`shared`); or the input rows are gathered
 * for each output row, and the product adds them. Bias and ReLU are applied when the last part of a row is added. The
 * backward pass does the same in reverse: errors are added before a product, not after.
 *
 * Values are those of the plain network to rounding. As in any BLAS, the rounding of a board may depend on its batch;
 * the same batch gives the same bits.
 */
#ifndef AFTERSTATE_NEURAL_COMPUTE_H
#define AFTERSTATE_NEURAL_COMPUTE_H

#include "base/status.h"
#include "game/board.h"
#include "neural/half_weights.h"
#include "neural/model.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct neural_workspace;

/* What the matrix products of a workspace took so far. */
struct neural_work {
    double operations; /* additions and multiplications */
    double seconds;    /* 0 unless neural_workspace_time() was called */
};

/*
 * Allocates buffers for batches of up to max_boards boards (at least 1); with `backward` also for their gradient.
 * Borrows the network, and `half` unless it is NULL: then products are computed in 16 bits, with the weights that were
 * packed last. One thread at a time may use a workspace; several may share the network. Loads OpenBLAS and fails
 * without it (base/blas.h); STATUS_NO_MEMORY. *out is then NULL.
 */
enum status neural_workspace_create(struct neural_workspace **out, const struct neural *neural,
                                    const struct half_weights *half, size_t max_boards, bool backward);
void neural_workspace_free(struct neural_workspace *workspace); /* NULL is fine */
size_t neural_workspace_boards(const struct neural_workspace *workspace);
size_t neural_workspace_bytes(
    const struct neural_workspace *workspace); /* of its buffers; their pages are mapped when first used */
void neural_workspace_time(struct neural_workspace *workspace); /* products are timed from now on, for bench */
struct neural_work neural_workspace_work(const struct neural_workspace *workspace);

/* out[i] = the network's output for boards[i], i < n <= max_boards: not scaled, without symmetric images. */
void neural_forward(struct neural_workspace *workspace, const struct board *boards, size_t n, neural_real *out);

/*
 * Adds to gradient[0 .. n_parameters-1] the sum over the boards of the last neural_forward() of error[i] times the
 * derivative of output i by each parameter. Needs a workspace with `backward` and unchanged weights.
 */
void neural_backward(struct neural_workspace *workspace, const neural_real *error, neural_real *gradient);

/* The same output by plain loops over the definition, for one board: the reference in tests. STATUS_NO_MEMORY. */
enum status neural_output_plain(const struct neural *neural, struct board board, neural_real *out);

#endif
