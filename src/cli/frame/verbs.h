/* verbs: the list of what the program can do. Each verb is a struct command in a file verb_NAME.c. */
#ifndef AFTERSTATE_CLI_VERBS_H
#define AFTERSTATE_CLI_VERBS_H

#include <stdio.h>

#include "cli/frame/command.h"

/* The verb of that name. NULL, with a message that names the nearest one, if there is none. */
const struct command *verbs_find(const char *name);

/* Verb i, in the order of the list; NULL beyond the last. */
const struct command *verbs_at(size_t i);

/* The list that `afterstate --help` prints. */
void verbs_print_list(FILE *out);

extern const struct command verb_play, verb_hint, verb_serve, verb_train, verb_net, verb_tuples, verb_solve,
    verb_endgame, verb_query, verb_exact, verb_eval, verb_bank, verb_reproduce, verb_plot, verb_bench, verb_doctor,
    verb_completion;

#endif
