/* exact_policy_ages: the boards of an age, their images and numbers, and the choices of a policy in them. */
#include "study/exact_policy_parts.h"

#include "base/signals.h"
#include "game/notation.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { FUNCTION_BATCH = 1 << 16 }; /* boards in one call of a POLICY_FUNCTION, which may be an interpreter's */

void exact_part_free(struct exact_part *part)
{
    age_set_free(&part->set);
    free(part->number);
    memset(part, 0, sizeof *part);
}

/* ---- Images ----------------------------------------------------------------------------------------------------- */

void exact_list_images(const struct exact_evaluation *evaluation, uint64_t cells, uint32_t position,
                       struct exact_images *list)
{
    const unsigned n_images = evaluation->n_images;
    uint64_t image[GRID_MAX_SYMMETRIES];
    list->n = 0;
    image[0] = cells;
    for (unsigned s = 1; s < n_images; s++)
        image[s] = grid_image(evaluation->grid, (struct board){.cells = cells}, s).cells;
    for (unsigned s = 0; s < n_images; s++) {
        unsigned rank = 0;
        bool repeated = false;
        for (unsigned k = 0; k < n_images; k++) {
            rank += image[k] < image[s];
            repeated |= k < s && image[k] == image[s];
        }
        if (repeated)
            continue;
        list->cells[list->n] = image[s];
        list->index[list->n++] = (size_t)position * n_images + rank;
    }
}

/* ---- Choosing --------------------------------------------------------------------------------------------------- */

void exact_walk_choices(struct exact_evaluation *evaluation, uint64_t span, bool visited_only,
                        void (*use)(struct exact_evaluation *evaluation, const struct policy_batch *batch))
{
    const struct exact_part *states = &evaluation->states;
    const struct policy_view view = {
        .grid = evaluation->grid,
        .goal = evaluation->goal,
        .afterstates = &evaluation->afterstates.set,
        .values = evaluation->values.data,
        .moves = evaluation->moves,
        .share = evaluation->share,
        .function = &evaluation->policy->function,
    };
    struct policy_batch batch;
    struct age_walk walk;
    struct exact_images images = {.n = 0};
    bool same_batches = evaluation->policy->kind == POLICY_VALUE && evaluation->policy->function.batch > 0;
    bool wanted = false; /* some state of the batch */
    batch.n = 0;
    age_walk_begin(&walk, &states->set, &states->set.spans[evaluation->first_span + span]);
    for (bool more = true; more;) {
        more = age_walk_next(&walk);
        if (more)
            exact_list_images(evaluation, walk.cells, walk.position, &images);
        for (unsigned i = 0; more && i < images.n; i++) {
            bool is_wanted = !visited_only || states->number[images.index[i]] > 0;
            if (!is_wanted && !same_batches)
                continue;
            wanted |= is_wanted;
            batch.cells[batch.n] = images.cells[i];
            batch.index[batch.n] = images.index[i];
            batch.position[batch.n++] = walk.position;
        }
        if (batch.n + evaluation->n_images > POLICY_BATCH || (!more && batch.n)) {
            if (wanted) {
                policy_choose(evaluation->policy->kind, &view, &batch);
                use(evaluation, &batch);
            }
            batch.n = 0;
            wanted = false;
        }
    }
}

/* ---- Sets ------------------------------------------------------------------------------------------------------- */

/* The numbers of all members, and of one more, which a damaged table may lead to. All 0. */
static enum status give_numbers(const struct exact_evaluation *evaluation, struct exact_part *part)
{
    part->number = memory_allocate((part->set.count + 1) * evaluation->n_images, sizeof *part->number);
    return part->number ? STATUS_OK : STATUS_NO_MEMORY;
}

enum status exact_load_states(const struct exact_evaluation *evaluation, uint32_t age, struct exact_part *part)
{
    exact_part_free(part);
    if (!table_age_of(evaluation->table, age))
        return STATUS_OK;
    enum status status = table_load_states(evaluation->table, evaluation->workers, age, &part->set);
    return status ? status : give_numbers(evaluation, part);
}

enum status exact_load_afterstates(struct exact_evaluation *evaluation, uint32_t age, bool with_values)
{
    struct exact_part *part = &evaluation->afterstates;
    exact_part_free(part);
    memory_block_free(&evaluation->values);
    enum status status = table_load_set(evaluation->table, evaluation->workers, age, &part->set);
    if (status)
        return status;
    status = give_numbers(evaluation, part);
    if (status)
        return status;
    if (with_values && part->set.count)
        status = table_load_values(evaluation->table, evaluation->workers, age, &evaluation->values);
    if (status)
        return status;
    if (part->set.count && (!table_age_of(evaluation->table, age + 2) || !table_age_of(evaluation->table, age + 4)))
        status = status_fail(STATUS_CORRUPT, "%s: age %" PRIu32 " has afterstates, but no ages follow it",
                             table_directory(evaluation->table), age);
    return status;
}

/* For POLICY_MOVES: loads the moves of the present age's states. */
static enum status load_moves(struct exact_evaluation *evaluation)
{
    const struct age_set *states = &evaluation->states.set;
    if (evaluation->policy->kind != POLICY_MOVES || states->count == 0)
        return STATUS_OK;
    free(evaluation->moves);
    evaluation->moves = memory_allocate(states->count, 1);
    if (!evaluation->moves)
        return STATUS_NO_MEMORY;
    return table_load_moves(evaluation->policy->moves, evaluation->workers, states, evaluation->moves);
}

/* States of one call of a POLICY_FUNCTION. */
struct function_batch {
    size_t n;
    uint64_t cells[FUNCTION_BATCH];
    size_t index[FUNCTION_BATCH];
    double share[FUNCTION_BATCH * DIRECTION_COUNT];
};

/* Whether the four shares are probabilities of legal directions, to rounding. */
static bool is_distribution(const double *share, unsigned legal)
{
    double sum = 0;
    for (unsigned d = 0; d < DIRECTION_COUNT; d++) {
        if (!(share[d] >= 0) || (share[d] > 0 && !(legal >> d & 1)))
            return false;
        sum += share[d];
    }
    return fabs(sum - 1) < 1e-6;
}

static enum status call_function(struct exact_evaluation *evaluation, struct function_batch *batch)
{
    const struct policy *policy = evaluation->policy;
    if (batch->n == 0)
        return STATUS_OK;
    enum status status = policy->choose(policy->context, batch->cells, batch->n, batch->share);
    for (size_t i = 0; i < batch->n && !status; i++) {
        const double *share = batch->share + DIRECTION_COUNT * i;
        struct board board = {.cells = batch->cells[i]};
        char digits[NOTATION_DIGITS_BYTES];
        if (!is_distribution(share, grid_moves(evaluation->grid, board).legal))
            status =
                status_fail(STATUS_INVALID,
                            "the policy gives up, right, down, left the probabilities %g, %g, %g, %g on board %s: "
                            "those of legal moves must sum to 1, the others be 0",
                            share[0], share[1], share[2], share[3], notation_digits(evaluation->grid, board, digits));
        else
            memcpy(evaluation->share + DIRECTION_COUNT * batch->index[i], share, DIRECTION_COUNT * sizeof *share);
    }
    batch->n = 0;
    return status;
}

/* Calls a POLICY_FUNCTION for the states of a span that have a move, with visited_only for the visited ones. */
static enum status collect_span_shares(struct exact_evaluation *evaluation, const struct row_span *span,
                                       bool visited_only, struct function_batch *batch)
{
    const struct exact_part *states = &evaluation->states;
    struct exact_images images;
    struct age_walk walk;
    enum status status = STATUS_OK;
    age_walk_begin(&walk, &states->set, span);
    while (!status && age_walk_next(&walk)) {
        if (grid_is_terminal(evaluation->grid, (struct board){.cells = walk.cells}))
            continue;
        exact_list_images(evaluation, walk.cells, walk.position, &images);
        for (unsigned i = 0; i < images.n; i++) {
            if (visited_only && !(states->number[images.index[i]] > 0))
                continue;
            batch->cells[batch->n] = images.cells[i];
            batch->index[batch->n++] = images.index[i];
        }
        if (batch->n + evaluation->n_images > FUNCTION_BATCH)
            status = call_function(evaluation, batch);
    }
    return status;
}

/* For POLICY_FUNCTION: the probabilities that it gives the moves of the present age's states. */
static enum status collect_shares(struct exact_evaluation *evaluation, bool visited_only)
{
    const struct age_set *set = &evaluation->states.set;
    if (evaluation->policy->kind != POLICY_FUNCTION || set->count == 0)
        return STATUS_OK;
    free(evaluation->share);
    evaluation->share =
        memory_allocate((set->count + 1) * evaluation->n_images, DIRECTION_COUNT * sizeof *evaluation->share);
    struct function_batch *batch = memory_allocate(1, sizeof *batch);
    enum status status = evaluation->share && batch ? STATUS_OK : STATUS_NO_MEMORY;
    for (size_t span = 0; span < set->n_spans && !status; span++)
        status = collect_span_shares(evaluation, &set->spans[span], visited_only, batch);
    if (!status)
        status = call_function(evaluation, batch);
    free(batch);
    return status;
}

enum status exact_load_choices(struct exact_evaluation *evaluation, bool visited_only)
{
    enum status status = load_moves(evaluation);
    return status ? status : collect_shares(evaluation, visited_only);
}

enum status exact_finish_age(struct exact_evaluation *evaluation)
{
    evaluation->done += (double)evaluation->states.set.count;
    if (evaluation->progress)
        progress_update(evaluation->progress, evaluation->done, NULL);
    const struct policy *policy = evaluation->policy;
    bool stop = cluster_interrupted(evaluation->cluster) || (policy->stop && policy->stop(policy->context));
    return stop ? status_fail(STATUS_INTERRUPTED, "interrupted") : STATUS_OK;
}

/* The position of the first member of a span or, if those are empty, of the spans after it. */
static uint64_t first_position(const struct age_set *set, uint64_t span)
{
    struct age_walk walk;
    for (; span < set->n_spans; span++) {
        age_walk_begin(&walk, set, &set->spans[span]);
        if (age_walk_next(&walk))
            return walk.position;
    }
    return set->count;
}

enum status exact_run_spans(struct exact_evaluation *evaluation, enum status status, const struct age_set *set,
                            workers_item_job job, void *data, size_t item_bytes)
{
    const struct cluster *cluster = evaluation->cluster;
    uint64_t begin, end, bounds[CLUSTER_MAX_RANKS + 1] = {0};
    cluster_range(cluster, cluster_rank(cluster), set->n_spans, &begin, &end);
    evaluation->first_span = begin;
    if (!status)
        status = workers_for(evaluation->workers, end - begin, job, evaluation);
    evaluation->first_span = 0;
    status = cluster_agree(cluster, status);
    if (status || cluster_size(cluster) == 1)
        return status;
    for (unsigned r = 0; r < cluster_size(cluster); r++) {
        cluster_range(cluster, r, set->n_spans, &begin, &end);
        bounds[r + 1] = first_position(set, end) * evaluation->n_images * item_bytes;
    }
    cluster_share_parts(cluster, data, bounds);
    return STATUS_OK;
}
