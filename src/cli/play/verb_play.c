/* play: one game to watch, replay or play yourself; or many games and their statistics. */
#include "cli/frame/verbs.h"

#include "base/clock.h"
#include "base/json.h"
#include "base/memory.h"
#include "base/number_text.h"
#include "base/signals.h"
#include "cli/frame/colour.h"
#include "cli/measure/show_summary.h"
#include "cli/networks/net_open.h"
#include "cli/play/play_modes.h"
#include "cli/play/search_options.h"
#include "game/notation.h"
#include "study/match.h"

#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

struct play_options {
    struct player_options names;
    struct named_player player;
    struct search_options search;
    int64_t seed, games, threads, game;
    double delay_ms;
    const char *board, *endgame, *record, *replay; /* board is NULL until it is known */
    const char *evaluator;                         /* its name, once it is known */
    bool me, moves, step;
};

/* The name of the player. */
static const char *player_name(const struct play_options *options)
{
    return options->me ? "you" : options->player.random ? "random" : options->evaluator;
}

/* The games that were played. */
struct outcome {
    struct game_result *results;
    struct game_record *records; /* NULL unless recording */
    size_t n_games;              /* finished ones */
    double seconds;
};

static double moves_per_second(const struct summary *summary, const struct outcome *outcome)
{
    return outcome->seconds > 0 ? (double)summary->n_moves / outcome->seconds : 0;
}

static void print_summary(const struct summary *summary, const struct outcome *outcome,
                          const struct play_options *options)
{
    char games[NUMBER_TEXT_BYTES], moves[NUMBER_TEXT_BYTES], spent[NUMBER_TEXT_BYTES], rate[NUMBER_TEXT_BYTES];
    bool one = summary->n_games == 1;
    if (one)
        printf("score %s, largest tile %u: ", TEXT_OF_COUNT(summary->max),
               notation_face(outcome->results[0].max_value));
    printf("%s game%s by %s on %s, seed %lld: %s move%s in %s, %s\n", number_text_count(games, summary->n_games),
           one ? "" : "s", player_name(options), options->board, (long long)options->seed,
           number_text_count(moves, summary->n_moves), summary->n_moves == 1 ? "" : "s",
           number_text_duration(spent, outcome->seconds),
           number_text_rate(rate, moves_per_second(summary, outcome), "moves"));
    if (!one)
        show_summary(summary);
}

static enum status print_json(const struct summary *summary, const struct outcome *outcome,
                              const struct play_options *options, const struct search_settings *search,
                              bool interrupted)
{
    struct json json;
    json_begin(&json);
    json_add_text(&json, "player", player_name(options));
    search_settings_add_json(search, &json);
    json_add_text(&json, "board", options->board);
    json_add_signed(&json, "seed", options->seed);
    json_add_flag(&json, "interrupted", interrupted);
    summary_add_json(summary, &json);
    json_add_real(&json, "seconds", outcome->seconds);
    json_add_real(&json, "moves_per_second", moves_per_second(summary, outcome));
    return cli_print_json(&json);
}

static enum status write_records(const struct outcome *outcome, const struct player *player, const char *name,
                                 const char *path)
{
    struct record_writer *writer;
    enum status status = record_writer_open(&writer, path, player->grid, name);
    for (size_t i = 0; i < outcome->n_games && !status; i++) {
        status = record_writer_add(writer, &outcome->records[i]);
        if (status)
            record_writer_abort(writer);
    }
    return status ? status : record_writer_commit(writer);
}

/* One game on the screen; a game that was left counts with what was played. */
static enum status play_one(struct play_settings *settings, struct play_options *options, struct outcome *outcome)
{
    enum status status = play_game(settings, outcome->results, outcome->records);
    options->seed = (int64_t)settings->seed;
    outcome->n_games = !status || status == STATUS_INTERRUPTED;
    return status;
}

static enum status play_many(const struct play_settings *settings, const struct play_options *options,
                             const struct common_options *common, struct outcome *outcome)
{
    struct workers *workers;
    struct progress progress;
    enum status status = workers_create(&workers, (unsigned)options->threads);
    if (status)
        return status;
    struct match match = {.player = settings->player,
                          .seed = settings->seed,
                          .n_games = (size_t)options->games,
                          .results = outcome->results,
                          .records = outcome->records};
    progress_begin(&progress, stderr, common->progress, "play", "games", (double)options->games);
    status = match_play(&match, workers, &progress, &outcome->n_games);
    progress_end(&progress, NULL);
    workers_free(workers);
    return status;
}

/* Plays, records, reports. */
static enum status play_games(struct play_settings *settings, struct play_options *options,
                              const struct common_options *common, struct outcome *outcome)
{
    double start = clock_seconds();
    bool one = options->games == 1 && !common->json;
    enum status status =
        one || options->me ? play_one(settings, options, outcome) : play_many(settings, options, common, outcome);
    outcome->seconds = clock_seconds() - start;
    bool interrupted = status == STATUS_INTERRUPTED;
    if (status && !interrupted)
        return status;
    struct summary summary;
    status = summary_compute(&summary, outcome->results, outcome->n_games);
    if (!status && options->record)
        status = write_records(outcome, settings->player, settings->player_name, options->record);
    if (status)
        return status;
    if (common->json)
        return print_json(&summary, outcome, options, &settings->player->search, interrupted);
    if (interrupted)
        printf(one ? "stopped early; what was played:\n"
                   : "stopped early; the games before the first unfinished one:\n");
    if (summary.n_games)
        print_summary(&summary, outcome, options);
    if (options->record)
        printf("recorded in %s; watch it with: afterstate play --replay %s\n", options->record, options->record);
    return STATUS_OK;
}

static enum status run_games(struct play_settings *settings, struct play_options *options,
                             const struct common_options *common)
{
    size_t n_games = (size_t)options->games;
    struct outcome outcome = {0};
    outcome.results = memory_allocate(n_games, sizeof *outcome.results);
    if (options->record)
        outcome.records = memory_allocate(n_games, sizeof *outcome.records);
    enum status status = STATUS_NO_MEMORY;
    if (outcome.results && (outcome.records || !options->record))
        status = play_games(settings, options, common, &outcome);
    for (size_t i = 0; outcome.records && i < n_games; i++)
        game_record_free(&outcome.records[i]);
    free(outcome.records);
    free(outcome.results);
    return status;
}

static enum status check_combination(const struct play_options *options, const struct common_options *common)
{
    if (options->me && (options->games != 1 || common->json))
        return status_fail(STATUS_USAGE, "--me plays one game on the screen: it does not go with --games or --json");
    if (options->endgame &&
        (options->player.random || (options->player.net && strcmp(options->player.net, "simple") == 0)))
        return status_fail(STATUS_USAGE, "--endgame goes with a network, not with --player %s",
                           options->player.random ? "random" : "simple");
    if (options->me && options->player.random)
        return status_fail(STATUS_USAGE, "--player random does not go with --me, which needs hints");
    if (options->replay && (options->me || options->record || options->games != 1 || common->json))
        return status_fail(STATUS_USAGE,
                           "--replay shows a record: it does not go with --me, --record, --games or --json");
    return STATUS_OK;
}

/*
 * A single game with a time limit searches with all threads. Many games have a thread each, and so has a game by depth
 * alone.
 */
static unsigned threads_inside(const struct play_options *options)
{
    if (options->games > 1 || !(options->search.milliseconds > 0))
        return 1;
    return options->threads ? (unsigned)options->threads : workers_available();
}

static const struct play_options defaults = {
    .search = SEARCH_OPTIONS_DEFAULT(2), .seed = -1, .games = 1, .delay_ms = 30};

#define IN(member) OPTION_FIELD(struct play_options, member)
static const struct option_spec option_rows[] = {
    {OPTION_GROUP_OF(player_option_rows, struct play_options, names)},
    {"endgame", 0, "DIR", IN(endgame), NET_ENDGAME_HELP},
    {OPTION_GROUP_OF(search_option_rows, struct play_options, search)},
    {"board", 'b', "RxC", IN(board),
     "rows and columns, sides 1 to 6, at most 16 cells; without it 4x4, or the network's"},
    {"games", 'n', "N", IN(games), "how many games; one is shown, of more there are statistics",
     OPTION_RANGE(1, 100000000)},
    {"seed", 's', "S", IN(seed), "fixes every spawn; -1 draws a new seed", OPTION_AT_LEAST(-1)},
    {"threads", 't', "T", IN(threads),
     "threads for many games, or inside the search of one with --time; 0 is all cores", OPTION_RANGE(0, WORKERS_MAX)},
    {"me", 'm', NULL, IN(me), "play yourself; h shows hints, u takes a move back"},
    {"record", 'r', "FILE", IN(record), "record the games, move by move"},
    {"replay", 0, "FILE", IN(replay), "show a recorded game"},
    {"game", 0, "I", IN(game), "which game of the record, from 0", OPTION_AT_LEAST(0)},
    {"moves", 0, NULL, IN(moves), "list every move where the output is not a terminal"},
    {"step", 0, NULL, IN(step), "wait for a key before each move"},
    {"delay", 0, "MS", OPTION_MS_FIELD(struct play_options, delay_ms), "pause between moves on a terminal",
     OPTION_RANGE(0, 60000)},
};

static const struct command_example examples[] = {
    {"", "watch the bundled network"},
    {"--player simple", "watch the simple player"},
    {"--me", "play yourself, with hints"},
    {"--games 1000 --seed 1 --json", "statistics of 1000 games"},
    {"--player run/network.net --depth 1 --games 1000", "the strength of a trained network"},
    {"--player run/network.net --time 50ms", "watch it think for 50 milliseconds a move"},
    {"--seed 7 --record game.rec", "record a game"},
    {"--replay game.rec --step", "walk through it with the keyboard"},
};

static enum status run_command(struct cli_call *call)
{
    struct play_options *options = call->options;
    const struct common_options *common = &call->common;
    struct evaluator_choice choice = {0};
    struct search_settings search;
    if (options->seed < 0) { /* none given: a new game every time; the seed is printed, so it can be played again */
        uint32_t fresh;
        options->seed =
            getrandom(&fresh, sizeof fresh, 0) == (ssize_t)sizeof fresh ? fresh : clock_nanoseconds() % 1000000;
    }
    enum status status = player_options_resolve(&options->names, &options->player);
    if (status)
        return status;
    status = check_combination(options, common);
    if (status)
        return status;
    status = search_options_resolve(&options->search, threads_inside(options), &search);
    if (status)
        return status;
    struct evaluator_request request =
        net_request(options->player.net, options->board, options->games > 1 ? LOAD_FAST : LOAD_COMPACT, common);
    net_request_endgame(&request, options->endgame);
    request.lines = true;
    status = evaluator_choice_open(&choice, &request);
    if (status)
        goto done;
    net_show_late(&choice, common);
    options->board = choice.size;
    options->evaluator = choice.player;
    search.cancel = signals_flag();
    if (!options->search.given[SEARCH_DOWNGRADE])
        search.downgrade = choice.downgrade;
    search.specialist = choice.specialist;
    struct player player = {.kind = options->player.random ? PLAYER_RANDOM : PLAYER_SEARCH,
                            .grid = &choice.grid,
                            .function = choice.evaluator.function,
                            .search = search};
    struct play_settings settings = {.player = &player,
                                     .player_name = player_name(options),
                                     .seed = (uint64_t)options->seed,
                                     .me = options->me,
                                     .delay_ms = (unsigned)options->delay_ms,
                                     .every_move = options->moves,
                                     .step = options->step,
                                     .colours = colour_wanted(common->colour, stdout)};
    status = options->replay ? play_replay(&settings, options->replay, (uint64_t)options->game)
                             : run_games(&settings, options, common);
done:
    evaluator_choice_close(&choice);
    return status;
}

const struct command verb_play = {
    .name = "play",
    .heading = "Play",
    .summary = "watch the program play, or play yourself with hints, in the terminal",
    .description =
        "One game is drawn in the terminal, with what the search thinks of each move, and has keys: the window "
        "lists them. Where the output is no terminal, the game is one line. Several games are played on all cores "
        "and summed up. Game i of a seed has the same spawns for every player and any number of threads.",
    COMMAND_OPTIONS(option_rows, struct play_options),
    .defaults = &defaults,
    COMMAND_EXAMPLES(examples),
    .interruptible = true,
    .run = run_command,
};
