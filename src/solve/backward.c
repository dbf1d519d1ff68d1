/*
 * The backward pass, by the age t of states, downwards:
 *
 *   1. states of t: starts, 2s on the afterstates of t-2, 4s on those of t-4          (sets only)
 *   2. their values, from the values of the afterstates of t                         (and their best moves)
 *   3. values of the afterstates of t-2, from the states of t and t+2                 -> stored
 *
 * To begin at t, the exact values of the afterstates of t and t+2 are needed: those of t+2 give the states of t+2 their
 * values again. At the top there are none. This is what `resume.table` holds.
 *
 * On several ranks each has its own rows of every set. In step 1, states of others' rows go to their owners, and their
 * values come back after step 2, for step 3. For step 2 a rank finds the afterstates that its states lead to and
 * fetches their values from the owners. Until then the bitmap of an age's afterstates holds only the rank's own, and
 * their values lie from 0 on; from then on it holds the fetched ones too, and positions count all of them
 * (backward_own_values()).
 */
#include "solve/backward_parts.h"

#include "solve/code_share.h"
#include "solve/evaluate.h"
#include "solve/expand.h"
#include "solve/forward.h"

#include "base/checksum.h"
#include "base/clock.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Exact values are saved whenever that takes a small part of the time: as often as a slow disk can write them. */
static const double resume_bytes_per_second = 20e6;

/* ---- sets -------------------------------------------------------------------------------------------------------- */

static void forget_segment(struct backward *backward, uint32_t n)
{
    for (uint32_t i = 0; i < n && backward->codes; i++)
        code_bytes_free(&backward->codes[i]);
    backward->segment_age = 0;
}

/* A set that the forward pass did not keep, from its segment, which is made again if it is not the present one. */
static enum status load_from_segment(struct solver *solver, struct backward *backward, uint32_t age,
                                     struct age_set *set, struct age_bounds *bounds)
{
    uint32_t first = solver_first_age(solver), every = solver->index.summary.checkpoint_every;
    uint32_t number = (age - first) / 2 % every, segment_age = age - 2 * number;
    if (!backward->codes)
        backward->codes = memory_allocate(every, sizeof *backward->codes);
    enum status status = solver_agree(solver, backward->codes ? STATUS_OK : STATUS_NO_MEMORY);
    if (!status && backward->segment_age != segment_age) {
        forget_segment(backward, every);
        uint32_t left = (solver_last_age(solver) - segment_age) / 2 + 1;
        status = forward_expand_segment(solver, segment_age, left < every ? left : every, backward->codes);
        if (!status)
            backward->segment_age = segment_age;
    }
    struct piece_code code = {0};
    if (!status && solver_is_first(solver))
        status = set_code_open(&code, backward->codes[number].data, backward->codes[number].bytes);
    if (!status)
        status = age_set_begin(set, solver->layout, age, solver->workers);
    return code_share_read_set(&solver->share, status, &code, set, bounds);
}

enum status backward_load_after(struct solver *solver, struct backward *backward, uint32_t age)
{
    struct age_set *set = backward_after_of(backward, age);
    struct age_bounds *bounds = backward_bounds_of(backward, age);
    enum status status;
    if (table_keeps_set(&solver->index.summary, age))
        status = solver_load_set(solver, age, set, bounds);
    else
        status = load_from_segment(solver, backward, age, set, bounds);
    if (!status)
        status = age_set_rank(set, solver->workers);
    status = solver_agree(solver, status);
    uint64_t known = table_index_age(&solver->index, age)->n_afterstates, count = set->count;
    if (!status)
        cluster_sum(solver->share.cluster, &count, 1);
    if (!status && count != known)
        status = status_fail(STATUS_CORRUPT, "%s: the set of age %u has %llu members, the index says %llu",
                             solver->settings->directory, age, (unsigned long long)count, (unsigned long long)known);
    return status;
}

/* ---- the three steps --------------------------------------------------------------------------------------------- */

static struct valued_set valued_after(struct backward *backward, uint32_t age)
{
    return (struct valued_set){backward_after_of(backward, age), backward->after_values[backward_slot_of(age)].data};
}

static struct valued_set valued_states(struct backward *backward, uint32_t age)
{
    return (struct valued_set){&backward->states[backward_state_slot(age)],
                               backward->state_values[backward_state_slot(age)].data};
}

void *backward_own_values(const struct solver *solver, struct backward *backward, uint32_t age, uint64_t *n)
{
    const struct age_set *set = backward_after_of(backward, age);
    uint64_t first = age_share_position(set, set->own_begin);
    *n = age_share_position(set, set->own_end) - first;
    uint8_t *values = backward->after_values[backward_slot_of(age)].data;
    return values ? values + first * value_form_bytes(solver->rules.form) : NULL;
}

/* Makes room between the values of a rank's own afterstates for those of the others in the bitmap. */
static enum status spread_values(const struct solver *solver, struct backward *backward, uint32_t age,
                                 uint64_t n_before)
{
    const size_t item_bytes = value_form_bytes(solver->rules.form);
    const struct age_set *set = backward_after_of(backward, age);
    struct memory_block *block = &backward->after_values[backward_slot_of(age)], *spread = &backward->spare;
    uint64_t n_own;
    enum status status = age_share_reserve(spread, set->count * item_bytes);
    if (status)
        return status;
    const void *before = block->data;
    backward_own_values(solver, backward, age, &n_own);
    if (n_own != n_before)
        return status_fail(STATUS_CORRUPT, "%s: states of age %u lead to boards that its set does not have",
                           solver->settings->directory, age);
    if (n_own)
        memcpy((uint8_t *)spread->data + age_share_position(set, set->own_begin) * item_bytes, before,
               n_own * item_bytes);
    struct memory_block spread_block = *spread;
    *spread = *block;
    *block = spread_block;
    return STATUS_OK;
}

/* On several ranks: finds the afterstates of others' rows to which the rank's states lead, and fetches their values. */
static enum status fetch_after_values(struct solver *solver, struct backward *backward, uint32_t age)
{
    struct age_share *share = &solver->share;
    struct age_set *set = backward_after_of(backward, age);
    uint64_t n_own = set->count, n_states, n_terminal;
    if (cluster_size(share->cluster) == 1)
        return STATUS_OK;
    enum status status =
        expand_moves(solver->workers, &backward->states[backward_state_slot(age)], set, &n_states, &n_terminal);
    status = age_share_exchange(share, status, set, backward_bounds_of(backward, age), &backward->after_requests);
    if (status)
        goto done;
    status = age_set_rank(set, solver->workers);
    if (status)
        goto done;
    if (table_index_age(&solver->index, age)->n_afterstates)
        status = spread_values(solver, backward, age, n_own);
done:
    return age_share_values(share, status, &backward->after_requests, set, backward_bounds_of(backward, age),
                            backward->after_values[backward_slot_of(age)].data, value_form_bytes(solver->rules.form));
}

/* Step 1. The afterstates of t, t-2 and t-4 are loaded, as far as there are such ages. */
static enum status find_states(struct solver *solver, struct backward *backward, uint32_t age)
{
    uint32_t first = solver_first_age(solver);
    struct age_set *states = &backward->states[backward_state_slot(age)];
    enum status status = age_set_begin(states, solver->layout, age, solver->workers);
    if (status)
        goto done;
    status = age_share_restrict(&solver->share, states, backward_bounds_of(backward, age));
    if (status)
        goto done;
    expand_starts(states, solver->rules.chance_of_4);
    if (age >= first + 2 && solver->rules.chance_of_4 < 1)
        status = expand_spawns(solver->workers, backward_after_of(backward, age - 2), states, NULL);
    if (status)
        goto done;
    if (age >= first + 4 && solver->rules.chance_of_4 > 0)
        status = expand_spawns(solver->workers, backward_after_of(backward, age - 4), NULL, states);
done:
    status = age_share_exchange(&solver->share, status, states, backward_bounds_of(backward, age),
                                &backward->state_requests);
    return status ? status : age_set_rank(states, solver->workers);
}

enum status backward_value_states(struct solver *solver, struct backward *backward, uint32_t age, bool with_moves)
{
    const size_t item_bytes = value_form_bytes(solver->rules.form);
    struct age_set *states = &backward->states[backward_state_slot(age)];
    struct memory_block *values = &backward->state_values[backward_state_slot(age)];
    struct age_figures figures = {0};
    enum status status = find_states(solver, backward, age);
    if (!status)
        status = age_share_reserve(values, states->count * item_bytes);
    if (!status && with_moves)
        status = age_share_reserve(&backward->moves, states->count);
    status = solver_agree(solver, status);
    if (!status)
        status = fetch_after_values(solver, backward, age);
    if (!status)
        status = evaluate_states(solver->workers, &solver->rules, states, valued_after(backward, age), values->data,
                                 with_moves ? backward->moves.data : NULL, &figures);
    status = age_share_values(&solver->share, status, &backward->state_requests, states,
                              backward_bounds_of(backward, age), values->data, item_bytes);
    if (status)
        return status;
    uint64_t sums[] = {figures.n_open, figures.n_near, figures.gaps};
    cluster_sum(solver->share.cluster, sums, 3);
    struct age_figures *known = &table_index_age(&solver->index, age)->figures;
    known->n_open = sums[0];
    known->n_near = sums[1];
    known->gaps = sums[2];
    return STATUS_OK;
}

/* The best of all ranks. */
static double best_value(const struct solver *solver, const void *values, uint64_t n)
{
    double best = 0, all[CLUSTER_MAX_RANKS];
    for (uint64_t i = 0; i < n; i++) {
        double value = solve_value_at(&solver->rules, values, i);
        best = value > best ? value : best;
    }
    cluster_gather(solver->share.cluster, &best, all, sizeof best);
    for (unsigned r = 0; r < cluster_size(solver->share.cluster); r++)
        best = all[r] > best ? all[r] : best;
    return best;
}

/* Step 3, for the afterstates of t-2. */
static enum status value_afterstates(struct solver *solver, struct backward *backward, uint32_t age)
{
    const size_t item_bytes = value_form_bytes(solver->rules.form);
    const struct age_set *set = backward_after_of(backward, age);
    struct memory_block *block = &backward->after_values[backward_slot_of(age)];
    struct table_age *known = table_index_age(&solver->index, age);
    struct age_figures figures = {0};
    enum status status = age_share_reserve(block, set->count * item_bytes);
    if (!status && set->count)
        status = evaluate_afterstates(solver->workers, &solver->rules, set, valued_states(backward, age + 2),
                                      valued_states(backward, age + 4), block->data, &figures);
    status = solver_agree(solver, status);
    if (status)
        return status;
    uint64_t sums[] = {figures.n_ended, figures.n_empty};
    cluster_sum(solver->share.cluster, sums, 2);
    known->figures.n_ended = sums[0];
    known->figures.n_empty = sums[1];
    known->best_value = best_value(solver, block->data, set->count);
    known->set_checksum = code_share_checksum(&solver->share, set->words ? set->words + set->own_begin : NULL,
                                              (set->own_end - set->own_begin) * sizeof *set->words);
    known->value_checksum = code_share_checksum(&solver->share, block->data, set->count * item_bytes);
    known->has_figures = true;
    return STATUS_OK;
}

/* ---- storing and resuming ---------------------------------------------------------------------------------------- */

static enum status store_age(struct solver *solver, struct backward *backward, uint32_t state_age)
{
    uint32_t first = solver_first_age(solver), age = state_age;
    struct code_bytes code = {0};
    enum status status;
    uint64_t n = table_index_age(&solver->index, state_age)->n_states;
    if (backward->writer.kind == AGE_FILE_VALUES) {
        if (state_age < first + 2)
            return STATUS_OK;
        age = state_age - 2;
        n = table_index_age(&solver->index, age)->n_afterstates;
        status = code_share_write_values(
            &solver->share, STATUS_OK, age, &solver->rules, backward->after_values[backward_slot_of(age)].data,
            backward_after_of(backward, age)->count, solver->index.summary.fraction_bits, &code);
    } else {
        status = code_share_write_moves(&solver->share, STATUS_OK, &backward->states[backward_state_slot(state_age)],
                                        backward_bounds_of(backward, state_age), backward->moves.data, &code);
    }
    if (!status && solver_is_first(solver))
        status = age_file_append(&backward->writer, age, &code, n);
    code_bytes_free(&code);
    return cluster_follow(solver->share.cluster, status);
}

/* After the age `next` + 2: commits what is full, saves exact values when they are due, or on a request to stop. */
static enum status commit_or_save(struct solver *solver, struct backward *backward, uint32_t next, bool stop)
{
    const struct cluster *cluster = solver->share.cluster;
    if (backward->stores && !stop && !cluster_any(cluster, age_file_is_full(&backward->writer)))
        return STATUS_OK;
    if (next < solver_first_age(solver))
        return STATUS_OK; /* the end: finish() commits */
    uint64_t n =
        table_index_age(&solver->index, next)->n_afterstates + table_index_age(&solver->index, next + 2)->n_afterstates;
    double seconds = (double)(n * value_form_bytes(solver->rules.form)) / resume_bytes_per_second;
    bool is_time = solver_is_first(solver) && clock_seconds() - backward->resumed_at >= seconds;
    bool save = stop || cluster_any(cluster, is_time);
    enum status status = STATUS_OK;
    if (backward->stores && solver_is_first(solver))
        status = age_file_commit(&backward->writer, &solver->index);
    if (!status && (backward->stores || save) && solver_is_first(solver))
        /* First the index, with the figures of all ages so far. */
        status = table_index_write(&solver->index, solver->settings->directory);
    status = cluster_follow(cluster, status);
    if (!status && save) {
        status = backward_save(solver, backward, next);
        backward->resumed_at = clock_seconds();
    }
    return status;
}

/* ---- the start of the game --------------------------------------------------------------------------------------- */

struct start_sums {
    const struct solve_rules *rules;
    struct valued_set states;
    struct table_starts starts;
};

static void add_start(void *context, struct board board)
{
    struct start_sums *sums = context;
    uint32_t position;
    if (!age_set_find(sums->states.set, board, &position))
        return;
    double value = solve_value_at(sums->rules, sums->states.values, position);
    sums->starts.n++;
    sums->starts.sum += value;
    sums->starts.best = fmax(sums->starts.best, value);
}

/* With walls: number, sum and best value of the starts of an age. */
static void note_walled_starts(struct solver *solver, struct backward *backward, uint32_t age)
{
    struct start_sums sums = {&solver->rules, valued_states(backward, age), {0}};
    walls_each_start(solver->settings->walls, &solver->grid, age, solver->rules.chance_of_4, add_start, &sums);
    table_index_age(&solver->index, age)->starts = sums.starts;
}

/* At the ages of starts: the mean value over all placements of each kind of start. */
static void note_starts(struct solver *solver, struct backward *backward, uint32_t age)
{
    if (solver->settings->walls.cells) {
        note_walled_starts(solver, backward, age);
        return;
    }
    unsigned n_cells = solver->grid.n_cells;
    struct valued_set states = valued_states(backward, age);
    for (unsigned first = 0; first < 2; first++) { /* 0: a 2, 1: a 4 */
        for (unsigned second = first; second < 2; second++) {
            double sum = 0;
            unsigned n = 0;
            for (unsigned a = 0; a < n_cells; a++) {
                for (unsigned b = 0; b < n_cells; b++) {
                    if (a == b && n_cells > 1)
                        continue;
                    struct board board = board_set((struct board){0}, b, second + 1);
                    board = board_set(board, a, first + 1);
                    uint32_t position;
                    if (board_age(board) != age || !age_set_find(states.set, board, &position))
                        continue; /* with a chance of a 4 of 0 or 1 some starts do not exist */
                    sum += solve_value_at(&solver->rules, states.values, position);
                    n++;
                }
            }
            if (n && (n_cells > 1 || first == second))
                solver->index.summary.start_value[first + second] = sum / n;
        }
    }
}

/* The mean over all starts of a board with walls. */
static double mean_start(const struct table_index *index)
{
    double sum = 0, n = 0;
    for (size_t i = 0; i < index->n_ages; i++) {
        sum += index->ages[i].starts.sum;
        n += (double)index->ages[i].starts.n;
    }
    return n > 0 ? sum / n : NAN;
}

/* Two 2s with probability 0.81, and so on; on 1x1 a 2 or a 4. */
static double expected_score(const struct solver *solver)
{
    if (solver->settings->walls.cells)
        return mean_start(&solver->index);
    const double *value = solver->index.summary.start_value, of_4 = solver->rules.chance_of_4, of_2 = 1 - of_4;
    const double usual[TABLE_START_KINDS] = {0.81, 0.18, 0.01}; /* exactly as before --four-chance */
    bool is_usual = of_4 == TABLE_USUAL_CHANCE_OF_4, single = solver->grid.n_cells == 1;
    double chance[TABLE_START_KINDS] = {of_2 * of_2, 2 * of_2 * of_4, of_4 * of_4}, score = 0;
    for (int i = 0; i < TABLE_START_KINDS; i++) {
        double of_kind = single ? (i == 0 ? of_2 : i == 2 ? of_4 : 0) : is_usual ? usual[i] : chance[i];
        score += of_kind > 0 ? of_kind * value[i] : 0;
    }
    return score;
}

/* ---- the pass ---------------------------------------------------------------------------------------------------- */

static uint64_t bytes_needed(const struct solver *solver, uint32_t age)
{
    const uint64_t value_bytes = value_form_bytes(solver->rules.form);
    uint64_t bytes = solver->table_bytes + (workers_count(solver->workers) - 1) * solver_set_bytes(solver, age, false);
    for (uint32_t a = age; a + 4 >= age; a -= 2) { /* afterstates of t, t-2, t-4 */
        const struct table_age *known = table_index_age(&solver->index, a);
        bytes += solver_set_bytes(solver, a, true) + (known ? known->n_afterstates * value_bytes : 0);
        if (a < 2)
            break;
    }
    for (uint32_t a = age; a <= age + 2; a += 2) {
        const struct table_age *known = table_index_age(&solver->index, a);
        bytes += solver_set_bytes(solver, a, true) + (known ? known->n_states * (value_bytes + 1) : 0);
    }
    return bytes;
}

static enum status do_age(struct solver *solver, struct backward *backward, uint32_t age)
{
    uint32_t first = solver_first_age(solver);
    enum status status = solver_agree(solver, solver_check_memory(solver, age, bytes_needed(solver, age)));
    if (status)
        return status;
    if (age >= first + 4)
        status = backward_load_after(solver, backward, age - 4);
    if (status)
        return status;
    status = backward_value_states(solver, backward, age, solver->index.summary.store == STORE_MOVES);
    if (status)
        return status;
    if (age <= (solver->settings->walls.cells ? WALLS_LAST_START : 8))
        note_starts(solver, backward, age);
    if (age >= first + 2)
        status = value_afterstates(solver, backward, age - 2);
    if (status)
        return status;
    if (backward->stores)
        return store_age(solver, backward, age);
    return STATUS_OK;
}

static enum status finish(struct solver *solver, struct backward *backward)
{
    struct table_index *index = &solver->index;
    enum status status = solver_is_first(solver) ? age_file_commit(&backward->writer, index) : STATUS_OK;
    status = cluster_follow(solver->share.cluster, status);
    if (status)
        return status;
    index->summary.expected_score = expected_score(solver);
    index->summary.backward_done = true;
    for (size_t i = index->n_files; i-- > 0 && index->summary.store != STORE_VALUES;) {
        if (index->files[i].kind == AGE_FILE_SETS)
            table_index_remove_file(index, i);
    }
    if (solver_is_first(solver))
        status = table_index_write(index, solver->settings->directory);
    return cluster_follow(solver->share.cluster, status);
}

static enum status backward_ages(struct solver *solver, struct backward *backward, uint32_t age,
                                 struct progress *progress)
{
    uint32_t first = solver_first_age(solver);
    double done = 0;
    for (const struct table_age *a = solver->index.ages + solver->index.n_ages; a-- > solver->index.ages;)
        done += a->age > age ? (double)a->n_states : 0;
    progress_resume(progress, done);
    for (; age >= first; age -= 2) {
        enum status status = do_age(solver, backward, age);
        bool stop = cluster_interrupted(solver->share.cluster) && age > first;
        if (!status)
            status = commit_or_save(solver, backward, age - 2, stop);
        if (status)
            return status;
        uint64_t n = table_index_age(&solver->index, age)->n_states;
        char note[32];
        snprintf(note, sizeof note, "age %u", age);
        progress_update(progress, done += (double)n, note);
        solver->report->backward_states += n;
        solver_report_traffic(solver, true, age, n);
        if (stop)
            return STATUS_INTERRUPTED;
    }
    return finish(solver, backward);
}

enum status backward_run(struct solver *solver)
{
    double started = clock_seconds();
    enum solve_store store = solver->index.summary.store;
    struct backward backward = {
        .stores = store != STORE_NONE,
        .writer = solver_file_writer(solver, store == STORE_MOVES ? AGE_FILE_MOVES : AGE_FILE_VALUES),
        .resumed_at = started,
    };
    struct progress progress;
    progress_begin(&progress, solver->settings->progress_stream, solver->settings->progress_mode, "backward", "states",
                   (double)solver->index.summary.n_states);
    uint32_t age;
    enum status status = backward_begin(solver, &backward, &age);
    if (!status && backward.stores && solver_is_first(solver))
        status = age_file_resume(&backward.writer, &solver->index);
    status = cluster_follow(solver->share.cluster, status);
    if (!status)
        status = backward_ages(solver, &backward, age, &progress);
    age_file_abort(&backward.writer);
    for (int i = 0; i < 3; i++) {
        age_set_free(&backward.after[i]);
        memory_block_free(&backward.after_values[i]);
    }
    for (int i = 0; i < 2; i++) {
        age_set_free(&backward.states[i]);
        memory_block_free(&backward.state_values[i]);
    }
    memory_block_free(&backward.moves);
    memory_block_free(&backward.spare);
    share_requests_free(&backward.after_requests);
    share_requests_free(&backward.state_requests);
    forget_segment(&backward, solver->index.summary.checkpoint_every);
    free(backward.codes);
    solver->report->backward_seconds += clock_seconds() - started;
    progress_end(&progress, NULL);
    return status;
}
