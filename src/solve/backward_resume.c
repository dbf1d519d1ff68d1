/*
 * backward_resume: the exact values from which a backward pass resumes, in the file resume.table; rank 0 reads and
 * writes them for all ranks.
 */
#include "solve/backward_parts.h"

#include "base/bytes.h"
#include "base/file.h"

#include <stdlib.h>
#include <unistd.h>

static const char resume_magic[] = "ASSOLVRS", resume_name[] = "resume.table";
enum { RESUME_VERSION = 1, RESUME_KIND_AGE = 1, RESUME_KIND_VALUES = 2 };

/* The values of all ranks' afterstates of an age, on rank 0; it owns *data only if *gathered is not empty. */
static enum status gather_values(struct solver *solver, struct backward *backward, uint32_t age, const void **data,
                                 struct memory_block *gathered)
{
    uint64_t n, have[CLUSTER_MAX_RANKS + 1], want[CLUSTER_MAX_RANKS + 1] = {0};
    *data = backward_own_values(solver, backward, age, &n);
    if (cluster_size(solver->share.cluster) == 1)
        return STATUS_OK;
    age_share_before(&solver->share, n, have);
    for (unsigned r = 1; r <= cluster_size(solver->share.cluster); r++)
        want[r] = have[cluster_size(solver->share.cluster)];
    enum status status = age_share_realign(&solver->share, STATUS_OK, SHARE_FILES, *data, have, want,
                                           value_form_bytes(solver->rules.form), gathered);
    *data = gathered->data;
    return status;
}

/* The other way: rank 0 has them in *block, and each rank gets its own. */
static enum status scatter_values(struct solver *solver, struct backward *backward, uint32_t age,
                                  struct memory_block *block)
{
    uint64_t n, have[CLUSTER_MAX_RANKS + 1] = {0}, want[CLUSTER_MAX_RANKS + 1];
    if (cluster_size(solver->share.cluster) == 1)
        return STATUS_OK;
    backward_own_values(solver, backward, age, &n);
    age_share_before(&solver->share, n, want);
    for (unsigned r = 1; r <= cluster_size(solver->share.cluster); r++)
        have[r] = want[cluster_size(solver->share.cluster)];
    struct memory_block own = {0};
    enum status status = age_share_realign(&solver->share, STATUS_OK, SHARE_FILES, block->data, have, want,
                                           value_form_bytes(solver->rules.form), &own);
    memory_block_free(block);
    *block = own;
    return status;
}

enum status backward_save(struct solver *solver, struct backward *backward, uint32_t age)
{
    struct block_writer *writer = NULL;
    enum status status = STATUS_OK;
    if (solver_is_first(solver)) {
        char *path = file_path(solver->settings->directory, resume_name);
        status = path ? block_writer_open(&writer, path, resume_magic, RESUME_VERSION) : STATUS_NO_MEMORY;
        free(path);
        uint8_t header[8];
        bytes_store_u64(header, age);
        if (!status)
            status = block_writer_append(writer, RESUME_KIND_AGE, header, sizeof header, BLOCK_RAW);
    }
    status = cluster_follow(solver->share.cluster, status);
    for (uint32_t a = age; a <= age + 2 && !status; a += 2) {
        struct memory_block gathered = {0};
        const void *data;
        uint64_t n_bytes = table_index_age(&solver->index, a)->n_afterstates * value_form_bytes(solver->rules.form);
        status = gather_values(solver, backward, a, &data, &gathered);
        if (!status && solver_is_first(solver))
            status = block_writer_append(writer, RESUME_KIND_VALUES, data, n_bytes, BLOCK_RAW);
        memory_block_free(&gathered);
        status = cluster_follow(solver->share.cluster, status);
    }
    if (!status && writer)
        status = block_writer_commit(writer);
    else
        block_writer_abort(writer);
    return cluster_follow(solver->share.cluster, status);
}

/* The values of an age from the file, on rank 0. */
static enum status read_exact_values(const struct solver *solver, struct memory_block *block,
                                     const struct block_reader *reader, size_t nth, uint32_t age)
{
    const uint64_t n = table_index_age(&solver->index, age)->n_afterstates;
    size_t i, wanted = n * value_form_bytes(solver->rules.form);
    enum status status = block_reader_find(reader, RESUME_KIND_VALUES, nth, &i);
    if (status)
        return status;
    if (block_reader_info(reader, i).raw_bytes != wanted)
        return status_fail(STATUS_CORRUPT, "%s: the values of age %u do not fit its set", block_reader_name(reader),
                           age);
    status = age_share_reserve(block, wanted);
    if (status)
        return status;
    if (wanted)
        status = block_reader_load(reader, i, block->data, block->bytes);
    if (status)
        return status;
    for (uint64_t k = 0; !status && k < n; k++) {
        double value = solve_value_at(&solver->rules, block->data, k);
        if (!(value >= 0 && value < CODE_VALUE_BOUND))
            status = status_fail(STATUS_CORRUPT, "%s: age %u has the value %g, which no game reaches",
                                 block_reader_name(reader), age, value);
    }
    return status;
}

/* The same on all ranks: each has its own. The set of the age is loaded already. */
static enum status load_exact_values(struct solver *solver, struct backward *backward,
                                     const struct block_reader *reader, size_t nth, uint32_t age)
{
    struct memory_block *block = &backward->after_values[backward_slot_of(age)];
    enum status status = STATUS_OK;
    if (solver_is_first(solver))
        status = read_exact_values(solver, block, reader, nth, age);
    status = cluster_follow(solver->share.cluster, status);
    return status ? status : scatter_values(solver, backward, age, block);
}

/* Files that were written after the exact values were saved will be written again, alike: removes them from the
   index. */
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
    enum status status = backward_load_after(solver, backward, age + 2);
    if (status)
        return status;
    status = load_exact_values(solver, backward, reader, 1, age + 2);
    if (status)
        return status;
    status = backward_load_after(solver, backward, age);
    if (status)
        return status;
    if (age >= first + 2)
        status = backward_load_after(solver, backward, age - 2);
    if (status)
        return status;
    status = load_exact_values(solver, backward, reader, 0, age);
    if (status)
        return status;
    return backward_value_states(solver, backward, age + 2, false);
}

/* Opens resume.table, if there is one, and reads its age. */
static enum status open_resume(const struct solver *solver, struct block_reader **reader, uint64_t *age)
{
    uint32_t first = solver_first_age(solver), last = solver_last_age(solver);
    char *path = file_path(solver->settings->directory, resume_name);
    if (!path)
        return STATUS_NO_MEMORY;
    size_t i;
    uint8_t header[8] = {0};
    bool exists = access(path, F_OK) == 0;
    enum status status = exists ? block_reader_open(reader, path, resume_magic, RESUME_VERSION) : STATUS_OK;
    free(path);
    if (!exists || status)
        return status;
    status = block_reader_find(*reader, RESUME_KIND_AGE, 0, &i);
    if (!status)
        status = block_reader_load(*reader, i, header, sizeof header);
    *age = bytes_load_u64(header);
    if (!status && (*age < first || *age > last - 2 || *age % 2))
        status = status_fail(STATUS_CORRUPT, "%s: saved at age %llu, which does not exist", block_reader_name(*reader),
                             (unsigned long long)*age);
    return status;
}

enum status backward_begin(struct solver *solver, struct backward *backward, uint32_t *age)
{
    uint32_t first = solver_first_age(solver), last = solver_last_age(solver);
    struct block_reader *reader = NULL;
    uint64_t saved = 0;
    enum status status = solver_is_first(solver) ? open_resume(solver, &reader, &saved) : STATUS_OK;
    status = cluster_follow(solver->share.cluster, status);
    cluster_broadcast(solver->share.cluster, &saved, sizeof saved);
    const bool resumes = saved > 0;
    *age = resumes ? (uint32_t)saved : last;
    forget_newer_files(solver, AGE_FILE_VALUES, resumes ? *age : UINT32_MAX);
    forget_newer_files(solver, AGE_FILE_MOVES, resumes ? *age + 2 : UINT32_MAX);
    if (!status && resumes) {
        status = restore_from(solver, backward, reader, *age);
    } else if (!status) {
        status = backward_load_after(solver, backward, last);
        if (!status && last >= first + 2)
            status = backward_load_after(solver, backward, last - 2);
    }
    block_reader_close(reader);
    return status;
}
