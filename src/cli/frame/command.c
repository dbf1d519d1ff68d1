#include "cli/frame/command.h"

#include <stdlib.h>
#include <string.h>

#include "base/nearest.h"
#include "cli/frame/help.h"

bool cli_begin(const struct cli_context *context, const struct command_spec *command, struct common_options *common,
               int argc, char **argv, struct operands *operands, int *exit_code)
{
    switch (options_parse(command, common, argc, argv, operands)) {
    case PARSE_DONE:
        return true;
    case PARSE_HELP:
        help_print_verb(stdout, context->verb->name, context->verb->summary, command);
        *exit_code = EXIT_SUCCESS;
        return false;
    case PARSE_FAILED:
        break;
    }
    status_context(STATUS_USAGE, "%s", context->verb->name);
    *exit_code = cli_fail(STATUS_USAGE);
    return false;
}

static void print_parts(const char *verb, const struct verb *parts, size_t n_parts, const char *about)
{
    int widest = 0;
    for (size_t i = 0; i < n_parts; i++)
        if ((int)strlen(parts[i].name) > widest)
            widest = (int)strlen(parts[i].name);
    printf("usage: afterstate %s COMMAND ..\n\n%s\n\n", verb, about);
    for (size_t i = 0; i < n_parts; i++)
        printf("  %-*s  %s\n", widest, parts[i].name, parts[i].summary);
    printf("\nafterstate %s COMMAND --help tells about one of them.\n", verb);
}

int cli_run_part(const struct cli_context *context, const struct verb *parts, size_t n_parts, const char *about,
                 int argc, char **argv)
{
    enum { MAX_PARTS = 16 };
    const char *verb = context->verb->name, *word = argc > 1 ? argv[1] : NULL, *names[MAX_PARTS];
    char list[256] = "";
    if (word && (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0)) {
        print_parts(verb, parts, n_parts, about);
        return EXIT_SUCCESS;
    }
    for (size_t i = 0; i < n_parts && i < MAX_PARTS; i++) {
        names[i] = parts[i].name + strlen(verb) + 1;
        if (word && strcmp(word, names[i]) == 0) {
            struct cli_context part = {.verb = &parts[i], .common = context->common};
            return parts[i].run(&part, argc - 1, argv + 1);
        }
        bool last = word && i + 1 == n_parts;
        size_t used = strlen(list);
        snprintf(list + used, sizeof list - used, "%s%s", i == 0 ? "" : last ? " or " : ", ", names[i]);
    }
    const char *near = word ? nearest_name(word, names, n_parts) : NULL;
    if (!word)
        status_fail(STATUS_USAGE, "%s: which of %s?", verb, list);
    else if (near)
        status_fail(STATUS_USAGE, "%s: unknown command '%s'; did you mean '%s'?", verb, word, near);
    else
        status_fail(STATUS_USAGE, "%s: unknown command '%s', expected %s", verb, word, list);
    return cli_fail(STATUS_USAGE);
}

int cli_exit_code(enum status status)
{
    switch (status) {
    case STATUS_OK:
        return EXIT_SUCCESS;
    case STATUS_USAGE:
    case STATUS_INVALID:
        return EXIT_USAGE;
    case STATUS_NO_MEMORY:
    case STATUS_IO:
    case STATUS_CORRUPT:
    case STATUS_INTERRUPTED:
        break;
    }
    return EXIT_FAILURE;
}

int cli_fail(enum status status)
{
    const char *message = status_message();
    fprintf(stderr, "afterstate: %s\n", message[0] != '\0' ? message : status_name(status));
    return cli_exit_code(status);
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
