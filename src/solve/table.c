/* table: a table directory that `solve` has written, open for reading. */
#include "solve/table.h"

#include "base/blockfile.h"
#include "solve/age_code.h"
#include "solve/age_file.h"
#include "solve/expand.h"
#include "solve/layout_create.h"

#include <assert.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

/* One code of an age, open: values, or a set or moves in pieces. */
struct age_code {
    struct piece_code pieces;
    struct value_code values;
};

/* One block of an age: where it is, and its code, opened at the first use. */
struct located_block {
    struct block_reader *reader; /* NULL: not in the table */
    size_t block;
    _Atomic(struct age_code *) code;
};

struct table_entry {
    struct located_block of[AGE_FILE_MOVES + 1]; /* by enum age_file_kind */
    _Atomic(struct age_frame *) frame;           /* made at the first use */
};

struct table {
    char *directory;
    struct grid grid;
    struct layout *layout;
    struct table_index index;
    struct block_reader **readers; /* of the files of the index */
    struct table_entry *entries;   /* of the ages of the index */
};

/* ---- opening ----------------------------------------------------------------------------------------------------- */

static enum status locate_ages(struct table *table, struct age_file file, struct block_reader *reader)
{
    uint32_t low = file.first_age < file.last_age ? file.first_age : file.last_age;
    uint32_t high = file.first_age < file.last_age ? file.last_age : file.first_age;
    for (uint32_t age = low; age <= high; age += 2) {
        size_t block;
        if (!table_file_block(&table->index, file, age, &block))
            continue;
        const struct table_age *known = table_index_age(&table->index, age);
        if (!known)
            return status_fail(STATUS_CORRUPT, "%s: has age %u, which the index does not know",
                               block_reader_name(reader), age);
        if (block >= block_reader_count(reader))
            return status_fail(STATUS_CORRUPT, "%s: has %zu ages, number %zu (age %u) is wanted",
                               block_reader_name(reader), block_reader_count(reader), block, age);
        struct located_block *place = &table->entries[known - table->index.ages].of[file.kind];
        place->reader = reader;
        place->block = block;
    }
    return STATUS_OK;
}

static enum status open_files(struct table *table)
{
    const struct table_summary *summary = &table->index.summary;
    enum status status = grid_create(&table->grid, summary->rows, summary->cols);
    if (status)
        return status;
    uint32_t last = table->index.n_ages ? table->index.ages[table->index.n_ages - 1].age : 0;
    status = layout_create(&table->layout, &table->grid, last + 4, summary->goal, summary->walls);
    if (status)
        return status;
    table->entries = memory_allocate(table->index.n_ages, sizeof *table->entries);
    table->readers = memory_allocate(table->index.n_files, sizeof *table->readers);
    if (!table->entries || !table->readers)
        return STATUS_NO_MEMORY;
    for (size_t i = 0; i < table->index.n_files && !status; i++) {
        struct age_file file = table->index.files[i];
        status = age_file_open(&table->readers[i], table->directory, file);
        if (!status)
            status = locate_ages(table, file, table->readers[i]);
    }
    return status;
}

enum status table_open(struct table **out, const char *directory)
{
    *out = NULL;
    struct table *table = memory_allocate(1, sizeof *table);
    if (!table)
        return STATUS_NO_MEMORY;
    table->directory = memory_copy_text(directory);
    enum status status = table->directory ? table_index_read(&table->index, directory) : STATUS_NO_MEMORY;
    if (!status)
        status = open_files(table);
    if (status) {
        table_close(table);
        return status;
    }
    *out = table;
    return STATUS_OK;
}

static void free_code(struct age_code *code)
{
    if (code)
        piece_code_forget(&code->pieces);
    free(code);
}

void table_close(struct table *table)
{
    if (!table)
        return;
    for (size_t i = 0; table->readers && i < table->index.n_files; i++)
        block_reader_close(table->readers[i]);
    for (size_t i = 0; table->entries && i < table->index.n_ages; i++) {
        free(atomic_load(&table->entries[i].frame));
        for (unsigned kind = 0; kind <= AGE_FILE_MOVES; kind++)
            free_code(atomic_load(&table->entries[i].of[kind].code));
    }
    free(table->readers);
    free(table->entries);
    table_index_free(&table->index);
    layout_free(table->layout);
    grid_free(&table->grid);
    free(table->directory);
    free(table);
}

const struct table_summary *table_summary(const struct table *table)
{
    return &table->index.summary;
}

const struct grid *table_grid(const struct table *table)
{
    return &table->grid;
}

const struct layout *table_layout(const struct table *table)
{
    return table->layout;
}

const char *table_directory(const struct table *table)
{
    return table->directory;
}

enum status table_check_same_rules(const struct table *table, const struct table *other)
{
    const struct table_summary *one = table_summary(table), *two = table_summary(other);
    char objective_1[TABLE_OBJECTIVE_BYTES], objective_2[TABLE_OBJECTIVE_BYTES];
    if (!walls_equal(one->walls, two->walls))
        return status_fail(STATUS_INVALID, "%s and %s have different walls", table->directory, other->directory);
    if (one->goal == two->goal && one->chance_of_4 == two->chance_of_4)
        return STATUS_OK;
    return status_fail(STATUS_INVALID,
                       "%s was solved with --objective %s --four-chance %.10g, %s with --objective %s --four-chance "
                       "%.10g: tables of different rules do not mix",
                       table->directory, table_objective_text(one->goal, objective_1), one->chance_of_4,
                       other->directory, table_objective_text(two->goal, objective_2), two->chance_of_4);
}

size_t table_n_ages(const struct table *table)
{
    return table->index.n_ages;
}

const struct table_age *table_age_at(const struct table *table, size_t i)
{
    assert(i < table->index.n_ages);
    return &table->index.ages[i];
}

const struct table_age *table_age_of(const struct table *table, uint32_t age)
{
    return table_index_age(&table->index, age);
}

/* ---- blocks of an age -------------------------------------------------------------------------------------------- */

static struct table_entry *entry_of(const struct table *table, uint32_t age)
{
    const struct table_age *known = table_index_age(&table->index, age);
    return known ? &table->entries[known - table->index.ages] : NULL;
}

bool table_has_set(const struct table *table, uint32_t age)
{
    const struct table_entry *entry = entry_of(table, age);
    return entry && entry->of[AGE_FILE_SETS].reader;
}

static enum status wrong_age(const struct table *table, uint32_t age, uint32_t found)
{
    return status_fail(STATUS_CORRUPT, "%s: where age %u should be, age %u is", table->directory, age, found);
}

static enum status wrong_count(const struct table *table, uint32_t age, uint64_t found, const char *what,
                               uint64_t expected)
{
    return status_fail(STATUS_CORRUPT, "%s: age %u has %llu %s, the index says %llu", table->directory, age,
                       (unsigned long long)found, what, (unsigned long long)expected);
}

/* Makes a code of a block's bytes and checks it against the index. */
static enum status make_code(const struct table *table, uint32_t age, enum age_file_kind kind, const void *data,
                             size_t bytes, struct age_code *code)
{
    const struct table_age *known = table_index_age(&table->index, age);
    enum status status = kind == AGE_FILE_SETS     ? set_code_open(&code->pieces, data, bytes)
                         : kind == AGE_FILE_VALUES ? value_code_open(&code->values, data, bytes)
                                                   : move_code_open(&code->pieces, data, bytes);
    if (status)
        return status_context(status, "%s", table->directory);
    if (kind == AGE_FILE_VALUES) {
        if (code->values.age != age)
            return wrong_age(table, age, code->values.age);
        if (code->values.n_values != known->n_afterstates)
            return wrong_count(table, age, code->values.n_values, "values", known->n_afterstates);
        return STATUS_OK;
    }
    uint64_t expected = kind == AGE_FILE_SETS ? known->n_afterstates : known->n_states;
    if (code->pieces.age != age)
        return wrong_age(table, age, code->pieces.age);
    if (code->pieces.n_members != expected)
        return wrong_count(table, age, code->pieces.n_members, "boards", expected);
    return kind == AGE_FILE_SETS ? piece_code_remember(&code->pieces) : STATUS_OK;
}

/* The open code of an age, its checksum verified. The first thread to need it opens it; the others use that one. */
static enum status open_code(const struct table *table, uint32_t age, enum age_file_kind kind,
                             const struct age_code **code)
{
    static const char *const words[] = {"", "set", "values", "moves"};
    struct table_entry *entry = entry_of(table, age);
    struct located_block *place = entry ? &entry->of[kind] : NULL;
    const void *data;
    size_t bytes;
    *code = NULL;
    if (!place || !place->reader)
        return status_fail(STATUS_USAGE, "%s: the %s of age %u %s not in this table", table->directory, words[kind],
                           age, kind == AGE_FILE_SETS ? "is" : "are");
    struct age_code *opened = atomic_load_explicit(&place->code, memory_order_acquire);
    *code = opened;
    if (opened)
        return STATUS_OK;
    enum status status = block_reader_view(place->reader, place->block, &data, &bytes);
    if (status)
        return status;
    struct age_code *made = memory_allocate(1, sizeof *made);
    status = made ? make_code(table, age, kind, data, bytes, made) : STATUS_NO_MEMORY;
    if (!status && atomic_compare_exchange_strong(&place->code, &opened, made)) {
        *code = made;
        return STATUS_OK;
    }
    free_code(made);
    *code = opened;
    return status;
}

/* The frame of an age of the index. The first thread to need it makes it; the others use that one. */
static const struct age_frame *frame_of(const struct table *table, uint32_t age)
{
    struct table_entry *entry = entry_of(table, age);
    struct age_frame *frame = atomic_load_explicit(&entry->frame, memory_order_acquire);
    if (frame)
        return frame;
    struct age_frame *made = age_frame_allocate(table->layout);
    if (!made || age_frame_fill(made, table->layout, age) != STATUS_OK) {
        free(made);
        return NULL;
    }
    struct age_frame *small = memory_resize(made, 1, sizeof *made + made->n_sums * sizeof made->rows[0]);
    made = small ? small : made;
    if (atomic_compare_exchange_strong(&entry->frame, &frame, made))
        return made;
    free(made);
    return frame;
}

/* ---- single boards ----------------------------------------------------------------------------------------------- */

bool table_is_won(const struct table *table, struct board board)
{
    unsigned goal = table->index.summary.goal;
    return goal && board_max_value(board) >= goal;
}

static enum status check_board(const struct table *table, struct board board)
{
    if (!grid_holds(&table->grid, board) || board_max_value(board) > table->grid.max_value ||
        board.cells & ~(table->layout->free_bits * 15))
        return status_fail(STATUS_INVALID, "no game on %ux%u reaches such a board", table->grid.rows, table->grid.cols);
    if (table->index.summary.walls.caps && !walls_allow(table->index.summary.walls, board))
        return status_fail(STATUS_INVALID, "a tile is larger than %s allows on its cell", table->directory);
    if (!table_is_won(table, board))
        return STATUS_OK;
    return status_fail(STATUS_INVALID, "the board already has a %u; %s holds the chance that a %u is made",
                       1u << board_max_value(board), table->directory, 1u << table->index.summary.goal);
}

enum status table_find(const struct table *table, struct board board, bool *found, uint64_t *position)
{
    *found = false;
    enum status status = check_board(table, board);
    uint32_t age = board_age(board);
    const struct table_age *known = table_index_age(&table->index, age);
    if (status)
        return status;
    if (!known && !table->index.summary.forward_done)
        return status_fail(STATUS_USAGE, "%s: age %u is not counted yet", table->directory, age);
    if (!known || known->n_afterstates == 0)
        return STATUS_OK;
    const struct age_code *code;
    const struct age_frame *frame = frame_of(table, age);
    if (!frame)
        return STATUS_NO_MEMORY;
    status = open_code(table, age, AGE_FILE_SETS, &code);
    uint64_t number, where;
    if (status || !age_frame_number(frame, board, &number))
        return status;
    status = set_code_find(&code->pieces, number, found, &where);
    if (!status && *found && position)
        *position = where;
    return status;
}

static enum status check_position(uint32_t age, uint64_t position, uint64_t n_afterstates)
{
    if (position < n_afterstates)
        return STATUS_OK;
    return status_fail(STATUS_USAGE, "age %u has %llu afterstates, number %llu is wanted", age,
                       (unsigned long long)n_afterstates, (unsigned long long)position);
}

enum status table_value_at(const struct table *table, uint32_t age, uint64_t position, double *value)
{
    const struct age_code *code;
    enum status status = open_code(table, age, AGE_FILE_VALUES, &code);
    if (status)
        return status;
    status = check_position(age, position, code->values.n_values);
    if (!status)
        *value = value_code_get(&code->values, position);
    return status;
}

enum status table_value(const struct table *table, struct board board, double *value)
{
    bool found;
    uint64_t position;
    enum status status = table_find(table, board, &found, &position);
    if (!status && !found)
        status =
            status_fail(STATUS_INVALID, "no game on %ux%u reaches this afterstate", table->grid.rows, table->grid.cols);
    return status ? status : table_value_at(table, board_age(board), position, value);
}

enum status table_move_value(const struct table *table, struct board after, uint32_t reward, double *value)
{
    if (table_is_won(table, after)) {
        *value = 1;
        return STATUS_OK;
    }
    enum status status = table_value(table, after, value);
    if (!status && !table->index.summary.goal)
        *value += reward;
    return status;
}

enum status table_board_at(const struct table *table, uint32_t age, uint64_t position, struct board *board)
{
    const struct age_code *code;
    enum status status = open_code(table, age, AGE_FILE_SETS, &code);
    if (status)
        return status;
    status = check_position(age, position, code->pieces.n_members);
    if (status)
        return status;
    uint64_t number;
    const struct age_frame *frame = frame_of(table, age);
    if (!frame)
        return STATUS_NO_MEMORY;
    status = set_code_select(&code->pieces, position, &number);
    if (!status && !age_frame_board(frame, number, board))
        status = status_fail(STATUS_CORRUPT, "%s: age %u holds number %llu, which no board has", table->directory, age,
                             (unsigned long long)number);
    return status;
}

/* Whether a tile of this value, in an empty cell, may be a new one. */
static bool may_appear(const struct table *table, unsigned value)
{
    double chance_of_4 = table->index.summary.chance_of_4;
    return (value == 1 && chance_of_4 < 1) || (value == 2 && chance_of_4 > 0);
}

static bool is_start(const struct table *table, struct board board)
{
    const struct table_summary *summary = &table->index.summary;
    unsigned n_tiles = 0;
    if (summary->walls.cells)
        return walls_is_start(summary->walls, &table->grid, board, summary->chance_of_4);
    for (unsigned cell = 0; cell < table->grid.n_cells; cell++) {
        unsigned value = board_get(board, cell);
        if (value && !may_appear(table, value))
            return false;
        n_tiles += value != 0;
    }
    return n_tiles == (table->grid.n_cells == 1 ? 1 : 2);
}

enum status table_state_reachable(const struct table *table, struct board board, bool *reachable)
{
    enum status status = check_board(table, board);
    *reachable = !status && is_start(table, board);
    for (unsigned cell = 0; cell < table->grid.n_cells && !status && !*reachable; cell++) {
        if (!may_appear(table, board_get(board, cell)))
            continue;
        struct board before = board_set(board, cell, 0);
        if (before.cells)
            status = table_find(table, before, reachable, NULL);
    }
    return status;
}

enum status table_move(const struct table *table, struct board board, enum direction *direction)
{
    enum status status = check_board(table, board);
    uint32_t age = board_age(board);
    const struct age_code *code;
    uint64_t number;
    unsigned move;
    struct board stored;
    if (!status)
        status = open_code(table, age, AGE_FILE_MOVES, &code);
    if (status)
        return status;
    const struct age_frame *frame = frame_of(table, age);
    if (!frame)
        return STATUS_NO_MEMORY;
    unsigned legal = table_moves(table, board).legal;
    *direction = legal ? (enum direction)__builtin_ctz(legal) : DIRECTION_COUNT;
    bool forced = (legal & (legal - 1)) == 0; /* less than two are legal: not stored */
    if (forced || !age_frame_number(frame, board, &number) || !age_frame_board(frame, number, &stored))
        return STATUS_OK;
    status = move_code_find(&code->pieces, number, &move);
    for (unsigned s = 0; s < table->grid.n_symmetries && !status; s++) {
        if (!walls_keep(&table->grid, table->index.summary.walls, s) ||
            !board_equal(grid_image(&table->grid, stored, s), board))
            continue;
        enum direction turned = grid_image_direction(move, s);
        if (legal >> turned & 1) /* a board that no game reaches may find anything */
            *direction = turned;
        break;
    }
    return status;
}

enum status table_load_moves(const struct table *table, struct workers *workers, const struct age_set *states,
                             uint8_t *moves)
{
    const struct age_code *code;
    if (states->count == 0)
        return STATUS_OK;
    enum status status = open_code(table, states->frame->age, AGE_FILE_MOVES, &code);
    if (status)
        goto done;
    if (code->pieces.n_members != states->count)
        status = status_fail(STATUS_CORRUPT, "%s: age %u has moves of %llu states, expected %llu", table->directory,
                             states->frame->age, (unsigned long long)code->pieces.n_members,
                             (unsigned long long)states->count);
    if (status)
        goto done;
    status = move_code_read(&code->pieces, workers, states, moves);
done:
    return status ? status_context(status, "%s", table->directory) : STATUS_OK;
}

/* ---- whole ages -------------------------------------------------------------------------------------------------- */

static enum status load_bits(const struct table *table, struct workers *workers, uint32_t age, struct age_set *set)
{
    const struct age_code *code;
    enum status status = open_code(table, age, AGE_FILE_SETS, &code);
    if (!status)
        status = age_set_begin(set, table->layout, age, workers);
    return status ? status : set_code_read(&code->pieces, workers, set);
}

enum status table_load_set(const struct table *table, struct workers *workers, uint32_t age, struct age_set *set)
{
    enum status status = load_bits(table, workers, age, set);
    return status ? status : age_set_rank(set, workers);
}

struct value_loading {
    const struct value_code *code;
    double *values;
};

static enum status load_value_group(void *context, unsigned worker, uint64_t group)
{
    const struct value_loading *loading = context;
    uint64_t first = group * CODE_VALUE_GROUP, end = first + CODE_VALUE_GROUP;
    (void)worker;
    for (uint64_t i = first; i < end && i < loading->code->n_values; i++)
        loading->values[i] = value_code_get(loading->code, i);
    return STATUS_OK;
}

enum status table_load_values(const struct table *table, struct workers *workers, uint32_t age,
                              struct memory_block *values)
{
    *values = (struct memory_block){0};
    const struct table_age *known = table_index_age(&table->index, age);
    if (known && known->n_afterstates == 0 && table->index.summary.backward_done)
        return STATUS_OK; /* the very last age has no block of values */
    const struct age_code *code;
    enum status status = open_code(table, age, AGE_FILE_VALUES, &code);
    if (!status)
        status = memory_block_allocate(values, code->values.n_values * sizeof(double));
    if (status)
        return status;
    struct value_loading loading = {&code->values, values->data};
    uint64_t n_groups = (code->values.n_values + CODE_VALUE_GROUP - 1) / CODE_VALUE_GROUP;
    return workers_for(workers, n_groups, load_value_group, &loading);
}

enum status table_load_states(const struct table *table, struct workers *workers, uint32_t age, struct age_set *set)
{
    enum status status = age_set_begin(set, table->layout, age, workers);
    if (status)
        return status;
    expand_starts(set, table->index.summary.chance_of_4);
    struct age_set afterstates = {0};
    for (uint32_t before = 2; before <= 4 && before < age && !status; before += 2) {
        const struct table_age *known = table_index_age(&table->index, age - before);
        if (!known || known->n_afterstates == 0 || table->index.summary.chance_of_4 == (before == 2 ? 1 : 0))
            continue;
        status = load_bits(table, workers, age - before, &afterstates);
        if (!status)
            status = expand_spawns(workers, &afterstates, before == 2 ? set : NULL, before == 4 ? set : NULL);
    }
    age_set_free(&afterstates);
    return status ? status : age_set_rank(set, workers);
}

enum status table_check_age(const struct table *table, struct workers *workers, const struct table_age *known,
                            struct age_set *set)
{
    const struct table_entry *entry = entry_of(table, known->age);
    enum status status = STATUS_OK;
    if (entry->of[AGE_FILE_SETS].reader) {
        status = table_load_set(table, workers, known->age, set);
        if (!status && set->count != known->n_afterstates)
            status =
                status_fail(STATUS_CORRUPT, "%s: age %u has %llu afterstates, the index says %llu", table->directory,
                            known->age, (unsigned long long)set->count, (unsigned long long)known->n_afterstates);
    }
    const struct age_code *code;
    if (status)
        return status;
    if (entry->of[AGE_FILE_VALUES].reader)
        status = open_code(table, known->age, AGE_FILE_VALUES, &code);
    if (status)
        return status;
    if (entry->of[AGE_FILE_MOVES].reader)
        return open_code(table, known->age, AGE_FILE_MOVES, &code);
    return STATUS_OK;
}

/* ---- sizes ------------------------------------------------------------------------------------------------------- */

uint64_t table_bytes(const struct table *table)
{
    uint64_t bytes = 0;
    for (size_t i = 0; i < table->index.n_files; i++) {
        for (size_t b = 0; b < block_reader_count(table->readers[i]); b++)
            bytes += block_reader_info(table->readers[i], b).stored_bytes;
    }
    return bytes;
}
