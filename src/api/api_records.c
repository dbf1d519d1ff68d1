/*
 * api_records: the public functions over records of games.
 */
#include <afterstate/afterstate.h>

#include "api/api_parts.h"
#include "api/cell_words.h"
#include "base/memory.h"
#include "game/record.h"

#include <stdlib.h>
#include <string.h>

struct as_record_reader {
    struct record_reader *reader;
    struct as_grid grid;
    struct game_record record;
    bool has_game;
};

struct as_record_writer {
    struct record_writer *writer;
    const struct grid *grid;
    struct game_record record;
};

_Static_assert(sizeof((struct as_record_info *)0)->player == sizeof((struct record_info *)0)->player,
               "the public name is as long as the inner one");

enum as_status as_record_reader_open(struct as_record_reader **out, const char *path)
{
    if (out)
        *out = NULL;
    if (!out || !path)
        return api_fail_null("as_record_reader_open");
    struct as_record_reader *reader = memory_allocate(1, sizeof *reader);
    if (!reader)
        return AS_NO_MEMORY;
    enum status status = record_reader_open(&reader->reader, path);
    if (!status) {
        struct record_info info = record_reader_info(reader->reader);
        status = grid_create(&reader->grid.grid, info.rows, info.cols);
    }
    if (status) {
        as_record_reader_free(reader);
        return (enum as_status)status;
    }
    *out = reader;
    return AS_OK;
}

void as_record_reader_free(struct as_record_reader *reader)
{
    if (!reader)
        return;
    record_reader_close(reader->reader);
    game_record_free(&reader->record);
    grid_free(&reader->grid.grid);
    free(reader);
}

enum as_status as_record_reader_get_info(const struct as_record_reader *reader, struct as_record_info *info)
{
    if (!reader || !info)
        return api_fail_null("as_record_reader_get_info");
    struct record_info found = record_reader_info(reader->reader);
    *info = (struct as_record_info){
        .rows = found.rows, .cols = found.cols, .n_games = found.n_games, .n_moves = found.n_moves};
    memcpy(info->player, found.player, sizeof info->player);
    return AS_OK;
}

const struct as_grid *as_record_reader_grid(const struct as_record_reader *reader)
{
    if (reader)
        return &reader->grid;
    api_fail_null("as_record_reader_grid");
    return NULL;
}

int as_record_reader_next(struct as_record_reader *reader, struct as_record_game *game)
{
    bool found = false;
    if (!reader || !game) {
        api_fail_null("as_record_reader_next");
        return -1;
    }
    reader->has_game = false;
    enum status status = record_reader_next(reader->reader, &reader->record, &found);
    if (!status && found)
        status = game_record_check(&reader->grid.grid, &reader->record);
    if (status || !found)
        return status ? -1 : 0;
    const struct game_record *record = &reader->record;
    reader->has_game = true;
    *game = (struct as_record_game){
        .seed = record->seed, .index = record->index, .score = record->score, .n_moves = record->n_moves};
    return 1;
}

/* What move k of a replay puts into the arrays. */
static void show_step(const struct as_record_steps *steps, uint32_t k, enum direction direction, struct spawn spawn,
                      uint32_t reward)
{
    if (steps->directions)
        steps->directions[k] = (uint8_t)direction;
    if (steps->spawn_cells)
        steps->spawn_cells[k] = spawn.cell;
    if (steps->spawn_values)
        steps->spawn_values[k] = spawn.value;
    if (steps->rewards)
        steps->rewards[k] = reward;
}

enum as_status as_record_reader_get_steps(const struct as_record_reader *reader, const struct as_record_steps *steps)
{
    static const char function[] = "as_record_reader_get_steps";
    struct as_record_steps taken;
    if (!reader || !steps)
        return api_fail_null(function);
    enum status status = api_take_settings(&taken, sizeof taken, steps, function);
    if (status)
        return (enum as_status)status;
    if (!reader->has_game)
        return (enum as_status)status_fail(STATUS_USAGE, "%s: there is no game; call as_record_reader_next()",
                                           function);
    const struct grid *grid = &reader->grid.grid;
    struct replay replay = replay_begin(grid, &reader->record);
    if (taken.start)
        cell_words_write(grid->n_cells, replay.board, taken.start);
    for (uint32_t k = 0; k < reader->record.n_moves && !status; k++) {
        enum direction direction;
        struct spawn spawn;
        uint64_t before = replay.score;
        if (taken.cells)
            cell_words_write(grid->n_cells, replay.board, taken.cells + (size_t)k * grid->n_cells);
        status = replay_next(&replay, &direction, &spawn);
        if (!status)
            show_step(&taken, k, direction, spawn, (uint32_t)(replay.score - before));
    }
    if (!status && taken.cells)
        cell_words_write(grid->n_cells, replay.board, taken.cells + (size_t)reader->record.n_moves * grid->n_cells);
    return (enum as_status)status;
}

enum as_status as_record_writer_open(struct as_record_writer **out, const char *path, const struct as_grid *grid,
                                     const char *player)
{
    if (out)
        *out = NULL;
    if (!out || !path || !grid)
        return api_fail_null("as_record_writer_open");
    struct as_record_writer *writer = memory_allocate(1, sizeof *writer);
    if (!writer)
        return AS_NO_MEMORY;
    writer->grid = &grid->grid;
    enum status status = record_writer_open(&writer->writer, path, writer->grid, player ? player : "");
    if (status) {
        free(writer);
        return (enum as_status)status;
    }
    *out = writer;
    return AS_OK;
}

/* Plays the moves once more, with the caller's spawns; fills writer->record. */
static enum status replay_steps(struct as_record_writer *writer, const struct as_record_game *about,
                                const struct as_record_steps *steps)
{
    struct game game = {.grid = writer->grid};
    enum status status =
        api_read_cells(writer->grid, steps->start, 1, 0, &game.board, "as_record_writer_add (the first board)");
    if (status)
        return status;
    game_record_begin(&writer->record, &game, about->seed, about->index);
    for (uint64_t k = 0; k < about->n_moves && !status; k++) {
        struct spawn spawn = {.cell = steps->spawn_cells[k], .value = steps->spawn_values[k]};
        uint32_t reward = 0;
        if (steps->directions[k] >= DIRECTION_COUNT)
            return status_fail(STATUS_INVALID, "as_record_writer_add: move %llu is direction %u; expected 0 to 3",
                               (unsigned long long)k, steps->directions[k]);
        struct board after = grid_move(writer->grid, game.board, steps->directions[k], &reward);
        if (board_equal(after, game.board))
            return status_fail(STATUS_INVALID, "as_record_writer_add: move %llu, %s, is not legal",
                               (unsigned long long)k, direction_name(steps->directions[k]));
        if (spawn.cell >= writer->grid->n_cells || board_get(after, spawn.cell) || spawn.value < 1 || spawn.value > 2)
            return status_fail(STATUS_INVALID,
                               "as_record_writer_add: after move %llu the value %u appears on cell %u; expected 1 or 2 "
                               "on an empty cell",
                               (unsigned long long)k, spawn.value, spawn.cell);
        game.board = spawn_apply(after, spawn);
        game.score += reward;
        status = game_record_add(&writer->record, &game, steps->directions[k], spawn);
    }
    return status;
}

enum as_status as_record_writer_add(struct as_record_writer *writer, const struct as_record_game *game,
                                    const struct as_record_steps *steps)
{
    static const char function[] = "as_record_writer_add";
    struct as_record_steps taken;
    if (!writer || !game || !steps)
        return api_fail_null(function);
    enum status status = api_take_settings(&taken, sizeof taken, steps, function);
    if (status)
        return (enum as_status)status;
    if (!taken.start || (game->n_moves && (!taken.directions || !taken.spawn_cells || !taken.spawn_values)))
        return api_fail_null(function);
    status = replay_steps(writer, game, &taken);
    return (enum as_status)(status ? status : record_writer_add(writer->writer, &writer->record));
}

enum as_status as_record_writer_commit(struct as_record_writer *writer)
{
    if (!writer)
        return api_fail_null("as_record_writer_commit");
    enum status status = record_writer_commit(writer->writer);
    writer->writer = NULL;
    as_record_writer_free(writer);
    return (enum as_status)status;
}

void as_record_writer_free(struct as_record_writer *writer)
{
    if (!writer)
        return;
    if (writer->writer)
        record_writer_abort(writer->writer);
    game_record_free(&writer->record);
    free(writer);
}
