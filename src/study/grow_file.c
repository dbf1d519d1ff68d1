#include "study/grow_file.h"

#include "base/file.h"
#include "base/memory.h"
#include "base/parse.h"
#include "base/recipe_compare.h"
#include "study/grow.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { LINE_BYTES = 256, LIST_BYTES = 1024, OWN_FIELDS = 3 };

static const char header[] = "step,round,tuple," TRIAL_COLUMNS "\n";

static const struct recipe_key schema[] = {
    {"grow", "rows", RECIPE_INTEGER, "4", false, 1, BOARD_MAX_SIDE, "rows of the board"},
    {"grow", "cols", RECIPE_INTEGER, "4", false, 1, BOARD_MAX_SIDE, "columns of the board"},
    {"grow", "cells", RECIPE_INTEGER, "6", false, 1, TUPLE_MAX_CELLS, "cells of a tuple"},
    {"grow", "connected", RECIPE_FLAG, "yes", false, 0, 0, "only tuples whose cells hang together"},
    {"grow", "tuples", RECIPE_INTEGER, "4", false, 1, SHAPE_MAX_TUPLES, "tuples of the network that is wanted"},
    {"grow", "games", RECIPE_INTEGER, "1000", false, 1, 1e12,
     "games of a trial in the first round; each round doubles"},
    {"grow", "last", RECIPE_REAL, "10", false, 1e-6, 100, "percent of the games, the last ones, that count"},
    {"grow", "values", RECIPE_INTEGER, "0", false, 0, ENCODING_VALUES,
     "values a cell can have; 0: all of the board, at most 16"},
    {"grow", "rate", RECIPE_REAL, "0.0009765625", false, 1e-9, 1, "what one weight takes of an error"},
    {"grow", "seed", RECIPE_INTEGER, "1", false, 0, 9e18, "of the games"},
    {"grow", "start", RECIPE_TEXT, NULL, true, 0, 0, "a tuple that is chosen beforehand; repeats"},
};

enum { N_KEYS = sizeof schema / sizeof *schema };

const struct recipe_key *grow_schema(size_t *n_keys)
{
    *n_keys = N_KEYS;
    return schema;
}

static uint64_t count(const struct recipe *recipe, const char *name)
{
    return (uint64_t)recipe_integer(recipe, "grow", name);
}

static enum status read_start(struct shape *start, const struct recipe *recipe, const struct grid *grid)
{
    enum status status = STATUS_OK;
    for (size_t i = 0; i < recipe_count(recipe, "grow", "start") && !status; i++)
        status = shape_add_tuple(start, grid, recipe_text_at(recipe, "grow", "start", i));
    return status ? status_context(status, "start") : STATUS_OK;
}

enum status grow_settings_resolve(struct grow_settings *settings, const struct recipe *recipe)
{
    struct grid grid;
    struct tuple_list list = {0};
    *settings = (struct grow_settings){
        .rows = (uint8_t)count(recipe, "rows"),
        .cols = (uint8_t)count(recipe, "cols"),
        .cells = (unsigned)count(recipe, "cells"),
        .connected = recipe_flag(recipe, "grow", "connected"),
        .n_tuples = (unsigned)count(recipe, "tuples"),
        .games = count(recipe, "games"),
        .last_percent = recipe_real(recipe, "grow", "last"),
        .n_values = (unsigned)count(recipe, "values"),
        .rate = recipe_real(recipe, "grow", "rate"),
        .seed = count(recipe, "seed"),
    };
    if (settings->n_values == 1)
        return status_fail(STATUS_INVALID, "a cell of 1 value tells nothing; expected 0 or 2 to %d", ENCODING_VALUES);
    enum status status = grid_create(&grid, settings->rows, settings->cols);
    if (status)
        return status;
    status = tuple_list_create(&list, &grid, settings->cells, settings->connected);
    if (!status)
        status = read_start(&settings->start, recipe, &grid);
    if (!status && settings->n_tuples > list.n_tuples)
        status = status_fail(STATUS_INVALID, "%u tuples of %zu that there are: at most all of them", settings->n_tuples,
                             list.n_tuples);
    tuple_list_free(&list);
    grid_free(&grid);
    return status;
}

static enum status check_same(const struct recipe *recipe, const char *path)
{
    static const char *const may_differ[] = {"tuples", NULL};
    char list[LIST_BYTES];
    struct recipe *old;
    enum status status = recipe_create(&old, schema, N_KEYS);
    if (status)
        return status;
    status = recipe_load(old, path);
    if (!status && recipe_list_differences(old, recipe, schema, N_KEYS, may_differ, list, sizeof list))
        status = status_fail(STATUS_INVALID, "%s is of another job: %s (only tuples may change)", path, list);
    recipe_free(old);
    return status;
}

enum status grow_write_settings(const struct recipe *recipe, const char *directory)
{
    char *path = training_run_path(directory, "grow.ini"), *text = NULL;
    if (!path)
        return STATUS_NO_MEMORY;
    enum status status = access(path, F_OK) == 0 ? check_same(recipe, path) : STATUS_OK;
    if (!status)
        status = recipe_write(recipe, &text);
    if (!status)
        status = file_write_text(path, text);
    free(text);
    free(path);
    return status;
}

/* ---- trials.csv ---------------------------------------------------------------------------------------------------
 */

static int compare_trials(const void *a, const void *b)
{
    const struct grow_trial *x = a, *y = b;
    if (x->step != y->step)
        return x->step < y->step ? -1 : 1;
    if (x->round != y->round)
        return x->round < y->round ? -1 : 1;
    return x->tuple < y->tuple ? -1 : x->tuple > y->tuple;
}

enum status grow_trials_add(struct grow_trials *trials, const struct grow_trial *trial)
{
    if (trials->n == trials->room) {
        size_t room = trials->room ? 2 * trials->room : 64;
        struct grow_trial *items = memory_resize(trials->items, room, sizeof *items);
        if (!items)
            return STATUS_NO_MEMORY;
        trials->items = items;
        trials->room = room;
    }
    trials->items[trials->n++] = *trial;
    return STATUS_OK;
}

const struct grow_trial *grow_trials_find(const struct grow_trials *trials, const struct grow_trial *key)
{
    for (size_t i = 0; i < trials->n; i++)
        if (compare_trials(&trials->items[i], key) == 0)
            return &trials->items[i];
    return NULL;
}

void grow_trials_free(struct grow_trials *trials)
{
    free(trials->items);
    *trials = (struct grow_trials){0};
}

enum status grow_trials_write(struct grow_trials *trials, const char *directory)
{
    char *text = memory_allocate(trials->n + 1, LINE_BYTES), *path = training_run_path(directory, "trials.csv");
    enum status status = text && path ? STATUS_OK : STATUS_NO_MEMORY;
    if (!status) {
        if (trials->n > 0)
            qsort(trials->items, trials->n, sizeof *trials->items, compare_trials);
        char *to = text + sprintf(text, "%s", header);
        for (size_t i = 0; i < trials->n; i++) {
            const struct grow_trial *trial = &trials->items[i];
            char columns[TRIAL_COLUMNS_BYTES];
            to += snprintf(to, LINE_BYTES, "%u,%u,%u,%s\n", trial->step, trial->round, trial->tuple,
                           trial_write_columns(&trial->result, columns));
        }
        status = file_write_text(path, text);
    }
    free(text);
    free(path);
    return status;
}

static enum status read_line(void *context, char *line)
{
    struct grow_trials *trials = context;
    char *fields[OWN_FIELDS + TRIAL_N_COLUMNS];
    uint64_t step, round, tuple;
    struct grow_trial trial = {0};
    if (!parse_split(line, ',', fields, OWN_FIELDS + TRIAL_N_COLUMNS) || !parse_unsigned(fields[0], &step) ||
        !parse_unsigned(fields[1], &round) || !parse_unsigned(fields[2], &tuple) || step > UINT16_MAX ||
        round > UINT16_MAX || tuple > UINT16_MAX || !trial_read_columns(fields + OWN_FIELDS, &trial.result))
        return status_fail(STATUS_CORRUPT, "expected step,round,tuple," TRIAL_COLUMNS);
    trial.step = (unsigned)step;
    trial.round = (unsigned)round;
    trial.tuple = (unsigned)tuple;
    return grow_trials_add(trials, &trial);
}

enum status grow_trials_read(struct grow_trials *trials, const char *directory)
{
    char *path = training_run_path(directory, "trials.csv");
    if (!path)
        return STATUS_NO_MEMORY;
    enum status status = trial_read_lines(path, header, read_line, trials);
    free(path);
    return status;
}
