/* verbs: the list of what the program can do. */
#ifndef AFTERSTATE_CLI_VERBS_H
#define AFTERSTATE_CLI_VERBS_H

#include <stddef.h>
#include <stdio.h>

#include "cli/frame/command.h"

/* The table, for whoever lists it. */
const struct verb *verbs_all(size_t *n_verbs);

/* The verb of that name. NULL, with a message that names the nearest one, if there is none. */
const struct verb *verbs_find(const char *name);

/* The list that `afterstate --help` prints. */
void verbs_print_list(FILE *out);

/* What each verb does; argv[0] is its name. Returns the exit code. */
int verb_play_run(const struct cli_context *context, int argc, char **argv);
int verb_hint_run(const struct cli_context *context, int argc, char **argv);
int verb_serve_run(const struct cli_context *context, int argc, char **argv);
int verb_train_run(const struct cli_context *context, int argc, char **argv);
int verb_net_run(const struct cli_context *context, int argc, char **argv);
int verb_tuples_run(const struct cli_context *context, int argc, char **argv);
int verb_solve_run(const struct cli_context *context, int argc, char **argv);
int verb_query_run(const struct cli_context *context, int argc, char **argv);
int verb_exact_run(const struct cli_context *context, int argc, char **argv);
int verb_eval_run(const struct cli_context *context, int argc, char **argv);
int verb_bank_run(const struct cli_context *context, int argc, char **argv);
int verb_reproduce_run(const struct cli_context *context, int argc, char **argv);
int verb_plot_run(const struct cli_context *context, int argc, char **argv);
int verb_bench_run(const struct cli_context *context, int argc, char **argv);

#endif
