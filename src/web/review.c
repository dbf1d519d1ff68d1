/* review: a whole game evaluated move by move, in steps. */
#include "web/review.h"

#include "base/clock.h"
#include "base/json.h"
#include "base/memory.h"
#include "game/notation.h"
#include "study/hint_answer.h"
#include "study/move_quality.h"

#include <math.h>
#include <stdlib.h>

enum { STEP_MS = 40, STEP_BYTES = 32 << 10 }; /* a step ends with the move that goes beyond */

struct review {
    struct game_upload upload;
    const struct web_table *table; /* NULL: not solved */
    struct search_limit limit;
    unsigned depth;
    uint64_t from, end; /* moves from .. end-1 are evaluated */
    struct replay replay;
    bool begun;
    double total_loss, total_exact_loss;
    struct move_quality quality; /* by exact losses where they are known */
};

enum http_code review_parse(struct review_question *question, const struct hint_limits *limits, struct target *target)
{
    int64_t depth = HINT_DEFAULT_DEPTH < limits->max_depth ? HINT_DEFAULT_DEPTH : limits->max_depth;
    int64_t game = 0, from = 0, n = INT64_MAX;
    enum http_code code = hint_take_depth(target, limits, &depth);
    if (!code)
        code = target_take_integer(target, "game", 0, INT64_MAX, &game);
    if (!code)
        code = target_take_integer(target, "from", 0, INT64_MAX, &from);
    if (!code)
        code = target_take_integer(target, "n", 0, INT64_MAX, &n);
    if (!code)
        code = target_finish(target);
    *question = (struct review_question){
        .game = (uint64_t)game, .from = (uint64_t)from, .n = (uint64_t)n, .depth = (unsigned)depth};
    return code;
}

enum http_code review_open(struct review **out, const struct review_question *question, const struct catalog *catalog,
                           const struct hint_limits *limits, const struct upload_source *source)
{
    *out = NULL;
    struct review *review = memory_allocate(1, sizeof *review);
    if (!review)
        return HTTP_UNAVAILABLE;
    enum http_code code = game_upload_read(&review->upload, catalog, source);
    uint64_t n_moves = review->upload.record.n_moves;
    if (!code && question->from > n_moves)
        code = web_fail(HTTP_BAD_REQUEST, "'from' is %llu, and the game has %llu moves",
                        (unsigned long long)question->from, (unsigned long long)n_moves);
    if (code) {
        review_free(review);
        return code;
    }
    const struct grid *grid = review->upload.board->grid;
    review->table = catalog_exact_table(catalog, grid->rows, grid->cols);
    review->depth = question->depth;
    review->limit = hint_search_limit(limits, question->depth, 0);
    if (review->limit.milliseconds > limits->max_ms) /* one of thousands of moves may not take as long as a hint */
        review->limit.milliseconds = limits->max_ms;
    review->from = question->from;
    review->end = question->n < n_moves - question->from ? question->from + question->n : n_moves;
    review->replay = replay_begin(grid, &review->upload.record);
    *out = review;
    return HTTP_FINE;
}

void review_free(struct review *review)
{
    if (!review)
        return;
    game_upload_free(&review->upload);
    move_quality_free(&review->quality);
    free(review);
}

static enum status add_first_line(struct review *review, struct web_text *lines)
{
    const struct game_upload *upload = &review->upload;
    const struct grid *grid = upload->board->grid;
    char digits[NOTATION_DIGITS_BYTES];
    struct json json;
    json_begin(&json);
    json_add_unsigned(&json, "version", 1);
    json_add_unsigned(&json, "rows", grid->rows);
    json_add_unsigned(&json, "cols", grid->cols);
    json_add_text(&json, "judge", upload->board->evaluator);
    json_add_unsigned(&json, "depth", review->depth);
    json_add_text(&json, "player", upload->player);
    json_add_unsigned(&json, "game", upload->game);
    json_add_unsigned(&json, "games", upload->n_games);
    json_add_unsigned(&json, "moves", upload->record.n_moves);
    json_add_unsigned(&json, "from", review->from);
    json_add_unsigned(&json, "n", review->end - review->from);
    json_add_unsigned(&json, "score", upload->record.score);
    json_add_text(&json, "start", notation_digits(grid, upload->record.start, digits));
    json_add_text(&json, "table", review->table ? review->table->id : NULL);
    return web_text_append_json(lines, &json);
}

static enum status add_last_line(struct review *review, struct web_text *lines)
{
    char digits[NOTATION_DIGITS_BYTES];
    struct json json;
    json_begin(&json);
    json_add_flag(&json, "end", true);
    json_add_unsigned(&json, "moves", review->end - review->from);
    json_add_text(&json, "final", notation_digits(review->upload.board->grid, review->replay.board, digits));
    json_add_real(&json, "total_loss", review->total_loss);
    json_add_real(&json, "total_exact_loss", review->table ? review->total_exact_loss : (double)NAN);
    json_open_object(&json, "quality");
    move_quality_add_json(&review->quality, &json);
    json_close(&json);
    return web_text_append_json(lines, &json);
}

/* What the move loses by the table, of how much; NaN without one, or where no game reaches the board. */
static enum status exact_loss(const struct review *review, struct board board, enum direction direction, double *loss,
                              double *best)
{
    struct query_answer answer;
    *loss = *best = NAN;
    if (!review->table)
        return STATUS_OK;
    enum status status = catalog_query(review->table, board, &answer);
    if (!status) {
        *loss = answer.moves[direction].loss;
        *best = answer.value[review->table->queries.main];
    }
    return status == STATUS_INVALID ? STATUS_OK : status;
}

static enum status add_move(struct review *review, struct web_searchers *searchers, unsigned worker,
                            struct web_text *lines)
{
    const struct grid *grid = review->upload.board->grid;
    struct board board = review->replay.board;
    uint32_t index = review->replay.n_played;
    char digits[NOTATION_DIGITS_BYTES];
    struct search_result result;
    enum direction direction;
    struct spawn spawn;
    double exact = NAN, exact_best = NAN;
    enum status status = replay_next(&review->replay, &direction, &spawn);
    if (!status)
        status = web_searchers_search(searchers, worker, review->upload.board, board, review->limit, &result);
    if (!status)
        status = exact_loss(review, board, direction, &exact, &exact_best);
    if (status)
        return status;
    double loss = (double)result.value[result.best] - (double)result.value[direction];
    if (!(loss > 0)) /* a move that was searched less deep may seem better than the best */
        loss = 0;
    review->total_loss += loss;
    review->total_exact_loss += isnan(exact) ? 0 : exact;
    double known = isnan(exact) ? loss : exact, best = isnan(exact) ? (double)result.value[result.best] : exact_best;
    double share = move_quality_loss_share(known, best);
    status = move_quality_add(&review->quality, known, best);
    if (status)
        return status;
    double values[DIRECTION_COUNT];
    for (unsigned d = 0; d < DIRECTION_COUNT; d++)
        values[d] = (double)result.value[d];
    struct json json;
    json_begin(&json);
    json_add_unsigned(&json, "move", index);
    json_add_text(&json, "board", notation_digits(grid, board, digits));
    json_add_text(&json, "direction", direction_name(direction));
    json_open_object(&json, "spawn");
    json_add_unsigned(&json, "cell", spawn.cell);
    json_add_unsigned(&json, "tile", notation_face(spawn.value));
    json_close(&json);
    json_add_unsigned(&json, "score", review->replay.score);
    json_add_directions(&json, "values", values);
    json_add_text(&json, "best", direction_name(result.best));
    json_add_real(&json, "loss", loss);
    json_add_real(&json, "exact_loss", exact);
    json_add_real(&json, "loss_share", share);
    json_add_real(&json, "accuracy", move_quality_accuracy(share));
    return web_text_append_json(lines, &json);
}

static enum status add_error_line(struct web_text *lines)
{
    char *message = memory_copy_text(status_message());
    struct json json;
    if (!message)
        return STATUS_NO_MEMORY;
    web_clean_text(message);
    json_begin(&json);
    json_add_text(&json, "error", message);
    free(message);
    return web_text_append_json(lines, &json);
}

static enum status skip_moves(struct review *review)
{
    while (review->replay.n_played < review->from) {
        enum status status = replay_next(&review->replay, NULL, NULL);
        if (status)
            return status;
    }
    return STATUS_OK;
}

static enum status write_some(struct review *review, struct web_searchers *searchers, unsigned worker,
                              struct web_text *lines, bool *done)
{
    uint64_t start = clock_nanoseconds();
    enum status status = STATUS_OK;
    if (!review->begun) {
        review->begun = true;
        status = add_first_line(review, lines);
        if (!status)
            status = skip_moves(review);
    }
    while (!status && review->replay.n_played < review->end) {
        status = add_move(review, searchers, worker, lines);
        if (lines->bytes >= STEP_BYTES || clock_nanoseconds() - start >= STEP_MS * UINT64_C(1000000))
            break;
    }
    if (!status && review->replay.n_played == review->end) {
        *done = true;
        status = add_last_line(review, lines);
    }
    return status;
}

enum status review_step(struct review *review, struct web_searchers *searchers, unsigned worker, struct web_text *lines,
                        bool *done)
{
    *done = false;
    enum status status = write_some(review, searchers, worker, lines, done);
    if (!status || status == STATUS_NO_MEMORY || status == STATUS_INTERRUPTED)
        return status;
    *done = true;
    return add_error_line(lines);
}
