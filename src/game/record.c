/* record: writes, reads and replays records of games. */
#include "game/record.h"

#include "base/blockfile.h"
#include "base/bytes.h"
#include "base/memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char record_magic[] = "ASRECORD";
_Static_assert(sizeof record_magic == BLOCK_MAGIC_BYTES + 1, "eight letters");

enum {
    RECORD_VERSION = 1,
    KIND_HEADER = 1,  /* first block: rows, cols, player's name */
    KIND_GAMES = 2,   /* whole games, one after the other */
    KIND_SUMMARY = 3, /* last block: number of games and of moves */
    NAME_BYTES = 256,
    HEADER_BYTES = 8 + NAME_BYTES,
    GAME_BYTES = 48, /* the fixed part of a game */
    SUMMARY_BYTES = 16,
    FLUSH_BYTES = 1 << 20, /* games gather to about this before they become a block */
};

/* The largest game that fits in memory many times over; a longer one cannot be real (4x4 ends below 131,072 moves). */
#define MAX_MOVES UINT32_C(0x1000000)

/* A block is closed by the game that takes it to FLUSH_BYTES; a reader refuses to make room for more than that. */
#define MAX_BLOCK_BYTES (FLUSH_BYTES - 1 + GAME_BYTES + (uint64_t)MAX_MOVES)

/* ---- one game --------------------------------------------------------------------------------------------------- */

void game_record_begin(struct game_record *record, const struct game *game, uint64_t seed, uint64_t index)
{
    record->seed = seed;
    record->index = index;
    record->start = game->board;
    record->score = 0;
    record->n_moves = 0;
}

static enum status reserve_steps(struct game_record *record, uint32_t n)
{
    if (n <= record->capacity)
        return STATUS_OK;
    uint8_t *steps = memory_grow(record->steps, n, &record->capacity, 1024, 1);
    if (!steps)
        return STATUS_NO_MEMORY;
    record->steps = steps;
    return STATUS_OK;
}

enum status game_record_add(struct game_record *record, const struct game *game, enum direction direction,
                            struct spawn spawned)
{
    if (record->n_moves == MAX_MOVES)
        return status_fail(STATUS_INVALID, "a game of more than %u moves cannot be recorded", MAX_MOVES);
    enum status status = reserve_steps(record, record->n_moves + 1);
    if (status)
        return status;
    record->steps[record->n_moves++] = (uint8_t)(direction | spawned.cell << 2 | (spawned.value - 1) << 6);
    record->score = game->score;
    return STATUS_OK;
}

void game_record_free(struct game_record *record)
{
    if (!record)
        return;
    free(record->steps);
    *record = (struct game_record){0};
}

/* ---- replay ----------------------------------------------------------------------------------------------------- */

struct replay replay_begin(const struct grid *grid, const struct game_record *record)
{
    return (struct replay){.grid = grid, .record = record, .board = record->start};
}

enum status replay_next(struct replay *replay, enum direction *direction, struct spawn *spawned)
{
    uint8_t step = replay->record->steps[replay->n_played];
    enum direction d = step & 3;
    struct spawn spawn = {.cell = step >> 2 & 15, .value = (uint8_t)((step >> 6 & 1) + 1)};
    uint32_t reward;
    struct board after = grid_move(replay->grid, replay->board, d, &reward);
    if (step >> 7 || board_equal(after, replay->board))
        return status_fail(STATUS_CORRUPT, "game %llu, move %u: %s is not legal there",
                           (unsigned long long)replay->record->index, replay->n_played + 1, direction_name(d));
    if (spawn.cell >= replay->grid->n_cells || board_get(after, spawn.cell) != 0)
        return status_fail(STATUS_CORRUPT, "game %llu, move %u: the new tile is on cell %u, which is not empty",
                           (unsigned long long)replay->record->index, replay->n_played + 1, spawn.cell);
    replay->board = spawn_apply(after, spawn);
    replay->score += reward;
    replay->n_played++;
    if (direction)
        *direction = d;
    if (spawned)
        *spawned = spawn;
    return STATUS_OK;
}

enum status game_record_check(const struct grid *grid, const struct game_record *record)
{
    struct replay replay = replay_begin(grid, record);
    if (!grid_holds(grid, record->start))
        return status_fail(STATUS_CORRUPT, "game %llu: its start is not a %ux%u board",
                           (unsigned long long)record->index, grid->rows, grid->cols);
    while (replay.n_played < record->n_moves) {
        enum status status = replay_next(&replay, NULL, NULL);
        if (status)
            return status;
    }
    if (replay.score != record->score)
        return status_fail(STATUS_CORRUPT, "game %llu: its moves make %llu points, the record says %llu",
                           (unsigned long long)record->index, (unsigned long long)replay.score,
                           (unsigned long long)record->score);
    return STATUS_OK;
}

/* ---- writing ---------------------------------------------------------------------------------------------------- */

struct record_writer {
    struct block_writer *file;
    uint8_t *pending; /* games not yet in a block */
    size_t n_pending, room;
    uint64_t n_games, n_moves;
};

static void writer_free(struct record_writer *writer)
{
    free(writer->pending);
    free(writer);
}

enum status record_writer_open(struct record_writer **out, const char *path, const struct grid *grid,
                               const char *player)
{
    struct record_writer *writer = *out = memory_allocate(1, sizeof *writer);
    if (!writer)
        return STATUS_NO_MEMORY;
    uint8_t header[HEADER_BYTES] = {grid->rows, grid->cols};
    snprintf((char *)header + 8, NAME_BYTES, "%s", player);
    enum status status = block_writer_open(&writer->file, path, record_magic, RECORD_VERSION);
    if (!status)
        status = block_writer_append(writer->file, KIND_HEADER, header, sizeof header, BLOCK_RAW);
    if (status) {
        record_writer_abort(writer);
        *out = NULL;
    }
    return status;
}

static enum status flush_games(struct record_writer *writer)
{
    if (writer->n_pending == 0)
        return STATUS_OK;
    enum status status = block_writer_append(writer->file, KIND_GAMES, writer->pending, writer->n_pending, BLOCK_ZSTD);
    writer->n_pending = 0;
    return status;
}

enum status record_writer_add(struct record_writer *writer, const struct game_record *record)
{
    size_t need = writer->n_pending + GAME_BYTES + record->n_moves;
    if (need > writer->room) {
        size_t room = need + FLUSH_BYTES;
        uint8_t *pending = memory_resize(writer->pending, room, 1);
        if (!pending)
            return STATUS_NO_MEMORY;
        writer->pending = pending;
        writer->room = room;
    }
    uint8_t *at = writer->pending + writer->n_pending;
    memset(at, 0, GAME_BYTES);
    bytes_store_u64(at, record->seed);
    bytes_store_u64(at + 8, record->index);
    bytes_store_u64(at + 16, record->start.cells);
    bytes_store_u64(at + 24, record->score);
    bytes_store_u32(at + 32, record->start.high);
    bytes_store_u32(at + 36, record->n_moves);
    if (record->n_moves)
        memcpy(at + GAME_BYTES, record->steps, record->n_moves);
    writer->n_pending = need;
    writer->n_games++;
    writer->n_moves += record->n_moves;
    return writer->n_pending >= FLUSH_BYTES ? flush_games(writer) : STATUS_OK;
}

enum status record_writer_commit(struct record_writer *writer)
{
    uint8_t summary[SUMMARY_BYTES];
    bytes_store_u64(summary, writer->n_games);
    bytes_store_u64(summary + 8, writer->n_moves);
    enum status status = flush_games(writer);
    if (!status)
        status = block_writer_append(writer->file, KIND_SUMMARY, summary, sizeof summary, BLOCK_RAW);
    if (status)
        block_writer_abort(writer->file);
    else
        status = block_writer_commit(writer->file);
    writer_free(writer);
    return status;
}

void record_writer_abort(struct record_writer *writer)
{
    if (!writer)
        return;
    block_writer_abort(writer->file);
    writer_free(writer);
}

/* ---- reading ---------------------------------------------------------------------------------------------------- */

struct record_reader {
    struct block_reader *file;
    struct record_info info;
    size_t next_block;
    uint8_t *games; /* the block being read */
    size_t n_bytes, at;
    uint64_t games_read, moves_read;
};

/* Loads the fixed-size block `i`, which must be of this kind and size. */
static enum status load_fixed(const struct block_reader *file, size_t i, uint32_t kind, uint8_t *out, size_t bytes)
{
    struct block_info info = {0};
    if (i < block_reader_count(file))
        info = block_reader_info(file, i);
    if (info.kind != kind || info.raw_bytes != bytes)
        return status_fail(STATUS_CORRUPT, "%s: block %zu is not what a game record has there", block_reader_name(file),
                           i);
    return block_reader_load(file, i, out, bytes);
}

static enum status read_frame(struct record_reader *reader)
{
    uint8_t header[HEADER_BYTES], summary[SUMMARY_BYTES];
    const char *name = block_reader_name(reader->file);
    enum status status = load_fixed(reader->file, 0, KIND_HEADER, header, sizeof header);
    if (!status)
        status = load_fixed(reader->file, block_reader_count(reader->file) - 1, KIND_SUMMARY, summary, sizeof summary);
    if (status)
        return status;
    if (grid_check_size(header[0], header[1]))
        return status_context(STATUS_CORRUPT, "%s", name);
    if (memchr(header + 8, 0, NAME_BYTES) == NULL)
        return status_fail(STATUS_CORRUPT, "%s: the player's name does not end", name);
    reader->info.rows = header[0];
    reader->info.cols = header[1];
    memcpy(reader->info.player, header + 8, NAME_BYTES);
    reader->info.n_games = bytes_load_u64(summary);
    reader->info.n_moves = bytes_load_u64(summary + 8);
    reader->next_block = 1;
    return STATUS_OK;
}

/* Makes a reader that owns an open file; `status` is how opening it went. */
static enum status reader_begin(struct record_reader **out, enum status status, struct block_reader *file)
{
    *out = NULL;
    if (status)
        return status;
    struct record_reader *reader = memory_allocate(1, sizeof *reader);
    if (!reader) {
        block_reader_close(file);
        return STATUS_NO_MEMORY;
    }
    reader->file = file;
    status = read_frame(reader);
    if (status)
        record_reader_close(reader);
    else
        *out = reader;
    return status;
}

enum status record_reader_open(struct record_reader **out, const char *path)
{
    struct block_reader *file = NULL;
    enum status status = block_reader_open(&file, path, record_magic, RECORD_VERSION);
    return reader_begin(out, status, file);
}

enum status record_reader_open_memory(struct record_reader **out, const void *data, size_t bytes, const char *name)
{
    struct block_reader *file = NULL;
    enum status status = block_reader_open_memory(&file, data, bytes, name, record_magic, RECORD_VERSION);
    return reader_begin(out, status, file);
}

void record_reader_close(struct record_reader *reader)
{
    if (!reader)
        return;
    block_reader_close(reader->file);
    free(reader->games);
    free(reader);
}

struct record_info record_reader_info(const struct record_reader *reader)
{
    return reader->info;
}

/* Makes the next block of games the current one; leaves n_bytes 0 at the end, where the totals must agree. */
static enum status next_games_block(struct record_reader *reader)
{
    const char *name = block_reader_name(reader->file);
    reader->at = reader->n_bytes = 0;
    if (reader->next_block + 1 == block_reader_count(reader->file)) {
        if (reader->games_read != reader->info.n_games || reader->moves_read != reader->info.n_moves)
            return status_fail(STATUS_CORRUPT, "%s: holds %llu games with %llu moves, its summary says %llu with %llu",
                               name, (unsigned long long)reader->games_read, (unsigned long long)reader->moves_read,
                               (unsigned long long)reader->info.n_games, (unsigned long long)reader->info.n_moves);
        return STATUS_OK;
    }
    struct block_info info = block_reader_info(reader->file, reader->next_block);
    if (info.kind != KIND_GAMES || info.raw_bytes == 0 || info.raw_bytes > MAX_BLOCK_BYTES)
        return status_fail(STATUS_CORRUPT, "%s: block %zu is not what a game record has there", name,
                           reader->next_block);
    uint8_t *games = memory_resize(reader->games, info.raw_bytes, 1);
    if (!games)
        return STATUS_NO_MEMORY;
    reader->games = games;
    enum status status = block_reader_load(reader->file, reader->next_block, games, info.raw_bytes);
    if (status)
        return status; /* n_bytes stays 0, so the next call reads the same block */
    reader->n_bytes = info.raw_bytes;
    reader->next_block++;
    return STATUS_OK;
}

enum status record_reader_next(struct record_reader *reader, struct game_record *record, bool *found)
{
    enum status status = STATUS_OK;
    *found = false;
    if (reader->at == reader->n_bytes)
        status = next_games_block(reader);
    if (status || reader->n_bytes == 0)
        return status;
    const uint8_t *at = reader->games + reader->at;
    size_t left = reader->n_bytes - reader->at;
    uint32_t n_moves = left >= GAME_BYTES ? bytes_load_u32(at + 36) : 0;
    if (left < GAME_BYTES || n_moves > left - GAME_BYTES || n_moves > MAX_MOVES)
        return status_fail(STATUS_CORRUPT, "%s: game %llu does not fit in its block", block_reader_name(reader->file),
                           (unsigned long long)reader->games_read);
    status = reserve_steps(record, n_moves);
    if (status)
        return status;
    record->seed = bytes_load_u64(at);
    record->index = bytes_load_u64(at + 8);
    record->start = (struct board){.cells = bytes_load_u64(at + 16), .high = bytes_load_u32(at + 32)};
    record->score = bytes_load_u64(at + 24);
    record->n_moves = n_moves;
    if (n_moves)
        memcpy(record->steps, at + GAME_BYTES, n_moves);
    reader->at += GAME_BYTES + n_moves;
    reader->games_read++;
    reader->moves_read += n_moves;
    *found = true;
    return STATUS_OK;
}
