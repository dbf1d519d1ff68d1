/*
 * serve: opens networks and tables, starts the server (src/web) and waits for Ctrl-C or SIGTERM, its normal end.
 */
#include "cli/frame/verbs.h"

#include "base/clock.h"
#include "base/data_file.h"
#include "base/json.h"
#include "base/memory.h"
#include "base/signals.h"
#include "base/workers.h"
#include "cli/networks/net_open.h"
#include "search/searcher.h"
#include "web/guard.h"
#include "web/job_pool.h"
#include "web/listen.h"
#include "web/server.h"

#include <dirent.h>
#include <poll.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { TICK_MS = 100, TICKS_A_SWEEP = 10 };

struct serve_options {
    const char *host, *token, *runs, *page_directory, *endgame;
    bool open;
    struct option_texts players, nets, tables;
    int64_t port, threads, waiting, max_depth;
    double max_ms;
};

/* All that is open while it serves. */
struct serve_session {
    struct evaluator_choice *choices; /* they must not move */
    size_t n_choices;
    struct evaluator_choice *late; /* loaded when a search first needs it; NULL: none is */
    pthread_mutex_t late_mutex;
    struct table *tables[OPTION_TEXTS_MAX];
    size_t n_tables;
    struct catalog catalog;
};

/* Called by the first search of the board; other workers wait. A failure is reported in the answer. */
static enum status load_late(void *context, struct value_function *function)
{
    struct serve_session *session = context;
    const struct evaluator_request request = {.form = LOAD_COMPACT};
    enum status status = STATUS_OK;
    pthread_mutex_lock(&session->late_mutex);
    if (!session->late->evaluator.grid)
        status = evaluator_choice_load(session->late, &request);
    *function = session->late->evaluator.function;
    pthread_mutex_unlock(&session->late_mutex);
    return status;
}

/* Whether an evaluator is for 4x4; a file that cannot be read is reported when it is loaded. */
static bool is_4x4(const char *net, const char *size)
{
    unsigned rows = 4, cols = 4;
    if (size)
        grid_parse_size(size, &rows, &cols);
    else if (net && strcmp(net, "simple") != 0 && strcmp(net, "bundled") != 0 && strcmp(net, "neural") != 0)
        evaluator_read_size(net, &rows, &cols);
    return rows == 4 && cols == 4;
}

/* Offers a board. With `may_wait` the bundled network is loaded at the first search; one that was named, also in the
   environment, is loaded at once, since its name may be wrong. */
static enum status add_evaluator(struct serve_session *session, const char *net, const char *size, bool may_wait,
                                 const struct serve_options *options, const struct common_options *common)
{
    struct evaluator_choice *choice = &session->choices[session->n_choices++]; /* to be closed in every case */
    struct evaluator_request request = net_request(net, size, LOAD_COMPACT, common);
    if (is_4x4(net, size))
        net_request_endgame(&request, options->endgame);
    enum status status = evaluator_choice_find(choice, &request);
    bool late = may_wait && choice->path && !choice->named;
    if (!status && !late)
        status = evaluator_choice_load(choice, &request);
    if (status)
        return status;
    net_show_late(choice, common);
    struct web_board board = {.grid = &choice->grid,
                              .function = choice->evaluator.function,
                              .evaluator = choice->player,
                              .endgame = choice->late.endgame,
                              .network = choice->path != NULL,
                              .downgrade = choice->downgrade};
    if (late) {
        session->late = choice;
        board.load = load_late;
        board.load_context = session;
    }
    return catalog_add_board(&session->catalog, &board);
}

/* A size for which no network was named: the bundled network or the hand-made value. */
static enum status add_size(struct serve_session *session, unsigned rows, unsigned cols, bool may_wait,
                            const struct serve_options *options, const struct common_options *common)
{
    char size[16];
    if (catalog_board(&session->catalog, rows, cols))
        return STATUS_OK;
    snprintf(size, sizeof size, "%ux%u", rows, cols);
    return add_evaluator(session, NULL, size, may_wait, options, common);
}

/* Offers the neural network beside the bundled one, where it is there and can be loaded. */
static void add_neural(struct serve_session *session, const struct serve_options *options,
                       const struct common_options *common)
{
    const struct web_board *first = catalog_board(&session->catalog, 4, 4);
    char *path = data_file_find("nets/neural.net");
    bool wanted = path && strncmp(first->evaluator, "bundled", strlen("bundled")) == 0;
    enum status status = wanted ? add_evaluator(session, "neural", "4x4", false, options, common) : STATUS_OK;
    free(path);
    if (status && cli_progress_stream(common))
        fprintf(stderr, "afterstate: warning: without the neural network: %s\n", status_message());
}

static enum status add_player(struct serve_session *session, const char *name, const struct serve_options *options,
                              const struct common_options *common)
{
    const char *net;
    enum status status = player_options_resolve_evaluator(&(struct player_options){.player = name}, "serve", &net);
    return status ? status : add_evaluator(session, net, NULL, false, options, common);
}

static enum status add_table(struct serve_session *session, const char *directory)
{
    enum status status = table_open(&session->tables[session->n_tables], directory);
    return status ? status : catalog_add_table(&session->catalog, session->tables[session->n_tables++]);
}

static enum status open_all(struct serve_session *session, const struct serve_options *options,
                            const struct common_options *common)
{
    enum status status = STATUS_OK;
    size_t n_named = options->players.n_items + options->nets.n_items;
    session->choices = memory_allocate(n_named + options->tables.n_items + 3, sizeof *session->choices);
    if (!session->choices)
        return STATUS_NO_MEMORY;
    for (size_t i = 0; !status && i < options->players.n_items; i++)
        status = add_player(session, options->players.items[i], options, common);
    if (status)
        return status;
    for (size_t i = 0; !status && i < options->nets.n_items; i++)
        status = add_player(session, options->nets.items[i], options, common);
    /*
     * Where only tables or networks of other sizes are named, 4x4 hints may never be requested, and the bundled network
     * takes half a gigabyte.
     */
    bool others_named = n_named + options->tables.n_items > 0;
    if (status)
        return status;
    status = add_size(session, 4, 4, others_named, options, common);
    if (!status)
        add_neural(session, options, common);
    if (status)
        return status;
    status = add_size(session, 3, 3, false, options, common);
    if (status)
        return status;
    for (size_t i = 0; !status && i < options->tables.n_items; i++) {
        status = add_table(session, options->tables.items[i]);
        if (!status) {
            const struct table_summary *summary = table_summary(session->tables[i]);
            status = add_size(session, summary->rows, summary->cols, false, options, common);
        }
    }
    return status;
}

static void close_all(struct serve_session *session)
{
    for (size_t i = 0; i < session->n_tables; i++)
        table_close(session->tables[i]);
    for (size_t i = 0; i < session->n_choices; i++)
        evaluator_choice_close(&session->choices[i]);
    pthread_mutex_destroy(&session->late_mutex);
    free(session->choices);
    free(session);
}

/* A missing folder is an error, not an empty page. */
static enum status check_folder(const char *path, const char *option)
{
    DIR *folder = path ? opendir(path) : NULL;
    if (path && !folder)
        return status_fail_errno(STATUS_IO, "cannot open the folder '%s' of --%s", path, option);
    if (folder)
        closedir(folder);
    return STATUS_OK;
}

/* Prints the address; an IPv6 host is in brackets. */
static enum status print_address(const struct serve_options *options, unsigned port, bool as_json)
{
    const char *host = options->host;
    bool brackets = strchr(host, ':') != NULL;
    char url[600];
    int used = snprintf(url, sizeof url, "http://%s%s%s:%u/", brackets ? "[" : "", host, brackets ? "]" : "", port);
    if (options->token && (size_t)used < sizeof url)
        snprintf(url + used, sizeof url - (size_t)used, "?token=%s", options->token);
    if (as_json) {
        struct json json;
        char *text;
        json_begin(&json);
        json_add_text(&json, "url", url);
        json_add_text(&json, "host", host);
        json_add_unsigned(&json, "port", port);
        enum status status = json_print_compact(&json, &text);
        if (status)
            return status;
        puts(text);
        free(text);
    } else {
        puts(url);
    }
    if (fflush(stdout) != 0)
        return status_fail_errno(STATUS_IO, "cannot write to standard output");
    return STATUS_OK;
}

/* A client of the server can use its processor and see its runs, so other machines are let in on purpose only. */
static enum status check_access(const struct serve_options *options)
{
    enum status status = options->token ? guard_check_token(options->token) : STATUS_OK;
    if (status)
        return status;
    if (guard_is_loopback(options->host) || options->token || options->open)
        return options->token && options->open
                   ? status_fail(STATUS_USAGE, "--token and --open contradict each other: give one of them")
                   : STATUS_OK;
    return status_fail(STATUS_USAGE,
                       "--host %s lets other machines in: give --token TEXT, which they then need, or --open",
                       options->host);
}

static enum status serve(const struct serve_session *session, const struct serve_options *options, int listener,
                         unsigned port, const struct common_options *common)
{
    struct server *server;
    struct server_settings settings = {
        .host = options->host,
        .token = options->token,
        .port = port,
        .listener = listener,
        .catalog = &session->catalog,
        .runs = options->runs,
        .page_directory = options->page_directory,
        .n_threads = options->threads ? (unsigned)options->threads : workers_available(),
        .max_waiting = (unsigned)options->waiting,
        .max_depth = (unsigned)options->max_depth,
        .max_ms = (unsigned)options->max_ms,
    };
    if (settings.n_threads > JOB_POOL_MAX_THREADS)
        settings.n_threads = JOB_POOL_MAX_THREADS;
    enum status status = server_start(&server, &settings);
    if (status)
        return status;
    status = print_address(options, server_port(server), common->json);
    if (!status && !common->quiet && !common->json && isatty(STDOUT_FILENO))
        fprintf(stderr, "open this address in a browser; Ctrl-C stops the server\n");
    for (unsigned tick = 0; !status && !signals_interrupted(); tick++) {
        poll(NULL, 0, TICK_MS);
        if (tick % TICKS_A_SWEEP == 0)
            server_tick(server, clock_seconds());
    }
    server_stop(server);
    return status;
}

static const struct serve_options defaults = {
    .host = "127.0.0.1", .port = 2048, .waiting = 64, .max_depth = 5, .max_ms = 2000};

#define IN(member) OPTION_FIELD(struct serve_options, member)
static const struct option_spec option_rows[] = {
    {"port", 'p', "N", IN(port), "the port; 0 takes a free one", OPTION_RANGE(0, 65535)},
    {"host", 0, "HOST", IN(host),
     "the address to listen on; one that other machines can reach needs --token or --open"},
    {"token", 0, "TEXT", IN(token), "a secret that every request needs: 8 to 128 letters, digits, '-' and '_'"},
    {"open", 0, NULL, IN(open), "let other machines in without a token"},
    {"player", 0, "NAME", IN(players),
     "bundled, neural, simple, or a network file: it evaluates the boards of its size; the first of several does "
     "unless the page asks for another"},
    {"net", 0, "FILE", IN(nets), "the same as --player FILE"},
    {"endgame", 0, "DIR", IN(endgame), NET_ENDGAME_HELP},
    {"table", 0, "DIR", IN(tables), "a solved table, for exact values and figures"},
    {"runs", 0, "DIR", IN(runs), "a folder of run directories, for the learning curves"},
    {"threads", 't', "T", IN(threads), "searches at the same time; 0 is all cores",
     OPTION_RANGE(0, JOB_POOL_MAX_THREADS)},
    {"waiting", 0, "N", IN(waiting), "searches that may wait; further requests get 429", OPTION_RANGE(1, 10000)},
    {"max-depth", 0, "PLIES", IN(max_depth), "the deepest hint", OPTION_RANGE(1, SEARCH_MAX_DEPTH)},
    {"max-ms", 0, "MS", OPTION_MS_FIELD(struct serve_options, max_ms), "the longest hint", OPTION_RANGE(1, 60000)},
    {"page-dir", 0, "DIR", IN(page_directory), "read the page's files from there instead of the built-in ones"},
};

static const struct command_example examples[] = {
    {"", "play and get hints at http://127.0.0.1:2048/"},
    {"--player run/network.net --table tables/3x3", "with a network for 4x4 and the exact values of 3x3"},
    {"--runs runs --port 0", "learning curves of all runs, on a free port"},
};

static enum status run_command(struct cli_call *call)
{
    const struct serve_options *options = call->options;
    struct serve_session *session = memory_allocate(1, sizeof *session);
    if (!session)
        return STATUS_NO_MEMORY;
    int listener = -1;
    unsigned port;
    pthread_mutex_init(&session->late_mutex, NULL);
    enum status status = check_access(options);
    if (status)
        goto done;
    status = check_folder(options->runs, "runs");
    if (status)
        goto done;
    status = check_folder(options->page_directory, "page-dir");
    if (status)
        goto done;
    /* before half a gigabyte is loaded: a port that is taken fails at once, and requests wait */
    status = listen_open(options->host, (unsigned)options->port, &listener, &port);
    if (status)
        goto done;
    status = open_all(session, options, &call->common);
    if (status)
        goto done;
    status = serve(session, options, listener, port, &call->common);
done:
    if (listener >= 0)
        close(listener);
    close_all(session);
    return status;
}

const struct command verb_serve = {
    .name = "serve",
    .heading = "Play",
    .summary = "a web page to play, watch, review and follow trainings, and its API",
    .description = "Serves a page to play, watch, set up boards, review games and follow trainings, and a JSON API "
                   "(docs/GUIDE.md). Prints its address and runs until Ctrl-C or SIGTERM. Boards of 4x4, 3x3 and of "
                   "every table and network are offered; 4x4 is evaluated by the bundled network unless another is "
                   "named, sizes without a network by the simple value. Where only tables and networks of other sizes "
                   "are named, the bundled network is loaded at the first hint on 4x4.",
    COMMAND_OPTIONS(option_rows, struct serve_options),
    .defaults = &defaults,
    COMMAND_EXAMPLES(examples),
    .interruptible = true,
    .run = run_command,
};
