#ifndef AFTERSTATE_CLI_VERB_BENCH_H
#define AFTERSTATE_CLI_VERB_BENCH_H

#include "cli/verbs.h"

int verb_bench_run(const struct cli_context *context, int argc, char **argv);

#endif
