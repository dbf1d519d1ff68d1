/* verb_eval: `afterstate eval`. */
#ifndef AFTERSTATE_CLI_VERB_EVAL_H
#define AFTERSTATE_CLI_VERB_EVAL_H

#include "cli/verbs.h"

int verb_eval_run(const struct cli_context *context, int argc, char **argv);

#endif
