#ifndef AFTERSTATE_CLI_VERB_EXACT_H
#define AFTERSTATE_CLI_VERB_EXACT_H

#include "cli/verbs.h"

int verb_exact_run(const struct cli_context *context, int argc, char **argv);

#endif
