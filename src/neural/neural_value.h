/*
 * neural_value: a neural network behind the face that search and statistics know (game/value.h).
 *
 * A workspace belongs to one thread at a time, and a value function has no room to say that memory is short; so a judge
 * owns a few workspaces, made beforehand, and a thread takes a free one or waits for it.
 */
#ifndef AFTERSTATE_NEURAL_NEURAL_VALUE_H
#define AFTERSTATE_NEURAL_NEURAL_VALUE_H

#include "base/status.h"
#include "game/value.h"
#include "neural/compute.h"

/* One thread's room to judge boards as the network's way of play has it. */
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

struct neural_judge;

/* Boards that a judge evaluates together; more are cut into parts. Batches of this size are judged fastest. */
enum { NEURAL_JUDGE_BOARDS = 1024 };

/*
 * A judge for up to n_threads threads at once (0: workers_available()); more wait for one another. Borrows the network,
 * which nobody may change while it judges. On failure *out is NULL.
 */
enum status neural_judge_create(struct neural_judge **out, const struct neural *neural, unsigned n_threads);
void neural_judge_free(struct neural_judge *judge); /* NULL is fine */

/* out[i] = value of after[i] as the network's way of play has it, scaled. Any thread. */
void neural_judge_values(const struct neural_judge *judge, const struct board *after, size_t n, float *out);

/* Its face; borrows the judge. Symmetric unless the way of play is simple. */
struct value_function neural_value_function(const struct neural_judge *judge);

#endif
