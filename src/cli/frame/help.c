#include "cli/frame/help.h"

#include <ctype.h>
#include <inttypes.h>
#include <string.h>

enum {
    PAGE_COLUMNS = 80,
    LABEL_COLUMNS_MAX = 30, /* a longer label has its text on the next line */
    LABEL_BYTES = 128,
    NOTE_BYTES = 512,
};

/* Writes words up to the page's edge and goes on in column `indent`. `column` is where the cursor stands now. */
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
    switch (spec->kind) {
    case OPTION_TEXT:
        if (*spec->target.text == NULL)
            return false;
        snprintf(buffer, buffer_bytes, "%s", *spec->target.text);
        return true;
    case OPTION_INTEGER:
        snprintf(buffer, buffer_bytes, "%" PRId64, *spec->target.integer);
        return true;
    case OPTION_REAL:
        snprintf(buffer, buffer_bytes, "%g", *spec->target.real);
        return true;
    case OPTION_CHOICE:
        snprintf(buffer, buffer_bytes, "%s", spec->choices[*spec->target.choice]);
        return true;
    case OPTION_FLAG:
    case OPTION_TEXTS:
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
    if (spec->kind == OPTION_TEXTS)
        snprintf(text, sizeof text, "%s (may be repeated)", spec->help);
    else if (has_range && has_default)
        snprintf(text, sizeof text, "%s (%s; default %s)", spec->help, range, standard);
    else if (has_default)
        snprintf(text, sizeof text, "%s (default %s)", spec->help, standard);
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
                          int text_column)
{
    if (n_specs == 0)
        return;
    fprintf(out, "\n%s:\n", title);
    for (size_t i = 0; i < n_specs; i++)
        print_option(out, &specs[i], text_column);
}

void help_print_verb(FILE *out, const char *verb_name, const char *summary, const struct command_spec *command)
{
    struct common_options common = {0};
    bool help = false;
    struct option_spec shared[COMMON_OPTIONS];
    options_list_common(shared, &common, &help);

    fprintf(out, "usage: afterstate %s [options]%s%s\n\n", verb_name, command->operands[0] != '\0' ? " " : "",
            command->operands);
    char sentence[NOTE_BYTES]; /* the summary is a line of a list; here it stands alone */
    snprintf(sentence, sizeof sentence, "%c%s.", toupper((unsigned char)summary[0]), summary + 1);
    print_wrapped(out, sentence, 0, 0);
    if (command->description != NULL) {
        fputc('\n', out);
        print_wrapped(out, command->description, 0, 0);
    }

    int text_column = find_text_column(shared, COMMON_OPTIONS, 0);
    text_column = find_text_column(command->options, command->n_options, text_column);
    print_options(out, "Options", command->options, command->n_options, text_column);
    print_options(out, "Common options", shared, COMMON_OPTIONS, text_column);

    if (command->n_examples > 0)
        fputs("\nExamples:\n", out);
    for (size_t i = 0; i < command->n_examples; i++) {
        const struct command_example *example = &command->examples[i];
        fprintf(out, "  afterstate %s%s%s\n      ", verb_name, example->line[0] != '\0' ? " " : "", example->line);
        print_wrapped(out, example->what, 6, 6);
    }
}
