/* verb_solve: the exact solution of a small board, into a table directory. */
#ifndef AFTERSTATE_CLI_VERB_SOLVE_H
#define AFTERSTATE_CLI_VERB_SOLVE_H

#include "cli/verbs.h"

int verb_solve_run(const struct cli_context *context, int argc, char **argv);

#endif
