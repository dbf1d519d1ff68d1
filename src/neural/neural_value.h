/*
 * neural_value: a neural network as a value function (game/value.h).
 *
 * A workspace serves one thread at a time, and a value function cannot report that memory is short. So an evaluator
 * allocates several workspaces beforehand; a thread takes a free one or waits for it.
 */
#ifndef AFTERSTATE_NEURAL_NEURAL_VALUE_H
#define AFTERSTATE_NEURAL_NEURAL_VALUE_H

#include "base/status.h"
#include "game/value.h"
#include "neural/compute.h"

/* One thread's buffers for evaluating boards. */
struct neural_scratch {
    const struct neural *neural;
    struct neural_workspace *workspace;
    struct board *images; /* symmetric images, as many as the workspace has room for */
    neural_real *outputs;
};

/* Buffers for passes of max_boards boards (at least 8), images counted; with `backward` also for learning. Borrows the
   network and `half`, which may be NULL (neural_workspace_create()). STATUS_NO_MEMORY; *scratch is then zeroed. */
enum status neural_scratch_create(struct neural_scratch *scratch, const struct neural *neural,
                                  const struct half_weights *half, size_t max_boards, bool backward);
void neural_scratch_free(struct neural_scratch *scratch); /* zeroed is fine */

/* out[i] = value of after[i] in points, for any n. One thread at a time. */
void neural_scratch_values(struct neural_scratch *scratch, const struct board *after, size_t n, float *out);

struct neural_evaluator;

/* Boards of one pass, images counted: the fastest size. Larger batches take several passes. */
enum { NEURAL_BATCH_BOARDS = 1024 };

/*
 * An evaluator for up to n_threads threads at once (0: workers_available()); more wait for one another. Borrows the
 * network, which must not change while boards are evaluated. STATUS_NO_MEMORY; *out is then NULL.
 */
enum status neural_evaluator_create(struct neural_evaluator **out, const struct neural *neural, unsigned n_threads);
void neural_evaluator_free(struct neural_evaluator *evaluator); /* NULL is fine */

/* Its value function, thread-safe, which borrows the evaluator. Symmetric unless spec.play is NEURAL_PLAY_SIMPLE. */
struct value_function neural_value_function(const struct neural_evaluator *evaluator);

#endif
