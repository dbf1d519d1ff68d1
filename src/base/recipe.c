/*
 * inih does the INI syntax; this file gives it one line at a time, through a reader of its own. The reader is where
 * things that inih ignores silently become errors: lines cut at its limit, text after a ']', sections without unknown
 * keys. It also takes indentation away, so that inih sees no continuation lines, without touching inih's global
 * switches, which belong to the whole process.
 */
#include "base/recipe.h"

#include "base/file.h"
#include "base/memory.h"
#include "base/nearest.h"
#include "base/plain_text.h"

#include <assert.h>
#include <ctype.h>
#include <ini.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ORIGIN_BYTES = 256, SHOWN_BYTES = 100, MAX_NAME = 40 };
_Static_assert((int)SETTING_TEXT_BYTES > RECIPE_MAX_LINE, "a setting's text has room for any line");
enum { SOURCE_DEFAULT = 0, SOURCE_SET = 1, SOURCE_FIRST_FILE = 2 };

struct list {
    char **texts;
    size_t n;
    unsigned source; /* of these values: each file read has its own number */
    char origin[ORIGIN_BYTES];
};

struct recipe {
    const struct setting *rows;
    size_t n_rows;
    struct list *lists; /* one a row */
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

static size_t find_row(const struct recipe *recipe, const char *section, const char *name)
{
    for (size_t i = 0; i < recipe->n_rows; i++) {
        if (strcmp(recipe->rows[i].section, section) == 0 && strcmp(recipe->rows[i].name, name) == 0)
            return i;
    }
    return SIZE_MAX;
}

static bool section_exists(const struct recipe *recipe, const char *section)
{
    for (size_t i = 0; i < recipe->n_rows; i++) {
        if (strcmp(recipe->rows[i].section, section) == 0)
            return true;
    }
    return false;
}

static enum status fail_section(const struct recipe *recipe, const char *origin, const char *section)
{
    const char *near = nearest_name_in(section, &recipe->rows[0].section, sizeof *recipe->rows, recipe->n_rows);
    if (near)
        return status_fail(STATUS_INVALID, "%s: unknown section [%s]; did you mean [%s]?", origin, section, near);
    return status_fail(STATUS_INVALID, "%s: unknown section [%s]", origin, section);
}

static const char *nearest_in_section(const struct recipe *recipe, const char *section, const char *name)
{
    const char **names = memory_allocate(recipe->n_rows, sizeof *names);
    if (!names)
        return NULL; /* only the hint is lost */
    size_t n = 0;
    for (size_t i = 0; i < recipe->n_rows; i++) {
        if (strcmp(recipe->rows[i].section, section) == 0)
            names[n++] = recipe->rows[i].name;
    }
    const char *near = nearest_name(name, names, n);
    free(names);
    return near;
}

static enum status fail_unknown(const struct recipe *recipe, const char *origin, const char *section, const char *name)
{
    if (!section_exists(recipe, section))
        return fail_section(recipe, origin, section);
    for (size_t i = 0; i < recipe->n_rows; i++) {
        if (strcmp(recipe->rows[i].name, name) == 0)
            return status_fail(STATUS_INVALID, "%s: unknown key '%s' in [%s]; it belongs to [%s]", origin, name,
                               section, recipe->rows[i].section);
    }
    const char *near = nearest_in_section(recipe, section, name);
    if (near)
        return status_fail(STATUS_INVALID, "%s: unknown key '%s' in [%s]; did you mean '%s'?", origin, name, section,
                           near);
    return status_fail(STATUS_INVALID, "%s: unknown key '%s' in [%s]", origin, name, section);
}

/* Whether the text can be written to a file and read back unchanged, which recipe_write() relies on. */
static enum status check_writable(const struct setting *row, const char *text, const char *origin)
{
    if (strlen(row->name) + strlen(" = ") + strlen(text) > RECIPE_MAX_LINE)
        return status_fail(STATUS_INVALID, "%s: the value of %s.%s has %zu characters; a line has at most %d", origin,
                           row->section, row->name, strlen(text), RECIPE_MAX_LINE);
    for (const char *c = text; *c; c++) {
        if (iscntrl((unsigned char)*c) && *c != '\t')
            return status_fail(STATUS_INVALID, "%s: the value of %s.%s has a control character (%d)", origin,
                               row->section, row->name, *c);
        if (*c == ';' && (c == text || isspace((unsigned char)c[-1])))
            return status_fail(STATUS_INVALID, "%s: the value of %s.%s would be cut at its ';', a comment", origin,
                               row->section, row->name);
    }
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

/* Gives row i one value; the rules of strength are here. */
static enum status put_value(struct recipe *recipe, size_t i, const char *text, unsigned source, const char *origin)
{
    const struct setting *row = &recipe->rows[i];
    struct list *list = &recipe->lists[i];
    bool repeats = row->field.kind == SETTING_LIST, empties = repeats && *text == '\0';
    enum status status = empties ? STATUS_OK : check_writable(row, text, origin);
    if (!status && !empties)
        status = setting_check(row, text, origin);
    if (status)
        return status;
    if (source == list->source && !repeats && source >= SOURCE_FIRST_FILE)
        return status_fail(STATUS_INVALID, "%s: %s.%s stands twice in one file, first at %s", origin, row->section,
                           row->name, list->origin);
    if (source != list->source || !repeats || empties)
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
    const struct setting *row = &recipe->rows[i];
    if (!is_name(row->section) || !is_name(row->name) || find_row(recipe, row->section, row->name) != i)
        return status_fail(STATUS_USAGE, "settings: row %zu, %s.%s, has a bad name or stands twice", i, row->section,
                           row->name);
    if (row->minimum > row->maximum)
        return status_fail(STATUS_USAGE, "settings: %s.%s has an empty range", row->section, row->name);
    snprintf(recipe->lists[i].origin, ORIGIN_BYTES, "default");
    if (!row->fallback && row->field.kind == SETTING_LIST)
        return STATUS_OK;
    const char *text = row->fallback ? row->fallback : "";
    enum status status = put_value(recipe, i, text, SOURCE_DEFAULT, "default");
    return status == STATUS_INVALID ? STATUS_USAGE : status;
}

enum status recipe_create(struct recipe **out, const struct setting_table *table)
{
    *out = NULL;
    struct recipe *recipe = memory_allocate(1, sizeof *recipe);
    if (!recipe)
        return STATUS_NO_MEMORY;
    *recipe = (struct recipe){.rows = table->rows, .next_source = SOURCE_FIRST_FILE};
    recipe->lists = memory_allocate(table->n, sizeof *recipe->lists);
    enum status status = recipe->lists ? STATUS_OK : STATUS_NO_MEMORY;
    recipe->n_rows = recipe->lists ? table->n : 0;
    for (size_t i = 0; i < recipe->n_rows && !status; i++)
        status = put_default(recipe, i);
    if (status) {
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
    for (size_t i = 0; i < recipe->n_rows; i++)
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
    /* Of a path that is too long the end says more. */
    size_t length = strlen(load->name), most = ORIGIN_BYTES - 16;
    snprintf(origin, ORIGIN_BYTES, "%s:%d", load->name + (length > most ? length - most : 0), load->line);
}

/* A section's line "[name]", checked before inih, which would drop what follows the bracket. */
static enum status check_section_line(const struct load *load, const char *line)
{
    char origin[ORIGIN_BYTES], section[RECIPE_MAX_LINE + 1];
    write_origin(load, origin);
    size_t length = strcspn(line + 1, "]");
    const char *rest = line + 1 + length;
    if (*rest != ']')
        return status_fail(STATUS_INVALID, "%s: a section's name must end with ']'", origin);
    snprintf(section, sizeof section, "%.*s", (int)length, line + 1);
    rest++;
    rest += strspn(rest, " \t\r");
    if (*rest && *rest != ';' && *rest != '#')
        return status_fail(STATUS_INVALID, "%s: put '%s' after [%s] on a line of its own", origin, rest, section);
    return section_exists(load->recipe, section) ? STATUS_OK : fail_section(load->recipe, origin, section);
}

/* Gives inih the next line, as fgets would: with its newline, NULL at the end or after a failure. */
static char *read_line(char *out, int capacity, void *stream)
{
    struct load *load = stream;
    if (load->status || *load->cursor == '\0')
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
        if (status) {
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
    if (status)
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
    size_t i = find_row(load->recipe, section, name);
    if (i == SIZE_MAX)
        return fail_unknown(load->recipe, origin, section, name);
    return put_value(load->recipe, i, value, load->source, origin);
}

static int handle_assignment(void *user, const char *section, const char *name, const char *value)
{
    struct load *load = user;
    if (load->status)
        return 0;
    enum status status = take_assignment(load, section, name, value ? value : "");
    if (status)
        load_failed(load, status);
    return !status;
}

static enum status load_lines(struct load *load, const char *text)
{
    load->cursor = text + (strncmp(text, "\xef\xbb\xbf", 3) == 0 ? 3 : 0); /* a byte order mark */
    load->source = load->recipe->next_source++;
    int result = ini_parse_stream(read_line, load, handle_assignment, load);
    if (result < 0)
        return status_fail(STATUS_NO_MEMORY, "%s: no memory to read it", load->name);
    /* inih continues after a line it cannot read, so a later failure may have been noted: the earlier one counts. */
    if (result > 0 && (!load->status || result < load->failed_line))
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
    /* The file that the user names may be a pipe; what a file names may not. */
    enum status status = parent ? file_read_text(path, &text) : file_read_text_or_pipe(path, &text);
    if (status)
        return status;
    char *real_path = realpath(path, NULL);
    struct load load = {.recipe = recipe, .name = path, .parent = parent, .depth = parent ? parent->depth + 1 : 0};
    load.real_path = real_path ? real_path : path;
    status = check_loop(path, load.real_path, parent);
    if (!status)
        status = load_lines(&load, text);
    free(real_path);
    free(text);
    return status;
}

enum status recipe_load(struct recipe *recipe, const char *path)
{
    return load_file(recipe, path, NULL);
}

enum status recipe_open(struct recipe **out, const struct setting_table *table, const char *path)
{
    enum status status = recipe_create(out, table);
    if (!status)
        status = recipe_load(*out, path);
    if (status) {
        recipe_free(*out);
        *out = NULL;
    }
    return status;
}

enum status recipe_load_text(struct recipe *recipe, const char *name, const char *text)
{
    struct load load = {.recipe = recipe, .name = name};
    return load_lines(&load, text);
}

enum status recipe_set_text(struct recipe *recipe, const char *section, const char *name, const char *text,
                            const char *origin)
{
    size_t i = find_row(recipe, section, name);
    if (i == SIZE_MAX)
        return fail_unknown(recipe, origin, section, name);
    return put_value(recipe, i, text, SOURCE_SET, origin);
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
        status = recipe_set_text(recipe, plain_text_trim(copy), plain_text_trim(dot + 1), plain_text_trim(equals + 1),
                                 origin);
    }
    free(copy);
    return status;
}

void recipe_get(const struct recipe *recipe, void *settings)
{
    for (size_t i = 0; i < recipe->n_rows; i++) {
        const struct setting *row = &recipe->rows[i];
        const struct list *list = &recipe->lists[i];
        if (row->field.kind == SETTING_LIST)
            *(struct setting_list *)((char *)settings + row->field.offset) =
                (struct setting_list){.n = list->n, .items = (const char *const *)list->texts};
        else
            setting_store(row, list->texts[0], settings);
    }
}

enum status recipe_put(struct recipe *recipe, const void *settings)
{
    enum status status = STATUS_OK;
    for (size_t i = 0; i < recipe->n_rows && !status; i++) {
        char text[SETTING_TEXT_BYTES];
        if (recipe->rows[i].field.kind != SETTING_LIST)
            status = put_value(recipe, i, setting_format(&recipe->rows[i], settings, text), SOURCE_SET, "settings");
    }
    return status;
}

static const struct list *list_of(const struct recipe *recipe, const char *section, const char *name)
{
    size_t i = find_row(recipe, section, name);
    assert(i < recipe->n_rows);
    return &recipe->lists[i];
}

const char *recipe_text(const struct recipe *recipe, const char *section, const char *name)
{
    const struct list *list = list_of(recipe, section, name);
    assert(list->n > 0);
    return list->texts[0];
}

const char *recipe_origin(const struct recipe *recipe, const char *section, const char *name)
{
    return list_of(recipe, section, name)->origin;
}

enum status recipe_context(enum status status, const struct recipe *recipe, const char *section, const char *name)
{
    if (status)
        status_context(status, "%s: %s.%s", recipe_origin(recipe, section, name), section, name);
    return status;
}

/* ---- comparing ---- */

static bool same_lists(const struct setting *row, const struct list *a, const struct list *b)
{
    bool same = a->n == b->n;
    for (size_t i = 0; i < a->n && same; i++)
        same = setting_same(row, a->texts[i], b->texts[i]);
    return same;
}

static bool is_about(const struct setting *row, unsigned kind)
{
    return row->about == 0 || kind == 0 || (row->about & kind) != 0;
}

const struct setting *recipe_find_foreign(const struct recipe *recipe, unsigned kind)
{
    for (size_t i = 0; i < recipe->n_rows; i++) {
        const struct setting *row = &recipe->rows[i];
        char *text = (char *)(row->fallback ? row->fallback : "");
        struct list standard = {.texts = &text, .n = row->fallback || row->field.kind != SETTING_LIST};
        if (!is_about(row, kind) && !same_lists(row, &recipe->lists[i], &standard))
            return row;
    }
    return NULL;
}

/* A value for a message; a list of several is only counted. */
static const char *show(const struct list *list, char out[SHOWN_BYTES])
{
    if (list->n == 1)
        snprintf(out, SHOWN_BYTES, "%s", list->texts[0]);
    else
        snprintf(out, SHOWN_BYTES, "%zu lines", list->n);
    return out;
}

bool recipe_list_differences(const struct recipe *old, const struct recipe *now, unsigned may_change, char *list,
                             size_t bytes)
{
    assert(old->rows == now->rows);
    *list = '\0';
    for (size_t i = 0; i < now->n_rows; i++) {
        const struct setting *row = &now->rows[i];
        char was[SHOWN_BYTES], is[SHOWN_BYTES];
        if ((row->may_change & may_change) || same_lists(row, &old->lists[i], &now->lists[i]))
            continue;
        size_t used = strlen(list);
        snprintf(list + used, bytes - used, "%s%s.%s was '%s' and is '%s'", used ? "; " : "", row->section, row->name,
                 show(&old->lists[i], was), show(&now->lists[i], is));
    }
    return *list != '\0';
}

/* ---- writing ---- */

static void write_row(const struct recipe *recipe, size_t i, FILE *stream)
{
    const struct list *list = &recipe->lists[i];
    if (list->n == 0)
        fprintf(stream, "%s =\n", recipe->rows[i].name); /* says that the list is empty, whatever its default */
    for (size_t k = 0; k < list->n; k++)
        fprintf(stream, "%s =%s%s\n", recipe->rows[i].name, *list->texts[k] ? " " : "", list->texts[k]);
}

/* Whether the section of row i has an earlier row, or none that is about that kind. */
static bool section_is_done(const struct recipe *recipe, size_t i, unsigned kind)
{
    for (size_t k = 0; k < i; k++)
        if (strcmp(recipe->rows[k].section, recipe->rows[i].section) == 0)
            return true;
    for (size_t k = i; k < recipe->n_rows; k++)
        if (strcmp(recipe->rows[k].section, recipe->rows[i].section) == 0 && is_about(&recipe->rows[k], kind))
            return false;
    return true;
}

enum status recipe_write(const struct recipe *recipe, unsigned kind, char **text)
{
    char *written = NULL;
    size_t bytes = 0;
    *text = NULL;
    FILE *stream = open_memstream(&written, &bytes);
    if (!stream)
        return status_fail_errno(STATUS_NO_MEMORY, "cannot write the recipe");
    for (size_t i = 0; i < recipe->n_rows; i++) {
        const char *section = recipe->rows[i].section;
        if (section_is_done(recipe, i, kind))
            continue;
        fprintf(stream, "%s[%s]\n", ftell(stream) > 0 ? "\n" : "", section);
        for (size_t k = i; k < recipe->n_rows; k++) {
            if (strcmp(recipe->rows[k].section, section) == 0 && is_about(&recipe->rows[k], kind))
                write_row(recipe, k, stream);
        }
    }
    bool failed = ferror(stream) != 0;
    if (fclose(stream) != 0 || failed || !written) { /* glibc: the last reallocation may fail in silence */
        free(written);
        return status_fail(STATUS_NO_MEMORY, "cannot write the recipe: no memory");
    }
    *text = written;
    return STATUS_OK;
}

enum status recipe_save(const struct recipe *recipe, const char *path)
{
    char *text;
    enum status status = recipe_write(recipe, 0, &text);
    if (!status)
        status = file_write_text(path, text);
    free(text);
    return status;
}
