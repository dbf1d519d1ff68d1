/* game_stream: answers that are games played on from a board, in steps. */
#include "web/game_stream.h"

#include "base/clock.h"
#include "base/json.h"
#include "base/memory.h"
#include "game/notation.h"
#include "game/record.h"
#include "study/expected_line.h"
#include "study/hint_answer.h"
#include "study/outlook.h"
#include "web/web_chooser.h"

#include <stdio.h>
#include <stdlib.h>

enum {
    WATCH_MS = 12, /* of one line: a frame of a screen is 16 */
    WATCH_MOVES = 4096,
    WATCH_MAX_MOVES = 1000 * 1000,
    OUTLOOK_MS = 60,
    OUTLOOK_GAMES = 100,
    OUTLOOK_MAX_GAMES = 1000,
    LINE_MOVES = 6,
};

struct game_stream {
    struct stream_question question;
    bool begun;
    struct outlook outlook;
    struct game game;            /* that is watched */
    struct game_record record;   /* its moves since the last line */
    struct search_result result; /* of its last move */
    struct board before;         /* the board on which that was chosen */
};

static enum http_code parse(struct stream_question *question, const struct catalog *catalog,
                            const struct hint_limits *limits, struct target *target, const char *name, int64_t most,
                            int64_t n)
{
    int64_t seed = 1;
    enum http_code code = target_take_integer(target, "seed", 0, INT64_MAX, &seed);
    if (!code)
        code = target_take_integer(target, name, 1, most, &n);
    if (!code)
        code = hint_parse(&question->hint, catalog, limits, target);
    question->seed = (uint64_t)seed;
    question->n = (uint64_t)n;
    return code;
}

enum http_code game_stream_parse_watch(struct stream_question *question, const struct catalog *catalog,
                                       const struct hint_limits *limits, struct target *target)
{
    question->outlook = false;
    return parse(question, catalog, limits, target, "moves", WATCH_MAX_MOVES, WATCH_MAX_MOVES);
}

enum http_code game_stream_parse_outlook(struct stream_question *question, const struct catalog *catalog,
                                         const struct hint_limits *limits, struct target *target)
{
    bool usual = !target_take(target, "depth") && !target_take(target, "ms");
    enum http_code code = parse(question, catalog, limits, target, "games", OUTLOOK_MAX_GAMES, OUTLOOK_GAMES);
    question->outlook = true;
    if (usual) /* whole games: one ply each move, unless the client wants more */
        question->hint.limit = hint_search_limit(limits, 1, 0);
    return code;
}

enum status game_stream_open(struct game_stream **out, const struct stream_question *question)
{
    struct game_stream *stream = *out = memory_allocate(1, sizeof *stream);
    if (!stream)
        return STATUS_NO_MEMORY;
    const struct grid *grid = question->hint.board->grid;
    stream->question = *question;
    stream->outlook = outlook_begin(grid, question->hint.position, question->seed);
    stream->game =
        (struct game){.grid = grid, .board = question->hint.position, .rng = random_stream(question->seed, 0)};
    return STATUS_OK;
}

void game_stream_free(struct game_stream *stream)
{
    if (!stream)
        return;
    game_record_free(&stream->record);
    free(stream);
}

static struct web_chooser chooser_of(const struct hint_question *question, struct web_searchers *searchers,
                                     unsigned worker)
{
    return (struct web_chooser){.searchers = searchers,
                                .worker = worker,
                                .board = question->board,
                                .table = question->table,
                                .limit = question->limit};
}

/* What both kinds of stream begin with. */
static enum status add_first_line(const struct hint_question *question, struct web_text *lines)
{
    struct json json;
    hint_begin_json(&json, question);
    json_add_unsigned(&json, "depth", question->limit.depth);
    json_add_text(&json, "table", question->table ? question->table->id : NULL);
    return web_text_append_json(lines, &json);
}

/* ---- a game to watch -------------------------------------------------------------------------------------------- */

/* Plays until the time of a line is over. */
static enum status play_some(struct game_stream *stream, const struct chooser *chooser)
{
    uint64_t start = clock_nanoseconds();
    game_record_begin(&stream->record, &stream->game, stream->question.seed, 0);
    while (stream->game.n_moves < stream->question.n && stream->record.n_moves < WATCH_MOVES &&
           clock_nanoseconds() - start < WATCH_MS * UINT64_C(1000000)) {
        struct search_result result;
        struct spawn spawn;
        enum status status = chooser_choose(chooser, stream->game.board, &result);
        if (status)
            return status;
        if (result.best == DIRECTION_COUNT)
            break;
        stream->before = stream->game.board;
        stream->result = result;
        game_play(&stream->game, result.best, &spawn);
        status = game_record_add(&stream->record, &stream->game, result.best, spawn);
        if (status)
            return status;
    }
    return STATUS_OK;
}

/* The steps as hexadecimal digits, from malloc. */
static char *steps_text(const struct game_record *record)
{
    char *text = memory_allocate(2 * (size_t)record->n_moves + 1, 1);
    for (uint32_t i = 0; text && i < record->n_moves; i++)
        snprintf(text + 2 * (size_t)i, 3, "%02x", record->steps[i]);
    return text;
}

static enum status add_moves_line(const struct game_stream *stream, struct web_text *lines)
{
    const struct grid *grid = stream->game.grid;
    char digits[NOTATION_DIGITS_BYTES];
    char *steps = steps_text(&stream->record);
    struct json json;
    if (!steps)
        return STATUS_NO_MEMORY;
    double values[DIRECTION_COUNT];
    for (unsigned d = 0; d < DIRECTION_COUNT; d++)
        values[d] = (double)stream->result.value[d];
    json_begin(&json);
    json_add_unsigned(&json, "moves", stream->game.n_moves);
    json_add_text(&json, "steps", steps);
    json_add_unsigned(&json, "score", stream->game.score);
    json_add_text(&json, "board", notation_digits(grid, stream->before, digits));
    json_add_directions(&json, "values", values);
    json_add_text(&json, "best", direction_name(stream->result.best));
    json_add_text(&json, "last", notation_digits(grid, stream->game.board, digits));
    free(steps);
    return web_text_append_json(lines, &json);
}

static enum status step_watch(struct game_stream *stream, const struct chooser *chooser, struct web_text *lines,
                              bool *done)
{
    enum status status = play_some(stream, chooser);
    if (!status && stream->record.n_moves > 0)
        status = add_moves_line(stream, lines);
    bool over = game_is_over(&stream->game);
    if (status || (!over && stream->game.n_moves < stream->question.n))
        return status;
    struct json json;
    json_begin(&json);
    json_add_flag(&json, "end", true);
    json_add_flag(&json, "over", over);
    json_add_unsigned(&json, "moves", stream->game.n_moves);
    json_add_unsigned(&json, "score", stream->game.score);
    *done = true;
    return web_text_append_json(lines, &json);
}

/* ---- the outlook ------------------------------------------------------------------------------------------------ */

static enum status step_outlook(struct game_stream *stream, const struct chooser *chooser, struct web_text *lines,
                                bool *done)
{
    enum status status = outlook_run(&stream->outlook, chooser, stream->question.n, OUTLOOK_MS / 1e3);
    if (status)
        return status;
    struct json json;
    *done = stream->outlook.n_games == stream->question.n;
    json_begin(&json);
    if (*done)
        json_add_flag(&json, "end", true);
    outlook_add_json(&stream->outlook, &json);
    return web_text_append_json(lines, &json);
}

enum status game_stream_step(struct game_stream *stream, struct web_searchers *searchers, unsigned worker,
                             struct web_text *lines, bool *done)
{
    struct web_chooser web = chooser_of(&stream->question.hint, searchers, worker);
    struct chooser chooser = web_chooser_chooser(&web);
    enum status status = STATUS_OK;
    *done = false;
    if (!stream->begun)
        status = add_first_line(&stream->question.hint, lines);
    stream->begun = true;
    if (status)
        return status;
    return stream->question.outlook ? step_outlook(stream, &chooser, lines, done)
                                    : step_watch(stream, &chooser, lines, done);
}

/* ---- the expected line ------------------------------------------------------------------------------------------ */

enum http_code game_stream_line(const struct hint_question *question, struct web_searchers *searchers, unsigned worker,
                                char **text)
{
    const struct grid *grid = question->board->grid;
    struct web_chooser moves = chooser_of(question, searchers, worker), boards = moves;
    boards.limit = (struct search_limit){.depth = 1};
    struct chooser mover = web_chooser_chooser(&moves), quick = web_chooser_chooser(&boards);
    struct expected_line line;
    struct json json;
    *text = NULL;
    enum status status = expected_line_find(&line, grid, question->position, LINE_MOVES, &mover, &quick);
    if (status)
        return web_code_of(status);
    hint_begin_json(&json, question);
    expected_line_add_json(&line, grid, &json);
    return web_code_of(json_print_compact(&json, text));
}
