/* repair: finds files of a table directory that are missing or damaged, and prepares the solver to make them again. */
#include "solve/repair.h"

#include "base/blockfile.h"
#include "base/file.h"
#include "solve/age_code.h"
#include "solve/age_file.h"
#include "solve/forward.h"
#include "solve/leftovers.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

enum { NOTICE_BYTES = 1024 };

static void give_notice(const struct solver *solver, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void give_notice(const struct solver *solver, const char *format, ...)
{
    char text[NOTICE_BYTES];
    va_list arguments;
    if (!solver->settings->notice)
        return;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    solver->settings->notice(solver->settings->notice_context, text);
}

/* ---- finding damage ---------------------------------------------------------------------------------------------- */

/* The block of an age: its checksum, its form, and what the index says of it. */
static enum status check_block(const struct solver *solver, const struct block_reader *reader, size_t block,
                               enum age_file_kind kind, const struct table_age *known)
{
    const void *data;
    size_t bytes;
    struct piece_code pieces = {0};
    struct value_code values = {0};
    enum status status = block_reader_view(reader, block, &data, &bytes);
    if (status)
        return status;
    status = kind == AGE_FILE_SETS     ? set_code_open(&pieces, data, bytes)
             : kind == AGE_FILE_VALUES ? value_code_open(&values, data, bytes)
                                       : move_code_open(&pieces, data, bytes);
    if (status)
        return status_context(status, "%s", block_reader_name(reader));
    uint32_t age = kind == AGE_FILE_VALUES ? values.age : pieces.age;
    uint64_t members = kind == AGE_FILE_VALUES ? values.n_values : pieces.n_members;
    uint64_t expected = kind == AGE_FILE_MOVES ? known->n_states : known->n_afterstates;
    bool fits = age == known->age && members == expected &&
                (kind != AGE_FILE_VALUES || values.fraction_bits == solver->index.summary.fraction_bits);
    return fits ? STATUS_OK
                : status_fail(STATUS_CORRUPT, "%s: block %zu is not age %u of this table", block_reader_name(reader),
                              block, known->age);
}

static enum status check_ages(const struct solver *solver, const struct block_reader *reader, struct age_file file,
                              bool checksums)
{
    uint32_t low = file.first_age < file.last_age ? file.first_age : file.last_age;
    uint32_t high = file.first_age < file.last_age ? file.last_age : file.first_age;
    enum status status = STATUS_OK;
    for (uint32_t age = low; age <= high && !status; age += 2) {
        size_t block;
        if (!table_file_block(&solver->index, file, age, &block))
            continue;
        if (block >= block_reader_count(reader))
            status = status_fail(STATUS_CORRUPT, "%s: has no block for age %u", block_reader_name(reader), age);
        else if (checksums)
            status = check_block(solver, reader, block, file.kind, table_index_age(&solver->index, age));
    }
    return status;
}

/* Whether a file is there and good; if not, *message says why. Fails where the system cannot say. */
static enum status check_file(const struct solver *solver, struct age_file file, bool checksums, bool *good,
                              char *message)
{
    char name[TABLE_FILE_NAME_BYTES];
    *good = true;
    if (!table_index_age(&solver->index, file.first_age) || !table_index_age(&solver->index, file.last_age))
        return status_fail(STATUS_CORRUPT, "%s/index.table: names %s with ages %u to %u, which it has not counted",
                           solver->settings->directory, table_file_name(file, name), file.first_age, file.last_age);
    char *path = file_path(solver->settings->directory, table_file_name(file, name));
    if (!path)
        return STATUS_NO_MEMORY;
    bool missing = access(path, F_OK) != 0;
    snprintf(message, NOTICE_BYTES, "%s is missing", path);
    free(path);
    *good = false;
    if (missing)
        return STATUS_OK;
    struct block_reader *reader;
    enum status status = age_file_open(&reader, solver->settings->directory, file);
    if (!status)
        status = check_ages(solver, reader, file, checksums);
    block_reader_close(reader);
    *good = !status;
    if (status == STATUS_CORRUPT) {
        snprintf(message, NOTICE_BYTES, "%s", status_message());
        status = STATUS_OK;
    }
    return status;
}

/* Bytes of a file that the index names, 0 if it is missing. */
static uint64_t age_file_bytes(const struct solver *solver, struct age_file file)
{
    char name[TABLE_FILE_NAME_BYTES];
    struct stat found;
    char *path = file_path(solver->settings->directory, table_file_name(file, name));
    uint64_t bytes = path && stat(path, &found) == 0 ? (uint64_t)found.st_size : 0;
    free(path);
    return bytes;
}

/* ---- repairing --------------------------------------------------------------------------------------------------- */

/* The index of a table that is counted but has no values: the backward pass begins at the top. */
static enum status forget_values(struct solver *solver)
{
    struct table_index *index = &solver->index;
    for (size_t i = index->n_files; i-- > 0;) {
        if (index->files[i].kind != AGE_FILE_SETS)
            table_index_remove_file(index, i);
    }
    for (size_t i = 0; i < index->n_ages; i++)
        index->ages[i].best_value = NAN;
    index->summary.backward_done = false;
    index->summary.expected_score = NAN;
    for (int i = 0; i < TABLE_START_KINDS; i++)
        index->summary.start_value[i] = NAN;
    bool existed;
    enum status status = repair_drop_resume(solver, NULL, &existed);
    return status ? status : table_index_write(index, solver->settings->directory);
}

/* After files of values or moves were lost. */
static enum status repair_values(struct solver *solver)
{
    const char *directory = solver->settings->directory;
    if (solver->index.summary.store != STORE_MOVES || !solver->index.summary.backward_done) {
        give_notice(solver, "%s: the backward pass runs again from age %u", directory, solver_last_age(solver));
        return forget_values(solver);
    }
    give_notice(solver, "%s: a finished table of moves keeps no sets, so the board is solved again from the start",
                directory);
    solver_reset_index(solver);
    return table_index_write(&solver->index, directory);
}

static enum status repair_sets(struct solver *solver, struct age_file file, const char *message)
{
    uint32_t first = solver_first_age(solver), from = forward_restart_age(solver, file.first_age);
    if (from >= first + 4)
        give_notice(solver, "%s; computing ages %u to %u again from ages %u and %u", message, file.first_age,
                    file.last_age, from - 4, from - 2);
    else
        give_notice(solver, "%s; computing ages %u to %u again from the start", message, file.first_age, file.last_age);
    return forward_remake_sets(solver, file);
}

enum status repair_drop_resume(struct solver *solver, const char *reason, bool *existed)
{
    static const char name[] = "resume.table";
    char *path = file_path(solver->settings->directory, name);
    if (!path)
        return STATUS_NO_MEMORY;
    *existed = access(path, F_OK) == 0;
    if (*existed && reason)
        give_notice(solver, "%s is not usable (%s); the backward pass runs again from age %u", path, reason,
                    solver_last_age(solver));
    free(path);
    return *existed ? solver_remove_file(solver, name) : STATUS_OK;
}

enum status repair_notice_no_index(const struct solver *solver)
{
    size_t n;
    enum status status = leftovers_count_unnamed(solver, &n);
    if (!status && n)
        give_notice(solver,
                    "%s/index.table is missing, and %zu other files cannot be used without it; the board is "
                    "solved from the start",
                    solver->settings->directory, n);
    return status;
}

/* A check of all files. */
struct examination {
    struct solver *solver;
    bool checksums;
    struct progress progress;
    double done_bytes;
};

static enum status examine(struct examination *examination, struct age_file file, bool *good, char *message)
{
    struct solver *solver = examination->solver;
    double bytes = (double)age_file_bytes(solver, file); /* now: the file may be made again */
    enum status status = check_file(solver, file, examination->checksums, good, message);
    progress_update(&examination->progress, examination->done_bytes += bytes, NULL);
    return status;
}

/* Values and moves first: if they are lost, the index changes, and sets may no longer matter. */
static enum status examine_values(struct examination *examination, size_t *n_lost)
{
    const struct table_index *index = &examination->solver->index;
    enum status status = STATUS_OK;
    for (size_t i = 0; i < index->n_files && !status; i++) {
        char message[NOTICE_BYTES];
        bool good = true;
        if (index->files[i].kind != AGE_FILE_SETS)
            status = examine(examination, index->files[i], &good, message);
        if (!status && !good) {
            give_notice(examination->solver, "%s", message);
            ++*n_lost;
        }
    }
    return !status && *n_lost ? repair_values(examination->solver) : status;
}

/* Upwards, so that a lost file finds the ages before it repaired. */
static enum status examine_sets(struct examination *examination, size_t *n_lost)
{
    const struct table_index *index = &examination->solver->index;
    enum status status = STATUS_OK;
    for (size_t i = 0; i < index->n_files && !status; i++) {
        char message[NOTICE_BYTES];
        bool good = true;
        if (index->files[i].kind == AGE_FILE_SETS)
            status = examine(examination, index->files[i], &good, message);
        if (!status && !good) {
            status = repair_sets(examination->solver, index->files[i], message);
            ++*n_lost;
        }
    }
    return status;
}

enum status repair_files(struct solver *solver, enum repair_check check, size_t *n_repaired)
{
    const struct solve_settings *settings = solver->settings;
    uint64_t limit = settings->checked_bytes ? settings->checked_bytes : REPAIR_CHECKED_BYTES, bytes = 0;
    for (size_t i = 0; i < solver->index.n_files; i++)
        bytes += age_file_bytes(solver, solver->index.files[i]);
    struct examination examination = {.solver = solver};
    examination.checksums = check == REPAIR_CHECK_CHECKSUMS || bytes <= limit;
    bool takes_long = examination.checksums && bytes >= UINT64_C(1) << 30;
    progress_begin(&examination.progress, settings->progress_stream,
                   takes_long ? settings->progress_mode : PROGRESS_QUIET, "checking", "bytes", (double)bytes);
    *n_repaired = 0;
    enum status status = examine_values(&examination, n_repaired);
    if (!status)
        status = examine_sets(&examination, n_repaired);
    progress_end(&examination.progress, NULL);
    return status;
}
