/* level: a portable program holds the same code for several levels of instructions (cmake/levels.cmake). */
#ifndef AFTERSTATE_CLI_LEVEL_H
#define AFTERSTATE_CLI_LEVEL_H

#include "base/cluster.h"

/*
 * program_main() of the fastest level that this processor has, or of the one that the environment variable
 * AFTERSTATE_CPU names. Without levels, program_main() itself. Once in a process.
 */
int level_main(int argc, char **argv, const struct cluster *cluster);

#endif
