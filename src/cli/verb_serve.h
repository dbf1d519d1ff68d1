/* serve: the web page and its API. */
#ifndef AFTERSTATE_CLI_VERB_SERVE_H
#define AFTERSTATE_CLI_VERB_SERVE_H

#include "cli/verbs.h"

int verb_serve_run(const struct cli_context *context, int argc, char **argv);

#endif
