#ifndef AFTERSTATE_CLI_VERB_NET_H
#define AFTERSTATE_CLI_VERB_NET_H

#include "cli/verbs.h"

int verb_net_run(const struct cli_context *context, int argc, char **argv);

#endif
