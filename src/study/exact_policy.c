/*
 * Both passes keep the sets of three ages and the numbers of their boards: one for a class of symmetric boards or,
 * where the policy depends on the image, one for each image. The number of a board is then at position * n_images +
 * rank, where the rank counts the images of the board that are smaller than it. So a board finds its number without the
 * image that the table holds, and symmetric boards leave some places unused.
 *
 * The policy chooses twice in each state, once a pass, and its choices are not stored: the forward pass needs only the
 * states that the player visits, and memory does not grow with the board. Choosing is parallel; probabilities are added
 * by one thread, in the order of positions, so that results do not depend on the number of threads.
 */
#include "study/exact_policy_parts.h"

#include "base/file.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CSV_LINE_BYTES = 256 };

/* Calls `use` for each start position of an age with its probability. */
static void walk_starts(const struct exact_evaluation *evaluation, uint32_t age, void *context,
                        void (*use)(void *context, struct board board, double probability))
{
    const double *chance = evaluation->spawn_chance;
    unsigned n = evaluation->grid->n_cells;
    for (unsigned value = 1; value <= 2 && n == 1; value++) { /* one cell: one tile */
        if (age == 1u << value && chance[value] > 0)
            use(context, board_set((struct board){0}, 0, value), chance[value]);
    }
    for (unsigned i = 0; i < n; i++) {
        for (unsigned k = 0; k < n; k++) {
            for (unsigned values = 0; values < 4 && i != k; values++) {
                unsigned first = 1 + values / 2, second = 1 + values % 2;
                double probability = chance[first] * chance[second] / (n * (n - 1));
                if (age == (1u << first) + (1u << second) && probability > 0)
                    use(context, board_set(board_set((struct board){0}, i, first), k, second), probability);
            }
        }
    }
}

/* ---- Backward --------------------------------------------------------------------------------------------------- */

/* The mean over all spawns. States after a tile that never appears are in no set. */
static double value_of_afterstate(const struct exact_evaluation *evaluation, uint64_t cells)
{
    const struct exact_part *states_2 = &evaluation->states_2, *states_4 = &evaluation->states_4;
    const double of_2 = evaluation->spawn_chance[1], of_4 = evaluation->spawn_chance[2];
    uint64_t empty = evaluation->grid->used & ~board_occupied_bits(cells);
    double sum_2 = 0, sum_4 = 0;
    for (uint64_t left = empty; left; left &= left - 1) {
        uint64_t tile = left & -left;
        if (of_2 > 0)
            sum_2 += states_2->number[exact_index_of(evaluation, states_2, cells | tile)];
        if (of_4 > 0)
            sum_4 += states_4->number[exact_index_of(evaluation, states_4, cells | tile << 1)];
    }
    return (of_2 * sum_2 + of_4 * sum_4) / (unsigned)__builtin_popcountll(empty);
}

/* The values of the afterstates of a span. */
static enum status value_afterstates(void *context, unsigned worker, uint64_t item)
{
    (void)worker;
    struct exact_evaluation *evaluation = context;
    struct exact_part *afterstates = &evaluation->afterstates;
    struct age_walk walk;
    struct exact_images images;
    age_walk_begin(&walk, &afterstates->set, &afterstates->set.spans[evaluation->first_span + item]);
    while (age_walk_next(&walk)) {
        exact_list_images(evaluation, walk.cells, walk.position, &images);
        for (unsigned i = 0; i < images.n; i++)
            afterstates->number[images.index[i]] = value_of_afterstate(evaluation, images.cells[i]);
    }
    return STATUS_OK;
}

/* The immediate gain of a move: its reward, or 1 if it makes the goal. */
static double gain_of(const struct exact_evaluation *evaluation, const struct moves *moves, unsigned d)
{
    return evaluation->goal ? policy_makes_goal(evaluation->goal, moves->after[d]) : (double)moves->reward[d];
}

/* The value of a state under the policy, which takes the directions of `choice`, each with its share. */
static double value_by_share(const struct exact_evaluation *evaluation, const struct moves *moves, unsigned choice,
                             const double *share)
{
    const struct exact_part *afterstates = &evaluation->afterstates;
    double sum = 0;
    for (unsigned left = choice; left; left &= left - 1) {
        unsigned d = (unsigned)__builtin_ctz(left);
        double value = gain_of(evaluation, moves, d);
        if (!policy_makes_goal(evaluation->goal, moves->after[d]))
            value += afterstates->number[exact_index_of(evaluation, afterstates, moves->after[d].cells)];
        sum += share[d] * value;
    }
    return sum;
}

static void value_batch(struct exact_evaluation *evaluation, const struct policy_batch *batch)
{
    const struct exact_part *afterstates = &evaluation->afterstates;
    for (unsigned i = 0; i < batch->n; i++) {
        unsigned choice = batch->choice[i] & POLICY_DIRECTIONS;
        double sum = 0;
        if (evaluation->share) {
            evaluation->states.number[batch->index[i]] = value_by_share(
                evaluation, &batch->moves[i], choice, evaluation->share + DIRECTION_COUNT * batch->index[i]);
            continue;
        }
        for (unsigned left = choice; left; left &= left - 1) {
            unsigned d = (unsigned)__builtin_ctz(left);
            struct board after = batch->moves[i].after[d];
            sum += gain_of(evaluation, &batch->moves[i], d);
            if (!policy_makes_goal(evaluation->goal, after))
                sum += afterstates->number[exact_index_of(evaluation, afterstates, after.cells)];
        }
        evaluation->states.number[batch->index[i]] = choice ? sum / (unsigned)__builtin_popcount(choice) : 0;
    }
}

static enum status value_states(void *context, unsigned worker, uint64_t item)
{
    (void)worker;
    exact_walk_choices(context, item, false, value_batch);
    return STATUS_OK;
}

struct start_sum {
    const struct exact_evaluation *evaluation; /* its present states are those of the start's age */
    double sum;
};

static void add_start_value(void *context, struct board board, double probability)
{
    struct start_sum *start = context;
    const struct exact_part *states = &start->evaluation->states;
    start->sum += probability * states->number[exact_index_of(start->evaluation, states, board.cells)];
}

static enum status run_backward(struct exact_evaluation *evaluation, struct exact_result *result)
{
    bool with_values = evaluation->policy->kind == POLICY_OPTIMAL;
    enum status status = STATUS_OK;
    for (size_t i = table_n_ages(evaluation->table); !status && i-- > 0;) {
        uint32_t age = table_age_at(evaluation->table, i)->age;
        status = exact_load_afterstates(evaluation, age, with_values);
        status = exact_run_spans(evaluation, status, &evaluation->afterstates.set, value_afterstates,
                                 evaluation->afterstates.number, sizeof(double));
        if (!status)
            status = exact_load_states(evaluation, age, &evaluation->states);
        if (!status)
            status = exact_load_choices(evaluation, false);
        status = exact_run_spans(evaluation, status, &evaluation->states.set, value_states, evaluation->states.number,
                                 sizeof(double));
        if (status)
            break;
        struct start_sum start = {.evaluation = evaluation};
        walk_starts(evaluation, age, &start, add_start_value);
        result->score += start.sum;
        status = exact_finish_age(evaluation);
        exact_part_free(&evaluation->states_4);
        evaluation->states_4 = evaluation->states_2;
        evaluation->states_2 = evaluation->states;
        memset(&evaluation->states, 0, sizeof evaluation->states);
    }
    return status;
}

/* ---- Forward ---------------------------------------------------------------------------------------------------- */

static void keep_choices(struct exact_evaluation *evaluation, const struct policy_batch *batch)
{
    for (unsigned i = 0; i < batch->n; i++)
        evaluation->choice[batch->index[i]] = batch->choice[i];
}

static enum status choose_states(void *context, unsigned worker, uint64_t item)
{
    (void)worker;
    exact_walk_choices(context, item, true, keep_choices);
    return STATUS_OK;
}

static void add_start_probability(void *context, struct board board, double probability)
{
    struct exact_evaluation *evaluation = context;
    evaluation->states.number[exact_index_of(evaluation, &evaluation->states, board.cells)] += probability;
}

/* A visited state with a legal move: its share of the statistics, and its probability to the chosen afterstates, evenly
   or (not NULL) by the shares of the directions. */
static void leave_state(struct exact_evaluation *evaluation, uint64_t cells, double probability, unsigned choice,
                        const double *shares, double tolerance, struct exact_age *age, double *reward)
{
    struct exact_part *afterstates = &evaluation->afterstates;
    const double *value = evaluation->values.data;
    struct moves moves = grid_moves(evaluation->grid, (struct board){.cells = cells});
    double total[DIRECTION_COUNT], best = -INFINITY;
    double share = probability / (unsigned)__builtin_popcount(choice & POLICY_DIRECTIONS);
    for (unsigned d = 0; d < DIRECTION_COUNT; d++) {
        if (!(moves.legal >> d & 1))
            continue;
        total[d] = policy_move_value(evaluation->goal, &afterstates->set, value, &moves, d);
        best = total[d] > best ? total[d] : best;
    }
    age->visits += probability;
    age->tied += choice & POLICY_TIED ? probability : 0;
    for (unsigned left = choice & POLICY_DIRECTIONS; left; left &= left - 1) {
        unsigned d = (unsigned)__builtin_ctz(left);
        if (shares)
            share = probability * shares[d];
        if (!policy_makes_goal(evaluation->goal, moves.after[d]))
            afterstates->number[exact_index_of(evaluation, afterstates, moves.after[d].cells)] += share;
        age->loss += share * (best - total[d]);
        age->optimal += best - total[d] <= tolerance ? share : 0;
        *reward += share * gain_of(evaluation, &moves, d);
    }
}

static void leave_states(struct exact_evaluation *evaluation, struct exact_age *age, struct exact_result *result)
{
    double tolerance = ldexp(1, -(int)table_summary(evaluation->table)->fraction_bits);
    const struct age_set *set = &evaluation->states.set;
    struct exact_images images;
    double reward = 0; /* of this age alone: many are so small that the sum of all ages would not notice them */
    for (size_t span = 0; span < set->n_spans; span++) {
        struct age_walk walk;
        age_walk_begin(&walk, set, &set->spans[span]);
        while (age_walk_next(&walk)) {
            exact_list_images(evaluation, walk.cells, walk.position, &images);
            for (unsigned i = 0; i < images.n; i++) {
                double probability = evaluation->states.number[images.index[i]];
                unsigned choice = evaluation->choice[images.index[i]];
                if (probability > 0 && choice)
                    leave_state(evaluation, images.cells[i], probability, choice,
                                evaluation->share ? evaluation->share + DIRECTION_COUNT * images.index[i] : NULL,
                                tolerance, age, &reward);
            }
        }
    }
    result->forward_score += reward;
}

/* Passes the probability of an afterstate on to the states after its spawns. */
static void spawn_afterstate(struct exact_evaluation *evaluation, uint64_t cells, double probability)
{
    struct exact_part *states_2 = &evaluation->states_2, *states_4 = &evaluation->states_4;
    const double of_2 = evaluation->spawn_chance[1], of_4 = evaluation->spawn_chance[2];
    uint64_t empty = evaluation->grid->used & ~board_occupied_bits(cells);
    probability /= (unsigned)__builtin_popcountll(empty);
    for (uint64_t left = empty; left; left &= left - 1) {
        uint64_t tile = left & -left;
        if (of_2 > 0)
            states_2->number[exact_index_of(evaluation, states_2, cells | tile)] += of_2 * probability;
        if (of_4 > 0)
            states_4->number[exact_index_of(evaluation, states_4, cells | tile << 1)] += of_4 * probability;
    }
}

static void spawn_afterstates(struct exact_evaluation *evaluation)
{
    const struct exact_part *afterstates = &evaluation->afterstates;
    struct exact_images images;
    for (size_t span = 0; span < afterstates->set.n_spans; span++) {
        struct age_walk walk;
        age_walk_begin(&walk, &afterstates->set, &afterstates->set.spans[span]);
        while (age_walk_next(&walk)) {
            exact_list_images(evaluation, walk.cells, walk.position, &images);
            for (unsigned i = 0; i < images.n; i++) {
                double probability = afterstates->number[images.index[i]];
                if (probability > 0)
                    spawn_afterstate(evaluation, images.cells[i], probability);
            }
        }
    }
}

static enum status forward_age(struct exact_evaluation *evaluation, struct exact_age *age, struct exact_result *result)
{
    struct exact_part *states = &evaluation->states;
    if (states->set.count)
        walk_starts(evaluation, age->age, evaluation, add_start_probability);
    enum status status = exact_load_afterstates(evaluation, age->age, true);
    if (!status)
        status = exact_load_choices(evaluation, true);
    if (!status)
        status = exact_load_states(evaluation, age->age + 4, &evaluation->states_4);
    evaluation->choice = memory_allocate((states->set.count + 1) * evaluation->n_images, 1);
    if (!status && !evaluation->choice)
        status = STATUS_NO_MEMORY;
    status = exact_run_spans(evaluation, status, &states->set, choose_states, evaluation->choice, 1);
    if (!status) {
        leave_states(evaluation, age, result);
        spawn_afterstates(evaluation);
        status = exact_finish_age(evaluation);
    }
    free(evaluation->choice);
    evaluation->choice = NULL;
    return status;
}

static enum status run_forward(struct exact_evaluation *evaluation, struct exact_result *result)
{
    uint32_t first = result->ages[0].age;
    enum status status = exact_load_states(evaluation, first, &evaluation->states);
    if (!status)
        status = exact_load_states(evaluation, first + 2, &evaluation->states_2);
    for (size_t i = 0; !status && i < result->n_ages; i++) {
        struct exact_age *age = &result->ages[i];
        status = forward_age(evaluation, age, result);
        result->moves += age->visits;
        result->optimal_moves += age->optimal;
        result->tied_moves += age->tied;
        result->loss += age->loss;
        exact_part_free(&evaluation->states);
        evaluation->states = evaluation->states_2;
        evaluation->states_2 = evaluation->states_4;
        memset(&evaluation->states_4, 0, sizeof evaluation->states_4);
    }
    return status;
}

static void forget_ages(struct exact_evaluation *evaluation)
{
    exact_part_free(&evaluation->states);
    exact_part_free(&evaluation->states_2);
    exact_part_free(&evaluation->states_4);
    exact_part_free(&evaluation->afterstates);
    memory_block_free(&evaluation->values);
    free(evaluation->moves);
    free(evaluation->share);
    evaluation->moves = NULL;
    evaluation->share = NULL;
}

static enum status check_table(const struct table *table)
{
    const struct table_summary *summary = table_summary(table);
    if (summary->variant != VARIANT_NORMAL)
        return status_fail(STATUS_INVALID, "%s: is the %s variant, expected the normal one", table_directory(table),
                           solve_variant_names[summary->variant]);
    if (summary->walls.cells)
        return status_fail(STATUS_INVALID, "%s: has walls; players are evaluated on whole boards only",
                           table_directory(table));
    if (!summary->backward_done || summary->store != STORE_VALUES)
        return status_fail(STATUS_INVALID,
                           "%s: has no values of all ages; it needs a solve with --store values that has ended",
                           table_directory(table));
    return STATUS_OK;
}

enum status exact_evaluate(const struct table *table, const struct policy *policy, struct workers *workers,
                           const struct cluster *cluster, struct progress *progress, struct exact_result *result)
{
    const double of_4 = table_summary(table)->chance_of_4;
    struct exact_evaluation evaluation = {.table = table,
                                          .grid = table_grid(table),
                                          .policy = policy,
                                          .workers = workers,
                                          .cluster = cluster,
                                          .progress = progress,
                                          .goal = table_summary(table)->goal,
                                          .spawn_chance = {0, 1 - of_4, of_4}};
    evaluation.n_images = policy_depends_on_image(policy) ? evaluation.grid->n_symmetries : 1;
    memset(result, 0, sizeof *result);
    enum status status = check_table(table);
    if (!status && policy->kind == POLICY_MOVES)
        status = table_check_same_rules(policy->moves, table);
    if (status)
        return status;
    result->optimum = table_summary(table)->expected_score;
    result->n_ages = table_n_ages(table);
    result->ages = memory_allocate(result->n_ages, sizeof *result->ages);
    if (!result->ages)
        return STATUS_NO_MEMORY;
    for (size_t i = 0; i < result->n_ages; i++)
        result->ages[i].age = table_age_at(table, i)->age;
    status = run_backward(&evaluation, result);
    forget_ages(&evaluation);
    if (!status)
        status = run_forward(&evaluation, result);
    forget_ages(&evaluation);
    if (status)
        exact_result_free(result);
    return status;
}

void exact_result_free(struct exact_result *result)
{
    if (!result)
        return;
    free(result->ages);
    memset(result, 0, sizeof *result);
}

enum status exact_write_csv(const struct exact_result *result, const char *path)
{
    struct file_writer *file;
    enum status status = file_writer_open(&file, path);
    if (status)
        return status;
    static const char header[] = "age,visits,optimal,tied,loss\n";
    status = file_writer_append(file, header, sizeof header - 1);
    for (size_t i = 0; !status && i < result->n_ages; i++) {
        const struct exact_age *age = &result->ages[i];
        char line[CSV_LINE_BYTES];
        int n = snprintf(line, sizeof line, "%" PRIu32 ",%.12g,%.12g,%.12g,%.12g\n", age->age, age->visits,
                         age->optimal, age->tied, age->loss);
        status = file_writer_append(file, line, (size_t)n);
    }
    if (!status)
        return file_writer_commit(file);
    file_writer_abort(file);
    return status;
}
