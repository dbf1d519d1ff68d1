#ifndef AFTERSTATE_CLI_VERB_TUPLES_H
#define AFTERSTATE_CLI_VERB_TUPLES_H

#include "cli/verbs.h"

int verb_tuples_run(const struct cli_context *context, int argc, char **argv);

#endif
