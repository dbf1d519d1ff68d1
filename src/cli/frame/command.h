/*
 * command: runs a command (options.h has the struct) from its command line to its exit code, and what commands use to
 * answer. A command's run() returns a status; it never calls exit() and leaves checking that stdout could be written
 * to main().
 */
#ifndef AFTERSTATE_CLI_COMMAND_H
#define AFTERSTATE_CLI_COMMAND_H

#include <stdio.h>

#include "base/json.h"
#include "base/status.h"
#include "cli/frame/options.h"

enum { EXIT_USAGE = 2 }; /* beside EXIT_SUCCESS and EXIT_FAILURE */

/*
 * Runs a command, or the sub-command that argv[1] names: parses the line, prints --help, catches signals if the command
 * is interruptible, calls run() and prints its failure on stderr. argv[0] is the name, `before` what stood before it
 * (afterstate --json eval ..). Returns the exit code.
 */
int cli_run(const struct command *command, const struct common_options *before, int argc, char **argv);

/*
 * Prints "afterstate: " and the message of `status` on stderr and returns its exit code: 1 failed, 2 wrong usage
 * (STATUS_USAGE, STATUS_INVALID). An interruption counts as a failure; a command for which it is a good end (training
 * saves and stops) returns STATUS_OK.
 */
int cli_fail(enum status status);

/* Prints the document as the command's answer on stdout and frees the builder. */
enum status cli_print_json(struct json *json);

/* The same on one line, for answers to many questions. */
enum status cli_print_json_line(struct json *json);

/* Where progress and notices go: stderr, or NULL with --quiet or --json. */
static inline FILE *cli_progress_stream(const struct common_options *common)
{
    return common->quiet ? NULL : stderr;
}

#endif
