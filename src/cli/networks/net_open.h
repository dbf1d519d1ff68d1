/*
 * net_open: how a command line names a player, and where verbs that load networks show progress and notices.
 *
 * A player has one name everywhere: `--player bundled`, `simple`, `random`, or the path of a network file. `--net FILE`
 * says the same.
 */
#ifndef AFTERSTATE_CLI_NET_OPEN_H
#define AFTERSTATE_CLI_NET_OPEN_H

#include "cli/frame/options.h"
#include "study/evaluator_choice.h"

#include <stdbool.h>

/* The options --player and --net, for OPTION_GROUP_OF(). */
struct player_options {
    const char *player, *net;
};
enum { PLAYER_OPTIONS = 2 };
extern const struct option_spec player_option_rows[PLAYER_OPTIONS];

/* A player by its name. */
struct named_player {
    const char *net; /* for an evaluator request: a file, "simple", "bundled", "neural"; NULL: none was named */
    bool random;     /* no evaluator: every legal move alike; net is "simple" then, which has any board */
};

/* What a name means; NULL: none was given. STATUS_USAGE for a mistyped word. */
enum status player_by_name(const char *name, struct named_player *out);

/* The player of the options. STATUS_USAGE as above, and if both are given. */
enum status player_options_resolve(const struct player_options *options, struct named_player *out);

/* The same for verbs that need the value of boards: `what` ("hint") is refused for the random player. */
enum status player_options_resolve_evaluator(const struct player_options *options, const char *what, const char **net);

/* An evaluator request with notices and progress on stderr unless --quiet or --json. */
struct evaluator_request net_request(const char *net, const char *board, enum load_form form,
                                     const struct common_options *common);

/*
 * Sets a request's endgame to what option --endgame says; NULL, where it was not given, is "auto" for the bundled
 * network alone. For verbs that play as well as they can.
 */
void net_request_endgame(struct evaluator_request *request, const char *endgame);

/* One line on stderr, unless --quiet or --json, if the late game has a network of its own. */
void net_show_late(const struct evaluator_choice *choice, const struct common_options *common);

/* The help of option --endgame of such verbs. */
#define NET_ENDGAME_HELP                                                                                               \
    "play late games by their own network and these tables: a folder, auto (those of 'endgame build'), none (without " \
    "tables) or off; without it auto for the bundled network"

#endif
