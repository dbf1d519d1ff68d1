/*
 * command: what every verb shares: how its command line begins and how a failure ends it.
 *
 * A verb is one file, verb_NAME.c, with one function that verbs.h declares and the table of verbs.c names. It begins
 * with
 *
 *     struct common_options common = context->common;
 *     struct operands operands;
 *     int exit_code;
 *     if (!cli_begin(context, &command, &common, argc, argv, &operands, &exit_code))
 *         return exit_code;
 *
 * and ends with EXIT_SUCCESS or `return cli_fail(status)`. It never calls exit(), and leaves checking that stdout
 * could be written to main().
 */
#ifndef AFTERSTATE_CLI_COMMAND_H
#define AFTERSTATE_CLI_COMMAND_H

#include <stdbool.h>
#include <stddef.h>

#include "base/json.h"
#include "base/status.h"
#include "cli/frame/options.h"

enum { EXIT_USAGE = 2 }; /* beside EXIT_SUCCESS and EXIT_FAILURE */

struct verb;

struct cli_context {
    const struct verb *verb;      /* the one that runs */
    struct common_options common; /* what stood before the verb: afterstate --json eval .. */
};

struct verb {
    const char *name;
    const char *group;   /* heading in the list of verbs; those of one group stand together */
    const char *summary; /* one line, lower case, no full stop */
    int (*run)(const struct cli_context *context, int argc, char **argv); /* argv[0] is the name; the exit code */
};

/*
 * Reads the command line of a verb. True: go on. False: --help was printed or a mistake reported, return *exit_code.
 * `common` begins as a copy of context->common; `operands` may be NULL if the verb has none.
 */
bool cli_begin(const struct cli_context *context, const struct command_spec *command, struct common_options *common,
               int argc, char **argv, struct operands *operands, int *exit_code);

/*
 * A verb that is several commands ("net info", "net fold"): runs the one that argv[1] names, prints the list of them
 * for --help, or fails with the nearest name. The names in `parts` begin with the verb's; there are at most 16.
 */
int cli_run_part(const struct cli_context *context, const struct verb *parts, size_t n_parts, const char *about,
                 int argc, char **argv);

/*
 * The exit code that tells of `status`: 0 fine, 1 failed, 2 wrong usage (STATUS_USAGE, STATUS_INVALID). A verb for
 * which an interruption is a good end (training saves and stops) returns 0 itself; here it counts as a failure.
 */
int cli_exit_code(enum status status);

/* Prints "afterstate: " and the message of `status` on stderr and returns its exit code. */
int cli_fail(enum status status);

/* Prints the document as the verb's answer on stdout and frees the builder. */
enum status cli_print_json(struct json *json);

/* The same on one line, for answers to many questions. */
enum status cli_print_json_line(struct json *json);

#endif
