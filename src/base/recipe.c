/*
 * inih does the INI syntax; this file gives it one line at a time, through a reader of its own. The reader is where
 * things that inih passes over in silence become errors: lines cut at its limit, text behind a ']', sections without
 * keys that nobody knows. It also takes indentation away, so that inih sees no continuation lines, without touching
 * inih's global switches, which belong to the whole process.
 */
#include "base/recipe.h"

#include "base/file.h"
#include "base/memory.h"
#include "base/nearest.h"
#include "base/parse.h"

#include <assert.h>
#include <ctype.h>
#include <ini.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ORIGIN_BYTES = 256, FORM_BYTES = 160, MAX_NAME = 40 };
enum { SOURCE_DEFAULT = 0, SOURCE_SET = 1, SOURCE_FIRST_FILE = 2 };

struct list {
    char **texts;
    size_t n;
    unsigned source; /* who gave these values: each file read has its own number */
    char origin[ORIGIN_BYTES];
};

struct recipe {
    const struct recipe_key *schema;
    size_t n_keys;
    struct list *lists; /* one a key */
    unsigned next_source;
};

/* One file being read; `parent` leads to the file that includes it. */
struct load {
    struct recipe *recipe;
    const char *name;
    const char *real_path; /* NULL for a text */
    const struct load *parent;
    const char *cursor;
    unsigned source;
    int depth, line, failed_line;
    enum status status;
};

static size_t find_key(const struct recipe *recipe, const char *section, const char *name)
{
    for (size_t i = 0; i < recipe->n_keys; i++) {
        if (strcmp(recipe->schema[i].section, section) == 0 && strcmp(recipe->schema[i].name, name) == 0)
            return i;
    }
    return SIZE_MAX;
}

static bool section_exists(const struct recipe *recipe, const char *section)
{
    for (size_t i = 0; i < recipe->n_keys; i++) {
        if (strcmp(recipe->schema[i].section, section) == 0)
            return true;
    }
    return false;
}

static enum status fail_section(const struct recipe *recipe, const char *origin, const char *section)
{
    const char *near = nearest_name_in(section, &recipe->schema[0].section, sizeof *recipe->schema, recipe->n_keys);
    if (near)
        return status_fail(STATUS_INVALID, "%s: unknown section [%s]; did you mean [%s]?", origin, section, near);
    return status_fail(STATUS_INVALID, "%s: unknown section [%s]", origin, section);
}

static const char *nearest_in_section(const struct recipe *recipe, const char *section, const char *name)
{
    const char **names = memory_allocate(recipe->n_keys, sizeof *names);
    if (!names)
        return NULL; /* only the hint is lost */
    size_t n = 0;
    for (size_t i = 0; i < recipe->n_keys; i++) {
        if (strcmp(recipe->schema[i].section, section) == 0)
            names[n++] = recipe->schema[i].name;
    }
    const char *near = nearest_name(name, names, n);
    free(names);
    return near;
}

static enum status fail_unknown(const struct recipe *recipe, const char *origin, const char *section, const char *name)
{
    if (!section_exists(recipe, section))
        return fail_section(recipe, origin, section);
    for (size_t i = 0; i < recipe->n_keys; i++) {
        if (strcmp(recipe->schema[i].name, name) == 0)
            return status_fail(STATUS_INVALID, "%s: unknown key '%s' in [%s]; it belongs to [%s]", origin, name,
                               section, recipe->schema[i].section);
    }
    const char *near = nearest_in_section(recipe, section, name);
    if (near)
        return status_fail(STATUS_INVALID, "%s: unknown key '%s' in [%s]; did you mean '%s'?", origin, name, section,
                           near);
    return status_fail(STATUS_INVALID, "%s: unknown key '%s' in [%s]", origin, name, section);
}

/* Whether the text is of the key's type; its number, if it is one, in *number. */
static bool has_type(enum recipe_type type, const char *text, double *number)
{
    int64_t integer;
    uint64_t bytes;
    bool flag, good;
    *number = 0;
    switch (type) {
    case RECIPE_TEXT:
        return true;
    case RECIPE_FLAG:
        return parse_flag(text, &flag);
    case RECIPE_INTEGER:
        good = parse_integer(text, &integer);
        *number = good ? (double)integer : 0;
        return good;
    case RECIPE_REAL:
        return parse_real(text, number);
    case RECIPE_DURATION:
        return parse_duration(text, number);
    case RECIPE_BYTES:
        good = parse_bytes(text, &bytes);
        *number = good ? (double)bytes : 0;
        return good;
    }
    return false;
}

static enum status fail_value(const struct recipe_key *key, const char *text, const char *origin)
{
    static const char *const forms[] = {
        [RECIPE_TEXT] = "a text",
        [RECIPE_INTEGER] = "a whole number such as 42, 1_000_000 or 1e10",
        [RECIPE_REAL] = "a number such as 0.5 or 1e-3",
        [RECIPE_FLAG] = "yes or no",
        [RECIPE_DURATION] = "a duration such as 90s, 30m or 5h",
        [RECIPE_BYTES] = "a size such as 512M or 4G",
    };
    char range[FORM_BYTES] = "";
    if (key->minimum != 0 || key->maximum != 0)
        snprintf(range, sizeof range, " from %.15g to %.15g", key->minimum, key->maximum);
    return status_fail(STATUS_INVALID, "%s: %s.%s = '%s': expected %s%s", origin, key->section, key->name, text,
                       forms[key->type], range);
}

/* Whether the text can stand in a file and come back as it is, which recipe_write() relies on. */
static enum status check_writable(const struct recipe_key *key, const char *text, const char *origin)
{
    if (strlen(key->name) + strlen(" = ") + strlen(text) > RECIPE_MAX_LINE)
        return status_fail(STATUS_INVALID, "%s: the value of %s.%s has %zu characters; a line has at most %d", origin,
                           key->section, key->name, strlen(text), RECIPE_MAX_LINE);
    for (const char *c = text; *c; c++) {
        if (iscntrl((unsigned char)*c) && *c != '\t')
            return status_fail(STATUS_INVALID, "%s: the value of %s.%s has a control character (%d)", origin,
                               key->section, key->name, *c);
        if (*c == ';' && (c == text || isspace((unsigned char)c[-1])))
            return status_fail(STATUS_INVALID, "%s: the value of %s.%s would be cut at its ';', a comment", origin,
                               key->section, key->name);
    }
    return STATUS_OK;
}

static enum status check_value(const struct recipe_key *key, const char *text, const char *origin)
{
    enum status status = check_writable(key, text, origin);
    if (status != STATUS_OK)
        return status;
    double number;
    if (!has_type(key->type, text, &number))
        return fail_value(key, text, origin);
    bool any = (key->minimum == 0 && key->maximum == 0) || key->type == RECIPE_TEXT || key->type == RECIPE_FLAG;
    if (!any && (number < key->minimum || number > key->maximum))
        return fail_value(key, text, origin);
    return STATUS_OK;
}

static void clear_list(struct list *list)
{
    for (size_t i = 0; i < list->n; i++)
        free(list->texts[i]);
    free(list->texts);
    list->texts = NULL;
    list->n = 0;
}

static enum status append_text(struct list *list, const char *text)
{
    char **grown = memory_resize(list->texts, list->n + 1, sizeof *grown);
    if (!grown)
        return STATUS_NO_MEMORY;
    list->texts = grown;
    grown[list->n] = memory_copy_text(text);
    if (!grown[list->n])
        return STATUS_NO_MEMORY;
    list->n++;
    return STATUS_OK;
}

/* Gives key number i one value; the rules of strength are here. */
static enum status put_value(struct recipe *recipe, size_t i, const char *text, unsigned source, const char *origin)
{
    const struct recipe_key *key = &recipe->schema[i];
    struct list *list = &recipe->lists[i];
    bool empties = key->repeats && *text == '\0';
    enum status status = empties ? STATUS_OK : check_value(key, text, origin);
    if (status != STATUS_OK)
        return status;
    if (source == list->source && !key->repeats && source >= SOURCE_FIRST_FILE)
        return status_fail(STATUS_INVALID, "%s: %s.%s stands twice in one file, first at %s", origin, key->section,
                           key->name, list->origin);
    if (source != list->source || !key->repeats || empties)
        clear_list(list);
    list->source = source;
    snprintf(list->origin, sizeof list->origin, "%s", origin);
    return empties ? STATUS_OK : append_text(list, text);
}

static bool is_name(const char *text)
{
    size_t length = strlen(text);
    for (const char *c = text; *c; c++) {
        if (!isalnum((unsigned char)*c) && *c != '_' && *c != '-')
            return false;
    }
    return length > 0 && length <= MAX_NAME;
}

static enum status put_default(struct recipe *recipe, size_t i)
{
    const struct recipe_key *key = &recipe->schema[i];
    if (!is_name(key->section) || !is_name(key->name) || find_key(recipe, key->section, key->name) != i)
        return status_fail(STATUS_USAGE, "schema: key %zu, %s.%s, has a bad name or stands twice", i, key->section,
                           key->name);
    if (key->minimum > key->maximum)
        return status_fail(STATUS_USAGE, "schema: %s.%s has an empty range", key->section, key->name);
    snprintf(recipe->lists[i].origin, ORIGIN_BYTES, "default");
    if (!key->fallback && key->repeats)
        return STATUS_OK;
    const char *text = key->fallback ? key->fallback : "";
    enum status status = put_value(recipe, i, text, SOURCE_DEFAULT, "default");
    return status == STATUS_INVALID ? STATUS_USAGE : status;
}

enum status recipe_create(struct recipe **out, const struct recipe_key *schema, size_t n)
{
    *out = NULL;
    struct recipe *recipe = memory_allocate(1, sizeof *recipe);
    if (!recipe)
        return STATUS_NO_MEMORY;
    *recipe = (struct recipe){.schema = schema, .next_source = SOURCE_FIRST_FILE};
    recipe->lists = memory_allocate(n, sizeof *recipe->lists);
    enum status status = recipe->lists ? STATUS_OK : STATUS_NO_MEMORY;
    recipe->n_keys = recipe->lists ? n : 0;
    for (size_t i = 0; i < n && status == STATUS_OK; i++)
        status = put_default(recipe, i);
    if (status != STATUS_OK) {
        recipe_free(recipe);
        return status;
    }
    *out = recipe;
    return STATUS_OK;
}

void recipe_free(struct recipe *recipe)
{
    if (!recipe)
        return;
    for (size_t i = 0; i < recipe->n_keys; i++)
        clear_list(&recipe->lists[i]);
    free(recipe->lists);
    free(recipe);
}

static void load_failed(struct load *load, enum status status)
{
    load->status = status;
    load->failed_line = load->line;
}

static void write_origin(const struct load *load, char origin[ORIGIN_BYTES])
{
    /* Of a path that is too long the end tells more. */
    size_t length = strlen(load->name), most = ORIGIN_BYTES - 16;
    snprintf(origin, ORIGIN_BYTES, "%s:%d", load->name + (length > most ? length - most : 0), load->line);
}

/* A section's line "[name]", looked at before inih, which would drop what is behind the bracket. */
static enum status check_section_line(const struct load *load, const char *line)
{
    char origin[ORIGIN_BYTES], section[RECIPE_MAX_LINE + 1];
    write_origin(load, origin);
    size_t length = strcspn(line + 1, "]");
    const char *behind = line + 1 + length;
    if (*behind != ']')
        return status_fail(STATUS_INVALID, "%s: a section's name must end with ']'", origin);
    snprintf(section, sizeof section, "%.*s", (int)length, line + 1);
    behind++;
    behind += strspn(behind, " \t\r");
    if (*behind && *behind != ';' && *behind != '#')
        return status_fail(STATUS_INVALID, "%s: put '%s' behind [%s] on a line of its own", origin, behind, section);
    return section_exists(load->recipe, section) ? STATUS_OK : fail_section(load->recipe, origin, section);
}

/* Gives inih the next line, as fgets would: with its newline, NULL at the end or after a failure. */
static char *read_line(char *out, int capacity, void *stream)
{
    struct load *load = stream;
    if (load->status != STATUS_OK || *load->cursor == '\0')
        return NULL;
    load->line++;
    const char *start = load->cursor;
    size_t length = strcspn(start, "\n");
    load->cursor += length + (start[length] == '\n');
    size_t indent = strspn(start, " \t\r\v\f");
    indent = indent < length ? indent : length;
    start += indent;
    length -= indent;
    while (length > 0 && isspace((unsigned char)start[length - 1]))
        length--;
    if (*start == ';' || *start == '#')
        length = 0; /* a comment may be longer than inih's lines */
    size_t most = capacity < RECIPE_MAX_LINE + 2 ? (size_t)capacity - 2 : RECIPE_MAX_LINE;
    if (length > most) {
        load_failed(load, status_fail(STATUS_INVALID, "%s:%d: the line has %zu characters, at most %zu are read",
                                      load->name, load->line, length, most));
        return NULL;
    }
    memcpy(out, start, length);
    out[length] = '\0';
    if (*out == '[') {
        enum status status = check_section_line(load, out);
        if (status != STATUS_OK) {
            load_failed(load, status);
            return NULL;
        }
    }
    memcpy(out + length, "\n", 2);
    return out;
}

static enum status load_file(struct recipe *recipe, const char *path, const struct load *parent);

static enum status load_included(const struct load *load, const char *value)
{
    if (!load->real_path)
        return status_fail(STATUS_INVALID, "%s:%d: include is only possible in a file", load->name, load->line);
    if (*value == '\0')
        return status_fail(STATUS_INVALID, "%s:%d: include needs the name of a file", load->name, load->line);
    if (load->depth + 1 >= RECIPE_MAX_DEPTH)
        return status_fail(STATUS_INVALID, "%s:%d: includes more than %d deep", load->name, load->line,
                           RECIPE_MAX_DEPTH);
    const char *slash = strrchr(load->name, '/');
    int folder = *value == '/' || !slash ? 0 : (int)(slash - load->name + 1);
    size_t bytes = (size_t)folder + strlen(value) + 1;
    char *path = memory_allocate(bytes, 1);
    if (!path)
        return STATUS_NO_MEMORY;
    snprintf(path, bytes, "%.*s%s", folder, load->name, value);
    enum status status = load_file(load->recipe, path, load);
    if (status != STATUS_OK)
        status_fail(status, "%s (included at %s:%d)", status_message(), load->name, load->line);
    free(path);
    return status;
}

static enum status take_assignment(struct load *load, const char *section, const char *name, const char *value)
{
    char origin[ORIGIN_BYTES];
    write_origin(load, origin);
    if (*section == '\0') {
        if (strcmp(name, "include") == 0)
            return load_included(load, value);
        return status_fail(STATUS_INVALID, "%s: '%s' stands before any [section]; only include may", origin, name);
    }
    size_t i = find_key(load->recipe, section, name);
    if (i == SIZE_MAX)
        return fail_unknown(load->recipe, origin, section, name);
    return put_value(load->recipe, i, value, load->source, origin);
}

static int handle_assignment(void *user, const char *section, const char *name, const char *value)
{
    struct load *load = user;
    if (load->status != STATUS_OK)
        return 0;
    enum status status = take_assignment(load, section, name, value ? value : "");
    if (status != STATUS_OK)
        load_failed(load, status);
    return status == STATUS_OK;
}

static enum status load_lines(struct load *load, const char *text)
{
    load->cursor = text + (strncmp(text, "\xef\xbb\xbf", 3) == 0 ? 3 : 0); /* a byte order mark */
    load->source = load->recipe->next_source++;
    int result = ini_parse_stream(read_line, load, handle_assignment, load);
    if (result < 0)
        return status_fail(STATUS_NO_MEMORY, "%s: no memory to read it", load->name);
    /* inih goes on after a line it cannot read, so a later failure may have been noted: the earlier one counts. */
    if (result > 0 && (load->status == STATUS_OK || result < load->failed_line))
        return status_fail(STATUS_INVALID, "%s:%d: expected 'key = value', '[section]' or a comment", load->name,
                           result);
    return load->status;
}

/* Two names of one file are one file: loops are looked for among the real paths. */
static enum status check_loop(const char *path, const char *real_path, const struct load *parent)
{
    for (const struct load *above = parent; above; above = above->parent) {
        if (strcmp(above->real_path, real_path) == 0)
            return status_fail(STATUS_INVALID, "%s: includes itself", path);
    }
    return STATUS_OK;
}

static enum status load_file(struct recipe *recipe, const char *path, const struct load *parent)
{
    char *text;
    enum status status = file_read_text(path, &text);
    if (status != STATUS_OK)
        return status;
    char *real_path = realpath(path, NULL);
    struct load load = {.recipe = recipe, .name = path, .parent = parent, .depth = parent ? parent->depth + 1 : 0};
    load.real_path = real_path ? real_path : path;
    status = check_loop(path, load.real_path, parent);
    if (status == STATUS_OK)
        status = load_lines(&load, text);
    free(real_path);
    free(text);
    return status;
}

enum status recipe_load(struct recipe *recipe, const char *path)
{
    return load_file(recipe, path, NULL);
}

enum status recipe_load_text(struct recipe *recipe, const char *name, const char *text)
{
    struct load load = {.recipe = recipe, .name = name};
    return load_lines(&load, text);
}

/* Cuts spaces off both ends of a text, in place. */
static char *trim(char *text)
{
    while (isspace((unsigned char)*text))
        text++;
    size_t length = strlen(text);
    while (length > 0 && isspace((unsigned char)text[length - 1]))
        text[--length] = '\0';
    return text;
}

enum status recipe_set(struct recipe *recipe, const char *assignment, const char *origin)
{
    char *copy = memory_copy_text(assignment);
    if (!copy)
        return STATUS_NO_MEMORY;
    enum status status;
    char *equals = strchr(copy, '=');
    char *dot = equals ? memchr(copy, '.', (size_t)(equals - copy)) : NULL;
    if (!dot) {
        status = status_fail(STATUS_INVALID, "%s: '%s': expected section.key=value", origin, assignment);
    } else {
        *dot = *equals = '\0';
        const char *section = trim(copy), *name = trim(dot + 1);
        size_t i = find_key(recipe, section, name);
        status = i == SIZE_MAX ? fail_unknown(recipe, origin, section, name)
                               : put_value(recipe, i, trim(equals + 1), SOURCE_SET, origin);
    }
    free(copy);
    return status;
}

static const struct list *list_of(const struct recipe *recipe, const char *section, const char *name)
{
    size_t i = find_key(recipe, section, name);
    assert(i < recipe->n_keys);
    return &recipe->lists[i];
}

static const char *single_text(const struct recipe *recipe, const char *section, const char *name,
                               enum recipe_type type)
{
    size_t i = find_key(recipe, section, name);
    assert(i < recipe->n_keys && !recipe->schema[i].repeats && recipe->schema[i].type == type);
    (void)type;
    return recipe->lists[i].texts[0];
}

const char *recipe_text(const struct recipe *recipe, const char *section, const char *name)
{
    return recipe_text_at(recipe, section, name, 0);
}

int64_t recipe_integer(const struct recipe *recipe, const char *section, const char *name)
{
    int64_t value = 0;
    parse_integer(single_text(recipe, section, name, RECIPE_INTEGER), &value);
    return value;
}

double recipe_real(const struct recipe *recipe, const char *section, const char *name)
{
    double value = 0;
    parse_real(single_text(recipe, section, name, RECIPE_REAL), &value);
    return value;
}

bool recipe_flag(const struct recipe *recipe, const char *section, const char *name)
{
    bool value = false;
    parse_flag(single_text(recipe, section, name, RECIPE_FLAG), &value);
    return value;
}

double recipe_duration(const struct recipe *recipe, const char *section, const char *name)
{
    double value = 0;
    parse_duration(single_text(recipe, section, name, RECIPE_DURATION), &value);
    return value;
}

uint64_t recipe_bytes(const struct recipe *recipe, const char *section, const char *name)
{
    uint64_t value = 0;
    parse_bytes(single_text(recipe, section, name, RECIPE_BYTES), &value);
    return value;
}

size_t recipe_count(const struct recipe *recipe, const char *section, const char *name)
{
    return list_of(recipe, section, name)->n;
}

const char *recipe_text_at(const struct recipe *recipe, const char *section, const char *name, size_t i)
{
    const struct list *list = list_of(recipe, section, name);
    assert(i < list->n);
    return list->texts[i];
}

bool recipe_given(const struct recipe *recipe, const char *section, const char *name)
{
    return list_of(recipe, section, name)->source != SOURCE_DEFAULT;
}

const char *recipe_origin(const struct recipe *recipe, const char *section, const char *name)
{
    return list_of(recipe, section, name)->origin;
}

static void write_key(const struct recipe *recipe, size_t i, FILE *stream)
{
    const struct list *list = &recipe->lists[i];
    if (list->n == 0)
        fprintf(stream, "%s =\n", recipe->schema[i].name); /* says that the list is empty, whatever its default */
    for (size_t k = 0; k < list->n; k++)
        fprintf(stream, "%s =%s%s\n", recipe->schema[i].name, *list->texts[k] ? " " : "", list->texts[k]);
}

enum status recipe_write(const struct recipe *recipe, char **text)
{
    char *written = NULL;
    size_t bytes = 0;
    *text = NULL;
    FILE *stream = open_memstream(&written, &bytes);
    if (!stream)
        return status_fail_errno(STATUS_NO_MEMORY, "cannot write the recipe");
    for (size_t i = 0; i < recipe->n_keys; i++) {
        const char *section = recipe->schema[i].section;
        size_t first = 0;
        while (strcmp(recipe->schema[first].section, section) != 0)
            first++;
        if (first != i)
            continue; /* the whole section was written at its first key */
        fprintf(stream, "%s[%s]\n", i ? "\n" : "", section);
        for (size_t k = i; k < recipe->n_keys; k++) {
            if (strcmp(recipe->schema[k].section, section) == 0)
                write_key(recipe, k, stream);
        }
    }
    bool failed = ferror(stream) != 0;
    if (fclose(stream) != 0 || failed) {
        free(written);
        return status_fail(STATUS_NO_MEMORY, "cannot write the recipe: no memory");
    }
    *text = written;
    return STATUS_OK;
}
