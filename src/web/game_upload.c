/* game_upload: a game that a client sends: one of a record file, or written as JSON. */
#include "web/game_upload.h"

#include "base/clock.h"
#include "base/file.h"
#include "base/memory.h"
#include "game/notation.h"

#include <cjson/cJSON.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static enum http_code find_board(struct game_upload *upload, const struct catalog *catalog, unsigned rows,
                                 unsigned cols)
{
    upload->board = catalog_board(catalog, rows, cols);
    if (!upload->board)
        return web_fail(HTTP_BAD_REQUEST, "a game on a %ux%u board, which is not offered here", rows, cols);
    return HTTP_FINE;
}

static bool is_cancelled(const atomic_bool *cancel)
{
    return cancel && atomic_load_explicit(cancel, memory_order_relaxed);
}

bool game_upload_is_record(const void *data, size_t bytes)
{
    return bytes >= 8 && memcmp(data, "ASRECORD", 8) == 0;
}

static enum http_code read_game(struct game_upload *upload, struct record_reader *reader,
                                const struct upload_source *source)
{
    for (uint64_t i = 0;; i++) {
        bool found;
        enum status status = record_reader_next(reader, &upload->record, &found);
        if (status)
            return status == STATUS_NO_MEMORY ? HTTP_UNAVAILABLE : HTTP_BAD_REQUEST;
        if (!found)
            return web_fail(HTTP_BAD_REQUEST, "the record has %llu games, so there is no game %llu",
                            (unsigned long long)upload->n_games, (unsigned long long)upload->game);
        if (i == upload->game)
            break;
        if (is_cancelled(source->cancel))
            return web_fail(HTTP_UNAVAILABLE, "the work was cancelled");
        if (clock_seconds() > source->until)
            return web_fail(HTTP_TOO_LARGE, "game %llu is too far inside the record to be found in time",
                            (unsigned long long)upload->game);
    }
    return game_record_check(upload->board->grid, &upload->record) ? HTTP_BAD_REQUEST : HTTP_FINE;
}

static enum http_code read_record(struct game_upload *upload, const struct catalog *catalog,
                                  const struct upload_source *source)
{
    struct record_reader *reader;
    enum status status = record_reader_open_memory(&reader, source->data, source->bytes, "the record");
    if (status)
        return status == STATUS_NO_MEMORY ? HTTP_UNAVAILABLE : HTTP_BAD_REQUEST;
    struct record_info info = record_reader_info(reader);
    _Static_assert(sizeof info.player == sizeof upload->player, "a player's name fits");
    memcpy(upload->player, info.player, sizeof upload->player);
    upload->n_games = info.n_games;
    enum http_code code = find_board(upload, catalog, info.rows, info.cols);
    if (!code)
        code = read_game(upload, reader, source);
    record_reader_close(reader);
    return code;
}

/* A whole number from 0 to max; false for anything else. */
static bool number_of(const cJSON *item, unsigned max, unsigned *out)
{
    if (!cJSON_IsNumber(item) || !(item->valuedouble >= 0 && item->valuedouble <= max))
        return false;
    *out = (unsigned)item->valuedouble;
    return item->valuedouble == *out;
}

static bool direction_of(const cJSON *item, unsigned *out)
{
    for (unsigned d = 0; cJSON_IsString(item) && d < DIRECTION_COUNT; d++)
        if (strcmp(item->valuestring, direction_name(d)) == 0) {
            *out = d;
            return true;
        }
    return false;
}

static enum http_code reserve(struct game_record *record, size_t n_moves)
{
    record->steps = memory_allocate(n_moves + 1, 1);
    record->capacity = n_moves + 1;
    return record->steps ? HTTP_FINE : HTTP_UNAVAILABLE;
}

/* [["left", 3, 2], ..] */
static enum http_code read_moves(struct game_record *record, const cJSON *moves)
{
    enum http_code code = reserve(record, (size_t)cJSON_GetArraySize(moves)); /* bounded by the size of the body */
    const cJSON *move;
    if (code)
        return code;
    cJSON_ArrayForEach(move, moves)
    {
        unsigned direction, cell, tile;
        const cJSON *first = cJSON_IsArray(move) ? move->child : NULL;
        if (!first || !direction_of(first, &direction) || !number_of(first->next, BOARD_MAX_CELLS - 1, &cell) ||
            !number_of(first->next->next, 4, &tile) || (tile != 2 && tile != 4))
            return web_fail(HTTP_BAD_REQUEST, "move %u is not of the form [\"left\", CELL, 2 or 4]", record->n_moves);
        record->steps[record->n_moves++] = (uint8_t)(direction | cell << 2 | (tile == 4) << 6);
    }
    return HTTP_FINE;
}

/* "0f7c.." */
static enum http_code read_steps(struct game_record *record, const char *digits)
{
    size_t n = strlen(digits);
    if (n % 2 != 0 || strspn(digits, "0123456789abcdefABCDEF") != n)
        return web_fail(HTTP_BAD_REQUEST, "\"steps\" is not two hexadecimal digits for each move");
    enum http_code code = reserve(record, n / 2);
    for (size_t i = 0; !code && i < n / 2; i++) {
        char pair[3] = {digits[2 * i], digits[2 * i + 1], 0};
        record->steps[record->n_moves++] = (uint8_t)strtoul(pair, NULL, 16);
    }
    return code;
}

/* The score is not sent; the rules give it. */
static enum http_code play_through(struct game_upload *upload)
{
    struct replay replay = replay_begin(upload->board->grid, &upload->record);
    while (replay.n_played < upload->record.n_moves)
        if (replay_next(&replay, NULL, NULL))
            return HTTP_BAD_REQUEST;
    upload->record.score = replay.score;
    return HTTP_FINE;
}

static enum http_code read_document(struct game_upload *upload, const struct catalog *catalog, const cJSON *document)
{
    const cJSON *start = cJSON_GetObjectItemCaseSensitive(document, "start");
    const cJSON *moves = cJSON_GetObjectItemCaseSensitive(document, "moves");
    const cJSON *steps = cJSON_GetObjectItemCaseSensitive(document, "steps");
    const cJSON *player = cJSON_GetObjectItemCaseSensitive(document, "player");
    unsigned rows, cols;
    if (!number_of(cJSON_GetObjectItemCaseSensitive(document, "rows"), BOARD_MAX_SIDE, &rows) ||
        !number_of(cJSON_GetObjectItemCaseSensitive(document, "cols"), BOARD_MAX_SIDE, &cols))
        return web_fail(HTTP_BAD_REQUEST, "a game needs \"rows\" and \"cols\"");
    if (!cJSON_IsString(start) || (!cJSON_IsArray(moves) && !cJSON_IsString(steps)))
        return web_fail(HTTP_BAD_REQUEST, "a game needs a \"start\", and \"moves\" or \"steps\"");
    if (upload->game != 0)
        return web_fail(HTTP_BAD_REQUEST, "JSON holds one game, so there is no game %llu",
                        (unsigned long long)upload->game);
    enum http_code code = find_board(upload, catalog, rows, cols);
    if (code)
        return code;
    if (notation_parse(upload->board->grid, start->valuestring, &upload->record.start))
        return HTTP_BAD_REQUEST;
    snprintf(upload->player, sizeof upload->player, "%s", cJSON_IsString(player) ? player->valuestring : "");
    upload->n_games = 1;
    code = cJSON_IsArray(moves) ? read_moves(&upload->record, moves) : read_steps(&upload->record, steps->valuestring);
    return code ? code : play_through(upload);
}

enum http_code game_upload_read(struct game_upload *upload, const struct catalog *catalog,
                                const struct upload_source *source)
{
    *upload = (struct game_upload){.game = source->game};
    enum http_code code;
    if (game_upload_is_record(source->data, source->bytes)) {
        code = read_record(upload, catalog, source);
    } else {
        cJSON *document = cJSON_ParseWithLength(source->data, source->bytes);
        code = cJSON_IsObject(document)
                   ? read_document(upload, catalog, document)
                   : web_fail(HTTP_BAD_REQUEST, "the body is neither a game record nor a JSON object");
        cJSON_Delete(document);
    }
    web_clean_text(upload->player);
    return code;
}

void game_upload_free(struct game_upload *upload)
{
    game_record_free(&upload->record);
    *upload = (struct game_upload){0};
}

static enum status write_record(const struct game_upload *upload, const char *path)
{
    struct record_writer *writer;
    enum status status = record_writer_open(&writer, path, upload->board->grid, upload->player);
    if (status)
        return status;
    status = record_writer_add(writer, &upload->record);
    if (status) {
        record_writer_abort(writer);
        return status;
    }
    return record_writer_commit(writer);
}

/* Record files are written as files, so there is one for a moment, in a folder of its own. */
enum http_code game_upload_to_record(const struct game_upload *upload, struct web_text *file)
{
    const char *temporary = getenv("TMPDIR");
    char folder[PATH_MAX], path[PATH_MAX + 16];
    struct file_map map = {0};
    snprintf(folder, sizeof folder, "%s/afterstate-XXXXXX", temporary && temporary[0] ? temporary : "/tmp");
    if (!mkdtemp(folder)) {
        status_fail_errno(STATUS_IO, "cannot make a temporary folder");
        return HTTP_SERVER_ERROR;
    }
    snprintf(path, sizeof path, "%s/game.rec", folder);
    enum status status = write_record(upload, path);
    if (!status)
        status = file_map_open(&map, path);
    if (!status)
        status = web_text_append(file, map.data, map.bytes);
    file_map_close(&map);
    unlink(path);
    rmdir(folder);
    return web_code_of(status);
}
