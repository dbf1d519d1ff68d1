/* grow_settings: the settings of growing a network (grow.h), and their file grow.ini. */
#include "study/grow_settings.h"

#include "base/file.h"
#include "ntuple/tuple_list.h"

#include <stdlib.h>
#include <unistd.h>

enum { LIST_BYTES = 1024, CHANGE_ANY = 1 };

#define IN(member)                     SETTING_FIELD(struct grow_settings, member)
#define OPTION(name, letter, argument) SETTING_OPTION(name, letter, argument)

static const struct setting rows[] = {
    TRIAL_TUPLE_ROWS("grow", struct grow_settings),
    {"grow", "tuples", "4", IN(n_tuples), "tuples of the network that is wanted", SETTING_LIMITS(1, SHAPE_MAX_TUPLES),
     OPTION("tuples", 'm', "M"), .may_change = CHANGE_ANY},
    {"grow", "games", "1000", IN(trial.games), "games of a trial in the first round; each round doubles",
     SETTING_LIMITS(1, 1e12), OPTION("games", 'g', "G")},
    {"grow", "last", "10", IN(trial.last_percent), "percent of the games, the last ones, that count",
     SETTING_LIMITS(1e-6, 100), OPTION("last", 'l', "PERCENT")},
    TRIAL_LEARNING_ROWS("grow", struct grow_settings),
    {"grow", "seed", "1", IN(trial.seed), "of the games", SETTING_LIMITS(0, 9e18), OPTION("seed", 's', "S")},
    {"grow", "start", NULL, IN(start_texts), "a tuple that is chosen beforehand; repeats"},
};

const struct setting_table grow_table = SETTING_TABLE(rows);

enum status grow_settings_resolve(struct grow_settings *settings, const struct recipe *recipe)
{
    struct grid grid;
    struct tuple_list list = {0};
    *settings = (struct grow_settings){0};
    recipe_get(recipe, settings);
    enum status status = trial_settings_resolve(&settings->trial);
    if (!status)
        status = grid_create(&grid, settings->trial.rows, settings->trial.cols);
    if (status)
        return status;
    status = tuple_list_create(&list, &grid, settings->cells, settings->connected);
    for (size_t i = 0; i < settings->start_texts.n && !status; i++)
        status = recipe_context(shape_add_tuple(&settings->trial.shape, &grid, settings->start_texts.items[i]), recipe,
                                "grow", "start");
    if (!status && settings->n_tuples > list.n_tuples)
        status = status_fail(STATUS_INVALID, "%u tuples of %zu that there are: at most all of them", settings->n_tuples,
                             list.n_tuples);
    tuple_list_free(&list);
    grid_free(&grid);
    return status;
}

static enum status check_same(const struct recipe *recipe, const char *path)
{
    char list[LIST_BYTES];
    struct recipe *old;
    enum status status = recipe_open(&old, &grow_table, path);
    if (!status && recipe_list_differences(old, recipe, CHANGE_ANY, list, sizeof list))
        status = status_fail(STATUS_INVALID, "%s is of another job: %s (only tuples may change)", path, list);
    recipe_free(old);
    return status;
}

enum status grow_write_settings(const struct recipe *recipe, const char *directory, bool *created)
{
    char *path = file_path(directory, "grow.ini");
    if (!path)
        return STATUS_NO_MEMORY;
    *created = access(path, F_OK) != 0;
    enum status status = *created ? STATUS_OK : check_same(recipe, path);
    if (!status)
        status = recipe_save(recipe, path);
    free(path);
    return status;
}
