/*
 * The backward pass, by the age t of states, downwards:
 *
 *   1. states of t: starts, 2s on the afterstates of t-2, 4s on those of t-4          (sets only)
 *   2. their values, from the values of the afterstates of t                         (and their best moves)
 *   3. values of the afterstates of t-2, from the states of t and t+2                 -> stored
 *
 * To begin at t, the exact values of the afterstates of t and t+2 are needed: those of t+2 give the states of t+2 their
 * values again. At the top there are none. This is what `resume.table` holds.
 */
#include "solve/backward.h"

#include "solve/age_file.h"
#include "solve/evaluate.h"
#include "solve/expand.h"
#include "solve/forward.h"

#include "base/bytes.h"
#include "base/checksum.h"
#include "base/clock.h"
#include "base/signals.h"

#include <math.h>
#include <stdlib.h>
#include <unistd.h>

static const char resume_magic[] = "ASSOLVRS", resume_name[] = "resume.table";
enum { RESUME_VERSION = 1, RESUME_KIND_AGE = 1, RESUME_KIND_VALUES = 2 };

/* Exact values are saved whenever that takes a small part of the time: as often as a slow disk can write them. */
static const double resume_bytes_per_second = 20e6;

struct backward {
    struct age_set after[3];             /* afterstates of ages t, t-2, t-4, in turn: after_of() */
    struct memory_block after_values[3]; /* by position, in the form of the rules */
    struct age_set states[2];            /* of t and t+2 */
    struct memory_block state_values[2];
    struct memory_block moves;     /* of the states of t */
    struct age_file_writer writer; /* of values or moves */
    bool stores;                   /* something is written */
    uint32_t segment_age;          /* with checkpoints: first age of the segment in codes, 0 if none */
    struct code_bytes *codes;      /* checkpoint_every of them */
    double resumed_at;             /* when exact values were last saved */
};

static unsigned slot_of(uint32_t age)
{
    return age / 2 % 3;
}

static struct age_set *after_of(struct backward *backward, uint32_t age)
{
    return &backward->after[slot_of(age)];
}

static unsigned state_slot(uint32_t age)
{
    return age / 2 % 2;
}

static enum status reserve_bytes(struct memory_block *block, uint64_t bytes)
{
    if (bytes <= block->bytes)
        return STATUS_OK;
    memory_block_free(block);
    return memory_block_allocate(block, bytes + bytes / 8 + 64);
}

/* ---- sets -------------------------------------------------------------------------------------------------------- */

static void forget_segment(struct backward *backward, uint32_t n)
{
    for (uint32_t i = 0; i < n && backward->codes; i++)
        code_bytes_free(&backward->codes[i]);
    backward->segment_age = 0;
}

/* A set that the forward pass did not keep, from its segment, which is made again if it is not the present one. */
static enum status load_from_segment(struct solver *solver, struct backward *backward, uint32_t age,
                                     struct age_set *set)
{
    uint32_t first = solver_first_age(solver), every = solver->index.summary.checkpoint_every;
    uint32_t number = (age - first) / 2 % every, segment_age = age - 2 * number;
    if (!backward->codes)
        backward->codes = memory_allocate(every, sizeof *backward->codes);
    if (!backward->codes)
        return STATUS_NO_MEMORY;
    enum status status = STATUS_OK;
    if (backward->segment_age != segment_age) {
        forget_segment(backward, every);
        uint32_t left = (solver_last_age(solver) - segment_age) / 2 + 1;
        status = forward_expand_segment(solver, segment_age, left < every ? left : every, backward->codes);
        if (status == STATUS_OK)
            backward->segment_age = segment_age;
    }
    struct piece_code code;
    if (status == STATUS_OK)
        status = set_code_open(&code, backward->codes[number].data, backward->codes[number].bytes);
    if (status == STATUS_OK)
        status = age_set_begin(set, solver->layout, age, solver->workers);
    return status == STATUS_OK ? set_code_read(&code, solver->workers, set) : status;
}

/* The afterstates of an age, with ranks; the empty set beyond the ends. */
static enum status load_after(struct solver *solver, struct backward *backward, uint32_t age)
{
    struct age_set *set = after_of(backward, age);
    enum status status;
    if (table_keeps_set(&solver->index.summary, age))
        status = solver_load_set(solver, age, set);
    else
        status = load_from_segment(solver, backward, age, set);
    if (status == STATUS_OK)
        status = age_set_rank(set, solver->workers);
    uint64_t known = table_index_age(&solver->index, age)->n_afterstates;
    if (status == STATUS_OK && set->count != known)
        status =
            status_fail(STATUS_CORRUPT, "%s: the set of age %u has %llu members, the index says %llu",
                        solver->settings->directory, age, (unsigned long long)set->count, (unsigned long long)known);
    return status;
}

/* ---- the three steps --------------------------------------------------------------------------------------------- */

static struct valued_set valued_after(struct backward *backward, uint32_t age)
{
    return (struct valued_set){after_of(backward, age), backward->after_values[slot_of(age)].data};
}

static struct valued_set valued_states(struct backward *backward, uint32_t age)
{
    return (struct valued_set){&backward->states[state_slot(age)], backward->state_values[state_slot(age)].data};
}

/* Steps 1 and 2. The afterstates of t-2 and t-4 are loaded, as far as there are such ages. */
static enum status value_states(struct solver *solver, struct backward *backward, uint32_t age, bool with_moves)
{
    uint32_t first = solver_first_age(solver);
    struct age_set *states = &backward->states[state_slot(age)];
    struct memory_block *values = &backward->state_values[state_slot(age)];
    enum status status = age_set_begin(states, solver->layout, age, solver->workers);
    if (status != STATUS_OK)
        return status;
    expand_starts(states, solver->rules.chance_of_4);
    if (age >= first + 2 && solver->rules.chance_of_4 < 1)
        status = expand_spawns(solver->workers, after_of(backward, age - 2), states, NULL);
    if (status == STATUS_OK && age >= first + 4 && solver->rules.chance_of_4 > 0)
        status = expand_spawns(solver->workers, after_of(backward, age - 4), NULL, states);
    if (status == STATUS_OK)
        status = age_set_rank(states, solver->workers);
    if (status == STATUS_OK)
        status = reserve_bytes(values, states->count * value_form_bytes(solver->rules.form));
    if (status == STATUS_OK && with_moves)
        status = reserve_bytes(&backward->moves, states->count);
    if (status == STATUS_OK)
        status =
            evaluate_states(solver->workers, &solver->rules, states, valued_after(backward, age), values->data,
                            with_moves ? backward->moves.data : NULL, &table_index_age(&solver->index, age)->figures);
    return status;
}

static double best_value(const struct solve_rules *rules, const void *values, uint64_t n)
{
    double best = 0;
    for (uint64_t i = 0; i < n; i++) {
        double value = solve_value_at(rules, values, i);
        best = value > best ? value : best;
    }
    return best;
}

/* Step 3, for the afterstates of t-2. */
static enum status value_afterstates(struct solver *solver, struct backward *backward, uint32_t age)
{
    const struct age_set *set = after_of(backward, age);
    struct memory_block *block = &backward->after_values[slot_of(age)];
    struct table_age *known = table_index_age(&solver->index, age);
    enum status status = reserve_bytes(block, set->count * value_form_bytes(solver->rules.form));
    if (status == STATUS_OK && set->count)
        status = evaluate_afterstates(solver->workers, &solver->rules, set, valued_states(backward, age + 2),
                                      valued_states(backward, age + 4), block->data, &known->figures);
    if (status != STATUS_OK)
        return status;
    known->best_value = best_value(&solver->rules, block->data, set->count);
    known->set_checksum = checksum_of(set->words, set->frame->n_words * sizeof *set->words);
    known->value_checksum = checksum_of(block->data, set->count * value_form_bytes(solver->rules.form));
    known->has_figures = true;
    return STATUS_OK;
}

/* ---- storing and resuming -----------------------------------------------------------------------------------------
 */

static enum status store_age(struct solver *solver, struct backward *backward, uint32_t state_age)
{
    uint32_t first = solver_first_age(solver), age = state_age;
    struct code_bytes code = {0};
    enum status status = STATUS_OK;
    uint64_t n = backward->states[state_slot(state_age)].count;
    if (backward->writer.kind == AGE_FILE_VALUES) {
        if (state_age < first + 2)
            return STATUS_OK;
        age = state_age - 2;
        n = after_of(backward, age)->count;
        status = value_code_write(solver->workers, age, &solver->rules, backward->after_values[slot_of(age)].data, n,
                                  solver->index.summary.fraction_bits, &code);
    } else {
        status =
            move_code_write(solver->workers, &backward->states[state_slot(state_age)], backward->moves.data, &code);
    }
    if (status == STATUS_OK)
        status = age_file_append(&backward->writer, age, &code, n);
    code_bytes_free(&code);
    return status;
}

/* Saves what a pass needs to begin at state age t. */
static enum status save_exact_values(struct solver *solver, struct backward *backward, uint32_t age)
{
    char *path = table_path(solver->settings->directory, resume_name);
    if (!path)
        return STATUS_NO_MEMORY;
    struct block_writer *writer;
    enum status status = block_writer_open(&writer, path, resume_magic, RESUME_VERSION);
    free(path);
    if (status != STATUS_OK)
        return status;
    uint8_t header[8];
    bytes_store_u64(header, age);
    status = block_writer_append(writer, RESUME_KIND_AGE, header, sizeof header, BLOCK_RAW);
    for (uint32_t a = age; a <= age + 2 && status == STATUS_OK; a += 2)
        status = block_writer_append(writer, RESUME_KIND_VALUES, backward->after_values[slot_of(a)].data,
                                     after_of(backward, a)->count * value_form_bytes(solver->rules.form), BLOCK_RAW);
    if (status == STATUS_OK)
        return block_writer_commit(writer);
    block_writer_abort(writer);
    return status;
}

/* The values of an age from the file. The set of the age is loaded already. */
static enum status load_exact_values(const struct solver *solver, struct backward *backward,
                                     const struct block_reader *reader, size_t nth, uint32_t age)
{
    size_t i, wanted = after_of(backward, age)->count * value_form_bytes(solver->rules.form);
    enum status status = block_reader_find(reader, RESUME_KIND_VALUES, nth, &i);
    if (status == STATUS_OK && block_reader_info(reader, i).raw_bytes != wanted)
        status =
            status_fail(STATUS_CORRUPT, "%s: the values of age %u do not fit its set", block_reader_name(reader), age);
    if (status == STATUS_OK)
        status = reserve_bytes(&backward->after_values[slot_of(age)], wanted);
    struct memory_block *block = &backward->after_values[slot_of(age)];
    if (status == STATUS_OK && wanted)
        status = block_reader_load(reader, i, block->data, block->bytes);
    for (uint64_t k = 0; status == STATUS_OK && k < after_of(backward, age)->count; k++) {
        double value = solve_value_at(&solver->rules, block->data, k);
        if (!(value >= 0 && value < CODE_VALUE_BOUND))
            status = status_fail(STATUS_CORRUPT, "%s: age %u has the value %g, which no game reaches",
                                 block_reader_name(reader), age, value);
    }
    return status;
}

/* Files that were written after the exact values were saved will be written again, alike: removes them from the index.
 */
static void forget_newer_files(struct solver *solver, enum age_file_kind kind, uint32_t lowest_age)
{
    struct table_index *index = &solver->index;
    for (size_t i = index->n_files; i-- > 0;) {
        struct age_file *file = &index->files[i];
        if (file->kind != kind)
            continue;
        if (file->first_age < lowest_age)
            table_index_remove_file(index, i);
        else if (file->last_age < lowest_age)
            file->last_age = lowest_age;
    }
}

/* The states of t+2 with their values: from the sets of t and t-2 and the values of the afterstates of t+2. */
static enum status restore_from(struct solver *solver, struct backward *backward, const struct block_reader *reader,
                                uint32_t age)
{
    uint32_t first = solver_first_age(solver);
    enum status status = load_after(solver, backward, age + 2);
    if (status == STATUS_OK)
        status = load_exact_values(solver, backward, reader, 1, age + 2);
    if (status == STATUS_OK)
        status = load_after(solver, backward, age);
    if (status == STATUS_OK && age >= first + 2)
        status = load_after(solver, backward, age - 2);
    if (status == STATUS_OK)
        status = load_exact_values(solver, backward, reader, 0, age);
    return status == STATUS_OK ? value_states(solver, backward, age + 2, false) : status;
}

/* Where to resume: *age, with all that its iteration needs, from resume.table or from the top. */
static enum status begin_backward(struct solver *solver, struct backward *backward, uint32_t *age)
{
    uint32_t first = solver_first_age(solver), last = solver_last_age(solver);
    struct block_reader *reader = NULL;
    char *path = table_path(solver->settings->directory, resume_name);
    if (!path)
        return STATUS_NO_MEMORY;
    enum status status = STATUS_OK;
    bool resumes = access(path, F_OK) == 0;
    if (resumes)
        status = block_reader_open(&reader, path, resume_magic, RESUME_VERSION);
    free(path);
    *age = last;
    if (status == STATUS_OK && resumes) {
        size_t i;
        uint8_t header[8];
        status = block_reader_find(reader, RESUME_KIND_AGE, 0, &i);
        if (status == STATUS_OK)
            status = block_reader_load(reader, i, header, sizeof header);
        uint64_t saved = status == STATUS_OK ? bytes_load_u64(header) : 0;
        if (status == STATUS_OK && (saved < first || saved > last - 2 || saved % 2))
            status = status_fail(STATUS_CORRUPT, "%s: saved at age %llu, which does not exist",
                                 block_reader_name(reader), (unsigned long long)saved);
        *age = (uint32_t)saved;
    }
    forget_newer_files(solver, AGE_FILE_VALUES, resumes ? *age : UINT32_MAX);
    forget_newer_files(solver, AGE_FILE_MOVES, resumes ? *age + 2 : UINT32_MAX);
    if (status == STATUS_OK && resumes) {
        status = restore_from(solver, backward, reader, *age);
    } else if (status == STATUS_OK) {
        status = load_after(solver, backward, last);
        if (status == STATUS_OK && last >= first + 2)
            status = load_after(solver, backward, last - 2);
    }
    block_reader_close(reader);
    return status;
}

/* After the age `next` + 2: commits what is full, saves exact values if it is time to, or if the user wants to stop. */
static enum status settle(struct solver *solver, struct backward *backward, uint32_t next, bool stop)
{
    if (backward->stores && !stop && !age_file_is_full(&backward->writer))
        return STATUS_OK;
    uint32_t first = solver_first_age(solver);
    if (next < first)
        return STATUS_OK; /* the end, which finish() settles */
    uint64_t bytes =
        (after_of(backward, next)->count + after_of(backward, next + 2)->count) * value_form_bytes(solver->rules.form);
    bool save = stop || clock_seconds() - backward->resumed_at >= (double)bytes / resume_bytes_per_second;
    enum status status = STATUS_OK;
    if (backward->stores)
        status = age_file_commit(&backward->writer, &solver->index);
    if (status == STATUS_OK && (backward->stores || save)) /* first the index, with the figures of all ages so far */
        status = table_index_write(&solver->index, solver->settings->directory);
    if (status == STATUS_OK && save) {
        status = save_exact_values(solver, backward, next);
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
    enum status status = solver_check_memory(solver, age, bytes_needed(solver, age));
    if (status == STATUS_OK && age >= first + 4)
        status = load_after(solver, backward, age - 4);
    if (status == STATUS_OK)
        status = value_states(solver, backward, age, solver->index.summary.store == STORE_MOVES);
    if (status == STATUS_OK && age <= (solver->settings->walls.cells ? WALLS_LAST_START : 8))
        note_starts(solver, backward, age);
    if (status == STATUS_OK && age >= first + 2)
        status = value_afterstates(solver, backward, age - 2);
    if (status == STATUS_OK && backward->stores)
        status = store_age(solver, backward, age);
    return status;
}

static enum status finish(struct solver *solver, struct backward *backward)
{
    struct table_index *index = &solver->index;
    enum status status = age_file_commit(&backward->writer, index);
    if (status != STATUS_OK)
        return status;
    index->summary.expected_score = expected_score(solver);
    index->summary.backward_done = true;
    for (size_t i = index->n_files; i-- > 0 && index->summary.store != STORE_VALUES;) {
        if (index->files[i].kind == AGE_FILE_SETS)
            table_index_remove_file(index, i);
    }
    return table_index_write(index, solver->settings->directory);
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
        bool stop = signals_interrupted() && age > first;
        if (status == STATUS_OK)
            status = settle(solver, backward, age - 2, stop);
        if (status != STATUS_OK)
            return status;
        uint64_t n = table_index_age(&solver->index, age)->n_states;
        char note[32];
        snprintf(note, sizeof note, "age %u", age);
        progress_update(progress, done += (double)n, note);
        solver->report->backward_states += n;
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
    enum status status = begin_backward(solver, &backward, &age);
    if (status == STATUS_OK && backward.stores)
        status = age_file_resume(&backward.writer, &solver->index);
    if (status == STATUS_OK)
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
    forget_segment(&backward, solver->index.summary.checkpoint_every);
    free(backward.codes);
    solver->report->backward_seconds += clock_seconds() - started;
    progress_end(&progress, NULL);
    return status;
}
