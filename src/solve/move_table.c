/*
 * A map knows moves of the image that has the state's number, the one that age_walk visits and age_frame_board() gives.
 * To ask about any other image, the board is numbered, the visited image made from the number, and the direction turned
 * back by the symmetry between the two.
 */
#include "solve/move_table.h"

#include "base/bytes.h"
#include "base/memory.h"

#include <assert.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    KIND_HEADER = 1, /* no age is odd */
    HEADER_BYTES = 16,
    VERSION = 1,
};

static const char magic[] = "ASLVMOVE";

/* ---- Building --------------------------------------------------------------------------------------------------- */

/* What the workers share. Which worker takes which keys differs from run to run; a map does not depend on it. */
struct map_work {
    const struct age_set *states, *afterstates;
    const double *values;
    struct ribbon_builder *builders; /* one for each worker */
};

/* The first of the best moves of a state with at least two. */
static enum direction best_move(const struct map_work *work, const struct moves *moves)
{
    enum direction best = DIRECTION_COUNT;
    double best_value = 0;
    for (unsigned d = 0; d < DIRECTION_COUNT; d++) {
        if (!(moves->legal >> d & 1))
            continue;
        struct place place = age_frame_place(work->afterstates->frame, moves->after[d].cells);
        double value = (double)moves->reward[d] + work->values[age_set_position(work->afterstates, place)];
        if (best == DIRECTION_COUNT || value > best_value) {
            best = d;
            best_value = value;
        }
    }
    return best;
}

static bool needs_key(unsigned legal)
{
    return (legal & (legal - 1)) != 0;
}

static enum status add_span(void *context, unsigned worker, uint64_t item)
{
    struct map_work *work = context;
    const struct grid *grid = work->states->frame->layout->grid;
    struct age_walk walk;
    enum status status = STATUS_OK;
    age_walk_begin(&walk, work->states, &work->states->spans[item]);
    while (!status && age_walk_next(&walk)) {
        struct moves moves = grid_moves(grid, (struct board){.cells = walk.cells});
        if (!needs_key(moves.legal))
            continue;
        struct place place = age_frame_place(work->states->frame, walk.cells);
        status = ribbon_builder_add(&work->builders[worker], place.word * 64 + place.bit, best_move(work, &moves));
    }
    return status;
}

enum status move_map_build(const struct age_set *states, const struct age_set *afterstates, const double *values,
                           struct workers *workers, uint8_t **data, size_t *bytes, uint64_t *n_keys)
{
    unsigned n_workers = workers_count(workers);
    struct map_work work = {states, afterstates, values, memory_allocate(n_workers, sizeof(struct ribbon_builder))};
    *data = NULL;
    *bytes = 0;
    if (!work.builders)
        return STATUS_NO_MEMORY;
    enum status status = workers_for(workers, states->n_spans, add_span, &work);
    for (unsigned i = 1; !status && i < n_workers; i++)
        status = ribbon_builder_append(&work.builders[0], &work.builders[i]);
    if (n_keys)
        *n_keys = work.builders[0].n_items;
    if (!status)
        status = ribbon_builder_finish(&work.builders[0], data, bytes);
    for (unsigned i = 0; i < n_workers; i++)
        ribbon_builder_free(&work.builders[i]);
    free(work.builders);
    return status;
}

/* ---- The file --------------------------------------------------------------------------------------------------- */

struct move_writer {
    struct block_writer *file;
    uint32_t last_age;
};

enum status move_writer_open(struct move_writer **out, const char *path, const struct grid *grid)
{
    *out = NULL;
    struct move_writer *writer = memory_allocate(1, sizeof *writer);
    if (!writer)
        return STATUS_NO_MEMORY;
    uint8_t header[HEADER_BYTES] = {grid->rows, grid->cols};
    enum status status = block_writer_open(&writer->file, path, magic, VERSION);
    if (!status)
        status = block_writer_append(writer->file, KIND_HEADER, header, sizeof header, BLOCK_RAW);
    if (status) {
        move_writer_abort(writer);
        return status;
    }
    *out = writer;
    return STATUS_OK;
}

enum status move_writer_add(struct move_writer *writer, uint32_t age, const uint8_t *map, size_t bytes)
{
    assert(age > writer->last_age && age % 2 == 0);
    writer->last_age = age;
    return block_writer_append(writer->file, age, map, bytes, BLOCK_RAW);
}

enum status move_writer_commit(struct move_writer *writer)
{
    enum status status = block_writer_commit(writer->file);
    free(writer);
    return status;
}

void move_writer_abort(struct move_writer *writer)
{
    if (!writer)
        return;
    block_writer_abort(writer->file);
    free(writer);
}

struct move_table {
    struct block_reader *file;
    const struct layout *layout;
    uint32_t *block_of_age; /* [age / 2]: number of the block, 0 if there is none; the header is block 0 */
    uint32_t max_age;
};

static enum status check_header(const struct move_table *moves)
{
    const struct grid *grid = moves->layout->grid;
    const char *name = block_reader_name(moves->file);
    const void *data;
    size_t bytes;
    if (block_reader_count(moves->file) == 0 || block_reader_info(moves->file, 0).kind != KIND_HEADER)
        return status_fail(STATUS_CORRUPT, "%s: its first block is not the header", name);
    enum status status = block_reader_view(moves->file, 0, &data, &bytes);
    if (status)
        return status;
    const uint8_t *header = data;
    if (bytes != HEADER_BYTES)
        return status_fail(STATUS_CORRUPT, "%s: its header has %zu bytes, expected %d", name, bytes, HEADER_BYTES);
    if (header[0] != grid->rows || header[1] != grid->cols)
        return status_fail(STATUS_CORRUPT, "%s: holds moves of %ux%u boards, expected %ux%u", name, header[0],
                           header[1], grid->rows, grid->cols);
    return STATUS_OK;
}

/* Notes the block of each age. */
static enum status index_ages(struct move_table *moves)
{
    uint32_t before = 0;
    for (size_t i = 1; i < block_reader_count(moves->file); i++) {
        uint32_t age = block_reader_info(moves->file, i).kind;
        if (age % 2 != 0 || age <= before || age > moves->max_age)
            return status_fail(STATUS_CORRUPT,
                               "%s: block %zu is of age %" PRIu32 ", expected an even one above %" PRIu32
                               " up to %" PRIu32,
                               block_reader_name(moves->file), i, age, before, moves->max_age);
        moves->block_of_age[age / 2] = (uint32_t)i;
        before = age;
    }
    return STATUS_OK;
}

enum status move_table_open(struct move_table **out, const char *path, const struct layout *layout)
{
    *out = NULL;
    struct move_table *moves = memory_allocate(1, sizeof *moves);
    if (!moves)
        return STATUS_NO_MEMORY;
    moves->layout = layout;
    moves->max_age = layout_largest_age(layout->grid->n_cells);
    moves->block_of_age = memory_allocate(moves->max_age / 2 + 1, sizeof *moves->block_of_age);
    enum status status = moves->block_of_age ? STATUS_OK : STATUS_NO_MEMORY;
    if (!status)
        status = block_reader_open(&moves->file, path, magic, VERSION);
    if (!status)
        status = check_header(moves);
    if (!status)
        status = index_ages(moves);
    if (status) {
        move_table_close(moves);
        return status;
    }
    *out = moves;
    return STATUS_OK;
}

enum status move_table_open_directory(struct move_table **out, const char *directory, const struct layout *layout)
{
    char path[PATH_MAX];
    *out = NULL;
    if ((size_t)snprintf(path, sizeof path, "%s/%s", directory, MOVE_TABLE_FILE) >= sizeof path)
        return status_fail(STATUS_IO, "%s: the path is too long", directory);
    return move_table_open(out, path, layout);
}

void move_table_close(struct move_table *moves)
{
    if (!moves)
        return;
    block_reader_close(moves->file);
    free(moves->block_of_age);
    free(moves);
}

enum status move_table_map(const struct move_table *moves, uint32_t age, struct ribbon *map)
{
    const void *data;
    size_t bytes;
    memset(map, 0, sizeof *map);
    uint32_t block = age <= moves->max_age && age % 2 == 0 ? moves->block_of_age[age / 2] : 0;
    if (block == 0)
        return STATUS_OK;
    enum status status = block_reader_view(moves->file, block, &data, &bytes);
    if (!status)
        status = ribbon_open(map, data, bytes);
    return status ? status_context(status, "%s: age %" PRIu32, block_reader_name(moves->file), age) : STATUS_OK;
}

enum status move_table_count(const struct move_table *moves, uint64_t *n_keys)
{
    *n_keys = 0;
    for (uint32_t age = 0; age <= moves->max_age; age += 2) {
        struct ribbon map;
        enum status status = move_table_map(moves, age, &map);
        if (status)
            return status;
        *n_keys += ribbon_count(&map);
    }
    return STATUS_OK;
}

/* The direction on `board` that is `direction` on its image `visited`. */
static enum direction turn_back(const struct grid *grid, struct board board, struct board visited,
                                enum direction direction)
{
    for (unsigned s = 0; s < grid->n_symmetries; s++) {
        if (!board_equal(grid_image(grid, board, s), visited))
            continue;
        for (unsigned d = 0; d < DIRECTION_COUNT; d++) {
            if (grid_image_direction(grid, d, s) == direction)
                return d;
        }
    }
    return DIRECTION_COUNT; /* not an image: cannot be */
}

static enum direction first_of(unsigned legal)
{
    return legal ? (enum direction)__builtin_ctz(legal) : DIRECTION_COUNT;
}

enum status move_table_find(const struct move_table *moves, struct board board, enum direction *direction)
{
    const struct grid *grid = moves->layout->grid;
    uint32_t age = board_age(board);
    if (!grid_holds(grid, board) || age > moves->layout->max_age)
        return status_fail(STATUS_INVALID, "no game on a %ux%u board reaches tiles that add up to %" PRIu32, grid->rows,
                           grid->cols, age);
    unsigned legal = grid_moves(grid, board).legal;
    *direction = first_of(legal);
    if (!needs_key(legal))
        return STATUS_OK;
    struct age_frame *frame = memory_allocate(1, sizeof *frame); /* too large for the stack */
    struct ribbon map;
    struct board visited;
    uint64_t number;
    enum status status = frame ? age_frame_fill(frame, moves->layout, age) : STATUS_NO_MEMORY;
    if (!status)
        status = move_table_map(moves, age, &map);
    if (!status && age_frame_number(frame, board, &number) && age_frame_board(frame, number, &visited)) {
        enum direction found = turn_back(grid, board, visited, ribbon_find(&map, number));
        if (found != DIRECTION_COUNT && legal >> found & 1) /* a board that no game reaches may find anything */
            *direction = found;
    }
    free(frame);
    return status;
}
