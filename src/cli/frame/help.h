/*
 * help: what --help prints for a command, made from the same table the parser reads, so the two cannot disagree.
 */
#ifndef AFTERSTATE_CLI_HELP_H
#define AFTERSTATE_CLI_HELP_H

#include <stdio.h>

#include "cli/frame/options.h"

/*
 * Writes usage, summary, description, options with their ranges and defaults, the shared options and the examples of
 * the call's command, wrapped at 80 columns. The call's options are reset to their defaults. Write errors stay in
 * ferror(out).
 */
void help_print_command(FILE *out, struct cli_call *call);

/* Writes what a command with sub-commands is for, and the list of them. */
void help_print_parts(FILE *out, const struct command *command);

#endif
