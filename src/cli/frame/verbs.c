#include "cli/frame/verbs.h"

#include <stdlib.h>
#include <string.h>

#include "base/nearest.h"

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
    {"bank", "Measure", "starts with the largest tiles in a formation, for eval --from", verb_bank_run},
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
