/* net_average: the part `net average`. */
#ifndef AFTERSTATE_CLI_NET_AVERAGE_H
#define AFTERSTATE_CLI_NET_AVERAGE_H

#include "cli/frame/command.h"

extern const struct command net_average_command;

#endif
