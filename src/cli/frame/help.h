/*
 * help: what --help prints for a verb, made from the same table the parser reads, so the two cannot disagree.
 */
#ifndef AFTERSTATE_CLI_HELP_H
#define AFTERSTATE_CLI_HELP_H

#include <stdio.h>

#include "cli/frame/options.h"

/*
 * Writes usage, summary, description, options with their ranges and defaults (what the targets hold now), the shared
 * options and the examples of one verb, wrapped at 80 columns. Write errors stay in ferror(out).
 */
void help_print_verb(FILE *out, const char *verb_name, const char *summary, const struct command_spec *command);

#endif
