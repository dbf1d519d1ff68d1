/* exact_policy_parts: what the passes of exact_policy.c use; exact_policy_ages.c has it. */
#ifndef AFTERSTATE_STUDY_EXACT_POLICY_PARTS_H
#define AFTERSTATE_STUDY_EXACT_POLICY_PARTS_H

#include "base/memory.h"
#include "study/exact_policy.h"

#include <stdbool.h>

/* The data of one age while it is processed. Zeroed: an age without boards. */
struct exact_part {
    struct age_set set;
    double *number; /* of each member, or of each image of each member: a value or a probability */
};

struct exact_evaluation {
    const struct table *table;
    const struct grid *grid;
    const struct policy *policy;
    struct workers *workers;
    const struct cluster *cluster; /* NULL: this process alone */
    uint64_t first_span;           /* of this rank's part, while it works on that */
    struct progress *progress;
    unsigned goal;              /* of the table, 0: the score is measured */
    double spawn_chance[3];     /* of a new tile, by its value 1 or 2 */
    unsigned n_images;          /* numbers kept for a class: 1, or one for each symmetry */
    double done;                /* states */
    uint8_t *moves;             /* POLICY_MOVES: of the present age's states */
    double *share;              /* POLICY_FUNCTION: four for each number of the present age's states */
    struct memory_block values; /* the optimal ones of the present age's afterstates, where they are needed */
    struct exact_part states, states_2, states_4; /* of the present age and the next two */
    struct exact_part afterstates;
    uint8_t *choice; /* by number of the state: forward only */
};

void exact_part_free(struct exact_part *part);

/* The boards of a class that have numbers of their own, and where these are. */
struct exact_images {
    unsigned n;
    uint64_t cells[GRID_MAX_SYMMETRIES];
    size_t index[GRID_MAX_SYMMETRIES];
};

/* All different images of a member; only the member itself where one number serves the class. */
void exact_list_images(const struct exact_evaluation *evaluation, uint64_t cells, uint32_t position,
                       struct exact_images *list);

/* Where the number of a board of the part's age is. */
static inline size_t exact_index_of(const struct exact_evaluation *evaluation, const struct exact_part *part,
                                    uint64_t cells)
{
    size_t index = (size_t)policy_position_of(&part->set, cells) * evaluation->n_images;
    for (unsigned s = 1; s < evaluation->n_images; s++)
        index += grid_image(evaluation->grid, (struct board){.cells = cells}, s).cells < cells;
    return index;
}

/*
 * Lets the policy choose in the states of a span of this rank's part, a batch at a time, and passes each batch to
 * `use`. With visited_only it skips batches without a visited state. The values of a function that prefers large
 * batches may depend on their batch in the last bits, so the batches are the same in both passes.
 */
void exact_walk_choices(struct exact_evaluation *evaluation, uint64_t span, bool visited_only,
                        void (*use)(struct exact_evaluation *evaluation, const struct policy_batch *batch));

/* Load an age of the table: its boards, numbers of 0, and with_values the optimal values of its afterstates. */
enum status exact_load_states(const struct exact_evaluation *evaluation, uint32_t age, struct exact_part *part);
enum status exact_load_afterstates(struct exact_evaluation *evaluation, uint32_t age, bool with_values);

/*
 * Loads what POLICY_MOVES and POLICY_FUNCTION choose in the present age's states, which are loaded; the function is
 * called in the visited ones only if visited_only, by the calling thread.
 */
enum status exact_load_choices(struct exact_evaluation *evaluation, bool visited_only);

/*
 * Runs `job` on each span of a set and shares what it put into `data`, item_bytes for each number of each member, with
 * all ranks. Every rank works on the spans of its part. `status` is what happened before: a rank that has failed must
 * tell the others.
 */
enum status exact_run_spans(struct exact_evaluation *evaluation, enum status status, const struct age_set *set,
                            workers_item_job job, void *data, size_t item_bytes);

/* Counts the present age's states as done and polls for a stop. */
enum status exact_finish_age(struct exact_evaluation *evaluation);

#endif
