/* solver_parts: what the passes of a solve and its repair share; private to the solver's files. */
#include "solve/solver_parts.h"

#include "base/file.h"
#include "base/memory.h"
#include "base/number_text.h"
#include "solve/code_share.h"
#include "solve/layout_create.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <unistd.h>

uint32_t solver_first_age(const struct solver *solver)
{
    return walls_first_age(solver->settings->walls, solver->grid.n_cells);
}

uint32_t solver_last_age(const struct solver *solver)
{
    return walls_last_age(solver->settings->walls, solver->grid.n_cells, solver->settings->goal);
}

enum status solver_check_memory(const struct solver *solver, uint32_t age, uint64_t bytes)
{
    if (bytes <= solver->settings->memory_bytes)
        return STATUS_OK;
    return status_fail(STATUS_NO_MEMORY, "age %u needs about %s of memory, %s are allowed (--memory)", age,
                       TEXT_OF_BYTES((double)bytes), TEXT_OF_BYTES((double)solver->settings->memory_bytes));
}

uint64_t solver_set_bytes(const struct solver *solver, uint32_t age, bool ranked)
{
    static const size_t word = sizeof(uint64_t), rank = sizeof(uint32_t);
    if (age > solver->layout->max_age || age_frame_fill(solver->frame, solver->layout, age) != STATUS_OK)
        return 0;
    uint64_t words = solver->frame->n_words + solver->frame->n_words / 8;
    return words * (word + (ranked ? rank : 0));
}

bool solver_is_first(const struct solver *solver)
{
    return cluster_is_first(solver->share.cluster);
}

enum status solver_agree(const struct solver *solver, enum status status)
{
    return cluster_agree(solver->share.cluster, status);
}

/* The block of an age in the files of sets, and its code; *reader is to be closed in any case. */
static enum status open_stored_set(const struct solver *solver, uint32_t age, struct block_reader **reader,
                                   struct piece_code *code)
{
    for (size_t i = 0; i < solver->index.n_files; i++) {
        struct age_file file = solver->index.files[i];
        size_t block, bytes;
        const void *data;
        if (file.kind != AGE_FILE_SETS || !table_file_block(&solver->index, file, age, &block))
            continue;
        enum status status = age_file_open(reader, solver->settings->directory, file);
        if (!status && block >= block_reader_count(*reader))
            status = status_fail(STATUS_CORRUPT, "%s: has no block for age %u", block_reader_name(*reader), age);
        if (!status)
            status = block_reader_view(*reader, block, &data, &bytes);
        return status ? status : set_code_open(code, data, bytes);
    }
    return status_fail(STATUS_CORRUPT, "%s: the set of age %u is missing", solver->settings->directory, age);
}

enum status solver_load_set(struct solver *solver, uint32_t age, struct age_set *set, struct age_bounds *bounds)
{
    struct block_reader *reader = NULL;
    struct piece_code code = {0};
    enum status status = age_set_begin(set, solver->layout, age, solver->workers);
    if (!status && solver_is_first(solver))
        status = open_stored_set(solver, age, &reader, &code);
    status = code_share_read_set(&solver->share, status, &code, set, bounds);
    block_reader_close(reader);
    return status;
}

struct age_file_writer solver_file_writer(const struct solver *solver, enum age_file_kind kind)
{
    uint64_t members = solver->settings->file_members;
    return (struct age_file_writer){
        .kind = kind, .directory = solver->settings->directory, .full_at = members ? members : AGE_FILE_MEMBERS};
}

enum status solver_remove_file(const struct solver *solver, const char *name)
{
    char *path = file_path(solver->settings->directory, name);
    if (!path)
        return STATUS_NO_MEMORY;
    enum status status = STATUS_OK;
    if (unlink(path) != 0 && errno != ENOENT)
        status = status_fail_errno(STATUS_IO, "%s: cannot remove", path);
    free(path);
    return status;
}

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
        .walls = settings->walls,
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

enum status solver_prepare_layout(struct solver *solver, uint32_t max_age)
{
    if (solver->layout && solver->layout->max_age >= max_age)
        return STATUS_OK;
    layout_free(solver->layout);
    free(solver->frame);
    solver->frame = NULL;
    solver->layout = NULL;
    enum status status =
        layout_create(&solver->layout, &solver->grid, max_age + 4, solver->rules.goal, solver->settings->walls);
    if (status)
        return status;
    solver->table_bytes = layout_bytes(solver->layout);
    solver->frame = age_frame_allocate(solver->layout);
    return solver->frame ? STATUS_OK : STATUS_NO_MEMORY;
}
