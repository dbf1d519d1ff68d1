/*
 * compute: values of a batch of boards, and the gradient of their weights.
 *
 * Work is done once for what is equal. Behind a convolution a place sees a window of few cells (2x2, then 3x3), and
 * equal windows have equal vectors wherever they lie and on whichever board. So a level is kept as rows, one for each
 * different window in the batch, and the last levels as one row for each different board:
 *
 *   boards -> rows of level 1 (by the planes of their taps) -> rows of level 2 (by the rows of their taps) -> .. ->
 * value
 *
 * The first layer needs no product at all: the input is one-hot, a row is the sum of `taps` rows of weights. In the
 * others each tap is a product of matrices (OpenBLAS), done in one of two ways, whichever multiplies fewer rows: input
 * rows that are different are multiplied once and their products added up for each output row (`shared`), or the input
 * rows are gathered for each output row and the product adds them up. Bias and ReLU go over a row when its last part is
 * added. The backward pass goes the same ways in the other direction: errors are added up before a product, not after.
 *
 * Values are those of the plain network to rounding; the rounding of a board may depend on the batch it is in, as it
 * does in any library of products. The same batch gives the same bits.
 */
#ifndef AFTERSTATE_NEURAL_COMPUTE_H
#define AFTERSTATE_NEURAL_COMPUTE_H

#include "base/status.h"
#include "game/board.h"
#include "neural/model.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct neural_workspace;

/* What the products of a workspace took so far. */
struct neural_work {
    double operations; /* additions and multiplications */
    double seconds;
};

/*
 * Room for batches of up to max_boards boards (at least 1), allocated once; with `backward` also for their gradient.
 * Loads OpenBLAS (base/blas.h); fails without it. Borrows the network. One thread at a time uses a workspace; several
 * may share the network.
 */
enum status neural_workspace_create(struct neural_workspace **out, const struct neural *neural, size_t max_boards,
                                    bool backward);
void neural_workspace_free(struct neural_workspace *workspace); /* NULL is fine */
size_t neural_workspace_boards(const struct neural_workspace *workspace);
size_t neural_workspace_bytes(const struct neural_workspace *workspace); /* of its buffers, taken when first used */
struct neural_work neural_workspace_work(const struct neural_workspace *workspace);

/* out[i] = the network's output for boards[i], i < n <= max_boards: not scaled, the board as it lies. */
void neural_forward(struct neural_workspace *workspace, const struct board *boards, size_t n, neural_real *out);

/*
 * Adds to gradient[0 .. n_parameters-1] the sum over the boards of the last neural_forward() of error[i] times the
 * derivative of output i by each parameter. The workspace was made with `backward`, and the weights did not change.
 */
void neural_backward(struct neural_workspace *workspace, const neural_real *error, neural_real *gradient);

/* The same output in loops that follow the definition, board by board and place by place: the reference of tests. */
enum status neural_output_plain(const struct neural *neural, struct board board, neural_real *out);

#endif
