/* command: runs a command, from its command line to its exit code. */
#include "cli/frame/command.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/nearest.h"
#include "base/signals.h"
#include "cli/frame/help.h"

enum { PARTS_MAX = 16 };

/* The second word of a sub-command's name. */
static const char *part_name(const struct command *command, size_t i)
{
    return command->parts[i]->name + strlen(command->name) + 1;
}

static int run_call(struct cli_call *call, int argc, char **argv)
{
    const struct command *command = call->command;
    enum status status = STATUS_OK;
    switch (options_parse(call, argc, argv)) {
    case PARSE_FAILED:
        return cli_fail(status_context(STATUS_USAGE, "%s", command->name));
    case PARSE_HELP:
        help_print_command(stdout, call);
        return EXIT_SUCCESS;
    case PARSE_DONE:
        break;
    }
    if (!command->clustered && !cluster_is_first(call->common.cluster))
        return EXIT_SUCCESS;
    if (command->interruptible)
        status = signals_catch_interrupt();
    if (!status)
        status = command->run(call);
    return status ? cli_fail(status) : EXIT_SUCCESS;
}

static int run_command(const struct command *command, const struct common_options *before, int argc, char **argv)
{
    struct cli_call call = {.command = command, .common = *before};
    call.options = memory_allocate(command->options_bytes ? command->options_bytes : 1, 1);
    int exit_code = call.options ? run_call(&call, argc, argv) : cli_fail(STATUS_NO_MEMORY);
    free(call.options);
    return exit_code;
}

static enum status fail_part(const struct command *command, const char *word)
{
    const char *names[PARTS_MAX];
    char list[256] = "";
    for (size_t i = 0; i < command->n_parts; i++) {
        size_t used = strlen(list);
        names[i] = part_name(command, i);
        snprintf(list + used, sizeof list - used, "%s%s",
                 i == 0                              ? ""
                 : word && i + 1 == command->n_parts ? " or "
                                                     : ", ",
                 names[i]);
    }
    const char *near = word ? nearest_name(word, names, command->n_parts) : NULL;
    if (!word)
        return status_fail(STATUS_USAGE, "%s: which of %s?", command->name, list);
    if (near)
        return status_fail(STATUS_USAGE, "%s: unknown command '%s'; did you mean '%s'?", command->name, word, near);
    return status_fail(STATUS_USAGE, "%s: unknown command '%s', expected %s", command->name, word, list);
}

int cli_run(const struct command *command, const struct common_options *before, int argc, char **argv)
{
    if (!command->parts)
        return run_command(command, before, argc, argv);
    assert(command->n_parts <= PARTS_MAX);
    const char *word = argc > 1 ? argv[1] : NULL;
    if (word && (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0)) {
        help_print_parts(stdout, command);
        return EXIT_SUCCESS;
    }
    for (size_t i = 0; word && i < command->n_parts; i++)
        if (strcmp(word, part_name(command, i)) == 0)
            return run_command(command->parts[i], before, argc - 1, argv + 1);
    return cli_fail(fail_part(command, word));
}

int cli_fail(enum status status)
{
    const char *message = status_message();
    fprintf(stderr, "afterstate: %s\n", message[0] != '\0' ? message : status_name(status));
    return status == STATUS_USAGE || status == STATUS_INVALID ? EXIT_USAGE : EXIT_FAILURE;
}

static enum status print_json_by(struct json *json, enum status (*print)(struct json *json, char **out))
{
    char *text;
    enum status status = print(json, &text);
    if (!status)
        puts(text);
    free(text);
    return status;
}

enum status cli_print_json(struct json *json)
{
    return print_json_by(json, json_print);
}

enum status cli_print_json_line(struct json *json)
{
    return print_json_by(json, json_print_compact);
}
