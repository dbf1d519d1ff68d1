#include "cli/verbs.h"

#include <stdlib.h>
#include <string.h>

#include "base/nearest.h"
#include "cli/help.h"
#include "cli/verb_bench.h"
#include "cli/verb_eval.h"
#include "cli/verb_hint.h"
#include "cli/verb_net.h"
#include "cli/verb_play.h"
#include "cli/verb_train.h"

static const struct verb verbs[] = {
    {"play", "Play", "watch the program play, or play yourself with hints, in the terminal", verb_play_run},
    {"hint", "Play", "the value of every move of a board, best first", verb_hint_run},
    {"train", "Learn", "learn a network by a recipe, in a run directory", verb_train_run},
    {"net", "Learn", "look at network files: info, list, fold, shrink, convert", verb_net_run},
    {"eval", "Measure", "many games: mean score with its interval, tile rates, speed; two networks compared",
     verb_eval_run},
    {"bench", "Measure", "speeds of the parts, each beside this machine's limit", verb_bench_run},
};

enum { N_VERBS = sizeof verbs / sizeof *verbs };

const struct verb *verbs_all(size_t *n_verbs)
{
    *n_verbs = N_VERBS;
    return verbs;
}

const struct verb *verbs_find(const char *name)
{
    const char *names[N_VERBS + 1];
    for (size_t i = 0; i < N_VERBS; i++) {
        if (strcmp(verbs[i].name, name) == 0)
            return &verbs[i];
        names[i] = verbs[i].name;
    }
    names[N_VERBS] = "help"; /* no verb of its own, but worth a guess */
    const char *near = nearest_name(name, names, N_VERBS + 1);
    if (near != NULL)
        status_fail(STATUS_USAGE, "unknown verb '%s'; did you mean '%s'?", name, near);
    else
        status_fail(STATUS_USAGE, "unknown verb '%s'; 'afterstate help' lists the verbs", name);
    return NULL;
}

void verbs_print_list(FILE *out)
{
    fputs("usage: afterstate VERB [options] [operands]\n"
          "\n"
          "The 2048 laboratory: learn, play, solve and measure.\n",
          out);
    int widest = 0;
    for (size_t i = 0; i < N_VERBS; i++)
        if ((int)strlen(verbs[i].name) > widest)
            widest = (int)strlen(verbs[i].name);
    const char *group = "";
    for (size_t i = 0; i < N_VERBS; i++) {
        if (strcmp(group, verbs[i].group) != 0)
            fprintf(out, "\n%s:\n", verbs[i].group);
        group = verbs[i].group;
        fprintf(out, "  %-*s  %s\n", widest, verbs[i].name, verbs[i].summary);
    }
    fputs("\n"
          "afterstate VERB --help tells about one verb, afterstate --version about this\n"
          "build. Exit codes: 0 fine, 1 failed, 2 wrong usage.\n",
          out);
}

bool cli_begin(const struct cli_context *context, const struct command_spec *command, struct common_options *common,
               int argc, char **argv, struct operands *operands, int *exit_code)
{
    switch (options_parse(command, common, argc, argv, operands)) {
    case PARSE_DONE:
        return true;
    case PARSE_HELP:
        help_print_verb(stdout, context->verb->name, context->verb->summary, command);
        *exit_code = EXIT_SUCCESS;
        return false;
    case PARSE_FAILED:
        break;
    }
    status_context(STATUS_USAGE, "%s", context->verb->name);
    *exit_code = cli_fail(STATUS_USAGE);
    return false;
}

int cli_exit_code(enum status status)
{
    switch (status) {
    case STATUS_OK:
        return EXIT_SUCCESS;
    case STATUS_USAGE:
    case STATUS_INVALID:
        return EXIT_USAGE;
    case STATUS_NO_MEMORY:
    case STATUS_IO:
    case STATUS_CORRUPT:
    case STATUS_INTERRUPTED:
        break;
    }
    return EXIT_FAILURE;
}

int cli_fail(enum status status)
{
    const char *message = status_message();
    fprintf(stderr, "afterstate: %s\n", message[0] != '\0' ? message : status_name(status));
    return cli_exit_code(status);
}
