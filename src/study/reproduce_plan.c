/*
 * plan.ini of a group: the settings that later sessions keep.
 */
#include "study/reproduce_run_parts.h"

#include "base/file.h"
#include "base/memory.h"
#include "base/recipe.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { SETTING_BYTES = 64, TEXT_BYTES = 512 };

struct plan_file {
    struct reproduce_plan plan;
    const char *group;
    struct setting_list pilot, games;
};

#define IN(member) SETTING_FIELD(struct plan_file, member)
static const struct setting plan_rows[] = {
    {"plan", "group", NULL, IN(group), "the group's name"},
    {"plan", "actions", "0", IN(plan.actions), "of each run", SETTING_LIMITS(0, 1e18)},
    {"plan", "seeds", "1", IN(plan.n_seeds), "runs of each row", SETTING_LIMITS(1, 100)},
    {"plan", "budget", "0", IN(plan.budget_seconds), "seconds that the actions were planned from; 0: they were given",
     SETTING_LIMITS(0, 1e12)},
    {"plan", "pilot", NULL, IN(pilot), "actions a second of each row in the pilot"},
    {"plan", "games", NULL, IN(games), "games of each row of a search that the budget allows"},
};
static const struct setting_table plan_table = SETTING_TABLE(plan_rows);

static enum status keep_pilot(struct reproduce_job *job, const struct setting_list *lines)
{
    size_t bytes = lines->n * (RECIPE_MAX_LINE + 16) + 1, used = 0;
    job->pilot = memory_allocate(bytes, 1);
    for (size_t i = 0; i < lines->n && job->pilot; i++)
        used += (size_t)snprintf(job->pilot + used, bytes - used, "pilot = %s\n", lines->items[i]);
    return job->pilot ? STATUS_OK : STATUS_NO_MEMORY;
}

enum status reproduce_job_read_plan(struct reproduce_job *job)
{
    struct recipe *file = NULL;
    const struct reproduce_settings *settings = job->settings;
    job->planned = access(job->plan_path, F_OK) == 0;
    if (!job->planned)
        return STATUS_OK;
    struct plan_file read;
    enum status status = recipe_open(&file, &plan_table, job->plan_path);
    if (status)
        goto done;
    recipe_get(file, &read);
    job->plan = read.plan;
    if (strcmp(read.group, job->group->name) != 0)
        status = status_fail(STATUS_INVALID, "%s holds the group %s, not %s; choose another --out", settings->directory,
                             read.group, job->group->name);
    else if (settings->actions && settings->actions != job->plan.actions)
        status = status_fail(STATUS_INVALID,
                             "%s was started with %" PRIu64 " actions a run, not %" PRIu64 "; choose another --out",
                             settings->directory, job->plan.actions, settings->actions);
    else if (settings->budget_seconds > 0 && settings->budget_seconds != job->plan.budget_seconds)
        status =
            status_fail(STATUS_INVALID,
                        "%s was started with another budget; leave --budget away to resume, or choose another --out",
                        settings->directory);
    if (status)
        goto done;
    status = keep_pilot(job, &read.pilot);
    if (status)
        goto done;
    if (read.games.n == job->group->n_rows) {
        job->has_games = true;
        for (size_t i = 0; i < read.games.n; i++)
            job->n_games[i] = strtoull(read.games.items[i], NULL, 10);
    }
done:
    recipe_free(file);
    return status;
}

enum status reproduce_job_write_plan(const struct reproduce_job *job)
{
    if (!cluster_is_first(job->settings->cluster))
        return STATUS_OK;
    const char *pilot = job->pilot ? job->pilot : "";
    size_t bytes = strlen(pilot) + TEXT_BYTES + GROUP_MAX_ROWS * SETTING_BYTES;
    char *text = memory_allocate(bytes, 1);
    if (!text)
        return STATUS_NO_MEMORY;
    snprintf(text, bytes, "[plan]\ngroup = %s\nactions = %" PRIu64 "\nseeds = %u\nbudget = %.17g\n%s", job->group->name,
             job->plan.actions, job->plan.n_seeds, job->plan.budget_seconds, pilot);
    for (size_t i = 0; job->has_games && i < job->group->n_rows; i++)
        snprintf(text + strlen(text), SETTING_BYTES, "games = %" PRIu64 "\n", job->n_games[i]);
    enum status status = file_write_text(job->plan_path, text);
    free(text);
    return status;
}
