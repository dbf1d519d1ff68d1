/*
 * neural_value: a neural network as a value function (game/value.h).
 *
 * A workspace belongs to one thread at a time, and a value function cannot report that memory is short; so an evaluator
 * owns a few workspaces, made beforehand, and a thread takes a free one or waits for it.
 */
#ifndef AFTERSTATE_NEURAL_NEURAL_VALUE_H
#define AFTERSTATE_NEURAL_NEURAL_VALUE_H

#include "base/status.h"
#include "game/value.h"
#include "neural/compute.h"

/* One thread's memory for evaluating boards as the network's way of play has it. */
struct neural_desk {
    const struct neural *neural;
    struct neural_workspace *workspace;
    struct board *images; /* as many as the workspace takes */
    neural_real *outputs;
};

/* Room for parts of max_boards boards (at least 8); with `backward` the workspace can learn too. */
enum status neural_desk_create(struct neural_desk *desk, const struct neural *neural, size_t max_boards, bool backward);
void neural_desk_free(struct neural_desk *desk); /* a zeroed struct is fine */

/* out[i] = value of after[i], scaled; any n. One thread at a time. */
void neural_desk_values(struct neural_desk *desk, const struct board *after, size_t n, float *out);

struct neural_evaluator;

/* Boards that are evaluated together; larger batches are cut into parts. This size is the fastest. */
enum { NEURAL_BATCH_BOARDS = 1024 };

/*
 * An evaluator for up to n_threads threads at once (0: workers_available()); more wait for one another. Borrows the
 * network, which must not change meanwhile. On failure *out is NULL.
 */
enum status neural_evaluator_create(struct neural_evaluator **out, const struct neural *neural, unsigned n_threads);
void neural_evaluator_free(struct neural_evaluator *evaluator); /* NULL is fine */

/* out[i] = value of after[i] as the network's way of play has it, scaled. Any thread. */
void neural_evaluator_values(const struct neural_evaluator *evaluator, const struct board *after, size_t n, float *out);

/* Its value function; borrows the evaluator. Symmetric unless the way of play is simple. */
struct value_function neural_value_function(const struct neural_evaluator *evaluator);

#endif
