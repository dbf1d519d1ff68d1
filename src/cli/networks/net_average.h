/* net_average: the part `net average`. */
#ifndef AFTERSTATE_CLI_NET_AVERAGE_H
#define AFTERSTATE_CLI_NET_AVERAGE_H

#include "cli/frame/command.h"

int net_run_average(const struct cli_context *context, int argc, char **argv);

#endif
