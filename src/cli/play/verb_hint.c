/*
 * hint: the value of each move of a board. One board on the command line, or many on standard input, each answered by
 * one line at once (board_lines.h).
 */
#include "cli/frame/verbs.h"

#include "base/clock.h"
#include "base/json.h"
#include "base/number_text.h"
#include "base/progress.h"
#include "base/signals.h"
#include "base/workers.h"
#include "cli/frame/colour.h"
#include "cli/networks/net_open.h"
#include "cli/play/board_lines.h"
#include "cli/play/search_options.h"
#include "game/notation.h"
#include "study/hint_answer.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct hint_options {
    struct player_options names;
    struct search_options search;
    int64_t threads;
    const char *board, *endgame;
};

/* Progress of a long search. */
struct hint_progress {
    struct progress progress;
    enum progress_mode mode;
    unsigned depth;  /* 0 before the first of two plies or more */
    double asked_at; /* the clock */
    bool shown;
};

/* The search and how to print its results. */
struct adviser {
    struct evaluator_choice choice;
    struct searcher *searcher;
    struct hint_progress progress;
    bool json;
    enum colour_mode colour;
};

struct answer {
    struct search_result result;
    double milliseconds;
};

/* Searches of less than a second show no progress. */
static void watch_search(void *context, unsigned depth, unsigned n_done, unsigned n_parts)
{
    static const double patience = 1;
    struct hint_progress *hint = context;
    if (depth != hint->depth)
        progress_begin(&hint->progress, stderr, hint->mode, "hint", "boards", n_parts);
    hint->depth = depth;
    if (clock_seconds() - hint->asked_at < patience)
        return;
    char note[32];
    snprintf(note, sizeof note, "%u plies", depth);
    progress_update(&hint->progress, n_done, note);
    hint->shown = true;
}

static struct answer advise(struct adviser *adviser, struct board board)
{
    double start = clock_seconds();
    adviser->progress.asked_at = start;
    struct answer answer = {.result = searcher_search(adviser->searcher, board)};
    answer.milliseconds = 1e3 * (clock_seconds() - start);
    if (adviser->progress.shown)
        progress_end(&adviser->progress.progress, NULL);
    adviser->progress.shown = false;
    adviser->progress.depth = 0;
    return answer;
}

/* ---- output ----------------------------------------------------------------------------------------------------- */

static enum status print_json(const struct adviser *adviser, const char *text, struct board board,
                              const struct answer *answer, bool one_line)
{
    struct json json;
    json_begin(&json);
    json_add_text(&json, "board", text);
    if (adviser->choice.late.net)
        json_add_text(&json, "judge", adviser->choice.player);
    hint_answer_add_json(&json, &answer->result, answer->milliseconds);
    if (adviser->choice.late.endgame)
        hint_answer_add_endgame(&json, adviser->choice.late.endgame, board);
    return one_line ? cli_print_json_line(&json) : cli_print_json(&json);
}

static void print_chances(const struct query_answer *chances, unsigned goal)
{
    const char *separator = "";
    printf("exact chance of %u if the large tiles stay: ", notation_face(goal));
    for (unsigned d = 0; d < DIRECTION_COUNT; d++) {
        double chance = chances->moves[d].value[VARIANT_NORMAL];
        if (isnan(chance))
            continue;
        printf("%s%s %.6f", separator, direction_name(d), chance);
        separator = ", ";
    }
    printf("\n");
}

static void print_text(const struct adviser *adviser, struct board board, const struct answer *answer)
{
    const enum colour_mode colour = adviser->colour;
    const struct search_result *result = &answer->result;
    const struct endgame *endgame = adviser->choice.late.endgame;
    struct query_answer chances;
    unsigned goal;
    unsigned depth = result->n_valued ? result->depth[result->best] : 0;
    for (unsigned i = 0; i < DIRECTION_COUNT; i++) {
        enum direction d = result->order[i];
        if (i >= result->n_valued)
            printf("%-5s  %s\n", direction_name(d), result->legal >> d & 1 ? "not searched" : "illegal");
        else if (result->depth[d] != depth)
            printf("%-5s  %s  (%u plies)\n", direction_name(d), TEXT_OF_REAL((double)result->value[d], 1),
                   result->depth[d]);
        else
            printf("%s%-5s  %s%s\n", i == 0 ? colour_begin(colour, COLOUR_GOOD) : "", direction_name(d),
                   TEXT_OF_REAL((double)result->value[d], 1), i == 0 ? colour_begin(colour, COLOUR_NONE) : "");
    }
    if (endgame && endgame_query(endgame, board, &chances, &goal) == STATUS_OK && chances.best != DIRECTION_COUNT)
        print_chances(&chances, goal);
    if (result->legal == 0)
        printf("no direction is legal: the game is over\n");
    else if (result->n_valued)
        printf("%u %s, %s\n", depth, depth == 1 ? "ply" : "plies", TEXT_OF_DURATION(answer->milliseconds * 1e-3));
}

static void print_line(const struct answer *answer)
{
    const struct search_result *result = &answer->result;
    if (result->n_valued == 0) {
        printf("none\n");
        return;
    }
    for (unsigned i = 0; i < result->n_valued; i++)
        printf("%s%s %.1f", i ? ", " : "", direction_name(result->order[i]), (double)result->value[result->order[i]]);
    printf("; depth %u, %.3f ms\n", result->depth[result->best], answer->milliseconds);
}

/* ---- boards ----------------------------------------------------------------------------------------------------- */

static enum status read_board(const struct adviser *adviser, const char *text, struct board *board)
{
    enum status status = notation_parse(&adviser->choice.grid, text, board);
    if (!status && board->cells == 0)
        status = status_fail(STATUS_INVALID, "a board without tiles; a game begins with two");
    return status;
}

/* Finds the evaluator and then, before a network is loaded, a mistake in the board where the size is known already. */
static enum status open_evaluator(struct adviser *adviser, const struct evaluator_request *request, const char *text)
{
    struct board board;
    enum status status = evaluator_choice_find(&adviser->choice, request);
    if (!status && text && adviser->choice.size[0])
        status = read_board(adviser, text, &board);
    return status ? status : evaluator_choice_load(&adviser->choice, request);
}

static enum status answer_board(struct adviser *adviser, const char *text, bool one_line)
{
    struct board board;
    enum status status = read_board(adviser, text, &board);
    if (status)
        return status;
    struct answer answer = advise(adviser, board);
    if (adviser->json)
        status = print_json(adviser, text, board, &answer, one_line);
    else if (one_line)
        print_line(&answer);
    else
        print_text(adviser, board, &answer);
    if (!status && answer.result.cancelled)
        status = status_fail(STATUS_INTERRUPTED, "stopped after %s; this is what was finished until then",
                             TEXT_OF_DURATION(answer.milliseconds * 1e-3));
    return status;
}

static enum status answer_line(void *adviser, const char *text)
{
    return answer_board(adviser, text, true);
}

/* ---- the command line ------------------------------------------------------------------------------------------- */

static const struct hint_options defaults = {.search = SEARCH_OPTIONS_DEFAULT(3)};

#define IN(member) OPTION_FIELD(struct hint_options, member)
static const struct option_spec option_rows[] = {
    {OPTION_GROUP_OF(player_option_rows, struct hint_options, names)},
    {"endgame", 0, "DIR", IN(endgame), NET_ENDGAME_HELP},
    {OPTION_GROUP_OF(search_option_rows, struct hint_options, search)},
    {"board", 'b', "RxC", IN(board), "rows and columns; without it the network's, or what the board shows, or 4x4"},
    {"threads", 't', "T", IN(threads), "threads of a search; 0 is all cores", OPTION_RANGE(0, WORKERS_MAX)},
};

static const struct command_example examples[] = {
    {"1230000000000010", "all four moves by the bundled network, best first"},
    {"1230000000000010 --player run/network.net", "by another one"},
    {"\"2 4 8 / 0 0 2 / 0 0 0\" --depth 5", "a 3x3 board, by the simple value"},
    {"--player run/network.net --time 20ms --json <boards.txt", "one object a line for each board"},
};

static enum status run_command(struct cli_call *call)
{
    const struct hint_options *options = call->options;
    const struct common_options *common = &call->common;
    const char *text = call->n_operands == 0 || strcmp(call->operands[0], "-") == 0 ? NULL : call->operands[0];
    struct adviser adviser = {.json = common->json, .colour = (enum colour_mode)common->colour};
    struct search_settings search;
    char size[16];
    const char *board = options->board, *net;
    unsigned n_threads = options->threads ? (unsigned)options->threads : workers_available();
    enum status status = player_options_resolve_evaluator(&options->names, "hint", &net);
    if (status)
        return status;
    status = search_options_resolve(&options->search, n_threads, &search);
    if (status)
        return status;
    if (text) { /* many boards are stopped by the signal itself, also while waiting for the next */
        status = signals_catch_interrupt();
        if (status)
            return status;
        search.cancel = signals_flag();
    }
    bool guessed = text && !board && (!net || strcmp(net, "simple") == 0);
    unsigned rows, cols;
    if (guessed && notation_guess_size(text, &rows, &cols)) {
        snprintf(size, sizeof size, "%ux%u", rows, cols);
        board = size;
    }
    adviser.progress.mode = common->progress;
    search.watch = watch_search;
    search.watch_context = &adviser.progress;
    bool many = !text && (search.milliseconds > 0 || search.depth > 3); /* else loading is most of the time */
    struct evaluator_request request = net_request(net, board, many ? LOAD_FAST : LOAD_COMPACT, common);
    net_request_endgame(&request, options->endgame);
    status = open_evaluator(&adviser, &request, text);
    if (status)
        goto done;
    net_show_late(&adviser.choice, common);
    if (!options->search.given[SEARCH_DOWNGRADE])
        search.downgrade = adviser.choice.downgrade;
    status = searcher_create(&adviser.searcher, &adviser.choice.grid, &adviser.choice.evaluator.function, &search);
    if (!status)
        status = text ? answer_board(&adviser, text, false)
                      : board_lines_answer(&(struct board_lines){answer_line, &adviser, common->json, common->quiet,
                                                                 &adviser.choice.grid},
                                           stdin);
done:
    if (status == STATUS_INVALID && guessed && !board)
        status = status_context(status, "taken for a 4x4 board, since there is no --board");
    searcher_free(adviser.searcher);
    evaluator_choice_close(&adviser.choice);
    return status;
}

const struct command verb_hint = {
    .name = "hint",
    .heading = "Play",
    .summary = "the value of every move of a board, best first",
    .operands = "[BOARD]",
    .description =
        "Without BOARD, or where it is -, boards are read from standard input, one a line, and each is "
        "answered by one line at once; a line that is no board is answered by an error, and the exit code is "
        "then 2.",
    COMMAND_OPTIONS(option_rows, struct hint_options),
    .defaults = &defaults,
    COMMAND_EXAMPLES(examples),
    .run = run_command,
};
