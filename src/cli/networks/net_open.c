/* net_open: how a command line names a player, and where verbs that load networks show progress and notices. */
#include "cli/networks/net_open.h"

#include "base/nearest.h"
#include "cli/frame/command.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const char random_name[] = "random";
static const char *const names[] = {"bundled", "neural", "simple", random_name, NULL};
enum { N_NAMES = sizeof names / sizeof *names - 1 };

#define IN(member) OPTION_FIELD(struct player_options, member)
const struct option_spec player_option_rows[PLAYER_OPTIONS] = {
    {"player", 'p', "NAME", IN(player),
     "bundled, neural, simple, random, or a network file; without it bundled on 4x4, simple on other boards",
     .choices = names},
    {"net", 0, "FILE", IN(net), "the same as --player FILE"},
};

/* Whether a name is that of a run directory with a network. */
static bool is_run(const char *name)
{
    char path[PATH_MAX];
    return snprintf(path, sizeof path, "%s/network.net", name) < (int)sizeof path && access(path, F_OK) == 0;
}

enum status player_by_name(const char *name, struct named_player *out)
{
    *out = (struct named_player){.net = name};
    if (!name)
        return STATUS_OK;
    if (!*name)
        return status_fail(STATUS_USAGE, "the player has no name, expected bundled, simple, random or a network file");
    if (strcmp(name, random_name) == 0)
        *out = (struct named_player){.net = "simple", .random = true};
    const char *near = nearest_name(name, names, N_NAMES);
    if (near && strcmp(near, name) != 0 && access(name, F_OK) != 0) /* another missing file is left to its loader */
        return status_fail(STATUS_USAGE,
                           "there is no player '%s', expected bundled, neural, simple, random or a network file; did "
                           "you mean '%s'?",
                           name, near);
    if (is_run(name))
        return status_fail(STATUS_USAGE, "%s is a run directory; its network is %s%snetwork.net", name, name,
                           name[strlen(name) - 1] == '/' ? "" : "/");
    return STATUS_OK;
}

enum status player_options_resolve(const struct player_options *options, struct named_player *out)
{
    if (options->player && options->net)
        return status_fail(STATUS_USAGE, "--player and --net both name a player; give one of them");
    return player_by_name(options->player ? options->player : options->net, out);
}

enum status player_options_resolve_evaluator(const struct player_options *options, const char *what, const char **net)
{
    struct named_player player = {0};
    enum status status = player_options_resolve(options, &player);
    *net = player.net;
    if (!status && player.random)
        status = status_fail(STATUS_USAGE, "the random player has no opinion of a board, which %s needs", what);
    return status;
}

static void print_notice(const char *why)
{
    fprintf(stderr,
            "afterstate: warning: %s\nafterstate: warning: so the simple value evaluates; a network is named "
            "by --player FILE\n",
            why);
}

struct evaluator_request net_request(const char *net, const char *board, enum load_form form,
                                     const struct common_options *common)
{
    FILE *progress = cli_progress_stream(common);
    return (struct evaluator_request){
        .net = net, .board = board, .form = form, .progress = progress, .notice = progress ? print_notice : NULL};
}

void net_request_endgame(struct evaluator_request *request, const char *endgame)
{
    request->endgame = endgame ? endgame : "auto";
    request->bundled_endgame = !endgame;
}

void net_show_late(const struct evaluator_choice *choice, const struct common_options *common)
{
    const struct late_choice *late = &choice->late;
    if (choice->chain && cli_progress_stream(common))
        fprintf(stderr, "late games: by %s and a search of lines\n", table_directory(chain_table(choice->chain, 0)));
    if (!late->net || !cli_progress_stream(common))
        return;
    size_t n = late->endgame ? endgame_n_tables(late->endgame) : 0;
    fprintf(stderr, "late games: by %s", late->net);
    if (n)
        fprintf(stderr, " and %zu endgame table%s, first %s", n, n == 1 ? "" : "s",
                table_directory(endgame_table(late->endgame, 0)));
    fputc('\n', stderr);
}
