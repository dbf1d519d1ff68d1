/* help: what --help prints for a command, made from the same table the parser reads, so the two cannot disagree. */
#include "cli/frame/help.h"

#include "cli/frame/colour.h"

#include <ctype.h>
#include <string.h>

enum {
    PAGE_COLUMNS = 80,
    LABEL_COLUMNS_MAX = 30, /* a longer label has its text on the next line */
    LABEL_BYTES = 128,
    NOTE_BYTES = 512,
};

/* Writes words up to the page's edge and continues in column `indent`. `column` is where the cursor is now. */
static void print_wrapped(FILE *out, const char *text, int indent, int column)
{
    bool line_start = true;
    while (*text != '\0') {
        int length = (int)strcspn(text, " ");
        if (!line_start && column + 1 + length > PAGE_COLUMNS) {
            fprintf(out, "\n%*s", indent, "");
            column = indent;
            line_start = true;
        }
        fprintf(out, line_start ? "%.*s" : " %.*s", length, text);
        column += length + !line_start;
        line_start = false;
        text += length;
        text += strspn(text, " ");
    }
    fputc('\n', out);
}

static int make_label(const struct option_spec *spec, char label[LABEL_BYTES])
{
    char letter[8] = "    ";
    if (spec->letter != 0)
        snprintf(letter, sizeof letter, "-%c, ", spec->letter);
    return snprintf(label, LABEL_BYTES, "  %s--%s%s%s", letter, spec->name, spec->argument != NULL ? " " : "",
                    spec->argument != NULL ? spec->argument : "");
}

/* The default as a word; false where there is none worth showing. */
static bool describe_default(const struct option_spec *spec, char *buffer, size_t buffer_bytes)
{
    const char *text;
    switch (spec->field.kind) {
    case OPTION_TEXT:
        text = *(const char *const *)spec->target;
        if (text == NULL)
            return false;
        snprintf(buffer, buffer_bytes, "%s", text);
        return true;
    case OPTION_INTEGER:
        options_describe_number(spec, (double)*(const int64_t *)spec->target, buffer, buffer_bytes);
        return true;
    case OPTION_REAL:
    case OPTION_MILLISECONDS:
    case OPTION_BYTES:
        options_describe_number(spec, *(const double *)spec->target, buffer, buffer_bytes);
        return true;
    case OPTION_CHOICE:
        snprintf(buffer, buffer_bytes, "%s", spec->choices[*(const int *)spec->target]);
        return true;
    case OPTION_FLAG:
    case OPTION_TEXTS:
    case OPTION_DURATION:
    case OPTION_GROUP:
        break;
    }
    return false;
}

static void print_option(FILE *out, const struct option_spec *spec, int text_column)
{
    char label[LABEL_BYTES], range[NOTE_BYTES], standard[NOTE_BYTES], text[3 * NOTE_BYTES];
    int column = make_label(spec, label);
    fputs(label, out);
    if (column + 2 > text_column)
        fprintf(out, "\n%*s", text_column, "");
    else
        fprintf(out, "%*s", text_column - column, "");

    bool has_default = describe_default(spec, standard, sizeof standard);
    bool has_range = options_describe_range(spec, range, sizeof range)[0] != '\0';
    has_default = has_default && !strstr(spec->help, "default"); /* the text says it itself */
    if (spec->field.kind == OPTION_TEXTS)
        snprintf(text, sizeof text, "%s (may be repeated)", spec->help);
    else if (has_range && has_default)
        snprintf(text, sizeof text, "%s (%s; default %s)", spec->help, range, standard);
    else if (has_default)
        snprintf(text, sizeof text, "%s (default %s)", spec->help, standard);
    else if (has_range)
        snprintf(text, sizeof text, "%s (%s)", spec->help, range);
    else
        snprintf(text, sizeof text, "%s", spec->help);
    print_wrapped(out, text, text_column, text_column);
}

/* The column where help texts begin: just right of the widest label that is not too wide. */
static int find_text_column(const struct option_spec *specs, size_t n_specs, int at_least)
{
    char label[LABEL_BYTES];
    for (size_t i = 0; i < n_specs; i++) {
        int wanted = make_label(&specs[i], label) + 2;
        if (wanted > at_least && wanted <= LABEL_COLUMNS_MAX)
            at_least = wanted;
    }
    return at_least;
}

static void print_options(FILE *out, const char *title, const struct option_spec *specs, size_t n_specs,
                          int text_column, enum colour_mode colour)
{
    if (n_specs == 0)
        return;
    fprintf(out, "\n%s%s:%s\n", colour_begin(colour, COLOUR_BOLD), title, colour_begin(colour, COLOUR_NONE));
    for (size_t i = 0; i < n_specs; i++)
        print_option(out, &specs[i], text_column);
}

/* The summary is a line of a list; here it is a sentence. */
static void print_summary(FILE *out, const char *summary)
{
    char sentence[NOTE_BYTES];
    snprintf(sentence, sizeof sentence, "%c%s.", toupper((unsigned char)summary[0]), summary + 1);
    print_wrapped(out, sentence, 0, 0);
}

void help_print_command(FILE *out, struct cli_call *call)
{
    const struct command *command = call->command;
    struct bound_options bound;
    options_bind(&bound, call);
    fprintf(out, "usage: afterstate %s [options]%s%s\n\n", command->name, command->operands ? " " : "",
            command->operands ? command->operands : "");
    print_summary(out, command->summary);
    if (command->description != NULL) {
        fputc('\n', out);
        print_wrapped(out, command->description, 0, 0);
    }
    int text_column = find_text_column(bound.items, bound.n, 0);
    print_options(out, "Options", bound.items, bound.n_own, text_column, call->common.colour);
    print_options(out, "Common options", bound.items + bound.n_own, bound.n - bound.n_own, text_column,
                  call->common.colour);

    if (command->n_examples > 0)
        fprintf(out, "\n%sExamples:%s\n", colour_begin(call->common.colour, COLOUR_BOLD),
                colour_begin(call->common.colour, COLOUR_NONE));
    for (size_t i = 0; i < command->n_examples; i++) {
        const struct command_example *example = &command->examples[i];
        fprintf(out, "  afterstate %s%s%s\n      ", command->name, example->line[0] != '\0' ? " " : "", example->line);
        print_wrapped(out, example->what, 6, 6);
    }
}

void help_print_parts(FILE *out, const struct command *command)
{
    int widest = 0;
    for (size_t i = 0; i < command->n_parts; i++)
        if ((int)strlen(command->parts[i]->name) > widest)
            widest = (int)strlen(command->parts[i]->name);
    fprintf(out, "usage: afterstate %s COMMAND ..\n\n", command->name);
    print_wrapped(out, command->description, 0, 0);
    fputc('\n', out);
    for (size_t i = 0; i < command->n_parts; i++)
        fprintf(out, "  %-*s  %s\n", widest, command->parts[i]->name, command->parts[i]->summary);
    fprintf(out, "\nafterstate %s COMMAND --help describes one of them.\n", command->name);
}
