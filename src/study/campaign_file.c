/*
 * Both files are text: an INI that recipe.h reads and writes, and a CSV. The CSV is written whole each time, in order
 * of the experiments' numbers, so that a crash leaves the old or the new one and equal campaigns have equal files.
 */
#include "study/campaign_file.h"

#include "base/file.h"
#include "base/memory.h"
#include "base/parse.h"
#include "base/recipe_compare.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LINE_BYTES = 1024, OWN_FIELDS = 3 };

static const char header[] = "experiment,seed,tuples," TRIAL_COLUMNS "\n";

static const struct recipe_key schema[] = {
    {"campaign", "rows", RECIPE_INTEGER, "4", false, 1, BOARD_MAX_SIDE, "rows of the board"},
    {"campaign", "cols", RECIPE_INTEGER, "4", false, 1, BOARD_MAX_SIDE, "columns of the board"},
    {"campaign", "cells", RECIPE_INTEGER, "6", false, 1, TUPLE_MAX_CELLS, "cells of a tuple"},
    {"campaign", "connected", RECIPE_FLAG, "yes", false, 0, 0, "only tuples whose cells hang together"},
    {"campaign", "per_network", RECIPE_INTEGER, "10", false, 1, SHAPE_MAX_TUPLES, "tuples of a network"},
    {"campaign", "experiments", RECIPE_INTEGER, "0", false, 0, 1e5, "networks to train; 0: ten for each tuple"},
    {"campaign", "games", RECIPE_INTEGER, "1e6", false, 1, 1e12, "games each network learns from"},
    {"campaign", "last", RECIPE_REAL, "1", false, 1e-6, 100, "percent of the games, the last ones, that count"},
    {"campaign", "values", RECIPE_INTEGER, "0", false, 0, ENCODING_VALUES,
     "values a cell can have; 0: all of the board, at most 16"},
    {"campaign", "rate", RECIPE_REAL, "0.0009765625", false, 1e-9, 1, "what one weight takes of an error"},
    {"campaign", "seed", RECIPE_INTEGER, "1", false, 0, 9e18, "of the choices and of the games"},
    {"campaign", "shard", RECIPE_INTEGER, "1", false, 1, 1e6, "which part of the experiments is done here"},
    {"campaign", "shards", RECIPE_INTEGER, "1", false, 1, 1e6, "parts"},
    {"campaign", "budget", RECIPE_TEXT, "", false, 0, 0,
     "the time that the games were scaled to; empty: they were not"},
};

enum { N_KEYS = sizeof schema / sizeof *schema };

const struct recipe_key *campaign_schema(size_t *n_keys)
{
    *n_keys = N_KEYS;
    return schema;
}

static uint64_t count(const struct recipe *recipe, const char *name)
{
    return (uint64_t)recipe_integer(recipe, "campaign", name);
}

enum status campaign_settings_resolve(struct campaign_settings *settings, const struct recipe *recipe)
{
    *settings = (struct campaign_settings){
        .rows = (uint8_t)count(recipe, "rows"),
        .cols = (uint8_t)count(recipe, "cols"),
        .cells = (unsigned)count(recipe, "cells"),
        .connected = recipe_flag(recipe, "campaign", "connected"),
        .per_network = (unsigned)count(recipe, "per_network"),
        .n_experiments = count(recipe, "experiments"),
        .games = count(recipe, "games"),
        .last_percent = recipe_real(recipe, "campaign", "last"),
        .n_values = (unsigned)count(recipe, "values"),
        .rate = recipe_real(recipe, "campaign", "rate"),
        .seed = count(recipe, "seed"),
        .shard = (unsigned)count(recipe, "shard"),
        .n_shards = (unsigned)count(recipe, "shards"),
    };
    if (settings->shard > settings->n_shards)
        return status_fail(STATUS_INVALID, "shard %u of %u: there is no such shard", settings->shard,
                           settings->n_shards);
    if (settings->n_values == 1)
        return status_fail(STATUS_INVALID, "a cell of 1 value tells nothing; expected 0 or 2 to %d", ENCODING_VALUES);
    struct grid grid;
    struct tuple_list list;
    enum status status = grid_create(&grid, settings->rows, settings->cols);
    if (status)
        return status;
    status = tuple_list_create(&list, &grid, settings->cells, settings->connected);
    if (!status && settings->per_network > list.n_tuples)
        status = status_fail(STATUS_INVALID, "%u tuples a network of %zu that there are: at most all of them",
                             settings->per_network, list.n_tuples);
    if (settings->n_experiments == 0)
        settings->n_experiments = 10 * list.n_tuples;
    tuple_list_free(&list);
    grid_free(&grid);
    return status;
}

enum status campaign_check_same(const struct recipe *old, const struct recipe *now)
{
    static const char *const may_differ[] = {"experiments", "budget", NULL};
    char list[LINE_BYTES];
    if (recipe_list_differences(old, now, schema, N_KEYS, may_differ, list, sizeof list))
        return status_fail(STATUS_INVALID, "not the same campaign: %s (only experiments may change)", list);
    return STATUS_OK;
}

static enum status set_number(struct recipe *recipe, const char *name, double number)
{
    char text[LINE_BYTES];
    snprintf(text, sizeof text, "campaign.%s=%.17g", name, number);
    return recipe_set(recipe, text, "settings");
}

static enum status set_count(struct recipe *recipe, const char *name, uint64_t number)
{
    char text[LINE_BYTES];
    snprintf(text, sizeof text, "campaign.%s=%llu", name, (unsigned long long)number);
    return recipe_set(recipe, text, "settings");
}

enum status campaign_write_settings(const struct campaign_settings *settings, const char *budget, const char *directory)
{
    struct recipe *recipe;
    enum status status = recipe_create(&recipe, schema, N_KEYS);
    if (status)
        return status;
    const struct {
        const char *name;
        uint64_t number;
    } counts[] = {
        {"rows", settings->rows},
        {"cols", settings->cols},
        {"cells", settings->cells},
        {"per_network", settings->per_network},
        {"experiments", settings->n_experiments},
        {"games", settings->games},
        {"values", settings->n_values},
        {"seed", settings->seed},
        {"shard", settings->shard},
        {"shards", settings->n_shards},
    };
    for (size_t i = 0; i < sizeof counts / sizeof *counts && !status; i++)
        status = set_count(recipe, counts[i].name, counts[i].number);
    if (!status)
        status = set_number(recipe, "last", settings->last_percent);
    if (!status)
        status = set_number(recipe, "rate", settings->rate);
    if (!status)
        status =
            recipe_set(recipe, settings->connected ? "campaign.connected=yes" : "campaign.connected=no", "settings");
    if (!status && budget) {
        char text[LINE_BYTES];
        snprintf(text, sizeof text, "campaign.budget=%s", budget);
        status = recipe_set(recipe, text, "--budget");
    }
    char *text = NULL, *path = training_run_path(directory, "campaign.ini");
    if (!status)
        status = path ? recipe_write(recipe, &text) : STATUS_NO_MEMORY;
    if (!status)
        status = file_write_text(path, text);
    free(text);
    free(path);
    recipe_free(recipe);
    return status;
}

/* ---- experiments.csv ----------------------------------------------------------------------------------------------
 */

/* "3 17 20", counted from 1; out has room for a line. */
static void write_tuples(const struct campaign *campaign, const struct campaign_experiment *experiment, char *out)
{
    *out = '\0';
    for (unsigned k = 0; k < campaign->settings.per_network; k++)
        out += sprintf(out, k ? " %d" : "%d", experiment->tuples[k] + 1);
}

enum status campaign_write_experiments(const struct campaign *campaign)
{
    size_t n = campaign->settings.n_experiments, bytes = sizeof header;
    char *text = memory_allocate(n + 1, LINE_BYTES), *path = training_run_path(campaign->directory, "experiments.csv");
    enum status status = text && path ? STATUS_OK : STATUS_NO_MEMORY;
    if (!status)
        strcpy(text, header);
    for (size_t i = 0, used = bytes - 1; i < n && !status; i++) {
        const struct campaign_experiment *experiment = &campaign->experiments[i];
        char tuples[LINE_BYTES / 2], columns[TRIAL_COLUMNS_BYTES];
        if (!experiment->done)
            continue;
        write_tuples(campaign, experiment, tuples);
        used +=
            (size_t)snprintf(text + used, LINE_BYTES, "%zu,%llu,%s,%s\n", i + 1, (unsigned long long)experiment->seed,
                             tuples, trial_write_columns(&experiment->result, columns));
    }
    if (!status)
        status = file_write_text(path, text);
    free(text);
    free(path);
    return status;
}
_Static_assert(LINE_BYTES / 2 > SHAPE_MAX_TUPLES * 6 && LINE_BYTES / 2 > 48 + TRIAL_COLUMNS_BYTES,
               "a line has room for its fields");

static enum status read_line(void *context, char *line)
{
    struct campaign *campaign = context;
    char *fields[OWN_FIELDS + TRIAL_N_COLUMNS], tuples[LINE_BYTES];
    uint64_t number, seed;
    struct trial_result result;
    if (!parse_split(line, ',', fields, OWN_FIELDS + TRIAL_N_COLUMNS) || !parse_unsigned(fields[0], &number) ||
        number < 1 || !parse_unsigned(fields[1], &seed) || !trial_read_columns(fields + OWN_FIELDS, &result))
        return status_fail(STATUS_CORRUPT, "expected experiment,seed,tuples," TRIAL_COLUMNS);
    if (number > campaign->settings.n_experiments)
        return STATUS_OK; /* of a longer campaign */
    struct campaign_experiment *experiment = &campaign->experiments[number - 1];
    write_tuples(campaign, experiment, tuples);
    if (seed != experiment->seed || strcmp(tuples, fields[2]) != 0)
        return status_fail(STATUS_CORRUPT,
                           "experiment %llu has seed %s and tuples %s, but campaign.ini gives it %llu "
                           "and %s",
                           (unsigned long long)number, fields[1], fields[2], (unsigned long long)experiment->seed,
                           tuples);
    experiment->done = true;
    experiment->result = result;
    return STATUS_OK;
}

enum status campaign_read_experiments(struct campaign *campaign)
{
    char *path = training_run_path(campaign->directory, "experiments.csv");
    if (!path)
        return STATUS_NO_MEMORY;
    enum status status = trial_read_lines(path, header, read_line, campaign);
    free(path);
    return status;
}
