/* run_list: the run directories of trainings, for /api/runs: read anew with each request, since trainings continue. */
#include "web/run_list.h"

#include "base/file.h"
#include "base/json.h"
#include "base/memory.h"
#include "study/log_table.h"
#include "web/page.h"

#include <dirent.h>
#include <ini.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_KEYS = 256, WORD_BYTES = 64, VALUE_BYTES = 256 };

/* The text of FOLDER/run/file, which the caller frees; links are not followed out of the folder. */
static enum status read_text(const char *folder, const char *run, const char *file, char **text)
{
    char name[NAME_MAX + 64];
    size_t bytes;
    snprintf(name, sizeof name, "%s/%s", run, file);
    enum status status = file_read_below(folder, name, FILE_TEXT_MAX_BYTES, text, &bytes);
    if (status || strlen(*text) == bytes)
        return status;
    free(*text);
    *text = NULL;
    return status_fail(STATUS_CORRUPT, "%s: not a text", name);
}

/* Its column names are cleaned, since they go into JSON. STATUS_IO where there is no such run. */
static enum status log_open(struct log_table *log, const char *folder, const char *run)
{
    char *text;
    *log = (struct log_table){0};
    enum status status = read_text(folder, run, "log.csv", &text);
    if (!status)
        status = log_table_parse(log, text, run);
    for (size_t c = 0; c < log->n_columns; c++)
        web_clean_text(log->names[c]);
    return status;
}

/* The last row by column; null if there is none. */
static void add_last_row(struct json *json, const struct log_table *log)
{
    if (log->n_rows == 0) {
        json_add_null(json, "last");
        return;
    }
    json_open_object(json, "last");
    for (size_t c = 0; c < log->n_columns; c++)
        json_add_real(json, log->names[c], log->numbers[(c + 1) * log->n_rows - 1]);
    json_close(json);
}

/* Rows from .. from + n - 1 as lists by column. */
static void add_rows(struct json *json, const struct log_table *log, size_t from, size_t n)
{
    json_open_object(json, "columns");
    for (size_t c = 0; c < log->n_columns; c++) {
        json_open_array(json, log->names[c]);
        for (size_t i = from; i < from + n; i++)
            json_add_real(json, NULL, log->numbers[c * log->n_rows + i]);
        json_close(json);
    }
    json_close(json);
}

struct recipe_line {
    char section[WORD_BYTES], name[WORD_BYTES], value[VALUE_BYTES];
};

struct recipe_view {
    struct recipe_line *lines; /* room for MAX_KEYS */
    size_t n_lines;
};

static void copy_word(char *out, size_t bytes, const char *text)
{
    snprintf(out, bytes, "%s", text);
    web_clean_text(out);
}

static int note_line(void *context, const char *section, const char *name, const char *value)
{
    struct recipe_view *recipe = context;
    if (recipe->n_lines == MAX_KEYS)
        return 0;
    struct recipe_line *line = &recipe->lines[recipe->n_lines++];
    copy_word(line->section, sizeof line->section, section);
    copy_word(line->name, sizeof line->name, name);
    copy_word(line->value, sizeof line->value, value);
    return 1;
}

/* What of the file can be read: an unreadable recipe hides no curve. */
static enum status recipe_open(struct recipe_view *recipe, const char *folder, const char *run)
{
    char *text;
    recipe->n_lines = 0;
    recipe->lines = memory_allocate(MAX_KEYS, sizeof *recipe->lines);
    if (!recipe->lines)
        return STATUS_NO_MEMORY;
    if (read_text(folder, run, "recipe.ini", &text))
        return STATUS_OK;
    ini_parse_string(text, note_line, recipe);
    free(text);
    return STATUS_OK;
}

static const char *value_in(const struct recipe_view *recipe, const char *section, const char *name)
{
    for (size_t i = 0; i < recipe->n_lines; i++)
        if (strcmp(recipe->lines[i].section, section) == 0 && strcmp(recipe->lines[i].name, name) == 0)
            return recipe->lines[i].value;
    return NULL;
}

static void add_recipe_summary(struct json *json, const struct recipe_view *recipe)
{
    const char *rows = value_in(recipe, "board", "rows"), *cols = value_in(recipe, "board", "cols");
    const char *model = value_in(recipe, "neural", "model"), *optimiser = value_in(recipe, "neural", "optimiser");
    bool neural = model && *model;
    char size[2 * VALUE_BYTES];
    snprintf(size, sizeof size, "%sx%s", rows ? rows : "", cols ? cols : "");
    json_open_object(json, "recipe");
    json_add_text(json, "board", rows && cols ? size : NULL);
    json_add_text(json, "network", neural ? model : value_in(recipe, "network", "shape"));
    json_add_text(json, "rule",
                  !neural     ? value_in(recipe, "learn", "rule")
                  : optimiser ? optimiser
                              : "adam" /* of before there was a choice */);
    json_add_text(json, "actions", value_in(recipe, "train", "actions"));
    json_close(json);
}

static bool same_key(const struct recipe_line *a, const struct recipe_line *b)
{
    return strcmp(a->section, b->section) == 0 && strcmp(a->name, b->name) == 0;
}

/* One key with all its lines: a text, or a list where there are several. Nothing if an earlier line has done so. */
static void add_key(struct json *json, const struct recipe_view *recipe, size_t first)
{
    const struct recipe_line *line = &recipe->lines[first];
    size_t n = 0;
    for (size_t i = 0; i < recipe->n_lines; i++) {
        n += same_key(&recipe->lines[i], line);
        if (n && i < first)
            return;
    }
    if (n == 1) {
        json_add_text(json, line->name, line->value);
        return;
    }
    json_open_array(json, line->name);
    for (size_t i = first; i < recipe->n_lines; i++)
        if (same_key(&recipe->lines[i], line))
            json_add_text(json, NULL, recipe->lines[i].value);
    json_close(json);
}

static void add_whole_recipe(struct json *json, const struct recipe_view *recipe)
{
    json_open_object(json, "recipe");
    for (size_t s = 0; s < recipe->n_lines; s++) {
        const char *section = recipe->lines[s].section;
        bool earlier = false;
        for (size_t i = 0; i < s; i++)
            earlier |= strcmp(recipe->lines[i].section, section) == 0;
        if (earlier)
            continue;
        json_open_object(json, section);
        for (size_t i = s; i < recipe->n_lines; i++)
            if (strcmp(recipe->lines[i].section, section) == 0)
                add_key(json, recipe, i);
        json_close(json);
    }
    json_close(json);
}

static int is_run(const struct dirent *entry)
{
    return page_is_safe_name(entry->d_name);
}

static enum status add_run(struct json *json, const char *folder, const char *name, size_t *n)
{
    struct log_table log;
    struct recipe_view recipe;
    if (*n == RUN_LIST_MAX_RUNS)
        return STATUS_OK;
    enum status status = log_open(&log, folder, name);
    if (!status)
        status = recipe_open(&recipe, folder, name);
    if (!status) {
        json_open_object(json, NULL);
        json_add_text(json, "name", name);
        add_recipe_summary(json, &recipe);
        json_add_unsigned(json, "rows", log.n_rows);
        add_last_row(json, &log);
        json_close(json);
        free(recipe.lines);
        ++*n;
    }
    log_table_free(&log);
    return status == STATUS_NO_MEMORY ? status : STATUS_OK; /* one that went away or is damaged is not there */
}

enum http_code run_list_all(const char *folder, char **text)
{
    struct dirent **entries = NULL;
    size_t n = 0;
    enum status status = STATUS_OK;
    if (!folder)
        return web_fail(HTTP_NOT_FOUND, "there are no runs: the server was started without --runs");
    int n_entries = scandir(folder, &entries, is_run, alphasort);
    if (n_entries < 0)
        return web_code_of(status_fail_errno(STATUS_IO, "cannot read the folder of the runs"));
    struct json json;
    json_begin(&json);
    json_add_unsigned(&json, "version", 1);
    json_open_array(&json, "runs");
    for (int i = 0; i < n_entries; i++) {
        if (!status)
            status = add_run(&json, folder, entries[i]->d_name, &n);
        free(entries[i]);
    }
    free(entries);
    json_close(&json);
    json_add_unsigned(&json, "count", n);
    if (status)
        json_free(&json);
    else
        status = json_print_compact(&json, text);
    return web_code_of(status);
}

static enum status print_run(const char *folder, const char *name, const struct log_table *log, uint64_t from,
                             char **text)
{
    struct json json;
    struct recipe_view recipe = {0};
    size_t first = from < log->n_rows ? (size_t)from : log->n_rows;
    size_t n = log->n_rows - first < RUN_LIST_MAX_ROWS ? log->n_rows - first : RUN_LIST_MAX_ROWS;
    json_begin(&json);
    json_add_unsigned(&json, "version", 1);
    json_add_text(&json, "name", name);
    json_add_unsigned(&json, "from", first);
    json_add_unsigned(&json, "rows", log->n_rows);
    add_rows(&json, log, first, n);
    enum status status = STATUS_OK;
    if (from == 0) {
        status = recipe_open(&recipe, folder, name);
        if (!status)
            add_whole_recipe(&json, &recipe);
        free(recipe.lines);
    } else {
        json_add_null(&json, "recipe");
    }
    if (!status)
        return json_print_compact(&json, text);
    json_free(&json);
    return status;
}

enum http_code run_list_one(const char *folder, const char *name, uint64_t from, char **text)
{
    struct log_table log;
    enum status status = folder && page_is_safe_name(name) ? log_open(&log, folder, name) : STATUS_IO;
    if (status == STATUS_IO)
        return web_fail(HTTP_NOT_FOUND, "there is no run '%.80s'", name);
    if (!status)
        status = print_run(folder, name, &log, from, text);
    log_table_free(&log);
    return web_code_of(status);
}
