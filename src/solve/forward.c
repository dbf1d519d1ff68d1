/*
 * The forward pass, by the age of states, upwards: moves give the afterstates of an age, and spawns on these the states
 * of the next two ages. Four bitmaps are in memory; sets are written as the settings say.
 *
 * On several ranks each works on its own rows: once for the states of an age and once for its afterstates, what a rank
 * has found of others' rows goes to them (age_share.h).
 */
#include "solve/forward.h"

#include "base/clock.h"
#include "base/number_text.h"
#include "base/signals.h"
#include "solve/code_share.h"
#include "solve/expand.h"
#include "solve/forecast.h"

#include <math.h>
#include <stdlib.h>

/* Bitmaps of the present age's states and those of the two ages to come, in turn, and its afterstates. */
struct forward {
    struct age_set states[3];
    struct age_set afterstates;
    struct age_bounds bounds; /* of the present age */
    struct age_file_writer writer;
    double n_expected, n_counted; /* states of all ages to be counted, about, and of those counted so far */
};

static struct age_set *states_of(struct forward *forward, uint32_t age)
{
    return &forward->states[age / 2 % 3];
}

static enum status begin_states(struct solver *solver, struct forward *forward, uint32_t age)
{
    if (age > solver->layout->max_age)
        return STATUS_OK;
    enum status status = age_set_begin(states_of(forward, age), solver->layout, age, solver->workers);
    if (status)
        return status;
    expand_starts(states_of(forward, age), solver->rules.chance_of_4);
    return STATUS_OK;
}

static enum status spawn_from(struct solver *solver, struct forward *forward, const struct age_set *afterstates,
                              uint32_t from_age)
{
    uint32_t age = afterstates->frame->age, max_age = solver->layout->max_age;
    bool twos = solver->rules.chance_of_4 < 1 && age + 2 >= from_age && age + 2 <= max_age;
    bool fours = solver->rules.chance_of_4 > 0 && age + 4 >= from_age && age + 4 <= max_age;
    return expand_spawns(solver->workers, afterstates, twos ? states_of(forward, age + 2) : NULL,
                         fours ? states_of(forward, age + 4) : NULL);
}

/* The states of `age` and, as far as they are known, of the two ages on, from the stored sets of the two ages
   before. */
static enum status restore_states(struct solver *solver, struct forward *forward, uint32_t age)
{
    enum status status = STATUS_OK;
    for (uint32_t a = age; a <= age + 4 && !status; a += 2)
        status = begin_states(solver, forward, a);
    status = solver_agree(solver, status);
    uint32_t first = solver_first_age(solver);
    for (uint32_t before = 4; before >= 2 && !status; before -= 2) {
        if (age < first + before)
            continue;
        status = solver_load_set(solver, age - before, &forward->afterstates, &forward->bounds);
        if (!status)
            status = spawn_from(solver, forward, &forward->afterstates, age);
        status = solver_agree(solver, status);
    }
    return status;
}

/* With checkpoints, the ages after the last kept pair are counted again. */
static uint32_t forward_resume_age(struct solver *solver)
{
    struct table_index *index = &solver->index;
    uint32_t first = solver_first_age(solver);
    while (index->n_ages > 0) {
        uint32_t last = index->ages[index->n_ages - 1].age;
        bool whole =
            table_keeps_set(&index->summary, last) && (last == first || table_keeps_set(&index->summary, last - 2));
        if (whole)
            return last + 2;
        index->n_ages--;
    }
    return first;
}

/* The afterstates of the rank's states, complete in its rows. */
static enum status find_afterstates(struct solver *solver, struct forward *forward, uint32_t age,
                                    struct table_age *counts)
{
    struct age_set *states = states_of(forward, age), *afterstates = &forward->afterstates;
    enum status status = age_share_choose_bounds(&solver->share, STATUS_OK, states, &forward->bounds);
    status = age_share_exchange(&solver->share, status, states, &forward->bounds, NULL);
    if (status)
        goto done;
    status = age_set_begin(afterstates, solver->layout, age, solver->workers);
    if (status)
        goto done;
    status = age_share_restrict(&solver->share, afterstates, &forward->bounds);
    if (status)
        goto done;
    status = expand_moves(solver->workers, states, afterstates, &counts->n_states, &counts->n_terminal);
done:
    return age_share_exchange(&solver->share, status, afterstates, &forward->bounds, NULL);
}

static enum status count_age(struct solver *solver, struct forward *forward, uint32_t age, struct table_age *counts)
{
    struct age_set *afterstates = &forward->afterstates;
    *counts = (struct table_age){.age = age, .best_value = NAN};
    enum status status = find_afterstates(solver, forward, age, counts);
    if (status)
        goto done;
    status = age_set_count(afterstates, solver->workers);
    if (status)
        goto done;
    status = spawn_from(solver, forward, afterstates, age);
done:
    status = solver_agree(solver, status);
    if (status)
        return status;
    uint64_t totals[] = {counts->n_states, counts->n_terminal, afterstates->count};
    cluster_sum(solver->share.cluster, totals, 3);
    counts->n_states = totals[0];
    counts->n_terminal = totals[1];
    counts->n_afterstates = totals[2];
    return STATUS_OK;
}

/* The present states, and for each thread the three sets that are being filled. */
static enum status check_forward_memory(const struct solver *solver, uint32_t age)
{
    uint64_t n_sets = 1 + 3 * (uint64_t)workers_count(solver->workers);
    return solver_check_memory(solver, age, n_sets * solver_set_bytes(solver, age + 4, false) + solver->table_bytes);
}

static void free_sets(struct forward *forward)
{
    for (int i = 0; i < 3; i++)
        age_set_free(&forward->states[i]);
    age_set_free(&forward->afterstates);
}

static enum status commit_sets(struct solver *solver, struct forward *forward)
{
    if (!solver_is_first(solver))
        return STATUS_OK;
    enum status status = age_file_commit(&forward->writer, &solver->index);
    return status ? status : table_index_write(&solver->index, solver->settings->directory);
}

static enum status store_set(struct solver *solver, struct forward *forward, const struct table_age *counts)
{
    if (!table_keeps_set(&solver->index.summary, counts->age))
        return STATUS_OK;
    struct code_bytes code;
    enum status status =
        code_share_write_set(&solver->share, STATUS_OK, &forward->afterstates, &forward->bounds, &code);
    if (!status && solver_is_first(solver))
        status = age_file_append(&forward->writer, counts->age, &code, counts->n_afterstates);
    code_bytes_free(&code);
    return status;
}

/* The time left counts both passes, and the second forward pass of checkpoints, at the rate of this run. */
static void show_forward(const struct solver *solver, struct forward *forward, struct progress *progress,
                         const struct table_age *counts, double started)
{
    const struct table_summary *summary = &solver->index.summary;
    char note[96], left[NUMBER_TEXT_BYTES];
    forward->n_counted += (double)counts->n_states;
    double work = fmax(0, forward->n_expected - forward->n_counted);
    if (!solver->settings->to_age)
        work += forward->n_expected * forecast_backward_work(summary->store, summary->checkpoint_every);
    double seconds_each = (clock_seconds() - started) / (double)solver->report->forward_states;
    number_text_duration(left, work * seconds_each);
    snprintf(note, sizeof note, "age %u of %u, about %s left", counts->age, solver->forward_to_age, left);
    progress_update(progress, (double)solver->report->forward_states, note);
}

static enum status forward_ages(struct solver *solver, struct forward *forward, uint32_t age, struct progress *progress)
{
    double started = clock_seconds() - solver->report->forward_seconds; /* of an attempt before a repair */
    bool stop = false;
    enum status status = STATUS_OK;
    for (; age <= solver->forward_to_age && !stop && !status; age += 2) {
        struct table_age counts;
        status = solver_agree(solver, check_forward_memory(solver, age));
        if (!status)
            status = count_age(solver, forward, age, &counts);
        if (!status)
            status = store_set(solver, forward, &counts);
        if (!status)
            status = begin_states(solver, forward, age + 6);
        if (!status)
            status = table_index_add_age(&solver->index, counts);
        if (!status && age_file_is_full(&forward->writer)) /* of rank 0; the others' stay empty */
            status = commit_sets(solver, forward);
        status = solver_agree(solver, status);
        if (status)
            break;
        solver->report->forward_states += counts.n_states;
        solver_report_traffic(solver, false, age, counts.n_states);
        show_forward(solver, forward, progress, &counts, started);
        stop = cluster_interrupted(solver->share.cluster);
    }
    if (!status) {
        solver->index.summary.forward_done = age > solver_last_age(solver);
        status = solver_agree(solver, commit_sets(solver, forward));
    }
    return !status && stop && age <= solver->forward_to_age ? STATUS_INTERRUPTED : status;
}

enum status forward_run(struct solver *solver)
{
    if (table_index_age(&solver->index, solver->forward_to_age)) {
        /* A kill may have come between the index with the last age and the one that says that it is the last. */
        solver->index.summary.forward_done = solver->forward_to_age == solver_last_age(solver);
        return STATUS_OK;
    }
    uint32_t age = forward_resume_age(solver);
    double started = clock_seconds();
    struct forward forward = {.writer = solver_file_writer(solver, AGE_FILE_SETS)};
    struct progress progress;
    progress_begin(&progress, solver->settings->progress_stream, solver->settings->progress_mode, "forward", "states",
                   0);
    forward.n_expected = forecast_settings_states(solver->settings);
    for (size_t i = 0; i < solver->index.n_ages; i++)
        forward.n_counted += (double)solver->index.ages[i].n_states;
    enum status status = restore_states(solver, &forward, age);
    if (!status && solver_is_first(solver))
        status = age_file_resume(&forward.writer, &solver->index);
    status = solver_agree(solver, status);
    if (!status)
        status = forward_ages(solver, &forward, age, &progress);
    age_file_abort(&forward.writer);
    free_sets(&forward);
    solver->report->forward_seconds += clock_seconds() - started;
    progress_end(&progress, NULL);
    return status;
}

enum status forward_expand_segment(struct solver *solver, uint32_t first_age, uint32_t n_ages, struct code_bytes *codes)
{
    struct forward forward = {0};
    uint32_t age = first_age + 4;
    enum status status = restore_states(solver, &forward, age);
    for (uint32_t i = 2; i < n_ages && !status; i++, age += 2) {
        struct table_age counts;
        status = count_age(solver, &forward, age, &counts);
        if (!status)
            status = code_share_write_set(&solver->share, STATUS_OK, &forward.afterstates, &forward.bounds, &codes[i]);
        if (!status)
            status = begin_states(solver, &forward, age + 6);
        status = solver_agree(solver, status);
    }
    free_sets(&forward);
    return status;
}

uint32_t forward_restart_age(const struct solver *solver, uint32_t age)
{
    const struct table_summary *summary = &solver->index.summary;
    uint32_t first = solver_first_age(solver);
    while (age > first) {
        bool has_before = table_keeps_set(summary, age - 2);
        if (has_before && (age < first + 4 || table_keeps_set(summary, age - 4)))
            break;
        age -= 2;
    }
    return age;
}

static enum status check_counts(const struct solver *solver, const struct table_age *counts)
{
    const struct table_age *known = table_index_age(&solver->index, counts->age);
    if (known && known->n_states == counts->n_states && known->n_afterstates == counts->n_afterstates)
        return STATUS_OK;
    return status_fail(STATUS_CORRUPT, "%s: age %u was counted again and has %llu afterstates, the index says %llu",
                       solver->settings->directory, counts->age, (unsigned long long)counts->n_afterstates,
                       known ? (unsigned long long)known->n_afterstates : 0);
}

enum status forward_remake_sets(struct solver *solver, struct age_file file)
{
    struct forward forward = {.writer = solver_file_writer(solver, AGE_FILE_SETS)};
    uint32_t age = forward_restart_age(solver, file.first_age);
    enum status status = solver_prepare_layout(solver, solver_last_age(solver));
    if (status)
        goto done;
    status = restore_states(solver, &forward, age);
    if (status)
        goto done;
    for (; age <= file.last_age && !status; age += 2) {
        struct table_age counts;
        status = check_forward_memory(solver, age);
        if (!status)
            status = count_age(solver, &forward, age, &counts);
        if (!status)
            status = check_counts(solver, &counts);
        if (!status && age >= file.first_age)
            status = store_set(solver, &forward, &counts);
        if (!status)
            status = begin_states(solver, &forward, age + 6);
        if (!status && signals_interrupted())
            status = status_fail(STATUS_INTERRUPTED, "interrupted");
    }
    if (status)
        goto done;
    status = age_file_commit(&forward.writer, &solver->index);
done:
    age_file_abort(&forward.writer);
    free_sets(&forward);
    return status;
}
