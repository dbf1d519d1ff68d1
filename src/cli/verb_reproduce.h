/* verb_reproduce: the verb `reproduce`. */
#ifndef AFTERSTATE_CLI_VERB_REPRODUCE_H
#define AFTERSTATE_CLI_VERB_REPRODUCE_H

#include "cli/verbs.h"

int verb_reproduce_run(const struct cli_context *context, int argc, char **argv);

#endif
