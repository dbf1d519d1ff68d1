/*
 * completion: a script that completes command lines in a shell, made from the tables that the parser reads, so the two
 * cannot disagree.
 *
 * A script knows the verbs, their commands and options, the words that an option takes, and which values are files or
 * folders. Operands are files, and where they are names of files that come with the program, those names too.
 */
#include "cli/frame/verbs.h"

#include "base/memory.h"
#include "cli/frame/options.h"
#include "study/named_files.h"

#include <stdlib.h>
#include <string.h>

static const char *const shells[] = {"bash", "zsh", "fish", NULL};
enum shell { SHELL_BASH, SHELL_ZSH, SHELL_FISH };

/* A command and its options. */
struct leaf {
    const struct command *command;
    struct bound_options bound;
    struct named_files names; /* of its operands */
};

typedef void (*leaf_printer)(const struct leaf *leaf);

/* What an option's value is. */
enum value_kind { VALUE_NONE, VALUE_ANY, VALUE_FILE, VALUE_FOLDER };

static enum value_kind value_kind(const struct option_spec *option)
{
    static const char *const files[] = {"FILE", "NET", "BANK"};
    if (!option->argument)
        return VALUE_NONE;
    if (strcmp(option->argument, "DIR") == 0)
        return VALUE_FOLDER;
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        if (strcmp(option->argument, files[i]) == 0)
            return VALUE_FILE;
    return option->choices && option->field.kind == OPTION_TEXT ? VALUE_FILE : VALUE_ANY; /* words, or a file's name */
}

static void print_words(const char *const *words, char separator)
{
    for (size_t i = 0; words && words[i]; i++)
        printf("%s%s", words[i], words[i + 1] ? (char[]){separator, 0} : "");
}

static enum status print_leaf(const struct command *command, leaf_printer print)
{
    struct leaf *leaf = memory_allocate(1, sizeof *leaf);
    struct cli_call call = {.command = command,
                            .options = memory_allocate(command->options_bytes ? command->options_bytes : 1, 1)};
    enum status status = leaf && call.options ? STATUS_OK : STATUS_NO_MEMORY;
    if (!status) {
        leaf->command = command;
        options_bind(&leaf->bound, &call);
        if (command->operand_folder) /* names that cannot be listed are not offered */
            named_files_list(&leaf->names, command->operand_folder);
        print(leaf);
        named_files_free(&leaf->names);
    }
    free(call.options);
    free(leaf);
    return status;
}

/* Every command that does something itself. */
static enum status print_leaves(leaf_printer print)
{
    const struct command *verb;
    enum status status = STATUS_OK;
    for (size_t i = 0; (verb = verbs_at(i)) != NULL && !status; i++) {
        if (!verb->parts)
            status = print_leaf(verb, print);
        for (size_t k = 0; k < verb->n_parts && !status; k++)
            status = print_leaf(verb->parts[k], print);
    }
    return status;
}

/* The second word of "net info". */
static const char *part_word(const struct command *part)
{
    return strchr(part->name, ' ') + 1;
}

/* ---- bash ------------------------------------------------------------------------------------------------------- */

static void print_bash_values(const struct leaf *leaf, const struct option_spec *option)
{
    static const char *const actions[] = {[VALUE_FILE] = "files=-f", [VALUE_FOLDER] = "files=-d"};
    enum value_kind kind = value_kind(option);
    if (kind == VALUE_NONE)
        return;
    printf("    '%s --%s'", leaf->command->name, option->name);
    if (option->letter)
        printf(" | '%s -%c'", leaf->command->name, option->letter);
    printf(") value=yes words='");
    print_words(option->choices, ' ');
    printf("' %s ;;\n", actions[kind] ? actions[kind] : "files=");
}

static void print_bash_leaf(const struct leaf *leaf)
{
    for (size_t i = 0; i < leaf->bound.n; i++)
        print_bash_values(leaf, &leaf->bound.items[i]);
}

static void print_bash_options(const struct leaf *leaf)
{
    printf("        '%s') files=-f options='", leaf->command->name);
    for (size_t i = 0; i < leaf->bound.n; i++)
        printf("--%s ", leaf->bound.items[i].name);
    printf("' words='");
    for (size_t i = 0; i < leaf->names.n; i++)
        printf("%s ", leaf->names.names[i]);
    printf("' ;;\n");
}

static enum status print_bash(void)
{
    const struct command *verb;
    fputs("# bash completion for afterstate, by: afterstate completion bash\n"
          "_afterstate() {\n"
          "    local current=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]}\n"
          "    local command= words= options= files= value= word i\n"
          "    if [[ $current == = ]]; then\n" /* bash cuts --name=value at the = */
          "        current=\n"
          "    elif [[ $before == = ]]; then\n"
          "        before=${COMP_WORDS[COMP_CWORD - 2]}\n"
          "    fi\n"
          "    for ((i = 1; i < COMP_CWORD; i++)); do\n"
          "        word=${COMP_WORDS[i]}\n"
          "        case $command:$word in\n"
          "        *:-*) ;;\n",
          stdout);
    for (size_t i = 0; (verb = verbs_at(i)) != NULL; i++) {
        printf("        :%s) command=%s ;;\n", verb->name, verb->name);
        for (size_t k = 0; k < verb->n_parts; k++)
            printf("        %s:%s) command='%s' ;;\n", verb->name, part_word(verb->parts[k]), verb->parts[k]->name);
    }
    fputs("        esac\n"
          "    done\n"
          "    case \"$command $before\" in\n",
          stdout);
    enum status status = print_leaves(print_bash_leaf);
    fputs("    esac\n"
          "    if [[ -z $value ]]; then\n"
          "        case $command in\n"
          "        '') options='--help --version --json --quiet --color' words='help version ",
          stdout);
    for (size_t i = 0; (verb = verbs_at(i)) != NULL; i++)
        printf("%s ", verb->name);
    fputs("' ;;\n", stdout);
    for (size_t i = 0; (verb = verbs_at(i)) != NULL; i++) {
        if (verb->n_parts == 0)
            continue;
        printf("        '%s') options=--help words='", verb->name);
        for (size_t k = 0; k < verb->n_parts; k++)
            printf("%s ", part_word(verb->parts[k]));
        fputs("' ;;\n", stdout);
    }
    if (!status)
        status = print_leaves(print_bash_options);
    fputs("        esac\n"
          "        if [[ $current == -* ]]; then\n"
          "            words=$options files=\n"
          "        fi\n"
          "    fi\n"
          "    mapfile -t COMPREPLY < <(compgen ${files:+$files} -W \"$words\" -- \"$current\")\n"
          "    if [[ -n $files ]]; then\n"
          "        compopt -o filenames 2>/dev/null\n"
          "    fi\n"
          "}\n"
          "complete -F _afterstate afterstate\n",
          stdout);
    return status;
}

/* ---- zsh -------------------------------------------------------------------------------------------------------- */

/* Text within single quotes and within [..] of _arguments. */
static void print_zsh_text(const char *text)
{
    for (; *text; text++) {
        if (*text == '\'')
            printf("'\\''");
        else if (strchr("[]:\\", *text))
            printf("\\%c", *text);
        else
            putchar(*text);
    }
}

/* ":FILE:_files" after an option. */
static void print_zsh_value(const struct option_spec *option)
{
    enum value_kind kind = value_kind(option);
    if (kind == VALUE_NONE)
        return;
    printf(":%s:", option->argument);
    if (kind == VALUE_FOLDER) {
        printf("_files -/");
    } else if (kind == VALUE_FILE && option->choices) {
        printf("{ compadd ");
        print_words(option->choices, ' ');
        printf("; _files }");
    } else if (kind == VALUE_FILE) {
        printf("_files");
    } else if (option->choices) {
        putchar('(');
        print_words(option->choices, ' ');
        putchar(')');
    }
}

static void print_zsh_option(const struct option_spec *option, const char *dashes, const char *name)
{
    const char *repeated = option->field.kind == OPTION_TEXTS ? "*" : "";
    printf("            '%s%s%s%s[", repeated, dashes, name, !option->argument ? "" : dashes[1] ? "=" : "+");
    print_zsh_text(option->help);
    putchar(']');
    print_zsh_value(option);
    printf("' \\\n");
}

static void print_zsh_leaf(const struct leaf *leaf)
{
    printf("    '%s')\n        _arguments -S \\\n", leaf->command->name);
    for (size_t i = 0; i < leaf->bound.n; i++) {
        const struct option_spec *option = &leaf->bound.items[i];
        print_zsh_option(option, "--", option->name);
        if (option->letter)
            print_zsh_option(option, "-", (char[]){option->letter, 0});
    }
    if (leaf->command->operands) {
        printf("            '*:operand:{ %s", leaf->names.n > 0 ? "compadd " : "");
        for (size_t i = 0; i < leaf->names.n; i++)
            printf("%s ", leaf->names.names[i]);
        printf("%s_files }'\n", leaf->names.n > 0 ? "; " : "");
    }
    printf("        ;;\n");
}

static void print_zsh_described(const char *name, const char *summary)
{
    printf("            '");
    print_zsh_text(name);
    putchar(':');
    print_zsh_text(summary);
    printf("'\n");
}

static enum status print_zsh(void)
{
    const struct command *verb;
    fputs("#compdef afterstate\n"
          "# zsh completion for afterstate, by: afterstate completion zsh\n"
          "_afterstate() {\n"
          "    local -a found\n"
          "    local command=\n"
          "    if (( CURRENT > 2 )); then\n"
          "        command=$words[2]\n"
          "        shift words\n"
          "        (( CURRENT-- ))\n"
          "    fi\n"
          "    case $command in\n",
          stdout);
    for (size_t i = 0; (verb = verbs_at(i)) != NULL; i++)
        if (verb->n_parts > 0)
            printf("    %s)\n"
                   "        if (( CURRENT > 2 )); then\n"
                   "            command=\"$command $words[2]\"\n"
                   "            shift words\n"
                   "            (( CURRENT-- ))\n"
                   "        fi\n"
                   "        ;;\n",
                   verb->name);
    fputs("    esac\n"
          "    case $command in\n"
          "    '')\n"
          "        found=(\n",
          stdout);
    for (size_t i = 0; (verb = verbs_at(i)) != NULL; i++)
        print_zsh_described(verb->name, verb->summary);
    fputs("        )\n        _describe verb found\n        ;;\n", stdout);
    for (size_t i = 0; (verb = verbs_at(i)) != NULL; i++) {
        if (verb->n_parts == 0)
            continue;
        printf("    %s)\n        found=(\n", verb->name);
        for (size_t k = 0; k < verb->n_parts; k++)
            print_zsh_described(part_word(verb->parts[k]), verb->parts[k]->summary);
        fputs("        )\n        _describe command found\n        ;;\n", stdout);
    }
    enum status status = print_leaves(print_zsh_leaf);
    fputs("    esac\n"
          "}\n"
          "compdef _afterstate afterstate\n",
          stdout);
    return status;
}

/* ---- fish ------------------------------------------------------------------------------------------------------- */

static void print_fish_text(const char *text)
{
    putchar('\'');
    for (; *text; text++)
        printf(strchr("'\\", *text) ? "\\%c" : "%c", *text);
    putchar('\'');
}

/* "complete -c afterstate -n '..'" for a command line of these words. */
static void print_fish_condition(const char *command)
{
    const char *part = strchr(command, ' ');
    printf("complete -c afterstate -n '__fish_seen_subcommand_from %.*s", (int)strcspn(command, " "), command);
    if (part)
        printf("; and __fish_seen_subcommand_from%s", part);
    putchar('\'');
}

static void print_fish_leaf(const struct leaf *leaf)
{
    for (size_t i = 0; i < leaf->bound.n; i++) {
        const struct option_spec *option = &leaf->bound.items[i];
        enum value_kind kind = value_kind(option);
        print_fish_condition(leaf->command->name);
        printf(" -l %s", option->name);
        if (option->letter)
            printf(" -s %c", option->letter);
        if (kind != VALUE_NONE)
            printf(kind == VALUE_FILE     ? " -r -F"
                   : kind == VALUE_FOLDER ? " -x -a '(__fish_complete_directories)'"
                                          : " -x");
        if (option->choices) {
            printf(" -a '");
            print_words(option->choices, ' ');
            putchar('\'');
        }
        printf(" -d ");
        print_fish_text(option->help);
        putchar('\n');
    }
    for (size_t i = 0; i < leaf->names.n; i++) {
        print_fish_condition(leaf->command->name);
        printf(" -a %s\n", leaf->names.names[i]);
    }
}

static enum status print_fish(void)
{
    const struct command *verb;
    puts("# fish completion for afterstate, by: afterstate completion fish");
    for (size_t i = 0; (verb = verbs_at(i)) != NULL; i++) {
        printf("complete -c afterstate -n __fish_use_subcommand -f -a %s -d ", verb->name);
        print_fish_text(verb->summary);
        putchar('\n');
        for (size_t k = 0; k < verb->n_parts; k++) {
            printf("complete -c afterstate -n '__fish_seen_subcommand_from %s; and not __fish_seen_subcommand_from",
                   verb->name);
            for (size_t other = 0; other < verb->n_parts; other++)
                printf(" %s", part_word(verb->parts[other]));
            printf("' -f -a %s -d ", part_word(verb->parts[k]));
            print_fish_text(verb->parts[k]->summary);
            putchar('\n');
        }
    }
    return print_leaves(print_fish_leaf);
}

/* ---- the command line ------------------------------------------------------------------------------------------- */

static const struct command_example examples[] = {
    {"bash > ~/.local/share/bash-completion/completions/afterstate", "for bash, from the next shell on"},
    {"zsh > ~/.zfunc/_afterstate", "for zsh, where ~/.zfunc is in fpath"},
    {"fish > ~/.config/fish/completions/afterstate.fish", "for fish"},
};

static enum status run_command(struct cli_call *call)
{
    static enum status (*const printers[])(void) = {
        [SHELL_BASH] = print_bash, [SHELL_ZSH] = print_zsh, [SHELL_FISH] = print_fish};
    for (size_t i = 0; shells[i]; i++)
        if (strcmp(shells[i], call->operands[0]) == 0)
            return printers[i]();
    return status_fail(STATUS_USAGE, "completion: '%s' is no shell that is known, expected bash, zsh or fish",
                       call->operands[0]);
}

const struct command verb_completion = {
    .name = "completion",
    .heading = "Help",
    .summary = "a script that completes command lines in bash, zsh or fish",
    .operands = "SHELL",
    .description =
        "Prints the script on standard output. It completes verbs, commands, options, the words and files that "
        "an option takes, and the names of recipes and experiments.",
    COMMAND_EXAMPLES(examples),
    .run = run_command,
};
