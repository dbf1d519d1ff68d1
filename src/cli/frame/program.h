/* program: the whole command line, for the program that runs alone and for the one that MPI starts. */
#ifndef AFTERSTATE_CLI_PROGRAM_H
#define AFTERSTATE_CLI_PROGRAM_H

#include "base/cluster.h"

/*
 * Runs the command line and returns the exit code. `cluster` (borrowed; NULL: this process alone) is passed to the
 * commands that can use it; any other command runs on rank 0 only. Once in a process.
 */
int program_main(int argc, char **argv, const struct cluster *cluster);

/* The build in one line: compiler, instructions. */
const char *program_build(void);

#endif
