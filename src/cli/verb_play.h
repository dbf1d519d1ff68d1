#ifndef AFTERSTATE_CLI_VERB_PLAY_H
#define AFTERSTATE_CLI_VERB_PLAY_H

#include "cli/verbs.h"

int verb_play_run(const struct cli_context *context, int argc, char **argv);

#endif
