/* verbs: the list of what the program can do. */
#include "cli/frame/verbs.h"

#include <stdlib.h>
#include <string.h>

#include "base/nearest.h"

static const struct command *const verbs[] = {
    &verb_play,      &verb_hint,    &verb_serve, &verb_train,  &verb_net,        &verb_tuples,
    &verb_solve,     &verb_endgame, &verb_query, &verb_exact,  &verb_eval,       &verb_bank,
    &verb_reproduce, &verb_plot,    &verb_bench, &verb_doctor, &verb_completion,
};

enum { N_VERBS = sizeof verbs / sizeof *verbs };

const struct command *verbs_find(const char *name)
{
    const char *names[N_VERBS + 1];
    for (size_t i = 0; i < N_VERBS; i++) {
        if (strcmp(verbs[i]->name, name) == 0)
            return verbs[i];
        names[i] = verbs[i]->name;
    }
    names[N_VERBS] = "help"; /* no verb of its own, but worth a guess */
    const char *near = nearest_name(name, names, N_VERBS + 1);
    if (near != NULL)
        status_fail(STATUS_USAGE, "unknown verb '%s'; did you mean '%s'?", name, near);
    else
        status_fail(STATUS_USAGE, "unknown verb '%s'; 'afterstate help' lists the verbs", name);
    return NULL;
}

const struct command *verbs_at(size_t i)
{
    return i < N_VERBS ? verbs[i] : NULL;
}

void verbs_print_list(FILE *out)
{
    fputs("usage: afterstate VERB [options] [operands]\n"
          "\n"
          "The 2048 laboratory: learn, play, solve and measure.\n",
          out);
    int widest = 0;
    for (size_t i = 0; i < N_VERBS; i++)
        if ((int)strlen(verbs[i]->name) > widest)
            widest = (int)strlen(verbs[i]->name);
    const char *heading = "";
    for (size_t i = 0; i < N_VERBS; i++) {
        if (strcmp(heading, verbs[i]->heading) != 0)
            fprintf(out, "\n%s:\n", verbs[i]->heading);
        heading = verbs[i]->heading;
        fprintf(out, "  %-*s  %s\n", widest, verbs[i]->name, verbs[i]->summary);
    }
    fputs("\n"
          "afterstate VERB --help describes one verb, afterstate --version this build.\n"
          "Exit codes: 0 fine, 1 failed, 2 wrong usage.\n",
          out);
}
