#include "solve/solver.h"

#include "base/clock.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/signals.h"
#include "solve/age_code.h"
#include "solve/expand.h"
#include "solve/forecast.h"
#include "solve/repair.h"
#include "solve/solver_parts.h"
#include "solve/stretch.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- what both passes use ---------------------------------------------------------------------------------------- */

uint32_t solver_last_age(const struct solver *solver)
{
    return layout_largest_age(solver->grid.n_cells);
}

enum status solver_check_memory(const struct solver *solver, uint32_t age, uint64_t bytes)
{
    if (bytes <= solver->settings->memory_bytes)
        return STATUS_OK;
    return status_fail(STATUS_NO_MEMORY, "age %u needs about %.3f GB of memory, %.3f GB are allowed (--memory)", age,
                       (double)bytes / 1e9, (double)solver->settings->memory_bytes / 1e9);
}

uint64_t solver_set_bytes(const struct solver *solver, uint32_t age, bool ranked)
{
    static const size_t word = sizeof(uint64_t), rank = sizeof(uint32_t);
    if (age > solver->layout->max_age || age_frame_fill(solver->frame, solver->layout, age) != STATUS_OK)
        return 0;
    uint64_t words = solver->frame->n_words + solver->frame->n_words / 8;
    return words * (word + (ranked ? rank : 0));
}

enum status solver_load_set(struct solver *solver, uint32_t age, struct age_set *set)
{
    enum status status = age_set_begin(set, solver->layout, age, solver->workers);
    if (status != STATUS_OK)
        return status;
    for (size_t i = 0; i < solver->index.n_stretches; i++) {
        struct table_stretch stretch = solver->index.stretches[i];
        size_t block;
        if (stretch.kind != STRETCH_SETS || !table_stretch_block(&solver->index, stretch, age, &block))
            continue;
        struct block_reader *reader;
        status = stretch_open(&reader, solver->settings->directory, stretch);
        const void *data;
        size_t bytes;
        struct piece_code code;
        if (status == STATUS_OK && block >= block_reader_count(reader))
            status = status_fail(STATUS_CORRUPT, "%s: has no block for age %u", block_reader_name(reader), age);
        if (status == STATUS_OK)
            status = block_reader_view(reader, block, &data, &bytes);
        if (status == STATUS_OK)
            status = set_code_open(&code, data, bytes);
        if (status == STATUS_OK)
            status = set_code_read(&code, solver->workers, set);
        block_reader_close(reader);
        return status;
    }
    return status_fail(STATUS_CORRUPT, "%s: the set of age %u is missing", solver->settings->directory, age);
}

struct stretch_writer solver_stretch_writer(const struct solver *solver, enum stretch_kind kind)
{
    uint64_t members = solver->settings->stretch_members;
    return (struct stretch_writer){
        .kind = kind, .directory = solver->settings->directory, .full_at = members ? members : STRETCH_MEMBERS};
}

enum status solver_remove_file(const struct solver *solver, const char *name)
{
    char *path = table_path(solver->settings->directory, name);
    if (!path)
        return STATUS_NO_MEMORY;
    enum status status = STATUS_OK;
    if (unlink(path) != 0 && errno != ENOENT)
        status = status_fail_errno(STATUS_IO, "%s: cannot remove", path);
    free(path);
    return status;
}

/* The layout for ages up to max_age, in place of one for fewer. States of the two ages behind the last are begun too.
 */
static enum status prepare_layout(struct solver *solver, uint32_t max_age)
{
    if (solver->layout && solver->layout->max_age >= max_age)
        return STATUS_OK;
    layout_free(solver->layout);
    free(solver->frame);
    solver->frame = NULL;
    solver->layout = NULL;
    enum status status = layout_create(&solver->layout, &solver->grid, max_age + 4, solver->rules.goal);
    if (status != STATUS_OK)
        return status;
    solver->table_bytes = layout_bytes(solver->layout);
    solver->frame = age_frame_allocate(solver->layout);
    return solver->frame ? STATUS_OK : STATUS_NO_MEMORY;
}

/* ---- forward ----------------------------------------------------------------------------------------------------- */

/* Bitmaps of the present age's states and those of the two ages to come, in turn, and its afterstates. */
struct forward {
    struct age_set states[3];
    struct age_set afterstates;
    struct stretch_writer writer;
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
    if (status == STATUS_OK)
        expand_starts(states_of(forward, age), solver->rules.chance_of_4);
    return status;
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

/* The states of `age` and, as far as they are known, of the two ages on, from the stored sets of the two ages before.
 */
static enum status restore_states(struct solver *solver, struct forward *forward, uint32_t age)
{
    enum status status = STATUS_OK;
    for (uint32_t a = age; a <= age + 4 && status == STATUS_OK; a += 2)
        status = begin_states(solver, forward, a);
    uint32_t first = table_first_age(solver->grid.n_cells);
    for (uint32_t before = 4; before >= 2 && status == STATUS_OK; before -= 2) {
        if (age < first + before)
            continue;
        status = solver_load_set(solver, age - before, &forward->afterstates);
        if (status == STATUS_OK)
            status = spawn_from(solver, forward, &forward->afterstates, age);
    }
    return status;
}

/* With checkpoints, the ages behind the last kept pair are counted again. */
static uint32_t forward_resume_age(struct solver *solver)
{
    struct table_index *index = &solver->index;
    uint32_t first = table_first_age(solver->grid.n_cells);
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

static enum status count_age(struct solver *solver, struct forward *forward, uint32_t age, struct table_age *counts)
{
    struct age_set *states = states_of(forward, age), *afterstates = &forward->afterstates;
    *counts = (struct table_age){.age = age, .best_value = NAN};
    enum status status = age_set_begin(afterstates, solver->layout, age, solver->workers);
    if (status == STATUS_OK)
        status = expand_moves(solver->workers, states, afterstates, &counts->n_states, &counts->n_terminal);
    if (status == STATUS_OK)
        status = age_set_count(afterstates, solver->workers);
    if (status == STATUS_OK)
        status = spawn_from(solver, forward, afterstates, age);
    counts->n_afterstates = afterstates->count;
    return status;
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
    enum status status = stretch_commit(&forward->writer, &solver->index);
    return status == STATUS_OK ? table_index_write(&solver->index, solver->settings->directory) : status;
}

static enum status store_set(struct solver *solver, struct forward *forward, const struct table_age *counts)
{
    if (!table_keeps_set(&solver->index.summary, counts->age))
        return STATUS_OK;
    struct code_bytes code;
    enum status status = set_code_write(solver->workers, &forward->afterstates, &code);
    if (status == STATUS_OK)
        status = stretch_append(&forward->writer, counts->age, &code, counts->n_afterstates);
    code_bytes_free(&code);
    return status;
}

/* The time left counts both passes, and the second forward pass of checkpoints, at the rate of this run. */
static void show_forward(const struct solver *solver, struct forward *forward, struct progress *progress,
                         const struct table_age *counts, double started)
{
    const struct table_summary *summary = &solver->index.summary;
    char note[96], left[CLOCK_DURATION_BYTES];
    forward->n_counted += (double)counts->n_states;
    double work = fmax(0, forward->n_expected - forward->n_counted);
    if (!solver->settings->to_age)
        work += forward->n_expected * forecast_backward_work(summary->store, summary->checkpoint_every);
    double seconds_each = (clock_seconds() - started) / (double)solver->report->forward_states;
    clock_format_duration(left, sizeof left, work * seconds_each);
    snprintf(note, sizeof note, "age %u of %u, about %s left", counts->age, solver->forward_to_age, left);
    progress_update(progress, (double)solver->report->forward_states, note);
}

static enum status forward_ages(struct solver *solver, struct forward *forward, uint32_t age, struct progress *progress)
{
    double started = clock_seconds() - solver->report->forward_seconds; /* of an attempt before a repair */
    bool stop = false;
    enum status status = STATUS_OK;
    for (; age <= solver->forward_to_age && !stop && status == STATUS_OK; age += 2) {
        struct table_age counts;
        status = check_forward_memory(solver, age);
        if (status == STATUS_OK)
            status = count_age(solver, forward, age, &counts);
        if (status == STATUS_OK)
            status = store_set(solver, forward, &counts);
        if (status == STATUS_OK)
            status = begin_states(solver, forward, age + 6);
        if (status == STATUS_OK)
            status = table_index_add_age(&solver->index, counts);
        if (status != STATUS_OK)
            break;
        solver->report->forward_states += counts.n_states;
        if (stretch_is_full(&forward->writer))
            status = commit_sets(solver, forward);
        show_forward(solver, forward, progress, &counts, started);
        stop = signals_interrupted();
    }
    if (status == STATUS_OK) {
        solver->index.summary.forward_done = age > solver_last_age(solver);
        status = commit_sets(solver, forward);
    }
    return status == STATUS_OK && stop && age <= solver->forward_to_age ? STATUS_INTERRUPTED : status;
}

static enum status run_forward(struct solver *solver)
{
    if (table_index_age(&solver->index, solver->forward_to_age)) {
        /* A kill may have come between the index with the last age and the one that says that it is the last. */
        solver->index.summary.forward_done = solver->forward_to_age == solver_last_age(solver);
        return STATUS_OK;
    }
    uint32_t age = forward_resume_age(solver);
    double started = clock_seconds();
    struct forward forward = {.writer = solver_stretch_writer(solver, STRETCH_SETS)};
    struct progress progress;
    progress_begin(&progress, solver->settings->progress_stream, solver->settings->progress_mode, "forward", "states",
                   0);
    forward.n_expected = forecast_states(solver->grid.rows, solver->grid.cols, solver->settings->to_age);
    for (size_t i = 0; i < solver->index.n_ages; i++)
        forward.n_counted += (double)solver->index.ages[i].n_states;
    enum status status = restore_states(solver, &forward, age);
    if (status == STATUS_OK)
        status = stretch_resume(&forward.writer, &solver->index);
    if (status == STATUS_OK)
        status = forward_ages(solver, &forward, age, &progress);
    stretch_abort(&forward.writer);
    free_sets(&forward);
    solver->report->forward_seconds += clock_seconds() - started;
    progress_end(&progress, NULL);
    return status;
}

enum status solver_expand_segment(struct solver *solver, uint32_t first_age, uint32_t n_ages, struct code_bytes *codes)
{
    struct forward forward = {0};
    uint32_t age = first_age + 4;
    enum status status = restore_states(solver, &forward, age);
    for (uint32_t i = 2; i < n_ages && status == STATUS_OK; i++, age += 2) {
        struct table_age counts;
        status = count_age(solver, &forward, age, &counts);
        if (status == STATUS_OK)
            status = set_code_write(solver->workers, &forward.afterstates, &codes[i]);
        if (status == STATUS_OK)
            status = begin_states(solver, &forward, age + 6);
    }
    free_sets(&forward);
    return status;
}

uint32_t solver_restart_age(const struct solver *solver, uint32_t age)
{
    const struct table_summary *summary = &solver->index.summary;
    uint32_t first = table_first_age(solver->grid.n_cells);
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

enum status solver_remake_sets(struct solver *solver, struct table_stretch stretch)
{
    struct forward forward = {.writer = solver_stretch_writer(solver, STRETCH_SETS)};
    uint32_t age = solver_restart_age(solver, stretch.first_age);
    enum status status = prepare_layout(solver, solver_last_age(solver));
    if (status == STATUS_OK)
        status = restore_states(solver, &forward, age);
    for (; age <= stretch.last_age && status == STATUS_OK; age += 2) {
        struct table_age counts;
        status = check_forward_memory(solver, age);
        if (status == STATUS_OK)
            status = count_age(solver, &forward, age, &counts);
        if (status == STATUS_OK)
            status = check_counts(solver, &counts);
        if (status == STATUS_OK && age >= stretch.first_age)
            status = store_set(solver, &forward, &counts);
        if (status == STATUS_OK)
            status = begin_states(solver, &forward, age + 6);
        if (status == STATUS_OK && signals_interrupted())
            status = status_fail(STATUS_INTERRUPTED, "interrupted");
    }
    if (status == STATUS_OK)
        status = stretch_commit(&forward.writer, &solver->index);
    stretch_abort(&forward.writer);
    free_sets(&forward);
    return status;
}

/* ---- the whole --------------------------------------------------------------------------------------------------- */

static struct table_summary wanted_summary(const struct solve_settings *settings)
{
    struct table_summary summary = {
        .rows = (uint8_t)settings->rows,
        .cols = (uint8_t)settings->cols,
        .variant = settings->variant,
        .store = settings->store,
        .checkpoint_every = settings->checkpoint_every,
        .fraction_bits = settings->fraction_bits,
        .precision = settings->precision,
        .chance_of_4 = settings->chance_of_4,
        .goal = settings->goal,
        .expected_score = NAN,
    };
    for (int i = 0; i < TABLE_START_KINDS; i++)
        summary.start_value[i] = NAN;
    return summary;
}

void solver_reset_index(struct solver *solver)
{
    table_index_free(&solver->index);
    solver->index.summary = wanted_summary(solver->settings);
}

static enum status check_same(const struct solve_settings *settings, const struct table_summary *found)
{
    if (found->rows != settings->rows || found->cols != settings->cols)
        return table_wrong_size(found, settings->directory, settings->rows, settings->cols);
    if (found->variant != settings->variant || found->store != settings->store ||
        found->fraction_bits != settings->fraction_bits || found->checkpoint_every != settings->checkpoint_every)
        return status_fail(STATUS_USAGE,
                           "%s: was begun with --variant %s --store %s --bits %u --checkpoint-every %u; go on with the "
                           "same, or choose another directory",
                           settings->directory, solve_variant_names[found->variant], solve_store_names[found->store],
                           found->fraction_bits, found->checkpoint_every);
    if (found->precision != settings->precision || found->chance_of_4 != settings->chance_of_4 ||
        found->goal != settings->goal) {
        char objective[TABLE_OBJECTIVE_BYTES];
        return status_fail(STATUS_USAGE,
                           "%s: was begun with --objective %s --four-chance %g --precision %s; go on with the same, or "
                           "choose another directory",
                           settings->directory, table_objective_text(found->goal, objective), found->chance_of_4,
                           value_form_names[found->precision]);
    }
    return STATUS_OK;
}

/* Two solves in one directory would count the same ages and take each other's temporaries away. */
static enum status lock_directory(struct solver *solver)
{
    const char *directory = solver->settings->directory;
    solver->lock = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (solver->lock < 0)
        return status_fail_errno(STATUS_IO, "%s: cannot open the directory", directory);
    if (flock(solver->lock, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK)
        return STATUS_OK; /* a file system without locks is no reason to stop */
    return status_fail(STATUS_IO, "%s: another solve is at work there", directory);
}

/* The index of the directory, or a new one if the directory has none. */
static enum status read_index(struct solver *solver)
{
    const struct solve_settings *settings = solver->settings;
    if (!table_index_exists(settings->directory)) {
        solver_reset_index(solver);
        return solver_notice_no_index(solver);
    }
    table_index_free(&solver->index);
    enum status status = table_index_read(&solver->index, settings->directory);
    if (status == STATUS_CORRUPT) {
        char *reason = memory_copy_text(status_message());
        status_fail(status, "%s; nothing can be repaired without the index: remove it to solve from the start",
                    reason ? reason : settings->directory);
        free(reason);
    }
    return status == STATUS_OK ? check_same(settings, &solver->index.summary) : status;
}

/* How many boards a file has something of. */
static uint64_t stretch_members(const struct table_index *index, struct table_stretch stretch)
{
    uint64_t n = 0;
    size_t block;
    for (size_t i = 0; i < index->n_ages; i++) {
        if (table_stretch_block(index, stretch, index->ages[i].age, &block))
            n += stretch.kind == STRETCH_MOVES ? index->ages[i].n_states : index->ages[i].n_afterstates;
    }
    return n;
}

static enum status measure_files(struct solver *solver)
{
    struct solve_report *report = solver->report;
    struct stored_size *of_kind[] = {NULL, &report->sets, &report->values, &report->moves};
    report->bytes = 0;
    report->sets = report->values = report->moves = (struct stored_size){0};
    for (size_t i = 0; i <= solver->index.n_stretches; i++) {
        char name[TABLE_FILE_NAME_BYTES] = "index.table";
        enum stretch_kind kind = 0;
        if (i < solver->index.n_stretches) {
            kind = solver->index.stretches[i].kind;
            table_stretch_name(solver->index.stretches[i], name);
        }
        char *path = table_path(solver->settings->directory, name);
        if (!path)
            return STATUS_NO_MEMORY;
        struct stat found;
        if (stat(path, &found) == 0) {
            report->bytes += (uint64_t)found.st_size;
            if (kind) {
                of_kind[kind]->bytes += (uint64_t)found.st_size;
                of_kind[kind]->members += stretch_members(&solver->index, solver->index.stretches[i]);
            }
        }
        free(path);
    }
    return STATUS_OK;
}

/* Units of a fixed-point value: scores of 12 cells stay below 2^16, where tiles appear as the player likes below 2^17.
 */
static double solve_unit(const struct solve_settings *settings)
{
    if (settings->precision == VALUES_DOUBLE)
        return 1;
    return settings->goal ? 0x1p31 : settings->variant == VARIANT_OPTIMISTIC ? 0x1p15 : 0x1p16;
}

static enum status check_rules(const struct solver *solver)
{
    const struct solve_settings *settings = solver->settings;
    if (!(settings->chance_of_4 >= 0 && settings->chance_of_4 <= 1))
        return status_fail(STATUS_USAGE, "the chance of a 4 is %g, expected 0 to 1", settings->chance_of_4);
    if (settings->goal && (settings->goal < 3 || settings->goal > solver->grid.max_value))
        return status_fail(STATUS_USAGE, "the goal is tile %u, expected one from 8 to %u, the largest of %ux%u",
                           1u << settings->goal, 1u << solver->grid.max_value, settings->rows, settings->cols);
    if (settings->precision == VALUES_FIXED && settings->store == STORE_VALUES &&
        exp2(settings->fraction_bits) > solver->rules.unit)
        return status_fail(STATUS_USAGE, "--precision fixed has %d binary digits of a fraction, --bits asks for %u",
                           ilogb(solver->rules.unit), settings->fraction_bits);
    return STATUS_OK;
}

static enum status prepare(struct solver *solver)
{
    const struct solve_settings *settings = solver->settings;
    enum status status = grid_create(&solver->grid, settings->rows, settings->cols);
    if (status == STATUS_OK && solver->grid.n_cells > LAYOUT_MAX_CELLS)
        status = status_fail(STATUS_INVALID, "a board of %ux%u has %u cells; boards of at most %d cells can be solved",
                             settings->rows, settings->cols, solver->grid.n_cells, LAYOUT_MAX_CELLS);
    if (status == STATUS_OK && settings->checkpoint_every > 1 && settings->store == STORE_VALUES)
        status = status_fail(STATUS_USAGE, "a table of values needs the sets of all ages: --checkpoint-every goes with "
                                           "--store moves or --store none");
    if (status == STATUS_OK)
        status = file_make_directory(settings->directory);
    if (status == STATUS_OK)
        status = lock_directory(solver);
    if (status == STATUS_OK)
        status = solver_remove_temporaries(solver);
    solver->rules = (struct solve_rules){
        .form = settings->precision,
        .unit = solve_unit(settings),
        .variant = settings->variant,
        .chance_of_4 = settings->chance_of_4,
        .goal = settings->goal,
    };
    if (status == STATUS_OK)
        status = check_rules(solver);
    uint32_t last = solver_last_age(solver);
    solver->forward_to_age = settings->to_age && settings->to_age < last ? settings->to_age & ~1u : last;
    return status;
}

static enum status run_passes(struct solver *solver)
{
    const struct table_summary *summary = &solver->index.summary;
    bool counts = !summary->forward_done, values = !summary->backward_done && !solver->settings->to_age;
    enum status status = counts || values ? prepare_layout(solver, solver->forward_to_age) : STATUS_OK;
    if (status == STATUS_OK && counts)
        status = run_forward(solver);
    if (status == STATUS_OK && values && summary->forward_done)
        status = solver_run_backward(solver);
    /* Also where nothing was left to do: a kill may have come between the last index and this. */
    if (status == STATUS_OK && summary->backward_done)
        status = solver_clean_directory(solver);
    return status;
}

/* After a pass has failed on damage that the first check did not see: checks all checksums and repairs. STATUS_CORRUPT,
   with the message of the pass, if all files are good and there is no resume.table to suspect. */
static enum status repair_again(struct solver *solver)
{
    char *reason = memory_copy_text(status_message());
    if (!reason)
        return STATUS_NO_MEMORY;
    size_t n_repaired = 0;
    bool dropped = false;
    enum status status = read_index(solver);
    if (status == STATUS_OK)
        status = solver_repair(solver, REPAIR_CHECK_CHECKSUMS, &n_repaired);
    if (status == STATUS_OK && n_repaired == 0)
        status = solver_drop_resume(solver, reason, &dropped);
    if (status == STATUS_OK && n_repaired == 0 && !dropped)
        status = status_fail(STATUS_CORRUPT, "%s", reason);
    free(reason);
    return status;
}

static enum status repair_and_run(struct solver *solver)
{
    enum { MAX_REPAIRS = 4 }; /* damage that keeps coming back is a failing disk */
    size_t n_repaired;
    enum status status = read_index(solver);
    if (status == STATUS_OK)
        status = solver_repair(solver, REPAIR_CHECK_BY_SIZE, &n_repaired);
    if (status == STATUS_OK)
        status = run_passes(solver);
    for (int i = 0; i < MAX_REPAIRS && status == STATUS_CORRUPT; i++) {
        status = repair_again(solver);
        if (status != STATUS_OK)
            break;
        status = run_passes(solver);
    }
    return status;
}

enum status solve_run(const struct solve_settings *settings, struct workers *workers, struct solve_report *report)
{
    *report = (struct solve_report){0};
    struct solver solver = {.settings = settings, .workers = workers, .report = report, .lock = -1};
    enum status status = prepare(&solver);
    if (status == STATUS_OK)
        status = repair_and_run(&solver);
    if (status == STATUS_OK || status == STATUS_INTERRUPTED) {
        enum status measured = measure_files(&solver);
        status = measured == STATUS_OK ? status : measured;
    }
    report->summary = solver.index.summary;
    layout_free(solver.layout);
    table_index_free(&solver.index);
    free(solver.frame);
    if (solver.lock >= 0)
        close(solver.lock);
    grid_free(&solver.grid);
    return status;
}
