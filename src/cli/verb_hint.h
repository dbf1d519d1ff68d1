/* verb_hint: `afterstate hint`. */
#ifndef AFTERSTATE_CLI_VERB_HINT_H
#define AFTERSTATE_CLI_VERB_HINT_H

#include "cli/verbs.h"

int verb_hint_run(const struct cli_context *context, int argc, char **argv);

#endif
