/* campaign_settings: the settings of a campaign (campaign.h), and their file campaign.ini. */
#include "study/campaign_settings.h"

#include "base/file.h"
#include "base/memory.h"
#include "ntuple/tuple_list.h"

#include <stdlib.h>
#include <unistd.h>

enum { LIST_BYTES = 1024, CHANGE_ANY = 1 };

#define IN(member)                     SETTING_FIELD(struct campaign_settings, member)
#define OPTION(name, letter, argument) SETTING_OPTION(name, letter, argument)

static const struct setting rows[] = {
    TRIAL_TUPLE_ROWS("campaign", struct campaign_settings),
    {"campaign", "per_network", "10", IN(per_network), "tuples of a network", SETTING_LIMITS(1, SHAPE_MAX_TUPLES),
     OPTION("per-network", 'm', "M")},
    {"campaign", "experiments", "0", IN(n_experiments), "networks to train; 0 means ten for each tuple",
     SETTING_LIMITS(0, 1e5), OPTION("experiments", 'e', "E"), .may_change = CHANGE_ANY},
    {"campaign", "games", "1e6", IN(trial.games), "games each network learns from", SETTING_LIMITS(1, 1e12),
     OPTION("games", 'g', "G")},
    {"campaign", "last", "1", IN(trial.last_percent), "percent of the games, from the end, whose scores count",
     SETTING_LIMITS(1e-6, 100), OPTION("last", 'l', "PERCENT")},
    TRIAL_LEARNING_ROWS("campaign", struct campaign_settings),
    {"campaign", "seed", "1", IN(trial.seed), "seed of the choices and of the games", SETTING_LIMITS(0, 9e18),
     OPTION("seed", 's', "S")},
    {"campaign", "shard", "1", IN(shard), "the shard that runs here", SETTING_LIMITS(1, 1e6)},
    {"campaign", "shards", "1", IN(n_shards), "number of shards", SETTING_LIMITS(1, 1e6)},
    {"campaign", "budget", "", IN(budget), "the time that the games were scaled to; empty if they were given",
     .may_change = CHANGE_ANY},
};

const struct setting_table campaign_table = SETTING_TABLE(rows);

enum status campaign_settings_resolve(struct campaign_settings *settings, const struct recipe *recipe)
{
    *settings = (struct campaign_settings){0};
    recipe_get(recipe, settings);
    if (settings->shard > settings->n_shards)
        return status_fail(STATUS_INVALID, "shard %u of %u: there is no such shard", settings->shard,
                           settings->n_shards);
    struct grid grid;
    struct tuple_list list;
    enum status status = trial_settings_resolve(&settings->trial);
    if (!status)
        status = grid_create(&grid, settings->trial.rows, settings->trial.cols);
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
    char list[LIST_BYTES];
    if (recipe_list_differences(old, now, CHANGE_ANY, list, sizeof list))
        return status_fail(STATUS_INVALID, "not the same campaign: %s (only experiments may change)", list);
    return STATUS_OK;
}

enum status campaign_read_settings(struct campaign_settings *settings, struct recipe **recipe, const char *directory)
{
    char *path = file_path(directory, "campaign.ini");
    enum status status = path ? STATUS_OK : STATUS_NO_MEMORY;
    *recipe = NULL;
    if (status)
        goto done;
    if (access(path, F_OK) != 0)
        status = status_fail(STATUS_IO, "%s holds no campaign (it has no campaign.ini)", directory);
    if (status)
        goto done;
    status = recipe_open(recipe, &campaign_table, path);
    if (status)
        goto done;
    status = campaign_settings_resolve(settings, *recipe);
done:
    free(path);
    return status;
}

enum status campaign_write_settings(const struct campaign_settings *settings, const char *directory)
{
    struct recipe *recipe = NULL;
    char *path = file_path(directory, "campaign.ini");
    enum status status = path ? recipe_create(&recipe, &campaign_table) : STATUS_NO_MEMORY;
    if (status)
        goto done;
    status = recipe_put(recipe, settings);
    if (status)
        goto done;
    status = recipe_save(recipe, path);
done:
    recipe_free(recipe);
    free(path);
    return status;
}

void campaign_remove_files(const char *directory)
{
    file_remove(directory, "experiments.csv");
    file_remove(directory, "campaign.ini");
}
