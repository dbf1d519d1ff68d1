/* options: the command line of a command, as data, and the one parser that reads it. */
#include "cli/frame/options.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/nearest.h"
#include "base/parse.h"
#include "cli/frame/colour.h"

enum { EXPECTED_BYTES = 512, NUMBER_BYTES = 32 };

static void bind_rows(struct bound_options *bound, const struct option_spec *rows, size_t n_rows, char *base)
{
    for (size_t i = 0; i < n_rows; i++) {
        char *target = base + rows[i].field.offset;
        if (rows[i].field.kind == OPTION_GROUP) {
            bind_rows(bound, rows[i].group, rows[i].n_group, target);
            continue;
        }
        assert(bound->n < OPTIONS_MAX - COMMON_OPTIONS);
        struct option_spec *item = &bound->items[bound->n++];
        *item = rows[i];
        item->target = target;
        item->given_target = rows[i].given ? (bool *)(base + rows[i].given) : NULL;
    }
}

static void bind_settings(struct bound_options *bound, struct cli_call *call)
{
    const struct setting_table *table = call->settings.table = call->command->settings;
    for (size_t i = 0; table && i < table->n; i++) {
        const struct setting *row = &table->rows[i];
        call->settings.texts[i] = call->command->settings_defaults ? row->fallback : NULL;
        if (!row->option)
            continue;
        assert(i < OPTION_SETTINGS_MAX && bound->n < OPTIONS_MAX - COMMON_OPTIONS);
        bound->items[bound->n++] = (struct option_spec){.name = row->option,
                                                        .letter = row->letter,
                                                        .argument = row->option_argument,
                                                        .field.kind = OPTION_TEXT,
                                                        .help = row->help,
                                                        .target = &call->settings.texts[i]};
    }
}

void options_bind(struct bound_options *bound, struct cli_call *call)
{
    const struct command *command = call->command;
    const struct option_spec common[COMMON_OPTIONS] = {
        {"json", 0, NULL, .help = "print one machine-readable object on stdout", .target = &call->common.json},
        {"quiet", 'q', NULL, .help = "print no progress on stderr", .target = &call->common.quiet},
        {"color",
         0,
         "WHEN",
         {.kind = OPTION_CHOICE},
         "colours in the output",
         .choices = colour_names,
         .target = &call->common.colour},
        {"help", 'h', NULL, .help = "print this help", .target = &bound->help},
    };
    bound->n = 0;
    bound->help = false;
    if (command->defaults)
        memcpy(call->options, command->defaults, command->options_bytes);
    bind_rows(bound, command->options, command->n_options, call->options);
    bind_settings(bound, call);
    bound->n_own = bound->n;
    for (size_t i = 0; i < COMMON_OPTIONS; i++)
        bound->items[bound->n++] = common[i];
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

/* Replaces the message of setting_check(), which names the key, by one that names the option. */
static enum status fail_setting(const struct setting *row, const char *text)
{
    char expected[EXPECTED_BYTES] = "expected another value";
    const char *from = strstr(status_message(), "expected ");
    if (from)
        snprintf(expected, sizeof expected, "%s", from);
    return status_fail(STATUS_USAGE, "option '--%s' is '%s', %s", row->option, text, expected);
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
        status = setting_check(row, options->texts[i], origin);
        status = status ? fail_setting(row, options->texts[i])
                        : recipe_set_text(recipe, row->section, row->name, options->texts[i], origin);
    }
    return status;
}

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

static bool has_range(const struct option_spec *spec)
{
    return spec->min != 0 || spec->max != 0;
}

struct unit {
    double size;
    const char *name;
};

const char *options_describe_number(const struct option_spec *spec, double number, char *buffer, size_t buffer_bytes)
{
    static const struct unit times[] = {{3600e3, "h"}, {1e3, "s"}, {0, NULL}};
    static const struct unit counts[] = {{1e12, "T"}, {1e9, "G"}, {1e6, "M"}, {0, NULL}};
    static const struct unit none[] = {{0, NULL}};
    const struct unit *unit = spec->field.kind == OPTION_MILLISECONDS ? times
                              : spec->field.kind == OPTION_BYTES      ? none
                                                                      : counts;
    for (; unit->name; unit++) {
        if (number >= unit->size && fmod(number, unit->size) == 0) {
            snprintf(buffer, buffer_bytes, "%.10g%s", number / unit->size, unit->name);
            return buffer;
        }
    }
    snprintf(buffer, buffer_bytes, "%.10g", number);
    return buffer;
}

const char *options_describe_range(const struct option_spec *spec, char *buffer, size_t buffer_bytes)
{
    char low[NUMBER_BYTES], high[NUMBER_BYTES];
    buffer[0] = '\0';
    if (spec->field.kind == OPTION_CHOICE) {
        list_choices(spec->choices, buffer, buffer_bytes);
    } else if (has_range(spec)) {
        options_describe_number(spec, spec->min, low, sizeof low);
        options_describe_number(spec, spec->max, high, sizeof high);
        join_range(isfinite(spec->min) ? low : NULL, isfinite(spec->max) ? high : NULL, buffer, buffer_bytes);
    }
    return buffer;
}

static const char *number_name(const struct option_spec *spec)
{
    switch (spec->field.kind) {
    case OPTION_INTEGER:
        return "a whole number";
    case OPTION_MILLISECONDS:
        return "milliseconds (or 20ms, 1s)";
    case OPTION_BYTES:
        return spec->unit_bytes < 1e9 ? "MB (or 512MB, 2GB)" : "GB (or 512MB, 2GB)";
    default:
        return "a number";
    }
}

/* What a value should have been, for messages: "a whole number from 1 to 9". */
static const char *describe_expected(const struct option_spec *spec, char *buffer, size_t buffer_bytes)
{
    char range[EXPECTED_BYTES / 2];
    options_describe_range(spec, range, sizeof range);
    switch (spec->field.kind) {
    case OPTION_TEXT:
    case OPTION_TEXTS:
        snprintf(buffer, buffer_bytes, "%s", spec->argument);
        break;
    case OPTION_CHOICE:
        snprintf(buffer, buffer_bytes, "%s", range);
        break;
    case OPTION_DURATION:
        snprintf(buffer, buffer_bytes, "a duration such as 90s, 30m or 5h%s%s",
                 range[0] == '\0' ? "" : "; in seconds: ", range);
        break;
    default:
        snprintf(buffer, buffer_bytes, "%s%s%s", number_name(spec),
                 range[0] == '\0'  ? ""
                 : range[0] == 'a' ? " of " /* at least, at most */
                                   : " from ",
                 range);
    }
    return buffer;
}

static enum status fail_value(const struct option_spec *spec, const char *value)
{
    char expected[EXPECTED_BYTES];
    describe_expected(spec, expected, sizeof expected);
    if (spec->field.kind == OPTION_CHOICE) {
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

static const struct option_spec *find_long(const struct bound_options *bound, const char *name, size_t length)
{
    for (size_t i = 0; i < bound->n; i++)
        if (strncmp(bound->items[i].name, name, length) == 0 && bound->items[i].name[length] == '\0')
            return &bound->items[i];
    return NULL;
}

static const struct option_spec *find_letter(const struct bound_options *bound, char letter)
{
    for (size_t i = 0; i < bound->n; i++)
        if (bound->items[i].letter == letter)
            return &bound->items[i];
    return NULL;
}

static enum status fail_unknown(const struct bound_options *bound, const char *word, size_t name_length)
{
    const char *names[OPTIONS_MAX];
    for (size_t i = 0; i < bound->n; i++)
        names[i] = bound->items[i].name;
    char name[NEAREST_MAX_LENGTH + 2]; /* a word cut to this length is still too long to be near anything */
    snprintf(name, sizeof name, "%.*s", (int)name_length, word + 2);
    const char *near = nearest_name(name, names, bound->n);
    if (near == NULL)
        return status_fail(STATUS_USAGE, "unknown option '%.*s'", (int)name_length + 2, word);
    return status_fail(STATUS_USAGE, "unknown option '%.*s'; did you mean '--%s'?", (int)name_length + 2, word, near);
}

static bool is_in_range(const struct option_spec *spec, double number)
{
    return !has_range(spec) || (number >= spec->min && number <= spec->max);
}

/* A number of milliseconds, or a duration with its unit. */
static bool parse_milliseconds(const char *text, double *out)
{
    if (parse_real(text, out))
        return true;
    bool fine = parse_duration(text, out);
    *out *= 1e3;
    return fine;
}

/* A number of the option's unit, or bytes with theirs. */
static bool parse_amount_of_bytes(const struct option_spec *spec, const char *text, double *out)
{
    if (!parse_bytes(text, out))
        return parse_real(text, out);
    *out /= spec->unit_bytes;
    return true;
}

/* Reads a number into *real, and *integer where it is a whole one. False if it is none or out of range. */
static bool read_number(const struct option_spec *spec, const char *value, double *real, int64_t *integer)
{
    bool fine = false;
    switch (spec->field.kind) {
    case OPTION_INTEGER:
        fine = parse_integer(value, integer);
        *real = (double)*integer;
        break;
    case OPTION_DURATION:
        fine = parse_duration(value, real) && *real > 0;
        break;
    case OPTION_MILLISECONDS:
        fine = parse_milliseconds(value, real);
        break;
    case OPTION_BYTES:
        fine = parse_amount_of_bytes(spec, value, real);
        break;
    default:
        fine = parse_real(value, real);
    }
    return fine && is_in_range(spec, *real);
}

/* Checks one value, and stores it if `store`. */
static enum status take_value(const struct option_spec *spec, const char *value, bool store)
{
    struct option_texts *texts = spec->target;
    int64_t integer = 0;
    double real = 0;
    int choice = 0;
    switch (spec->field.kind) {
    case OPTION_FLAG:
        if (store)
            *(bool *)spec->target = true;
        break;
    case OPTION_TEXT:
        if (store)
            *(const char **)spec->target = value;
        break;
    case OPTION_INTEGER:
    case OPTION_REAL:
    case OPTION_DURATION:
    case OPTION_MILLISECONDS:
    case OPTION_BYTES:
        if (!read_number(spec, value, &real, &integer))
            return fail_value(spec, value);
        if (store && spec->field.kind == OPTION_INTEGER)
            *(int64_t *)spec->target = integer;
        else if (store)
            *(double *)spec->target = real;
        break;
    case OPTION_CHOICE:
        while (spec->choices[choice] != NULL && strcmp(spec->choices[choice], value) != 0)
            choice++;
        if (spec->choices[choice] == NULL)
            return fail_value(spec, value);
        if (store)
            *(int *)spec->target = choice;
        break;
    case OPTION_TEXTS:
        if (!store)
            break;
        if (texts->n_items == OPTION_TEXTS_MAX)
            return status_fail(STATUS_USAGE, "option '--%s' is given more than %d times", spec->name, OPTION_TEXTS_MAX);
        texts->items[texts->n_items++] = value;
        break;
    case OPTION_GROUP:
        break; /* bound options have none */
    }
    if (store && spec->given_target)
        *spec->given_target = true;
    return STATUS_OK;
}

/* Splits one option word into its option and the value written in the same word (NULL for none). */
static enum status split_option(const struct bound_options *bound, const char *word, const struct option_spec **spec,
                                const char **value)
{
    if (word[1] == '-') {
        size_t length = strcspn(word + 2, "=");
        *spec = find_long(bound, word + 2, length);
        if (*spec == NULL)
            return fail_unknown(bound, word, length);
        *value = word[2 + length] == '=' ? word + 3 + length : NULL;
    } else {
        *spec = find_letter(bound, word[1]);
        if (*spec == NULL)
            return status_fail(STATUS_USAGE, "unknown option '-%c'", word[1]);
        *value = word[2] != '\0' ? word + 2 : NULL;
    }
    if ((*spec)->field.kind == OPTION_FLAG && *value != NULL)
        return status_fail(STATUS_USAGE, "option '--%s' takes no value, got '%s'", (*spec)->name, *value);
    return STATUS_OK;
}

/* One pass over the line. Without `store` it only checks, and stops early with bound->help set at a --help. */
static enum status walk(struct bound_options *bound, int argc, char **argv, bool store, int *n_operands)
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
        enum status status = split_option(bound, word, &spec, &value);
        if (status)
            return status;
        if (spec->target == &bound->help) {
            bound->help = true;
            return STATUS_OK;
        }
        if (spec->field.kind != OPTION_FLAG && value == NULL) {
            char expected[EXPECTED_BYTES];
            if (i + 1 == argc)
                return status_fail(STATUS_USAGE, "option '--%s' needs a value, expected %s", spec->name,
                                   describe_expected(spec, expected, sizeof expected));
            value = argv[++i];
        }
        status = take_value(spec, value, store);
        if (status)
            return status;
    }
    return STATUS_OK;
}

/* Each word of a usage line is an operand, from a bracket on an optional one; ".." stands for more of them. */
static void count_operands(const struct command *command, int *least, int *most)
{
    bool is_optional = false;
    *least = *most = 0;
    for (const char *word = command->operands; word && *word; word += strspn(word, " ")) {
        is_optional |= *word == '[';
        if (*word != '.') {
            *least += !is_optional;
            ++*most;
        }
        word += strcspn(word, " ");
    }
    if (command->most_operands)
        *most = command->most_operands;
}

static enum status check_operands(const struct command *command, int n_operands, char **argv)
{
    const char *expected = command->operands ? command->operands : "none";
    int least, most;
    count_operands(command, &least, &most);
    if (n_operands < least)
        return status_fail(STATUS_USAGE, "missing operand, expected %s", expected);
    if (n_operands > most)
        return status_fail(STATUS_USAGE, "unexpected operand '%s', expected %s", argv[1 + most], expected);
    return STATUS_OK;
}

enum parse_result options_parse(struct cli_call *call, int argc, char **argv)
{
    struct bound_options bound;
    int n_operands;
    options_bind(&bound, call);
    if (walk(&bound, argc, argv, false, &n_operands) != STATUS_OK)
        return PARSE_FAILED;
    if (bound.help)
        return PARSE_HELP;
    if (walk(&bound, argc, argv, true, &n_operands) != STATUS_OK ||
        check_operands(call->command, n_operands, argv) != STATUS_OK)
        return PARSE_FAILED;
    call->n_operands = n_operands;
    call->operands = argv + 1;
    call->common.quiet |= call->common.json;
    call->common.progress = call->common.quiet ? PROGRESS_QUIET : PROGRESS_AUTO;
    return PARSE_DONE;
}
