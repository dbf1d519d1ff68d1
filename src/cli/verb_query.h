#ifndef AFTERSTATE_CLI_VERB_QUERY_H
#define AFTERSTATE_CLI_VERB_QUERY_H

#include "cli/verbs.h"

int verb_query_run(const struct cli_context *context, int argc, char **argv);

#endif
