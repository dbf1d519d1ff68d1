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
#include "neural/model.h"

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
