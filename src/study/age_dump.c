/*
 * One thread walks a set in order and collects boards in batches; all workers look up the values of a batch, and it is
 * appended to the files. Walking and writing take some nanoseconds a board and a look-up takes much longer, so one
 * walking thread keeps the workers busy.
 */
#include "study/age_dump.h"

#include "base/bytes.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/npy.h"
#include "base/signals.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { PIECE_BOARDS = 1 << 13, GROUP_BOARDS = 1 << 6 }; /* a group takes some ten microseconds */

static const char *const file_names[DUMP_FILES] = {"afterstates", "afterstate-values", "states", "state-values"};

struct dump {
    const struct dump_request *request;
    unsigned n_cells;
    bool has_values;
    struct age_set afterstates;
    bool of_states; /* the set that is walked: states, or afterstates */
    struct file_writer *boards, *values;
    uint64_t first, n; /* the piece: position of its first board, number of boards */
    uint64_t n_done;   /* boards of all sets so far */
    uint64_t cells[PIECE_BOARDS];
    uint8_t board_bytes[PIECE_BOARDS * BOARD_MAX_CELLS], value_bytes[PIECE_BOARDS * sizeof(double)];
};

/* ---- values ------------------------------------------------------------------------------------------------------ */

/* The best of reward + value of the afterstate over the legal moves; 0 if there are none. In a table with a goal the
   best chance: 1 if a move makes it. */
static enum status find_state_value(const struct dump *dump, uint64_t cells, double *value)
{
    const struct dump_request *request = dump->request;
    const bool scores = table_summary(request->table)->goal == 0;
    struct moves moves = table_moves(request->table, (struct board){.cells = cells});
    *value = 0; /* rewards and values are not negative */
    for (unsigned d = 0; d < DIRECTION_COUNT; d++) {
        if (!(moves.legal >> d & 1))
            continue;
        uint32_t position;
        double after;
        if (table_is_won(request->table, moves.after[d])) {
            *value = 1;
            return STATUS_OK;
        }
        if (!age_set_find(&dump->afterstates, moves.after[d], &position))
            return status_fail(STATUS_CORRUPT, "%s: the set of age %u lacks an afterstate of one of its states",
                               table_directory(request->table), request->age);
        enum status status = table_value_at(request->table, request->age, position, &after);
        if (status)
            return status;
        if (scores)
            after += moves.reward[d];
        *value = after > *value ? after : *value;
    }
    return STATUS_OK;
}

static enum status fill_group(void *context, unsigned worker, uint64_t group)
{
    (void)worker;
    struct dump *dump = context;
    const struct dump_request *request = dump->request;
    for (uint64_t i = group * GROUP_BOARDS; i < (group + 1) * GROUP_BOARDS && i < dump->n; i++) {
        double value;
        enum status status = dump->of_states ? find_state_value(dump, dump->cells[i], &value)
                                             : table_value_at(request->table, request->age, dump->first + i, &value);
        if (status)
            return status;
        uint64_t bits;
        memcpy(&bits, &value, sizeof bits);
        bytes_store_u64(dump->value_bytes + i * sizeof bits, bits);
    }
    return STATUS_OK;
}

/* ---- files ------------------------------------------------------------------------------------------------------- */

enum status age_dump_path(const char *folder, enum dump_file file, uint32_t age, char path[PATH_MAX])
{
    if ((size_t)snprintf(path, PATH_MAX, "%s/%s-%u.npy", folder, file_names[file], age) >= PATH_MAX)
        return status_fail(STATUS_IO, "%s: the path is too long", folder);
    return STATUS_OK;
}

/* Removes the files of an earlier dump: values of other boards beside the new ones would mislead. */
static enum status remove_files(const struct dump_request *request)
{
    char path[PATH_MAX];
    for (unsigned file = 0; file < DUMP_FILES; file++) {
        enum status status = age_dump_path(request->folder, file, request->age, path);
        if (status)
            return status;
        if (unlink(path) != 0 && errno != ENOENT)
            return status_fail_errno(STATUS_IO, "%s: cannot remove it", path);
    }
    return STATUS_OK;
}

static enum status open_file(const struct dump *dump, enum dump_file file, enum npy_type type, unsigned n_dims,
                             uint64_t count, struct file_writer **out)
{
    char path[PATH_MAX];
    uint8_t header[NPY_HEADER_BYTES];
    const uint64_t shape[] = {count, dump->n_cells};
    enum status status = age_dump_path(dump->request->folder, file, dump->request->age, path);
    if (!status)
        status = file_writer_open(out, path);
    return status ? status : file_writer_append(*out, header, npy_write_header(header, type, n_dims, shape));
}

/* Appends the piece to the files and begins the next one. */
static enum status write_piece(struct dump *dump)
{
    const uint16_t walls = table_summary(dump->request->table)->walls.cells;
    enum status status = STATUS_OK;
    for (uint64_t i = 0; i < dump->n; i++)
        for (unsigned cell = 0; cell < dump->n_cells; cell++)
            dump->board_bytes[i * dump->n_cells + cell] =
                walls >> cell & 1 ? DUMP_WALL : (uint8_t)board_get((struct board){.cells = dump->cells[i]}, cell);
    if (dump->values)
        status = workers_for(dump->request->workers, (dump->n + GROUP_BOARDS - 1) / GROUP_BOARDS, fill_group, dump);
    if (!status)
        status = file_writer_append(dump->boards, dump->board_bytes, dump->n * dump->n_cells);
    if (!status && dump->values)
        status = file_writer_append(dump->values, dump->value_bytes, dump->n * sizeof(double));
    dump->n_done += dump->n;
    dump->first += dump->n;
    dump->n = 0;
    if (dump->request->progress)
        progress_update(dump->request->progress, (double)dump->n_done, NULL);
    if (!status && signals_interrupted())
        status = status_fail(STATUS_INTERRUPTED, "stopped; the files under way were discarded");
    return status;
}

static enum status write_boards(struct dump *dump, const struct age_set *set)
{
    enum status status = STATUS_OK;
    dump->first = dump->n = 0;
    for (size_t i = 0; i < set->n_spans && !status; i++) {
        struct age_walk walk;
        age_walk_begin(&walk, set, &set->spans[i]);
        while (!status && age_walk_next(&walk)) {
            dump->cells[dump->n++] = walk.cells;
            if (dump->n == PIECE_BOARDS)
                status = write_piece(dump);
        }
    }
    return status ? status : write_piece(dump);
}

/* Writes the boards of a set to `file`, and their values to the file after it if the table has them. */
static enum status write_set(struct dump *dump, const struct age_set *set, enum dump_file file,
                             struct dump_report *report)
{
    struct file_writer *writers[2];
    enum status status = open_file(dump, file, NPY_UINT8, 2, set->count, &dump->boards);
    if (status)
        goto done;
    if (dump->has_values)
        status = open_file(dump, file + 1, NPY_FLOAT64, 1, set->count, &dump->values);
    if (status)
        goto done;
    status = write_boards(dump, set);
done:
    writers[0] = dump->boards;
    writers[1] = dump->values;
    dump->boards = dump->values = NULL;
    for (unsigned i = 0; i < 2; i++) {
        if (status)
            file_writer_abort(writers[i]);
        else if (writers[i])
            report->written[file + i] = (status = file_writer_commit(writers[i])) == STATUS_OK;
    }
    return status;
}

/* ---- the dump ---------------------------------------------------------------------------------------------------- */

/* Whether the table has values of the age: a solve that was stopped may have them for later ages only. */
static enum status find_values(const struct dump_request *request, const struct table_age *age, bool *has_values)
{
    const struct table_summary *summary = table_summary(request->table);
    double value;
    *has_values = summary->store == STORE_VALUES && summary->backward_done;
    if (*has_values || age->n_afterstates == 0)
        return STATUS_OK;
    enum status status = table_value_at(request->table, age->age, 0, &value);
    *has_values = !status;
    return status == STATUS_USAGE ? STATUS_OK : status;
}

static enum status dump_age(struct dump *dump, const struct table_age *age, struct dump_report *report)
{
    const struct dump_request *request = dump->request;
    struct age_set states = {0};
    enum status status = find_values(request, age, &dump->has_values);
    if (status)
        goto done;
    status = table_load_set(request->table, request->workers, age->age, &dump->afterstates);
    if (status)
        goto done;
    status = file_make_directory(request->folder);
    if (status)
        goto done;
    status = remove_files(request);
    if (status)
        goto done;
    status = write_set(dump, &dump->afterstates, DUMP_AFTERSTATES, report);
    if (status)
        goto done;
    status = table_load_states(request->table, request->workers, age->age, &states);
    dump->of_states = true;
    if (!status)
        status = write_set(dump, &states, DUMP_STATES, report);
    else if (status == STATUS_USAGE) /* the sets that the states follow from are not in the table */
        status = STATUS_OK;
done:
    age_set_free(&states);
    return status;
}

static enum status fail_age(const struct table *table, uint32_t age)
{
    size_t n_ages = table_n_ages(table);
    if (n_ages == 0)
        return status_fail(STATUS_INVALID, "%s: no age is counted yet", table_directory(table));
    return status_fail(STATUS_INVALID, "%s: there is no age %u; the ages are the even numbers from %u to %u",
                       table_directory(table), age, table_age_at(table, 0)->age, table_age_at(table, n_ages - 1)->age);
}

enum status age_dump_write(const struct dump_request *request, struct dump_report *report)
{
    const struct table_age *age = table_age_of(request->table, request->age);
    *report = (struct dump_report){0};
    if (!age)
        return fail_age(request->table, request->age);
    report->n_afterstates = age->n_afterstates;
    report->n_states = age->n_states;
    struct dump *dump = memory_allocate(1, sizeof *dump);
    if (!dump)
        return STATUS_NO_MEMORY;
    dump->request = request;
    dump->n_cells = table_grid(request->table)->n_cells;
    enum status status = dump_age(dump, age, report);
    age_set_free(&dump->afterstates);
    free(dump);
    return status;
}

uint64_t age_dump_boards(const struct table *table, uint32_t age)
{
    const struct table_age *found = table_age_of(table, age);
    return found ? found->n_afterstates + found->n_states : 0;
}
