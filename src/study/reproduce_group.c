/* reproduce_group: reads an experiment of a paper: its rows, its measures, the published figures. */
#include "study/reproduce_group.h"

#include "base/file.h"
#include "base/memory.h"
#include "base/number_text.h"
#include "base/parse.h"
#include "base/recipe.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *const kind_names[] = {"train", "search", "solve", NULL};
static const char *const solve_measures[] = {"states", "afterstates", "terminal", "score"};

#define IN(member) SETTING_FIELD(struct group, member)
static const struct setting settings[] = {
    {"group", "title", NULL, IN(title), "what it is, with the paper"},
    {"group", "kind", "train", IN(kind), "train, search or solve", .choices = kind_names},
    {"group", "budget", NULL, IN(budget_text), "the paper's own budget, for people"},
    {"group", "spread", NULL, IN(spread), "what the +- of the published figures is, for people"},
    {"group", "recipes", "../recipes", IN(recipes_text), "the folder of the recipes, from this file's"},
    {"group", "seeds", "1", IN(n_seeds), "runs of each row", SETTING_LIMITS(1, 100)},
    {"group", "side_by_side", "no", IN(side_by_side), "runs are small: one thread each, several at a time"},
    {"group", "curve_games", "200", IN(curve_games), "games of each point of a learning curve", SETTING_LIMITS(1, 1e6)},
    {"group", "curve_games3", "0", IN(curve_games3), "games of each point of a learning curve at 3 plies; 0: none",
     SETTING_LIMITS(0, 1e6)},
    {"group", "measure", NULL, IN(measure_texts), "what is measured of each row"},
    {"group", "row", NULL, IN(row_texts), "label | what | published figure of each measure"},
};
static const struct setting_table group_table = SETTING_TABLE(settings);

/* What may follow the games: ", prune 0.003, margin 300, downgrade 0, seed 7". */
static bool parse_limits(struct measure *measure, const char *text)
{
    char name[16];
    double number;
    int end;
    while (*text) {
        end = 0;
        if (sscanf(text, ", %15[a-z] %lf%n", name, &number, &end) != 2 || end == 0 || !(number >= 0))
            return false;
        text += end;
        uint64_t whole = number < 1e18 ? (uint64_t)number : 0;
        if (strcmp(name, "prune") == 0 && number <= 1)
            measure->prune = number;
        else if (strcmp(name, "margin") == 0)
            measure->margin = number;
        else if (strcmp(name, "downgrade") == 0 && (whole & (whole - 1)) == 0 && whole <= 131072)
            measure->downgrade = whole ? __builtin_ctzll(whole) : 0;
        else if (strcmp(name, "seed") == 0)
            measure->seed = whole;
        else
            return false;
    }
    return true;
}

char *measure_label(const struct measure *measure, uint64_t n_games, char out[MEASURE_LABEL_BYTES])
{
    const char *end = strstr(measure->text, " games"), *digits = end;
    while (digits && digits > measure->text && isdigit((unsigned char)digits[-1]))
        digits--;
    if (!digits || n_games == 0)
        snprintf(out, MEASURE_LABEL_BYTES, "%s", measure->text);
    else
        snprintf(out, MEASURE_LABEL_BYTES, "%.*s%s game%s%s", (int)(digits - measure->text), measure->text,
                 TEXT_OF_COUNT(n_games), n_games == 1 ? "" : "s", end + strlen(" games"));
    return out;
}

bool measure_parse(struct measure *measure, const char *text)
{
    static const struct {
        const char *text;
        enum measure_kind kind;
    } words[] = {{"maximum at ", MEASURE_MAX}, {"microseconds at ", MEASURE_TIME}};
    unsigned long long tile = 0, n_games = 0;
    int end = 0;
    *measure = (struct measure){.text = text, .downgrade = MEASURE_OWN, .seed = MEASURE_SEED};
    if (strcmp(text, "exact") == 0) {
        measure->kind = MEASURE_EXACT;
        return true;
    }
    for (unsigned i = 0; i < sizeof solve_measures / sizeof *solve_measures; i++)
        if (strcmp(text, solve_measures[i]) == 0) {
            measure->kind = MEASURE_SOLVE;
            return true;
        }
    for (unsigned i = 0; i < sizeof words / sizeof *words; i++) {
        size_t length = strlen(words[i].text);
        if (strncmp(text, words[i].text, length) == 0) {
            measure->kind = words[i].kind;
            text += length;
        }
    }
    if (measure->kind == MEASURE_SCORE && sscanf(text, "%llu at %n", &tile, &end) == 1 && end > 0) {
        if (tile < 2 || tile > 131072 || (tile & (tile - 1)) != 0)
            return false;
        measure->kind = MEASURE_TILE;
        measure->tile = (unsigned)__builtin_ctzll(tile);
        text += end;
    }
    end = 0;
    if (sscanf(text, "%u-ply, %llu games%n", &measure->depth, &n_games, &end) == 2 && end > 0) {
        measure->n_games = n_games;
        return measure->depth >= 1 && measure->depth <= 8 && n_games > 0 && parse_limits(measure, text + end);
    }
    measure->depth = 0;
    end = 0;
    if (sscanf(text, "%lf ms, %llu games%n", &measure->milliseconds, &n_games, &end) == 2 && end > 0) {
        measure->n_games = n_games;
        return measure->milliseconds > 0 && n_games > 0 && parse_limits(measure, text + end);
    }
    return false;
}

static char *trim(char *text)
{
    while (*text == ' ' || *text == '\t')
        text++;
    size_t n = strlen(text);
    while (n > 0 && (text[n - 1] == ' ' || text[n - 1] == '\t'))
        text[--n] = '\0';
    return text;
}

static void make_slug(char slug[64], const char *label)
{
    size_t n = 0;
    for (; *label && n < 63; label++) {
        if (isalnum((unsigned char)*label) || *label == '.')
            slug[n++] = (char)tolower((unsigned char)*label);
        else if (n > 0 && slug[n - 1] != '-')
            slug[n++] = '-';
    }
    while (n > 0 && slug[n - 1] == '-')
        n--;
    slug[n] = '\0';
}

static enum status fail_row(const struct group *group, const char *line, const char *what)
{
    return status_fail(STATUS_INVALID, "%s: row '%s': %s", recipe_origin(group->file, "group", "row"), line, what);
}

/* Cuts lines[i] into the fields of rows[i]. */
static enum status read_row(struct group *group, size_t i)
{
    const char *line = group->row_texts.items[i];
    char *fields[2 + GROUP_MAX_MEASURES];
    struct group_row *row = &group->rows[i];
    group->lines[i] = memory_copy_text(line);
    if (!group->lines[i])
        return STATUS_NO_MEMORY;
    if (!parse_split(group->lines[i], '|', fields, 2 + group->n_measures))
        return fail_row(group, line, "expected label | what | a published figure (or nothing) for each measure");
    row->label = trim(fields[0]);
    row->about = trim(fields[1]);
    make_slug(row->slug, row->label);
    for (size_t m = 0; m < group->n_measures; m++)
        row->published[m] = trim(fields[2 + m]);
    if (row->slug[0] == '\0' || row->about[0] == '\0')
        return fail_row(group, line, "its label or what it is about is missing");
    for (size_t k = 0; k < i; k++)
        if (strcmp(group->rows[k].slug, row->slug) == 0)
            return fail_row(group, line, "a label that another row has, or nearly so");
    if (group->kind == GROUP_SEARCH && (!measure_parse(&row->search, row->about) || row->search.kind != MEASURE_SCORE))
        return fail_row(group, line, "expected a search such as '3-ply, 1000 games' or '50 ms, 300 games'");
    return STATUS_OK;
}

static enum status read_measures(struct group *group)
{
    size_t n = group->measure_texts.n;
    if (n < 1 || n > GROUP_MAX_MEASURES)
        return status_fail(STATUS_INVALID, "%s: %zu measures, expected 1 to %d",
                           recipe_origin(group->file, "group", "measure"), n, GROUP_MAX_MEASURES);
    for (size_t i = 0; i < n; i++) {
        const char *text = group->measure_texts.items[i];
        struct measure *measure = &group->measures[i];
        /* "score" is a figure of a solved board, and the one measure of a search. */
        bool fits = measure_parse(measure, text) && (measure->kind == MEASURE_SOLVE) == (group->kind != GROUP_TRAIN) &&
                    (group->kind != GROUP_SEARCH || (n == 1 && strcmp(text, "score") == 0));
        if (!fits)
            return status_fail(STATUS_INVALID, "%s: measure '%s' is none of a group of kind %s",
                               recipe_origin(group->file, "group", "measure"), text, kind_names[group->kind]);
    }
    group->n_measures = n;
    return STATUS_OK;
}

static enum status read_group(struct group *group)
{
    group->n_rows = group->row_texts.n;
    enum status status = read_measures(group);
    if (status)
        return status;
    if (group->n_rows < 1 || group->n_rows > GROUP_MAX_ROWS)
        return status_fail(STATUS_INVALID, "%s: %zu rows, expected 1 to %d", recipe_origin(group->file, "group", "row"),
                           group->n_rows, GROUP_MAX_ROWS);
    group->rows = memory_allocate(group->n_rows, sizeof *group->rows);
    group->lines = memory_allocate(group->n_rows, sizeof *group->lines);
    if (!group->rows || !group->lines)
        return STATUS_NO_MEMORY;
    for (size_t i = 0; i < group->n_rows && !status; i++)
        status = read_row(group, i);
    return status;
}

/* "a/b/name.ini" gives name and "a/b/" + recipes, or recipes alone if that is an absolute path. */
static enum status set_places(struct group *group, const char *path)
{
    const char *slash = strrchr(path, '/'), *base = slash ? slash + 1 : path;
    int folder = *group->recipes_text == '/' ? 0 : (int)(base - path);
    size_t bytes = (size_t)folder + strlen(group->recipes_text) + 1, length = strlen(base);
    group->name = memory_copy_text(base);
    group->recipes = memory_allocate(bytes, 1);
    if (!group->name || !group->recipes)
        return STATUS_NO_MEMORY;
    if (length > 4 && strcmp(base + length - 4, ".ini") == 0)
        group->name[length - 4] = '\0';
    snprintf(group->recipes, bytes, "%.*s%s", folder, path, group->recipes_text);
    return STATUS_OK;
}

enum status group_load(struct group **out, const char *path)
{
    *out = NULL;
    struct group *group = memory_allocate(1, sizeof *group);
    if (!group)
        return STATUS_NO_MEMORY;
    enum status status = recipe_open(&group->file, &group_table, path);
    if (status)
        goto done;
    recipe_get(group->file, group);
    status = set_places(group, path);
    if (status)
        goto done;
    status = read_group(group);
done:
    if (status) {
        group_free(group);
        return status;
    }
    *out = group;
    return STATUS_OK;
}

void group_free(struct group *group)
{
    if (!group)
        return;
    for (size_t i = 0; group->lines && i < group->n_rows; i++)
        free(group->lines[i]);
    free(group->lines);
    free(group->rows);
    free(group->name);
    free(group->recipes);
    recipe_free(group->file);
    free(group);
}

char *group_recipe_path(const struct group *group, const struct group_row *row)
{
    return file_path(group->recipes, row->about);
}

bool group_is_complete(const struct group *group)
{
    bool complete = true;
    for (size_t i = 0; i < group->n_rows && group->kind == GROUP_TRAIN && complete; i++) {
        char *path = group_recipe_path(group, &group->rows[i]);
        complete = path && access(path, R_OK) == 0;
        free(path);
    }
    return complete;
}
