/*
 * eval: the strength of a player in numbers: many games, or two networks on the same games.
 *
 * Compared networks play one after the other, so that only one of them is in memory; their games have the same seeds,
 * and the difference is that of the pairs.
 */
#include "cli/frame/verbs.h"

#include "base/file.h"
#include "base/json.h"
#include "base/memory.h"
#include "base/number_text.h"
#include "base/signals.h"
#include "cli/measure/show_summary.h"
#include "cli/networks/net_open.h"
#include "cli/play/search_options.h"
#include "game/notation.h"
#include "study/paired.h"
#include "study/series.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_PLAYERS = 2, FIRST_TILE = 11, LAST_TILE = 16, MIN_UNTIL = 2, COMMENT_BYTES = 1024 };

struct eval_options {
    struct player_options names;
    struct search_options search;
    int64_t games, seed, threads;
    bool games_given;
    const char *until, *board, *from, *collect, *endgame, *late_net;
    struct option_texts csv, record; /* one for each player */
    bool compare;
};

/* A player and its results. */
struct contestant {
    struct named_player player;
    const char *board; /* its size, NULL: by the network */
    const char *csv, *record;
    char *name;   /* NULL until it has played */
    char size[8]; /* of the board; "" until it has played */
    bool interrupted;
    size_t n_starts; /* boards of the bank; 0 without one */
    struct series series;
    struct summary summary;
};

struct evaluation {
    const struct eval_options *options;
    const struct common_options *common;
    struct search_settings search;
    uint32_t until; /* the sum of the tiles of --until; 0: none */
    unsigned n_players;
    char size[16]; /* of the boards of two players */
    struct contestant players[MAX_PLAYERS];
};

/* ---- output ----------------------------------------------------------------------------------------------------- */

static double moves_per_second(const struct series *series)
{
    return series->n_moves_now && series->seconds_now > 0 ? (double)series->n_moves_now / series->seconds_now : 0;
}

/* The lines before the figures of an interrupted player. */
static void print_interruption(const struct contestant *player)
{
    printf("stopped early: these are the games before the first unfinished one");
    if (player->series.n_beyond)
        printf("; %s later ones are finished too%s", TEXT_OF_COUNT(player->series.n_beyond),
               player->csv ? "" : ", and left out");
    printf("\n");
    if (player->csv)
        printf("the same command resumes from %s\n", player->csv);
}

static void print_player(const struct evaluation *evaluation, const struct contestant *player)
{
    const struct series *series = &player->series;
    char search[SEARCH_TEXT_BYTES], first[NUMBER_TEXT_BYTES], second[NUMBER_TEXT_BYTES];
    if (player->interrupted)
        print_interruption(player);
    printf("%s game%s", number_text_count(first, player->summary.n_games), player->summary.n_games == 1 ? "" : "s");
    if (player->n_starts)
        printf(" from the %s board%s of %s", TEXT_OF_COUNT(player->n_starts), player->n_starts == 1 ? "" : "s",
               evaluation->options->from);
    if (evaluation->until)
        printf(" until %s", evaluation->options->until);
    printf(" by %s on %s, %s%sseed %lld: %s move%s", player->name, player->size,
           player->player.random ? "" : search_settings_text(&evaluation->search, search),
           player->player.random ? "" : ", ", (long long)evaluation->options->seed,
           number_text_count(second, player->summary.n_moves), player->summary.n_moves == 1 ? "" : "s");
    if (series->n_resumed)
        printf(", %s games of them from %s", TEXT_OF_COUNT(series->n_resumed), player->csv);
    if (series->n_moves_now)
        printf("; now %s, %s", number_text_duration(first, series->seconds_now),
               number_text_rate(second, moves_per_second(series), "moves"));
    printf("\n");
    if (player->summary.n_games == 0)
        return;
    if (evaluation->until)
        printf("%s made in %s: %.1f%%  [%.1f, %.1f] (95%%)\n", evaluation->options->until,
               TEXT_OF_COUNT(player->summary.n_made), 100 * player->summary.made.rate, 100 * player->summary.made.low,
               100 * player->summary.made.high);
    show_summary(&player->summary);
    printf("time per move: mean %s", number_text_duration(first, series->seconds_per_move));
    if (pace_n_moves(&series->pace))
        printf(", 99%% within %s", number_text_duration(second, pace_quantile(&series->pace, 0.99)));
    printf("\n");
}

static struct paired compare(const struct evaluation *evaluation)
{
    const struct series *first = &evaluation->players[0].series, *second = &evaluation->players[1].series;
    size_t n = first->n_finished < second->n_finished ? first->n_finished : second->n_finished;
    return paired_compute(first->results, second->results, n);
}

static void print_text(const struct evaluation *evaluation)
{
    for (unsigned i = 0; i < evaluation->n_players; i++)
        if (evaluation->players[i].size[0])
            print_player(evaluation, &evaluation->players[i]);
    if (evaluation->n_players < 2)
        return;
    struct paired paired = compare(evaluation);
    char interval[INTERVAL_TEXT_BYTES];
    if (paired.n_games == 0)
        printf("no game has been played by both yet\n");
    else
        printf("difference (second - first): %s%s %s over %s pair%s; the second scored more in %s, less in %s\n",
               paired.difference < 0 ? "" : "+", TEXT_OF_REAL(paired.difference, 1),
               interval_text(interval, paired.ci95, paired.n_games), TEXT_OF_COUNT(paired.n_games),
               paired.n_games == 1 ? "" : "s", TEXT_OF_COUNT(paired.n_better), TEXT_OF_COUNT(paired.n_worse));
    if (paired.n_games && evaluation->until)
        printf("difference of success: %+.1f +- %.1f points of 100 (95%%); only the second made it in %s, only the "
               "first in %s\n",
               100 * paired.made_difference, 100 * paired.made_ci95, TEXT_OF_COUNT(paired.n_only_second),
               TEXT_OF_COUNT(paired.n_only_first));
}

static void add_success_json(struct json *json, const struct summary *summary)
{
    json_add_unsigned(json, "made", summary->n_made);
    json_add_real(json, "made_rate", summary->made.rate);
    json_open_array(json, "made_ci95");
    json_add_real(json, NULL, summary->made.low);
    json_add_real(json, NULL, summary->made.high);
    json_close(json);
}

static void add_player_json(struct json *json, const struct evaluation *evaluation, const struct contestant *player)
{
    const struct series *series = &player->series;
    json_add_text(json, "player", player->name);
    json_add_flag(json, "interrupted", player->interrupted);
    if (player->n_starts)
        json_add_unsigned(json, "starts", player->n_starts);
    if (evaluation->until)
        add_success_json(json, &player->summary);
    summary_add_json(&player->summary, json);
    json_add_unsigned(json, "games_resumed", series->n_resumed);
    json_add_real(json, "seconds", series->seconds_now);
    json_add_real(json, "moves_per_second", moves_per_second(series));
    json_add_real(json, "move_ms_mean", 1e3 * series->seconds_per_move);
    json_add_real(json, "move_ms_p99", 1e3 * pace_quantile(&series->pace, 0.99));
}

static void add_comparison_json(struct json *json, const struct evaluation *evaluation)
{
    struct paired paired = compare(evaluation);
    unsigned n_played = evaluation->players[1].size[0] ? 2 : 1; /* an interruption may leave one of them out */
    json_add_unsigned(json, "count", n_played);
    json_open_array(json, "players");
    for (unsigned i = 0; i < n_played; i++) {
        json_open_object(json, NULL);
        add_player_json(json, evaluation, &evaluation->players[i]);
        json_close(json);
    }
    json_close(json);
    json_open_object(json, "difference"); /* second - first */
    json_add_unsigned(json, "games", paired.n_games);
    json_add_real(json, "mean", paired.difference);
    json_add_real(json, "ci95", paired.n_games > 1 ? paired.ci95 : (double)NAN);
    json_add_unsigned(json, "better", paired.n_better);
    json_add_unsigned(json, "worse", paired.n_worse);
    if (evaluation->until) {
        json_add_real(json, "made_rate", paired.made_difference);
        json_add_real(json, "made_ci95", paired.made_ci95);
        json_add_unsigned(json, "only_second", paired.n_only_second);
        json_add_unsigned(json, "only_first", paired.n_only_first);
    }
    json_close(json);
}

static enum status print_json(const struct evaluation *evaluation)
{
    struct json json;
    json_begin(&json);
    json_add_text(&json, "board", evaluation->players[0].size);
    search_settings_add_json(&evaluation->search, &json);
    json_add_signed(&json, "seed", evaluation->options->seed);
    if (evaluation->options->from)
        json_add_text(&json, "from", evaluation->options->from);
    if (evaluation->until)
        json_add_unsigned(&json, "until", evaluation->until);
    if (evaluation->n_players > 1)
        add_comparison_json(&json, evaluation);
    else
        add_player_json(&json, evaluation, &evaluation->players[0]);
    return cli_print_json(&json);
}

/* ---- playing ---------------------------------------------------------------------------------------------------- */

/* The last boards of the games that made the tile, as a bank. */
static enum status collect_boards(const struct evaluation *evaluation, const struct contestant *contestant,
                                  const struct grid *grid)
{
    const struct eval_options *options = evaluation->options;
    const struct series *series = &contestant->series;
    struct bank bank = {.boards = memory_allocate(series->n_finished, sizeof *bank.boards)};
    if (!bank.boards)
        return STATUS_NO_MEMORY;
    for (size_t i = 0; i < series->n_finished; i++)
        if (series->results[i].made)
            bank.boards[bank.n_boards++] = series->results[i].last;
    char comment[COMMENT_BYTES], search[SEARCH_TEXT_BYTES], *text = NULL;
    snprintf(comment, sizeof comment,
             "%zu boards of %zu games%s%s, each right after %s was made; played by %s, %s, seed %lld", bank.n_boards,
             series->n_finished, options->from ? " from " : "", options->from ? options->from : "", options->until,
             contestant->name, search_settings_text(&evaluation->search, search), (long long)options->seed);
    enum status status = bank_format(&text, &bank, grid, comment);
    if (!status)
        status = file_write_text(options->collect, text);
    free(text);
    bank_free(&bank);
    return status;
}

static enum status play_series(const struct evaluation *evaluation, struct contestant *contestant,
                               const struct evaluator_choice *choice, const struct bank *bank, struct workers *workers)
{
    const struct eval_options *options = evaluation->options;
    size_t n_games = bank && !options->games_given ? bank->n_boards : (size_t)options->games;
    char identity[EVALUATOR_IDENTITY_BYTES] = "";
    contestant->name = memory_copy_text(contestant->player.random ? "random" : choice->player);
    if (!contestant->name)
        return STATUS_NO_MEMORY;
    struct player player = {.kind = contestant->player.random ? PLAYER_RANDOM : PLAYER_SEARCH,
                            .grid = &choice->grid,
                            .function = choice->evaluator.function,
                            .search = evaluation->search};
    player.search.specialist = choice->specialist;
    struct series_settings settings = {.player = &player,
                                       .player_name = contestant->name,
                                       .seed = (uint64_t)options->seed,
                                       .n_games = n_games,
                                       .bank = bank,
                                       .until = evaluation->until,
                                       .log_path = contestant->csv,
                                       .player_identity = identity,
                                       .record_path = contestant->record,
                                       .cluster = evaluation->common->cluster};
    enum status status = contestant->csv ? evaluator_choice_identify(choice, identity) : STATUS_OK;
    if (contestant->player.random)
        snprintf(identity, sizeof identity, "random");
    if (status)
        return status;
    struct progress progress;
    progress_begin(&progress, stderr, evaluation->common->progress, "eval", "games", (double)n_games);
    status = series_play(&contestant->series, &settings, workers, &progress);
    progress_end(&progress, NULL);
    contestant->interrupted = status == STATUS_INTERRUPTED;
    if (status && !contestant->interrupted)
        return status;
    strcpy(contestant->size, choice->size);
    status = summary_compute(&contestant->summary, contestant->series.results, contestant->series.n_finished);
    if (status)
        return status;
    if (choice->grid.max_value > LAST_TILE)
        summary_show_tiles(&contestant->summary, FIRST_TILE, LAST_TILE);
    if (options->collect && cluster_is_first(evaluation->common->cluster) && !contestant->interrupted)
        return collect_boards(evaluation, contestant, &choice->grid);
    return STATUS_OK;
}

/* Reads the bank, which needs the size of the board, and plays. */
static enum status play_from(const struct evaluation *evaluation, struct contestant *contestant,
                             const struct evaluator_choice *choice, struct workers *workers)
{
    struct bank bank = {0};
    const char *from = evaluation->options->from;
    if (evaluation->until >> choice->grid.max_value > 1)
        return status_fail(STATUS_USAGE, "option '--until' is %s, but a board of %s holds at most %u",
                           evaluation->options->until, choice->size, notation_face(choice->grid.max_value));
    enum status status = from ? bank_read(&bank, &choice->grid, from) : STATUS_OK;
    contestant->n_starts = bank.n_boards;
    if (!status)
        status = play_series(evaluation, contestant, choice, from ? &bank : NULL, workers);
    bank_free(&bank);
    return status;
}

static enum status play_contestant(struct evaluation *evaluation, struct contestant *contestant,
                                   struct workers *workers)
{
    struct evaluator_choice choice;
    struct evaluator_request request =
        net_request(contestant->player.net, contestant->board, LOAD_FAST, evaluation->common);
    request.endgame = evaluation->options->endgame;
    request.lines = true;
    request.late_net = evaluation->options->late_net;
    enum status status = cluster_agree(evaluation->common->cluster, evaluator_choice_open(&choice, &request));
    if (choice.late.net && !evaluation->options->search.given[SEARCH_DOWNGRADE])
        evaluation->search.downgrade = choice.downgrade; /* the late network knows no others */
    if (status)
        goto done;
    net_show_late(&choice, evaluation->common);
    status = play_from(evaluation, contestant, &choice, workers);
done:
    evaluator_choice_close(&choice);
    return status;
}

static enum status play_all(struct evaluation *evaluation)
{
    struct workers *workers;
    enum status status = workers_create(&workers, (unsigned)evaluation->options->threads);
    for (unsigned i = 0; !status && i < evaluation->n_players; i++) {
        status = play_contestant(evaluation, &evaluation->players[i], workers);
        if (evaluation->players[i].interrupted)
            break;
    }
    workers_free(workers);
    if (!status && evaluation->common->json)
        status = print_json(evaluation);
    else if (!status)
        print_text(evaluation);
    return status;
}

/* ---- the command line ------------------------------------------------------------------------------------------- */

/* The size of a player's board, by its file; rows 0: simple and random have any. */
static enum status read_size(const struct named_player *player, unsigned *rows, unsigned *cols)
{
    *rows = *cols = 4;
    if (strcmp(player->net, "bundled") == 0 || strcmp(player->net, "neural") == 0)
        return STATUS_OK;
    *rows = *cols = 0;
    return strcmp(player->net, "simple") == 0 ? STATUS_OK : evaluator_read_size(player->net, rows, cols);
}

/* Two players for the same board, known before either has played for hours; one that has any takes the other's. */
static enum status match_sizes(struct evaluation *evaluation)
{
    struct contestant *players = evaluation->players;
    unsigned rows[2], cols[2];
    for (unsigned i = 0; i < 2; i++) {
        enum status status = read_size(&players[i].player, &rows[i], &cols[i]);
        if (status)
            return status;
    }
    if (rows[0] && rows[1] && (rows[0] != rows[1] || cols[0] != cols[1]))
        return status_fail(STATUS_USAGE, "%s is a network for %ux%u boards, %s for %ux%u", players[0].player.net,
                           rows[0], cols[0], players[1].player.net, rows[1], cols[1]);
    unsigned known = rows[0] ? 0 : 1;
    snprintf(evaluation->size, sizeof evaluation->size, "%ux%u", rows[known], cols[known]);
    for (unsigned i = 0; i < 2 && rows[known]; i++)
        if (!players[i].board)
            players[i].board = evaluation->size;
    return STATUS_OK;
}

static enum status check_count(const char *name, const struct option_texts *texts, unsigned n_players)
{
    if (texts->n_items != 0 && texts->n_items != n_players)
        return status_fail(STATUS_USAGE, "option '--%s' is given %zu times, expected %s", name, texts->n_items,
                           n_players == 1 ? "one file" : "a file for each of the two networks");
    if (texts->n_items == 2 && strcmp(texts->items[0], texts->items[1]) == 0)
        return status_fail(STATUS_USAGE, "option '--%s' is '%s' twice, expected a file for each network", name,
                           texts->items[0]);
    return STATUS_OK;
}

static enum status find_players(struct evaluation *evaluation, const struct cli_call *call)
{
    const struct eval_options *options = evaluation->options;
    if (!options->compare && call->n_operands)
        return status_fail(STATUS_USAGE, "unexpected operand '%s'; a player is given by --player, two by --compare",
                           call->operands[0]);
    if (options->compare && (call->n_operands != 2 || options->names.net || options->names.player))
        return status_fail(STATUS_USAGE, "--compare needs two players, A and B, and no --player");
    evaluation->n_players = options->compare ? 2 : 1;
    enum status status = check_count("csv", &options->csv, evaluation->n_players);
    if (!status)
        status = check_count("record", &options->record, evaluation->n_players);
    if (status)
        return status;
    for (unsigned i = 0; i < evaluation->n_players && !status; i++) {
        struct named_player player = {0};
        status = options->compare ? player_by_name(call->operands[i], &player)
                                  : player_options_resolve(&options->names, &player);
        evaluation->players[i] =
            (struct contestant){.player = player,
                                .board = options->board,
                                .csv = options->csv.n_items ? options->csv.items[i] : NULL,
                                .record = options->record.n_items ? options->record.items[i] : NULL};
    }
    return options->compare && !status ? match_sizes(evaluation) : status;
}

/* Reads --until and what goes with it. */
static enum status find_goal(struct evaluation *evaluation)
{
    const struct eval_options *options = evaluation->options;
    const char *text = options->until;
    while (text) {
        char *end;
        unsigned long tile = strtoul(text, &end, 10);
        if (!isdigit((unsigned char)*text) || (*end && *end != '+') || (tile & (tile - 1)) != 0 ||
            tile < notation_face(MIN_UNTIL) || tile > notation_face(BOARD_MAX_VALUE) || (evaluation->until & tile))
            return status_fail(STATUS_USAGE,
                               "option '--until' is %s, expected a tile of %u to %u, or different ones with + between "
                               "them",
                               options->until, notation_face(MIN_UNTIL), notation_face(BOARD_MAX_VALUE));
        evaluation->until |= (uint32_t)tile;
        text = *end ? end + 1 : NULL;
    }
    return options->collect && (!options->until || options->compare)
               ? status_fail(STATUS_USAGE, "--collect needs --until, and one player")
               : STATUS_OK;
}

static const struct eval_options defaults = {.search = SEARCH_OPTIONS_DEFAULT(1), .games = 1000, .seed = 1};

#define IN(member) OPTION_FIELD(struct eval_options, member)
static const struct option_spec option_rows[] = {
    {OPTION_GROUP_OF(player_option_rows, struct eval_options, names)},
    {"compare", 'c', NULL, IN(compare), "let the players A and B play on the same seeds"},
    {"games", 'n', "N", IN(games), "how many games; with --from one for each board unless given",
     OPTION_RANGE(1, 100000000), .given = offsetof(struct eval_options, games_given)},
    {OPTION_GROUP_OF(search_option_rows, struct eval_options, search)},
    {"endgame", 0, "DIR", IN(endgame),
     "play late games, downgraded from 32768, by their own network and these tables: a folder, auto (those of 'endgame "
     "build'), none (without tables) or off"},
    {"late-net", 0, "FILE", IN(late_net), "with --endgame, the network for late games in place of the bundled one"},
    {"threads", 't', "T", IN(threads), "games at the same time; 0 is all cores", OPTION_RANGE(0, WORKERS_MAX)},
    {"seed", 's', "S", IN(seed), "fixes every spawn", OPTION_AT_LEAST(0)},
    {"board", 'b', "RxC", IN(board), "rows and columns; without it 4x4, or the network's"},
    {"from", 0, "BANK", IN(from), "start from the boards of this file, one a line, as often as there are games"},
    {"until", 0, "TILE", IN(until),
     "end a game when a move makes this tile, and count how many do; or, such as 8192+4096, when tiles of the smallest "
     "of these and more add up to their sum"},
    {"collect", 0, "FILE", IN(collect), "write the boards on which --until ended games: a bank for --from"},
    {"csv", 0, "FILE", IN(csv),
     "a line for each finished game; games in it are not played again; with --compare one for each"},
    {"record", 'r', "FILE", IN(record), "record the games, move by move; with --compare one for each"},
};

static const struct command_example examples[] = {
    {"", "1000 games of the bundled network at 1-ply"},
    {"--player run/network.net", "the same of another one"},
    {"--player run/network.net --depth 3 --games 10k --csv games.csv", "hours of games; Ctrl-C, and the same again"},
    {"--compare old.net new.net --games 10000", "whether the new one is better"},
    {"--until 8192 --games 10000 --collect 8192.txt", "how often 8192 is made; the boards where it was"},
    {"--from 8192.txt --until 16384", "how often 16384 is made from there"},
};

static enum status run_command(struct cli_call *call)
{
    const struct eval_options *options = call->options;
    struct evaluation evaluation = {.options = options, .common = &call->common};
    enum status status = search_options_resolve(&options->search, 1, &evaluation.search);
    evaluation.search.cancel = signals_flag();
    if (status)
        goto done;
    if (options->late_net && !options->endgame)
        status = status_fail(STATUS_USAGE, "option '--late-net' needs '--endgame', such as --endgame auto");
    if (status)
        goto done;
    status = find_goal(&evaluation);
    if (status)
        goto done;
    status = find_players(&evaluation, call);
    if (status)
        goto done;
    status = play_all(&evaluation);
done:
    for (unsigned i = 0; i < MAX_PLAYERS; i++) {
        series_free(&evaluation.players[i].series);
        free(evaluation.players[i].name);
    }
    return status;
}

const struct command verb_eval = {
    .name = "eval",
    .heading = "Measure",
    .summary = "many games: mean score with its interval, tile rates, speed; two networks compared",
    .operands = "[A B]",
    .description = "Games are played in parallel, one on each thread, and game i of a seed has the same spawns "
                   "for every player: scores do not depend on the number of threads, unless --time makes them "
                   "depend on the machine. Ctrl-C reports the games before the first unfinished one, since those "
                   "that happen to be finished are the short ones. Scores of games that do not start anew count "
                   "from their start.",
    COMMAND_OPTIONS(option_rows, struct eval_options),
    .defaults = &defaults,
    COMMAND_EXAMPLES(examples),
    .interruptible = true,
    .clustered = true,
    .run = run_command,
};
