#include "cli/verbs.h"

#include <stdlib.h>
#include <string.h>

#include "base/nearest.h"
#include "cli/help.h"
#include "cli/verb_bench.h"
#include "cli/verb_eval.h"
#include "cli/verb_exact.h"
#include "cli/verb_hint.h"
#include "cli/verb_net.h"
#include "cli/verb_play.h"
#include "cli/verb_plot.h"
#include "cli/verb_query.h"
#include "cli/verb_reproduce.h"
#include "cli/verb_serve.h"
#include "cli/verb_solve.h"
#include "cli/verb_train.h"
#include "cli/verb_tuples.h"

static const struct verb verbs[] = {
    {"play", "Play", "watch the program play, or play yourself with hints, in the terminal", verb_play_run},
    {"hint", "Play", "the value of every move of a board, best first", verb_hint_run},
    {"serve", "Play", "a web page to play, watch, review and follow trainings, and its API", verb_serve_run},
    {"train", "Learn", "learn a network by a recipe, in a run directory", verb_train_run},
    {"net", "Learn", "look at network files: info, list, fold, shrink, convert", verb_net_run},
    {"tuples", "Learn", "choose tuples: list, campaign, merge, rank, pick, grow", verb_tuples_run},
    {"solve", "Solve", "the exact solution of a small board, into a table directory", verb_solve_run},
    {"query", "Solve", "exact values and the best move of a board of a solved table", verb_query_run},
    {"exact", "Solve", "exact expected score and losses of a player on a solved board", verb_exact_run},
    {"eval", "Measure", "many games: mean score with its interval, tile rates, speed; two networks compared",
     verb_eval_run},
    {"reproduce", "Measure", "the papers' tables again, with the published figures beside ours", verb_reproduce_run},
    {"plot", "Measure", "learning curves of runs, laid over one another, as an SVG file", verb_plot_run},
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

static void print_parts(const char *verb, const struct verb *parts, size_t n_parts, const char *about)
{
    int widest = 0;
    for (size_t i = 0; i < n_parts; i++)
        if ((int)strlen(parts[i].name) > widest)
            widest = (int)strlen(parts[i].name);
    printf("usage: afterstate %s COMMAND ..\n\n%s\n\n", verb, about);
    for (size_t i = 0; i < n_parts; i++)
        printf("  %-*s  %s\n", widest, parts[i].name, parts[i].summary);
    printf("\nafterstate %s COMMAND --help tells about one of them.\n", verb);
}

int cli_run_part(const struct cli_context *context, const struct verb *parts, size_t n_parts, const char *about,
                 int argc, char **argv)
{
    enum { MAX_PARTS = 16 };
    const char *verb = context->verb->name, *word = argc > 1 ? argv[1] : NULL, *names[MAX_PARTS];
    char list[256] = "";
    if (word && (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0)) {
        print_parts(verb, parts, n_parts, about);
        return EXIT_SUCCESS;
    }
    for (size_t i = 0; i < n_parts && i < MAX_PARTS; i++) {
        names[i] = parts[i].name + strlen(verb) + 1;
        if (word && strcmp(word, names[i]) == 0) {
            struct cli_context part = {.verb = &parts[i], .common = context->common};
            return parts[i].run(&part, argc - 1, argv + 1);
        }
        bool last = word && i + 1 == n_parts;
        size_t used = strlen(list);
        snprintf(list + used, sizeof list - used, "%s%s", i == 0 ? "" : last ? " or " : ", ", names[i]);
    }
    const char *near = word ? nearest_name(word, names, n_parts) : NULL;
    if (!word)
        status_fail(STATUS_USAGE, "%s: which of %s?", verb, list);
    else if (near)
        status_fail(STATUS_USAGE, "%s: unknown command '%s'; did you mean '%s'?", verb, word, near);
    else
        status_fail(STATUS_USAGE, "%s: unknown command '%s', expected %s", verb, word, list);
    return cli_fail(STATUS_USAGE);
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

static enum status print_json_by(struct json *json, enum status (*print)(struct json *json, char **out))
{
    char *text;
    enum status status = print(json, &text);
    if (!status)
        puts(text);
    free(text);
    return status;
}

enum status cli_print_json(struct json *json)
{
    return print_json_by(json, json_print);
}

enum status cli_print_json_line(struct json *json)
{
    return print_json_by(json, json_print_compact);
}
