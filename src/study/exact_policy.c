/*
 * Both passes keep the sets of three ages and the numbers of their boards: one for a class of symmetric boards or,
 * where the policy depends on the image, one for each image. The number of a board then stands at position * n_images +
 * rank, where the rank counts the images of the board that are smaller than it. So a board finds its number without the
 * image that the table holds, and symmetric boards leave some places unused.
 *
 * The policy is asked twice about a state, once a pass, rather than remembered: the forward pass asks only about states
 * that the player really visits, and no memory grows with the board. Choosing is spread over the workers; adding up
 * probabilities is done by one, in the order of positions, so that results do not depend on the number of threads.
 */
#include "study/exact_policy.h"

#include "base/file.h"
#include "base/memory.h"
#include "base/signals.h"
#include "game/notation.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    CSV_LINE_BYTES = 256,
    FUNCTION_BATCH = 1 << 16, /* boards in one call of a POLICY_FUNCTION, which may be an interpreter's */
};

/* All that belongs to one age while it is worked on. A zeroed one is an age without boards. */
struct age_part {
    struct age_set set;
    double *number; /* of each member, or of each image of each member: a value or a probability */
};

static void part_free(struct age_part *part)
{
    age_set_free(&part->set);
    free(part->number);
    memset(part, 0, sizeof *part);
}

struct evaluation {
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
    struct age_part states, states_2, states_4; /* of the present age and the next two */
    struct age_part afterstates;
    uint8_t *choice; /* by number of the state: forward only */
};

/* ---- Images ----------------------------------------------------------------------------------------------------- */

/* The boards of a class that have numbers of their own, and where these are. */
struct image_list {
    unsigned n;
    uint64_t cells[GRID_MAX_SYMMETRIES];
    size_t index[GRID_MAX_SYMMETRIES];
};

/* All different images of a member; only the member itself where one number serves the class. */
static void list_images(const struct evaluation *evaluation, uint64_t cells, uint32_t position, struct image_list *list)
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

/* Where the number of a board of the part's age is. */
static size_t index_of(const struct evaluation *evaluation, const struct age_part *part, uint64_t cells)
{
    size_t index = (size_t)policy_position_of(&part->set, cells) * evaluation->n_images;
    for (unsigned s = 1; s < evaluation->n_images; s++)
        index += grid_image(evaluation->grid, (struct board){.cells = cells}, s).cells < cells;
    return index;
}

/* ---- Choosing --------------------------------------------------------------------------------------------------- */

typedef void choice_use(struct evaluation *evaluation, const struct policy_batch *batch);

/*
 * Asks the policy about the states of a span of this rank's part, a batch at a time, and hands each batch to `use`;
 * with visited_only about the visited ones, and others that share their batch. The values of a function that wants
 * large batches may depend on their batch in the last bits; so those are the same in both passes, and a batch is left
 * out only if none of it was visited.
 */
static void walk_choices(struct evaluation *evaluation, uint64_t span, bool visited_only, choice_use *use)
{
    const struct age_part *states = &evaluation->states;
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
    struct image_list images = {.n = 0};
    bool same_batches = evaluation->policy->kind == POLICY_VALUE && evaluation->policy->function.batch > 0;
    bool wanted = false; /* some state of the batch */
    batch.n = 0;
    age_walk_begin(&walk, &states->set, &states->set.spans[evaluation->first_span + span]);
    for (bool more = true; more;) {
        more = age_walk_next(&walk);
        if (more)
            list_images(evaluation, walk.cells, walk.position, &images);
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
static enum status give_numbers(const struct evaluation *evaluation, struct age_part *part)
{
    part->number = memory_allocate((part->set.count + 1) * evaluation->n_images, sizeof *part->number);
    return part->number ? STATUS_OK : STATUS_NO_MEMORY;
}

static enum status load_states(const struct evaluation *evaluation, uint32_t age, struct age_part *part)
{
    part_free(part);
    if (!table_age_of(evaluation->table, age))
        return STATUS_OK;
    enum status status = table_load_states(evaluation->table, evaluation->workers, age, &part->set);
    return status ? status : give_numbers(evaluation, part);
}

static enum status load_afterstates(struct evaluation *evaluation, uint32_t age, bool with_values)
{
    struct age_part *part = &evaluation->afterstates;
    part_free(part);
    memory_block_free(&evaluation->values);
    enum status status = table_load_set(evaluation->table, evaluation->workers, age, &part->set);
    if (!status)
        status = give_numbers(evaluation, part);
    if (!status && with_values && part->set.count)
        status = table_load_values(evaluation->table, evaluation->workers, age, &evaluation->values);
    if (!status && part->set.count &&
        (!table_age_of(evaluation->table, age + 2) || !table_age_of(evaluation->table, age + 4)))
        status = status_fail(STATUS_CORRUPT, "%s: age %" PRIu32 " has afterstates, but no ages follow it",
                             table_directory(evaluation->table), age);
    return status;
}

/* For POLICY_MOVES: what it says about each of the present age's states, which are loaded. */
static enum status load_moves(struct evaluation *evaluation)
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

/* States that a POLICY_FUNCTION is asked about together. */
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

static enum status ask_function_batch(struct evaluation *evaluation, struct function_batch *batch)
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

/* Asks a POLICY_FUNCTION about the states of a span that have a move, with visited_only about the visited ones. */
static enum status ask_function_span(struct evaluation *evaluation, const struct row_span *span, bool visited_only,
                                     struct function_batch *batch)
{
    const struct age_part *states = &evaluation->states;
    struct image_list images;
    struct age_walk walk;
    enum status status = STATUS_OK;
    age_walk_begin(&walk, &states->set, span);
    while (!status && age_walk_next(&walk)) {
        if (grid_is_terminal(evaluation->grid, (struct board){.cells = walk.cells}))
            continue;
        list_images(evaluation, walk.cells, walk.position, &images);
        for (unsigned i = 0; i < images.n; i++) {
            if (visited_only && !(states->number[images.index[i]] > 0))
                continue;
            batch->cells[batch->n] = images.cells[i];
            batch->index[batch->n++] = images.index[i];
        }
        if (batch->n + evaluation->n_images > FUNCTION_BATCH)
            status = ask_function_batch(evaluation, batch);
    }
    return status;
}

/* For POLICY_FUNCTION: its choices in the present age's states, which are loaded. The calling thread asks. */
static enum status ask_function(struct evaluation *evaluation, bool visited_only)
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
        status = ask_function_span(evaluation, &set->spans[span], visited_only, batch);
    if (!status)
        status = ask_function_batch(evaluation, batch);
    free(batch);
    return status;
}

/* Counts the states of an age as done and polls for a stop. */
static enum status finish_age(struct evaluation *evaluation, const struct age_part *states)
{
    evaluation->done += (double)states->set.count;
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

/*
 * Does `job` to each span of a set and gives what it put into `data`, item_bytes for each number of each member, to all
 * ranks. Every rank works on the spans of its part. `status` is what happened before: a rank that has failed must tell
 * the others.
 */
static enum status run_spans(struct evaluation *evaluation, enum status status, const struct age_set *set,
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

/* Calls `use` for each start of an age with its probability, if it can be. */
static void walk_starts(const struct evaluation *evaluation, uint32_t age, void *context,
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
static double value_of_afterstate(const struct evaluation *evaluation, uint64_t cells)
{
    const struct age_part *states_2 = &evaluation->states_2, *states_4 = &evaluation->states_4;
    const double of_2 = evaluation->spawn_chance[1], of_4 = evaluation->spawn_chance[2];
    uint64_t empty = evaluation->grid->used & ~board_occupied_bits(cells);
    double sum_2 = 0, sum_4 = 0;
    for (uint64_t left = empty; left; left &= left - 1) {
        uint64_t tile = left & -left;
        if (of_2 > 0)
            sum_2 += states_2->number[index_of(evaluation, states_2, cells | tile)];
        if (of_4 > 0)
            sum_4 += states_4->number[index_of(evaluation, states_4, cells | tile << 1)];
    }
    return (of_2 * sum_2 + of_4 * sum_4) / (unsigned)__builtin_popcountll(empty);
}

/* The values of the afterstates of a span. */
static enum status value_afterstates(void *context, unsigned worker, uint64_t item)
{
    (void)worker;
    struct evaluation *evaluation = context;
    struct age_part *afterstates = &evaluation->afterstates;
    struct age_walk walk;
    struct image_list images;
    age_walk_begin(&walk, &afterstates->set, &afterstates->set.spans[evaluation->first_span + item]);
    while (age_walk_next(&walk)) {
        list_images(evaluation, walk.cells, walk.position, &images);
        for (unsigned i = 0; i < images.n; i++)
            afterstates->number[images.index[i]] = value_of_afterstate(evaluation, images.cells[i]);
    }
    return STATUS_OK;
}

/* What the measure has of a move itself: its reward, or 1 if it makes the goal. */
static double gain_of(const struct evaluation *evaluation, const struct moves *moves, unsigned d)
{
    return evaluation->goal ? policy_makes_goal(evaluation->goal, moves->after[d]) : (double)moves->reward[d];
}

/* What the policy makes of a state in which it may take the directions of `choice`, each with its share. */
static double value_by_share(const struct evaluation *evaluation, const struct moves *moves, unsigned choice,
                             const double *share)
{
    const struct age_part *afterstates = &evaluation->afterstates;
    double sum = 0;
    for (unsigned left = choice; left; left &= left - 1) {
        unsigned d = (unsigned)__builtin_ctz(left);
        double value = gain_of(evaluation, moves, d);
        if (!policy_makes_goal(evaluation->goal, moves->after[d]))
            value += afterstates->number[index_of(evaluation, afterstates, moves->after[d].cells)];
        sum += share[d] * value;
    }
    return sum;
}

static void value_batch(struct evaluation *evaluation, const struct policy_batch *batch)
{
    const struct age_part *afterstates = &evaluation->afterstates;
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
                sum += afterstates->number[index_of(evaluation, afterstates, after.cells)];
        }
        evaluation->states.number[batch->index[i]] = choice ? sum / (unsigned)__builtin_popcount(choice) : 0;
    }
}

static enum status value_states(void *context, unsigned worker, uint64_t item)
{
    (void)worker;
    walk_choices(context, item, false, value_batch);
    return STATUS_OK;
}

struct start_sum {
    const struct evaluation *evaluation; /* its present states are those of the start's age */
    double sum;
};

static void add_start_value(void *context, struct board board, double probability)
{
    struct start_sum *start = context;
    const struct age_part *states = &start->evaluation->states;
    start->sum += probability * states->number[index_of(start->evaluation, states, board.cells)];
}

static enum status run_backward(struct evaluation *evaluation, struct exact_result *result)
{
    bool with_values = evaluation->policy->kind == POLICY_OPTIMAL;
    enum status status = STATUS_OK;
    for (size_t i = table_n_ages(evaluation->table); !status && i-- > 0;) {
        uint32_t age = table_age_at(evaluation->table, i)->age;
        status = load_afterstates(evaluation, age, with_values);
        status = run_spans(evaluation, status, &evaluation->afterstates.set, value_afterstates,
                           evaluation->afterstates.number, sizeof(double));
        if (!status)
            status = load_states(evaluation, age, &evaluation->states);
        if (!status)
            status = load_moves(evaluation);
        if (!status)
            status = ask_function(evaluation, false);
        status = run_spans(evaluation, status, &evaluation->states.set, value_states, evaluation->states.number,
                           sizeof(double));
        if (status)
            break;
        struct start_sum start = {.evaluation = evaluation};
        walk_starts(evaluation, age, &start, add_start_value);
        result->score += start.sum;
        status = finish_age(evaluation, &evaluation->states);
        part_free(&evaluation->states_4);
        evaluation->states_4 = evaluation->states_2;
        evaluation->states_2 = evaluation->states;
        memset(&evaluation->states, 0, sizeof evaluation->states);
    }
    return status;
}

/* ---- Forward ---------------------------------------------------------------------------------------------------- */

static void keep_choices(struct evaluation *evaluation, const struct policy_batch *batch)
{
    for (unsigned i = 0; i < batch->n; i++)
        evaluation->choice[batch->index[i]] = batch->choice[i];
}

static enum status choose_states(void *context, unsigned worker, uint64_t item)
{
    (void)worker;
    walk_choices(context, item, true, keep_choices);
    return STATUS_OK;
}

static void add_start_probability(void *context, struct board board, double probability)
{
    struct evaluation *evaluation = context;
    evaluation->states.number[index_of(evaluation, &evaluation->states, board.cells)] += probability;
}

/* A visited state with a legal move: its share of the statistics, and its probability to the chosen afterstates, evenly
   or (not NULL) by the shares of the directions. */
static void leave_state(struct evaluation *evaluation, uint64_t cells, double probability, unsigned choice,
                        const double *shares, double tolerance, struct exact_age *age, double *reward)
{
    struct age_part *afterstates = &evaluation->afterstates;
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
            afterstates->number[index_of(evaluation, afterstates, moves.after[d].cells)] += share;
        age->loss += share * (best - total[d]);
        age->optimal += best - total[d] <= tolerance ? share : 0;
        *reward += share * gain_of(evaluation, &moves, d);
    }
}

static void leave_states(struct evaluation *evaluation, struct exact_age *age, struct exact_result *result)
{
    double tolerance = ldexp(1, -(int)table_summary(evaluation->table)->fraction_bits);
    const struct age_set *set = &evaluation->states.set;
    struct image_list images;
    double reward = 0; /* of this age alone: many are so small that the sum of all ages would not notice them */
    for (size_t span = 0; span < set->n_spans; span++) {
        struct age_walk walk;
        age_walk_begin(&walk, set, &set->spans[span]);
        while (age_walk_next(&walk)) {
            list_images(evaluation, walk.cells, walk.position, &images);
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
static void spawn_afterstate(struct evaluation *evaluation, uint64_t cells, double probability)
{
    struct age_part *states_2 = &evaluation->states_2, *states_4 = &evaluation->states_4;
    const double of_2 = evaluation->spawn_chance[1], of_4 = evaluation->spawn_chance[2];
    uint64_t empty = evaluation->grid->used & ~board_occupied_bits(cells);
    probability /= (unsigned)__builtin_popcountll(empty);
    for (uint64_t left = empty; left; left &= left - 1) {
        uint64_t tile = left & -left;
        if (of_2 > 0)
            states_2->number[index_of(evaluation, states_2, cells | tile)] += of_2 * probability;
        if (of_4 > 0)
            states_4->number[index_of(evaluation, states_4, cells | tile << 1)] += of_4 * probability;
    }
}

static void spawn_afterstates(struct evaluation *evaluation)
{
    const struct age_part *afterstates = &evaluation->afterstates;
    struct image_list images;
    for (size_t span = 0; span < afterstates->set.n_spans; span++) {
        struct age_walk walk;
        age_walk_begin(&walk, &afterstates->set, &afterstates->set.spans[span]);
        while (age_walk_next(&walk)) {
            list_images(evaluation, walk.cells, walk.position, &images);
            for (unsigned i = 0; i < images.n; i++) {
                double probability = afterstates->number[images.index[i]];
                if (probability > 0)
                    spawn_afterstate(evaluation, images.cells[i], probability);
            }
        }
    }
}

static enum status forward_age(struct evaluation *evaluation, struct exact_age *age, struct exact_result *result)
{
    struct age_part *states = &evaluation->states;
    if (states->set.count)
        walk_starts(evaluation, age->age, evaluation, add_start_probability);
    enum status status = load_afterstates(evaluation, age->age, true);
    if (!status)
        status = load_moves(evaluation);
    if (!status)
        status = ask_function(evaluation, true);
    if (!status)
        status = load_states(evaluation, age->age + 4, &evaluation->states_4);
    evaluation->choice = memory_allocate((states->set.count + 1) * evaluation->n_images, 1);
    if (!status && !evaluation->choice)
        status = STATUS_NO_MEMORY;
    status = run_spans(evaluation, status, &states->set, choose_states, evaluation->choice, 1);
    if (!status) {
        leave_states(evaluation, age, result);
        spawn_afterstates(evaluation);
        status = finish_age(evaluation, states);
    }
    free(evaluation->choice);
    evaluation->choice = NULL;
    return status;
}

static enum status run_forward(struct evaluation *evaluation, struct exact_result *result)
{
    uint32_t first = result->ages[0].age;
    enum status status = load_states(evaluation, first, &evaluation->states);
    if (!status)
        status = load_states(evaluation, first + 2, &evaluation->states_2);
    for (size_t i = 0; !status && i < result->n_ages; i++) {
        struct exact_age *age = &result->ages[i];
        status = forward_age(evaluation, age, result);
        result->moves += age->visits;
        result->optimal_moves += age->optimal;
        result->tied_moves += age->tied;
        result->loss += age->loss;
        part_free(&evaluation->states);
        evaluation->states = evaluation->states_2;
        evaluation->states_2 = evaluation->states_4;
        memset(&evaluation->states_4, 0, sizeof evaluation->states_4);
    }
    return status;
}

static void forget_ages(struct evaluation *evaluation)
{
    part_free(&evaluation->states);
    part_free(&evaluation->states_2);
    part_free(&evaluation->states_4);
    part_free(&evaluation->afterstates);
    memory_block_free(&evaluation->values);
    free(evaluation->moves);
    free(evaluation->share);
    evaluation->moves = NULL;
    evaluation->share = NULL;
}

/* ----------------------------------------------------------------------------------------------------------------- */

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
    struct evaluation evaluation = {.table = table,
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
