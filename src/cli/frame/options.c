#include "cli/frame/options.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/nearest.h"
#include "base/parse.h"

enum { EXPECTED_BYTES = 512, NAMES_MAX = 64, NUMBER_BYTES = 32 };

/* ---- the makers ------------------------------------------------------------------------------------------------ */

struct option_spec option_flag(const char *name, char letter, bool *target, const char *help)
{
    return (struct option_spec){
        .name = name, .letter = letter, .kind = OPTION_FLAG, .help = help, .target.flag = target};
}

struct option_spec option_text(const char *name, char letter, const char *argument, const char **target,
                               const char *help)
{
    return (struct option_spec){
        .name = name, .letter = letter, .kind = OPTION_TEXT, .argument = argument, .help = help, .target.text = target};
}

struct option_spec option_integer(const char *name, char letter, const char *argument, int64_t *target, int64_t min,
                                  int64_t max, const char *help)
{
    return (struct option_spec){.name = name,
                                .letter = letter,
                                .kind = OPTION_INTEGER,
                                .argument = argument,
                                .help = help,
                                .target.integer = target,
                                .integer_min = min,
                                .integer_max = max};
}

struct option_spec option_real(const char *name, char letter, const char *argument, double *target, double min,
                               double max, const char *help)
{
    return (struct option_spec){.name = name,
                                .letter = letter,
                                .kind = OPTION_REAL,
                                .argument = argument,
                                .help = help,
                                .target.real = target,
                                .real_min = min,
                                .real_max = max};
}

struct option_spec option_choice(const char *name, char letter, const char *argument, int *target,
                                 const char *const *choices, const char *help)
{
    return (struct option_spec){.name = name,
                                .letter = letter,
                                .kind = OPTION_CHOICE,
                                .argument = argument,
                                .help = help,
                                .target.choice = target,
                                .choices = choices};
}

struct option_spec option_texts(const char *name, char letter, const char *argument, struct option_texts *target,
                                const char *help)
{
    return (struct option_spec){.name = name,
                                .letter = letter,
                                .kind = OPTION_TEXTS,
                                .argument = argument,
                                .help = help,
                                .target.texts = target};
}

struct option_spec option_setting(const struct setting *row, void *settings)
{
    void *field = (char *)settings + row->field.offset;
    assert(row->field.bytes == 8 && (row->field.kind == SETTING_SIGNED || row->field.kind == SETTING_REAL));
    if (row->field.kind == SETTING_REAL)
        return option_real(row->option, row->letter, row->option_argument, field, row->minimum, row->maximum,
                           row->help);
    return option_integer(row->option, row->letter, row->option_argument, field, (int64_t)row->minimum,
                          (int64_t)row->maximum, row->help);
}

size_t options_add_settings(struct option_spec *specs, size_t n, struct setting_options *options, bool defaults)
{
    assert(options->table->n <= OPTION_SETTINGS_MAX);
    for (size_t i = 0; i < options->table->n; i++) {
        const struct setting *row = &options->table->rows[i];
        if (!row->option)
            continue;
        options->texts[i] = defaults ? row->fallback : NULL;
        specs[n++] = option_text(row->option, row->letter, row->option_argument, &options->texts[i], row->help);
    }
    return n;
}

/* An option that was given points into argv, never to the default, even where it says the same. */
static bool is_given(const struct setting_options *options, size_t i)
{
    return options->texts[i] && options->texts[i] != options->table->rows[i].fallback;
}

bool options_setting_given(const struct setting_options *options, const char *name)
{
    for (size_t i = 0; i < options->table->n; i++)
        if (is_given(options, i) && strcmp(options->table->rows[i].name, name) == 0)
            return true;
    return false;
}

enum status options_put_settings(const struct setting_options *options, struct recipe *recipe)
{
    enum status status = STATUS_OK;
    for (size_t i = 0; i < options->table->n && !status; i++) {
        const struct setting *row = &options->table->rows[i];
        char origin[NUMBER_BYTES];
        if (!is_given(options, i))
            continue;
        snprintf(origin, sizeof origin, "--%s", row->option);
        status = recipe_set_text(recipe, row->section, row->name, options->texts[i], origin);
    }
    return status;
}

void options_list_common(struct option_spec specs[COMMON_OPTIONS], struct common_options *common, bool *help)
{
    specs[0] = option_flag("json", 0, &common->json, "print one machine-readable object on stdout");
    specs[1] = option_flag("quiet", 'q', &common->quiet, "print no progress on stderr");
    specs[2] = option_flag("help", 'h', help, "print this help");
}

/* ---- messages -------------------------------------------------------------------------------------------------- */

static void list_choices(const char *const *choices, char *buffer, size_t buffer_bytes)
{
    size_t used = (size_t)snprintf(buffer, buffer_bytes, "one of ");
    for (size_t i = 0; choices[i] != NULL && used < buffer_bytes; i++)
        used += (size_t)snprintf(buffer + used, buffer_bytes - used, i == 0 ? "%s" : ", %s", choices[i]);
}

/* "1 to 9", "at least 1", "at most 9", or "" for any number; the ends come as texts, NULL where a side is open. */
static void join_range(const char *low, const char *high, char *buffer, size_t buffer_bytes)
{
    if (low != NULL && high != NULL)
        snprintf(buffer, buffer_bytes, "%s to %s", low, high);
    else if (low != NULL)
        snprintf(buffer, buffer_bytes, "at least %s", low);
    else if (high != NULL)
        snprintf(buffer, buffer_bytes, "at most %s", high);
    else
        snprintf(buffer, buffer_bytes, "%s", "");
}

const char *options_describe_range(const struct option_spec *spec, char *buffer, size_t buffer_bytes)
{
    char low[NUMBER_BYTES], high[NUMBER_BYTES];
    bool has_low = false, has_high = false;
    if (spec->kind == OPTION_CHOICE) {
        list_choices(spec->choices, buffer, buffer_bytes);
        return buffer;
    }
    if (spec->kind == OPTION_INTEGER) {
        has_low = spec->integer_min != INT64_MIN;
        has_high = spec->integer_max != INT64_MAX;
        snprintf(low, sizeof low, "%" PRId64, spec->integer_min);
        snprintf(high, sizeof high, "%" PRId64, spec->integer_max);
    } else if (spec->kind == OPTION_REAL) {
        has_low = isfinite(spec->real_min);
        has_high = isfinite(spec->real_max);
        snprintf(low, sizeof low, "%g", spec->real_min);
        snprintf(high, sizeof high, "%g", spec->real_max);
    }
    join_range(has_low ? low : NULL, has_high ? high : NULL, buffer, buffer_bytes);
    return buffer;
}

/* What a value should have been, for messages: "a whole number from 1 to 9". */
static const char *describe_expected(const struct option_spec *spec, char *buffer, size_t buffer_bytes)
{
    char range[EXPECTED_BYTES / 2];
    options_describe_range(spec, range, sizeof range);
    if (spec->kind == OPTION_TEXT || spec->kind == OPTION_TEXTS)
        snprintf(buffer, buffer_bytes, "%s", spec->argument);
    else if (spec->kind == OPTION_CHOICE)
        snprintf(buffer, buffer_bytes, "%s", range);
    else
        snprintf(buffer, buffer_bytes, "%s%s%s", spec->kind == OPTION_INTEGER ? "a whole number" : "a number",
                 range[0] == '\0'  ? ""
                 : range[0] == 'a' ? " of " /* at least, at most */
                                   : " from ",
                 range);
    return buffer;
}

static enum status fail_value(const struct option_spec *spec, const char *value)
{
    char expected[EXPECTED_BYTES];
    describe_expected(spec, expected, sizeof expected);
    if (spec->kind == OPTION_CHOICE) {
        size_t n_choices = 0;
        while (spec->choices[n_choices] != NULL)
            n_choices++;
        const char *near = nearest_name(value, spec->choices, n_choices);
        if (near != NULL)
            return status_fail(STATUS_USAGE, "option '--%s' is '%s', expected %s; did you mean '%s'?", spec->name,
                               value, expected, near);
    }
    return status_fail(STATUS_USAGE, "option '--%s' is '%s', expected %s", spec->name, value, expected);
}

/* ---- the parse ------------------------------------------------------------------------------------------------- */

/* Two tables searched as one: the verb's own options, then the shared block. */
struct option_tables {
    const struct option_spec *own;
    size_t n_own;
    struct option_spec common[COMMON_OPTIONS];
    bool help;
};

static const struct option_spec *option_at(const struct option_tables *tables, size_t i)
{
    return i < tables->n_own ? &tables->own[i] : &tables->common[i - tables->n_own];
}

static const struct option_spec *find_long(const struct option_tables *tables, const char *name, size_t length)
{
    for (size_t i = 0; i < tables->n_own + COMMON_OPTIONS; i++) {
        const struct option_spec *spec = option_at(tables, i);
        if (strncmp(spec->name, name, length) == 0 && spec->name[length] == '\0')
            return spec;
    }
    return NULL;
}

static const struct option_spec *find_letter(const struct option_tables *tables, char letter)
{
    for (size_t i = 0; i < tables->n_own + COMMON_OPTIONS; i++)
        if (option_at(tables, i)->letter == letter)
            return option_at(tables, i);
    return NULL;
}

static enum status fail_unknown(const struct option_tables *tables, const char *word, size_t name_length)
{
    const char *names[NAMES_MAX];
    size_t n_names = 0;
    assert(tables->n_own + COMMON_OPTIONS <= NAMES_MAX);
    for (size_t i = 0; i < tables->n_own + COMMON_OPTIONS; i++)
        names[n_names++] = option_at(tables, i)->name;
    char name[NEAREST_MAX_LENGTH + 2]; /* a word cut to this length is still too long to be near anything */
    snprintf(name, sizeof name, "%.*s", (int)name_length, word + 2);
    const char *near = nearest_name(name, names, n_names);
    if (near == NULL)
        return status_fail(STATUS_USAGE, "unknown option '%.*s'", (int)name_length + 2, word);
    return status_fail(STATUS_USAGE, "unknown option '%.*s'; did you mean '--%s'?", (int)name_length + 2, word, near);
}

/* Checks one value, and stores it if `store`. */
static enum status take_value(const struct option_spec *spec, const char *value, bool store)
{
    int64_t integer = 0;
    double real = 0;
    int choice = 0;
    switch (spec->kind) {
    case OPTION_FLAG:
        if (store)
            *spec->target.flag = true;
        break;
    case OPTION_TEXT:
        if (store)
            *spec->target.text = value;
        break;
    case OPTION_INTEGER:
        if (!parse_integer(value, &integer) || integer < spec->integer_min || integer > spec->integer_max)
            return fail_value(spec, value);
        if (store)
            *spec->target.integer = integer;
        break;
    case OPTION_REAL:
        if (!parse_real(value, &real) || real < spec->real_min || real > spec->real_max)
            return fail_value(spec, value);
        if (store)
            *spec->target.real = real;
        break;
    case OPTION_CHOICE:
        while (spec->choices[choice] != NULL && strcmp(spec->choices[choice], value) != 0)
            choice++;
        if (spec->choices[choice] == NULL)
            return fail_value(spec, value);
        if (store)
            *spec->target.choice = choice;
        break;
    case OPTION_TEXTS:
        if (!store)
            break;
        if (spec->target.texts->n_items == OPTION_TEXTS_MAX)
            return status_fail(STATUS_USAGE, "option '--%s' is given more than %d times", spec->name, OPTION_TEXTS_MAX);
        spec->target.texts->items[spec->target.texts->n_items++] = value;
        break;
    }
    if (store && spec->given)
        *spec->given = true;
    return STATUS_OK;
}

/* Splits one option word into its option and the value written in the same word (NULL for none). */
static enum status split_option(const struct option_tables *tables, const char *word, const struct option_spec **spec,
                                const char **value)
{
    if (word[1] == '-') {
        size_t length = strcspn(word + 2, "=");
        *spec = find_long(tables, word + 2, length);
        if (*spec == NULL)
            return fail_unknown(tables, word, length);
        *value = word[2 + length] == '=' ? word + 3 + length : NULL;
    } else {
        *spec = find_letter(tables, word[1]);
        if (*spec == NULL)
            return status_fail(STATUS_USAGE, "unknown option '-%c'", word[1]);
        *value = word[2] != '\0' ? word + 2 : NULL;
    }
    if ((*spec)->kind == OPTION_FLAG && *value != NULL)
        return status_fail(STATUS_USAGE, "option '--%s' takes no value, got '%s'", (*spec)->name, *value);
    return STATUS_OK;
}

/* One pass over the line. With `store` unset it only checks, and stops early with tables->help set at a --help. */
static enum status walk(struct option_tables *tables, int argc, char **argv, bool store, int *n_operands)
{
    bool options_ended = false;
    *n_operands = 0;
    for (int i = 1; i < argc; i++) {
        char *word = argv[i];
        if (options_ended || word[0] != '-' || word[1] == '\0') {
            ++*n_operands;
            if (store)
                argv[*n_operands] = word; /* never beyond i, so no word is lost before it is read */
            continue;
        }
        if (strcmp(word, "--") == 0) {
            options_ended = true;
            continue;
        }
        const struct option_spec *spec;
        const char *value;
        enum status status = split_option(tables, word, &spec, &value);
        if (status != STATUS_OK)
            return status;
        if (spec->target.flag == &tables->help) {
            tables->help = true;
            return STATUS_OK;
        }
        if (spec->kind != OPTION_FLAG && value == NULL) {
            char expected[EXPECTED_BYTES];
            if (i + 1 == argc)
                return status_fail(STATUS_USAGE, "option '--%s' needs a value, expected %s", spec->name,
                                   describe_expected(spec, expected, sizeof expected));
            value = argv[++i];
        }
        status = take_value(spec, value, store);
        if (status != STATUS_OK)
            return status;
    }
    return STATUS_OK;
}

static enum status check_operands(const struct command_spec *command, int n_operands, char *first_beyond)
{
    if (n_operands < command->min_operands)
        return status_fail(STATUS_USAGE, "missing operand, expected %s", command->operands);
    if (n_operands > command->max_operands && command->max_operands == 0)
        return status_fail(STATUS_USAGE, "unexpected operand '%s', expected none", first_beyond);
    if (n_operands > command->max_operands)
        return status_fail(STATUS_USAGE, "unexpected operand '%s', expected %s", first_beyond, command->operands);
    return STATUS_OK;
}

enum parse_result options_parse(const struct command_spec *command, struct common_options *common, int argc,
                                char **argv, struct operands *operands)
{
    struct option_tables tables = {.own = command->options, .n_own = command->n_options};
    options_list_common(tables.common, common, &tables.help);
    int n_operands;
    if (walk(&tables, argc, argv, false, &n_operands) != STATUS_OK)
        return PARSE_FAILED;
    if (tables.help)
        return PARSE_HELP;
    if (walk(&tables, argc, argv, true, &n_operands) != STATUS_OK)
        return PARSE_FAILED;
    char *first_beyond = n_operands > command->max_operands ? argv[1 + command->max_operands] : NULL;
    if (check_operands(command, n_operands, first_beyond) != STATUS_OK)
        return PARSE_FAILED;
    if (operands != NULL)
        *operands = (struct operands){.n_items = n_operands, .items = argv + 1};
    return PARSE_DONE;
}
