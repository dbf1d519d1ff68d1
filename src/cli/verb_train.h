/* verb_train: learn a network by a recipe, in a run directory. */
#ifndef AFTERSTATE_CLI_VERB_TRAIN_H
#define AFTERSTATE_CLI_VERB_TRAIN_H

#include "cli/verbs.h"

int verb_train_run(const struct cli_context *context, int argc, char **argv);

#endif
